"""Pages of a club's members: list, add, edit, invite, remove, erase."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubAccess, club_for, member_for
from league.access.members import guests_of, members_of
from league.access.rights import InClub
from league.clubs import members as members_services
from league.clubs.forms import MemberForm, MembersForm, PrivacyForm
from league.clubs.imports import add_member_list
from league.clubs.joining import who_joins
from league.clubs.list_views import imports_of, preview_page, say_added
from league.clubs.members import (
    RemovedMembers,
    change_member,
    check_number_of_cards,
    guests_in_words,
    member_keys,
    namesake,
    remove_member,
    remove_members,
    ticked_members,
)
from league.clubs.members_list import (
    ACTIONS,
    CARDS,
    JOIN,
    REMOVE,
    MemberLine,
    members_list,
    removed_in_words,
    season_with_divisions,
)
from league.clubs.members_list import remove_question as remove_members_question
from league.clubs.merge_views import merge_candidates
from league.clubs.same_people import number_open
from league.clubs.teams import team_line, teams_of
from league.entries.forms import lines_in_words, notes_in_words
from league.entries.list_preview import picked_in, take_list
from league.erasure.page import erase_page
from league.lib.errors import Conflict, Refused
from league.lib.form_fields import show_refusal
from league.lib.names import name_key
from league.lib.translate import name_order, names
from league.models import Club, Entry, Merge, Player, Round, Seat, Tournament
from league.pages.club_page import render_club
from league.pages.confirm import Confirmation, Way, confirm_page
from league.pages.downloads import download
from league.pages.form_key import creates_once
from league.pages.people_list import Ticks, filters_of_ticks, list_filters, people_part, read_ticks, wants_people
from league.pages.tournament_page import organiser_of, posted_data
from league.roles.deliver import invite_by_form
from league.roles.forms import InvitationForm
from league.roles.roles import AnyInvitation, invite_member, open_invitations


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def members(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Show the members. Organisers add names and recent guests."""
    access = club_for(request.user, club_slug, InClub.MEMBERS if request.method == "POST" else None)
    form = MembersForm(posted_data(request), request.FILES or None, club=access.club)
    status = 200
    if request.method == "POST":
        picked = picked_in(request.POST.dict())
        meant = who_joins(access.club, form.roster.rows, picked) if form.is_valid() else None
        answer = take_list(
            form,
            nothing=_("Type at least one name, or choose a file."),
            preview=lambda: preview_page(request, access, form, _("Add members"), "members", meant),
            take=lambda: _add_members(request, access, form, picked),
            meant=meant,
        )
        if not isinstance(answer, int):
            return answer
        status = answer
    return _members_page(request, access, form, status)


def _members_page(
    request: HttpRequest, access: ClubAccess, form: MembersForm, status: int = 200, refusal: str = ""
) -> HttpResponse:
    filters = list_filters(request.GET) if request.method != "POST" else filters_of_ticks(request.POST)
    people = members_list(access, member_lines(access), filters)
    if wants_people(request):
        return people_part(request, people)
    return render_club(
        request,
        access,
        "league/clubs/members.html",
        page="members",
        title=_("Members"),
        status=status,
        form=form,
        line_errors=lines_in_words(form.line_errors),
        guests=_guest_lines(access.club) if access.manages else [],
        same_people=number_open(access.club) if access.manages else 0,
        people=people,
        refusal=refusal,
        teams=[team_line(access, team) for team in teams_of(access.club)],
        imports=imports_of(access),
    )


@require_POST
@creates_once
def members_ticked(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Remove the ticked members, or redirect to the page that merges, places or prints them."""
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    try:
        ticks = read_ticks(request.POST, ACTIONS)
        if ticks.do != REMOVE:
            return _lead_on(access, ticks)
        if not ticks.is_sure:
            return _ask_remove(request, access, ticks)
        done = remove_members(club=access.club, ids=ticks.who, by=organiser_of(request))
    except Refused as refused:
        form = MembersForm(club=access.club)
        return _members_page(request, access, form, refused.status, str(refused))
    (messages.success if done.names else messages.warning)(request, removed_in_words(done))
    return redirect(ticks.filters.address(reverse("members", args=[club_slug])))


def _lead_on(access: ClubAccess, ticks: Ticks) -> HttpResponse:
    """Redirect to printing, merging or placing. Raises `Refused` for a wrong number, or without divisions."""
    found = ticked_members(access.club, ticks.who)
    if ticks.do == CARDS:
        check_number_of_cards(len(found.members))
        at = reverse("member_cards", args=[access.club.slug])
        return redirect(f"{at}?{urlencode({'who': [member.public_id for member in found.members]}, doseq=True)}")
    if ticks.do == JOIN:
        if len(found.members) != 2:
            raise Refused("not-two", _("Tick exactly two records."))
        target, source = sorted(found.members, key=lambda member: member.pk)
        at = reverse("merge_members", args=[access.club.slug, target.public_id])
        return redirect(f"{at}?{urlencode({'with': source.public_id})}")
    season = season_with_divisions(access.club)
    if season is None:
        raise Conflict("no-divisions", _("No open season has divisions."))
    at = reverse("season_players", args=[access.club.slug, season.slug])
    return redirect(f"{at}?{urlencode({'who': [member.public_id for member in found.members]}, doseq=True)}")


def _ask_remove(request: HttpRequest, access: ClubAccess, ticks: Ticks) -> HttpResponse:
    """Raises `Refused` if none of them is still a member, or an id is unknown."""
    found = ticked_members(access.club, ticks.who)
    if not found.members:
        raise Conflict("no-member", removed_in_words(RemovedMembers((), found.gone, ())))
    ask = remove_members_question(access, found.members, ticks)
    return confirm_page(request, access, ask, page="members", title=_("Remove a member"))


def _guest_lines(club: Club) -> list[dict[str, Any]]:
    """Return the guests of recent events, each with details that tell them apart."""
    members, lines = member_keys(club), []
    for guest in guests_of(club):
        about, same_person = guest.club_name, ""
        if name_key(guest.name) in members:
            about, same_person = _("A member has this name."), reverse("same_people", args=[club.slug])
        lines.append({"player": guest, "about": about, "same_person": same_person})
    return lines


def _add_members(
    request: HttpRequest, access: ClubAccess, form: MembersForm, picked: Mapping[int, str]
) -> HttpResponse:
    players = form.roster.rows
    joined, step = add_member_list(club=access.club, players=players, by=organiser_of(request), picked=picked)
    people = joined.members
    for sentence in notes_in_words(form.roster):
        messages.info(request, sentence)
    words = ngettext("%(count)d member added.", "%(count)d members added.", len(people)) % {"count": len(people)}
    known = len({row.name.casefold() for row in form.roster.rows}) - len(people)
    if known:
        addition = ngettext("%(count)d was already a member.", "%(count)d were already members.", known)
        words = f"{words} {addition % {'count': known}}"
    if joined.guests:
        words = f"{words} {guests_in_words(joined.guests)}"
    say_added(request, access, words, step)
    return redirect("members", access.club.slug)


def member_lines(access: ClubAccess) -> list[MemberLine]:
    """Return the members by the names the viewer may see, with their number of events and last day."""
    people, in_teams = _annotate_evenings(access, members_of(access.club)), _evenings_in_teams(access)
    return [
        MemberLine(
            player=person,
            name=access.name_of(person),
            opens=access.sees_profile(person),
            is_mine=person == access.me,
            evenings=person.evenings + in_teams.get(person.pk, (0, None))[0],  # type: ignore[attr-defined]
            last=max(filter(None, (person.last, in_teams.get(person.pk, (0, None))[1])), default=None),  # type: ignore[attr-defined]
        )
        for person in people
    ]


@require_safe
def club_members_csv(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Export the members without notes, for organisers. The file can be pasted as a list."""
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    lines = sorted(member_lines(access), key=lambda line: name_order(line.name))
    rows = ({field: value(line) for field, value in IN_FILE.items()} for line in lines)
    return download(request, f"{access.club.slug}_members.csv", tuple(IN_FILE), rows)


IN_FILE: dict[str, Callable[[MemberLine], Any]] = {
    "name": lambda line: line.name,
    "club": lambda line: line.player.club_name,
    "email": lambda line: line.player.email,
    "birthday": lambda line: "{:02}-{:02}".format(*line.player.birthday) if line.player.birthday else None,
    "player_id": lambda line: line.player.public_id,
    "evenings": lambda line: line.evenings,
    "last_evening": lambda line: line.last,
}


def _annotate_evenings(access: ClubAccess, people: QuerySet[Player]) -> QuerySet[Player]:
    begun = access.tournaments().exclude(state=Tournament.State.PLANNED)
    here = Q(entries__tournament__in=begun.values("pk"))
    here &= ~Q(entries__status=Entry.Status.STANDIN)
    counted = Count("entries__tournament", filter=here, distinct=True)
    return people.annotate(evenings=counted, last=Max("entries__tournament__starts_on", filter=here))


def _evenings_in_teams(access: ClubAccess) -> dict[int, tuple[int, date]]:
    """Return {key of a member who played in a team: (number of tournaments, last day)}."""
    seats = Seat.objects.filter(substitute__club=access.club, entry__player__team__isnull=False)
    here = seats.filter(round__in=Round.objects.shown(), round__tournament__in=access.tournaments().values("pk"))
    counted = {"evenings": Count("round__tournament", distinct=True), "last": Max("round__tournament__starts_on")}
    return {key: (evenings, last) for key, evenings, last in here.values_list("substitute").annotate(**counted)}


@require_POST
@creates_once
def take_in(request: HttpRequest, club_slug: str) -> HttpResponse:
    """Make guests members: one (`who`), or all."""
    access = club_for(request.user, club_slug, InClub.MEMBERS)
    guests = guests_of(access.club)
    if request.POST.get("who") != "all":
        guests = guests.filter(public_id=request.POST.get("who", "")[:12].replace("\0", ""))
    people = list(guests)
    apart = bool(request.POST.get("apart")) and len(people) == 1
    taken = members_services.take_in(club=access.club, players=people, by=organiser_of(request), apart=apart)
    left = [person.name for person in people if person not in taken]
    if taken:
        words = ngettext("%(count)d member added.", "%(count)d members added.", len(taken))
        messages.success(request, words % {"count": len(taken)})
    if left:
        words = ngettext(
            "%(names)s wasn’t added: a member has this name. See Duplicates.",
            "%(names)s weren’t added: members have these names. See Duplicates.",
            len(left),
        )
        messages.warning(request, words % {"names": names(left)})
    elif not taken:
        messages.warning(request, _("No one was added. They are already members."))
    return redirect("members", club_slug)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Edit a member's details. The page also has the other actions on a member."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    form = MemberForm(posted_data(request), initial={field: getattr(player, field) for field in MemberForm.base_fields})
    if request.method != "POST":
        return _edit_page(request, access, player, form)
    if not form.is_valid():
        return _edit_page(request, access, player, form, status=422)
    data = {**form.cleaned_data}
    try:
        change_member(
            player=player,
            name=data["name"],
            club_name=data["club_name"],
            email=data["email"],
            birthday=form.birthday,
            notes=data["notes"],
            by=organiser_of(request),
            apart=bool(request.POST.get("apart")),
        )
    except Refused as refused:
        show_refusal(form, refused)
        other = namesake(player, data["name"]) if refused.code == "namesake" else None
        return _edit_page(request, access, player, form, status=refused.status, namesake=other)
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
    merges = Merge.objects.filter(kept=player, undone_at=None).select_related("gone").order_by("-pk")
    context = {"inviting": InvitationForm(initial={"email": player.email})} | context
    answer = render_club(
        request,
        access,
        "league/clubs/edit_member.html",
        page="members",
        title=player.name,
        status=status,
        player=player,
        form=form or MemberForm(initial={field: getattr(player, field) for field in MemberForm.base_fields}),
        privacy=PrivacyForm(initial={field: getattr(player, field) for field in PrivacyForm.base_fields}),
        invited=open_invitations(access.club).filter(player=player).first(),
        others=merge_candidates(access, player),
        merges=merges,
        **context,
    )
    if retry_after:
        answer["Retry-After"] = str(retry_after)
    return answer


@require_POST
def invite(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Invite this member by e-mail, or by a link that only the response shows."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    form = InvitationForm(request.POST)

    def make() -> tuple[AnyInvitation, str]:
        data, by = form.cleaned_data, organiser_of(request)
        return invite_member(player=player, by=by, email=data["email"], days=data["days"])

    outcome = invite_by_form(request, form, page=reverse("edit_member", args=[club_slug, member_id]), make=make)
    if outcome.answer is not None:
        return outcome.answer
    if outcome.link:
        return _edit_page(request, access, player, link=outcome.link, invitation=outcome.invitation)
    return _edit_page(request, access, player, inviting=form, status=outcome.status, retry_after=outcome.retry_after)


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Confirm first. A member who has played stays in the results and becomes a guest."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    if request.method != "POST":
        ask = remove_question(access.club, player, events=player.entries.count())
        return confirm_page(request, access, ask, page="members", title=_("Remove a member"))
    try:
        remove_member(player=player, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    else:
        messages.success(request, _("%(name)s is no longer a member.") % {"name": player.name})
    return redirect("members", club_slug)


def remove_question(club: Club, player: Player, *, events: int) -> Confirmation:
    """events: number of tournaments the member is entered in."""
    about = {"name": player.name}
    stays = ngettext(
        "Their %(count)s tournament stays. They become a guest, and can be added again.",
        "Their %(count)s tournaments stay. They become a guest, and can be added again.",
        events,
    )
    return Confirmation(
        title=_("Remove %(name)s?") % about,
        text=stays % {"count": events} if events else _("They haven’t played, so their record is deleted."),
        ways=(Way(_("Keep"), reverse("edit_member", args=[club.slug, player.public_id])),),
        button=_("Remove %(name)s") % about,
        is_quiet=True,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, club_slug: str, member_id: str) -> HttpResponse:
    """Require typing the name: it can't be undone. The viewer must run every tournament of the person."""
    access, player = member_for(request.user, club_slug, member_id, InClub.MEMBERS)
    return erase_page(
        request,
        access,
        player,
        name=player.name,
        page="members",
        back=reverse("edit_member", args=[club_slug, member_id]),
        then=reverse("members", args=[club_slug]),
    )
