"""Pages for typing a hand again: a correction, a player's dispute, and a conflict of two versions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.template.defaultfilters import capfirst
from django.urls import reverse
from django.utils.translation import gettext as _

from games.entry import sheet
from games.entry.fields import HandFields, fields_of_form
from games.entry.forms import CorrectionForm, DisputeForm, HandForm, fields_of
from games.entry.parts import Link, Notice, back_of, hand_line, notice_of_errors, notice_of_final
from games.entry.preview import Preview, hint_of, preview_of_form, text_of, text_of_form
from games.models import Hand
from league.access import Access
from league.ledger.progress import dealt_in, race_of
from league.lib.translate import names
from league.models import Seat, Table
from league.rounds.cut import decides_seats


@dataclass(frozen=True)
class Comparison:
    """A hand before and after a change, seat by seat, and the ranks or points that change.

    `now` is None while the typed hand is incomplete or impossible. `hint` replaces empty `moves`. `who` recorded the
    old version, at `recorded_at`.
    """

    who: str
    recorded_at: datetime
    was: tuple[sheet.Line, ...]
    now: tuple[sheet.Line, ...] | None
    moves: tuple[sheet.Move, ...]
    hint: str


@dataclass(frozen=True)
class CorrectionPage:
    """The form of a correction, with a comparison of both versions.

    `asks_later`: the next page shows the changes and takes the reason. `is_final`: the tournament is closed, so saving
    is disabled.
    """

    about: str
    table: Link
    notices: tuple[Notice, ...]
    fields: HandFields
    comparison: Comparison
    url: str
    version: str
    hand: int
    reason: str
    button: str
    asks_later: bool
    is_final: bool


@dataclass(frozen=True)
class DisputePage:
    """The form of a dispute, filled with the reported hand."""

    heading: str
    line: str
    table: Link
    notices: tuple[Notice, ...]
    reported: str
    by: str
    fields: HandFields
    url: str
    version: str
    hand: int
    reason: str


@dataclass(frozen=True)
class ConflictPage:
    """Two versions of a hand, saved by two people: the recorded one and the one just sent.

    `their_sides` and `my_sides` are filled for partners only. `correct` and `dispute` are the addresses to which the
    viewer can send `typed`. `key` is the idempotency key of the sent form; `release` lets go of it.
    """

    heading: str
    line: str
    back: Link | None
    has_foot: bool
    text: str
    by: str
    recorded_at: datetime
    theirs: tuple[sheet.Line, ...]
    their_sides: tuple[sheet.Side, ...]
    mine: tuple[sheet.Line, ...]
    my_sides: tuple[sheet.Side, ...]
    table: Link
    key: str
    release: str
    correct: str
    dispute: str
    version: int
    reason: str
    typed: tuple[tuple[str, str], ...]
    hint: str


def compare(table: Table, seats: Sequence[Seat], hand: Hand, preview: Preview | None) -> Comparison:
    """Compare a hand with its replacement, and list the changes in the standings."""
    was = sheet.lines(table, seats, hand.went_out, hand.seats)
    now: Sequence[sheet.Line] | None = None
    moves: Sequence[sheet.Move] = ()
    if preview is not None and preview.judged is not None:
        was, now = sheet.compare(was, sheet.judged_lines(table, seats, preview.judged))
        moves = sheet.moves(table.round.tournament, table, hand.number, preview.judged)
    if any(line.differs for line in now or ()):
        hint = _("The standings stay as they are.")
    else:
        hint = _("Changes to the standings appear here.")
    return Comparison(
        who=hand.who,
        recorded_at=hand.recorded_at,
        was=tuple(was),
        now=None if now is None else tuple(now),
        moves=tuple(moves),
        hint="" if moves else hint,
    )


def correction_page(
    access: Access, table: Table, hand: Hand, form: CorrectionForm | None = None, message: str = ""
) -> CorrectionPage:
    """Build the page of a correction.

    `form` is the form as sent. `message` is a refusal that belongs to no field.
    """
    race = race_of(table.round)
    bound = form or CorrectionForm(seats=dealt_in(table, hand.number, race), initial=fields_of(hand))
    preview = preview_of_form(table, hand.number, bound, hand, race)
    text = text_of(preview, hint_of(table, len(bound.seats), race))
    notices: list[Notice] = []
    if message:
        here = _("Your entry is still here.") if form else ""
        notices.append(Notice(f"{message} {here}".strip(), "warn", role="alert"))
    else:
        notices += notice_of_errors(form, _("Not saved yet"))
    if access.tournament.is_final:
        notices.append(notice_of_final(access.tournament))
    later = asks_later(table)
    return CorrectionPage(
        about=slot_line(table, hand.number),
        table=Link(_("Table %(number)s") % {"number": table.number}, table.get_absolute_url()),
        notices=tuple(notices),
        fields=fields_of_form(table, bound, text),
        comparison=compare(table, bound.seats, hand, preview),
        url=reverse("correct_hand", args=[hand.pk]),
        # After a conflict, use the current version; a refused form keeps the version it was typed for.
        version=str(table.version) if form is None or message else form.typed("version"),
        hand=hand.pk,
        reason=bound.typed("reason"),
        button=_("Preview") if later else _("Correct hand"),
        asks_later=later,
        is_final=access.tournament.is_final,
    )


def slot_line(table: Table, number: int) -> str:
    """Return for example “Round 1, table 2, hand 3”."""
    words = {"round_number": table.round.number, "table_number": table.number, "number": number}
    return _("Round %(round_number)s, table %(table_number)s, hand %(number)s") % words


def asks_later(table: Table) -> bool:
    """Return whether the page after a correction takes the reason; only if that page always appears."""
    return decides_seats(table.round.stage) and not table.round.is_open


def dispute_page(table: Table, hand: Hand, form: DisputeForm | None = None) -> DisputePage:
    """Build the page of a dispute. `form` is the form as sent."""
    race = race_of(table.round)
    bound = form or DisputeForm(seats=dealt_in(table, hand.number, race), initial=fields_of(hand))
    shown = next(iter(sheet.hand_lines(table, [hand], race)), None)
    by = _("Reported by %(name)s") % {"name": hand.player} if hand.player else hand.who
    return DisputePage(
        heading=_("Hand %(number)s is wrong") % {"number": hand.number},
        line=slot_line(table, hand.number),
        table=Link(_("Table %(number)s") % {"number": table.number}, table.get_absolute_url()),
        notices=tuple(notice_of_errors(form, _("Not saved yet"))),
        reported=capfirst(shown.sentence) if shown else "",
        by=f"{by}.",
        fields=fields_of_form(table, bound, text_of_form(table, hand.number, bound, race)),
        url=reverse("dispute_hand", args=[hand.pk]),
        version=str(table.version) if form is None else form.typed("version"),
        hand=hand.number,
        reason=bound.typed("reason"),
    )


def conflict_page(access: Access, table: Table, standing: Hand, form: HandForm) -> ConflictPage:
    """Build the page for a hand that was saved (`standing`) while `form` was typed."""
    preview = preview_of_form(table, standing.number, form, standing)
    comparison = compare(table, form.seats, standing, preview)
    scores = sheet.scores_of(table, standing) if table.round.stage.has_partners else []
    differing = [line.name for line in comparison.now or () if line.differs]
    text = _("Count again, then keep one version.")
    if differing:
        text = _("The versions differ for %(people)s. Count again, then keep one.") % {"people": names(differing)}
    by = standing.who
    if standing.recorded_by:
        by = _("Saved by %(who)s") % {"who": standing.recorded_by}
    return ConflictPage(
        heading=_("Table %(number)s") % {"number": table.number},
        line=hand_line(table, standing.number),
        back=back_of(access),
        has_foot=access.link is None,
        text=text,
        by=by,
        recorded_at=standing.recorded_at,
        theirs=comparison.was,
        their_sides=tuple(sheet.sides(table, form.seats, scores, standing.went_out)) if scores else (),
        mine=comparison.now or (),
        my_sides=preview.sides if preview and scores else (),
        table=Link(_("Table %(number)s") % {"number": table.number}, table.get_absolute_url()),
        key=form.typed("key"),
        release=reverse("drop_on_phone", args=[table.pk]),
        correct=reverse("correct_hand", args=[standing.pk])
        if access.corrects and not access.tournament.is_final
        else "",
        dispute=reverse("dispute_hand", args=[standing.pk]) if access.entry else "",
        version=table.version,
        reason=_("Entered twice, counted again"),
        typed=tuple((name, str(form.data.get(name, ""))) for name in form.typed_fields()),
        hint=_how_to_insist(access),
    )


def _how_to_insist(access: Access) -> str:
    if access.tournament.is_final:
        return _("The standings are final. Reopen the tournament to change a hand.")
    if access.entry:
        return _("If yours is right, dispute theirs. A director decides.")
    if access.corrects:
        return _("Yours replaces theirs as a correction.")
    return _("If yours is right, show this page to the organiser.")
