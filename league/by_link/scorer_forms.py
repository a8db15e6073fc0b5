"""Form for new scorer links."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.lib.form_fields import dress, plain_line

EACH, ALL = "each", "all"


class LinksForm(forms.Form):
    """Tables, validity and label of new links."""

    label = forms.CharField(label=_("Note"), required=False, max_length=40)
    days = forms.TypedChoiceField(
        label=_("Expires"),
        coerce=int,
        required=False,
        empty_value=None,
        choices=[
            ("", _("The day after the tournament")),
            (1, _("24 hours from now")),
            (7, _("7 days from now")),
            (30, _("30 days from now")),
        ],
    )

    def __init__(self, *args: Any, tables: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        alone = _("Only table %(number)d")
        one_by_one = [(str(number), alone % {"number": number}) for number in range(1, tables + 1)]
        self.fields["table"] = forms.ChoiceField(
            label=_("For"),
            choices=[(EACH, _("A code for each table")), (ALL, _("One code for all tables")), *one_by_one],
            initial=EACH,
        )
        dress(self)

    def clean_label(self) -> str:
        return plain_line(self.cleaned_data["label"])
