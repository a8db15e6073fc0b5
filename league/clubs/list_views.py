"""Preview and undo lists of members and teams."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from league.access import ClubAccess, club_import_for
from league.access.rights import InClub
from league.clubs.imports import club_imports_to_undo, undo_club_import
from league.entries.forms import RosterForm
from league.entries.list_preview import ImportLine, Meant, import_line, preview_of, undone_in_words
from league.erasure.sessions import forget_forms
from league.lib.errors import Refused
from league.models import ListImport
from league.pages.club_page import render_club
from league.pages.in_place import say_done
from league.pages.tournament_page import organiser_of


def preview_page(
    request: HttpRequest, access: ClubAccess, form: RosterForm, title: str, back: str, meant: Meant | None = None
) -> HttpResponse:
    """Show how a list was read, before anyone is added. back: URL name of the page with the form."""
    return render_club(
        request,
        access,
        "league/clubs/list_preview.html",
        page="members",
        title=title,
        form=form,
        preview=preview_of(form, meant, sees_details=True),
        back=reverse(back, args=[access.club.slug]),
    )


def say_added(request: HttpRequest, access: ClubAccess, words: str, step: ListImport | None) -> None:
    """Report the result of a list, with an undo button."""
    if step is None:
        messages.success(request, words)
    else:
        say_done(request, words, undo=_undo_at(access, step))


def imports_of(access: ClubAccess) -> list[ImportLine]:
    """Return the latest list for viewers who may undo it."""
    if not access.may(InClub.MEMBERS):
        return []
    steps = club_imports_to_undo(access.club)
    return [import_line(step, access.club.zone, _undo_at(access, step)) for step in steps]


def _undo_at(access: ClubAccess, step: ListImport) -> str:
    return reverse("undo_club_import", args=[access.club.slug, step.pk])


@require_POST
def undo_list(request: HttpRequest, club_slug: str, club_import_id: int) -> HttpResponse:
    """Remove the members and teams of a list. No confirmation: adding the list again reverses it."""
    _access, step = club_import_for(request.user, club_slug, club_import_id, InClub.MEMBERS)
    of_teams = step.people.filter(player__team__isnull=False).exists()
    try:
        count = undo_club_import(step=step, by=organiser_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        forget_forms([request.path])
        messages.success(request, undone_in_words(count))
    return redirect("club_teams" if of_teams else "members", club_slug)
