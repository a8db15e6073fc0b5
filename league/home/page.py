"""The home page as a value: my table, my events, a hand to play, a name search, current events."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.access.session_links import MyTable
from league.clubs.tournament_list import Line, Shelves
from league.ledger.state_marks import StateMark, state_mark
from league.lib.search import MOST_FOUND
from league.lib.wall_time import moment
from league.models import Club, Entry, Table, Tournament
from league.pages.links import Link
from league.pages.my_table_row import MyTableRow, is_online, my_table_row, own_page, seat_in_words, token_of
from league.setup.overview.card import NextStepCard


@dataclass(frozen=True)
class Way:
    """An offer for visitors. picture: “run”, “find” or “play”."""

    title: str
    text: str
    url: str
    picture: str


@dataclass(frozen=True)
class OnNow:
    """The organiser's running event with its next step. where: “On now, Café Ludo”."""

    where: str
    title: str
    text: str
    links: Sequence[Link]


@dataclass(frozen=True)
class FirstTable:
    """My table at the top. token: its number, “–” without one, empty at a casual table. is_bye: no table."""

    token: str
    is_bye: bool
    text: str
    links: Sequence[Link]


@dataclass(frozen=True)
class Shelf:
    """Events listed together. title: of the summary that folds them; empty if they aren't folded."""

    lines: Sequence[Line]
    title: str = ""
    is_open: bool = False


@dataclass(frozen=True)
class CasualLink:
    """A casual table of mine, labelled with its opening time."""

    url: str
    opened: SafeString | str


@dataclass(frozen=True)
class Events:
    """A list of events, mine or others'; hidden without a title. empty: text for an empty list."""

    title: str = ""
    shelves: Sequence[Shelf] = ()
    empty: str = ""
    is_mine: bool = False
    casual: Sequence[CasualLink] = ()


@dataclass(frozen=True)
class Found:
    """A player found by name."""

    name: str
    text: str
    url: str
    mark: StateMark


@dataclass(frozen=True)
class Search:
    """query: the input. more: a note that more names match. nobody: a note that none matches."""

    query: str = ""
    found: Sequence[Found] = ()
    more: str = ""
    no_match: str = ""


@dataclass(frozen=True)
class HomePage:
    """ways: for visitors. first: my table; playing: my other tables. on_now: the account's running event.

    finds: there is a search. can_play: the page also offers a hand. runs_first: the account has no events, so the offer
    to run one comes first.
    """

    ways: Sequence[Way]
    first: FirstTable | None
    playing: Sequence[MyTableRow]
    on_now: OnNow | None
    mine: Events
    runs_first: bool
    search: Search
    finds: bool
    listed: Events
    clubs: Sequence[Club]
    can_play: bool
    has_demo: bool
    without_account: str


def home_page(
    *,
    is_account: bool,
    playing: Sequence[MyTable],
    on_now: OnNow | None,
    mine: Sequence[Line],
    listed: Sequence[Line],
    casual: Sequence[Tournament],
    clubs: Sequence[Club],
    search: Search,
) -> HomePage:
    goes_on = any(not line.tournament.is_final for line in listed)
    finds = goes_on or bool(search.query)
    is_visitor = not is_account and not playing
    has_demo = any(line.tournament.is_demo for line in mine)
    return HomePage(
        ways=ways(finds=finds) if is_visitor else [],
        first=first_table(playing[0]) if playing else None,
        playing=[my_table_row(table) for table in playing[1:]],
        on_now=on_now,
        mine=_own_events(mine, casual),
        runs_first=is_account and not playing and not mine,
        search=search,
        finds=finds,
        listed=other_events(listed, has_own=bool(mine)),
        clubs=clubs,
        can_play=not is_visitor,
        has_demo=has_demo,
        without_account="" if is_account or has_demo else without_account(goes_on=goes_on),
    )


def ways(*, finds: bool) -> list[Way]:
    run = Way(_("Run a tournament"), _("Ready in two minutes."), reverse("new"), "run")
    find = Way(_("Find my table"), _("For players without a link."), "#find", "find")
    play = Way(_("Play a hand"), _("Against bots or with friends, without an account."), reverse("new_table"), "play")
    return [run, find, play] if finds else [run, play]


def on_now(tournament: Tournament, card: NextStepCard) -> OnNow:
    """Return the running event. A step with a form links to the overview, which explains the step first."""
    place = tournament.club.name if tournament.club else tournament.place
    links = [action for action in card.actions if isinstance(action, Link)][:1]
    overview = Link(_("Open the tournament"), tournament.get_absolute_url(), is_main=not links)
    label = _("On now")
    return OnNow(
        where=f"{label} · {place}" if place else label,
        title=f"{tournament.name} · {card.title}",
        text=card.text[0] if card.text else "",
        links=[*links, overview],
    )


def first_table(mine: MyTable) -> FirstTable:
    tournament, is_casual = mine.entry.tournament, mine.entry.tournament.kind == Tournament.Kind.CASUAL
    names = mine.entry.name if is_casual else f"{tournament.name}, {mine.entry.name}"
    return FirstTable(
        token=token_of(mine),
        is_bye=mine.seat is None or mine.seat.table_id is None,
        text=f"{seat_in_words(mine)}. {names}",
        links=_ways_to(mine, is_casual=is_casual),
    )


def _ways_to(mine: MyTable, *, is_casual: bool) -> list[Link]:
    table: Table | None = mine.seat.table if mine.seat else None
    if table is None or not is_online(mine.seat) or mine.entry.tournament.is_called_off:
        return [Link(_("Open my table"), own_page(mine), is_main=True)]
    label = _("Play on") if is_casual else _("Play: table %(number)s") % {"number": table.number}
    url = f"{reverse('play', args=[table.pk])}?as={mine.entry.public_id}#deal"
    play = Link(label, url, is_main=True, icon="i-play")
    return [play] if is_casual else [play, Link(_("My hands and rank"), own_page(mine))]


def shelves_of(lines: Sequence[Line]) -> list[Shelf]:
    """Return current and future events unfolded, past ones folded by month, then the demo.

    Without current events, the first folded group is open.
    """
    shelves = Shelves.of(lines)
    going = [Shelf(shelves.going)] if shelves.going else []
    folded = [(date_format(month, _("F Y")), of_month) for month, of_month in shelves.over]
    if shelves.demo:
        folded.append((_("Demo"), shelves.demo))
    return [*going, *(Shelf(own, title, not going and at == 0) for at, (title, own) in enumerate(folded))]


def _own_events(mine: Sequence[Line], casual: Sequence[Tournament]) -> Events:
    title = _("Your tournaments") if mine else ""
    return Events(title, shelves_of(mine), is_mine=True, casual=[_casual_link(table) for table in casual])


def _casual_link(table: Tournament) -> CasualLink:
    return CasualLink(reverse("lobby", args=[table.slug]), moment(table.created_at, table.zone, _("j M, H:i")))


def other_events(listed: Sequence[Line], *, has_own: bool) -> Events:
    if has_own:
        return Events(_("Other tournaments") if listed else "", shelves_of(listed))
    empty = "" if listed else _("No tournaments yet. Create the first one.")
    return Events(_("Tournaments"), shelves_of(listed), empty)


def without_account(*, goes_on: bool) -> str:
    if goes_on:
        return _("You need no account: find your name above. To enter hands, open your own link from the organiser.")
    return _("You need no account: open your own link from the organiser.")


def search_of(query: str, hits: Sequence[Entry]) -> Search:
    """hits: matching entries, best first."""
    found, more, no_match = [_found(entry) for entry in hits[:MOST_FOUND]], "", ""
    if len(hits) > len(found):
        words = {"found_count": len(hits), "shown": len(found)}
        more = _("%(found_count)s names match; the first %(shown)s are below. Type more letters.") % words
    elif query and not found:
        no_match = _(
            "No “%(query)s” in a public tournament. Try another part of the name, or ask the organiser for your link."
        ) % {"query": query}
    return Search(query, found, more, no_match)


def _found(entry: Entry) -> Found:
    tournament = entry.tournament
    text = ", ".join(filter(None, (tournament.name, tournament.place)))
    url = reverse("scorecard", args=[tournament.slug, entry.public_id])
    return Found(entry.name, text, url, state_mark(tournament))
