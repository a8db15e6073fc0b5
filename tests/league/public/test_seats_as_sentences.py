"""What screen readers read of a table, by the viewer's seat."""

import pytest
from django.utils import translation

from league.templatetags.seating_lines import seats_of_plan

NAMES = ("Émilie", "Zoë", "Đorđe", "Benoît")


def sentence(mine: int, **context: object) -> str:
    seats = [{"seat": seat, "player_id": str(seat), "player": name, "place": ""} for seat, name in enumerate(NAMES)]
    table = {"ring": "", "number": 1, "first": 0, "seats": seats}
    html = seats_of_plan({"found_ids": [str(mine)], "mine": True} | context, table)
    return html.partition('class="sr">')[2].partition("</p>")[0]


def test_you_have_a_capital_only_where_the_sentence_begins() -> None:
    assert sentence(0) == "You and Đorđe against Zoë and Benoît; you deal first."
    assert sentence(1) == "Émilie and Đorđe against you and Benoît; Émilie deals first."
    assert sentence(2) == "Émilie and you against Zoë and Benoît; Émilie deals first."
    assert sentence(3, dealer=3) == "Émilie and Đorđe against Zoë and you; you deal now."


@pytest.mark.parametrize(("language", "you"), [("fr", " vous "), ("es", " tú ")])
def test_the_same_in_other_languages(language: str, you: str) -> None:
    with translation.override(language):
        assert you in sentence(1) and you.title() not in sentence(1)
