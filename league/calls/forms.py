"""The form of a call."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.calls.call import Tap
from league.lib.form_fields import dress, plain_line
from league.models import CallTap

MOST_TEXT = 140
LONGEST = timedelta(days=1)  # what a phone's clock may claim about a tap


class CallForm(forms.Form):
    """A call. key: of the tap, from a phone's queue. ago: milliseconds since the tap, if a phone sent it later."""

    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=CallTap.Reason.choices,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose one of the reasons, or none.")},
    )
    text = forms.CharField(label=_("What is it about?"), max_length=MOST_TEXT, required=False)
    key = forms.CharField(max_length=80, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)

    def clean_text(self) -> str:
        return plain_line(self.cleaned_data["text"])[:MOST_TEXT]

    def sentences(self) -> str:
        return " ".join(str(sentence) for errors in self.errors.values() for sentence in errors)

    def tap(self) -> Tap:
        """Return the tap of a valid form. An unreadable time counts as now."""
        data = self.cleaned_data
        sent = self.data.get("ago") or ""
        milliseconds = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 15 else 0
        key = data["key"] or self.data.get("form_key", "")[:80]
        return Tap(key, data["reason"], data["text"], min(timedelta(milliseconds=milliseconds), LONGEST))
