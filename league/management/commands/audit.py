"""`audit verify [SLUG]`: is every row of the log as it was written, and does every result follow from it?"""

import re
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.lib.command import SentenceCommand, tournament_by_slug
from league.log import anchors
from league.log.audit import Audited, verify
from league.models import AccountLogEntry, Tournament


class Command(SentenceCommand):
    help = (
        "Checks the log of one tournament or of all: says which entry was edited, swapped or removed, and which result "
        "is not what the log tells. Exit code 1 if there is one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["verify"])
        parser.add_argument("slug", nargs="?", help="of the tournament; all of them when it is left out")
        parser.add_argument("--since", metavar="HASH", help="one that was written down: the log must have it still")
        parser.add_argument(
            "--manifest",
            metavar="FILE",
            type=Path,
            help="a backup, a ZIP of all exports, or the manifest in it: the logs must have the ends that it names",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        slug, since = options["slug"], options["since"]
        if since is not None and not re.fullmatch("[0-9a-f]{64}", since):
            raise CommandError("--since takes a hash: 64 of the digits 0 to 9 and a to f.", returncode=2)
        ends = anchors.read(options["manifest"]) if options["manifest"] else {}
        tournaments = [tournament_by_slug(slug)] if slug else list(Tournament.objects.order_by("slug"))
        broken, known = False, since is None
        for tournament in tournaments:
            audited = verify(tournament)
            end = ends.pop(tournament.public_id, None)
            if end is not None and (gone := anchors.missing_end(end, audited.hashes)):
                audited.faults.append(gone)
            self.tell(tournament.slug, audited)
            broken = broken or bool(audited.faults)
            if since in audited.hashes.values():
                known = True
                self.tell_since(tournament.slug, audited, since)
        if slug:  # the logs of other tournaments were not asked about
            ends = {key: end for key, end in ends.items() if end["slug"] == slug}
        ends = {key: end for key, end in ends.items() if not self.was_deleted(key, end)}
        for end in ends.values():
            self.stdout.write(f"{end['slug']}: the manifest has a log of {end['number']} entries, and none is here")
        if not known:
            log = f"{slug}: no entry has" if slug else "no log has an entry with"
            self.stdout.write(f"{log} the hash {since}: the log was cut or made anew since that was written down")
        if broken or ends or not known:
            sys.exit(1)

    def was_deleted(self, public_id: str, end: anchors.End) -> bool:
        """Whether the owner has deleted the tournament, by the row about that, with a log of at least these entries."""
        row = (
            AccountLogEntry.objects.filter(action=AccountLogEntry.DELETE_TOURNAMENT, old__public_id=public_id)
            .order_by("pk")
            .first()
        )
        log = row.old["log"] if row is not None and row.old else None
        if row is None or log is None or log["number"] < end["number"]:
            return False
        self.stdout.write(f"{end['slug']}: deleted on {row.at:%Y-%m-%d}, with {log['number']} entries")
        return True

    def tell(self, slug: str, audited: Audited) -> None:
        for line in (*audited.faults, *audited.notes):
            self.stdout.write(f"{slug}: {line}")
        if not audited.faults:
            # With this line, written down elsewhere, anybody can tell whether the whole chain was made anew.
            self.stdout.write(f"{slug}: ok, {audited.head.number} entries, {audited.head.hash}")

    def tell_since(self, slug: str, audited: Audited, since: str) -> None:
        number = next(number for number, row_hash in audited.hashes.items() if row_hash == since)
        first = min((fault.number for fault in audited.faults if fault.number is not None), default=number + 1)
        if first > number:
            more = audited.head.number - number
            self.stdout.write(
                f"{slug}: entries 1 to {number} are as they were when that was written down, {more} follow"
            )
