"""The words of a table's line, read from the value."""

from datetime import UTC, date, datetime

from league.models import Round, Table, Tournament
from league.standings.table_lines import TableLine

TOURNAMENT = Tournament(slug="cup", name="Cup", time_zone="Europe/Paris", starts_on=date(2026, 11, 24))
THIRD = Round(number=3, state=Round.State.RUNNING, tournament=TOURNAMENT)


def line(state: str = Table.State.PLAYING, **more: object) -> TableLine:
    return TableLine(Table(pk=1, number=2, state=state, round=THIRD), **more)  # type: ignore[arg-type]


def test_a_line_names_the_sides_where_partners_play_and_else_everyone() -> None:
    people = ("Ana", "Benoît", "Chidi", "Dana")
    assert line(people=people).who == "Ana, Benoît, Chidi and Dana"
    assert line(people=people, sides=(people[::2], people[1::2])).who == "Ana and Chidi against Benoît and Dana"


def test_a_line_says_how_many_hands_are_in_and_why_no_more_come() -> None:
    assert line(hands=3, wanted=4).hands_in == "3 of 4 hands recorded"
    assert line(hands=1).hands_in == "1 hand recorded" and line(hands=2).hands_in == "2 hands recorded"
    assert line(unplayed=True).hands_in == "No hands were played here."
    assert line(hands=2, ended=True).hands_in == "2 hands recorded. Fewer than two players remain at the table."
    assert line(hands=2, stopped=True).hands_in == "2 hands recorded. Two players remain in the tournament."


def test_a_reported_table_says_by_whom_and_when_it_confirms_itself() -> None:
    due = datetime(2026, 11, 24, 19, 30, tzinfo=UTC)
    words = line(Table.State.REPORTED, hands=4, wanted=4, reported_by="Ana <b>", confirms_at=due).hands_in
    assert words.startswith("4 of 4 hands recorded. Reported by Ana &lt;b&gt;. Counts automatically at <time")
    assert words.endswith(">20:30</time> unless a player objects.")


def test_a_dispute_is_shown_before_every_other_state_of_a_table() -> None:
    marks = {
        "Disputed": line(Table.State.DISPUTED, ended=True),
        "Closed": line(unplayed=True, ended=True),
        "Ended": line(ended=True),
        "Stopped": line(stopped=True),
        "Online": line(online=True),
        "Playing": line(),
    }
    assert {word: line.mark.word for word, line in marks.items()} == {word: word for word in marks}
