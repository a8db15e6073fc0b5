"""Sentences for an account's log: its deleted tournaments."""

from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.log.words import Row, Words, old_of, say
from league.models import AccountLogEntry


def in_words(row: AccountLogEntry) -> str:
    """Such as “Autumn Pairs, 24 November 2026”; an unknown action returns its name."""
    return say(row, WORDS, old_of)


def _deletion(row: Row) -> str:
    day = date_format(date.fromisoformat(row.old["starts_on"]), _("j F Y"))
    return _("%(tournament)s, %(day)s") % {"tournament": row.old["tournament"], "day": day}


WORDS: Words = {AccountLogEntry.DELETE_TOURNAMENT: _deletion}


def details(row: AccountLogEntry) -> str:
    """Such as “8 on the list, 2 signed up, by Sven”. The name appears only if another account deleted it."""
    about: dict[str, Any] = row.old or {}
    players, signed_up = about.get("players", 0), about.get("sign_ups", 0)
    parts = [_("%(count)d on the list") % {"count": players}]
    if signed_up:
        parts.append(ngettext("%(count)d signed up", "%(count)d signed up", signed_up) % {"count": signed_up})
    if row.by_id != row.user_id:
        parts.append(_("by %(name)s") % {"name": row.by})
    return ", ".join(parts)
