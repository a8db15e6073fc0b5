"""An evening from the first sign-up to the last correction, over HTTP, with phones that send twice and connections that
are cut: nothing is lost, nothing is doubled, and the exports are what an independent recomputation makes of them.

`WILD_ROUNDS=7` plays all rounds of eight players, and not only as far as something else happens in them.
"""

import csv
import email
import io
import os
import random
import re
import socket
import time
from collections import Counter, defaultdict
from email import policy
from urllib.parse import urlencode

import pytest

from engine.rules import EDITIONS
from engine.state import Rules
from games.service.bots_play import play_a_hand
from tests.cast import CAST
from tests.served import Served, Visitor, together

LATER = ("Gül", "Ibrahim", "Jelena", "Kofi")  # with the cast, twelve
ROUNDS = int(os.environ.get("WILD_ROUNDS") or 4)  # in the third a hand is disputed, after the fourth one is corrected
TIMES = ("opens_at", "closes_at", "check_in_opens_at", "check_in_closes_at")
RULES = Rules(EDITIONS["classic"], teams=True)
CREATE = {
    "name": "Autumn Pairs", "format": "pairs", "edition": "classic", "hands_per_round": "4", "rounds": "",
    "starts_on": "2026-11-24", "starts_at": "19:00", "time_zone": "Europe/Paris", "place": "Café Ludo",
    "visibility": "public", "order": "list", "players": "",
}  # fmt: skip


@pytest.fixture(params=["sqlite", "postgres"])
def served(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    served = Served(tmp_path, url)
    served.mails = tmp_path / "mails"
    served.environment["WILD_EMAIL_URL"] = (
        f"file:///{served.mails}"  # an absolute path, after the address that a file has not
    )
    served.prepare(
        [
            "from allauth.account.models import EmailAddress",
            "olga = cast.organiser()",
            "EmailAddress.objects.create(user=olga, email=olga.email, verified=True, primary=True)",
            "print(1)",
        ]
    )
    yield served.start()
    served.stop()


class Phone(Visitor):
    """Somebody's phone in a hall where the network comes and goes."""

    def __init__(self, port, seed=""):
        super().__init__(port)
        self.rng = random.Random(seed)
        self.get("/accounts/login/")  # for the CSRF cookie

    def exchange(self, path):
        """Open a link, look at it, press its button."""
        status, _text = self.get(path)
        assert status == 200, path
        status, _text = self.post(path, {})
        assert status == 303, path

    def cut(self, path, fields):
        """Send a form over a connection that breaks: in the middle of it, or before the answer is there."""
        body = urlencode(fields).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\nContent-Length: {len(body)}\r\n"
            f"X-CSRFToken: {self.cookies['csrftoken']}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
        ).encode()
        request = head + body
        sent = len(request) if self.rng.random() < 0.5 else self.rng.randrange(1, len(request))
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(request[:sent])

    def send(self, path, fields):
        """As a form or as the queue of a scorer's page: the answers are different, what happens is the same."""
        if self.rng.random() < 0.5:
            return self.post(path, fields)[0]
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        return self._ask("POST", path, urlencode(fields), headers | {"X-CSRFToken": self.cookies["csrftoken"]})[0]


class Scorer:
    """Sends every hand of a table one to three times, in any order, some over connections that are cut, and each again
    until an answer has come."""

    def __init__(self, phone, table, hands):
        self.phone, self.table, self.rng = phone, table, phone.rng
        self.answers = Counter()
        self.forms = {}
        for number, (went_out, reports) in hands.items():
            fields = phone.form(table, number) | {"went_out": went_out}
            fields |= {f"cards_{one.seat}": " ".join(one.cards or ()) for one in reports}
            self.forms[number] = fields

    def __call__(self):
        path, unanswered = f"/tables/{self.table}/", set(self.forms)
        sends = [number for number in self.forms for _time in range(self.rng.randint(1, 3))]
        self.rng.shuffle(sends)
        while sends:
            number = sends.pop()
            if self.rng.random() < 0.4:
                self.phone.cut(path, self.forms[number])
            else:
                self.answers[self.phone.send(path, self.forms[number])] += 1
                unanswered.discard(number)
            sends = sends or sorted(unanswered)
        return self.answers


def rows(visitor, slug, table):
    status, text = visitor.get(f"/t/{slug}/{table}.csv")
    assert status == 200
    return list(csv.DictReader(io.StringIO(text, newline="")))


def own_links(served, wanted):
    """{address: the sign-up link from their latest mail}, once so many have one."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        found = {}
        for file in sorted(served.mails.glob("*.log"), key=lambda one: one.stat().st_mtime):
            for text in re.split(r"^-{79}$", file.read_text(encoding="utf-8"), flags=re.MULTILINE):
                mail = email.message_from_string(text.strip(), policy=policy.default)
                link = re.search(r"/sign-up/\S+/", mail.get_content()) if mail["To"] else None
                if link:
                    found[mail["To"]] = link[0]
        if len(found) >= wanted:
            return found
        time.sleep(0.2)
    raise AssertionError(f"{len(found)} of {wanted} mails came: {found}")


def address(name):
    return f"guest{(*CAST, *LATER).index(name)}@example.org"


def sign_up(port, slug, name):
    """One guest signs up, and some press twice."""
    phone = Phone(port, name)
    fields = {"name": name, "email": address(name), "club": "", "website": ""}
    return [phone.post(f"/t/{slug}/sign-up/", fields)[0] for _time in range(phone.rng.randint(1, 2))]


def press(olga, slug):
    """The primary button of the organiser's page. Returns the step and the status of the answer."""
    _status, text = olga.get(f"/t/{slug}/")
    step = re.search(r'name="step" value="([^"]+)"', text)[1]
    status, _text = olga.post(f"/t/{slug}/advance/", {"step": step})
    return step, status


def reported(reports, went_out):
    return {"went_out": went_out} | {f"cards_{one.seat}": " ".join(one.cards or ()) for one in reports}


def version_and_hands(visitor, path):
    """A table's version, and {hand: its key} from the links on a page."""
    _status, text = visitor.get(path)
    found = re.search(r'name="version" value="(\d+)"', text)
    return (found[1] if found else None), text


def recomputed(hands, adjustments):
    """Standings from the exports alone: by player hands played and won, points, total."""
    out = {(row["round"], row["table"], row["hand"]): row for row in hands if row["went_out"] == "true"}
    made = defaultdict(Counter)
    for row in hands:
        mine = made[row["player_id"]]
        winner = out.get((row["round"], row["table"], row["hand"]))
        mine["hands_played"] += 1
        if winner and row["player_id"] in (winner["player_id"], winner["partner_id"]):
            mine["hands_won"] += 1
            others = [
                one for one in hands
                if (one["round"], one["table"], one["hand"]) == (row["round"], row["table"], row["hand"])
                and one["player_id"] not in (winner["player_id"], winner["partner_id"])
            ]  # fmt: skip
            mine["points_for"] += sum(int(one["points_left"]) for one in others)
    for player in made.values():
        player["total"] = player["points_for"]
    for row in adjustments:
        made[row["player_id"]]["total"] += int(row["points"])
    return made


def test_an_evening_run_from_phones_loses_and_doubles_nothing(served):
    rng = random.Random("evening")
    olga = served.visitor()
    assert olga.post("/new/", CREATE | {"rounds": str(ROUNDS)})[0] == 302
    slug = "autumn-pairs"

    # Twelve sign up for eight places at the same moment.
    settings = dict.fromkeys(TIMES, "") | {
        "what": "settings",
        "capacity": "8",
        "note": "Bring a pen",
        "many_at_once": "on",
    }
    assert olga.post(f"/t/{slug}/sign-up/settings/", settings)[0] == 302
    guests = [*CAST, *LATER]
    answers = together(*(lambda name=name: sign_up(served.port, slug, name) for name in guests))
    assert {status for one in answers for status in one} == {303}, answers
    playing = rows(olga, slug, "standings")
    assert len(playing) == 8 and len({row["player"] for row in playing}) == 8
    links = own_links(served, 12)
    for link in links.values():
        assert Phone(served.port).post(link, {"what": "confirm"})[0] == 302
    waiting = [name for name in guests if name not in {row["player"] for row in playing}]

    # One withdraws by the link from the mail, and the list moves up by itself.
    gone = playing[3]["player"]
    phone = Phone(served.port, gone)
    assert phone.get(links[address(gone)])[0] == 200
    assert len(rows(olga, slug, "standings")) == 8  # looking changed nothing
    assert phone.post(links[address(gone)], {"what": "withdraw", "sure": "yes"})[0] == 302
    playing = rows(olga, slug, "standings")
    assert gone not in {row["player"] for row in playing} and len(playing) == 8
    assert [row["player"] for row in playing if row["player"] in waiting]

    # The players' own phones: from the mail to their page. One checks in by it, the organiser the others, one is late.
    phones = {}
    for row in playing:
        phone = phones[row["player_id"]] = Phone(served.port, row["player"])
        _status, text = phone.get(links[address(row["player"])])
        phone.exchange(re.search(r"/me/[^/\"]+-[^/\"]+/", text)[0])
    no_show, first, *others = playing
    for who, row in ((phones[first["player_id"]], first), *((olga, one) for one in others)):
        assert who.post(f"/t/{slug}/players/{row['player_id']}/here/", {"here": "yes"})[0] == 302
    assert press(olga, slug) == ("draw", 302)
    assert olga.post(f"/t/{slug}/players/{no_show['player_id']}/replace/", {})[0] == 302
    playing = rows(olga, slug, "standings")
    assert no_show["player_id"] not in {row["player_id"] for row in playing} and len(playing) == 8
    taker = next(row for row in playing if row["player_id"] not in phones)
    assert phones[no_show["player_id"]].get(f"/t/{slug}/me/")[0] in (404, 410)

    # Four phones score, two at each table, in every round.
    made = [olga.post(f"/t/{slug}/scorers/", {"table": number, "label": "", "days": ""})[1] for number in "1122"]
    scorers = [Phone(served.port, number) for number in range(4)]
    for phone, page in zip(scorers, made, strict=True):
        phone.exchange(re.search(r"/s/[^/\"]+/", page)[0])
    expected, first_table = {}, None
    for number in range(1, ROUNDS + 1):
        assert press(olga, slug)[1] == 302  # publishes the first round, then closes one and publishes the next
        tables, work = [], []
        for pair in (scorers[:2], scorers[2:]):
            _status, text = pair[0].get(f"/t/{slug}/scoring/")
            tables.append(int(re.search(r"/tables/(\d+)/", text)[1]))
            hands = {hand: play_a_hand(RULES, players=4, dealer=(hand - 1) % 4, rng=rng) for hand in range(1, 5)}
            expected |= {(number, len(tables), hand): out for hand, (out, _reports) in hands.items()}
            work += [Scorer(phone, tables[-1], hands) for phone in pair]
        answers = together(*work)
        assert all(set(one) <= {200, 201, 303} for one in answers), answers
        first_table = first_table or tables[0]
        if number == 3:
            dispute(served, olga, slug, tables[0], phones, expected, rng)
        if number == 4:
            confirm(olga, tables[1], phones)
    assert taker["player_id"] in {row["player_id"] for row in rows(olga, slug, "hands")}
    correct(olga, first_table, expected, rng)
    assert press(olga, slug) == (f"close-{ROUNDS}", 302)
    assert press(olga, slug) == ("finish", 302)

    hands, adjustments = rows(olga, slug, "hands"), rows(olga, slug, "adjustments")
    assert Counter((row["round"], row["table"], row["hand"]) for row in hands) == {
        (str(one), str(table), str(hand)): 4 for one, table, hand in expected
    }
    assert len(expected) == 8 * ROUNDS
    went_out = {
        (int(row["round"]), int(row["table"]), int(row["hand"])): int(row["seat"])
        for row in hands
        if row["went_out"] == "true"
    }
    assert went_out == {slot: out for slot, out in expected.items() if out is not None}
    standings = rows(olga, slug, "standings")
    mine = recomputed(hands, adjustments)
    figures = ("hands_played", "hands_won", "points_for", "total")
    assert {row["player_id"]: [int(row[one]) for one in figures] for row in standings} == {
        player: [of[one] for one in figures] for player, of in mine.items()
    }
    totals = [int(row["total"]) for row in standings]
    assert totals == sorted(totals, reverse=True)
    assert {row["hands_played"] for row in standings} == {str(4 * ROUNDS)}
    verify = ["from io import StringIO; from django.core.management import call_command; out = StringIO()"]
    verify.append("call_command('audit', 'verify', stdout=out)")
    assert " ok, " in served.prepare([*verify, "print(json.dumps(out.getvalue()))"])


def seated(visitor, slug, number, table):
    """The players at a table, by seat."""
    at = [row for row in rows(visitor, slug, "seating") if (row["round"], row["table"]) == (str(number), str(table))]
    return [row["player_id"] for row in sorted(at, key=lambda row: int(row["seat"]))]


def dispute(served, olga, slug, table, phones, expected, rng):
    """A player has another hand 2; the round does not close; the organiser takes the player's word."""
    phone = next(phones[one] for one in seated(olga, slug, 3, 1) if one in phones)
    _version, text = version_and_hands(phone, f"/tables/{table}/")
    key = re.findall(r"/hands/(\d+)/dispute/", text)[-2]
    version, text = version_and_hands(phone, f"/hands/{key}/dispute/")
    went_out, reports = play_a_hand(RULES, players=4, dealer=1, rng=rng)
    fields = reported(reports, went_out) | {"version": version, "reason": "We wrote it down"}
    number = int(re.search(r"[Hh]and (\d)", text)[1])
    assert phone.post(f"/hands/{key}/dispute/", fields)[0] == 303
    assert press(olga, slug) == ("close-3", 409)
    version, text = version_and_hands(olga, f"/tables/{table}/disputes/")
    decide = re.search(r"/disputes/\d+/decide/", text)[0]
    assert olga.post(decide, {"decision": "theirs", "version": version, "reason": "Both teams agree"})[0] == 303
    expected[3, 1, number] = went_out


def confirm(olga, table, phones):
    """Somebody who sits there says that what the scorers sent is right; the same again changes nothing."""
    for phone in phones.values():
        version, text = version_and_hands(phone, f"/tables/{table}/")
        if "/agree/" in text:
            assert phone.post(f"/tables/{table}/agree/", {"version": version})[0] == 303
            assert phone.post(f"/tables/{table}/agree/", {"version": version})[0] == 303
            return
    raise AssertionError("nobody at the table may confirm it")


def correct(olga, table, expected, rng):
    """The organiser corrects a hand of the first round when the last is played."""
    _version, text = version_and_hands(olga, f"/tables/{table}/")
    path = re.findall(r"/hands/\d+/correct/", text)[-1]
    version, _text = version_and_hands(olga, path)
    went_out, reports = play_a_hand(RULES, players=4, dealer=0, rng=rng)
    fields = reported(reports, went_out) | {"version": version, "reason": "The slips were mixed up"}
    assert olga.post(path, fields)[0] == 303
    expected[1, 1, 1] = went_out
