"""Lasting steps of a sheet: fixed table, players who must not meet, points of byes, points adjustments."""

from functools import partial

from django import forms
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from league.day import forms as day_forms
from league.day import people
from league.day.byes import byes_of, value_bye
from league.day.sheet.leaving import short_name
from league.day.sheet.playing import address
from league.day.sheet.values import REASON, Draft, Outcome, Setting, StepRequest
from league.day.wishes import conflicting_tables, keep_apart, set_fixed_table
from league.lib.form_fields import dress
from league.lib.translate import figure, label_text, signed_figure
from league.models import Adjustment, Entry, KeptApart, Tournament
from league.rounds.adjustments import adjust, void_adjustment


class AdjustmentForm(forms.Form):
    """low_wins: the lowest total is best, so a penalty adds points."""

    points = forms.IntegerField(
        label=_l("Points"), help_text=_l("Negative for a penalty"), min_value=-10_000, max_value=10_000
    )
    reason = forms.CharField(label=_l("Reason"), max_length=200)

    def __init__(self, *args: object, rounds: list[int], low_wins: bool = False, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if low_wins:
            self.fields["points"].help_text = _("A penalty adds points; negative takes points off")
        numbered = [(str(number), gettext("Round %(number)d") % {"number": number}) for number in rounds]
        self.fields["round"] = forms.ChoiceField(
            label=_("Counts from"), choices=[("", _("The start")), *numbered], required=False
        )
        self.fields["points"].widget.attrs["inputmode"] = "text"  # numeric phone keypads have no minus
        dress(self)


def table_draft(entry: Entry, request: StepRequest) -> Draft:
    form, bound = request.form(day_forms.FixedTableForm)
    number = bound.cleaned_data.get("number")
    words = {"name": entry.name, "number": number}
    meets = [
        _("In round %(round)d, %(other)s also has a fixed table (%(there)d): one of the two moves.")
        % {"round": round_number, "other": other, "there": table}
        for round_number, other, table in (conflicting_tables(entry.tournament, entry, number) if number else ())
    ]
    outcome = Outcome(
        action=lambda: set_fixed_table(tournament=entry.tournament, entry=entry, number=number, by=request.by),
        button=_("Keep table %(number)d for %(name)s") % {"number": number or 0, "name": short_name(entry)}
        if number
        else _("Remove the fixed table") % {"name": short_name(entry)},
        done=(_("%(name)s sits at table %(number)d.") if number else _("%(name)s has no fixed table.")) % words,
        key=str(number),
        sentences=[_("Applies to unpublished rounds."), *meets],
    )
    fixed = entry.fixed_table
    wanted = "number" in request.data and "number" in bound.cleaned_data and (number or fixed)
    return Draft(
        title=_("A fixed table for %(name)s") % words,
        settings=(Setting(_table(fixed), "", address(entry, do="table", number=""), _("Remove")),) if fixed else (),
        form=form,
        fields=("number",),
        button=_("Preview"),
        outcome=outcome if wanted else None,
    )


def _table(number: int) -> str:
    return _("Table %(number)d in every round") % {"number": number}


def apart_from(entry: Entry) -> list[Entry]:
    """Return the players an entry must not meet."""
    pairs = KeptApart.objects.filter(one__tournament=entry.tournament).select_related("one__player", "other__player")
    return [
        pair.other if pair.one_id == entry.pk else pair.one
        for pair in pairs
        if entry.pk in (pair.one_id, pair.other_id)
    ]


def apart_draft(entry: Entry, request: StepRequest) -> Draft:
    apart = request.text("apart") != "no"
    everyone = list(entry.tournament.entries.select_related("player"))
    choices = [(each.public_id, each.name) for each in everyone]
    form, bound = request.form(
        partial(day_forms.ApartForm, players=choices if not apart else people.other_players(entry))
    )
    other = next((each for each in everyone if each.public_id == bound.cleaned_data.get("other")), None)
    return Draft(
        title=_("%(name)s must not meet") % {"name": entry.name},
        settings=tuple(
            Setting(each.name, "", address(entry, do="apart", other=each.public_id, apart="no"), _("Remove"))
            for each in apart_from(entry)
        ),
        form=form,
        fields=("other",) if apart else (),
        hidden=() if apart or other is None else (("apart", "no"), ("other", other.public_id)),
        button=_("Preview"),
        outcome=_apart(entry, other, request, apart=apart) if other else None,
    )


def _apart(entry: Entry, other: Entry, request: StepRequest, *, apart: bool) -> Outcome:
    names = {"name": entry.name, "other": other.name}
    short = {"name": short_name(entry), "other": short_name(other)}
    return Outcome(
        action=lambda: keep_apart(tournament=entry.tournament, entry=entry, other=other, apart=apart, by=request.by),
        button=(_("Keep %(name)s and %(other)s apart") if apart else _("Let %(name)s and %(other)s meet")) % short,
        done=(_("%(name)s and %(other)s won’t meet.") if apart else _("%(name)s and %(other)s may meet.")) % names,
        key=f"{other.public_id} {apart}",
        sentences=[_("Applies to unpublished rounds.")],
    )


def bye_draft(entry: Entry, request: StepRequest) -> Draft:
    form, bound = request.form(partial(day_forms.ByeForm, rounds=byes_of(entry)))
    number, points = bound.cleaned_data.get("round"), bound.cleaned_data.get("points")
    outcome = None
    if number and points is not None:
        words = {"name": entry.name, "number": int(number), "points": points}
        outcome = Outcome(
            action=lambda: value_bye(
                tournament=entry.tournament,
                entry=entry,
                round_number=int(number),
                points=points,
                reason=bound.cleaned_data.get(REASON, ""),
                by=request.by,
            ),
            button=_("Give the bye %(points)d points") % words,
            done=_("The bye of %(name)s in round %(number)d is worth %(points)d.") % words,
            key=f"{number} {points}",
        )
    return Draft(
        title=_("Points for a bye of %(name)s") % {"name": entry.name},
        form=form,
        fields=("round", "points"),
        folded=(REASON,),
        button=_("Preview"),
        outcome=outcome,
    )


def adjustments_of(entry: Entry) -> list[Adjustment]:
    """Return the adjustments that count, without bye points, which have their own step."""
    rows = entry.adjustments.filter(voided_at=None).exclude(kind=Adjustment.Kind.BYE).select_related("round")
    return list(rows.order_by("pk"))


def adjustment_in_words(row: Adjustment) -> str:
    """“Round 3: Late for the third time”"""
    where = _("Round %(number)d") % {"number": row.round.number} if row.round else _("From the start")
    return label_text(where, row.reason)


def rounds_to_choose(tournament: Tournament) -> list[int]:
    """Return the numbers of the published rounds, from which points may count."""
    return [round_.number for round_ in tournament.rounds.shown().order_by("number")]


def adjust_draft(entry: Entry, request: StepRequest) -> Draft:
    tournament = entry.tournament
    rows = adjustments_of(entry)
    voided = next((row for row in rows if str(row.pk) == request.text("void")), None)
    if voided is not None:
        return _void_draft(entry, voided, request)
    numbers = rounds_to_choose(tournament)
    kind = partial(AdjustmentForm, rounds=numbers, low_wins=tournament.stage.lowest_wins)
    form, bound = request.form(kind)
    if not request.is_posted and "round" not in request.data and numbers:
        form.initial["round"] = numbers[-1]
    points = bound.cleaned_data.get("points")
    return Draft(
        title=_("Points adjustment for %(name)s") % {"name": entry.name},
        settings=tuple(
            Setting(
                signed_figure(row.points),
                adjustment_in_words(row),
                address(entry, do="adjust", void=row.pk),
                _("Undo"),
            )
            for row in rows
        ),
        form=form,
        fields=("points", REASON, "round"),
        button=_("Preview"),
        outcome=_adjust(entry, points, bound, request) if points is not None else None,
    )


def _adjust(entry: Entry, points: int, bound: forms.Form, request: StepRequest) -> Outcome:
    words = {"points": signed_figure(points), "name": entry.name}
    number = bound.cleaned_data.get("round")
    return Outcome(
        action=lambda: adjust(
            tournament=entry.tournament,
            entry=entry,
            points=points,
            reason=bound.cleaned_data.get(REASON, "" if request.is_posted else "-"),
            round_number=int(number) if number else None,
            by=request.by,
        ),
        button=(_("Take %(points)s points from %(name)s") if points < 0 else _("Give %(name)s %(points)s points"))
        % {"points": figure(abs(points)), "name": short_name(entry)},
        done=_("%(points)s points for %(name)s.") % words,
        key=f"{points} {number}",
        undo=lambda row: (
            reverse("void_adjustment", args=[entry.tournament.slug, row.pk]) if isinstance(row, Adjustment) else ""
        ),
    )


def _void_draft(entry: Entry, row: Adjustment, request: StepRequest) -> Draft:
    words = {"points": signed_figure(row.points), "name": entry.name}
    return Draft(
        title=_("Undo %(points)s points for %(name)s") % words,
        hint=adjustment_in_words(row),
        hidden=(("void", str(row.pk)),),
        outcome=Outcome(
            action=lambda: void_adjustment(tournament=entry.tournament, adjustment_id=row.pk, by=request.by),
            button=_("Undo %(points)s points") % words,
            done=_("%(points)s points for %(name)s undone.") % words,
            key=f"void {row.pk}",
            sentences=[_("The adjustment stays in the log.")],
        ),
    )
