"""The preview of a list: how it was read, open questions, and the people meant."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.entries.forms import DAY, LEAVE, MONTH, TAKE, RosterForm, lines_in_words
from league.entries.known_people import Known, known_people, sees_members
from league.entries.persons import NEW, Chosen, NewPlayer
from league.entries.roster.days import day_of
from league.entries.roster.headers import BIRTHDAY, CLUB, EMAIL, FIRST, IGNORE, LAST, NAME, SEED, TEAM, USES
from league.entries.roster.rows import DAY_FIRST, WAITING, RosterRow
from league.lib.errors import Refused
from league.lib.names import fold
from league.lib.translate import translate
from league.models import Entry, ListImport, Player, Tournament, User

MOST_LISTED = 300  # rows; the rest are only counted
_LEAP_YEAR_DAYS = [date(2000, month, 1) for month in range(1, 13)]


@dataclass(frozen=True)
class Option:
    value: str
    label: str
    hint: str = ""
    picked: bool = False


@dataclass(frozen=True)
class RadioQuestion:
    """A question with radio buttons. hint: its subject, next to the question."""

    name: str
    legend: str
    options: tuple[Option, ...]
    hint: str = ""

    @property
    def answer(self) -> str:
        return next((option.value for option in self.options if option.picked), "")

    @property
    def hint_of_answer(self) -> str:
        return next((option.hint for option in self.options if option.picked), "")


@dataclass(frozen=True)
class ShownColumn:
    heading: str
    samples: tuple[str, ...]
    options: tuple[Option, ...]
    is_off: bool


@dataclass(frozen=True)
class ShownPerson:
    """A row of the list. state: its outcome. doubtful: the name may have a wrong encoding."""

    name: str
    about: str
    state: str = ""
    is_added: bool = True
    is_doubtful: bool = False
    question: RadioQuestion | None = None


@dataclass(frozen=True)
class ListPreview:
    """The preview of a list. again: the label of the button that also adds listed people; empty without any.

    as_last_time: the columns are read as in the club's last list.
    """

    verdict: str
    questions: tuple[RadioQuestion, ...]
    columns: tuple[ShownColumn, ...]
    notes: tuple[str, ...]
    people: tuple[ShownPerson, ...]
    more: int
    button: str
    again: str = ""
    seen: str = ""
    as_last_time: bool = False


@dataclass(frozen=True)
class Meant:
    """The people meant by the rows of a list.

    known: the club's people of that name, by row. listed: the matching entry by row; for a club, the member. picked:
    the choices of the preview by row: a public id, or NEW.
    """

    rows: Sequence[NewPlayer]
    known: Sequence[Sequence[Known]] = ()
    listed: Sequence[Entry | Player | None] = ()
    picked: Mapping[int, str] = field(default_factory=dict)
    joins_club: ClassVar[bool] = False

    def known_at(self, at: int) -> Sequence[Known]:
        return self.known[at] if at < len(self.known) else ()

    def chosen_at(self, at: int) -> Player | None:
        """Return the known person for a row: the chosen one, else the first; None for a new person."""
        options = self.known_at(at)
        if picked := self.picked.get(at):
            return next((one.player for one in options if one.player.public_id == picked), None)
        return options[0].player if options else None

    @property
    def is_doubtful(self) -> bool:
        """Return whether a person should check it: someone is listed, or a name is ambiguous."""
        unclear = (len(options) > 1 or any(one.is_swapped for one in options) for options in self.known)
        return any(self.listed) or any(unclear)

    def to_add(self, *, again: bool) -> list[int]:
        """Return the places of rows to add. again: listed people too."""
        return [at for at in range(len(self.rows)) if again or not (at < len(self.listed) and self.listed[at])]

    def chosen(self, places: Sequence[int]) -> Chosen:
        """Return the people of these rows, by place among them."""
        return {at: self.chosen_at(place) for at, place in enumerate(places) if self.known_at(place)}


def who_is_meant(
    tournament: Tournament, rows: Sequence[RosterRow], *, guests: bool, picked: Mapping[int, str]
) -> Meant:
    """Match the rows of a list with entries and with the club's people."""
    if tournament.stage.has_teams:
        return Meant(rows)
    entries: dict[str, list[Entry]] = {}
    for entry in tournament.entries.exclude(status=Entry.Status.STANDIN).select_related("player").order_by("number"):
        entries.setdefault(fold(entry.player.name), []).append(entry)
    listed = [_listed(entries.get(fold(row.name), []), row) for row in rows]
    people = known_people(tournament, [row.name for row in rows], guests=guests)
    known = [[] if entry else people.named(row.name) for row, entry in zip(rows, listed, strict=True)]
    names = [fold(row.name) for row in rows]
    repeated = {at: NEW for at, name in enumerate(names) if name in names[:at]}  # repeated names are different people
    return Meant(rows, known, listed, repeated | dict(picked))


def _listed(entries: list[Entry], row: RosterRow) -> Entry | None:
    """Take the entry of a row: the same name, unless addresses or clubs differ."""
    for entry in entries:
        player = entry.player
        if row.email and player.email:
            same = row.email.casefold() == player.email.casefold()
        else:
            same = not (row.club and player.club_name) or fold(row.club) == fold(player.club_name)
        if same:
            entries.remove(entry)
            return entry
    return None


def picked_in(data: Mapping[str, str]) -> dict[int, str]:
    """Return the choices posted by a preview: the fields `who-0`, `who-1` …"""
    fields = {key.removeprefix("who-"): value for key, value in data.items() if key.startswith("who-")}
    return {int(number): value for number, value in fields.items() if number.isascii() and number.isdigit()}


def needs_look(form: RosterForm, meant: Meant | None = None) -> bool:
    """Return whether a list needs a preview: it is doubtful and was not previewed yet.

    A list without a column of names gets one too, to choose the column. Other faulty lists go back to their form.
    """
    if not form.is_valid():
        return bool(form.roster.questions and form.roster.columns)
    is_doubtful = form.is_doubtful or (meant is not None and meant.is_doubtful)
    return bool(form.roster.rows) and (bool(form.data.get("look")) or (is_doubtful and not form.was_seen))


def take_list(
    form: RosterForm,
    *,
    nothing: str,
    preview: Callable[[], HttpResponse],
    take: Callable[[], HttpResponse],
    meant: Meant | None = None,
    others: bool = False,
) -> HttpResponse | int:
    """Return the response to a posted list, from `preview` or `take`; or a status, to show the form again.

    nothing: the error for a list without names. others: people besides the list are added.
    """
    if form.is_valid() and not form.roster.rows and not others:
        form.add_error("players", nothing)
        return 422
    if needs_look(form, meant):
        return preview()
    if not form.is_valid():
        return 422
    try:
        answer = take()
        form.remember_columns()
        return answer
    except Refused as refused:
        form.add_error("players", str(refused))
        return refused.status


@dataclass(frozen=True)
class ImportLine:
    """An added list that can be undone: number, time, account and undo address."""

    title: str
    about: str
    undo: str


def import_line(step: ListImport, zone: ZoneInfo, undo: str) -> ImportLine:
    count = len(step.people.all())
    title = ngettext("%(count)d name", "%(count)d names", count) % {"count": count}
    at = date_format(step.at.astimezone(zone), _("j M, H:i"))
    return ImportLine(title, ", ".join(filter(None, (at, str(step.by or "")))), undo)


# --- in words


def preview_of(form: RosterForm, meant: Meant | None = None, *, sees_details: bool = False) -> ListPreview:
    """Return the preview of a valid form's list.

    sees_details: the viewer may see full names and addresses of the club's people.
    """
    roster = form.roster
    meant = meant or Meant(roster.rows)
    added = meant.to_add(again=False)
    everyone = len(roster.rows)
    people = [_person(form, meant, at, sees_details) for at in range(min(everyone, MOST_LISTED))]
    return ListPreview(
        verdict=_verdict(form, everyone, everyone - len(added), joins_club=meant.joins_club),
        questions=tuple(_questions(form)),
        columns=tuple(_columns(form)),
        notes=(*map(translate, roster.notes), *_encoding_note(form), *lines_in_words(roster.warnings)),
        people=tuple(sorted(people, key=lambda person: not person.is_added)),
        more=everyone - len(people),
        button=_button(form, [roster.rows[at] for at in added], meant),
        again=_add_all(form, everyone) if 0 < len(added) < everyone or (everyone and not added) else "",
        seen=form.digest,
        as_last_time=form.recalled is not None,
    )


def undone_in_words(count: int) -> str:
    """Return the message after an undo. count: 0 if undone before."""
    if not count:
        return _("This list is already undone.")
    return ngettext("Undone: %(count)d removed.", "Undone: %(count)d removed.", count) % {"count": count}


def _verdict(form: RosterForm, everyone: int, listed: int, *, joins_club: bool) -> str:
    if form.line_errors:
        return lines_in_words(form.line_errors)[0]
    if listed and joins_club:
        words = ngettext(
            "%(listed)d of %(count)d is already a member.",
            "%(listed)d of %(count)d are already members.",
            listed,
        )
        return words % {"listed": listed, "count": everyone}
    if listed and listed == everyone:
        return ngettext("It is already on the list.", "All %(count)d are already on the list.", everyone) % {
            "count": everyone
        }
    if listed:
        some = ngettext(
            "%(listed)d of %(count)d is already on the list.",
            "%(listed)d of %(count)d are already on the list.",
            listed,
        )
        return some % {"listed": listed, "count": everyone}
    if form.of_teams:
        return ngettext("%(count)d team was read.", "%(count)d teams were read.", everyone) % {"count": everyone}
    return ngettext("%(count)d name was read.", "%(count)d names were read.", everyone) % {"count": everyone}


def _button(form: RosterForm, rows: Sequence[RosterRow], meant: Meant) -> str:
    if not rows:
        return ""
    if meant.joins_club and any(one.is_member for options in meant.known for one in options):
        return _("Add members")  # the number depends on the answers
    if not form.of_teams and len(rows) <= 2:
        names = [row.name.split()[0] for row in rows]
        if len(names) == 1:
            return _("Add %(name)s") % {"name": names[0]}
        return _("Add %(first)s and %(second)s") % {"first": names[0], "second": names[1]}
    return _add_all(form, len(rows))


def _add_all(form: RosterForm, count: int) -> str:
    if form.of_teams:
        return ngettext("Add %(count)d team", "Add %(count)d teams", count) % {"count": count}
    return ngettext("Add %(count)d player", "Add %(count)d players", count) % {"count": count}


def _questions(form: RosterForm) -> Sequence[RadioQuestion]:
    shown = []
    for question in form.roster.questions:
        if question.kind == DAY_FIRST:
            shown.append(_day_question(form, question.sample))
        elif question.kind == WAITING:
            shown.append(_waiting_question(form, question.sample))
    return shown


def _day_question(form: RosterForm, sample: str) -> RadioQuestion:
    month_first = form.day_comes_first is False
    options = []
    for value, label, first in ((DAY, _("The day: %(day)s"), True), (MONTH, _("The month: %(day)s"), False)):
        month, day = day_of(sample, day_first=first) or (1, 1)
        shown = date_format(_LEAP_YEAR_DAYS[month - 1].replace(day=day), _("j F"))
        options.append(Option(value, label % {"day": shown}, picked=(value == MONTH) == month_first))
    question = _("Which comes first in %(day)s?") % {"day": sample}
    return RadioQuestion("day_first", question, tuple(options), _("For all birthdays on the list"))


def _waiting_question(form: RosterForm, heading: str) -> RadioQuestion:
    takes = form.cleaned_data.get("waiting") == TAKE
    question = _("Add the names below “%(heading)s”?") % {"heading": heading}
    leave, take = Option(LEAVE, _("Leave them out"), picked=not takes), Option(TAKE, _("Add them too"), picked=takes)
    return RadioQuestion("waiting", question, (leave, take))


def uses_in_words() -> dict[str, str]:
    return {
        NAME: _("Name"),
        FIRST: _("First name"),
        LAST: _("Last name"),
        CLUB: _("Club"),
        EMAIL: _("E-mail"),
        BIRTHDAY: _("Birthday"),
        TEAM: _("Team"),
        SEED: pgettext("of a player", "Seed"),
        IGNORE: _("Ignore"),
    }


def _columns(form: RosterForm) -> Sequence[ShownColumn]:
    words = uses_in_words()
    allowed = [use for use in USES if use != TEAM or form.of_teams]
    return [
        ShownColumn(
            column.heading or _("Column %(number)d") % {"number": number},
            column.samples,
            tuple(Option(use, words[use], picked=use == column.use) for use in allowed),
            column.use == IGNORE,
        )
        for number, column in enumerate(form.roster.columns, start=1)
    ]


def _encoding_note(form: RosterForm) -> Sequence[str]:
    if not form.encoding:
        return ()
    return (_("The file has an old encoding (%(encoding)s). Check the marked names.") % {"encoding": form.encoding},)


def _person(form: RosterForm, meant: Meant, at: int, sees_details: bool) -> ShownPerson:
    row, options = meant.rows[at], meant.known_at(at)
    entry = meant.listed[at] if at < len(meant.listed) else None
    about = [row.club, row.email, ", ".join(member.name for member in row.members)]
    if row.birthday:
        month, day = row.birthday
        about.append(date_format(_LEAP_YEAR_DAYS[month - 1].replace(day=day), _("j F")))
    question = None
    if options:
        chosen = meant.chosen_at(at)
        question = _who(f"who-{at}", row.name, options, chosen, sees_details, joins_club=meant.joins_club)
        about.append(question.hint_of_answer if chosen else _("new"))
    return ShownPerson(
        row.name,
        ", ".join(filter(None, about)),
        "" if entry is None else _("Member") if isinstance(entry, Player) else _("On the list"),
        entry is None,
        bool(form.encoding) and not row.name.isascii(),
        question,
    )


def _who(
    name: str,
    question: str,
    options: Sequence[Known],
    chosen: Player | None,
    sees_details: bool,
    *,
    joins_club: bool = False,
) -> RadioQuestion:
    """joins_club: a list of members, where a guest becomes a member."""
    known = [
        Option(
            one.player.public_id,
            _label(one, sees_details),
            _standing(one) if joins_club else _history(one),
            one.player == chosen,
        )
        for one in options
    ]
    are_two = joins_club and any(one.is_member for one in options)
    new = Option(NEW, _("Two people") if are_two else _("A new person"), picked=chosen is None)
    return RadioQuestion(name, question, (*known, new))


def ask_who(
    tournament: Tournament, name: str, by: User | None, picked: str = "", *, sees_details: bool = False
) -> RadioQuestion | None:
    """Return the question about the person meant by a typed name; None if the club knows no one.

    picked: the answer so far. sees_details: as for `preview_of`.
    """
    options = known_people(tournament, [name], guests=sees_members(by, tournament)).named(name)
    if not options:
        return None
    first = options[0].player
    chosen = first if not picked else next((one.player for one in options if one.player.public_id == picked), None)
    return _who("who", _("Who is meant?"), options, chosen, sees_details)


def _label(one: Known, sees_details: bool) -> str:
    """Return “Ann Schmidt, SV Lokstedt”: as much as the viewer may see to tell namesakes apart."""
    parts = [one.player.name, one.player.club_name, one.player.email if sees_details else ""]
    return ", ".join(filter(None, parts))


def _standing(one: Known) -> str:
    """Return “guest, 3 earlier events, last on 14 November” or “already a member”."""
    kind = _("already a member") if one.is_member else _("guest")
    return ", ".join([kind, _history(one)]) if one.events else kind


def _history(one: Known) -> str:
    """Return “3 earlier events, last on 14 November”."""
    if not one.events or one.last is None:
        return _("Member") if one.is_member else _("Known to the club")
    words = ngettext("%(count)d earlier tournament", "%(count)d earlier tournaments", one.events) % {
        "count": one.events
    }
    last = _("last on %(day)s") % {"day": date_format(one.last, _("j F"))}
    swapped = [_("first and last name swapped")] if one.is_swapped else []
    return ", ".join([words, last, *swapped])
