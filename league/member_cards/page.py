"""The page that a member card opens, as a value, and the questions before cards are printed or renewed."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.by_link.my_table import page_of
from league.member_cards.cards import entry_of_card
from league.models import Club, Entry, Player
from league.pages.confirm import Confirmation, Way
from league.public.scorecard import SeatNow


@dataclass(frozen=True)
class EventOnCard:
    """The member's event. now: their seat; None before the first and between rounds."""

    entry: Entry
    event: str
    title: str
    text: str
    now: SeatNow | None


@dataclass(frozen=True)
class CardPage:
    name: str
    club: str
    event: EventOnCard | None


def card_page(member: Player) -> CardPage:
    entry = entry_of_card(member)
    return CardPage(member.name, str(member.club), event_on_card(entry) if entry else None)


def event_on_card(entry: Entry) -> EventOnCard:
    my = page_of(entry.tournament, entry)
    if my.banner is not None or my.now is None:
        title, text = (my.banner.title, my.banner.text) if my.banner else ("", "")
        return EventOnCard(entry, entry.tournament.name, title, text, None)
    return EventOnCard(entry, entry.tournament.name, my.now.title, " ".join(my.now.who), my.now)


def print_question(club: Club, members: Sequence[Player], who: Sequence[str], this_machine: str) -> Confirmation:
    """Confirm printing the cards of these members.

    who: public ids, or none for all. this_machine: the host in the codes, if phones can't open it.
    """
    count = len(members)
    keep = (Way(_("Back"), reverse("members", args=[club.slug])),)
    if not count:
        return Confirmation(title=_("Member cards"), text=_("No members yet."), ways=keep, is_quiet=True)
    title = ngettext("Print the card of %(name)s?", "Print %(count)d member cards?", count)
    text = _(
        "The code on a card opens the member’s table, without an account. "
        "Anyone with the card can enter scores for them."
    )
    again = _("Old cards still work.")
    if this_machine:
        unreachable = _("Phones can’t open %(host)s. Open this page at this computer’s network address instead.")
        again = f"{again} {unreachable % {'host': this_machine}}"
    return Confirmation(
        title=title % {"count": count, "name": members[0].name},
        text=f"{text} {again}",
        ways=keep,
        button=ngettext("Print %(count)d card", "Print %(count)d cards", count) % {"count": count},
        is_quiet=not this_machine,
        hidden=tuple(("who", public_id) for public_id in who),
        url=reverse("member_cards", args=[club.slug]),
    )


def renew_question(club: Club, member: Player) -> Confirmation:
    return Confirmation(
        title=_("Renew the card of %(name)s?") % {"name": member.name},
        text=_("The old card stops working at once, also on phones that used it. Then print the new one."),
        ways=(Way(_("Keep"), reverse("edit_member", args=[club.slug, member.public_id])),),
        button=_("Renew card"),
    )
