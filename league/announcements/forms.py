"""The form of an announcement. The service checks the text."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Announcement


class AnnounceForm(forms.Form):
    text = forms.CharField(label=_("Text"), required=False, strip=False)
    until = forms.ChoiceField(choices=Announcement.Until.choices)
