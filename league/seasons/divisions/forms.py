"""The list of names with their divisions, typed or as a file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.entries.forms import LIST_FILES
from league.entries.roster.files import MOST_SHEET_BYTES, FileError, read_file
from league.entries.roster.rows import MAX_BYTES
from league.lib.form_fields import dress
from league.lib.translate import translate
from league.seasons.divisions.placing_list import ListFaults


class DivisionListForm(forms.Form):
    """text: from the box or the file. line_errors: one sentence each."""

    names = forms.CharField(
        label=_("Names and divisions, one a line"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(
            attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off", "placeholder": "Ana Lucía; A"}
        ),
    )
    file = forms.FileField(
        label=_("Spreadsheet or CSV file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": LIST_FILES}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.text = ""
        self.line_errors: list[str] = []
        dress(self)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        upload: UploadedFile | None = data.get("file")
        self.text = data.get("names") or ""
        if upload and self.text.strip():
            self.add_error("file", gettext("There are names in the text box and in a file. Use one of the two."))
        elif upload:
            try:
                self.text, _encoding = read_file(upload.read(MOST_SHEET_BYTES + 1))
            except FileError as error:
                self.add_error("file", translate(error.sentence))
            else:
                # A browser does not send a file again after a refusal, so its text is shown.
                self.data = {**self.data.dict(), "names": self.text} if isinstance(self.data, QueryDict) else self.data
        return data

    def refuse(self, faults: ListFaults) -> None:
        self.add_error("names", str(faults))
        self.line_errors = list(faults.lines)
