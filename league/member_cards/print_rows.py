"""The rows of printed member cards."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.models import Club, Player
from league.prints.pdf import letters
from league.prints.pdf.member_cards import MemberCard, MemberCards
from league.prints.pdf.sheet import Head


def card_print(people: Sequence[tuple[Player, str]]) -> MemberCards:
    """people: (member, address of their card)."""
    return MemberCards(
        [
            MemberCard(
                name=_printed(member.name, _("Member %(id)s") % {"id": member.public_id}),
                club=_printed(str(member.club), member.club.slug if member.club else ""),
                address=address,
            )
            for member, address in people
        ]
    )


def head_of(club: Club) -> Head:
    now = timezone.now().astimezone(club.zone)
    printed = _("Printed %(moment)s") % {"moment": date_format(now, _("j F Y, H:i"))}
    return Head(_printed(club.name, club.slug), "", printed, get_language() or "en")


def _printed(text: str, otherwise: str) -> str:
    """Return a text in printable letters, or `otherwise` if the fonts lack them."""
    return letters.printable(text) if letters.is_legible(text) else otherwise
