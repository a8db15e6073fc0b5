"""The content of the director's bar at an online table."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Deal
from games.online.director.services import on_paper_now, took_to_paper
from games.online.play.places import Place, places_of
from league.access import Access, Viewer
from league.models import Table, User


@dataclass(frozen=True)
class Link:
    url: str
    label: str


@dataclass(frozen=True)
class Bar:
    """`title`: whose turn it is, or that the table waits. `pause`: the button to pause or resume the hand.

    `paused_at`, `clock`: the pause's start and the stopped clock. `enter`: the link to enter a hand finished with real
    cards.
    """

    title: str = ""
    paused_at: datetime | None = None
    clock: str = ""
    pause: Link | None = None
    shown_reason: str = ""  # the players see it during a pause
    note: str = ""
    links: tuple[Link, ...] = ()
    enter: Link | None = None
    text: str = ""

    @property
    def is_on_paper(self) -> bool:
        return self.enter is not None


def bar_of(access: Access, table: Table, viewer: Viewer, *, also_plays: str = "") -> Bar | None:
    """Return the bar for `viewer`, who may also play there as `also_plays`; None for others than directors."""
    if not access.corrects or not isinstance(viewer, User):
        return None
    deal = table.deals.open().first()
    if deal is not None:
        deal.table = table
        return _bar_of_hand(table, deal, also_plays)
    on_paper = on_paper_now(table)
    if on_paper is None:
        return Bar(note=_("No hand is being played online at this table."))
    on_paper.table = table
    return _bar_on_paper(table, on_paper, may_print=took_to_paper(on_paper, viewer))


def _bar_of_hand(table: Table, deal: Deal, also_plays: str) -> Bar:
    place = places_of(deal)[deal.turn] if deal.turn is not None else None
    in_play = deal.state == Deal.State.PLAYING
    if also_plays:
        text = _("You also play here, as %(name)s. The log records this.") % {"name": also_plays}
    else:
        text = _("You see what spectators see. The log records every action.")
    bar = Bar(
        title=_("%(name)s’s turn") % {"name": place.name if place else ""}
        if in_play
        else _("Players are getting ready"),
        pause=_link("direct_pause", table, _("Pause")),
        note=_note(table),
        links=_links(table, place, in_play=in_play, on_paper=in_play and not also_plays),
        text=text,
    )
    if deal.paused_at is None:
        return bar
    seconds = _seconds_left(deal, timezone.now()) if place else None
    return replace(
        bar,
        title=_("Paused"),
        paused_at=deal.paused_at,
        clock="" if seconds is None else f"{seconds // 60}:{seconds % 60:02}",
        pause=_link("direct_go_on", table, _("Resume")),
        shown_reason=_("Shown to everyone: “%(reason)s”") % {"reason": deal.pause_reason} if deal.pause_reason else "",
    )


def _note(table: Table) -> str:
    tournament = table.round.tournament
    if tournament.is_called_off:
        return _("The tournament is cancelled. This hand doesn’t count.")
    return _("The whole tournament is paused. Resume it under Now.") if tournament.paused_at else ""


def _links(table: Table, place: Place | None, *, in_play: bool, on_paper: bool) -> tuple[Link, ...]:
    """Return the actions, each with its own page. place: whose turn it is."""
    links = [_away(table, place), _link("direct_substitute", table, _("Substitute"))]
    if in_play:
        links.append(_link("direct_penalty", table, _("Penalty")))
        links.append(_link("direct_undo", table, _("Undo moves")))
    links.append(_link("direct_void", table, _("Cancel the hand")))
    if on_paper:
        links.append(_link("direct_paper", table, _("Finish with real cards")))
    return tuple(links)


def _away(table: Table, place: Place | None) -> Link:
    """Return the link to replace the awaited player by a bot, or to bring them back."""
    if place is None or place.is_bot:
        return _link("direct_away", table, _("Player away or back"))
    label = _("%(name)s is back") if place.bot else _("%(name)s is away")
    link = _link("direct_away", table, label % {"name": place.name})
    return replace(link, url=f"{link.url}?who={place.at}-{'back' if place.bot else 'away'}")


def _bar_on_paper(table: Table, deal: Deal, *, may_print: bool) -> Bar:
    lay_out = _("Lay out hand %(number)s with real cards. After it ends, enter the result.")
    links = [_link("direct_anew", table, _("Deal again online"))]
    if may_print:
        links.insert(0, Link(reverse("position", args=[table.pk, deal.pk]), _("Open the position")))
    return Bar(
        note=lay_out % {"number": deal.number},
        links=tuple(links),
        enter=Link(f"{table.get_absolute_url()}?hand={deal.number}", _("Enter the result")),
        text="" if may_print else _("Only the director who chose real cards sees the position."),
    )


def _link(name: str, table: Table, label: str) -> Link:
    return Link(reverse(name, args=[table.pk]), label)


def _seconds_left(deal: Deal, now: datetime) -> int | None:
    """Return the remaining time for the move and the reserve; during a pause, as of its start."""
    if deal.due_at is None or deal.asked_at is None:
        return None
    at = max(deal.paused_at, deal.asked_at) if deal.paused_at else now
    return max(0, round((deal.due_at - at).total_seconds()))
