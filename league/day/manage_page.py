"""The page Manage: what can be done about the round and the event as a whole, as a value ready to show."""

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
    """A form of this page that was refused: why, which one, and what was typed."""

    sentence: str = ""
    of: str = ""
    typed: QueryDict = field(default_factory=QueryDict)

    def reason(self, of: str) -> str:
        return self.typed.get("reason", "")[:200] if of == self.of else ""

    def text(self, of: str, name: str) -> str:
        return self.typed.get(name, "")[:40] if of == self.of else ""


@dataclass(frozen=True)
class Action:
    """Something to do about the whole round or event: a form with a reason, folded until it is needed.

    needs_reason: everyone reads it. given: hidden fields. why_not: why it cannot be done now; the form is empty then.
    more: a second button below, which needs no reason.
    """

    id: str
    title: str
    sentences: tuple[str, ...]
    url: str
    button: str
    reason: str = ""
    needs_reason: bool = False
    is_open: bool = False
    given: tuple[tuple[str, str], ...] = ()
    why_not: str = ""
    more: Button | None = None
    more_text: str = ""


@dataclass(frozen=True)
class Corrected:
    """Seats of recorded hands that were corrected: the same correction once more takes it back."""

    text: str
    reason: str
    round: str
    one: str
    other: str
    names: str


@dataclass(frozen=True)
class SeatCorrections:
    """Two who sat in each other's seats. seen: the number of the log's last row, so that it is corrected once."""

    seen: int
    rounds: tuple[Choice, ...]
    one: tuple[Choice, ...]
    other: tuple[Choice, ...]
    reason: str
    is_open: bool
    corrected: tuple[Corrected, ...]


@dataclass(frozen=True)
class ManagePage:
    """refusal: why a form was refused. resume: the button while play is paused. note: why nothing can be done."""

    refusal: str
    resume: Button | None
    actions: tuple[Action, ...]
    seats: SeatCorrections | None
    links: tuple[Link, ...]
    note: str


def page_of(access: Access, refusal: Refusal, asked_round: str = "") -> ManagePage:
    """asked_round: the number of the round whose seats are to be corrected, where a link asks for that."""
    tournament = access.tournament
    running = tournament.state == Tournament.State.RUNNING
    offers = [_pause(tournament, refusal), _redraw(access, refusal), _undo(tournament, refusal)]
    if running and access.organises and not tournament.is_called_off:
        offers.append(_end(tournament, refusal))
    actions = tuple(action for action in offers if action is not None)
    seats = None if tournament.is_final else _seats(tournament, refusal, asked_round)
    is_paused = tournament.paused_at is not None and not tournament.is_called_off
    resume = Button(_("Go on playing"), reverse("pause", args=[tournament.slug]), "do", "resume", is_main=True)
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
    return _("Once round 1 is published, play can be paused and rounds undone here.")


def _pause(tournament: Tournament, refusal: Refusal) -> Action | None:
    is_running = tournament.state == Tournament.State.RUNNING
    if not is_running or tournament.paused_at is not None or tournament.is_called_off:
        return None
    return Action(
        id=PAUSE,
        title=_("Pause"),
        sentences=(
            _("Every page shows it with the reason. The clock stands, and nothing publishes or confirms itself."),
            _("Hands that were played can be entered."),
        ),
        url=reverse("pause", args=[tournament.slug]),
        button=_("Pause now"),
        reason=refusal.reason(PAUSE),
        needs_reason=True,
        is_open=refusal.of == PAUSE,
        given=(("do", "pause"),),
    )


def _undo(tournament: Tournament, refusal: Refusal) -> Action | None:
    last = None if tournament.is_final else tournament.rounds.shown().order_by("-number").first()
    if last is None:
        return None
    return Action(
        id=UNDO,
        title=_("Undo round %(number)d") % {"number": last.number},
        sentences=(_("It becomes a draft again. Its hands are taken back and stay in the log alone."),),
        url=reverse("undo_round", args=[tournament.slug]),
        button=_("See what changes"),
        reason=refusal.reason(UNDO),
        is_open=refusal.of == UNDO,
        given=(("round", str(last.number)),),
    )


def _end(tournament: Tournament, refusal: Refusal) -> Action:
    ranked = [_("Who is still in is ranked by the lower total.")] if tournament.stage.eliminates else []
    return Action(
        id=END,
        title=_("End the event early"),
        sentences=(
            _("The standings become final as they are."),
            *ranked,
            _("It leaves the first page; its address and its place in the club stay."),
            _("Reopening takes it back."),
        ),
        url=reverse("end_early", args=[tournament.slug]),
        button=_("See what changes"),
        reason=refusal.reason(END),
        is_open=refusal.of == END,
    )


def _redraw(access: Access, refusal: Refusal) -> Action | None:
    tournament = access.tournament
    stage, played = tournament.stage, round_now(tournament)
    if stage.has_partners or stage.drawn_ahead or played is None or tournament.state != Tournament.State.RUNNING:
        return None
    title = _("Seat tables anew that have not started")
    url = reverse("redraw_tables", args=[tournament.slug])
    try:
        fresh = fresh_tables(tournament)
    except Refused as refused:
        return Action(REDRAW, title, (), url, "", is_open=refusal.of == REDRAW, why_not=str(refused))
    searches = access.organises and fresh.table_count > 1
    return Action(
        id=REDRAW,
        title=title,
        sentences=_fresh_in_words(fresh),
        url=url,
        button=_("See what changes"),
        reason=refusal.reason(REDRAW),
        is_open=refusal.of == REDRAW,
        more=Button(_("Search for a better seating"), reverse("better_seating", args=[tournament.slug]))
        if searches
        else None,
        more_text=_(
            "In a large field a search in the background may find a seating in which fewer people meet again. "
            "Nobody moves until you take it."
        ),
    )


def _fresh_in_words(fresh: Fresh) -> tuple[str, ...]:
    tables = ngettext(
        "%(count)d table has not started, for %(players)d players who are in.",
        "%(count)d tables have not started, for %(players)d players who are in.",
        len(fresh.tables),
    )
    sentences = [tables % {"count": len(fresh.tables), "players": len(fresh.players)}]
    if without := names_without_seat(fresh):
        sentences.append(_("Without a seat until then: %(people)s.") % {"people": names(without)})
    return tuple(sentences)


def _seats(tournament: Tournament, refusal: Refusal, asked_round: str) -> SeatCorrections | None:
    numbers, seated = played_with_hands(tournament)
    if not numbers:
        return None
    wanted = refusal.text(SEATS, "round") or asked_round
    return SeatCorrections(
        seen=version_of(tournament),
        rounds=tuple(Choice(str(number), str(number), str(number) == wanted) for number in numbers),
        one=_choices(seated, refusal.text(SEATS, "one")),
        other=_choices(seated, refusal.text(SEATS, "other")),
        reason=refusal.reason(SEATS),
        is_open=refusal.of == SEATS or bool(asked_round),
        corrected=tuple(map(_corrected, seats_corrected(tournament, numbers))),
    )


def _corrected(row: LogEntry) -> Corrected:
    people: Any = row.new
    one, other = people
    return Corrected(
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
    links = []
    played = round_now(access.tournament)
    if running and played is not None and played.is_open:
        links.append(Link(_("Play tables online, or with real cards"), reverse("online_tables", args=[slug])))
    if running and access.organises and not access.tournament.is_called_off:
        settings = reverse("settings", args=[slug]) + "#amend"
        links.append(Link(_("Change rules for what is still to come"), settings))
    return links
