"""The page of a new tournament as a value: the form, and the plan that follows from the answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.forms import BoundField
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.entries.forms import lines_in_words
from league.entries.list_preview import ListPreview, preview_of
from league.formats import FORMATS, Format, groups
from league.formats.estimate import Evening, in_sequence, with_second_ladder
from league.lib.errors import Refused
from league.lib.translate import translate
from league.setup.forms import ClubChoiceForm
from league.setup.new.form import NewTournamentForm
from league.setup.new.members import MembersToTick
from league.setup.new.plan import InShort, Plan, in_short, plan_of, unread_lines
from league.setup.new.suggest import (
    Column,
    clock_after,
    columns_of_stages,
    length_in_words,
    rules_in_words,
    shorter,
    why_not_as_asked,
)
from league.setup.stages.in_words import plan_in_words, who_in_words
from league.setup.stages.rules_form import has_exclusive, slots
from league.setup.stages.stage_plan import check_plan, check_stage

OTHERS = 2  # formats next to the suggested one; the rest is folded


@dataclass(frozen=True)
class Choice:
    """A format to choose.

    key: the value of its radio button, empty while it is only suggested. text: a description, or why it's impossible.
    slot: lets the style sheet show its fields. either: some settings exclude each other.
    """

    format: str
    key: str
    name: str
    text: str
    length: str = ""
    slot: str = ""
    either: bool = False
    is_suggested: bool = False
    columns: Sequence[Column] = ()

    @property
    def has_times(self) -> bool:
        return any(column.begins for column in self.columns)


@dataclass(frozen=True)
class Suggestion:
    """The suggested or picked format, and others. answered: the answers it was made for.

    note: why it differs from the answers. warning: why it's impossible, or that it takes too long.
    """

    answered: str = ""
    note: str = ""
    choice: Choice | None = None
    warning: str = ""
    others: Sequence[Choice] = ()
    more: Sequence[Choice] = ()

    @property
    def more_formats(self) -> str:
        count = len(self.more)
        return ngettext("%(count)s more format", "%(count)s more formats", count) % {"count": count}


class Line(NamedTuple):
    """A folded section and its current value. Empty text: not understood. id: of its element."""

    id: str
    text: str


@dataclass(frozen=True)
class Lines:
    rules: Line
    then: Line
    when: Line
    name: Line
    seen: Line
    where: Line
    club: Line | None = None

    @property
    def all(self) -> list[Line]:
        lines = (self.rules, self.then, self.when, self.name, self.club, self.seen, self.where)
        return [line for line in lines if line is not None]


@dataclass(frozen=True)
class NewPage:
    """line_errors: of the list, in words. preview: how the list was read, if that is in doubt. names: number of listed
    players that replaces the typed number; who_counts explains that."""

    lines: Lines
    plan: Plan
    in_short: InShort
    suggestion: Suggestion
    preview: ListPreview | None = None
    line_errors: Sequence[str] = ()
    names: int = 0
    who_counts: str = ""
    members: MembersToTick | None = None


def new_page(form: NewTournamentForm, of_club: ClubChoiceForm, members: MembersToTick | None = None) -> NewPage:
    """members: of the chosen club."""
    page = _count_along(form if form.is_bound else _as_it_stands(form), of_club)
    preview = preview_of(form) if form.is_bound and form.is_doubtful else None
    return replace(page, preview=preview, line_errors=lines_in_words(form.line_errors), members=members)


def _as_it_stands(form: NewTournamentForm) -> NewTournamentForm:
    """Return the unbound form as if it had been posted with its defaults."""
    fields = {field.html_name: field.value() for field in form}
    data = {name: value for name, value in fields.items() if value is not None}
    return NewTournamentForm(data, members=form.members)


def _count_along(form: NewTournamentForm, of_club: ClubChoiceForm) -> NewPage:
    form.is_valid()
    if not form.plays:
        lines, plan = lines_of(form, of_club, None), Plan(question=_question())
        return NewPage(lines, plan, InShort(), Suggestion(), who_counts=who_counts(0))
    plays, names = FORMATS[form.plays], form.entered()
    stages: list[tuple[Format, Evening]] = []
    impossible = form.first_fault()
    number = names or plays.entries_of(form.people())
    if number and not impossible:
        try:
            stages = _stages(form, number)
        except Refused as refused:
            impossible = str(refused)
    counted = in_sequence([evening for _plays, evening in stages]) if stages else None
    return NewPage(
        lines=lines_of(form, of_club, stages[0][1] if stages else None),
        plan=_plan(form, plays, counted, number, impossible),
        in_short=in_short(counted, _ends(form, counted)) if counted else InShort(length=impossible),
        suggestion=_suggestion(form, plays, stages, counted, impossible),
        names=names if not form.of_teams else 0,
        who_counts=who_counts(names),
    )


def _plan(form: NewTournamentForm, plays: Format, counted: Evening | None, number: int, impossible: str) -> Plan:
    unread, warnings = unread_lines(len(form.line_errors)), lines_in_words(form.roster.warnings)
    if unread or counted is None:
        question = "" if unread or impossible else _question()
        return Plan(unread=unread, impossible="" if unread else impossible, question=question, warnings=warnings)
    meetings = plays.meetings(number, plays.complete(form.settings())) if form.in_groups() == 1 else None
    words = translate(meetings) if meetings else ""
    return plan_of(counted, ends=_ends(form, counted), meetings=words, warnings=warnings)


def _question() -> str:
    return _("Add names or a number to see tables, rounds and length.")


def _ends(form: NewTournamentForm, counted: Evening) -> str:
    return clock_after(form.cleaned_data.get("starts_at"), counted.minutes)


def who_counts(listed: int) -> str:
    """Return a note on whether the typed number of players is used."""
    if not listed:
        return _("A guess will do.")
    return _("On the list: %(count)s. This number isn’t used.") % {"count": listed}


def _suggestion(
    form: NewTournamentForm,
    plays: Format,
    stages: Sequence[tuple[Format, Evening]],
    counted: Evening | None,
    impossible: str,
) -> Suggestion:
    picked, warning = form.data.get("format") or "", impossible
    choice = replace(_choice(plays, picked), is_suggested=True)
    if counted is not None:
        columns = columns_of_stages(stages, _cuts(form), form.cleaned_data.get("starts_at"))
        choice = replace(choice, length=length_in_words(counted.minutes), columns=columns)
        too_long = shorter(plays, counted) if counted.stages == 1 else None
        warning = translate(too_long) if too_long else ""
    answers = (form.cleaned_data.get("partnering", ""), form.cleaned_data.get("ending", ""))
    note = None if picked else why_not_as_asked(plays, *answers, form.people())
    others = [_other_choice(other, form) for other in form.ranked if other.key != plays.key]
    return Suggestion(
        answered="/".join(answers),
        note=translate(note) if note else "",
        choice=choice,
        warning=warning,
        others=others[:OTHERS],
        more=others[OTHERS:],
    )


def _choice(plays: Format, key: str) -> Choice:
    slot = slots([plays])
    return Choice(plays.key, key, _(plays.name), _(plays.about), slot=slot, either=has_exclusive(plays))


def _other_choice(plays: Format, form: NewTournamentForm) -> Choice:
    """Return another format with its default settings."""
    names, choice = form.entered(), _choice(plays, plays.key)
    people = names * 2 if form.of_teams else names
    number = plays.entries_of(people or form.people())
    if not number:
        return choice
    if problems := plays.problems({}, number):
        return replace(choice, text=translate(next(iter(problems.values()))))
    edition = form.cleaned_data.get("edition", "")
    evening = plays.evening(number, plays.complete({}), edition, plays.scorings[0])
    return replace(choice, length=length_in_words(evening.minutes))


def _stages(form: NewTournamentForm, number: int) -> list[tuple[Format, Evening]]:
    """Return the stages, each with its estimate. Raises `Refused` if they can’t be played."""
    wanted, edition = form.stages(), form.cleaned_data["edition"]
    check_stage(wanted[0], edition, number)
    check_plan(wanted, edition, number)
    stages = []
    for stage in wanted:
        playing = FORMATS[stage.format]
        on_second_ladder = number - stage.takes if stage.takes and stage.others_play else 0
        number = stage.takes or number
        values, scoring = playing.complete(stage.settings), stage.scoring or playing.scorings[0]
        evening = groups.evening(playing, number, stage.groups, values, edition, scoring)
        if on_second_ladder:
            evening = with_second_ladder(evening, playing.evening(on_second_ladder, values, edition, scoring))
        stages.append((playing, evening))
    return stages


def _cuts(form: NewTournamentForm) -> list[str]:
    """Return who advances from each stage; empty for the last."""
    groups_of = [form.in_groups(), *(stage.groups for stage in form.way())]
    return [*(who_in_words(stage, before) for stage, before in zip(form.way(), groups_of, strict=False)), ""]


def lines_of(form: NewTournamentForm, of_club: ClubChoiceForm, evening: Evening | None) -> Lines:
    """Return the folded sections: rules, stages, day, name, club, visibility, where. evening: of the first stage."""
    data = form.cleaned_data
    day, at, place = data.get("starts_on"), data.get("starts_at"), data.get("place")
    when = [
        _("today") if day == timezone.localdate() else date_format(day, _("j F")) if day else "",
        f"{at:%H:%M}" if at else "",
        place or "",
    ]
    rules = ""
    if form.plays and not form.rules_are_wrong:
        plays = FORMATS[form.plays]
        rules = rules_in_words(plays, plays.complete(form.settings()), data["edition"], evening)
    return Lines(
        rules=Line("rules-line", rules),
        then=Line("then-line", "" if form.after_is_wrong else plan_in_words(form.in_groups(), form.way())),
        when=Line("when-line", ", ".join(filter(None, when))),
        name=Line("name-line", form.title() if form.plays and day and "name" in data else ""),
        club=Line("club-line", _chosen(of_club["club"])) if of_club.has_choices else None,
        seen=Line("seen-line", _chosen(form["visibility"])),
        where=Line("where-line", _chosen(form["which"])),
    )


def _chosen(field: BoundField) -> str:
    return next((str(radio.choice_label) for radio in field if radio.data["selected"]), "")
