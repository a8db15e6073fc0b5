"""Check the text of an announcement."""

import re

from django.utils.translation import gettext as _

from league.lib.errors import Refused
from league.lib.names import has_control_characters, is_visible, tidy
from league.models import Announcement

_TAG = re.compile(r"</?[a-z][^<>]*>|<!--", re.IGNORECASE)
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # could turn the page's own words around


def checked_text(text: str) -> str:
    """Return the text as stored: one line. Raises `Refused("text")`."""
    line = tidy(text)
    if has_control_characters(line) or _DIRECTIONS.search(text):
        raise _refusal(_("This has characters that can’t be shown. Type it again."))
    if not is_visible(line):
        raise _refusal(_("Write what everyone needs to know."))
    if _TAG.search(line):
        raise _refusal(_("Write plain text, without tags such as <b>."))
    if len(line) > Announcement.MOST:
        words = _("%(length)s characters are too many; the limit is %(limit)s.")
        raise _refusal(words % {"length": len(line), "limit": Announcement.MOST})
    return line


def _refusal(sentence: str) -> Refused:
    return Refused("text", sentence, fields={"text": [sentence]})
