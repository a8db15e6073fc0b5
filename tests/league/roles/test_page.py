"""What an invitation offers, and what is asked before a role is given up."""

from datetime import date

from league.access.rights import IN_CLUB, InClub, club_meanings_of
from league.models import Club, ClubInvitation, ClubRole, Entry, Invitation, Player, Role, Tournament, User
from league.pages.confirm import Way
from league.roles.page import give_up_question, offer_of

OLGA = User(name="Olga", email="olga@example.org")
AUTUMN = Tournament(slug="autumn", name="Autumn Pairs", place="Café Ludo", starts_on=date(2026, 11, 24), owner=OLGA)
LUDO = Club(slug="ludo", name="Café Ludo", place="", owner=OLGA)
ZOE = Player(name="Zoë", club=LUDO)


def test_an_invitation_to_a_tournament_names_role_day_and_whoever_invites():
    offer = offer_of(Invitation(tournament=AUTUMN, kind="scorer", created_by=OLGA))
    assert offer.where == "Autumn Pairs, Café Ludo, Tuesday 24 November 2026"
    assert (offer.title, offer.heading, offer.plays_as) == ("Invitation", "Your role: Scorer", "")
    assert (offer.invited_by, offer.button) == ("Invited by Olga.", "Accept the invitation")
    assert "Enter hands" in " ".join(map(str, offer.lines))


def test_a_player_reads_as_whom_they_play():
    entry = Entry(tournament=AUTUMN, player=ZOE)
    offer = offer_of(Invitation(tournament=AUTUMN, kind="player", entry=entry))
    assert (offer.plays_as, offer.invited_by) == ("You play as Zoë.", "")


def test_a_role_in_a_club_is_one_in_each_of_its_tournaments():
    as_scorer = offer_of(ClubInvitation(club=LUDO, kind="scorer"))
    assert as_scorer.where == "Café Ludo" and "In all its tournaments: Enter hands" in " ".join(
        map(str, as_scorer.lines)
    )
    as_organiser = offer_of(ClubInvitation(club=LUDO, kind="organiser"))
    assert as_organiser.lines[-1] == "Everything in all its tournaments"


def test_an_invitation_to_a_club_names_the_rights_in_the_club_and_no_others():
    lines = [str(line) for line in offer_of(ClubInvitation(club=LUDO, kind="director")).lines]
    rights = (InClub.LOOK, InClub.SEE_LOG, InClub.WARNINGS)
    assert lines[: len(club_meanings_of("director"))] == [str(IN_CLUB[one]) for one in rights]
    assert str(IN_CLUB[InClub.HAND_OVER]) not in lines


def test_a_member_is_asked_whether_that_is_them():
    offer = offer_of(ClubInvitation(club=LUDO, player=ZOE))
    assert (offer.title, offer.heading, offer.button) == ("Are you Zoë?", "What you get", "Yes, that is me")
    assert offer.lead == "" and len(offer.lines) == 3


def test_giving_up_a_role_says_who_can_give_it_again():
    ask = give_up_question(Role(pk=7, tournament=AUTUMN, kind="organiser"))
    assert (ask.title, ask.button) == ("Give up your role: Organiser?", "Give up: Organiser")
    assert "The owner, Olga, can invite you again." in ask.text
    assert (ask.url, ask.hidden) == ("/t/autumn/people/7/take-back/", (("sure", "yes"),))
    assert ask.ways == (Way("Keep it", "/t/autumn/people/"),)
    in_club = give_up_question(ClubRole(pk=8, club=LUDO, kind="scorer"))
    assert "The owner, Olga, can invite you again." in in_club.text
    assert in_club.url == "/clubs/ludo/people/8/take-back/"
