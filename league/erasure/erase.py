"""Erase a person: results stay, name and addresses are removed. See docs/decisions/0004."""

import json
import re
import secrets
from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.models import F, Q, TextField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _

from league import hooks, letters
from league.erasure.erase_in_clubs import anonymise, clean_clubs, lock_clubs_of, names_in_clubs, records_of
from league.erasure.sessions import clean_sessions, forget_forms
from league.erasure.unused import forget_person_of
from league.ledger.locks import lock_tournament, lock_tournaments_of
from league.ledger.same_names import tell_apart
from league.lib.errors import Conflict
from league.log import chain
from league.log.write import lock_head, member, note, note_in_club
from league.models import (
    Adjustment,
    Announcement,
    ApiAnswer,
    CallTap,
    Club,
    ClubRole,
    Entry,
    EntryEvent,
    ImportedPerson,
    Invitation,
    Job,
    LeaveRequest,
    Letter,
    LogEntry,
    Player,
    PlayerWarning,
    Role,
    ScorerLink,
    SignUp,
    Snapshot,
    Tournament,
    User,
    new_public_id,
)

Clean = Callable[[Any], Any]

NAMED = frozenset({"player", "name", "user"})  # keys of names in a log dict with the person's player_id
BLANKED = frozenset({"club", "email"})
# Keys whose values are codes or cards, never names: Lot is a name and a tie-break.
CODES = chain.FACTS | {"edition", "role", "state", "tie_breaks", "visibility"}


@transaction.atomic
def erase_player(*, player: Player, by: User | None) -> Player:
    """Erase a person's name, club, address and birthday everywhere; it can't be undone.

    Results stay, under “Player ” and four letters. Repeating it changes nothing.
    """
    tournaments = lock_tournaments_of(player.pk)
    clubs = lock_clubs_of(player, tournaments)
    player = Player.objects.select_for_update().get(pk=player.pk)
    if player.erased_at is not None:
        return player
    records = records_of(player)  # including merged ones
    entries = frozenset(player.entries.values_list("public_id", flat=True))
    entries |= {*player.waits_as.values_list("public_id", flat=True)}
    ids = entries | {record.public_id for record in records}
    new_name = f"Player {new_public_id()[:4]}"
    names = _names_of(player, tournaments, entries) | {
        text for record in records for text in (record.name, record.email) if text
    }
    names |= names_in_clubs(clubs, ids)
    clean = _cleaner(names, ids, new_name, teams=_ids_of_teams(player))
    _clean_records(player, tournaments, entries, clean)
    _clean_answers(ids, names, tournaments, clubs, clean)
    clean_clubs(player, clubs, clean)
    clean_sessions(names)
    forget_forms({*names, *ids})
    for record in records:
        anonymise(record, new_name)
    player = next(record for record in records if record.pk == player.pk)
    for tournament in tournaments:
        tell_apart(tournament)
        lock_head(tournament)  # no row may be added between reading the log and recording the redaction
        entry = player.entries.filter(tournament=tournament).order_by("pk").first()
        known = {"player_id": entry.public_id} if entry else {}  # a mere substitute has no entry
        new = {**known, "player": new_name, chain.REDACTED: redact_log(tournament, clean)}
        note(tournament=tournament, by=by, action=chain.ERASE, new=new)
    if player.club is not None:
        note_in_club(club=player.club, by=by, action=chain.ERASE, new=member(player))
    return player


@transaction.atomic
def erase_sign_up(*, sign_up: SignUp, by: User | None) -> None:
    """Erase a sign-up that is no longer on the list: the row, its e-mails, and the name in the log."""
    tournament = lock_tournament(sign_up.tournament_id)
    sign_up = SignUp.objects.select_for_update().get(pk=sign_up.pk)
    if sign_up.state in (SignUp.State.PLACED, SignUp.State.WAITING):
        raise Conflict("on-the-list", _("%(name)s is on the list. Remove them first.") % {"name": sign_up})
    ids = frozenset({sign_up.public_id})
    new_name = f"Player {new_public_id()[:4]}"
    names = _with_earlier_names({sign_up.name, sign_up.email}, [tournament], ids)
    clean = _cleaner(names, ids, new_name)
    clean_sessions([sign_up.email])
    forget_forms({*names, *ids})
    letters.forget(sign_up)
    SignUp.objects.filter(pk=sign_up.pk).delete()
    forget_person_of(sign_up)
    lock_head(tournament)
    new = {"player_id": sign_up.public_id, "player": new_name, chain.REDACTED: redact_log(tournament, clean)}
    note(tournament=tournament, by=by, action=chain.ERASE, new=new)


def _names_of(player: Player, tournaments: Iterable[Tournament], ids: frozenset[str]) -> set[str]:
    """Return all names the person ever had here, and their addresses."""
    names = {player.name, player.email}
    for name_and_email in SignUp.objects.filter(public_id__in=ids).values_list("name", "email"):
        names |= set(name_and_email)
    names |= set(Invitation.objects.filter(entry__player=player).values_list("email", flat=True))
    return _with_earlier_names(names, tournaments, ids)


def _with_earlier_names(names: set[str], tournaments: Iterable[Tournament], ids: frozenset[str]) -> set[str]:
    """Return the names, with all earlier names of these ids."""
    actions = ("rename-player", "merge-player")
    rows = LogEntry.objects.filter(tournament__in=tournaments, action__in=actions).order_by("-id")
    for row in rows:
        old, new = row.old or {}, row.new or {}
        if row.action == "merge-player":
            names |= {old.get("name", "")} if old.get("player_id") in ids else set()
            continue
        # Rows from before the log had ids: follow the names backwards.
        if new.get("player_id") in ids or ("player_id" not in new and new.get("name") in names):
            names.add(old.get("name", ""))
    return names - {""}


def _ids_of_teams(player: Player) -> frozenset[str]:
    """Return the ids of a person's teams, which may be named after them."""
    teams = Player.objects.filter(team__members__player=player)
    entered = Entry.objects.filter(player__in=teams)
    return frozenset(teams.values_list("public_id", flat=True)) | {*entered.values_list("public_id", flat=True)}


def _cleaner(names: set[str], ids: frozenset[str], new_name: str, *, teams: frozenset[str] = frozenset()) -> Clean:
    """Return a function that replaces the names in a text or JSON value, also in names of their teams."""
    longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)", re.IGNORECASE)

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(new_name, value)
        if isinstance(value, list):
            return [clean(part) for part in value]
        if not isinstance(value, dict):
            return value
        owner = value.get("player_id")
        if owner in ids:
            known = dict.fromkeys(NAMED & value.keys(), new_name) | dict.fromkeys(BLANKED & value.keys(), "")
            return {key: part if key in CODES else clean(part) for key, part in value.items()} | known
        # A different person with this name keeps it.
        unchanged = NAMED | CODES if owner and owner not in teams else CODES
        return {key: part if key in unchanged else clean(part) for key, part in value.items()}

    return clean


def redact_log(tournament: Tournament, clean: Clean) -> dict[str, str]:
    """Remove the names from the log. Return {row number: digest of the new content} for the chain."""
    redacted = {}
    # Rows of earlier erasures contain no names, and their digests need unchanged rows.
    for row in LogEntry.objects.filter(tournament=tournament).exclude(action=chain.ERASE).order_by("number"):
        content = clean(row.old), clean(row.new), clean(row.reason)
        if content == (row.old, row.new, row.reason):
            continue
        old, new, reason = content
        salt, reason = secrets.token_hex(16), reason[:200]
        # Use a query: the model forbids changing a row.
        LogEntry.objects.filter(pk=row.pk).update(old=old, new=new, reason=reason, salt=salt)
        redacted[str(row.number)] = chain.content_digest(salt, old, new, reason)
    return redacted


def _clean_records(player: Player, tournaments: list[Tournament], ids: frozenset[str], clean: Clean) -> None:
    """Clean everything else that may name the person: reasons, notes, snapshots, files, invitations, e-mails."""
    for kind in (Adjustment, EntryEvent):
        for row in kind.objects.filter(entry__tournament__in=tournaments):
            if (reason := clean(row.reason)) != row.reason:
                kind.objects.filter(pk=row.pk).update(reason=reason[:200])
    for request in LeaveRequest.objects.filter(entry__tournament__in=tournaments).exclude(text=""):
        if (text := clean(request.text)) != request.text:
            LeaveRequest.objects.filter(pk=request.pk).update(text=text[:100])
    for tap in CallTap.objects.filter(call__table__round__tournament__in=tournaments).exclude(text=""):
        if (text := clean(tap.text)) != tap.text:
            CallTap.objects.filter(pk=tap.pk).update(text=text[:140])
    for snapshot in Snapshot.objects.filter(round__tournament__in=tournaments):
        if (rows := clean(snapshot.rows)) != snapshot.rows:
            Snapshot.objects.filter(pk=snapshot.pk).update(rows=rows)
    for link in ScorerLink.objects.filter(tournament__in=tournaments).exclude(label=""):
        if (label := clean(link.label)) != link.label:
            ScorerLink.objects.filter(pk=link.pk).update(label=label[:40])
    for tournament in tournaments:
        Tournament.objects.filter(pk=tournament.pk).update(pause_reason=clean(tournament.pause_reason)[:200])
        for announcement in Announcement.objects.filter(tournament=tournament):
            announcement.text = clean(announcement.text)[: Announcement.MOST]
            announcement.save(update_fields=["text"])
        for stage in tournament.stages.all():
            stage.amendments = [
                amendment | {"reason": clean(amendment["reason"])[:200]} for amendment in stage.amendments
            ]
            stage.save(update_fields=["amendments"])
        hooks.games.clean_texts(tournament, clean)
    jobs = Job.objects.filter(tournament__in=tournaments)
    jobs.filter(state=Job.State.DONE).update(result=b"", file_name="")
    jobs.filter(state=Job.State.RUNNING).update(state=Job.State.QUEUED)  # its worker has already read the name
    now = timezone.now()
    Invitation.objects.filter(entry__player=player, revoked_at=None, used_at=None).update(revoked_at=now)
    Invitation.objects.filter(entry__player=player).update(email="")
    Role.objects.filter(entry__player=player, revoked_at=None).update(revoked_at=now)
    # the last one replaces their links
    theirs = {"addition": "", "own_addition": False, "link_generation": F("link_generation") + 1}
    Entry.objects.filter(player=player).update(**theirs)
    for entry in Entry.objects.filter(tournament__in=tournaments, own_addition=True):
        if (addition := clean(entry.addition)) != entry.addition:
            Entry.objects.filter(pk=entry.pk).update(addition=addition[:30])
    signed_up = SignUp.objects.filter(public_id__in=ids)
    addresses = {player.email, *signed_up.values_list("email", flat=True)}
    Letter.objects.filter(about__email__in=addresses - {""}).delete()
    for sign_up in signed_up:
        name = clean({"player_id": sign_up.public_id, "name": sign_up.name})["name"]
        ended = F("link_generation") + 1
        SignUp.objects.filter(pk=sign_up.pk).update(name=name, club_name="", email="", link_generation=ended)
        letters.forget(sign_up)
    Letter.objects.filter(entry__player=player).delete()
    PlayerWarning.objects.filter(player__in=records_of(player)).update(reason="", withdrawal="")
    for warning in PlayerWarning.objects.filter(tournament__in=tournaments):
        texts = {"reason": clean(warning.reason)[:200], "withdrawal": clean(warning.withdrawal)[:200]}
        if texts != {"reason": warning.reason, "withdrawal": warning.withdrawal}:
            PlayerWarning.objects.filter(pk=warning.pk).update(**texts)
    for guest in Player.objects.filter(club=None, entries__tournament__in=tournaments).exclude(notes="").distinct():
        if (notes := clean(guest.notes)) != guest.notes:
            Player.objects.filter(pk=guest.pk).update(notes=notes)
    filled = ImportedPerson.objects.filter(player__in=records_of(player))
    filled.update(email="", birth_month=None, birth_day=None)


def _clean_answers(
    ids: Iterable[str], names: Iterable[str], tournaments: Iterable[Tournament], clubs: Iterable[Club], clean: Clean
) -> None:
    """Clean stored API answers: all with an id, and those with only the name for users involved."""
    answers = ApiAnswer.objects.annotate(text=Cast("body", TextField()))
    for public_id in ids:
        for answer in answers.filter(text__contains=public_id):
            ApiAnswer.objects.filter(pk=answer.pk).update(body=clean(answer.body))
    users = {tournament.owner_id for tournament in tournaments} | {club.owner_id for club in clubs}
    users |= {*Role.objects.filter(tournament__in=tournaments).values_list("user", flat=True)}
    users |= {*ClubRole.objects.filter(club__in=clubs).values_list("user", flat=True)}
    theirs = answers.filter(user__in=users)
    for name in names:
        for answer in theirs.filter(Q(text__contains=name) | Q(text__contains=json.dumps(name)[1:-1])):
            ApiAnswer.objects.filter(pk=answer.pk).update(body=clean(answer.body))
