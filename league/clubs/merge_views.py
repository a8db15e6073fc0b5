"""Pages that merge two records of a club, and undo it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import ClubAccess, may_erase, member_for, merge_for
from league.access.members import guests_of, members_of
from league.access.rights import InClub
from league.clubs import merge as merging
from league.clubs.merge import check_merge, would_move
from league.lib.errors import Conflict
from league.lib.names import fold
from league.models import Player
from league.pages.club_page import render_club
from league.pages.form_key import creates_once
from league.pages.tournament_page import organiser_of


def merge_candidates(access: ClubAccess, player: Player) -> list[Player]:
    """Return members and guests who could be the same person, similar names first."""
    people = [*members_of(access.club).exclude(pk=player.pk), *guests_of(access.club, to_come=True)]
    words = set(fold(player.name).split())
    return sorted(people, key=lambda person: (-len(words & set(fold(person.name).split())), fold(person.name)))


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def merge(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Merge another record (`with`) into this one. GET previews the merge."""
    access, target = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    params = request.POST if request.method == "POST" else request.GET
    source = next(
        (person for person in merge_candidates(access, target) if person.public_id == params.get("with")), None
    )
    if source is None:
        messages.error(request, _("Choose the other record of %(name)s.") % {"name": target.name})
        return redirect("edit_member", club_slug, member_id)
    problem, status = "", 200
    try:
        if not may_erase(request.user, source):  # the name would change in tournaments of other organisers
            raise Conflict("not-yours", _("%(name)s also plays in tournaments you don’t run.") % {"name": source.name})
        if request.method == "POST":
            merging.merge(target=target, source=source, by=organiser_of(request))
            messages.success(request, _("Merged: %(name)s. You can undo it on this page.") % {"name": target.name})
            return redirect("edit_member", club_slug, member_id)
        check_merge(target, source)
    except Conflict as conflict:
        problem, status = str(conflict), conflict.status if request.method == "POST" else 200
    return render_club(
        request,
        access,
        "league/clubs/merge_members.html",
        page="members",
        title=_("Merge records"),
        status=status,
        target=target,
        source=source,
        error_message=problem,
        moves=would_move(target, source)
        if not problem
        else None,  # a preview would reveal where the other person plays
    )


@require_POST
def undo_merge(request: HttpRequest, club_slug: str, merge_id: int) -> HttpResponse:
    access, done = merge_for(request.user, club_slug, merge_id, InClub.MEMBERS)
    try:
        source = merging.undo_merge(merge=done, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("Separate again: %(names)s.") % {"names": f"{done.kept.name}, {source.name}"})
    if done.kept.club_id != access.club.pk:  # a guest has no page in the club
        return redirect("same_people", access.club.slug)
    return redirect("edit_member", access.club.slug, done.kept.public_id)
