"""The page *Now* for players and visitors."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access.viewer import Viewer
from league.calendar.views import Subscription
from league.lib.translate import label_text, names
from league.models import Seat
from league.pages.links import Link
from league.rounds.time_left import RoundClock
from league.setup.overview.facts import NowFacts
from league.setup.overview.sections import (
    ClockControl,
    SeasonRow,
    Tables,
    TopRow,
    clock_control,
    season_row,
    tables_section,
    title_of_round,
    top_five,
)
from league.standings.result_in_words import winners_in_words


@dataclass(frozen=True)
class Head:
    """The top of the page: the state of the event, and links."""

    title: str
    text: str
    links: Sequence[Link]


@dataclass(frozen=True)
class NowPage:
    """head is above a picture until a round is published. find_url: name search, for visitors who don't play.
    clock_control: for directors; others get `clock`."""

    head: Head
    has_rounds: bool
    find_url: str
    clock: RoundClock | None
    clock_control: ClockControl | None
    tables: Tables | None
    top_five: Sequence[TopRow]
    season: SeasonRow | None
    calendar: Subscription | None


def now_page(
    facts: NowFacts,
    viewer: Viewer,
    *,
    corrects: bool,
    plays: bool,
    online_seat: Seat | None,
    calendar: Subscription | None,
) -> NowPage:
    """plays: whether the viewer plays here. online_seat: the viewer's current online seat."""
    tournament = facts.tournament
    is_on = facts.latest is not None and not tournament.is_called_off
    finds = is_on and not tournament.is_final and not plays
    return NowPage(
        head=head_of(facts, plays=plays, online_seat=online_seat),
        has_rounds=facts.latest is not None,
        find_url=reverse("seating", args=[tournament.slug]) if finds else "",
        clock=None if corrects else facts.clock,
        clock_control=clock_control(facts, facts.usual_minutes) if corrects else None,
        tables=tables_section(facts, organises=False, corrects=corrects) if is_on else None,
        top_five=top_five(facts),
        season=season_row(tournament, viewer),
        calendar=calendar,
    )


def head_of(facts: NowFacts, *, plays: bool, online_seat: Seat | None) -> Head:
    if facts.latest is None:
        return _before_round_1(facts)
    if facts.tournament.is_called_off:
        return Head(_("Cancelled"), facts.tournament.pause_reason, [_link(facts, _("Seating"), "seating")])
    return Head(_title(facts), _text(facts), _links(facts, plays=plays, online_seat=online_seat))


def _before_round_1(facts: NowFacts) -> Head:
    tournament, sign_up, links = facts.tournament, facts.sign_up, []
    if sign_up is not None and sign_up.is_open:
        join = _("Sign up") if sign_up.free else _("Join the waiting list")
        links.append(_link(facts, label_text(join, sign_up.words), "sign_up", is_main=True))
    links.append(_link(facts, _("See the players"), "players", is_main=not links))
    if tournament.is_called_off:
        return Head(_("Cancelled"), tournament.pause_reason, links)
    return Head(_("Not started yet"), _who_is_on_the_list(facts), links)


def _who_is_on_the_list(facts: NowFacts) -> str:
    seating = _("Seats appear here when round 1 is published.")
    if not facts.player_count:
        return seating
    return " ".join((_("On the list: %(count)s.") % {"count": facts.player_count}, seating))


def _title(facts: NowFacts) -> str:
    if facts.tournament.is_final:
        return winners_in_words(facts.standings) or _("The standings are final")
    if facts.race and facts.race.winner:
        return _("%(name)s has won") % {"name": facts.race.winner}
    return _("All rounds are played") if facts.step.kind == "finish" else title_of_round(facts)


def _text(facts: NowFacts) -> str:
    race = facts.race
    if facts.tournament.is_final and facts.standings:
        return _("The standings are final.")
    if race and race.winner:
        return _("The standings are provisional until the organiser makes them final.")
    if race and race.is_head_to_head:
        return _("%(names)s play until one of them is eliminated.") % {"names": names(race.still_in)}
    if race:
        count = len(race.still_in)
        still_in = ngettext("%(count)s is still in.", "%(count)s are still in.", count) % {"count": count}
        return " ".join((still_in, _("Find your name to see your table.")))
    return _("Find your name to see your table.")


def _links(facts: NowFacts, *, plays: bool, online_seat: Seat | None) -> list[Link]:
    if facts.tournament.is_final:
        return [_link(facts, _("Final standings"), "standings", is_main=True)]
    if online_seat is not None:
        return [_play(facts, online_seat), _link(facts, _("My table"), "my_table")]
    own = ("my_table", _("My table")) if plays else ("seating", _("Find my table"))
    return [_link(facts, own[1], own[0], is_main=True), _link(facts, _("Standings"), "standings")]


def _play(facts: NowFacts, seat: Seat) -> Link:
    """Return the link to the online table; for teams, to the page where the two players choose who they are."""
    assert seat.table is not None and seat.entry is not None
    if facts.stage.has_teams:
        url = f"{reverse('my_table', args=[facts.tournament.slug])}?player={seat.entry.public_id}"
    else:
        url = f"{reverse('play', args=[seat.table.pk])}?as={seat.entry.public_id}"
    return Link(_("Play: table %(number)s") % {"number": seat.table.number}, url, is_main=True, icon="i-play")


def _link(facts: NowFacts, label: str, name: str, *, is_main: bool = False) -> Link:
    return Link(label, reverse(name, args=[facts.tournament.slug]), is_main=is_main)
