"""Laying out the picture of the rounds, the charts of ranks, and finding names."""

import re
from dataclasses import replace

import pytest

from league.formats.bracket import SeatedRound, follow
from league.lib import charts
from league.lib.names import fold
from league.lib.search import matches
from league.public.pictures import bracket, text_width
from league.public.pictures.bracket import Column, Person, Side, TableOfRound

ANA, BENOIT, CHIDI, DORDE, EMILIE = people = [
    Person(name, name) for name in ("Ana", "Benoît", "Chidi", "Đorđe", "Émilie")
]


def a_round(number, four, points=(10, 0), byes=()):
    sides = (Side((four[0], four[2]), points[0]), Side((four[1], four[3]), points[1]))
    return Column(number, (TableOfRound(1, sides),), byes)


def drawn(columns, way_of=None):
    """The picture of rounds in which everybody comes from where they were last."""
    return bracket.draw(linked(columns), way_of)


def linked(columns):
    rounds = [
        SeatedRound(
            column.number,
            {table.number: [person.id for side in table.sides for person in side.people] for table in column.tables},
            [person.id for person in column.byes],
        )
        for column in columns
    ]
    return bracket.with_sources(columns, follow(rounds))


def test_a_table_lists_its_sides_with_their_points_and_a_rule_between_them():
    box = drawn([a_round(1, people[:4])]).columns[0].boxes[0]
    assert [text.words for text in box.names] == ["Ana", "Chidi", "Benoît", "Đorđe"]
    assert [text.words for text in box.points] == ["10", "0"]
    assert len(box.rules) == 1
    assert box.names[1].y < box.rules[0] < box.names[2].y


def test_points_are_left_out_before_the_first_hand():
    assert drawn([a_round(1, people[:4], (None, None))]).columns[0].boxes[0].points == ()


def test_the_way_of_one_player_runs_from_column_to_column_also_through_a_bye():
    columns = [
        a_round(1, people[:4], byes=(EMILIE,)),
        a_round(2, people[1:], byes=(ANA,)),
        a_round(3, people[:4], byes=(EMILIE,)),
    ]
    picture = drawn(columns, "Ana")
    assert len(picture.way) == 2
    assert len(picture.lines) == 2 * 4
    assert [len(box.lit) for placed in picture.columns for box in placed.boxes] == [1, 0, 0, 1, 1, 0]


def test_who_misses_a_round_has_no_line_over_it():
    picture = drawn([a_round(1, people[:4]), a_round(2, people[1:])], "Ana")
    assert picture.way == ()
    assert len(picture.lines) == 3


def test_a_dashed_line_leads_below_a_table_past_the_rounds_that_somebody_missed():
    farah = Person("Farah", "Farah")
    columns = [
        a_round(1, people[:4]),
        a_round(2, (BENOIT, CHIDI, DORDE, farah)),
        a_round(3, (BENOIT, CHIDI, DORDE, farah)),
        a_round(4, people[:4]),
    ]
    assert bracket.find_missed(linked(columns)) == [(ANA, 0, 3)]
    picture = drawn(columns, "Chidi")
    assert len(picture.way) == 3 and picture.way_past == ()
    [line] = picture.past
    start, *past = [(box.x, box.y + box.height) for placed in picture.columns for box in placed.boxes]
    assert line.startswith(f"M{start[0] + bracket.BOX} ")
    for x, bottom in past[:2]:
        lane = re.search(rf" {x} (\d+)H{x + bracket.BOX}", line)
        assert bottom < int(lane[1]) < picture.height
    assert drawn(columns, "Ana").past == () and drawn(columns, "Ana").way_past == (line,)


def test_two_who_missed_the_same_round_have_a_line_each():
    two = Column(2, (TableOfRound(1, (Side((ANA,), 0), Side((BENOIT,), 0))),))
    columns = [a_round(1, people[:4]), two, a_round(3, people[:4])]
    one, other = drawn(columns).past
    assert re.search(r" (\d+)H", one)[1] != re.search(r" (\d+)H", other)[1]


def test_with_many_players_only_the_asked_way_is_drawn():
    crowd = [Person(str(number), f"Player {number}") for number in range(40)]
    column = Column(1, tuple(replace(a_round(1, crowd[at : at + 4]).tables[0], number=at) for at in range(0, 40, 4)))
    picture = drawn([column, replace(column, number=2)], "7")
    assert picture.lines == ()
    assert len(picture.way) == 1


def test_boxes_stay_inside_the_picture_and_apart():
    columns = [a_round(number, people[:4], byes=(EMILIE,)) for number in range(1, 8)]
    picture = drawn(columns)
    for placed in picture.columns:
        assert placed.x + bracket.BOX <= picture.width
        for above, below in zip(placed.boxes, placed.boxes[1:], strict=False):
            assert above.y + above.height < below.y
        assert placed.boxes[-1].y + placed.boxes[-1].height <= picture.height


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Ana Lucía", "Ana Lucía"),
        ("Wolfeschlegelsteinhausen", "Wolfeschlegelste…"),
        ("アレクサンドラ・ヴィクトロヴナ", "アレクサンドラ・…"),
    ],
)
def test_long_names_are_cut_by_their_width(name, short):
    assert text_width.shorten(name, 124) == short


def test_a_name_leaves_room_for_the_points_beside_it_in_any_language():
    def shown(points, left):
        sides = (Side((Person("1", "Ana Lucía Fernández"),), points, left),)
        return drawn([Column(1, (TableOfRound(1, sides),))]).columns[0].boxes[0].names[0].words

    assert shown(None, "") == "Ana Lucía Fernández"
    cut = [shown(1, ""), shown(512, ""), shown(10512, "")]
    assert all(name.endswith("…") for name in cut[1:])
    assert len(cut[0]) > len(cut[1]) > len(cut[2]) > 4
    # Who is eliminated has a cross; the word stands in the list below, and in no box in which it would cut the name.
    assert {shown(512, word) for word in ("eliminated", "éliminé", "fuera")} == {cut[1]}


def test_lines_are_drawn_from_where_few_are_left_and_the_final_stands_beside_the_round_before():
    crowd = [Person(str(number), f"Player {number}") for number in range(40)]

    def singles(number, people, final=""):
        tables = [tuple(Side((person,), 0) for person in people[at : at + 4]) for at in range(0, len(people), 4)]
        made = tuple(TableOfRound(at, sides) for at, sides in enumerate(tables, 1))
        return Column(number, made, final=final)

    picture = drawn([singles(1, crowd), singles(2, crowd[:20]), singles(3, crowd[:4]), singles(4, crowd[:2], "Final")])
    assert len(picture.lines) == 4 + 2
    before, final = (placed.boxes[0] for placed in picture.columns[2:])
    assert before.y < final.y and final.y + final.height < before.y + before.height


def test_the_best_rank_is_at_the_top_of_a_spark():
    spark = charts.spark([8, 1], players=8)
    first, last = [float(point.split(",")[1]) for point in spark.points.split()]
    assert last < first
    assert spark.end == tuple(spark.points.split()[-1].split(","))
    assert charts.spark([], players=8) is None


def test_a_chart_draws_mine_apart_and_nobody_who_has_no_rank():
    ranks = {1: {"a": 1, "b": 2, "stand-in": None}, 2: {"a": 2, "b": 1, "stand-in": None}}
    drawn = charts.rank_chart(ranks, "a", [1, 2, 3])
    assert drawn.mine == "M167 250L500 750"
    assert drawn.others == ("M167 750L500 250",)
    assert drawn.round_labels == ("1", "2", "3")


def test_a_long_chart_labels_every_fifth_round_only():
    ranks = {1: {str(number): number for number in range(1, 42)}}
    drawn = charts.rank_chart(ranks, "1", list(range(1, 42)))
    assert [label for label in drawn.rank_labels if label] == ["1", "5", "10", "15", "20", "25", "30", "35", "40"]
    assert len(drawn.rank_labels) == 41


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("dorde", "Đorđe"),
        ("EMILIE", "Émilie"),
        ("lucia", "Ana Lucía"),
        ("lucía ana", "Ana Lucía"),
        ("zoe", "Zoë"),
        ("gross", "Groß"),
    ],
)
def test_names_are_found_without_accents_in_any_case_by_any_part(query, name):
    assert matches(query, name)


@pytest.mark.parametrize(
    ("query", "name"), [("", "Ana Lucía"), ("   ", "Ana Lucía"), ("anna", "Ana Lucía"), ("ana zoe", "Ana Lucía")]
)
def test_nothing_typed_or_another_name_finds_nobody(query, name):
    assert not matches(query, name)


def test_folding_keeps_what_is_not_latin():
    assert fold("王小明") == "王小明"
