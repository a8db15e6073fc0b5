"""The page *Now* for organisers: next step, tables of the latest round, and the public view."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import restore_pause
from league.access.viewer import Viewer
from league.background import heartbeats
from league.entries.places import Now
from league.entries.sign_up import Line as SignUpLine
from league.ledger.state_marks import StateMark, state_mark
from league.lib.translate import figure, names, with_markup
from league.lib.wall_time import moment
from league.models import Round, Table, Tournament
from league.pages.links import Button, Link
from league.rounds.bye_worth import byes_in, is_undecided
from league.rounds.steps import NextStep
from league.rounds.time_left import RoundClock
from league.rounds.unopposed import Unopposed, unopposed_tables
from league.setup.overview.card import NextStepCard
from league.setup.overview.facts import NowFacts, step_facts
from league.setup.overview.next_step_card import next_step_card
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
from league.setup.overview.set_time import RefusedTime, SetTime, read_set_time
from league.setup.stages.cut_page import CutPage, cut_of_page
from league.standings import read as ledger


@dataclass(frozen=True)
class Warned:
    """Tables without a contest: the problem, advice, and actions."""

    sentences: Sequence[str]
    advice: str
    actions: Sequence[Button | Link]


@dataclass(frozen=True)
class ByeWorth:
    """The question how many points the first bye is worth. typed: the field's value."""

    number: int
    sentences: Sequence[str]
    typed: str


@dataclass(frozen=True)
class SignUpBox:
    words: str
    taken: str
    state: str


@dataclass(frozen=True)
class PublicRow:
    """A public item. url: where to change it."""

    title: str
    text: str
    mark: StateMark | None = None
    url: str = ""


@dataclass(frozen=True)
class OrganisersPage:
    """head, clock: the round of the step, and its clock. refusal: why the last action was refused. data_at_risk: if
    all data would be lost with the container. waits_after_restore: until the owner resumes. stopped: what a dead worker
    delays. online: tables that play online. offers_sign_up: before the draw, without a sign-up. hands_out: link to
    codes, screen and prints.
    """

    step: NextStep
    head: str
    clock: RoundClock | None
    card: NextStepCard
    refusal: str
    data_at_risk: bool
    waits_after_restore: bool
    stopped: str
    warned: Warned | None
    bye_worth: ByeWorth | None
    set_time: SetTime | None
    cut: CutPage | None
    round_actions: Sequence[Button | Link]
    clock_control: ClockControl | None
    tables: Tables | None
    online: Sequence[Table]
    top_five: Sequence[TopRow]
    sign_up: SignUpBox | None
    offers_sign_up: bool
    hands_out: bool
    public: Sequence[PublicRow]
    season: SeasonRow | None


def organisers_page(
    facts: NowFacts,
    book: ledger.Ledger,
    viewer: Viewer,
    *,
    refusal: str = "",
    refused_time: RefusedTime | None = None,
    typed_points: str = "0",
) -> OrganisersPage:
    """refusal, refused_time, typed_points: from a refused form of this page."""
    tournament, step, latest = facts.tournament, facts.step, facts.latest
    cut = cut_of_page(tournament, step)
    unopposed = unopposed_tables(book, latest) if step.kind in ("close", "publish") else None
    return OrganisersPage(
        step=step,
        head=title_of_round(facts) if step.round and step.round == latest else facts.step_title,
        clock=facts.clock if step.kind == "close" else None,
        card=next_step_card(step, step_facts(facts, book, cut)),
        refusal=refusal,
        data_at_risk=bool(settings.DATA_RISK),
        waits_after_restore=restore_pause.is_paused(),
        stopped=heartbeats.warning(tournament),
        warned=_warned(tournament, unopposed) if unopposed else None,
        bye_worth=_bye_worth(book, step.round or latest, typed_points),
        set_time=read_set_time(tournament, step.following, refused_time),
        cut=cut,
        round_actions=round_actions(facts),
        clock_control=clock_control(facts, facts.usual_minutes),
        tables=tables_section(facts, organises=True, corrects=True),
        online=[line.table for line in facts.lines if line.online],
        top_five=top_five(facts),
        sign_up=sign_up_box(facts.sign_up, tournament, facts.player_count) if facts.sign_up else None,
        offers_sign_up=facts.sign_up is None and step.kind in ("players", "draw"),
        hands_out=latest is not None and not tournament.is_final,
        public=public_rows(facts),
        season=season_row(tournament, viewer),
    )


def _warned(tournament: Tournament, unopposed: Unopposed) -> Warned:
    day = reverse("manage", args=[tournament.slug])
    bring_in = Link(_("Late entry"), reverse("day_late", args=[tournament.slug]))
    if unopposed.can_redraw:
        advice = _("Re-draw tables that haven’t started, or add a late player.")
        redraw = Button(_("Re-draw tables"), reverse("redraw_tables", args=[tournament.slug]))
        return Warned(unopposed.sentences, advice, (redraw, bring_in))
    advice = _("Add a late player, or undo the round to re-draw it.")
    undo = Link(_("Undo round %(number)s") % {"number": unopposed.round.number}, f"{day}#undo-round")
    return Warned(unopposed.sentences, advice, (bring_in, undo))


def _bye_worth(book: ledger.Ledger, played: Round | None, typed: str) -> ByeWorth | None:
    """Return the question on bye points; None unless `played` has the first byes."""
    if played is None or not is_undecided(played):
        return None
    points = [points for line in book.standings(book.last_round) for points in line.by_round.values()]
    byes = names(seat.entry.name for seat in byes_in(played).select_related("entry__player") if seat.entry)
    question = _("Bye in round %(number)s: %(names)s. It’s worth 0 points unless you change that.")
    sentences = [question % {"number": played.number, "names": byes}]
    if points:
        average = {"points": figure(round(sum(points) / len(points)))}
        sentences.append(_("Average so far: %(points)s points a round.") % average)
    return ByeWorth(played.number, sentences, typed)


def round_actions(facts: NowFacts) -> Sequence[Button | Link]:
    """Return the organiser's other actions in an open round."""
    if facts.latest is None or not facts.latest.is_open:
        return ()
    slug, number = facts.tournament.slug, facts.latest.number
    links = (
        Link(_("Late entry"), reverse("day_late", args=[slug])),
        Link(_("Announce"), reverse("announce", args=[slug])),
    )
    if facts.latest.state != Round.State.PUBLISHED:
        return links
    undo = _("Undo publishing round %(number)s") % {"number": number}
    return (*links, Button(undo, reverse("undo_publish", args=[slug, number])))


def sign_up_box(line: SignUpLine, tournament: Tournament, player_count: int) -> SignUpBox:
    taken = _("Places taken: %(count)s of %(places)s")
    taken %= {"count": player_count, "places": line.page.capacity}
    if line.is_open:
        state: str = _("Open")
    elif line.state == Now.NOT_YET:
        at = moment(line.page.opens_at, tournament.zone, _("j M, H:i"))
        state = with_markup(_("Opens %(at)s"), at=at)
    else:
        state = _("Closed")
    if line.waiting:
        waiting = ngettext("%(count)s waiting", "%(count)s waiting", line.waiting) % {"count": line.waiting}
        state = format_html("{}. {}", state, waiting)
    return SignUpBox(line.words, taken, state)


def public_rows(facts: NowFacts) -> list[PublicRow]:
    """Return the public state of the seating, the standings and the tournament."""
    tournament = facts.tournament
    return [*_public_seating(facts), _public_standings(facts), _public_tournament(tournament)]


def _public_seating(facts: NowFacts) -> list[PublicRow]:
    latest, following = facts.latest, facts.step.following
    if latest is None:
        return [PublicRow(_("Seating"), _("Nothing yet"), StateMark("i-wait", _("Draft")))]
    seating = _("Seating, round %(number)s")
    published = format_html("{} {}", _("Published"), moment(latest.published_at, facts.tournament.zone))
    rows = [PublicRow(seating % {"number": latest.number}, published, StateMark("i-check", _("Visible"), "ok"))]
    if following is not None:
        rows.append(PublicRow(seating % {"number": following.number}, _("Drawn, not published"), state_mark(following)))
    return rows


def _public_standings(facts: NowFacts) -> PublicRow:
    text = _("Final") if facts.tournament.is_final else _("Provisional")
    if not facts.scored:
        return PublicRow(_("Standings"), text, StateMark("i-clock", _("Empty")))
    title = _("Standings after round %(number)s") % {"number": facts.scored}
    return PublicRow(title, text, StateMark("i-check", _("Visible"), "ok"))


def _public_tournament(tournament: Tournament) -> PublicRow:
    text = {
        Tournament.Visibility.PUBLIC: _("Listed on the home page"),
        Tournament.Visibility.UNLISTED: _("Only people with the link"),
        Tournament.Visibility.PRIVATE: _("Only people with a role"),
    }[Tournament.Visibility(tournament.visibility)]
    return PublicRow(tournament.get_visibility_display(), text, url=reverse("settings", args=[tournament.slug]))
