"""The fields of a hand, the pad of its cards and who sits where, as the pages with a form show them."""

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

MOST_IN_THE_DOCK = 6  # players; the effect of a hand on more of them fills a phone, so it stands below the pad


@dataclass(frozen=True)
class SeatFields:
    """The fields of a seat with what was typed.

    `at`: the CSS class of its place in the ring or plan. `total`: how its player stands, where everybody plays alone.
    `is_out`: whether the form says that they went out.
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
    """A player of the table who is not dealt in any more."""

    at: str
    name: str
    total: str


class Hue(NamedTuple):
    """A colour of the pad: its CSS class, the letter of its cards, and its name."""

    css: str
    letter: str
    name: str


@dataclass(frozen=True)
class HandFields:
    """The fields of a form, ready to show. The inputs are the truth; scorer.js writes into them.

    `ring`: its CSS class, empty for the plan of partners. `went_out`: `none` or `time` if the form says so, else
    empty. `may_not_count`: whether the hand may be closed because time was up. `blocked`: what counts if nobody went
    out, which is nothing with `blocked_free`. `is_crowded`: whether too many play for the preview to be in the dock.
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
    specials: tuple[sheet.Face, ...]
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
    """The fields of a form: of those who are dealt in, where they sit, `me` at the bottom.

    `everyone` at the table, and the `race` of a Challenge UNO, tell who is out or has left, and how many points the
    others have.
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
        blocked=_("Nobody scores, so no cards are asked for.")
        if winner_takes
        else _("Everybody’s own cards count: enter what each holds."),
        blocked_free=winner_takes,
        partner_free=stage.has_partners and winner_takes,
        hues=_hues(),
        keys=tuple(sheet.pad(edition)),
        specials=tuple(sheet.face(edition, code) for code in edition.specials),
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
