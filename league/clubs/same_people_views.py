"""Pages that merge duplicates of a club, and change the person of an entry."""

import re
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from league.access import Access, ClubAccess, club_for, entry_for, keeps_members
from league.access.rights import Can, InClub
from league.clubs.entry_person import candidates_for, link_entry, may_link, split_entry, why_not_split
from league.clubs.same_people import (
    CannotJoin,
    Pair,
    join_pairs,
    last_merges,
    merges_of_form,
    probable_pairs,
    undo_form,
)
from league.entries.known_people import Known, events_of
from league.lib.errors import Conflict
from league.lib.translate import names
from league.models import Entry, Merge, Season
from league.pages.club_page import render_club
from league.pages.tournament_page import organiser_of, render_page

MOST_PAIRS = 200  # a page
MOST_MERGES = 20  # in the list of recent merges
KEY = re.compile(r"[0-9a-f]{16}")
PAIR = re.compile(r"([0-9a-z]{1,12})-([0-9a-z]{1,12})")


@dataclass(frozen=True)
class PairLine:
    """A pair on the page. error: why merging it failed."""

    pair: Pair
    target: str
    source: str
    ticked: bool
    error: str = ""

    @property
    def remark(self) -> str:
        return self.pair.problem or self.pair.doubt


@require_http_methods(["GET", "HEAD", "POST"])
def same_people(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show probable duplicates of a club; a POST merges the ticked pairs.

    `season`: only pairs of this season. `done`: form key of the merge just done.
    """
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    season = access.club.seasons.filter(slug=_param(request, "season")[:80]).first()
    here = reverse("same_people", args=[club_slug])
    if season is not None:
        here = f"{here}?season={season.slug}"
    if request.method != "POST":
        return _page(request, access, season)
    ticked = [value for value in request.POST.getlist("pair")[:MOST_PAIRS] if PAIR.fullmatch(value)]
    if not ticked:
        return _page(request, access, season, ticked=(), error_message=_("Tick at least one pair."), status=422)
    key = request.POST.get("form_key", "")
    if not KEY.fullmatch(key):
        key = secrets.token_hex(8)
    pairs = [(value.partition("-")[0], value.partition("-")[2]) for value in ticked]
    try:
        joined = join_pairs(club=access.club, pairs=pairs, by=organiser_of(request), form_key=key)
    except Conflict as conflict:
        failed = conflict.names if isinstance(conflict, CannotJoin) else frozenset()
        return _page(
            request, access, season, ticked=ticked, error_message=str(conflict), failed=failed, status=conflict.status
        )
    if not joined:  # merged in another tab
        messages.info(request, _("These people are already merged."))
        return redirect(here)
    return redirect(f"{here}{'&' if season else '?'}done={key}")


def _param(request: HttpRequest, name: str) -> str:
    params = request.POST if request.method == "POST" else request.GET
    return params.get(name, "").replace("\0", "")


def _page(
    request: HttpRequest,
    access: ClubAccess,
    season: Season | None,
    *,
    ticked: Collection[str] | None = None,
    error_message: str = "",
    failed: frozenset[str] = frozenset(),
    status: int = 200,
) -> HttpResponse:
    pairs = probable_pairs(access.club, season)
    lines = [_line(pair, ticked, failed, error_message) for pair in pairs[:MOST_PAIRS]]
    done = _done(access, request.GET.get("done", ""))
    return render_club(
        request,
        access,
        "league/clubs/same_people.html",
        page="members",
        title=_("Duplicates"),
        status=status,
        season=season,
        lines=lines,
        more=len(pairs) - len(lines),
        verdict=_verdict(pairs),
        can_join=any(not pair.problem for pair in pairs),
        error_message=error_message,
        done=done,
        form_key=secrets.token_hex(8),
        buttons="|".join(_button(count) for count in range(len(lines) + 1)),
        merges=last_merges(access.club, MOST_MERGES),
    )


def _line(pair: Pair, ticked: Collection[str] | None, failed: frozenset[str], error_message: str) -> PairLine:
    is_ticked = pair.is_probable if ticked is None else pair.key in ticked
    at_fault = failed == {pair.target.player.public_id, pair.source.player.public_id}
    show_club = pair.target.player.club_name != pair.source.player.club_name
    target, source = (_about(one, show_club) for one in (pair.target, pair.source))
    return PairLine(pair, target, source, is_ticked and not pair.problem, error_message if at_fault else "")


def _about(one: Known, show_club: bool) -> str:
    """Such as “Ann Schmidt: member, SV Lokstedt, 3 events, last on 14 November”."""
    parts = [_("member") if one.is_member else _("guest")]
    if show_club and one.player.club_name:
        parts.append(one.player.club_name)
    parts.append(events_in_words(one))
    return _("%(name)s: %(about)s") % {"name": one.player.name, "about": ", ".join(parts)}


def events_in_words(one: Known) -> str:
    if not one.events or one.last is None:
        return _("no tournament yet")
    words = ngettext("%(count)d tournament", "%(count)d tournaments", one.events) % {"count": one.events}
    return ", ".join([words, _("last on %(day)s") % {"day": date_format(one.last, _("j F"))}])


def _verdict(pairs: Sequence[Pair]) -> str:
    """Such as “4 possible duplicates. 3 are ticked. 1 pair stays separate.”"""
    possible, ticked = sum(not pair.problem for pair in pairs), sum(pair.is_probable for pair in pairs)
    sentences = []
    if possible:
        words = ngettext("%(count)d possible duplicate.", "%(count)d possible duplicates.", possible)
        sentences.append(words % {"count": possible})
        ticks = ngettext("%(count)d is ticked.", "%(count)d are ticked.", ticked) if ticked else _("None is ticked.")
        sentences.append(ticks % {"count": ticked})
    if apart := len(pairs) - possible:
        words = ngettext("%(count)d pair stays separate.", "%(count)d pairs stay separate.", apart)
        sentences.append(words % {"count": apart})
    return " ".join(sentences)


def _button(count: int) -> str:
    if not count:
        return _("Merge the ticked pairs")
    return ngettext("Merge %(count)d pair", "Merge %(count)d pairs", count) % {"count": count}


def _done(access: ClubAccess, key: str) -> dict[str, str] | None:
    """Return a sentence on the merges of a form, and its key while they can be undone."""
    done = merges_of_form(access.club, key) if KEY.fullmatch(key) else []
    if not done:
        return None
    living = [merge for merge in done if merge.undone_at is None]
    people = names(sorted({merge.kept.name for merge in living or done}))
    if not living:
        return {"words": _("Merged, then undone: %(names)s.") % {"names": people}, "key": ""}
    words = ngettext("%(count)d pair merged: %(names)s.", "%(count)d pairs merged: %(names)s.", len(living))
    return {"words": words % {"count": len(living), "names": people}, "key": key}


@require_POST
def undo_same_people(request: HttpRequest, club_slug: str, form_key: str) -> HttpResponse:
    """Undo all merges of one form."""
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    if not KEY.fullmatch(form_key) or not merges_of_form(access.club, form_key):
        raise Http404
    try:
        back = undo_form(club=access.club, form_key=form_key, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        if back:
            messages.success(request, _("Separate again: %(names)s.") % {"names": names(back)})
        else:
            messages.info(request, _("Already undone."))
    return redirect("same_people", club_slug)


@require_http_methods(["GET", "HEAD", "POST"])
def entry_person(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """Show the person of an entry. Organisers split it off; member keepers link it with a known person."""
    access, entry = entry_for(request.user, slug, public_id, Can.RUN)
    if request.method != "POST":
        return _entry_page(request, access, entry)
    action = {"split": _split, "link": _link}.get(request.POST.get("do", ""))
    try:
        sentence = action(request, access, entry) if action else ""
    except Conflict as conflict:
        return _entry_page(request, access, entry, error_message=str(conflict), status=conflict.status)
    if not sentence:
        return _entry_page(request, access, entry, error_message=_("Choose the person first."), status=422)
    messages.success(request, sentence)
    return redirect("entry_person", slug, public_id)


def _split(request: HttpRequest, access: Access, entry: Entry) -> str:
    new = split_entry(entry=entry, by=organiser_of(request))
    return _("%(name)s is now a new person. Other tournaments stay as they are.") % {"name": new.name}


def _link(request: HttpRequest, access: Access, entry: Entry) -> str:
    """Return "" if the person isn't among the candidates."""
    club = access.tournament.club
    if club is None or not keeps_members(request.user, club):
        return ""
    offered = (*candidates_for(entry), *candidates_for(entry, _param(request, "q").strip()[:80]))
    wanted = request.POST.get("person", "")
    known = next((one.player for one in offered if one.player.public_id == wanted), None)
    if known is None:
        return ""
    key = secrets.token_hex(8)
    link_entry(entry=entry, club=club, known=known, by=organiser_of(request), form_key=key)
    return _("Linked: %(name)s. You can undo it on this page.") % {"name": known.name}


def _entry_page(
    request: HttpRequest, access: Access, entry: Entry, *, error_message: str = "", status: int = 200
) -> HttpResponse:
    club, query = access.tournament.club, _param(request, "q").strip()[:80]
    keeps = club is not None and keeps_members(request.user, club)
    links = keeps and may_link(entry)
    events = events_of(club, [entry.player]) if club is not None and keeps else {}
    known = Known(entry.player, *events[entry.player_id]) if entry.player_id in events else None
    return render_page(
        request,
        access,
        "league/clubs/entry_person.html",
        page="players",
        title=_("Who is %(name)s?") % {"name": entry.name},
        status=status,
        entry=entry,
        about=_about(known, show_club=True) if known else "",
        cannot_split=why_not_split(entry),
        links=links,
        query=query,
        candidates=[(one.player, _about(one, show_club=True)) for one in candidates_for(entry, query)] if links else [],
        club=club if keeps else None,
        merges=_merges_of(entry) if keeps else [],
        error_message=error_message,
    )


def _merges_of(entry: Entry) -> list[Merge]:
    """Return the merges that gave this entry to its player, latest first."""
    living = entry.player.merges.filter(undone_at=None).select_related("gone").order_by("-pk")
    return [merge for merge in living if entry.pk in merge.moved["entries"]]
