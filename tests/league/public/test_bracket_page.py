"""What the page with the rounds side by side says, read from the value: columns go in, no page is requested."""

from dataclasses import replace

import pytest
from django.utils import translation

from league.models import Table
from league.public.bracket_page import BracketFacts, BracketPage, LadderStep, Row, bracket_page
from league.public.pictures.bracket import FINAL, FREE, Column, CutLine, Person, Side, TableOfRound

ANA, BEN, CHI, DOR = (Person(name.lower(), name) for name in ("Ana", "Ben", "Chi", "Dor"))
PEOPLE = (ANA, BEN, CHI, DOR)
BEGUN = dict.fromkeys(("ana", "ben", "chi", "dor"), 1)


def a_table(*sides: Side, number: int = 1, **more: object) -> TableOfRound:
    return TableOfRound(number, sides, **more)  # type: ignore[arg-type]


def alone(person: Person, points: int | None = None, **more: object) -> Side:
    return Side((person,), points, **more)  # type: ignore[arg-type]


def page(*columns: Column, **more: object) -> BracketPage:
    facts: dict[str, object] = {"players": PEOPLE, "windows": [[1, 2]], "window": [1, 2], "current": 2}
    return bracket_page(BracketFacts("cup", columns, **(facts | more)))  # type: ignore[arg-type]


def steps(*columns: Column, **more: object) -> list[LadderStep]:
    [ladder] = page(*columns, **more).ladders
    return list(ladder.steps)


def rows(step: LadderStep, table: int = 0) -> list[Row]:
    return list(step.tables[table].rows)


FIRST = Column(1, (a_table(alone(ANA, 20, advances=True), alone(BEN, 5, status="eliminated")),), ladder=1)
FOLLOWED = Column(1, (a_table(Side((ANA, CHI), 20), Side((BEN, DOR), 5)),))


def test_before_a_round_is_published_there_is_the_way_to_the_final() -> None:
    empty = page(to_come=["Round 1: 2 tables. The best of each table advance."])
    assert empty.is_empty and empty.to_come == ["Round 1: 2 tables. The best of each table advance."]
    assert not page(FIRST).is_empty


def test_whose_way_is_lit_is_chosen_said_and_kept_in_the_addresses() -> None:
    shown = page(FIRST, way_of=BEN, way_text="eliminated in round 1", windows=[[1, 2], [3, 4], [5]], window=[3, 4])
    assert [(one.value, one.is_chosen) for one in shown.people] == [
        ("ana", False),
        ("ben", True),
        ("chi", False),
        ("dor", False),
    ]
    assert shown.way == ("Ben", "Eliminated in round 1")
    assert [(one.value, one.label, one.is_chosen) for one in shown.windows] == [
        ("?from=1&player=ben", "1 to 2", False),
        ("?from=3&player=ben", "3 to 4", True),
        ("?from=5&player=ben", "5", False),
    ]
    assert (shown.from_round, shown.svg_url) == (3, "/t/cup/bracket.svg?from=3&player=ben")
    assert shown.key[0].text == "path of Ben"
    plain = page(FIRST)
    assert (plain.way, plain.windows, plain.from_round, plain.svg_url) == (None, (), None, "/t/cup/bracket.svg")
    assert not any(one.is_chosen for one in plain.people)
    assert page(FIRST, way_of=BEN).way is None, "nothing is said of those who stand nowhere"


def test_a_step_of_a_ladder_has_its_title_what_it_says_and_its_seating() -> None:
    draft = Column(2, (a_table(alone(ANA)),), ladder=1, draft=True, summary="2 players")
    final = Column(3, (a_table(alone(ANA, waits=True), number=0),), ladder=1, final="The final", to_come=True)
    titled = replace(draft, draft=False, title="Semi-finals")
    shown = steps(FIRST, draft, final)
    assert [(step.title, step.url, step.key) for step in shown] == [
        ("Round 1", "/t/cup/seating/?round=1", "round-1"),
        ("Round 2, draft", "/t/cup/seating/?round=2", "round-2"),
        ("The final", "", "round-3"),
    ]
    assert [step.is_now for step in shown] == [False, True, False] and shown[1].text == "2 players"
    assert steps(FIRST, titled)[1].title == "Semi-finals"


@pytest.mark.parametrize(
    ("table", "mark"),
    [
        ({}, None),
        ({"state_text": "To come"}, ("i-wait", "To come", "")),
        ({"state_text": "hand 2", "state": Table.State.PLAYING, "progress": "hand 2"}, ("i-play", "hand 2", "live")),
        ({"state_text": "Confirmed", "state": Table.State.CONFIRMED}, ("i-check", "Confirmed", "ok")),
        ({"state_text": "Disputed", "state": Table.State.DISPUTED}, ("i-warn", "Disputed", "bad")),
    ],
)  # fmt: skip
def test_a_table_of_a_ladder_shows_its_state(table: dict[str, str], mark: tuple[str, str, str] | None) -> None:
    [step] = steps(Column(1, (a_table(alone(ANA), **table),), ladder=1))
    assert step.tables[0].mark == mark


def test_a_table_of_a_ladder_looks_like_what_it_is() -> None:
    tables = [
        a_table(alone(ANA), progress="hand 2"),
        a_table(alone(ANA), look=FREE, title="No match"),
        a_table(alone(ANA), look=FINAL, title="Final, table 1"),
    ]
    [step] = steps(Column(1, tuple(tables), ladder=1))
    assert [(table.title, table.css) for table in step.tables] == [
        ("Table 1", "bk-live"),
        ("No match", "bk-free"),
        ("Final, table 1", "bk-fin"),
    ]
    to_come = Column(2, (a_table(alone(ANA), number=4),), ladder=1, to_come=True, final="The final")
    [table] = steps(FIRST, to_come)[1].tables
    assert (table.title, table.css) == ("Table 4", "bk-to-come bk-fin")


def test_a_row_says_who_goes_on_who_is_out_and_whose_way_is_lit() -> None:
    sides = (
        alone(ANA, 12_000, advances=True, note="next best"),
        alone(BEN, 0, status="left"),
        alone(CHI, None, waits=True, seed=3),
        alone(DOR, 5, won=True, note="winner"),
    )
    [step] = steps(Column(1, (a_table(*sides),), ladder=1), way_of=BEN)
    ana, ben, chi, dor = rows(step)
    assert [row.css for row in rows(step)] == ["on", "off me", "pos", "won"]
    assert (ana.name, ana.full, ana.note, ana.points) == ("Ana", "Ana, next best", "next best", "12,000")
    assert (ana.advances, ben.advances, ben.points) == (True, False, "0")
    assert (chi.seed, chi.points, chi.full) == (3, "", "Chi") and dor.note == "winner"
    assert [row.spoken for row in rows(step)] == [
        "Ana, next best, 12,000 points, advances", "Ben, 0 points, left", "Chi, seed 3", "Dor, winner, 5 points"
    ]  # fmt: skip


def test_a_table_of_the_picture_reads_as_one_sentence() -> None:
    sides = (Side((ANA, CHI), 30), Side((BEN, DOR), 278, status="left"))
    shown = page(Column(1, (a_table(*sides, progress="2 of 4 hands"),), byes=(BEN, DOR)))
    assert shown.picture is not None
    assert [box.spoken for box in shown.picture.columns[0].boxes] == [
        "Table 1, 2 of 4 hands: Ana and Chi, 30; Ben and Dor, 278, left", "Bye: Ben and Dor"
    ]  # fmt: skip


def test_the_second_ladder_is_named_and_so_are_stages_in_which_everybody_is_followed() -> None:
    second = replace(FIRST, ladder=2, part="Second ladder")
    shown = page(FIRST, second, replace(FOLLOWED, number=2))
    assert [(one.title, one.dots, one.label) for one in shown.ladders] == [
        ("", "Rounds", "Rounds side by side"),
        ("Second ladder", "Second ladder", "Second ladder"),
    ]
    assert shown.picture is not None and shown.picture_title == "Other stages"
    assert page(FOLLOWED).picture_title == "" and page(FIRST).picture is None


def test_the_drawing_names_its_rounds_and_tables_and_ends_at_the_newest() -> None:
    columns = (FOLLOWED, Column(2, (a_table(alone(ANA), number=7),), byes=(BEN,), draft=True))
    shown = page(*columns)
    assert shown.picture is not None
    assert [placed.column.heading for placed in shown.picture.columns] == ["Round 1", "Round 2, draft"]
    assert [box.title for placed in shown.picture.columns for box in placed.boxes] == ["Table 1", "Table 7", "Bye"]
    assert shown.newest == shown.picture.columns[1].end and page(*columns, current=3).newest is None


def key(*columns: Column, **more: object) -> list[str]:
    return [line.text for line in page(*columns, **more).key]


def test_the_key_says_what_figures_lines_and_icons_mean() -> None:
    assert key(FOLLOWED, changes_partners=True) == [
        "Partners are in the same half of a box. The number is their points in the round."
    ]
    best = "Points in the round, best first."
    assert key(FOLLOWED) == [best]
    assert key(FIRST) == [
        best,
        "advances to the next round",
        "Eliminated players are grey.",
    ]
    assert key(FOLLOWED, target=500) == [
        "Total after the round; the lowest is best.",
        "eliminated at 500, with the total",
    ]
    assert [line.icon for line in page(FIRST).key] == ["", "i-check", ""]
    assert page(FOLLOWED, target=500).key[1].icon == "i-cross"


AGAIN = (
    FOLLOWED,
    Column(2, (a_table(alone(ANA), alone(CHI)),), sources=BEGUN),
    Column(3, (a_table(alone(BEN), alone(ANA)),), sources={"ben": 1, "ana": 2}),
)


def test_who_is_in_again_is_drawn_dashed_and_said_in_the_list() -> None:
    shown = page(*AGAIN)
    assert shown.picture is not None and len(shown.picture.past) == 1
    assert shown.key[0].text == "back after rounds without a seat" and shown.key[0].dashes
    assert [round.again for round in shown.rounds] == [[], [], ["Ben is back, last seated in round 1"]]
    lit = page(*AGAIN, way_of=BEN)
    assert [line.text for line in lit.key][:2] == ["path of Ben", "back after rounds without a seat"]


def test_the_list_has_what_the_pictures_show() -> None:
    sides = (
        Side((ANA, CHI), 20),
        alone(BEN, 5, status="eliminated", note="x"),
        alone(DOR, None, note="through"),
        alone(BEN, 7, advances=True),
    )
    column = Column(3, (a_table(*sides, progress="1 of 4 hands"), a_table(number=0)), byes=(BEN, DOR), draft=True,
                    final="The final", part="Second ladder", ladder=2)  # fmt: skip
    to_come = Column(4, (a_table(alone(ANA, waits=True)),), ladder=2, to_come=True)
    [listed] = page(column, to_come, way_of=CHI).rounds
    assert listed.title == "Round 3: The final, Second ladder, draft"
    assert (listed.url, listed.spoken, listed.byes) == ("/t/cup/seating/?round=3", "of round 3", "Ben, Dor")
    [table] = listed.tables
    assert (table.number, table.progress) == (1, "1 of 4 hands")
    assert table.sides[0].people == [("Ana", False), ("Chi", True)]
    assert [side.text for side in table.sides] == [
        "20",
        "eliminated 5",
        "through –",
        "advances to the next round 7",
    ]


def cut_line(person: Person, *, share: float | None = 104.25, **more: object) -> CutLine:
    return CutLine(person, 2, 2, 1200, 311.5, share, **more)  # type: ignore[arg-type]


def test_the_best_of_the_others_are_compared_by_what_parts_them() -> None:
    cut = (
        cut_line(ANA, advances=True),
        cut_line(BEN, advances=True, decides="share", is_last=True),
        cut_line(CHI, advances=False, decides="share", share=None),
        cut_line(DOR, advances=False, decides="place"),
    )
    [shown] = page(replace(FIRST, cut=cut, part="Second ladder")).cuts
    assert shown.where == "Round 1, Second ladder"
    assert [row.css for row in shown.rows] == ["", "cut", "behind", "behind"]
    assert [(row.by_place, row.by_share) for row in shown.rows] == [
        (False, False),
        (False, True),
        (False, False),
        (True, False),
    ]
    ana, _ben, chi, _dor = shown.rows
    assert (ana.points, ana.mean, ana.share, chi.share) == ("1200", "311.5", "104.3 %", "–")
    assert shown.text.endswith("divided by their table’s mean.")
    assert page(FIRST).cuts == []


def test_the_cut_says_that_the_lot_decides_and_that_the_round_goes_on() -> None:
    cut = (cut_line(ANA, advances=True, decides="lot"),)
    [shown] = page(replace(FIRST, cut=cut, is_open=True)).cuts
    assert shown.text.endswith(
        "A random tie-break, fixed before the start, decides. Provisional: the round is still running."
    )
    with translation.override("fr"):
        [french] = page(replace(FIRST, cut=cut)).cuts
        assert french.rows[0].mean == "311,5"
