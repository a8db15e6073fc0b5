"""Where the name of a player leads: to the sheet for those who may correct, to the scorecard for everyone else."""

from django.urls import reverse

from league.access import Access


def opens_sheets(access: Access) -> bool:
    """Whether names lead to sheets: as long as something can be corrected there."""
    return access.corrects and not access.link and not access.tournament.is_final


def people_at(access: Access) -> str:
    """Return the address below which each player has a page, by public id."""
    return reverse("people" if opens_sheets(access) else "players", args=[access.tournament.slug])


def person_at(access: Access, public_id: str) -> str:
    return f"{people_at(access)}{public_id}/"
