"""A hand's position in words, to finish it with real cards.

It lists all players' cards, so only the director who chose real cards may see it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.cards import COLORS, WILDS, is_wild
from engine.rules import EDITIONS, Edition
from engine.state import ANSWER, COLOR, DRAWN, TURN
from engine.view import event_for
from games.models import Deal
from games.online.page.log_in_words import color_in_words, played_card, story_of
from games.online.play.places import Place, names_of, places_of
from games.online.play.replay import Played, replay
from league.lib.translate import card_name

_FACES = "0123456789SRD"


@dataclass(frozen=True)
class Own:
    """One player's cards by name, sorted; `note` names a card they just drew."""

    name: str
    player_id: str
    cards: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class Position:
    """`facts` are (label, value) of public facts. `people` by seat, to the left."""

    facts: tuple[tuple[str, str], ...]
    waits_for: tuple[str, ...]
    discard: tuple[str, ...]  # from first to top card
    pile: int
    people: tuple[Own, ...]

    @property
    def steps(self) -> list[str]:
        """Return how to lay out the hand with real cards."""
        return [
            _("Take a full deck. Give each player the cards on their slip, face down."),
            _("Lay out the discard pile face up, first card at the bottom."),
            ngettext(
                "The other %(count)d card is the draw pile.",
                "Shuffle the other %(count)d cards as the draw pile.",
                self.pile,
            )
            % {"count": self.pile},
            _("Play on, then enter the result as usual."),
        ]


def position_of(deal: Deal) -> Position:
    places = places_of(deal)
    played = replay(deal, names_of(places))
    public = played.hand.public
    edition = EDITIONS[deal.rules["edition"]]
    top = public.discard[-1]
    color = color_in_words(public.color).capitalize() if public.color else _("not chosen yet")
    return Position(
        facts=(
            (_("Top card"), card_name(top, edition)),
            (_("Colour in play"), color),
            (_("Direction"), _("to the left") if public.direction == 1 else _("to the right")),
            (_("To play"), public.names[public.turn]),
            (_("Draw pile"), ngettext("%(count)d card", "%(count)d cards", public.pile) % {"count": public.pile}),
        ),
        waits_for=tuple(_waits_for(played, edition)),
        discard=tuple(card_name(card, edition) for card in public.discard),
        pile=public.pile,
        people=tuple(_own(place, played, edition) for place in places),
    )


def _own(place: Place, played: Played, edition: Edition) -> Own:
    hand = played.hand
    drew = hand.public.step == DRAWN and hand.public.turn == place.at and hand.drawn
    note = _("You just drew %(card)s.") % {"card": card_name(hand.drawn, edition)} if drew and hand.drawn else ""
    cards = tuple(card_name(card, edition) for card in sorted(hand.cards[place.at], key=_order))
    return Own(place.name, place.entry.public_id, cards, note)


def _order(card: str) -> tuple[int, int]:
    if is_wild(card):
        return len(COLORS), list(WILDS).index(card)
    return list(COLORS).index(card[0]), _FACES.index(card[1])


def _waits_for(played: Played, edition: Edition) -> Sequence[str]:
    """Return the awaited action, and which players can be caught."""
    public = played.hand.public
    words = {"name": public.names[public.turn]}
    if public.step == ANSWER:
        sentences = _answer_sentences(played, edition)
    else:
        sentences = [
            {
                COLOR: _("%(name)s chooses the colour."),
                TURN: _("%(name)s plays or draws a card."),
                DRAWN: _("%(name)s plays or keeps the drawn card."),
            }[public.step]
            % words
        ]
    caught = _("%(name)s has one card without calling UNO, and can be caught.")
    return [*sentences, *(caught % {"name": public.names[seat]} for seat in public.uno)]


def _answer_sentences(played: Played, edition: Edition) -> list[str]:
    public = played.hand.public
    words = {
        "name": public.names[public.turn],
        "other": public.names[public.asker],
        "card": played_card(public.aimed, public.color if is_wild(public.aimed) else "", edition),
        "count": public.stake,
    }
    sentences = [_("%(other)s played %(card)s. %(name)s must answer.") % words]
    if public.stake:
        takes = ngettext("To accept, draw %(count)d card.", "To accept, draw %(count)d cards.", public.stake)
        sentences.append(takes % words)
    if public.aimed == "WD":
        before = story_of([event_for(event, None) for event in played.hand.log]).before
        if before:
            was = _("For a challenge: the colour before was %(color)s. Check the slip of %(other)s.")
            sentences.append(was % (words | {"color": color_in_words(before)}))
    return sentences
