"""The page Manage, as a value: actions on the round and on the whole event."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access
from league.day.tables import names_without_seat, played_with_hands, round_now, seats_corrected
from league.lib.errors import Refused
from league.lib.translate import names
from league.live.stream import version_of
from league.log.in_words import in_words
from league.models import Entry, LogEntry, Tournament
from league.pages.links import Button, Choice, Link
from league.rounds.reseat import Fresh, fresh_tables

PAUSE, UNDO, END, REDRAW, SEATS = "pause", "undo-round", "end", "redraw", "seats-as-played"


@dataclass(frozen=True)
class Refusal:
    """A refused form of this page: the reason, the form and the typed values."""

    sentence: str = ""
    form_id: str = ""
    typed: QueryDict = field(default_factory=QueryDict)

    def reason(self, form_id: str) -> str:
        return self.typed.get("reason", "")[:200] if form_id == self.form_id else ""

    def text(self, form_id: str, name: str) -> str:
        return self.typed.get(name, "")[:40] if form_id == self.form_id else ""


@dataclass(frozen=True)
class Action:
    """An action on the whole round or event: a folded form with a reason.

    needs_reason: the reason is public, so it is required. hidden: hidden fields. why_not: why the action is impossible
    now; the form is then left out. more: a second button without a reason.
    """

    id: str
    title: str
    sentences: tuple[str, ...]
    url: str
    button: str
    reason: str = ""
    needs_reason: bool = False
    is_open: bool = False
    hidden: tuple[tuple[str, str], ...] = ()
    why_not: str = ""
    more: Button | None = None
    more_text: str = ""


@dataclass(frozen=True)
class PastCorrection:
    """A past correction of seats; the same correction again undoes it."""

    text: str
    reason: str
    round: str
    one: str
    other: str
    names: str


@dataclass(frozen=True)
class SeatCorrections:
    """The form for two players in each other's seats. seen: the last log row, against double posts."""

    seen: int
    rounds: tuple[Choice, ...]
    one: tuple[Choice, ...]
    other: tuple[Choice, ...]
    reason: str
    is_open: bool
    corrected: tuple[PastCorrection, ...]


@dataclass(frozen=True)
class ManagePage:
    """refusal: why a form was refused. resume: the button of a paused event. note: why no action is possible."""

    refusal: str
    resume: Button | None
    actions: tuple[Action, ...]
    seats: SeatCorrections | None
    links: tuple[Link, ...]
    note: str


def page_of(access: Access, refusal: Refusal, selected_round: str = "") -> ManagePage:
    """Return the page. selected_round: the round to preselect for seat corrections."""
    tournament = access.tournament
    running = tournament.state == Tournament.State.RUNNING
    offers = [_pause(tournament, refusal), _redraw(access, refusal), _undo(tournament, refusal)]
    if running and access.organises and not tournament.is_called_off:
        offers.append(_end(tournament, refusal))
    actions = tuple(action for action in offers if action is not None)
    seats = None if tournament.is_final else _seats(tournament, refusal, selected_round)
    is_paused = tournament.paused_at is not None and not tournament.is_called_off
    resume = Button(_("Resume play"), reverse("pause", args=[tournament.slug]), "do", "resume", is_main=True)
    return ManagePage(
        refusal=refusal.sentence,
        resume=resume if is_paused else None,
        actions=actions,
        seats=seats,
        links=tuple(_links(access, running)),
        note="" if actions or seats else _why_nothing(tournament),
    )


def _why_nothing(tournament: Tournament) -> str:
    if tournament.is_final:
        return _("The standings are final. Reopen the tournament under Now to change something.")
    return _("Once round 1 is published, you can pause play and undo rounds here.")


def _pause(tournament: Tournament, refusal: Refusal) -> Action | None:
    is_running = tournament.state == Tournament.State.RUNNING
    if not is_running or tournament.paused_at is not None or tournament.is_called_off:
        return None
    return Action(
        id=PAUSE,
        title=_("Pause the tournament"),
        sentences=(_("The clock and all automatic steps stop. Every page shows the reason."),),
        url=reverse("pause", args=[tournament.slug]),
        button=_("Pause play"),
        reason=refusal.reason(PAUSE),
        needs_reason=True,
        is_open=refusal.form_id == PAUSE,
        hidden=(("do", "pause"),),
    )


def _undo(tournament: Tournament, refusal: Refusal) -> Action | None:
    last = None if tournament.is_final else tournament.rounds.shown().order_by("-number").first()
    if last is None:
        return None
    return Action(
        id=UNDO,
        title=_("Undo round %(number)d") % {"number": last.number},
        sentences=(_("The round becomes a draft again. Its hands no longer count; they stay in the log."),),
        url=reverse("undo_round", args=[tournament.slug]),
        button=_("Preview"),
        reason=refusal.reason(UNDO),
        is_open=refusal.form_id == UNDO,
        hidden=(("round", str(last.number)),),
    )


def _end(tournament: Tournament, refusal: Refusal) -> Action:
    above = _("Players still in rank above eliminated players, lowest total first.")
    return Action(
        id=END,
        title=_("End the tournament early"),
        sentences=(
            _("The standings become final as they are. Hands not recorded yet aren’t played."),
            *([above] if tournament.stage.eliminates else []),
            _("The tournament disappears from the home page; its own pages stay."),
            _("You can reopen the tournament under Now."),
        ),
        url=reverse("end_early", args=[tournament.slug]),
        button=_("Preview"),
        reason=refusal.reason(END),
        is_open=refusal.form_id == END,
    )


def _redraw(access: Access, refusal: Refusal) -> Action | None:
    tournament = access.tournament
    stage, played = tournament.stage, round_now(tournament)
    if stage.has_partners or stage.drawn_ahead or played is None or tournament.state != Tournament.State.RUNNING:
        return None
    title = _("Redraw tables that haven’t started")
    url = reverse("redraw_tables", args=[tournament.slug])
    try:
        fresh = fresh_tables(tournament)
    except Refused as refused:
        return Action(REDRAW, title, (), url, "", is_open=refusal.form_id == REDRAW, why_not=str(refused))
    searches = access.organises and fresh.table_count > 1
    return Action(
        id=REDRAW,
        title=title,
        sentences=_fresh_in_words(fresh),
        url=url,
        button=_("Preview"),
        reason=refusal.reason(REDRAW),
        is_open=refusal.form_id == REDRAW,
        more=Button(_("Search for a better seating"), reverse("better_seating", args=[tournament.slug]))
        if searches
        else None,
        more_text=_(
            "A background search may find a seating with fewer repeated meetings. Seats only change if you use it."
        ),
    )


def _fresh_in_words(fresh: Fresh) -> tuple[str, ...]:
    tables = ngettext(
        "%(count)d table hasn’t started, with %(players)d players.",
        "%(count)d tables haven’t started, with %(players)d players.",
        len(fresh.tables),
    )
    sentences = [tables % {"count": len(fresh.tables), "players": len(fresh.players)}]
    if without := names_without_seat(fresh):
        sentences.append(_("No seat yet: %(people)s.") % {"people": names(without)})
    return tuple(sentences)


def _seats(tournament: Tournament, refusal: Refusal, selected_round: str) -> SeatCorrections | None:
    numbers, seated = played_with_hands(tournament)
    if not numbers:
        return None
    wanted = refusal.text(SEATS, "round") or selected_round
    return SeatCorrections(
        seen=version_of(tournament),
        rounds=tuple(Choice(str(number), str(number), str(number) == wanted) for number in numbers),
        one=_choices(seated, refusal.text(SEATS, "one")),
        other=_choices(seated, refusal.text(SEATS, "other")),
        reason=refusal.reason(SEATS),
        is_open=refusal.form_id == SEATS or bool(selected_round),
        corrected=tuple(map(_past_correction, seats_corrected(tournament, numbers))),
    )


def _past_correction(row: LogEntry) -> PastCorrection:
    people: Any = row.new
    one, other = people
    return PastCorrection(
        text=in_words(row),
        reason=row.reason,
        round=str(row.round),
        one=one["player_id"],
        other=other["player_id"],
        names=names([one["player"], other["player"]]),
    )


def _choices(seated: Sequence[Entry], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(entry.public_id, entry.name, entry.public_id == chosen) for entry in seated)


def _links(access: Access, running: bool) -> list[Link]:
    slug = access.tournament.slug
    links = [Link(_("Announce"), reverse("announce", args=[slug]))]
    played = round_now(access.tournament)
    if running and played is not None and played.is_open:
        links.append(Link(_("Online or real cards"), reverse("online_tables", args=[slug])))
    if running and access.organises and not access.tournament.is_called_off:
        settings = reverse("settings", args=[slug]) + "#amend"
        links.append(Link(_("Change rules for the next rounds"), settings))
    return links
