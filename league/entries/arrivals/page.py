"""The check-in page as a value: arrivals, missing players, the waiting list, and the draw."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access
from league.entries import places
from league.entries.arrivals.paid import paid_in_words
from league.entries.arrivals.paid_page import PAYMENTS, payment_actions, payment_tap, payment_views
from league.entries.check_in import missing_at_the_draw, replacement
from league.ledger.lineups import members_of
from league.lib.translate import label_text, names
from league.models import Entry, HandScore, LeaveRequest, SignUp, Tournament
from league.pages.links import Button, Link
from league.pages.people_at import people_at
from league.pages.people_list import (
    Bulk,
    BulkAction,
    ListFilters,
    ListOf,
    PeopleList,
    PersonRow,
    Tap,
    ViewOf,
    people_list,
)
from league.remarks.notes import short_notes

HERE, AWAY, REPLACE = "here", "away", "replace"
ACTIONS = (HERE, AWAY, REPLACE, *PAYMENTS)


@dataclass(frozen=True)
class DrawCard:
    """The draw at the end of check-in. missing: ids of players to remove. warning: their number."""

    title: str
    text: tuple[str, ...]
    links: tuple[Link, ...] = ()
    draws: bool = False
    missing: tuple[str, ...] = ()
    warning: str = ""


@dataclass(frozen=True)
class CheckInPage:
    """count: “7 of 8 are here, 6 of 8 paid”. version: of the log, for scripts. next_in_line: the next replacement."""

    people: PeopleList
    count: str
    version: int
    waiting: tuple[PersonRow, ...]
    next_in_line: str
    replaced: tuple[PersonRow, ...]
    card: DrawCard
    refusal: str = ""


def check_in_page(access: Access, query: ListFilters, *, version: int, refusal: str = "") -> CheckInPage:
    """Return the page. version: of the log, read before."""
    tournament = access.tournament
    entries = list(tournament.entries.select_related("player").order_by("number", "id"))
    for entry in entries:
        entry.tournament = tournament
    # A player with a hand counts as here and stays.
    played = set(HandScore.objects.filter(entry__in=entries).values_list("entry_id", flat=True))
    here = {entry.pk for entry in entries if entry.checked_in_at is not None or entry.pk in played}
    waiting = list(places.waiting_list(tournament))
    return CheckInPage(
        people=people_list(entries, _list_of(access, entries, here, version), query),
        count=", ".join(filter(None, (_count(len(entries), len(here)), paid_in_words(tournament, entries)))),
        version=version,
        waiting=tuple(_waiting_row(sign_up, at, tournament) for at, sign_up in enumerate(waiting, 1)),
        next_in_line=_next_in_line(places.next_in_line(tournament)),
        replaced=tuple(_replaced_rows(tournament)),
        card=_card(access, len(entries), len(here)),
        refusal=refusal,
    )


def _count(in_all: int, here: int) -> str:
    words = ngettext("%(here)s of %(count)s is here", "%(here)s of %(count)s are here", in_all)
    return words % {"here": here, "count": in_all}


def _list_of(access: Access, entries: Sequence[Entry], here: Collection[int], version: int) -> ListOf[Entry]:
    tournament = access.tournament
    stage = tournament.stage
    sheets = people_at(access)
    remarks = short_notes(access, entries)
    about = {entry.pk: entry.player.club_name for entry in entries}
    late = _late(tournament)
    if stage.has_teams:
        about |= {key: names(member.player for member in team) for key, team in members_of(entries).items()}
    return ListOf(
        url=reverse("check_in", args=[tournament.slug]),
        find=_("Find a name"),
        id_of=lambda entry: entry.public_id,
        name_of=lambda entry: entry.name,
        row=lambda entry: replace(
            _row(
                entry,
                tournament,
                f"{sheets}{entry.public_id}/",
                about[entry.pk],
                entry.pk in here,
                late.get(entry.pk, ""),
            ),
            remark=remarks.get(entry.pk, ""),
        ),
        views=(
            ViewOf("all", _("All")),
            ViewOf("missing", _("Missing"), lambda entry: entry.pk not in here),
            ViewOf("here", _("Here"), lambda entry: entry.pk in here),
            *payment_views(tournament),
        ),
        columns=(_("Players") if stage.has_teams else _("Club"), _("Here since")),
        bulk=_bulk(tournament),
        nothing=_("No one in this part of the list."),
        version=version,
    )


def _late(tournament: Tournament) -> dict[int, str]:
    """Return the messages of players who come late and aren't here yet, by entry id."""
    states = (LeaveRequest.State.WAITING, LeaveRequest.State.ACCEPTED)
    late = LeaveRequest.objects.filter(kind=LeaveRequest.Kind.LATE, state__in=states, entry__checked_in_at=None)
    rows = late.filter(entry__tournament=tournament).order_by("id").values_list("entry", "text")
    return {entry: label_text(_("comes late"), text) if text else _("comes late") for entry, text in rows}


def _bulk(tournament: Tournament) -> Bulk | None:
    """Return the actions. Only payments may be noted once the standings are final."""
    actions = payment_actions(tournament)
    if not tournament.is_final:
        here = BulkAction(HERE, _("Mark here"), is_main=True)
        actions = (here, *actions, BulkAction(AWAY, _("Mark missing")), BulkAction(REPLACE, _("Replace")))
    return Bulk(reverse("check_in_ticked", args=[tournament.slug]), actions) if actions else None


def _row(entry: Entry, tournament: Tournament, url: str, about: str, is_here: bool, late: str) -> PersonRow:
    """Return a player's row. is_here: checked in, or has played a hand. late: the player's message."""
    slug, since, at = tournament.slug, entry.checked_in_at, ""
    if since is not None:
        at = date_format(since.astimezone(tournament.zone), "H:i", use_l10n=False)
    has_played = is_here and since is None
    state = _("here since %(time)s") % {"time": at} if at else _("has played") if has_played else late
    return PersonRow(
        id=entry.public_id,
        name=entry.name,
        line=", ".join(filter(None, (about, state))),
        cells=(about, _("Has played") if has_played else at or late),
        url=url,
        tap=None if has_played else _tap(reverse("here", args=[slug, entry.public_id]), entry.name, is_here),
        paid=payment_tap(entry),
    )


def _tap(url: str, name: str, is_on: bool) -> Tap:
    about = {"name": name}
    return Tap(
        url=url,
        is_on=is_on,
        label=_("Here: %(name)s") % about,
        on=_("Here"),
        off=_("Here?"),
        message_on=_("%(name)s is here.") % about,
        message_off=_("%(name)s is not here.") % about,
    )


def _waiting_row(sign_up: SignUp, at: int, tournament: Tournament) -> PersonRow:
    line, about = _("Waiting list"), {"name": sign_up.name}
    if sign_up.here_at is not None:
        since = date_format(sign_up.here_at.astimezone(tournament.zone), "H:i", use_l10n=False)
        line = _("In the hall, %(time)s") % {"time": since}
    tap = Tap(
        url=reverse("waits_here", args=[tournament.slug, sign_up.public_id]),
        is_on=sign_up.here_at is not None,
        label=_("In the hall: %(name)s") % about,
        on=_("Here"),
        off=_("Here?"),
        message_on=_("%(name)s is in the hall.") % about,
        message_off=_("%(name)s is not in the hall.") % about,
    )
    return PersonRow(sign_up.public_id, sign_up.name, line, tap=tap, number=at)


def _next_in_line(sign_up: SignUp | None) -> str:
    if sign_up is None:
        return ""
    about = {"name": sign_up.name}
    if sign_up.here_at:
        sentence = _("Replace gives the place to %(name)s, the first one in the hall.") % about
    else:
        sentence = _("Replace gives the place to %(name)s, first on the list.") % about
    return " ".join((sentence, _("You can undo this until play continues.")))


def _replaced_rows(tournament: Tournament) -> Iterator[PersonRow]:
    """Yield replaced players with their replacement, as long as undo is possible."""
    for sign_up in tournament.sign_ups.filter(state=SignUp.State.REPLACED).order_by("-id"):
        taker = replacement(sign_up)[1].get("player_id")
        entry = tournament.entries.filter(public_id=taker, scores=None).select_related("player").first()
        if entry is not None:
            undo = Button(_("Undo"), reverse("put_back", args=[tournament.slug, sign_up.public_id]))
            line = _("Replaced by %(name)s") % {"name": entry.name}
            yield PersonRow(sign_up.public_id, sign_up.name, line, button=undo)


def _card(access: Access, in_all: int, here: int) -> DrawCard:
    tournament = access.tournament
    slug, started = tournament.slug, tournament.has_begun
    if not in_all:
        text = _("No players yet.")
    elif here == in_all:
        text = _("Everyone is here.")
    elif started:
        text = _("Round 1 is published. You can still replace players who haven’t played.")
    else:
        text = _("Missing players make room for the waiting list.")
    texts = (text, *_times(tournament))
    title = _("Check-in is over") if tournament.is_final else _("Check-in is over") if started else ""
    title = title or _("Before round 1")
    if not access.organises:
        return DrawCard(title, texts)
    links = [Link(_("Check-in settings"), reverse("sign_up_settings", args=[slug]))]
    if not started:
        links.append(Link(_("Add a player"), reverse("players", args=[slug])))
    if started or not here:
        return DrawCard(
            title, texts, (Link(_("Open the tournament"), reverse("tournament", args=[slug]), True), *links)
        )
    missing = missing_at_the_draw(tournament)
    warning = ""
    if missing:
        words = ngettext(
            "%(count)s missing player is removed; players waiting in the hall get the place. Add anyone who comes"
            " later under Late entry.",
            "%(count)s missing players are removed; players waiting in the hall get their places. Add anyone who "
            "comes later under Late entry.",
            len(missing),
        )
        warning = words % {"count": len(missing)}
    ids = tuple(entry.public_id for entry in missing)
    return DrawCard(title, texts, tuple(links), draws=True, missing=ids, warning=warning)


def _times(tournament: Tournament) -> list[str]:
    """Return whether and until when players check themselves in."""
    page = places.page_of(tournament)
    if page is None or not page.check_in_is_open:
        return []
    if page.check_in_closes_at is None:
        return [_("Players can check themselves in.")]
    at = date_format(page.check_in_closes_at.astimezone(tournament.zone), _("j M, H:i"), use_l10n=False)
    return [_("Players can check themselves in until %(at)s.") % {"at": at}]
