"""Names compared as readers compare them."""

import pytest

from league.lib.names import fold, is_visible, looks, mixes_alphabets, tidy


@pytest.mark.parametrize(
    ("typed", "listed"),
    [
        ("đorđe", "Đorđe"),
        ("EMILIE", "Émilie"),
        ("E\u0301milie", "\u00c9milie"),
        ("ana  lucia ", " Ana\u00a0Lucía"),
        ("Ana\u200b Lucía", "Ana Lucia"),
        ("gross", "Groß"),
        ("O’Neill", "o'neill"),
    ],
)
def test_names_that_differ_in_case_accents_or_spaces_are_equal_when_folded(typed: str, listed: str) -> None:
    assert fold(typed) == fold(listed)


def test_names_of_different_letters_stay_different_when_folded() -> None:
    assert fold("Ana") != fold("Anna")
    assert fold("Ana B") != fold("AnaB")


@pytest.mark.parametrize("invisible", ["\u034f", "\u17b4", "\ufe0f", "\ufe00", "\U000e0100", "\u180b", "\u200d"])
def test_what_nobody_sees_makes_no_other_name_and_is_none(invisible: str) -> None:
    assert fold(f"An{invisible}a") == fold("Ana")
    assert not is_visible(tidy(invisible * 3))


def test_an_emoji_keeps_its_variant() -> None:
    assert tidy("❤\ufe0f Ana") == "❤\ufe0f Ana"


def test_letters_of_other_alphabets_that_look_like_latin_ones_are_compared_as_those() -> None:
    assert looks("Вот Аnа") == looks("Bot Ana")
    assert looks("ΝΟΡΑ") == looks("Nopa")
    assert looks("Ольга") != looks("Olga")


@pytest.mark.parametrize("name", ["Nоra", "Nόra", "Ann-Маrie", "А\u0332da"])
def test_a_word_with_letters_of_two_alphabets_is_found(name: str) -> None:
    assert mixes_alphabets(name)


@pytest.mark.parametrize("name", ["Nora", "Нора", "Νόρα", "Émilie Đorđević", "Anna Ольга", "李雷 Lee", "नीना", ""])
def test_names_of_one_alphabet_a_word_are_found_right(name: str) -> None:
    assert not mixes_alphabets(name)
