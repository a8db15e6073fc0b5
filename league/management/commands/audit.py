"""`audit verify [SLUG]`: verify that log rows are unchanged and results follow from them."""

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
        "Checks the log of one tournament or of all: reports edited, swapped or removed entries, and results that "
        "differ from the log. Exit code 1 if there are any."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["verify"])
        parser.add_argument("slug", nargs="?", help="of the tournament; by default all tournaments")
        parser.add_argument("--since", metavar="HASH", help="a saved hash that the log must contain")
        parser.add_argument(
            "--manifest",
            metavar="FILE",
            type=Path,
            help="a backup, a ZIP of all exports, or the manifest in it, with ends that the logs must contain",
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
        if slug:  # other tournaments' logs weren't requested
            ends = {key: end for key, end in ends.items() if end["slug"] == slug}
        ends = {key: end for key, end in ends.items() if not self.was_deleted(key, end)}
        for end in ends.values():
            self.stdout.write(f"{end['slug']}: the manifest has a log of {end['number']} entries, and none is here")
        if not known:
            log = f"{slug}: no entry has" if slug else "no log has an entry with"
            self.stdout.write(f"{log} the hash {since}: the log was cut or rewritten since the hash was saved")
        if broken or ends or not known:
            sys.exit(1)

    def was_deleted(self, public_id: str, end: anchors.End) -> bool:
        """Return whether the owner's log records the tournament's deletion, with at least this many entries."""
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
            # Anyone who saves this line elsewhere can later detect a rewritten chain.
            self.stdout.write(f"{slug}: ok, {audited.head.number} entries, {audited.head.hash}")

    def tell_since(self, slug: str, audited: Audited, since: str) -> None:
        number = next(number for number, row_hash in audited.hashes.items() if row_hash == since)
        first = min((fault.number for fault in audited.faults if fault.number is not None), default=number + 1)
        if first > number:
            more = audited.head.number - number
            self.stdout.write(
                f"{slug}: entries 1 to {number} are as they were when that was written down, {more} follow"
            )
