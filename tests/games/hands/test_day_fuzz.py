"""Whatever is sent to the pages of the day and to corrections: no fault, nothing without the right, and no kept page
that is older than what was done."""

import html
import os
import random
import re

import pytest
from django.core.cache import cache, caches
from django.test import Client

from games.models import Hand
from league.background import jobs
from league.day.entrants import drop_out
from league.day.sheet import table_page
from league.day.substitutes import substitute
from league.log.audit import verify
from league.models import Entry, EntryEvent, Job, LogEntry, Player, Role, Table
from tests import cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]  # in a transaction no page is kept

REQUESTS = int(os.environ.get("WILD_REQUESTS") or 20)
ODD = (
    *("", " ", "0", "-1", "1", "2", "3", "10", "999", "1000", "99999999999999999999999", "1e3", "1.0", "٣", "½"),
    *("null", "None", "true", "x", "a\0b", "\0", "é" * 300, "<b>&\"'", "\u202e", "9" * 5000, "..", "%(name)s"),
    *("keep", "reseat", "undo", "resume", "no", "yes", "Gül", "Zoë"),
)
REASON = "They <asked> & agreed"
DAY = {
    "late/": ("name", "club", "total", "reason"),
    "substitutes/{person}/erase/": ("name",),
    "events/{event}/undo/": (),
    "redraw/": ("reason",),
    "pause/": ("do", "reason"),
    "end/": ("reason",),
    "undo-round/": ("round", "reason"),
}
OF_A_PERSON = {
    "leave": ("plan", "stand_in", "reason"),
    "late": ("how", "reason"),
    "substitute": ("name", "table"),
    "lineup": ("who", "table"),
    "swap": ("round", "other", "reason"),
    "table": ("number",),
    "apart": ("other", "apart"),
    "bye": ("round", "points", "reason"),
    "adjust": ("points", "reason", "round", "void"),
    **dict.fromkeys(("return", "reinstate", "end-substitute", "nothing"), ("reason",)),
}
AMEND = ("hands_per_round", "table_size", "target", "bye_points", "reason", *(f"then-tb{n}" for n in range(1, 6)))
SEATS = [f"{name}_{seat}" for seat in range(4) for name in ("cards", "count", "points")]
ADDRESSES = {
    **{f"/t/{{slug}}/day/{path}": fields for path, fields in DAY.items()},
    "/t/{slug}/settings/": ("form", *AMEND),
    **{f"/t/{{slug}}/people/{{player}}/?do={do}": fields for do, fields in OF_A_PERSON.items()},
    **{f"/t/{{slug}}/r/2/tables/1/sheet/?do={do}": ("to", "minutes", "reason") for do in table_page.DRAFTS},
    "/t/{slug}/people/{player}/swap-back/2/{player}/": (),
    "/t/{slug}/r/2/tables/1/open/": (),
    "/t/{slug}/r/2/tables/1/number/3/": (),
    "/t/{slug}/jobs/better-seating/": (),
    "/t/{slug}/jobs/{job}/take/": (),
    "/hands/{hand}/correct/": ("went_out", "version", "reason", "repair", "shown_keep", "shown_undo", *SEATS),
    "/tables/{table}/": ("hand", "went_out", "seating_version", "key", *SEATS),
    "/tables/{table}/preview/": ("hand", "went_out", *SEATS),
}
LOOKS = (
    *("manage/?round={odd}", "race/?q={odd}&all={odd}", "bracket/?player={odd}"),
    *("race.csv?as_of_round={odd}", "events.csv?as_of_round={odd}&all=1", "standings/?as_of_round={odd}"),
)


KEPT = ("standings", "seating", "hands", "bracket", "fairness")


@pytest.fixture(params=["challenge", "pairs"])
def made(request):
    """In its second round, with somebody who left, a stand-in of sorts, a search for seats and a correction to make."""
    if request.param == "pairs":
        made = cast.play(cast.tournament(9, hands_per_round=2), rounds=1)
    else:
        made = cast.play_challenge(cast.challenge(12, hands_per_round=2, target=150), rounds=1)
        cast.go_on(made)
    playing = list(made.entries.filter(seats__round__number=2, seats__table__isnull=False))
    drop_out(tournament=made, entry=playing[0], by=made.owner)
    substitute(tournament=made, entry=playing[1], name="Gül", by=made.owner)
    jobs.request(tournament=made, kind=jobs.EXPORT_ALL, by=made.owner)
    return made


def signed_in(user, **settings):
    client = Client(**settings)
    client.force_login(user)
    return client


def in_the_path(rng, made, other):
    """What stands in an address: mostly of this tournament, else of another, or of none."""
    source = made if rng.random() < 0.85 else other
    found = {
        "player": Entry.objects.filter(tournament=source).values_list("public_id", flat=True),
        "person": Player.objects.filter(name="Gül").values_list("pk", flat=True),
        "event": EntryEvent.objects.filter(entry__tournament=source).values_list("pk", flat=True),
        "job": Job.objects.values_list("pk", flat=True),
        "hand": Hand.objects.filter(table__round__tournament=source).values_list("pk", flat=True),
        "table": Table.objects.filter(round__tournament=source).values_list("pk", flat=True),
    }
    values = {name: rng.choice(sorted(keys, key=str) or [0]) for name, keys in found.items()}
    if rng.random() < 0.05:
        values = dict.fromkeys(values, rng.choice(("0", "9" * 30, "%00", "A\0B".replace("\0", "%00"))))
    return values | {"slug": made.slug}


def a_value(rng, field, made, typed):
    tables = Table.objects.filter(round__tournament=made)
    latest = made.rounds.living().order_by("-published_at").first()
    good = {
        "reason": REASON,
        "round": latest.number if latest else 1,
        "form": "amend",
        **dict.fromkeys(("plan", "how", "void", "who"), ""),
        "one": rng.choice(typed),
        "other": rng.choice(typed),
        "version": tables.order_by("-version").values_list("version", flat=True)[0],
    }
    if rng.random() < 0.7:
        return good.get(field, rng.choice(("1", "2", "3", "4", "30", "300", "Nia")))
    return rng.choice(ODD)


def hidden(answer):
    text = answer.content.decode()
    pairs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', text)
    pairs += re.findall(r'type="radio"\s+name="([^"]+)"\s+value="([^"]*)"\s+checked', text)
    return {html.unescape(name): html.unescape(value) for name, value in pairs if name != "csrfmiddlewaretoken"}


@pytest.mark.parametrize("seed", [1])
def test_whatever_is_sent_is_answered_and_changes_nothing_without_the_right(made, seed):
    rng = random.Random(seed)
    other = cast.play(cast.tournament(owner=cast.organiser("otto@example.org"), name="Other Pairs"), rounds=1)
    olga, sven, nobody = signed_in(made.owner), signed_in(cast.someone_else()), Client()
    guest = cast.organiser("guest@example.org", "Guest")
    Role.objects.create(tournament=made, user=guest, kind=Role.Kind.SPECTATOR)
    strangers = (sven, nobody, signed_in(guest))
    done = 0
    for number in range(REQUESTS):
        cache.clear()
        path, names = rng.choice(sorted(ADDRESSES.items()))
        path = path.format(**in_the_path(rng, made, other))
        typed = list(made.entries.values_list("public_id", flat=True))
        fields = {name: a_value(rng, name, made, typed) for name in names if rng.random() < 0.9}
        if rng.random() < 0.2:
            fields["shown"] = rng.choice(ODD[1:])
        before = last(made), last(other)
        assert rng.choice(strangers).post(path, fields).status_code in (302, 404), path
        assert (last(made), last(other)) == before, path
        answer = olga.post(path, fields)
        assert answer.status_code in (200, 302, 303, 404, 409, 422), (path, fields, answer.status_code)
        if answer.status_code in (200, 404, 409, 422):
            assert last(made) == before[0], (path, fields)
        assert last(other) == before[1], (path, fields)
        if b'name="shown"' in answer.content and (number % 25 == 0 or not path.endswith(("end/", "undo-round/"))):
            kept = hidden(answer)
            compared = fields.keys() & kept.keys() - {"shown", "plan", "how"}  # of radio cards one is always picked
            assert all(kept[name] == str(fields[name]) for name in compared), path
            sent = fields | kept
            first, again = olga.post(path, sent), olga.post(path, sent)
            assert first.status_code in (302, 409), (path, sent, first.status_code)
            assert again.status_code in (200, 302, 404, 409, 422), (path, sent, again.status_code)
            done += first.status_code == 302
        odd = rng.choice(("%00", "9" * 40, "-1", "x", "%E2%80%AE"))
        look = f"/t/{made.slug}/{rng.choice(LOOKS)}".replace("{odd}", odd)
        assert olga.get(look).status_code in (200, 302, 400, 404), look
        for page in rng.sample(KEPT, 2):
            assert_not_old(f"/t/{made.slug}/{page}/", path)
    assert done > REQUESTS / 10
    assert verify(made).faults == verify(other).faults == []


def assert_not_old(page, after):
    kept = Client().get(page).content
    caches["pages"].clear()
    assert kept == Client().get(page).content, f"{page} after {after}"


def last(tournament):
    return LogEntry.objects.filter(tournament=tournament).order_by("-number").values_list("number", flat=True).first()
