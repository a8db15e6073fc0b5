"""What pages ask before something is gone."""

from league.clubs.member_views import remove_question
from league.erasure.forms import EraseForm
from league.erasure.page import erase_question, not_yours
from league.models import Club, Player
from league.pages.confirm import Way

LUDO = Club(slug="ludo")
ZOE = Player(name="Zoë", public_id="abcd", club=LUDO)


def test_erasing_is_final_and_wants_the_name_once_more():
    ask = erase_question(EraseForm(person=ZOE), name="Zoë", tournaments=1, back="/back/")
    assert (ask.title, ask.button, ask.typed) == ("Erase Zoë?", "Erase Zoë", "Type: Zoë")
    assert ask.is_final and ask.form is not None and ask.ways == (Way("Keep", "/back/"),)
    assert "tournament" not in ask.text


def test_erasing_says_in_how_many_tournaments_it_happens():
    ask = erase_question(EraseForm(person=ZOE), name="Zoë", tournaments=3, back="/back/")
    assert "Affects all 3 tournaments of this person." in ask.text


def test_a_person_of_tournaments_that_others_run_has_no_button():
    ask = not_yours(name="Zoë", back="/back/")
    assert not ask.button and ask.form is None and ask.role == "status"
    assert ask.text.startswith("This person is also in tournaments or clubs you don’t manage")


def test_removing_a_member_says_what_becomes_of_their_evenings():
    assert remove_question(LUDO, ZOE, events=0).text == "They haven’t played, so their record is deleted."
    assert remove_question(LUDO, ZOE, events=1).text.startswith("Their 1 tournament stays.")
    ask = remove_question(LUDO, ZOE, events=4)
    assert ask.text.startswith("Their 4 tournaments stay.")
    assert not ask.is_final and ask.ways == (Way("Keep", "/clubs/ludo/players/abcd/edit/"),)
