"""The field for private notes on a person."""

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_NOTES = 4000  # characters; a merge may make them longer
MOST_REASON = 200


def notes_field() -> forms.CharField:
    return forms.CharField(
        label=_("Notes"),
        max_length=MOST_NOTES,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off"}),
    )
