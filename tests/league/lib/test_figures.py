"""How numbers, ranks and dates are written, in the language of who reads them."""

from datetime import datetime

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext

from league.lib.translate import figure, rank_in_words
from league.management.commands import messages
from league.prints.pdf.results import place

NARROW = "\N{NARROW NO-BREAK SPACE}"


def shown(template, **context):
    return Template(template).render(Context(context))


@pytest.mark.parametrize(
    ("language", "large"),
    [("en", "20,000"), ("fr", f"20{NARROW}000"), ("es", f"20{NARROW}000"), ("fr-ca", f"20{NARROW}000")],
)
def test_thousands_stand_apart_as_the_language_sets_them(language, large):
    with translation.override(language):
        assert figure(20000) == shown("{{ n|figure }}", n=20000) == large
        assert figure(-20000) == f"-{large}" and shown("{{ n|signed }}", n=-20000) == f"−{large}"
        assert figure(2026) == "2026" and figure(0) == "0"


def test_what_is_no_number_is_left_as_it_is():
    assert shown("{{ a|figure }} {{ b|figure|default_if_none:'–' }}", a="12 to spare", b=None) == "12 to spare –"


def test_a_rank_that_several_share_is_marked_for_eye_and_ear():
    assert [rank_in_words(3), rank_in_words(3, tied=True), rank_in_words(None)] == ["3", "3=", "–"]
    assert place({"rank": 3, "tied": True}) == "3="
    assert shown("{% rank 3 False %} {% rank none False %}", none=None) == "3 –"
    assert shown("{% rank 3 True %}") == '3<span aria-hidden="true">=</span><span class="sr"> shared</span>'


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_no_month_or_weekday_begins_with_a_capital(language):
    forms = [
        message.id
        for message in messages.catalogue_of(language)  # in step with the code (tests/test_languages.py)
        if isinstance(message.id, str)
        and message.id.replace("H:i", "").strip(", ") in {"M", "j F", "j F Y", "j M", "j M Y", "l j F", "l j F Y"}
    ]
    assert {"M", "j F", "j M Y", "l j F Y"} <= set(forms)
    with translation.override(language):
        written = [date_format(datetime(2026, month, month), gettext(form)) for form in forms for month in range(1, 13)]
    assert [one for one in written if one != one.lower()] == []
