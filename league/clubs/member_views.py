"""The members of a club: the list, who joins and leaves, and two records that are one person."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubAccess, club_for, may_erase, member_for, merge_for
from league.access.members import guests_of, members_of
from league.access.rights import InClub
from league.clubs import members as members_services
from league.clubs import merge as merging
from league.clubs.forms import MemberForm, MembersForm, PrivacyForm
from league.clubs.members import add_members, change_member, remove_member
from league.clubs.merge import check_merge, would_move
from league.clubs.teams import team_line, teams_of
from league.entries.forms import lines_in_words
from league.erasure.erase import erase_player
from league.lib.errors import Conflict, Refused
from league.lib.form_fields import show_refusal
from league.lib.search import fold, matches
from league.models import Entry, Merge, Player, Round, Seat, Tournament
from league.pages.club_page import render_club
from league.pages.downloads import csv_file
from league.pages.tournament_page import organiser_of, posted_data
from league.roles.club_roles import invite_member, open_club_invitations
from league.roles.deliver import link_of, mail_invitation, too_many_mails
from league.roles.forms import MemberInvitationForm

SHOWN = 300  # members on one page; the search finds the others


@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show everybody who belongs to the club; organisers add names and take in guests of the last evenings."""
    access = club_for(request.user, club_slug, InClub.MEMBERS if request.method == "POST" else None)
    form = MembersForm(posted_data(request), request.FILES or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid() and not form.roster.rows:
            form.add_error("players", _("Type at least one name, or choose a file."))
        elif form.is_valid():
            try:
                added = add_members(club=access.club, players=form.roster.rows, by=organiser_of(request))
            except Refused as refused:
                status = refused.status
                form.add_error("players", str(refused))
            else:
                _say_added(request, form, len(added))
                return redirect("members", club_slug)
    query = request.GET.get("q", "").strip()[:80]
    return render_club(
        request,
        access,
        "league/clubs/members.html",
        page="members",
        title=_("Players"),
        status=status,
        form=form,
        line_errors=lines_in_words(form.line_errors),
        guests=list(guests_of(access.club)) if access.manages else [],
        query=query,
        teams=[team_line(access, team) for team in teams_of(access.club)],
        **_list_context(access, query),
    )


def _say_added(request: HttpRequest, form: MembersForm, added: int) -> None:
    for sentence in lines_in_words(form.roster.warnings):
        messages.warning(request, sentence)
    words = ngettext("%(count)d member added.", "%(count)d members added.", added) % {"count": added}
    known = len({row.name.casefold() for row in form.roster.rows}) - added
    if known:
        addition = ngettext("%(count)d name was there already.", "%(count)d names were there already.", known)
        words = f"{words} {addition % {'count': known}}"
    messages.success(request, words)


def _list_context(access: ClubAccess, query: str) -> dict[str, Any]:
    """Return the first members whose names match the query, as context."""
    everybody = _lines(access)
    hits = [line for line in everybody if not query or matches(query, line["name"])]
    lines = hits[:SHOWN]
    return {"lines": lines, "in_all": len(everybody), "found": len(hits), "more": len(hits) - len(lines)}


def _lines(access: ClubAccess) -> list[dict[str, Any]]:
    """Return the members by the names that the viewer may see, with how often and when they played last."""
    people, in_teams = _annotate_evenings(access, members_of(access.club)), _evenings_in_teams(access)
    lines = [
        {
            "name": access.name_of(person),
            "player": person,
            "opens": access.sees_profile(person),
            "mine": person == access.me,
            **_evenings(person, in_teams),
        }
        for person in people
    ]
    return sorted(lines, key=lambda line: fold(line["name"]))


@require_safe
def club_members_csv(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Give organisers the members with all that the club knows of them. The file can be pasted as a list again."""
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    rows = ({field: value(line) for field, value in IN_FILE.items()} for line in _lines(access))
    return csv_file(request, f"{access.club.slug}_members.csv", tuple(IN_FILE), rows)


IN_FILE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "name": lambda line: line["name"],
    "club": lambda line: line["player"].club_name,
    "email": lambda line: line["player"].email,
    "birthday": lambda line: "{:02}-{:02}".format(*line["player"].birthday) if line["player"].birthday else None,
    "player_id": lambda line: line["player"].public_id,
    "evenings": lambda line: line["evenings"],
    "last_evening": lambda line: line["last"],
}


def _evenings(member: Any, in_teams: dict[int, tuple[int, date]]) -> dict[str, Any]:
    """Return how often and when a member played last, alone (annotated) and in teams."""
    evenings, last = in_teams.get(member.pk, (0, None))
    return {"evenings": member.evenings + evenings, "last": max(filter(None, (member.last, last)), default=None)}


def _annotate_evenings(access: ClubAccess, people: QuerySet[Player]) -> QuerySet[Player]:
    begun = access.tournaments().exclude(state=Tournament.State.PLANNED)
    here = Q(entries__tournament__in=begun.values("pk"))
    here &= ~Q(entries__status=Entry.Status.STANDIN)
    counted = Count("entries__tournament", filter=here, distinct=True)
    return people.annotate(evenings=counted, last=Max("entries__tournament__starts_on", filter=here))


def _evenings_in_teams(access: ClubAccess) -> dict[int, tuple[int, date]]:
    """{key of a member who played in a team: (number of evenings, the last day)}"""
    seats = Seat.objects.filter(substitute__club=access.club, entry__player__team__isnull=False)
    here = seats.filter(round__in=Round.objects.shown(), round__tournament__in=access.tournaments().values("pk"))
    counted = {"evenings": Count("round__tournament", distinct=True), "last": Max("round__tournament__starts_on")}
    return {key: (evenings, last) for key, evenings, last in here.values_list("substitute").annotate(**counted)}


@require_POST
def take_in(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Make guests members: the one whose button was pressed, or all."""
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    guests = guests_of(access.club)
    if request.POST.get("who") != "all":
        guests = guests.filter(public_id=request.POST.get("who", "")[:12].replace("\0", ""))
    taken = members_services.take_in(club=access.club, players=list(guests), by=organiser_of(request))
    if taken:
        words = ngettext("%(count)d member added.", "%(count)d members added.", len(taken))
        messages.success(request, words % {"count": len(taken)})
    else:
        messages.warning(request, _("Nobody was taken in: a member has the same name, or they are one already."))
    return redirect("members", club_slug)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Edit what the club knows of a member; the page has everything else that organisers do about a member."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    fields = ("name", "club_name", "email", "birth_day", "birth_month")
    form = MemberForm(posted_data(request), initial={field: getattr(player, field) for field in fields})
    if request.method != "POST":
        return _edit_page(request, access, player, form)
    if not form.is_valid():
        return _edit_page(request, access, player, form, status=422)
    data = form.cleaned_data
    try:
        change_member(
            player=player,
            name=data["name"],
            club_name=data["club_name"],
            email=data["email"],
            birthday=form.birthday,
            by=organiser_of(request),
        )
    except Refused as refused:
        show_refusal(form, refused)
        return _edit_page(request, access, player, form, status=refused.status)
    messages.success(request, _("Saved."))
    return redirect("edit_member", club_slug, member_id)


def _edit_page(
    request: HttpRequest,
    access: ClubAccess,
    player: Player,
    form: MemberForm | None = None,
    status: int = 200,
    retry_after: int = 0,
    **context: Any,
) -> HttpResponse:
    fields = ("name", "club_name", "email", "birth_day", "birth_month")
    merges = Merge.objects.filter(kept=player, undone_at=None).select_related("gone").order_by("-pk")
    context = {"inviting": MemberInvitationForm(initial={"email": player.email})} | context
    answer = render_club(
        request,
        access,
        "league/clubs/edit_member.html",
        page="members",
        title=player.name,
        status=status,
        player=player,
        form=form or MemberForm(initial={field: getattr(player, field) for field in fields}),
        privacy=PrivacyForm(initial={field: getattr(player, field) for field in PrivacyForm.base_fields}),
        invited=open_club_invitations(access.club).filter(player=player).first(),
        others=_merge_candidates(access, player),
        merges=merges,
        **context,
    )
    if retry_after:
        answer["Retry-After"] = str(retry_after)
    return answer


def _merge_candidates(access: ClubAccess, player: Player) -> list[Player]:
    """Return members and guests who could be the same person, those with a similar name first."""
    people = [*members_of(access.club).exclude(pk=player.pk), *guests_of(access.club, to_come=True)]
    words = set(fold(player.name).split())
    return sorted(people, key=lambda person: (-len(words & set(fold(person.name).split())), fold(person.name)))


@require_POST
def invite(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Invite the person who is this member: by mail, or by a link that only the answer shows."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    form = MemberInvitationForm(request.POST)
    if not form.is_valid():
        return _edit_page(request, access, player, inviting=form, status=422)
    if wait := too_many_mails(request, form):
        return _edit_page(request, access, player, inviting=form, status=429, retry_after=wait)
    data = form.cleaned_data
    try:
        invitation, secret = invite_member(
            player=player, by=organiser_of(request), email=data["email"], days=data["days"]
        )
    except (Refused, Conflict) as refused:
        form.add_error(None, str(refused))
        return _edit_page(request, access, player, inviting=form, status=refused.status)
    link = link_of(request, secret)
    if not (invitation.email and settings.MAIL_GOES_OUT):
        return _edit_page(request, access, player, link=link, invitation=invitation)
    if not mail_invitation(request, invitation, link, form):
        return _edit_page(request, access, player, inviting=form, status=503)
    return redirect("edit_member", club_slug, member_id)


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Ask first. A member who has played stays in the results and becomes a guest."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    if request.method != "POST":
        return render_club(
            request, access, "league/clubs/remove_member.html", page="members", title=_("Remove a member"),
            player=player,
            evenings=player.entries.count(),
        )  # fmt: skip
    try:
        remove_member(player=player, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("%(name)s is no member any more.") % {"name": player.name})
    return redirect("members", club_slug)


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Ask first, since it cannot be undone. Only who runs every tournament of a person may erase them."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    allowed = may_erase(request.user, player)
    if request.method == "POST" and allowed:
        person = erase_player(player=player, by=organiser_of(request))
        messages.success(request, _("Erased. What was played stays, under %(name)s.") % {"name": person.name})
        return redirect("members", club_slug)
    return render_club(
        request,
        access,
        "league/clubs/erase_member.html",
        page="members",
        title=_("Erase a person"),
        status=409 if request.method == "POST" else 200,
        player=player,
        allowed=allowed,
        tournaments=player.entries.count(),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Merge another record of the same person (`with`) into this one. Show first what would move; the POST does it."""
    access, kept = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    params = request.POST if request.method == "POST" else request.GET
    gone = next((person for person in _merge_candidates(access, kept) if person.public_id == params.get("with")), None)
    if gone is None:
        messages.error(request, _("Choose the other record of %(name)s.") % {"name": kept.name})
        return redirect("edit_member", club_slug, member_id)
    problem, status = "", 200
    try:
        if not may_erase(request.user, gone):  # the name would change in tournaments that others run
            raise Conflict(
                "not-yours", _("%(name)s also plays in tournaments that you do not run.") % {"name": gone.name}
            )
        if request.method == "POST":
            merging.merge(kept=kept, gone=gone, by=organiser_of(request))
            messages.success(
                request, _("One record now: %(name)s. You can undo it on this page.") % {"name": kept.name}
            )
            return redirect("edit_member", club_slug, member_id)
        check_merge(kept, gone)
    except Conflict as conflict:
        problem, status = str(conflict), conflict.status if request.method == "POST" else 200
    return render_club(
        request,
        access,
        "league/clubs/merge_members.html",
        page="members",
        title=_("Merge two records"),
        status=status,
        kept=kept,
        gone=gone,
        said=problem,
        moves=would_move(kept, gone) if not problem else None,  # else they would learn where somebody plays
    )


@require_POST
def undo_merge(request: HttpRequest, club_slug: str, merge_id: int) -> HttpResponse:
    access, done = merge_for(request.user, club_slug, merge_id, InClub.MEMBERS)
    try:
        gone = merging.undo_merge(merge=done, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("Two records again: %(names)s.") % {"names": f"{done.kept.name}, {gone.name}"})
    return redirect("edit_member", access.club.slug, done.kept.public_id)
