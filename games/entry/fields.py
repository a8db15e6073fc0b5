"""The fields of a hand's form, the card pad, and the places of the seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.entry import sheet
from games.entry.forms import ReportForm
from games.entry.preview import PreviewText
from games.entry.table_state import totals_of
from games.hands.seats import person
from league.ledger.race import RaceLedger
from league.models import Entry, Seat, Table
from league.public.pictures import table_plan

CODE_EXAMPLES = ("B7", "GS", "RR", "YD", "W", "WD")  # a number card, each action card, both wild cards
MOST_IN_THE_DOCK = 6  # players; a longer preview fills a phone, so it moves below the pad


@dataclass(frozen=True)
class SeatFields:
    """The fields of one seat, with the typed values.

    `at` is the CSS class of its place in the ring or plan. `total` is the player's total, if everyone plays alone.
    `is_out` means that the form names this seat as the one that went out.
    """

    seat: int
    name: str
    at: str
    total: str
    is_out: bool
    cards: str
    count: str
    points: str
    errors: tuple[str, ...]


@dataclass(frozen=True)
class AwaySeat:
    """A player at the table who is no longer dealt in."""

    at: str
    name: str
    total: str


class Hue(NamedTuple):
    """A colour of the pad: CSS class, letter of its cards, and name."""

    css: str
    letter: str
    name: str


@dataclass(frozen=True)
class HandFields:
    """The fields of a form. The inputs hold the truth; scorer.js writes into them.

    `ring` is a CSS class, empty for the plan of partners. `went_out` is a seat, `none`, `time` or empty.
    `may_not_count`: the slot can be closed without a score because time was up. `blocked` explains what counts if no
    one went out; with `blocked_free`, nothing does. `is_crowded`: too many players for the preview to fit in the dock.
    """

    table: int
    table_number: int
    seats: tuple[SeatFields, ...]
    ring: str
    away: tuple[AwaySeat, ...]
    went_out: str
    errors: tuple[str, ...]
    may_not_count: bool
    blocked: str
    blocked_free: bool
    partner_free: bool
    hues: tuple[Hue, ...]
    keys: tuple[sheet.Key, ...]
    code_examples: tuple[sheet.Face, ...]
    has_specials: bool
    is_crowded: bool
    preview: PreviewText


def fields_of_form(
    table: Table,
    form: ReportForm,
    preview: PreviewText,
    *,
    everyone: Sequence[Seat] = (),
    race: RaceLedger | None = None,
    me: Entry | None = None,
    may_not_count: bool = False,
) -> HandFields:
    """Build the fields for the seats that are dealt in, with `me` at the bottom.

    `everyone` (all seats of the table) and `race` (for Challenge UNO) supply the totals and the players who are out.
    """
    stage, edition = table.round.stage, sheet.edition_of(table)
    winner_takes = stage.scoring == "winner-takes"
    totals = {total.seat: total for total in totals_of(table, everyone, race)} if everyone else {}
    chairs = 1 + max([*form.by_number, *(seat.number or 0 for seat in everyone)], default=0)
    first = next((seat.number or 0 for seat in everyone if me and seat.entry_id == me.pk), 0)
    went_out = str(form["went_out"].value() or "")

    def place(seat: int) -> str:
        return table_plan.COMPASS[seat] if stage.has_partners else table_plan.place((seat - first) % chairs, chairs)

    return HandFields(
        table=table.pk,
        table_number=table.number,
        seats=tuple(
            SeatFields(
                seat=seat,
                name=person(sitting),
                at=place(seat),
                total=totals[seat].short if seat in totals else "",
                is_out=went_out == str(seat),
                cards=form.typed(f"cards_{seat}"),
                count=form.typed(f"count_{seat}"),
                points=form.typed(f"points_{seat}"),
                errors=tuple(form.errors_of(seat)),
            )
            for seat, sitting in form.by_number.items()
        ),
        ring="" if stage.has_partners else table_plan.ring(chairs),
        away=tuple(
            AwaySeat(place(seat), total.name, total.short)
            for seat, total in totals.items()
            if seat not in form.by_number
        ),
        went_out=went_out,
        errors=tuple(map(str, form["went_out"].errors)) if form.is_bound else (),
        may_not_count=may_not_count,
        blocked=_("No one scores. Don’t enter any cards.") if winner_takes else _("Enter the cards of every player."),
        blocked_free=winner_takes,
        partner_free=stage.has_partners and winner_takes,
        hues=_hues(),
        keys=tuple(sheet.pad(edition)),
        code_examples=tuple(sheet.face(edition, code) for code in (*CODE_EXAMPLES, *edition.specials)),
        has_specials=bool(edition.specials),
        is_crowded=len(form.by_number) > MOST_IN_THE_DOCK,
        preview=preview,
    )


def _hues() -> tuple[Hue, ...]:
    return (
        Hue("red", "R", _("Red")),
        Hue("yellow", "Y", _("Yellow")),
        Hue("green", "G", _("Green")),
        Hue("blue", "B", _("Blue")),
    )
