"""The five places of a tournament and of a club: always the same, in the same order, for everyone.

A place has pages, each with its own address. Viewers with fewer rights see fewer links inside a place, never other
places.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.access import Access, ClubAccess
from league.access.rights import Can, InClub
from league.models import SignUpPage, Stage, Tournament


class Link(NamedTuple):
    """A page: name of its URL, label and address."""

    name: str
    label: str
    url: str


class Place(NamedTuple):
    """A place with its pages; it links to the first one. icon: a symbol of the sprite. needs: number of inbox items."""

    label: str
    icon: str
    links: Sequence[Link]
    needs: int = 0

    @property
    def url(self) -> str:
        return self.links[0].url


class Places(NamedTuple):
    """All places, the current one, and its links; no links if it has a single page."""

    places: Sequence[Place]
    here: Place | None
    page: str

    def with_count(self, count: int) -> "Places":
        """Return the places with a number at the first one."""
        first, *others = self.places
        counted = first._replace(needs=count)
        return self._replace(places=(counted, *others), here=counted if self.here is first else self.here)

    @property
    def links(self) -> Sequence[Link]:
        return self.here.links if self.here and len(self.here.links) > 1 else ()


def of_tournament(access: Access, stage: Stage, page: str, *, plays: bool, count: int = 0) -> Places:
    """Return the places of a tournament. page: name of the page's URL. plays: the viewer plays here. count: number of
    items in the viewer's inbox."""
    tournament = access.tournament
    has_odds = tournament.state == Tournament.State.RUNNING and tournament.shows_odds and not tournament.is_called_off
    has_odds = has_odds and stage.plays.has_odds
    may = access.may
    sign_up_page = "sign_up_settings" if may(Can.RUN) else "sign_up"
    places = _places(
        [tournament.slug],
        page,
        (
            pgettext("tab", "Now"),
            "i-now",
            # Players see their own table first; organisers and scorers who also play see the next step first.
            [
                ("my_table", _("My table"), plays and not access.records),
                ("tournament", pgettext("tab", "Now"), True),
                ("my_table", _("My table"), plays and access.records),
            ],
        ),
        (
            _(stage.plays.entries_name),
            "i-people",
            [
                ("players", _("List"), True),
                (sign_up_page, _("Sign-up"), may(Can.RUN) or takes_sign_ups(tournament)),
                ("check_in", _("Check-in"), access.checks_in or may(Can.CHECK_IN)),
                ("day_late", _("Late entry"), may(Can.CORRECT) and tournament.has_begun),
            ],
        ),
        (
            _("Rounds"),
            "i-table",
            [
                ("seating", _("Seating"), True),
                ("hands", _("Hands"), True),
                ("rounds", _("All rounds"), may(Can.SEE_DRAFTS)),
                ("manage", _("Manage"), may(Can.CORRECT)),
            ],
        ),
        (
            _("Standings"),
            "i-podium",
            [
                ("standings", pgettext("standings", "Table"), True),
                ("race", _("Race"), stage.plays.race_page),
                ("bracket", _("Round by round"), True),
                ("odds", _("Chances"), has_odds),
                ("fairness", _("Fairness"), True),
            ],
        ),
        (
            _("More"),
            "i-more",
            [
                ("more", _("All pages"), True),
                ("announce", _("Announce"), may(Can.CORRECT)),
                ("codes", _("QR codes"), may(Can.PRINT)),
                ("prints", _("Print"), may(Can.PRINT)),
                ("hall_screen", _("Screen"), may(Can.SHOW)),
                ("people", _("Helpers"), may(Can.INVITE)),
                ("settings", _("Settings"), may(Can.RUN)),
                ("stages", _("Stages"), may(Can.RUN)),
                ("log", _("Log"), may(Can.SEE_LOG)),
                ("jobs", _("Export"), may(Can.RUN)),
            ],
        ),
    )
    return places.with_count(count)


def of_club(access: ClubAccess, page: str) -> Places:
    """Return the places of a club."""
    return _places(
        [access.club.slug],
        page,
        (_("Tournaments"), "i-now", [("club", _("Tournaments"), True)]),
        (_("Members"), "i-people", [("members", _("Members"), True)]),
        (_("Season"), "i-cup", [("current_season", _("Season"), True)]),
        (_("Ratings"), "i-podium", [("ratings", _("Ratings"), True)]),
        (
            _("More"),
            "i-more",
            [
                ("club_about", _("About"), True),
                ("club_people", _("Helpers"), access.may(InClub.INVITE)),
                ("club_settings", _("Settings"), access.may(InClub.SETTINGS)),
                ("club_log", _("Log"), access.may(InClub.SEE_LOG)),
            ],
        ),
    )


def _places(of: Sequence[Any], page: str, *places: tuple[str, str, Sequence[tuple[str, str, bool]]]) -> Places:
    all_places = [
        Place(label, icon, [Link(name, words, reverse(name, args=of)) for name, words, is_there in links if is_there])
        for label, icon, links in places
    ]
    here = next((place for place in all_places if any(link.name == page for link in place.links)), None)
    return Places(all_places, here, page)


def takes_sign_ups(tournament: Tournament) -> bool:
    """Return whether the tournament has a sign-up page and has not started."""
    return not tournament.has_begun and SignUpPage.objects.filter(tournament=tournament).exists()
