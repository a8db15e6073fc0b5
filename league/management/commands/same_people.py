"""manage.py same_people: list a club's records that are probably one person, and join them on request."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.clubs.same_people import Pair, join_pairs, probable_pairs
from league.entries.known_people import Known
from league.lib.command import SentenceCommand
from league.models import Club


class Command(SentenceCommand):
    help = "List the pairs of a club that are probably one person. Without --join nothing changes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="as in its address, /clubs/CLUB/")
        parser.add_argument("--join", action="store_true", help="join the pairs marked with *, after a question")
        parser.add_argument("--yes", action="store_true", help="with --join: don't ask")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club “{options['club']}”.", returncode=2)
        if options["yes"] and not options["join"]:
            raise CommandError("--yes goes with --join.", returncode=2)
        pairs = probable_pairs(club)
        for pair in pairs:
            self.stdout.write(_line(pair))
        probable = [pair for pair in pairs if pair.is_probable]
        self.stderr.write(f"{len(pairs)} pairs, {len(probable)} of them probably one person (*).")
        if not options["join"] or not probable:
            return
        if not options["yes"] and not _confirmed(len(probable)):
            self.stderr.write("Nothing was changed.")
            return
        done = join_pairs(club=club, pairs=[pair.public_ids for pair in probable], by=None)
        self.stderr.write(f"{len(done)} merged. Undo them on the club's page “Duplicates”.")


def _confirmed(count: int) -> bool:
    try:
        return input(f"Join {count} pairs? [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


def _line(pair: Pair) -> str:
    remark = pair.problem or pair.doubt
    mark = "*" if pair.is_probable else "-"
    return f"{mark} {_about(pair.source)} = {_about(pair.target)}" + (f" ({remark})" if remark else "")


def _about(one: Known) -> str:
    kind = "member" if one.is_member else "guest"
    return f"{one.player.name} [{one.player.public_id}, {kind}, events: {one.events}]"
