"""How many of the project's modules run for one hand, one online move, one page: what a reader has to know.

    .venv/bin/python -m benchmarks.modules [--smoke]

Each is done once, and then three times that count: every module with a function that is called. The moves are always
the same, with somebody who draws among them. Settings, middleware and models are left out, since everything has them.
Of the pages of a table the rooms are counted too, as .ci/check_house.py defines them: `table_page` is a table of pairs
with a hand, `race_table_page` one of Challenge UNO. In a SQLite database of its own; nothing is timed. The last line
printed is one JSON object.
"""

import argparse
import importlib.util
import itertools
import json
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from benchmarks.pages import prepare

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "games", "league", "engine")
EVERYWHERE = ("config/", "league/models/", "games/models.py")
TIMES = 3
TABLES = ("table_page", "race_table_page")


def called(step: Callable[[], Any]) -> list[str]:
    """The project's files with a function that `step` calls."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _arg: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(note)
    try:
        step()
    finally:
        sys.setprofile(None)
    files = {Path(code.co_filename) for code in seen if code.co_name != "<module>"}
    ours = [file.relative_to(ROOT).as_posix() for file in files if file.is_relative_to(ROOT)]
    return sorted(file for file in ours if file.split("/")[0] in PACKAGES and not file.startswith(EVERYWHERE))


def rooms_by_file() -> dict[str, str]:
    """The room of each file of the project."""
    spec = importlib.util.spec_from_file_location("check_house", ROOT / ".ci/check_house.py")
    assert spec is not None and spec.loader is not None
    house = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(house)
    known = house.modules()
    return {known[name].relative_to(ROOT).as_posix(): room for name, room in house.rooms(known).items()}


def steps() -> dict[str, Callable[[], Any]]:
    """By name, what can be done twice: in a tournament of eight, with a table on paper and one online."""
    from django.core.cache import caches
    from django.db import transaction
    from django.test import Client

    from benchmarks import factory
    from engine.paper import SeatReport
    from engine.shuffle import SEED_BYTES
    from engine.simulation.bots import BOTS
    from games.hands.judge import HandInput
    from games.hands.locks import lock_table
    from games.hands.record import record_hand
    from games.online.play.deals import get_ready, next_deal, seal
    from games.online.play.moves import play
    from games.online.play.replay import replay
    from league.access.viewer import Attribution
    from league.lib.versioned_cache import VersionedCache
    from league.models import Entry, Table
    from league.rounds.steps import start
    from tests import cast

    made = factory.tournament(8, 1, 1, played=False)
    paper, online = Table.objects.filter(round__tournament=made).order_by("number")
    Table.objects.filter(pk=online.pk).update(mode=Table.Mode.ONLINE)
    with transaction.atomic():
        deal = next_deal(lock_table(online.pk))
        assert deal is not None
        seal(deal, b"\x01" * SEED_BYTES, list(online.seats.order_by("number")))
    for place in deal.places:
        get_ready(table_id=online.pk, deal_id=deal.pk, entry=Entry.objects.get(pk=place["entry"]))
    bot, hands = BOTS["careful"](random.Random(1)), itertools.count(1)

    def record() -> Callable[[], Any]:
        reports = [SeatReport(seat, points_left=10 * seat) for seat in (1, 3)]
        hand = next(hands)
        return lambda: record_hand(table_id=paper.pk, hand=HandInput(hand, 0, reports), by=Attribution(made.owner))

    def move() -> Callable[[], Any]:
        deal.refresh_from_db()
        played = replay(deal, [""] * 4)
        public, cards = played.hand.public, played.hand.cards
        kind, seat, *rest = bot.choose(public, public.turn, cards[public.turn], played.hand.drawn)
        entry = Entry.objects.get(pk=deal.places[seat]["entry"])
        what, answers = (kind, *rest), played.decision
        return lambda: play(table_id=online.pk, deal_id=deal.pk, entry=entry, action=what, answers=answers)

    def page() -> Callable[[], Any]:
        return look

    def made_anew() -> Callable[[], Any]:
        VersionedCache.forget_all()
        caches["pages"].clear()
        return look

    def look() -> None:
        answer = Client(SERVER_NAME="localhost").get(f"/t/{made.slug}/standings/")
        assert answer.status_code == 200, answer.status_code

    def table_page(table: Table, losers: Sequence[int]) -> Callable[[], Callable[[], Any]]:
        client, owner = Client(SERVER_NAME="localhost"), table.round.tournament.owner
        client.force_login(owner)
        reports = [SeatReport(seat, points_left=10) for seat in losers]
        record_hand(table_id=table.pk, hand=HandInput(1, 0, reports), by=Attribution(owner))

        def look() -> None:
            answer = client.get(table.get_absolute_url())
            assert answer.status_code == 200, answer.status_code

        return lambda: look

    race = cast.challenge()
    start(tournament=race, by=race.owner)
    return {
        "record_hand": record,
        "online_move": move,
        "standings_page": page,
        "standings_page_made_anew": made_anew,
        "table_page": table_page(cast.first_table(), (1, 3)),
        "race_table_page": table_page(cast.table(race, 1, 1), (1, 2, 3)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true", help="as always: there is nothing to make smaller")
    parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), "", smoke=True)  # nothing is timed
        found = {}
        for name, begin in steps().items():
            begin()()
            found[name] = sorted({file for _ in range(TIMES) for file in called(begin())})
            print(f"{name}: {len(found[name])} modules")  # noqa: T201
            print("".join(f"  {file}\n" for file in found[name]), end="")  # noqa: T201
    room_of = rooms_by_file()
    result = {name: len(files) for name, files in found.items()}
    for name in TABLES:
        result[f"{name}_rooms"] = len({room_of[file] for file in found[name]})
    print(json.dumps({"benchmark": "modules", **result}))  # noqa: T201


if __name__ == "__main__":
    main()
