"""Forms for players: a list of names, or one name."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.sentences import mark
from league.entries.roster import parse as roster
from league.entries.roster import teams as team_roster
from league.entries.roster.rows import LineError, Roster
from league.lib.form_fields import dress, plain_line
from league.lib.translate import label_text, translate


class RosterForm(forms.Form):
    """Names from a text box or a CSV file. Faulty lines are named with their numbers, and then nothing is imported.

    of_teams: the list is one of teams.
    """

    players = forms.CharField(
        label=_("Players, one a line"),
        required=False,
        strip=False,
        max_length=roster.MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    players_file = forms.FileField(
        label=_("From a CSV file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.txt,text/csv,text/plain"}),
    )
    name_column = forms.IntegerField(label=_("In which column are the names?"), required=False, widget=forms.Select)

    def __init__(self, *args: Any, of_teams: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.roster = Roster(())
        self.line_errors: tuple[LineError, ...] = ()
        self._of_teams = of_teams
        if of_teams:
            self.fields["players"].label = _("Teams, one a line")
        dress(self)

    @property
    def of_teams(self) -> bool:
        return self._of_teams

    @property
    def asks_for_column(self) -> bool:
        """Whether the list is a table of which it is to be said where the names are."""
        return bool(self.roster.columns)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        upload: UploadedFile | None = data.get("players_file")
        text = data.get("players") or ""
        if upload and text.strip():
            self.add_error("players_file", gettext("Names came in the text box and in a file. Use one of the two."))
            return data
        try:
            if upload:
                if (upload.size or 0) > roster.MAX_BYTES:
                    raise roster.RosterError(
                        mark("The file is larger than a list of players can be. Choose another file.")
                    )
                try:
                    text = roster.decode(upload.read())
                except roster.NotUnicode as older:
                    # Nobody can know whether it is: the names are shown, and count when they are sent again.
                    self._keep_text(older.western)
                    self.add_error(
                        "players",
                        gettext("The file is not UTF-8. Look at the names as we read them, and send them again."),
                    )
                    return data
                self._keep_text(text)
            elif not text.strip():
                return data  # no names yet: people can be added later
            self.roster = self._read(text)
        except roster.RosterError as exc:
            self.add_error("players_file" if upload else "players", translate(exc.sentence))
            return data
        if self.roster.columns:
            self.fields["name_column"].widget.choices = [*enumerate(self.roster.columns)]
            self.add_error("name_column", gettext("The first line does not say it: none of its cells is “name”."))
            return data
        self.line_errors = self.roster.errors
        if self.line_errors:
            self.add_error("players", gettext("Nobody was added. Mend the lines named above and send the list again."))
        return data

    def _read(self, text: str) -> Roster:
        if self.of_teams:
            return team_roster.parse(text)
        return roster.parse(text, name_column=self.cleaned_data.get("name_column"))

    def _keep_text(self, text: str) -> None:
        """Put the content of a file into the text box: a browser does not send a file again after a refusal."""
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


def lines_in_words(errors: Iterable[LineError]) -> list[str]:
    """“Line 3, birthday: …” for every error."""
    sentences = []
    for error in errors:
        where = gettext("Line %(line)d") % {"line": error.line}
        if error.column:
            where = f"{where}, {error.column}"
        sentences.append(label_text(where, translate(error.sentence)))
    return sentences
