"""Remarks on a player's sheet, for directors: warnings, and private notes."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext

from league.access import Access
from league.access.clubs import clubs_with
from league.access.rights import InClub
from league.day.sheet.lasting import AdjustmentForm, rounds_to_choose
from league.day.sheet.leaving import short_name
from league.day.sheet.playing import address
from league.day.sheet.values import REASON, Draft, Outcome, Pick, QuietLink, Remark, Setting, StepRequest
from league.ledger.scores import MOST_POINTS
from league.lib.errors import Refused
from league.lib.form_fields import dress, plain_lines
from league.lib.translate import figure, label_text, signed_figure
from league.models import Entry, Player, PlayerWarning
from league.remarks.forms import MOST_REASON, notes_field
from league.remarks.in_words import number_elsewhere, warning_in_words, withdrawal_in_words
from league.remarks.notes import may_write_notes, notes_on, state_of, write_notes
from league.remarks.people import persons_of
from league.remarks.read import warnings_in, warnings_this_season
from league.remarks.warn import public_reason, warn, withdraw

WARN, NOTE = "warn", "note"


class PrivateReasonForm(forms.Form):
    reason = forms.CharField(label=_l("Reason"), max_length=MOST_REASON, help_text=_l("Only directors see it."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


class WarningForm(AdjustmentForm):
    """The reason, and optional points."""

    reason = forms.CharField(label=_l("Reason"), max_length=MOST_REASON, help_text=_l("Only directors see it."))
    points = forms.IntegerField(
        label=_l("Points"),
        help_text=_l("Negative for a penalty"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        required=False,
    )


class NotesForm(forms.Form):
    """notes: the stored ones."""

    notes = notes_field()

    def __init__(self, *args: Any, notes: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["notes"].initial = notes
        self.fields["notes"].help_text = _("Only organisers and directors see them.")
        dress(self)

    def clean_notes(self) -> str:
        return plain_lines(self.cleaned_data["notes"])


@dataclass(frozen=True)
class Remarks:
    """What a director reads on a sheet, and the links that open its steps."""

    lines: tuple[Remark, ...]
    links: tuple[QuietLink, ...]


def remarks_of(entry: Entry, access: Access, viewer: Any) -> Remarks:
    """viewer: the account, whose rights in the club decide about other events and about writing notes."""
    persons = persons_of(entry)
    here = [warning for warning in warnings_in(entry.tournament, persons) if warning.withdrawn_at is None]
    lines = [Remark("i-doc", text) for text in notes_on(access, [entry]).values()]
    lines += [Remark("i-warn", _("Warning, %(what)s") % {"what": _in_words(warning, persons)}) for warning in here]
    if earlier := _elsewhere(entry, viewer, persons):
        single = tuple(warning_in_words(warning, with_event=True, with_name=len(persons) > 1) for warning in earlier)
        lines.append(Remark("i-warn", number_elsewhere(earlier), single))
    links = []
    if not entry.bot:
        links.append(QuietLink("i-warn", _("Warn"), address(entry, do=WARN), WARN))
    if any(may_write_notes(viewer, entry, person) for person in persons):
        links.append(QuietLink("i-doc", _("Note"), address(entry, do=NOTE), NOTE))
    return Remarks(tuple(lines), tuple(links))


def _elsewhere(entry: Entry, viewer: Any, persons: list[Player]) -> list[PlayerWarning]:
    """Return this season's warnings at other events of the club, for the club's directors."""
    club = entry.tournament.club
    if club is None or not clubs_with(viewer, InClub.WARNINGS).filter(pk=club.pk).exists():
        return []
    return [warning for warning in warnings_this_season(club, persons) if warning.tournament_id != entry.tournament_id]


def _in_words(warning: PlayerWarning, persons: list[Player]) -> str:
    return warning_in_words(warning, with_name=len(persons) > 1)


def warn_draft(entry: Entry, request: StepRequest) -> Draft:
    persons = persons_of(entry)
    rows = warnings_in(entry.tournament, persons)
    withdrawn = next((row for row in rows if str(row.pk) == request.text("withdraw")), None)
    if withdrawn is not None and withdrawn.withdrawn_at is None:
        return _withdraw_draft(entry, withdrawn, request)
    tournament = entry.tournament
    person = _person(persons, request)
    numbers = rounds_to_choose(tournament)
    with_points = partial(WarningForm, rounds=numbers, low_wins=tournament.stage.lowest_wins)
    form, bound = request.form(PrivateReasonForm if tournament.is_final else with_points)
    if not request.is_posted and "round" not in request.data and numbers and not tournament.is_final:
        form.initial["round"] = numbers[-1]
    points = bound.cleaned_data.get("points") or 0
    return Draft(
        title=_("Warn %(name)s") % {"name": entry.name},
        settings=tuple(_setting(entry, row, persons) for row in rows),
        picks=_picks(entry, WARN, persons, person),
        picks_legend=_("Who is warned?"),
        form=form if person else None,
        fields=tuple(name for name in (REASON, "points", "round") if name in form.fields) if person else (),
        hidden=(("who", person.public_id),) if person and len(persons) > 1 else (),
        button=_("Warn %(name)s") % {"name": _short(entry, person)} if person else "",
        outcome=_warn(entry, person, points, bound, request) if person and (points or request.is_posted) else None,
        is_private=True,
    )


def _warn(entry: Entry, person: Player, points: int, bound: forms.Form, request: StepRequest) -> Outcome:
    number = bound.cleaned_data.get("round")
    words = {"name": _short(entry, person), "points": figure(abs(points))}
    button = _("Warn %(name)s")
    if points < 0:
        button = _("Warn %(name)s, take %(points)s points")
    elif points:
        button = _("Warn %(name)s, give %(points)s points")
    public = {"points": signed_figure(points), "reason": public_reason()}
    return Outcome(
        action=lambda: warn(
            entry=entry,
            person=person,
            reason=bound.cleaned_data.get(REASON, "" if request.is_posted else "-"),
            points=points,
            round_number=int(number) if number else None,
            by=request.by,
        ),
        button=button % words,
        done=_("%(name)s has a warning.") % {"name": person.name},
        key=f"{person.public_id} {points} {number}",
        sentences=[_("Everyone sees %(points)s points with the reason “%(reason)s”.") % public] if points else [],
        undo=lambda row: (
            reverse("withdraw_warning", args=[entry.tournament.slug, row.pk]) if isinstance(row, PlayerWarning) else ""
        ),
        at_once=not points,
    )


def _setting(entry: Entry, row: PlayerWarning, persons: list[Player]) -> Setting:
    if row.withdrawn_at is not None:
        return Setting(_in_words(row, persons), withdrawal_in_words(row))
    url = address(entry, do=WARN, withdraw=row.pk)
    return Setting(_in_words(row, persons), "", url, pgettext("warning", "Withdraw"))


def _withdraw_draft(entry: Entry, row: PlayerWarning, request: StepRequest) -> Draft:
    form, bound = request.form(PrivateReasonForm)
    has_points = bool(row.points)
    outcome = Outcome(
        action=lambda: withdraw(
            warning=row, reason=bound.cleaned_data.get(REASON, "" if request.is_posted else "-"), by=request.by
        ),
        button=_("Withdraw the warning"),
        done=_("The warning to %(name)s is withdrawn.") % {"name": row.player.name},
        key=f"withdraw {row.pk}",
        sentences=[_("Undoes %(points)s points too.") % {"points": signed_figure(row.points)}] if has_points else [],
        at_once=not has_points,
    )
    return Draft(
        title=_("Withdraw the warning to %(name)s") % {"name": row.player.name},
        hint=warning_in_words(row),
        form=form,
        fields=(REASON,),
        hidden=(("withdraw", str(row.pk)),),
        outcome=outcome,
        is_private=True,
    )


def note_draft(entry: Entry, request: StepRequest) -> Draft:
    """Return the step in which an organiser edits the notes on a person."""
    persons = [person for person in persons_of(entry) if may_write_notes(request.by, entry, person)]
    if not persons:
        sentence = _("Only the organisers of the club write notes on %(name)s.")
        raise Refused("not-yours", sentence % {"name": entry.name})
    person = _person(persons, request)
    form, bound = request.form(partial(NotesForm, notes=person.notes if person else ""))
    notes = bound.cleaned_data.get("notes", "")
    was = request.text("was") if request.is_posted and not request.refused else state_of(person.notes if person else "")
    return Draft(
        title=_("Notes on %(name)s") % {"name": person.name if person else entry.name},
        hint=label_text(_("Stored now"), person.notes) if person and request.refused == "changed" else "",
        picks=_picks(entry, NOTE, persons, person),
        picks_legend=_("Notes on whom?"),
        form=form if person else None,
        fields=("notes",) if person else (),
        hidden=(("who", person.public_id), ("was", was)) if person else (),
        button=_("Save notes") if person else "",
        outcome=Outcome(
            action=lambda: write_notes(entry=entry, person=person, notes=notes, was=was, by=request.by),
            button=_("Save notes"),
            done=_("Notes on %(name)s saved.") % {"name": person.name},
            at_once=True,
        )
        if person
        else None,
        is_private=True,
    )


def _person(persons: list[Player], request: StepRequest) -> Player | None:
    """Return the picked person; the only one needs no pick."""
    if len(persons) == 1:
        return persons[0]
    return next((person for person in persons if person.public_id == request.text("who")), None)


def _picks(entry: Entry, do: str, persons: list[Player], picked: Player | None) -> tuple[Pick, ...]:
    if len(persons) == 1:
        return ()
    return tuple(
        Pick(person.name, "", address(entry, do=do, who=person.public_id), person == picked) for person in persons
    )


def _short(entry: Entry, person: Player) -> str:
    return short_name(entry) if person == entry.player else person.name
