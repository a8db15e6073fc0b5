"""What a table sees of its call: the button with its sheet, or the state in its place."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import Access
from league.calls.read import CallNow, call_at
from league.models import CallTap, Table, User

ICONS = {"rules": "i-help", "result": "i-warn", "missing": "i-people", "slow": "i-wait", "other": "i-more"}
# Pages from which a table calls. TABLE and PLAY have the button in their heads; the box then shows only the state.
MY_TABLE, PUBLIC, TABLE, PLAY = PAGES = ("my", "public", "table", "play")


@dataclass(frozen=True)
class Strip:
    """The state of a call. do: what the button sends, with the call's id; "" for others than the callers."""

    call: int
    title: str
    text: str
    is_coming: bool
    button: str = ""
    do: str = ""


@dataclass(frozen=True)
class CallBox:
    """The place of the button on a page. who: identity of stored calls on a phone. player: public id of the caller.

    page: where the form leads back to.
    """

    number: int
    url: str
    end_url: str
    who: str
    player: str
    page: str
    text: str
    reasons: tuple[tuple[str, str, str], ...]
    strip: Strip | None

    @property
    def has_button(self) -> bool:
        return self.page in (MY_TABLE, PUBLIC)

    @property
    def open_url(self) -> str:
        """Return the address of the page without scripts."""
        return f"{self.url}?from={self.page}&as={self.player}"


def call_box(
    access: Access,
    table: Table,
    *,
    who: str,
    page: str,
    user: User | None = None,
    read: Callable[[Table], CallNow | None] = call_at,
) -> CallBox | None:
    """Return the box for a player or scorer at a table; None where no director is called, and for directors.

    who: `session_links.identity_of`. user: the account that calls, unless a link or player does. read: reads the call.
    """
    tournament = access.tournament
    is_open = table.round.is_open and table.state != Table.State.VOID and not tournament.is_over
    if not is_open or tournament.is_casual or access.corrects:
        return None
    return CallBox(
        number=table.number,
        url=reverse("call", args=[table.pk]),
        end_url=reverse("end_call", args=[table.pk]),
        who=who,
        player=access.entry.public_id if access.entry else "",
        page=page,
        text=_("A director comes to table %(number)d.") % {"number": table.number},
        reasons=tuple((value, str(label), ICONS[value]) for value, label in CallTap.Reason.choices),
        strip=strip_of(read(table), caller_of(access, user)),
    )


def caller_of(access: Access, user: User | None) -> str:
    """Return which caller a visitor is, as `Caller.caller`."""
    if access.entry is not None:
        return CallTap(entry=access.entry).caller
    return CallTap(scorer_link=access.link).caller if access.link else CallTap(user=user).caller


def strip_of(now: CallNow | None, caller: str) -> Strip | None:
    if now is None:
        return None
    director = now.call.coming
    if director is None:
        title, button, do = _("Director called"), _("Cancel"), "withdraw"
    else:
        # without a name, its text would be an e-mail address
        title = _("%(name)s is coming") % {"name": director.name} if director.name else _("A director is coming")
        button, do = _("Done"), "done"
    if not now.has(caller):
        button = do = ""
    return Strip(now.call.pk, title, now.reason, director is not None, button, do)
