"""What an online table's page says while no hand is played: how the last one ended, and where it goes on."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.online.casual.page import CasualNow
from games.online.end import Between
from league.models import Entry, Table
from league.standings.race_in_words import status_in_words
from league.standings.ranking import Standing


@dataclass(frozen=True)
class Headline:
    title: str
    text: str = ""


@dataclass(frozen=True)
class Link:
    """A link. `leads`: the page's script follows it automatically."""

    url: str
    label: str
    is_main: bool = False
    leads: bool = False


@dataclass(frozen=True)
class FinalLine:
    """A player's place in a casual game, and `why` they have it."""

    standing: Standing
    why: str


@dataclass(frozen=True)
class Onward:
    """The next steps at a table: the `main_link`, then `links`. `lines`: final standings of a casual game. `rematch`:
    the label of its button."""

    title: str = ""
    text: str = ""
    notes: tuple[str, ...] = ()
    lines: tuple[FinalLine, ...] = ()
    rematch: str = ""
    main_link: Link | None = None
    links: tuple[Link, ...] = ()


def headlines_of(ends: Between, casual: CasualNow | None, *, tells_after: bool) -> tuple[Headline, ...]:
    """Return how the last hand and the casual game ended. tells_after: also what comes next."""
    ending, after, headlines = ends.ending, ends.after, list[Headline]()
    winner = casual.winner if casual is not None and casual.over else None
    won = _("%(name)s wins the game") % {"name": winner} if winner is not None else ""
    if winner is not None and ending is None:
        headlines.append(Headline(won))
    elif after is not None and (ending is None or not ending.results):
        headlines.append(Headline(after.title, after.text if tells_after else ""))
    if ending is not None and winner is not None:
        headlines.append(Headline(won, f"{ending.title}. {ending.text}"))
    elif ending is not None:
        headlines.append(Headline(ending.title, ending.text))
    return tuple(headlines)


def onward_of(table: Table, me: Entry | None, ends: Between, casual: CasualNow | None) -> Onward | None:
    """Return where play continues; None while a hand is in play or waits."""
    ending, after = ends.ending, ends.after
    if after is None:
        return None
    if casual is not None:
        return _onward_of_casual(table.round.tournament.slug, me, casual)
    tournament, slug = table.round.tournament, table.round.tournament.slug
    shows_title = ending is not None and bool(ending.results)
    notes = []
    if after.broken_off:
        notes.append(_("Hand %(number)s was stopped and doesn’t count.") % {"number": after.broken_off})
    if after.out:
        notes.append(_("You are eliminated. You can stay and watch."))
    if me and after.broken_off and not after.out and not after.next and not tournament.is_final:
        notes.append(_("“My table” will show where you play next."))
    links = []
    if after.next and me:
        label = _("Play at table %(number)s") % {"number": after.next.number}
        links.append(Link(_play(after.next, me), label, is_main=True))
    if me:
        own = f"{reverse('my_table', args=[slug])}?player={me.public_id}"
        links.append(Link(own, _("My table"), is_main=not links))
    links.append(Link(reverse("standings", args=[slug]), _("Standings")))
    return Onward(
        title=after.title if shows_title else "",
        text=after.text if shows_title else "",
        notes=tuple(notes),
        links=tuple(links),
    )


def _onward_of_casual(slug: str, me: Entry | None, casual: CasualNow) -> Onward:
    if casual.over:
        return _after_game(slug, casual)
    if casual.elsewhere is None:
        return Onward(_("The game continues in a moment"))
    text = (
        _("You play on head to head at another table and keep your points.")
        if casual.plays
        else _("They play head to head at another table.")
    )
    link = Link(_play(casual.elsewhere, me), _("Go to the table"), leads=casual.plays)
    return Onward(_("Two are left"), text, main_link=link)


def _after_game(slug: str, casual: CasualNow) -> Onward:
    """Return the final standings of a casual game and the links to another one."""
    rematch, main_link = "", None
    if casual.plays and casual.has_rematch:
        rematch = _("Join the rematch")
    elif casual.plays:
        rematch = _("Start a rematch")
    elif casual.elsewhere:
        main_link = Link(_play(casual.elsewhere, None), _("Watch the next game"))
    lines = tuple(FinalLine(line, _why(line, casual)) for line in casual.lines)
    links = (Link(reverse("new_table"), _("Open a new table")), Link(reverse("standings", args=[slug]), _("Standings")))
    return Onward(_("Final standings"), casual.why, lines=lines, rematch=rematch, main_link=main_link, links=links)


def _why(line: Standing, casual: CasualNow) -> str:
    """Return why a player has this place: “eliminated in hand 5”, with the hands of all tables counted."""
    if line.out_in_round and line.out_in_hand:
        before = sum(count for number, count in casual.hands.items() if number < line.out_in_round)
        return _("eliminated in hand %(hand)d") % {"hand": before + line.out_in_hand}
    return status_in_words(line, None)


def _play(table: Table, me: Entry | None) -> str:
    page = reverse("play", args=[table.pk])
    return f"{page}?as={me.plays_as}" if me else page
