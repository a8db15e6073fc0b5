"""A table's page as a value: `page_of(...)`.

`TableState` holds the facts. The form is in `fields.py`, the list of hands in `hands_in.py`, the next step in
`onwards.py`.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.entry import phone_queue
from games.entry.fields import HandFields, fields_of_form
from games.entry.forms import HandForm, fields_of
from games.entry.hands_in import HandsIn, Totals, hands_in_of, totals_at
from games.entry.happened import Happened, notice_of_event
from games.entry.onwards import Onwards, onwards_of
from games.entry.parts import (
    Link,
    Notice,
    back_of,
    confirms_at_in_words,
    hand_line,
    notice_of_errors,
    notice_of_final,
    own_table,
)
from games.entry.preview import hint_of, text_of_form
from games.entry.table_state import TableState, dealers
from games.hands.first_deal import FirstDeal, first_deal_of
from games.hands.seats import one_a_side
from games.models import Hand
from league.ledger.progress import TableNow, dealt_in
from league.models import Seat, Table, Tournament


@dataclass(frozen=True)
class Occasion:
    """The request behind a table's page: the requested hand, typed values, and the latest event.

    `hand` is the number of the requested hand, `again` a voided hand to enter again, `form` a sent form. `is_fresh`
    gives that form a new key and the current seating. `identity` is the owner of hands cached on a phone
    (`session_links.identity_of`). `at` is the time of the request in milliseconds.
    """

    identity: str
    at: int
    hand: int | None = None
    again: Hand | None = None
    form: HandForm | None = None
    is_fresh: bool = False
    message: str = ""
    happened: Happened | None = None


@dataclass(frozen=True)
class EntryForm:
    """The form of a hand. `key` is the idempotency key, `seating` the version of the seating.

    `is_closed`: the form only shows the typed values.
    """

    number: int | None
    save: str
    key: str
    seating: str
    fields: HandFields
    is_closed: bool


@dataclass(frozen=True)
class FirstDealCard:
    """The choice of the first dealer: the cards `drawn`, or the explanation (`asks`).

    `fold` is the title of the `choices`: each seat that can deal, with its player.
    """

    title: str
    text: str
    drawn: FirstDeal
    asks: bool
    fold: str
    choices: tuple[tuple[int, str], ...]
    url: str


@dataclass(frozen=True)
class ToConfirm:
    """A reported table that the viewer may confirm. `when` is the time of its automatic confirmation."""

    url: str
    version: int
    when: SafeString | str


@dataclass(frozen=True)
class OtherTable:
    number: int
    url: str
    hands: str


@dataclass(frozen=True)
class TablePage:
    """A table's page.

    `line` is the subtitle: round, hand, dealer and teams. `tables` links to the other tables of a scorer's link.
    `has_foot` is False for visitors with a link, who see only the languages. `other_hands` are free hands as (number,
    address). `facts` is JSON for a phone that works offline.
    """

    title: str
    heading: str
    line: str
    back: Link | None
    tables: Link | None
    has_foot: bool
    url: str
    happened: Notice | None
    to_confirm: ToConfirm | None
    notices: tuple[Notice, ...]
    first_deal: FirstDealCard | None
    form: EntryForm | None
    onwards: Onwards | None
    totals: Totals | None
    hands: HandsIn | None
    other_hands: tuple[tuple[int, str], ...]
    elsewhere: tuple[OtherTable, ...]
    seating: Link | None
    facts: str


def page_of(state: TableState, occasion: Occasion) -> TablePage:
    access, table, form = state.access, state.table, occasion.form
    number, dealt = _next_hand(state, occasion)
    if form is None and state.is_open and number is not None and not state.is_online:
        form = HandForm(seats=dealt, initial=fields_of(occasion.again) if occasion.again else {})
    entry = None if form is None else _entry_form(state, occasion, form, number, dealt)
    title = heading = _("Table %(number)s") % {"number": table.number}
    if entry is not None and number:
        title = _("Table %(table_number)s, hand %(number)s") % {"table_number": table.number, "number": number}
    slug = access.tournament.slug
    is_scorer_of_all = access.link is not None and not access.link.table and not access.entry
    others = [slot for slot in state.empty if slot != number] if entry is not None and state.is_open else []
    sees_seating = access.link is None or access.tournament.visibility != Tournament.Visibility.PRIVATE
    return TablePage(
        title=title,
        heading=heading,
        line=_line(state, number if entry is not None else None, dealt),
        back=back_of(access),
        tables=Link(_("Tables"), reverse("scoring", args=[slug])) if is_scorer_of_all else None,
        has_foot=access.link is None,
        url=table.get_absolute_url(),
        happened=notice_of_event(state, occasion.happened) if occasion.happened else None,
        to_confirm=_to_confirm(state),
        notices=tuple(_notices(state, occasion, entry)),
        first_deal=_first_deal(state, dealt) if entry is not None else None,
        form=entry,
        onwards=onwards_of(state) if _goes_on(state, entry) else None,
        totals=totals_at(state),
        hands=hands_in_of(state, has_form=entry is not None),
        other_hands=tuple((slot, f"{table.get_absolute_url()}?hand={slot}") for slot in others),
        elsewhere=tuple(_other_table(other) for other in state.elsewhere),
        seating=Link(_("Seating"), reverse("seating", args=[slug])) if sees_seating else None,
        facts=phone_queue.facts(
            table,
            dealt,
            state.empty,
            at=occasion.at,
            bound=occasion.form is not None,
            identity=occasion.identity,
            hint=hint_of(table, len(dealt), state.race),
            race=state.race,
        ),
    )


def _next_hand(state: TableState, occasion: Occasion) -> tuple[int | None, list[Seat]]:
    """Return the number of the page's hand (typed, requested or next empty) and the seats dealt in."""
    if occasion.form is not None:
        return occasion.hand, occasion.form.seats
    number = occasion.hand if occasion.hand in state.empty else next(iter(state.empty), None)
    return number, dealt_in(state.table, number or 0, state.race)


def _line(state: TableState, number: int | None, dealt: Sequence[Seat]) -> str:
    """Return the subtitle. `number` is the hand of the form, if there is one."""
    table = state.table
    parts = [hand_line(table, number) if number else _("Round %(number)s") % {"number": table.round.number}]
    if number and (dealer := dealers(table, dealt, [number]).get(number)):
        parts.append(_("%(dealer)s deals") % {"dealer": dealer})
    if table.round.stage.has_teams and len(sides := one_a_side(state.everyone)) > 1:
        parts.append(_("%(one)s against %(other)s") % {"one": sides[0].entry, "other": sides[1].entry})
    return ". ".join(parts)


def _entry_form(
    state: TableState, occasion: Occasion, form: HandForm, number: int | None, dealt: Sequence[Seat]
) -> EntryForm:
    table, is_new = state.table, occasion.is_fresh or not form.is_bound
    fields = fields_of_form(
        table,
        form,
        text_of_form(table, number or 0, form, state.race),
        everyone=state.everyone,
        race=state.race,
        me=state.access.entry,
        may_not_count=True,
    )
    return EntryForm(
        number=number,
        save=_("Save hand %(number)s") % {"number": "" if number is None else number},
        key=(not is_new and form.typed("key")) or str(uuid.uuid4()),
        seating=str(table.seating_version) if is_new else form.typed("seating_version"),
        fields=fields,
        is_closed=not state.is_open or bool(state.over),
    )


def _first_deal(state: TableState, dealt: Sequence[Seat]) -> FirstDealCard | None:
    """Return the card before the first hand, if no schedule decides who deals."""
    deal = first_deal_of(state.table, dealt) if state.is_open and not state.hands else None
    if deal is None:
        return None
    if deal.dealer:
        title, fold = _("%(name)s deals first") % {"name": deal.dealer}, _("Change the dealer")
        text = _("Chosen by the players.") if deal.by_word else ""
    else:
        title, fold = _("Who deals first?"), _("Choose the dealer")
        text = _("Everyone draws a card. The highest number deals; symbols count 0.")
    url = reverse("first_dealer", args=[state.table.pk])
    return FirstDealCard(title, text, deal, not deal.dealer, fold, tuple(deal.choices), url)


def _goes_on(state: TableState, entry: EntryForm | None) -> bool:
    """Return whether the page shows the next step: the table is over, or needs no hand."""
    return state.is_open and (bool(state.over) or (entry is None and not state.is_online))


def _to_confirm(state: TableState) -> ToConfirm | None:
    table = state.table
    if not state.access.corrects or table.state != Table.State.REPORTED:
        return None
    when = confirms_at_in_words(state.confirms_at, state.access.tournament.zone)
    return ToConfirm(reverse("confirm_table", args=[table.pk]), table.version, when)


def _notices(state: TableState, occasion: Occasion, entry: EntryForm | None) -> Sequence[Notice]:
    """Return the notices: refusals, and reasons why no hand is accepted."""
    found = list(_of_dispute(state))
    if occasion.message:
        stays = _("Your entry is still here.") if occasion.form is not None and state.is_open else ""
        found.append(Notice(f"{occasion.message} {stays}".strip(), "warn", role="alert"))
    in_dock = entry is not None and bool(entry.fields.preview.problem)
    found += notice_of_errors(occasion.form, _("Not saved yet"), in_dock=in_dock)
    if occasion.form is None and occasion.hand and any(hand.number == occasion.hand for hand in state.hands):
        found.append(_filled_already(state, occasion.hand))
    if state.is_online:
        found.append(
            Notice(
                _("Hands are recorded automatically."),
                title=_("This table is played online"),
                icon="i-cards",
                link=Link(_("Open the table"), reverse("play", args=[state.table.pk])),
            )
        )
    return [*found, *_of_the_end(state)]


def _of_dispute(state: TableState) -> Sequence[Notice]:
    if state.table.state != Table.State.DISPUTED:
        return ()
    if state.access.corrects:
        link = Link(_("Compare both versions"), reverse("disputed", args=[state.table.pk]))
        return (Notice(kind="bad", title=_("Disputed"), link=link),)
    if state.access.entry:
        text = _("A director decides. Until then the reported hand counts.")
        return (Notice(text, "bad", title=_("Disputed")),)
    return ()


def _filled_already(state: TableState, number: int) -> Notice:
    text = _("Hand %(number)s is already recorded.") % {"number": number}
    return Notice(text, icon="i-check", role="status")


def _of_the_end(state: TableState) -> Sequence[Notice]:
    """Return a notice if the standings are final or the round is closed."""
    access, played = state.access, state.table.round
    if access.tournament.is_final:
        if access.organises:
            return (notice_of_final(access.tournament),)
        return (Notice(_("The standings are final."), "warn"),)
    if played.is_open:
        return ()
    words = {"number": played.number}
    if access.corrects:
        text = _("Round %(number)s is closed. Its hands can still be corrected.") % words
        return (Notice(text, icon="i-check"),)
    here = own_table(access) if access.entry else reverse("scoring", args=[access.tournament.slug])
    closed = _("Round %(number)s is closed.") % words
    return (Notice(closed, icon="i-check", link=Link(_("Go to the current round"), here)),)


def _other_table(other: TableNow) -> OtherTable:
    words = {"played": other.played, "of": other.hands_wanted}
    if other.hands_wanted:
        hands = _("%(played)s of %(of)s hands recorded") % words
    else:
        hands = ngettext("%(played)s hand recorded", "%(played)s hands recorded", other.played) % words
    return OtherTable(other.table.number, other.table.get_absolute_url(), hands)
