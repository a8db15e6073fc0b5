"""The target of a player's name: the sheet for viewers who may correct, otherwise the scorecard."""

from django.urls import reverse

from league.access import Access


def opens_sheets(access: Access) -> bool:
    """Return whether names link to sheets: while the viewer can correct something there."""
    return access.corrects and not access.link and not access.tournament.is_final


def people_at(access: Access) -> str:
    """Return the base address of the players' pages, followed by public ids."""
    return reverse("people" if opens_sheets(access) else "players", args=[access.tournament.slug])


def person_at(access: Access, public_id: str) -> str:
    return f"{people_at(access)}{public_id}/"
