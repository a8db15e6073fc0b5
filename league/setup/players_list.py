"""The list of a tournament as a value: to read, and before the start to check in or remove players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access
from league.entries.arrivals.paid_page import PAYMENTS, payment_actions, payment_in_words, payment_views
from league.entries.list_order import Removed
from league.entries.ticked import gone_in_words
from league.ledger.lineups import members_of
from league.models import Entry, Stage, TeamMember
from league.pages.confirm import Confirmation, Way
from league.pages.links import Link
from league.pages.people_at import opens_sheets, people_at
from league.pages.people_list import (
    Bulk,
    BulkAction,
    ListFilters,
    ListOf,
    Movers,
    PeopleList,
    PersonRow,
    Ticks,
    ViewOf,
    in_names,
    people_list,
)
from league.remarks.notes import short_notes
from league.standings import read as ledger
from league.standings.result_in_words import result_in_words

HERE, AWAY, REMOVE = "here", "away", "remove"
ACTIONS = (HERE, AWAY, REMOVE, *PAYMENTS)


@dataclass(frozen=True)
class Known:
    """Data for the rows. about: club or members by entry key. gone: how players left, by public id.

    movable: ids in draw order, if it can be changed by hand. has_states: not everyone is active. sees_payments: there
    is a fee, and the viewer checks players in. remarks: notes for directors, by entry key.
    """

    access: Access
    stage: Stage
    about: Mapping[int, str]
    gone: Mapping[str, str]
    movable: Sequence[str]
    has_states: bool
    sees_payments: bool
    remarks: Mapping[int, str]


def players_list(access: Access, stage: Stage, entries: Sequence[Entry], filters: ListFilters) -> PeopleList:
    """entries: in list order, which is the draw order for formats drawn ahead."""
    tournament = access.tournament
    about = {entry.pk: entry.player.club_name for entry in entries}
    if stage.has_teams:
        about |= {key: _team_in_words(team) for key, team in members_of(entries).items()}
    has_states = any(entry.status != Entry.Status.ACTIVE for entry in entries)
    sees_payments = bool(tournament.fee) and access.checks_in
    known = Known(
        access,
        stage,
        about,
        gone=_exit_words(access, stage),
        movable=_movable(access, stage, entries),
        has_states=has_states,
        sees_payments=sees_payments,
        remarks=short_notes(access, entries),
    )
    people = ListOf(
        url=reverse("players", args=[tournament.slug]),
        find=_("Find a name"),
        id_of=lambda entry: entry.public_id,
        name_of=lambda entry: entry.name,
        row=lambda entry: _row(entry, known),
        views=_views(stage, known),
        columns=(
            _("Players") if stage.has_teams else _("Club"),
            *([_("State")] if known.has_states else []),
            *([_("Fee")] if sees_payments else []),
        ),
        bulk=_bulk(access),
    )
    return people_list(entries, people, filters)


def _team_in_words(team: Sequence[TeamMember]) -> str:
    """Return the names of a team's members, substitutes last."""
    substitute = _("%(name)s (substitute)")
    return ", ".join(
        substitute % {"name": member.player} if member.is_substitute else str(member.player) for member in team
    )


def _exit_words(access: Access, stage: Stage) -> dict[str, str]:
    """Return {player_id: how they left} for formats that eliminate players."""
    if stage.drawn_ahead:
        return {}
    lines = ledger.read(access.tournament).standings()
    return {line.entrant.id: result_in_words(line) for line in lines if line.entrant.status == Entry.Status.OUT}


def _movable(access: Access, stage: Stage, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the ids in draw order, if it can be changed by hand."""
    by_hand = access.organises and stage.drawn_ahead and not stage.started_at and not stage.order_seed
    return tuple(entry.public_id for entry in entries) if by_hand else ()


def _views(stage: Stage, known: Known) -> tuple[ViewOf[Entry], ...]:
    views, unpaid = _own_views(stage, known), payment_views(known.access.tournament) if known.sees_payments else ()
    return (*(views or (ViewOf("all", _("All")),)), *unpaid) if unpaid else views


def _own_views(stage: Stage, known: Known) -> tuple[ViewOf[Entry], ...]:
    if stage.drawn_ahead and not stage.started_at:
        return (
            ViewOf("order", _("As listed"), order=lambda entry: (entry.number, entry.pk), is_counted=False),
            ViewOf("name", _("By name"), is_counted=False),
        )
    if not known.has_states:
        return ()
    return (
        ViewOf("all", _("All")),
        ViewOf("in", _("Playing"), lambda entry: entry.status == Entry.Status.ACTIVE),
        ViewOf("out", _("Others"), lambda entry: entry.status != Entry.Status.ACTIVE),
    )


def _bulk(access: Access) -> Bulk | None:
    """Return the actions for organisers. After the start only payments can be noted here."""
    actions = payment_actions(access.tournament)
    if not access.tournament.has_begun:
        away, remove = BulkAction(AWAY, _("Mark missing")), BulkAction(REMOVE, _("Remove"))
        actions = (BulkAction(HERE, _("Mark here")), *actions, away, remove)
    if not access.organises or not actions:
        return None
    return Bulk(reverse("players_ticked", args=[access.tournament.slug]), actions)


def _row(entry: Entry, known: Known) -> PersonRow:
    access = known.access
    about, state = known.about[entry.pk], known.gone.get(entry.public_id, "")
    if not state and entry.status != Entry.Status.ACTIVE:
        state = str(entry.get_status_display())
    payment = payment_in_words(entry) if known.sees_payments else ""
    edit = reverse("edit_player", args=[access.tournament.slug, entry.public_id])
    return PersonRow(
        id=entry.public_id,
        name=entry.name,
        line=", ".join(filter(None, (state, about, payment))),
        cells=(
            about,
            *((state,) if known.has_states else ()),
            *((capfirst(payment),) if known.sees_payments else ()),
        ),
        url=f"{people_at(access)}{entry.public_id}/",
        movers=_movers(entry, known),
        link=Link(_("Edit"), edit) if access.organises and not opens_sheets(access) else None,
        remark=known.remarks.get(entry.pk, ""),
        number=known.movable.index(entry.public_id) + 1 if known.movable else None,
    )


def _movers(entry: Entry, known: Known) -> Movers | None:
    if not known.movable:
        return None
    name = {"name": entry.name}
    return Movers(
        url=reverse("move_player", args=[known.access.tournament.slug, entry.public_id]),
        up=_("Move %(name)s up") % name,
        down=_("Move %(name)s down") % name,
        is_first=known.movable[0] == entry.public_id,
        is_last=known.movable[-1] == entry.public_id,
    )


def remove_question(url: str, entries: Sequence[Entry], ticks: Ticks) -> Confirmation:
    """Ask before several players are removed from the list."""
    return Confirmation(
        title=ngettext(
            "Remove %(count)d player from the list?", "Remove %(count)d players from the list?", len(entries)
        )
        % {"count": len(entries)},
        text=". ".join([in_names([entry.name for entry in entries]), _("An unpublished draw is undone.")]),
        ways=(Way(_("Keep"), ticks.filters.address(url)),),
        button=_("Remove from the list"),
        is_quiet=True,
        hidden=ticks.fields(sure=True),
        url=reverse("players_ticked", args=[entries[0].tournament.slug]),
    )


def removed_in_words(done: Removed) -> str:
    sentences = [off_the_list(done.names)] if done.names else []
    return " ".join([*sentences, *done.refused, *gone_in_words(done.gone)])


def off_the_list(names: Sequence[str]) -> str:
    words = ngettext("%(names)s is no longer on the list.", "%(names)s are no longer on the list.", len(names))
    return words % {"names": in_names(names)}
