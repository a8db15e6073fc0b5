"""Laying out ladders: tables that stand evenly, lines between the middles of rows; and all of it as a file."""

import re
from itertools import pairwise

from league.public.pictures import bracket
from league.public.pictures.bracket import Column, Person, Side, TableOfRound, table_key
from league.public.pictures.bracket_svg import EDGE, WIDE, drawing_of
from league.public.pictures.ladder_picture import BETWEEN, HEAD, ROW, ladders_of
from league.public.pictures.text_width import text_width


def a_table(number, names, **more):
    return TableOfRound(number, tuple(Side((Person(name, name),), 10, **more) for name in names))


def a_column(number, *tables, ladder=1, **more):
    return Column(number, tuple(a_table(at, names) for at, names in enumerate(tables, 1)), ladder=ladder, **more)


FIRST = a_column(1, "abcd", "efg", "hij")
SECOND = a_column(2, "aehb", sources=dict.fromkeys("aehb", 1))


def ends(line):
    """Where a line begins and where it ends, from the top."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", line)]
    return numbers[1], numbers[-1]


def test_the_tallest_column_fills_the_picture_and_the_others_stand_evenly_in_it():
    [ladder] = ladders_of([FIRST, SECOND])
    tall, final = ladder.steps
    assert ladder.height == 3 * (HEAD + BETWEEN) + 10 * ROW
    assert tall.tables[0].top == BETWEEN / 2
    for above, below in pairwise(tall.tables):
        assert below.top - above.top - above.height == BETWEEN
    [only] = final.tables
    assert only.top + only.height / 2 == ladder.height / 2


def test_a_line_leads_from_a_row_to_the_row_of_the_same_person():
    [ladder] = ladders_of([FIRST, SECOND], "e")
    before, after = ladder.steps
    assert len(before.lines) == 3 and len(before.mine) == 1 and after.lines == after.mine == ()
    assert ends(before.mine[0]) == (before.tables[1].rows[0], after.tables[0].rows[1])
    assert ends(before.lines[0]) == (before.tables[0].rows[0], after.tables[0].rows[0])


def test_a_place_to_come_has_its_line_from_who_leads_or_from_the_table():
    places = TableOfRound(1, tuple(Side((Person(id, id),), None, waits=True) for id in ("w1", "w2", "w3")))
    to_come = Column(2, (places,), ladder=1, to_come=True, leads={"w1": "c", "w2": table_key(2)})
    [ladder] = ladders_of([FIRST, to_come], "c")
    before, after = ladder.steps
    by_end = {end: start for start, end in map(ends, before.lines)}
    first, second, third = after.tables[0].rows
    assert by_end[first] == before.tables[0].rows[2]
    assert by_end[second] == before.tables[1].top + before.tables[1].height / 2
    assert third not in by_end
    assert before.mine == (), "nobody's way is lit to a place that is not theirs yet"


def test_who_comes_from_elsewhere_has_no_line():
    [ladder] = ladders_of([FIRST, a_column(3, "abk", sources={"a": 2, "b": 1})])
    assert len(ladder.steps[0].lines) == 1


def test_ladders_and_stages_are_pictures_of_their_own_and_who_is_followed_is_in_none():
    columns = [a_column(1, "ab"), a_column(2, "ab"), a_column(2, "cd", ladder=2), a_column(3, "ab", stage=2)]
    assert [len(ladder.steps) for ladder in ladders_of(columns)] == [2, 1, 1]
    assert ladders_of([a_column(1, "ab", ladder=None)]) == []


def test_the_file_has_ladders_below_each_other_and_what_is_followed_at_the_end():
    other = a_column(2, "kl", ladder=2)
    followed = bracket.draw([a_column(1, "mn", ladder=None)])
    drawing = drawing_of("Winter", ladders_of([FIRST, SECOND, other]), followed)
    at = {shape.words: float(shape.attributes["y"]) for shape in drawing.shapes if shape.words in {*"abklmn"}}
    assert at["a"] < at["k"] < at["l"]
    moved = {shape.attributes["transform"] for shape in drawing.shapes if shape.words in ("m", "n")}
    assert moved == {f"translate({EDGE} {float(drawing.height) - EDGE - followed.height:g})"}
    assert max(float(shape.attributes.get("x", 0)) for shape in drawing.shapes) < float(drawing.width)


def test_what_is_cut_in_the_file_is_there_in_full():
    long = "Maximiliane-Theodora von und zu Hohenfels-Brunnental"
    table = TableOfRound(1, (Side((Person("1", long),), 1234, advances=True, note="through"),))
    drawing = drawing_of("Winter", ladders_of([Column(1, (table,), ladder=1)]), None)
    [name] = [shape for shape in drawing.shapes if shape.full]
    assert name.words.endswith("…") and name.full == f"{long}, through"
    assert text_width(name.words) < WIDE
