"""The pause after a restore: e-mails and timed actions wait until the owner resumes them.

A restored server may be a copy for a test, or days old, so it must not act on the world without a person
(docs/decisions/0039-a-restored-server-waits.md).
"""

from typing import Any

from django.db.models import Exists
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Deadline, Letter, RestorePause


def is_paused() -> bool:
    return RestorePause.objects.exists()


def unless_paused() -> Any:
    """Return a condition for the queries of due rows, so that the pause costs no query of its own."""
    return ~Exists(RestorePause.objects.all())


def pause() -> None:
    RestorePause.objects.get_or_create(pk=RestorePause.ROW)


def resume() -> bool:
    """End the pause. Return whether there was one."""
    return bool(RestorePause.objects.all().delete()[0])


def waiting() -> tuple[int, int]:
    """Return the numbers of e-mails and timed actions that happen at once after `resume`."""
    now = timezone.now()
    return Letter.objects.filter(state=Letter.State.WAITING, due_at__lte=now).count(), Deadline.objects.due(now).count()


def notice() -> str:
    """Return what the owner's resuming would do; empty if nothing is paused."""
    if not is_paused():
        return ""
    emails, actions = waiting()
    words = {
        "emails": ngettext("%(count)d e-mail", "%(count)d e-mails", emails) % {"count": emails},
        "actions": ngettext("%(count)d timed action", "%(count)d timed actions", actions) % {"count": actions},
    }
    return _("When you resume, these happen at once: %(emails)s, %(actions)s.") % words
