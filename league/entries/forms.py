"""Forms for players: a list of names, or one name."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.sentences import Sentence, mark
from league.entries.roster import parse as roster
from league.entries.roster import teams as team_roster
from league.entries.roster.column_memory import fits, recall, remember
from league.entries.roster.files import MOST_SHEET_BYTES, FileError, read_file
from league.entries.roster.headers import USES
from league.entries.roster.rows import COLUMNS_ASKED, DAY_FIRST, MAX_BYTES, Choices, LineError, Roster
from league.ledger.same_names import MOST_SHOWN
from league.lib.form_fields import dress, plain_line
from league.lib.translate import label_text, translate
from league.models import Club, ColumnMemory

LIST_FILES = ".csv,.txt,.tsv,.xlsx,.xls,.ods,text/csv,text/plain"
DAY, MONTH = "day", "month"
LEAVE, TAKE = "leave", "take"


class RosterForm(forms.Form):
    """Names from a text box or a file. With faulty lines, nothing is imported.

    of_teams: a list of teams. club: source of earlier column choices. A doubtful list gets a preview (list_preview.py);
    `seen` then holds the digest of the previewed text.
    """

    players = forms.CharField(
        label=_("Players, one per line"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    players_file = forms.FileField(
        label=_("Spreadsheet or CSV file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": LIST_FILES}),
    )
    use = forms.MultipleChoiceField(choices=[(use, use) for use in USES], required=False)
    day_first = forms.ChoiceField(choices=[(DAY, DAY), (MONTH, MONTH)], required=False)
    waiting = forms.ChoiceField(choices=[(LEAVE, LEAVE), (TAKE, TAKE)], required=False)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, of_teams: bool = False, club: Club | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.roster = Roster(())
        self.line_errors: tuple[LineError, ...] = ()
        self.encoding = ""  # guessed older encoding of a file
        self.text = ""
        self.club = club
        self.recalled: ColumnMemory | None = None
        self._of_teams = of_teams
        if of_teams:
            self.fields["players"].label = _("Teams, one per line")
        dress(self)

    @property
    def of_teams(self) -> bool:
        return self._of_teams

    @property
    def digest(self) -> str:
        """Return the value of `seen` for the current list."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:32] if self.text else ""

    @property
    def is_doubtful(self) -> bool:
        """Return whether a person should check the list. The club's last choices raise no doubt."""
        known = {COLUMNS_ASKED} if self.recalled else set()
        if self.recalled and self.recalled.day_first is not None:
            known.add(DAY_FIRST)
        is_open = any(question.kind not in known for question in self.roster.questions)
        return bool(is_open or self.roster.warnings or self.encoding)

    @property
    def day_comes_first(self) -> bool | None:
        """Return whether birthdays have the day first: as chosen, else as last time."""
        chosen = {DAY: True, MONTH: False}.get(self.cleaned_data.get("day_first", ""))
        return self.recalled.day_first if chosen is None and self.recalled else chosen

    def remember_columns(self) -> None:
        """Save the choices of the preview for the club's next list."""
        data = self.cleaned_data
        if not (data.get("use") or data.get("day_first")) or not self.roster.columns:
            return
        guess = self._read(self.text, Choices())
        kinds = {question.kind for question in guess.questions}
        is_new = [column.use for column in guess.columns] != [column.use for column in self.roster.columns]
        if (
            is_new
            or kinds & {COLUMNS_ASKED, DAY_FIRST}
            or recall(self.club, self.roster.columns, of_teams=self.of_teams)
        ):
            day_first = self.day_comes_first if DAY_FIRST in kinds else None
            remember(self.club, self.roster.columns, of_teams=self.of_teams, day_first=day_first)

    @property
    def was_seen(self) -> bool:
        """Return whether the current list was previewed and no other preview is wanted."""
        return self.cleaned_data.get("seen") == self.digest and not self.data.get("look")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        upload: UploadedFile | None = data.get("players_file")
        text = data.get("players") or ""
        if upload and text.strip():
            self.add_error(
                "players_file", gettext("There are names in the text box and in a file. Use one of the two.")
            )
            return data
        if upload:
            try:
                text, self.encoding = read_file(upload.read(MOST_SHEET_BYTES + 1))
            except FileError as error:
                self.add_error("players_file", translate(error.sentence))
                return data
            self._show_text(text)
        elif not text.strip():
            return data  # an empty list is valid: add people later
        self.text = text
        self.roster = self._read(text, self._choices())
        if not data.get("use"):
            self._read_as_last_time(text)
        self.line_errors = self.roster.errors
        if self.line_errors:
            self.add_error("players", gettext("No one was added. Correct these lines and send the list again."))
        return data

    def _choices(self) -> Choices:
        data = self.cleaned_data
        return Choices(tuple(data.get("use") or ()), self.day_comes_first, data.get("waiting") == TAKE)

    def _read_as_last_time(self, text: str) -> None:
        """Read the columns as in the club's last list with this header, unless that loses names."""
        guess = self.roster
        memory = recall(self.club, guess.columns, of_teams=self.of_teams)
        if memory is None:
            return
        asks_day = any(question.kind == DAY_FIRST for question in guess.questions)
        choices = self._choices()
        day_first = memory.day_first if asks_day and choices.day_first is None else choices.day_first
        read = self._read(text, replace(choices, uses=tuple(memory.uses), day_first=day_first))
        if fits(read, guess):
            note = Sentence(mark("Columns as in the club’s last list."))
            self.roster, self.recalled = replace(read, notes=(note, *read.notes)), memory

    def _read(self, text: str, choices: Choices) -> Roster:
        if self.of_teams:
            return team_roster.parse(text, choices=choices)
        return roster.parse(text, choices=choices)

    def _show_text(self, text: str) -> None:
        """Put a file's content into the text box, because browsers don't post a file again."""
        self.data = {**self.data.dict(), "players": text} if isinstance(self.data, QueryDict) else self.data


class PlayerForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    club = forms.CharField(label=_("Club"), max_length=80, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_name(self) -> str:
        return plain_line(self.cleaned_data["name"])

    def clean_club(self) -> str:
        return plain_line(self.cleaned_data["club"])


class ShownAsForm(forms.Form):
    """The text after a name on a tournament's pages, for forms that change an entry."""

    addition = forms.CharField(
        label=_("Shown as"),
        max_length=MOST_SHOWN,
        required=False,
        help_text=_(
            "Text after the name, such as a club or an initial. Empty: only added if two players share a name."
        ),
    )

    def clean_addition(self) -> str:
        return plain_line(self.cleaned_data["addition"])


class EntryForm(PlayerForm, ShownAsForm):
    """A listed player."""

    field_order = ("name", "club", "addition")


def lines_in_words(errors: Iterable[LineError]) -> list[str]:
    """Return “Line 3, birthday: …” for each error."""
    sentences = []
    for error in errors:
        where = gettext("Line %(line)d") % {"line": error.line}
        if error.column:
            where = f"{where}, {error.column}"
        sentences.append(label_text(where, translate(error.sentence)))
    return sentences


def notes_in_words(roster: Roster) -> Sequence[str]:
    """Return how a list was read and what was left out, for programs that skip the preview."""
    return [*map(translate, roster.notes), *lines_in_words(roster.warnings)]
