"""The pages on which a hand is typed once more, with their words: a correction, and a player's dispute."""

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
    """A hand as it was and as it will be, seat by seat, and whose rank or points that moves; `hint` if nobody's.

    `now` is None as long as the typed hand is not complete or not possible. `who` entered what was, and when.
    """

    who: str
    recorded_at: datetime
    was: tuple[sheet.Line, ...]
    now: tuple[sheet.Line, ...] | None
    moves: tuple[sheet.Move, ...]
    hint: str


@dataclass(frozen=True)
class CorrectionPage:
    """A hand with its fields, what it was and will be, what that moves, and why.

    `asks_later`: another page shows what changes, and asks for the reason. `is_final`: nothing can be saved.
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
    """A hand as it was reported, in the fields in which a player says that it was another one."""

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
    """Two people saved a hand differently: the version that stands beside the one that was sent.

    The sides are those of partners. `correct` and `dispute`: the address at which the viewer may insist on theirs,
    with what was `typed`. `key`: under which it was sent.
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
    correct: str
    dispute: str
    version: int
    reason: str
    typed: tuple[tuple[str, str], ...]
    hint: str


def compare(table: Table, seats: Sequence[Seat], hand: Hand, preview: Preview | None) -> Comparison:
    """A hand beside what would take its place, and what that moves."""
    was = sheet.lines(table, seats, hand.went_out, hand.seats)
    now: Sequence[sheet.Line] | None = None
    moves: Sequence[sheet.Move] = ()
    if preview is not None and preview.judged is not None:
        was, now = sheet.compare(was, sheet.judged_lines(table, seats, preview.judged))
        moves = sheet.moves(table.round.tournament, table, hand.number, preview.judged)
    if any(line.differs for line in now or ()):
        hint = _("The standings stay as they are.")
    else:
        hint = _("Nothing yet: change what was wrong, and what it moves is shown here.")
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
    """`form` as it was sent; `message`: why it was refused, if that is no matter of its fields."""
    race = race_of(table.round)
    bound = form or CorrectionForm(seats=dealt_in(table, hand.number, race), initial=fields_of(hand))
    preview = preview_of_form(table, hand.number, bound, hand, race)
    text = text_of(preview, hint_of(table, len(bound.seats), race))
    notices: list[Notice] = []
    if message:
        here = _("What you typed is still here; below is the hand as it stands now.") if form else ""
        notices.append(Notice(f"{message} {here}".strip(), "warn", role="alert"))
    else:
        notices += notice_of_errors(form, _("The correction is not saved yet"))
    if access.tournament.is_final:
        notices.append(notice_of_final(access.tournament))
    later = asks_later(table)
    words = {"round_number": table.round.number, "table_number": table.number, "number": hand.number}
    about = _(
        "Round %(round_number)s, table %(table_number)s, hand %(number)s. Nothing is saved before you press the "
        "button; both versions stay in the history."
    )
    return CorrectionPage(
        about=about % words,
        table=Link(_("To table %(number)s") % {"number": table.number}, table.get_absolute_url()),
        notices=tuple(notices),
        fields=fields_of_form(table, bound, text),
        comparison=compare(table, bound.seats, hand, preview),
        url=reverse("correct_hand", args=[hand.pk]),
        # A version conflict shows the table as it is now; a form that was refused keeps the version it was typed for.
        version=str(table.version) if form is None or message else form.typed("version"),
        hand=hand.pk,
        reason=bound.typed("reason"),
        button=_("See what changes") if later else _("Correct the hand"),
        asks_later=later,
        is_final=access.tournament.is_final,
    )


def asks_later(table: Table) -> bool:
    """Whether the page after a correction asks for the reason: where that page always comes."""
    return decides_seats(table.round.stage) and not table.round.is_open


def dispute_page(table: Table, hand: Hand, form: DisputeForm | None = None) -> DisputePage:
    """`form` as it was sent."""
    race = race_of(table.round)
    bound = form or DisputeForm(seats=dealt_in(table, hand.number, race), initial=fields_of(hand))
    shown = next(iter(sheet.hand_lines(table, [hand], race)), None)
    words = {
        "round_number": table.round.number,
        "table_number": table.number,
        "number": hand.number,
        "of": table.hands_wanted,
    }
    if table.hands_wanted:
        line = _("Round %(round_number)s, table %(table_number)s, hand %(number)s of %(of)s") % words
    else:
        line = _("Round %(round_number)s, table %(table_number)s, hand %(number)s") % words
    return DisputePage(
        heading=_("Hand %(number)s is wrong") % words,
        line=line,
        table=Link(_("Table %(number)s") % {"number": table.number}, table.get_absolute_url()),
        notices=tuple(notice_of_errors(form, _("Nothing is noted yet"))),
        reported=capfirst(shown.sentence) if shown else "",
        by=_("Reported by %(name)s.") % {"name": hand.player} if hand.player else f"{hand.who}.",
        fields=fields_of_form(table, bound, text_of_form(table, hand.number, bound, race)),
        url=reverse("dispute_hand", args=[hand.pk]),
        version=str(table.version) if form is None else form.typed("version"),
        hand=hand.number,
        reason=bound.typed("reason"),
    )


def conflict_page(access: Access, table: Table, standing: Hand, form: HandForm) -> ConflictPage:
    """`standing` was saved while the `form` was typed."""
    preview = preview_of_form(table, standing.number, form, standing)
    comparison = compare(table, form.seats, standing, preview)
    scores = sheet.scores_of(table, standing) if table.round.stage.has_partners else []
    differing = [line.name for line in comparison.now or () if line.differs]
    text = _("Nothing of yours is lost. Keep one; the other stays in the history.")
    if differing:
        text = _(
            "Nothing of yours is lost. The two differ in what is said of %(people)s: count again and keep one. The "
            "other stays in the history."
        ) % {"people": names(differing)}
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
        return _("The standings are final. To change a hand, reopen the tournament under Now first.")
    if access.entry:
        return _("If yours is right, say so: a director sees both versions and decides.")
    if access.corrects:
        return _(
            "Yours would take the place of theirs as a correction; the log gives the reason “Entered twice, counted "
            "again”."
        )
    return _(
        "If yours is right, show this page to the organiser, who can correct the hand. Nothing of yours is saved yet."
    )
