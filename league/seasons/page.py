"""Page of a season as a value: standings of a division, totals, open decisions, organiser's actions.

`season_page(...)` decides everything; the template lays it out. `page_rows.py` has the rows, `in_words.py` the
sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.access.rights import InClub
from league.clubs.tournament_list import Line
from league.ledger.state_marks import StateMark
from league.lib.charts import TotalChart, total_chart
from league.lib.translate import with_markup
from league.lib.wall_time import moment
from league.models import Division, Season, Tournament
from league.pages.links import Choice, Link
from league.seasons import in_words as season_words
from league.seasons.page_rows import Column, Row, columns_of, rows_of
from league.seasons.table import DivisionTable, SeasonTable, progress
from league.seasons.visibility import Seen, seen_by

MOST_FOLLOWED = 3  # each needs a stream
MOST_UNFOLDED = 6  # events in the list below the standings; longer lists are folded


@dataclass(frozen=True)
class Race:
    """Totals by event. choices: players to highlight. division: for the address.

    numbers: of started events. totals: (name, total after each event), in order of the standings.
    """

    chart: TotalChart
    choices: Sequence[Choice]
    division: str
    text: str
    numbers: Sequence[int]
    totals: Sequence[tuple[str, Sequence[int]]]


@dataclass(frozen=True)
class Empty:
    """Title, text and links of an empty page."""

    title: str
    text: str
    links: Sequence[Link] = ()


@dataclass(frozen=True)
class Run:
    """Organiser's actions. links: next steps. pages: other pages. reopen_url: target of the reopen form."""

    text: str = ""
    links: Sequence[Link] = ()
    pages: Sequence[Link] = ()
    reopen_url: str = ""


@dataclass(frozen=True)
class SeasonPage:
    """where: line below the heading. empty: replaces everything except `run` before the first event. twice: warning
    about duplicates, with a link. no_players: replaces the standings. strikes: whether a result is struck out.
    status: whether the standings are final. follows: events that update the page live.
    """

    slug: str
    name: str
    where: str
    empty: Empty | None
    twice: tuple[str, Link] | None
    divisions: Sequence[Choice]
    mark: StateMark
    caption: str
    columns: Sequence[Column]
    total_label: str
    rows: Sequence[Row]
    no_players: Empty | None
    unfolds_evenings: bool
    rule: str
    strikes: bool
    nothing: str
    running: str
    status: Sequence[SafeString | str]
    following: Link | None
    race: Race | None
    coming: Sequence[Line]
    verdicts: Sequence[str]
    run: Run | None
    follows: Sequence[Tournament]

    @property
    def width(self) -> int:
        """Return the number of table columns."""
        return len(self.columns) + 4


def season_page(
    access: ClubAccess,
    table: SeasonTable,
    *,
    division: str = "",
    player: str = "",
    coming: Sequence[Line] = (),
    same_people: int = 0,
    after: Season | None = None,
) -> SeasonPage:
    """Return the page for the viewer.

    division, player: from the address: division to show, player to highlight. Default: the viewer's own, else the
    first. same_people: number of possible duplicates. after: next season.
    """
    season, seen = table.season, seen_by(access, table)
    place = _place_shown(access, table, division)
    shown, rows = table.divisions[place], rows_of(access, seen, table, place)
    may_change = access.may(InClub.SEASONS)
    return SeasonPage(
        slug=season.slug,
        name=season.name,
        where=_where(table, shown),
        empty=None if table.evenings else _no_evening(season, may_change=may_change),
        twice=_twice(season, same_people) if same_people else None,
        divisions=_choices_of_division(table, place),
        mark=_mark(season),
        caption=_("Standings of %(name)s") % {"name": season.name},
        columns=columns_of(seen, table),
        total_label=season_words.total_label(season),
        rows=rows,
        no_players=None if rows else _no_players(season, shown, may_change=may_change),
        unfolds_evenings=len(table.evenings) <= MOST_UNFOLDED,
        rule=season_words.rule_of(season),
        strikes=any(cell.is_struck for row in rows for cell in row.cells),
        nothing=season_words.giving_nothing(table.evenings),
        running=season_words.running_now(table.evenings),
        status=_status(table),
        following=_following(after) if season.closed_at and after else None,
        race=race_of(rows, table, place, player),
        coming=coming,
        verdicts=season_words.still_open(table, shown, seen.name_of),
        run=run_of(table, after) if may_change else None,
        follows=followed_evenings(seen, table, shown.division),
    )


def _place_shown(access: ClubAccess, table: SeasonTable, key: str) -> int:
    """Return the index of the division to show: requested, else the viewer's own, else the first."""
    mine = 0
    for place, division in enumerate(table.divisions):
        if key == key_of(division):
            return place
        if any(line.player == access.me for line in division.lines):
            mine = place
    return mine


def _where(table: SeasonTable, shown: DivisionTable) -> str:
    club, count = table.season.club, len(table.evenings)
    places = ", ".join([club.name, club.place] if club.place and club.place != club.name else [club.name])
    played = _("No tournaments yet")
    if count:
        words = {"played": sum(evening.is_final for evening in table.evenings), "count": count}
        played = (
            ngettext("%(played)s of %(count)s tournament played", "%(played)s of %(count)s tournaments played", count)
            % words
        )
    if shown.division and len(table.divisions) > 1:
        played = f"{shown.division.name}, {played}"
    return f"{places}. {played}"


def _no_evening(season: Season, *, may_change: bool) -> Empty:
    title = _("No tournaments yet")
    if not may_change:
        evenings = Link(_("See the tournaments"), season.club.get_absolute_url(), is_main=True)
        return Empty(title, _("Standings will appear after the first tournament."), [evenings])
    text = _("Create a tournament for this season, or choose existing ones.")
    choose = Link(_("Choose tournaments"), _url(season, "season_evenings"))
    return Empty(title, text, [_new_evening_link(season, is_main=True), choose])


def _new_evening_link(season: Season, *, is_main: bool = False) -> Link:
    return Link(_("New tournament"), new_evening(season), is_main=is_main, icon="i-plus")


def new_evening(season: Season) -> str:
    """Return the address of the form for a new tournament in this season."""
    return f"{reverse('new')}?club={season.club.slug}&season={season.slug}"


def _url(season: Season, name: str) -> str:
    return reverse(name, args=[season.club.slug, season.slug])


def _twice(season: Season, count: int) -> tuple[str, Link]:
    words = ngettext(
        "%(count)s possible duplicate.",
        "%(count)s possible duplicates.",
        count,
    )
    url = f"{reverse('same_people', args=[season.club.slug])}?season={season.slug}"
    return words % {"count": count}, Link(_("Duplicates"), url)


def _choices_of_division(table: SeasonTable, place: int) -> list[Choice]:
    """Return the divisions to choose from; none if there is only one."""
    names = [one.division.name if one.division else _("Others") for one in table.divisions]
    keys = [key_of(one) for one in table.divisions]
    both = zip(keys, names, strict=True)
    return [Choice(key, name, at == place) for at, (key, name) in enumerate(both)] if len(names) > 1 else []


def key_of(division: DivisionTable) -> str:
    """Return the division's key in the address."""
    return str(division.division.number) if division.division else "0"


def _no_players(season: Season, shown: DivisionTable, *, may_change: bool) -> Empty:
    title = _("No players yet")
    if shown.division is None:
        return Empty(title, _("Players will appear after the first hand."))
    links = [Link(_("Place players"), _url(season, "season_players"))] if may_change else []
    return Empty(title, _("Place players in this division first."), links)


def _mark(season: Season) -> StateMark:
    if season.closed_at is None:
        return StateMark("i-wait", _("Provisional"), "warn")
    return StateMark("i-check", _("Final"), "ok")


def _status(table: SeasonTable) -> list[SafeString | str]:
    """Say whether the standings can still change."""
    season = table.season
    if season.closed_at is None:
        return []
    at = moment(season.closed_at, season.club.zone, _("j M Y, H:i"))
    sentences: list[SafeString | str] = [with_markup(_("Ended %(at)s."), at=at)]
    if table.differs:
        sentences.append(_("Later corrections don’t count."))
    return sentences


def _following(after: Season) -> Link:
    return Link(_("Next season: %(name)s") % {"name": after.name}, after.get_absolute_url())


def run_of(table: SeasonTable, after: Season | None) -> Run:
    season = table.season
    if season.closed_at is None:
        return _run_on(table)
    if after is not None:
        text = _("“%(name)s” follows this season, so it can’t be reopened.") % {"name": after.name}
        return Run(text, [Link(_("Go to the next season"), after.get_absolute_url())])
    if table.has_divisions:
        text = _("The next season has the same rules; promotions and relegations are applied.")
    else:
        text = _("The next season has the same rules.")
    following = Link(_("Create the next season"), _url(season, "next_season"), is_main=True)
    return Run(text, [following], reopen_url=_url(season, "reopen_season"))


def _run_on(table: SeasonTable) -> Run:
    """Return the organiser's actions for an open season."""
    season, text, links = table.season, "", list[Link]()
    if table.evenings:
        text, links = _how_far(table), [_new_evening_link(season)]
    if table.can_end:
        links.insert(0, Link(_("End the season"), _url(season, "close_season"), is_main=True))
    pages = [Link(_("Tournaments in this season"), _url(season, "season_evenings"))]
    if table.has_divisions:
        pages.append(Link(_("Divisions"), _url(season, "season_players")))
    pages.append(Link(_("Season settings"), _url(season, "season_settings")))
    return Run(text, links, pages)


def _how_far(table: SeasonTable) -> str:
    if table.is_final:
        return _("All tournaments have ended. Create another one, or end the season.")
    count = sum(not evening.is_final for evening in table.evenings)
    words = ngettext("%(count)s tournament isn’t final yet.", "%(count)s tournaments aren’t final yet.", count)
    return words % {"count": count}


def followed_evenings(seen: Seen, table: SeasonTable, division: Division | None) -> list[Tournament]:
    """Return the events that update the page live, if the viewer may see them.

    These are the running ones, else the last due one, else the next one; limited to the division if it has any.
    """
    evenings = [evening for evening in table.evenings if evening.tournament.pk in seen.evenings]
    evenings = [evening for evening in evenings if division is None or evening.division in (None, division)] or evenings
    running = [evening for evening in evenings if evening.is_running]
    due = [evening for evening in evenings if evening.day <= timezone.localdate(timezone=evening.tournament.zone)]
    latest = running[-MOST_FOLLOWED:] or due[-1:] or evenings[:1]
    return [evening.tournament for evening in latest]


def race_of(rows: Sequence[Row], table: SeasonTable, place: int, player: str = "") -> Race | None:
    """Return the chart of totals; None before two events have started.

    player: to highlight; default: the viewer, else the first.
    """
    if table.begun < 2 or not rows:
        return None
    requested = [at for at, row in enumerate(rows) if row.player_id and row.player_id == player]
    thick = next(iter(requested + [at for at, row in enumerate(rows) if row.mine]), 0)
    totals = progress(table)[place]
    numbers = range(1, table.begun + 1)
    by_evening: Mapping[int, Mapping[str, int]] = {
        number: {str(line): after[number - 1] for line, after in enumerate(totals)} for number in numbers
    }
    chart = total_chart(by_evening, str(thick), [evening.number for evening in table.evenings])
    text = _("Thick line: %(name)s.") % {"name": rows[thick].name}
    return Race(
        chart=chart,
        choices=[Choice(row.player_id, row.name, at == thick) for at, row in enumerate(rows) if row.player_id],
        division=key_of(table.divisions[place]) if len(table.divisions) > 1 else "",
        text=text,
        numbers=numbers,
        totals=[(row.name, after) for row, after in zip(rows, totals, strict=True)],
    )
