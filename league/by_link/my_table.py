""" "My table" as a value: current seat with its button, next round, scorecard."""

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from league.formats.race import HEAD_TO_HEAD
from league.leaving.page import Strip, strip_of
from league.ledger.field import draws_another
from league.lib.translate import figure
from league.lib.wall_time import moment, when
from league.models import Deadline, Entry, Round, Table, Tournament
from league.public.scorecard import Action, Card, Link, SeatNow, card_of
from league.public.scorecard_hands import CardSeat
from league.public.scorecard_stage import place_in_words
from league.rounds.time_left import RoundClock, clock_of
from league.standings.result_in_words import result_in_words


@dataclass(frozen=True)
class Banner:
    """Card shown first to a player without a seat."""

    title: str
    text: str
    link: Link
    is_main: bool = False


@dataclass(frozen=True)
class NextRound:
    """The next round. seat: once published. if_through: only if the player qualifies."""

    number: int
    title: str
    text: str = ""
    seat: CardSeat | None = None
    if_through: bool = False
    is_last: bool = False

    @property
    def token(self) -> str:
        """Return the table number, or a dash."""
        return str(self.seat.table) if self.seat and self.seat.table else "–"


@dataclass(frozen=True)
class MyTable:
    """The page. about: its owner. now: the seat; None with a `banner`. following: next round, below the seat.

    leaving: about the player's departure. table: the player's table in the open round.
    """

    about: str
    card: Card
    now: SeatNow | None
    banner: Banner | None
    following: NextRound | None
    clock: RoundClock | None
    leaving: Strip | None = None
    table: Table | None = None


def page_of(tournament: Tournament, entry: Entry) -> MyTable:
    """Return the page of a player or team."""
    card = card_of(tournament, entry, mine=True)
    following = next_round(tournament, card)
    banner = _banner(tournament, card, following)
    leaving = strip_of(tournament, entry, has_more=_has_more(tournament, card, following))
    if leaving and entry.status == Entry.Status.DROPPED and not (card.way and card.way.departure):
        banner = Banner(leaving.title, leaving.text, _standings(tournament))
        leaving = None
    table = None if banner else _table(tournament, card.now)
    now = None if banner or card.now is None else replace(card.now, action=_action(tournament, entry, card.now, table))
    about = _about(tournament)
    return MyTable(about, card, now, banner, following if now else None, _clock(tournament, card), leaving, table)


def _has_more(tournament: Tournament, card: Card, following: NextRound | None) -> bool:
    """Return whether the player has hands to come or may get a seat in a later round."""
    if not tournament.has_begun or (card.now is not None and card.now.hand is not None):
        return True
    if following is None:
        return not card.hands.has_lines and not card.plays_no_more
    return not following.is_last


def played_online_in_words(tournament: Tournament) -> str:
    """Say that tables are played online and where the Play button will be; empty if none is."""
    if tournament.online == "all":
        return _("Played online, in the browser. The Play button appears on this page when your round starts.")
    if tournament.online:
        return _(
            "Some tables are played online. If yours is, a Play button appears on this page when your round starts."
        )
    return ""


def _about(tournament: Tournament) -> str:
    if tournament.stage_shown.has_teams:
        return _("Your team’s page. The whole team can use its link.")
    if tournament.online == "all":
        return _("Your page. Anyone with its link can play for you.")
    if tournament.players_report:
        return _("Your page. Anyone with its link can report for you.")
    return _("Your page.")


# --- no seat


def _banner(tournament: Tournament, card: Card, following: NextRound | None) -> Banner | None:
    standing, way = card.standing, card.way
    standings = _standings(tournament)
    if tournament.is_final and standing and standing.rank:
        title = place_in_words(_("Final place: %(rank)s of %(ranked)s"), standing.rank, standing, card.ranked)
        won = _("%(won)s of %(hands)s hands won.") % {"won": standing.hands_won, "hands": standing.hands_played}
        text = f"{capfirst(result_in_words(standing))}. {won}"
        return Banner(title, text, replace(standings, word=_("Final standings")), is_main=True)
    if way and standing and way.has_won:
        when_final = _("Your place is final once the standings are final.")
        return Banner(_("You have won"), f"{capfirst(result_in_words(standing))}. {when_final}", standings)
    if card.now:
        return None
    if way and standing and way.departure:
        text = _("With %(total)s points.") % {"total": figure(standing.total)}
        if way.place:
            place = place_in_words(_("Place %(place)s of %(ranked)s."), way.place, standing, card.ranked)
            text = mark_safe(f"{text} {place}")
        return Banner(capfirst(way.departure), text, standings)
    see_who = Link(reverse("players", args=[tournament.slug]), _("See the players"))
    return Banner(*_no_seat(tournament, card, following), standings if card.rounds else see_who)


def _standings(tournament: Tournament) -> Link:
    return Link(reverse("standings", args=[tournament.slug]), _("Standings"))


def _no_seat(tournament: Tournament, card: Card, following: NextRound | None) -> tuple[str, str]:
    """Return title and text: the next event, and when it will be known."""
    final = _("Your final place will appear once the standings are final.")
    if card.plays_no_more:
        return _("You have played all your rounds"), final
    if card.open_round is not None:
        title = _("No seat in round %(number)s") % {"number": card.open_round}
        return title, _("If you’re here, tell the organiser.")
    if following is None:
        first = _("Your first seat will appear when round 1 is published.")
        text = f"{when(tournament)}. {first} {played_online_in_words(tournament)}"
        return _("You are on the list"), text.rstrip()
    if following.is_last:
        return _("All rounds are played"), final
    if following.if_through:
        text = _("If you qualify, your seat will appear when round %(number)s is published.")
    else:
        text = _("Your seat will appear when round %(number)s is published.")
    text = text % {"number": following.number}
    return _("Between rounds"), f"{text} {played_online_in_words(tournament)}".rstrip()


# --- seated


def _table(tournament: Tournament, now: SeatNow | None) -> Table | None:
    if now is None or now.is_bye:
        return None
    rounds = Round.objects.living().filter(tournament=tournament, number=now.seat.round)
    return Table.objects.select_related("round__tournament").get(round__in=rounds, number=now.seat.table)


def _action(tournament: Tournament, entry: Entry, now: SeatNow, table: Table | None) -> Action:
    """Return the actions at the player's table: links, or only a sentence."""
    if table is None:
        return Action()
    if tournament.is_called_off:
        return Action(_("Cancelled: no hands are played."))
    if table.state == Table.State.CONFIRMED:
        return Action(_("All hands are confirmed."))
    if table.mode == Table.Mode.ONLINE and table.state != Table.State.DISPUTED:
        if now.seat.team:
            return Action(links=_links_of_team(table, entry), is_online=True)
        word = _("Play: table %(number)d") if now.hand else _("Watch: table %(number)d")
        address = f"{reverse('play', args=[table.pk])}?as={entry.public_id}"
        return Action(links=(Link(address, word % {"number": table.number}),), is_online=True)
    if not tournament.players_report:
        return Action(_("The organiser or your table’s scorer enters the hands."))
    if table.state == Table.State.DISPUTED:
        word = _("See the dispute")
    elif now.hand:
        word = _("Enter hand %(number)d") % {"number": now.hand}
    else:
        word = _("Check the hands")
    return Action(links=(Link(table.get_absolute_url(), word),))


def _links_of_team(table: Table, entry: Entry) -> tuple[Link, ...]:
    """Return a link for each of a team's two players, to open the table as themselves."""
    links = []
    for seat in table.seats.filter(entry=entry).select_related("substitute").order_by("member"):
        entry.member = seat.member
        word = _("Play as %(name)s") % {"name": seat.substitute or entry}
        links.append(Link(f"{reverse('play', args=[table.pk])}?as={entry.plays_as}", word))
    return tuple(links)


def _clock(tournament: Tournament, card: Card) -> RoundClock | None:
    """Return the clock of the current round, with the table's extra time."""
    if card.now is None:
        return None
    seat = card.now.seat
    played = tournament.rounds.living().get(number=seat.round)
    return clock_of(played, None if seat.table is None else played.tables.filter(number=seat.table).first())


# --- the next round


def next_round(tournament: Tournament, card: Card) -> NextRound | None:
    """Return the next round: its seat once published, else when that will be.

    Drafts stay hidden.
    """
    if tournament.is_over or not card.hands.has_lines or card.plays_no_more:
        return None
    if card.next_seat:
        return NextRound(card.next_seat.round, _seat_in_words(card.next_seat), seat=card.next_seat)
    latest = max(card.rounds)
    to_come = tournament.rounds.living().filter(number__gt=latest).select_related("stage")
    following = to_come.order_by("number").first()
    if following is not None:
        at_a_cut = following.stage_id != tournament.stage_shown.pk and following.stage.takes is not None
        return _to_come(following.number, if_through=at_a_cut, text=_when_published(tournament, following))
    if card.way is not None:
        if card.way.departure or card.way.has_won:
            return None
        last_two = card.way.still_in == HEAD_TO_HEAD and card.way.is_head_to_head
        return _last(latest) if last_two else _to_come(latest + 1)
    in_this_stage = (card.in_all or 0) > latest
    stage, next_stage = tournament.stage_and_next
    if not (in_this_stage or next_stage is not None or draws_another(tournament, stage)):
        return _last(latest)
    everyone = not stage.plays.advances and (in_this_stage or next_stage is None or next_stage.takes is None)
    return _to_come(latest + 1, if_through=not (everyone or card.is_through))


def _last(number: int) -> NextRound:
    return NextRound(number, _("Last round"), _("Your final place follows."), is_last=True)


def _to_come(number: int, *, if_through: bool = False, text: str = "") -> NextRound:
    title = _("Then round %(number)s, if you qualify") if if_through else _("Then round %(number)s")
    text = text or _("Not published yet. Your seat will appear here.")
    return NextRound(number, title % {"number": number}, text, if_through=if_through)


def _when_published(tournament: Tournament, following: Round) -> str:
    waiting = tournament.deadlines.filter(kind=Deadline.Kind.PUBLISH, round=following)
    deadline = waiting.filter(state=Deadline.State.PENDING).first()
    if deadline is None:
        return ""
    zone = tournament.zone
    today = deadline.due_at.astimezone(zone).date() == timezone.now().astimezone(zone).date()
    at = moment(deadline.due_at, zone) if today else moment(deadline.due_at, zone, _("j M, H:i"))
    return mark_safe(_("Your seat will appear at about %(at)s.") % {"at": at})


def _seat_in_words(seat: CardSeat) -> str:
    words = {"number": seat.round, "table": seat.table, "team": seat.against, "partner": seat.partner}
    if seat.table is None:
        return _("Then round %(number)s: you have a bye") % words
    if seat.against:
        return _("Then round %(number)s, table %(table)s, against %(team)s") % words
    if seat.partner:
        return _("Then round %(number)s, table %(table)s, with %(partner)s") % words
    return _("Then round %(number)s, table %(table)s") % words
