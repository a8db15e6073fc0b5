"""The organiser's next step in words: title, text and buttons. The template only lays them out.

One function for each kind of step (`NextStep.kind`) decides every sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.lib.translate import names
from league.models import Round, Stage, Table, Tournament
from league.pages.links import Button, Link
from league.rounds.steps import NextStep
from league.setup.overview.card import ExtraHand, Fold, Group, NextStepCard, Path
from league.setup.overview.race_now import RaceNow
from league.setup.stages.cut_page import CutPage
from league.standings.ranking import Standing
from league.standings.result_in_words import winners_in_words


@dataclass(frozen=True)
class StepFacts:
    """The facts, besides the step, that its words depend on.

    stage: the one with visible standings. latest: the round published last. another: number of the round that closing
    draws, if it is certain. level: tied players around the cut, by table. tied_first, tied_others: places that
    finalists share. cut_words: sentences on who advances.
    """

    tournament: Tournament
    stage: Stage
    player_count: int
    possible: str = ""
    latest: Round | None = None
    another: int | None = None
    next_stage: Stage | None = None
    has_second_final: bool = False
    race: RaceNow | None = None
    cut: CutPage | None = None
    cut_words: Sequence[str] = ()
    level: Sequence[Group] = ()
    tied_first: Sequence[Group] = ()
    tied_others: Sequence[Group] = ()
    standings: Sequence[Standing] = ()

    def url(self, name: str, *arguments: object) -> str:
        return reverse(name, args=[self.tournament.slug, *arguments])


def next_step_card(step: NextStep, facts: StepFacts) -> NextStepCard:
    if step.disputed and not step.missing and step.kind != "publish":
        return _decide(step, facts)
    return _CARDS[step.kind](step, facts)


def _off(step: NextStep, facts: StepFacts) -> NextStepCard:
    hold = Button(_("Reinstate"), facts.url("call_off"), "do", "hold", is_main=True)
    return NextStepCard(_("Cancelled"), (facts.tournament.pause_reason,), (hold,))


def _players(step: NextStep, facts: StepFacts) -> NextStepCard:
    """The list doesn't fit the format yet."""
    teams = facts.stage.has_teams
    add = Link(_("Add teams") if teams else _("Add players"), facts.url("players"), is_main=True)
    if not facts.player_count:
        text = _("The seating is drawn from this list.")
        return NextStepCard(_("The list is empty"), (text,), (add,))
    title = _("The list doesn’t fit the format yet")
    return NextStepCard(title, (f"{_on_the_list(facts)} {facts.possible}",), (add,))


def _draw(step: NextStep, facts: StepFacts) -> NextStepCard:
    if facts.latest is not None:
        return _draw_another(step, facts)
    label, look = _("Draw the seating"), Link(_("Check the list"), facts.url("players"))
    text = (_on_the_list(facts), _("Only organisers see the seating until you publish it."))
    return NextStepCard(label, (" ".join(text),), (_advance(label, step, facts), look))


def _on_the_list(facts: StepFacts) -> str:
    return _("On the list: %(count)s.") % {"count": facts.player_count}


def _draw_another(step: NextStep, facts: StepFacts) -> NextStepCard:
    """The next round couldn't be drawn on closing; drawing it now reports why."""
    label = _("Draw round %(number)s") % {"number": facts.another}
    why = _("A fixed table or keep-apart rule can’t be met. Draw the round to see which one.")
    return NextStepCard(label, (why,), (_advance(label, step, facts),), extra_hands=_tied_final(facts))


def _cut(step: NextStep, facts: StepFacts) -> NextStepCard:
    cut = facts.cut
    assert cut is not None
    words = {"count": cut.number}
    title = ngettext("%(count)s player advances", "%(count)s players advance", cut.number) % words
    if step.following:
        text = _("Results have changed, so other players would advance. Confirm the cut again.")
    else:
        text = _("All hands are recorded. Check who advances before the draw.")
    change = Link(_("Change the cut"), facts.url("edit_stage", cut.stage.number), is_main=bool(cut.cannot))
    let = _advance(_("Confirm: %(count)s advance") % words, step, facts)
    actions: tuple[Button | Link, ...] = (change,) if cut.cannot else (let,) if step.following else (let, change)
    return NextStepCard(
        title,
        (text, *cut.sentences, *([cut.cannot] if cut.cannot else [])),
        actions,
        extra_hands=_tied_final(facts),
        path=Path(_("Stages"), cut.path),
    )


def _publish(step: NextStep, facts: StepFacts) -> NextStepCard:
    words = _round_words(step)
    is_first = words["number"] == 1
    text = (
        _("Publishing starts the tournament: everyone sees the seating, and players and rules are locked.")
        if is_first
        else _("Only organisers see the seating until you publish it.")
    )
    draft = Link(_("See the draft"), f"{facts.url('seating')}?round={words['number']}")
    undo = [Button(_("Undo the draw"), facts.url("undo_draw"))] if is_first else []
    level = [ExtraHand(_("Play an extra hand to break the tie"), facts.level)] if facts.level else []
    return NextStepCard(
        _("Round %(number)s is drawn") % words,
        (text, *facts.cut_words),
        (_advance(_("Publish round %(number)s") % words, step, facts), draft, *undo),
        extra_hands=(*level, *_tied_final(facts)),
    )


def _decide(step: NextStep, facts: StepFacts) -> NextStepCard:
    """A hand is disputed: the organiser decides it first."""
    count, of_round = len(step.disputed), step.kind == "close"
    title = ngettext("A dispute to decide", "%(count)s tables with a dispute to decide", count) % {"count": count}
    text = _("A hand has two versions. Decide which one counts.")
    decide: list[Link] = []
    for table in step.disputed[:3]:
        words = {"number": table.number, "round": table.round.number}
        label = _("Decide at table %(number)s") if of_round else _("Decide round %(round)s, table %(number)s")
        decide.append(Link(label % words, reverse("disputed", args=[table.pk]), is_main=not decide))
    return NextStepCard(title, (text,), tuple(decide), _go_on_without(step, facts))


def _close(step: NextStep, facts: StepFacts) -> NextStepCard:
    """A round is being played, or is complete."""
    if step.missing:
        title, text = _race_is_played(step, facts.race) if facts.race else _round_is_played(step, facts)
        return NextStepCard(title, (text,), _tables_to_enter(step), _go_on_without(step, facts))
    return _race_to_close(step, facts, facts.race) if facts.race else _round_to_close(step, facts)


def _round_is_played(step: NextStep, facts: StepFacts) -> tuple[str, str]:
    """Return title and text while hands of a round are missing."""
    sentences = [_after_closing(step, facts)]
    if step.hands_missing is None:
        count = len(step.missing)
        playing = ngettext("%(count)s table is still playing.", "%(count)s tables are still playing.", count)
        sentences.insert(0, playing % {"count": count})
    return _hands_to_go(step), " ".join(sentences)


def _after_closing(step: NextStep, facts: StepFacts) -> str:
    """Return a sentence on what follows once the round is closed."""
    if step.following and step.publishes_at:
        text = _("Round %(next)s is published at its set time.")
    elif step.following:
        text = _("Closing the round shows everyone the seats of round %(next)s.")
    elif facts.another and not facts.stage.plays.advances:
        text = _("Closing the round draws round %(next)s and shows everyone the seats.")
    elif facts.another or (facts.next_stage is not None and facts.next_stage.takes is not None):
        text = _("Closing the round first shows you who advances.")
    elif facts.has_second_final:
        text = _("Closing the round shows whether a second final follows.")
    elif facts.next_stage:
        text = _("It’s the last round of this stage.")
    else:
        text = _("It’s the last round.")
    return text % _round_words(step, facts.another)


def _race_is_played(step: NextStep, race: RaceNow) -> tuple[str, str]:
    """Return title and text while hands of a Challenge UNO round are missing."""
    if race.is_head_to_head:
        text = _("%(names)s play until one of them is eliminated.") % {"names": names(race.still_in)}
        return _("Head to head"), text
    sentences = (
        _still_in(race),
        _("Closing the round draws round %(next)s and shows everyone the seats.") % {"next": race.next},
    )
    return _hands_to_go(step), " ".join(sentences)


def _hands_to_go(step: NextStep) -> str:
    if step.hands_missing is None:
        return _("Round %(number)s is being played") % _round_words(step)
    words = _round_words(step) | {"count": step.hands_missing}
    sentence = ngettext(
        "One hand to go in round %(number)s", "%(count)s hands to go in round %(number)s", step.hands_missing
    )
    return sentence % words


def _still_in(race: RaceNow) -> str:
    count = len(race.still_in)
    return ngettext("%(count)s is still in.", "%(count)s are still in.", count) % {"count": count}


def _round_to_close(step: NextStep, facts: StepFacts) -> NextStepCard:
    words = _round_words(step, facts.another)
    publishes = step.following or (facts.another and not facts.stage.plays.advances)
    if publishes and not step.publishes_at:
        label = _("Close round %(number)s, publish round %(next)s")
    else:
        label = _("Close round %(number)s")
    return NextStepCard(
        _("Round %(number)s is complete") % words,
        (" ".join([_("Every hand is recorded."), _after_closing(step, facts)]),),
        (_advance(label % words, step, facts),),
    )


def _race_to_close(step: NextStep, facts: StepFacts, race: RaceNow) -> NextStepCard:
    words = _round_words(step) | {"next": race.next}
    close = _("Close round %(number)s") % words
    if race.winner:
        title = _("%(name)s has won") % {"name": race.winner}
        text = _("Close the round, then make the standings final.")
    else:
        title, text = _race_title(step, race), _race_goes_on(race)
    if race.some_unfinished:
        question = _("Recorded hands count. Missing hands can’t be added later.")
        sure = _advance(_("Yes, close it now"), step, facts)
        return NextStepCard(title, (text,), folds=(Fold(close, "btn btn-big", sure, question),))
    if not race.goes_on:
        label = close
    elif race.last_two:
        label = _("Close round %(number)s, start the head to head") % words
    else:
        label = _("Close round %(number)s, publish round %(next)s") % words
    return NextStepCard(title, (text,), (_advance(label, step, facts),))


def _race_title(step: NextStep, race: RaceNow) -> str:
    if race.some_unfinished:
        return _("Round %(number)s is being played") % _round_words(step)
    return _("Two are left") if race.last_two else _("Round %(number)s is complete") % _round_words(step)


def _race_goes_on(race: RaceNow) -> str:
    """Return what closing the round does while several players are still in."""
    if race.last_two:
        text = _("%(names)s play head to head in round %(next)s and keep their totals.")
        return text % {"names": names(race.still_in), "next": race.next}
    lasts = [_("The round lasts until you close it.")] if race.some_unfinished else []
    then = _("Closing the round draws round %(next)s and shows everyone the seats.") % {"next": race.next}
    return " ".join([_still_in(race), *lasts, then])


def _finish(step: NextStep, facts: StepFacts) -> NextStepCard:
    won = facts.race.winner if facts.race else ""
    text = _("Check the standings, then make them final. You can reopen them later.")
    return NextStepCard(
        _("%(name)s has won") % {"name": won} if won else _("All rounds are played"),
        (text,),
        (_advance(_("Make the standings final"), step, facts), Link(_("See the standings"), facts.url("standings"))),
        extra_hands=_tied_final(facts),
    )


def _done(step: NextStep, facts: StepFacts) -> NextStepCard:
    won, final = winners_in_words(facts.standings), _("The standings are final")
    reopen = Button(_("Reopen the tournament"), facts.url("reopen"))
    return NextStepCard(
        won or final,
        (f"{final}.",) if won else (),
        (Link(_("See the standings"), facts.url("standings"), is_main=True),),
        (Fold(_("Reopen to correct something"), "tool", reopen, asks_reason=True),),
    )


_CARDS: Mapping[str, Callable[[NextStep, StepFacts], NextStepCard]] = {
    "off": _off,
    "players": _players,
    "draw": _draw,
    "cut": _cut,
    "publish": _publish,
    "close": _close,
    "finish": _finish,
    "done": _done,
}


# Parts


def _round_words(step: NextStep, another: int | None = None) -> dict[str, object]:
    """Return the numbers of the round and of the next one, for a sentence."""
    assert step.round is not None
    return {"number": step.round.number, "next": step.following.number if step.following else another}


def _advance(label: str, step: NextStep, facts: StepFacts) -> Button:
    """Return the button that takes the step."""
    return Button(label, facts.url("advance"), "step", step.token, is_main=True)


def _tables_to_enter(step: NextStep) -> tuple[Link, ...]:
    links: list[Link] = []
    for table in step.tables_offered:
        words, first = {"table": table.number}, not links
        if table.mode == Table.Mode.ONLINE:
            url = reverse("play", args=[table.pk])
            links.append(Link(_("Look at table %(table)s") % words, url, is_main=first, icon="i-play"))
        else:
            label = _("Enter scores for table %(table)s") % words
            links.append(Link(label, table.get_absolute_url(), is_main=first))
    return tuple(links)


def _go_on_without(step: NextStep, facts: StepFacts) -> tuple[Fold, ...]:
    """Return the form that closes a round despite missing or disputed hands."""
    if step.kind != "close" or step.round is None or step.round.state != Round.State.RUNNING:
        return ()
    tables = ngettext("table %(numbers)s", "tables %(numbers)s", len(step.open_tables))
    words = {"number": step.round.number, "tables": tables % {"numbers": step.open_numbers}}
    text = _("Recorded hands count. Missing hands can’t be added later.")
    if step.disputed:
        text += " " + _("A disputed hand counts as reported until you decide.")
    label = _("Close round %(number)s without %(tables)s")
    button = Button(label % words, facts.url("advance"), "step", step.token)
    hidden = tuple(("without", str(table.pk)) for table in step.open_tables)
    return (Fold(f"{label % words}…", "", button, text, asks_reason=True, hidden=hidden),)


def _tied_final(facts: StepFacts) -> tuple[ExtraHand, ...]:
    """Return extra hands for finalists who share a place. They may also keep the tie."""
    found = []
    if facts.tied_first:
        shared = names(line.entrant.name for line in facts.standings if line.rank == 1)
        text = _("%(names)s share first place. Keep the tie, or play an extra hand.") % {"names": shared}
        found.append(ExtraHand(_("Play an extra hand for first place"), facts.tied_first, text, is_open=True))
    if facts.tied_others:
        found.append(ExtraHand(_("Play an extra hand for another shared place"), facts.tied_others))
    return tuple(found)
