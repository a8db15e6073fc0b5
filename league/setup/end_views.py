"""Pages that delete or cancel a tournament, or remove it from ratings.

The settings link to them. Ending early is in league/day/views.py, because it has a preview.
"""

from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.access import tournament_for
from league.access.rights import Can
from league.letters.limits import mails_go_out
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.models import SignUp, Tournament
from league.pages.confirm import Confirmation, Way, confirm_page
from league.pages.tournament_page import organiser_of, posted_data
from league.setup import call_off as calling_off
from league.setup import count_in_club
from league.setup.call_off import hold_after_all, mail_in_words
from league.setup.delete import delete_tournament, why_it_stays
from league.setup.forms import CallOffForm, CountsForm, DeleteForm
from league.setup.views import show_settings, shown_forms


@require_POST
def call_off(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel the tournament, or reinstate it with `do=hold`."""
    access = tournament_for(request.user, slug, Can.RUN)
    by, form = organiser_of(request), CallOffForm(request.POST)
    if request.POST.get("do") == "hold":
        hold_after_all(tournament=access.tournament, by=by)
        done = _("Reinstated.")
    elif not form.is_valid():
        forms = replace(shown_forms(request, access), calling_off=form)
        return show_settings(request, access, forms, status=422)
    else:
        try:
            calling_off.call_off(tournament=access.tournament, reason=form.cleaned_data["reason"], by=by)
        except Refused as refused:
            show_refusal(form, refused)
            forms = replace(shown_forms(request, access), calling_off=form)
            return show_settings(request, access, forms, status=refused.status)
        done = _("Cancelled.")
    messages.success(request, f"{done} {mail_in_words(sends=mails_go_out(access.tournament))}")
    return redirect("settings", slug=slug)


@require_POST
def set_counts(request: HttpRequest, slug: str) -> HttpResponse:
    """Set whether the tournament counts in club ratings and seasons."""
    access = tournament_for(request.user, slug, Can.DELETE)
    form = CountsForm(request.POST)
    form.is_valid()  # a single box is always valid
    counts = form.cleaned_data["counts"]
    try:
        count_in_club.set_counts(tournament=access.tournament, counts=counts, by=organiser_of(request))
    except Refused as refused:
        show_refusal(form, refused)
        forms = replace(shown_forms(request, access), counting=form)
        return show_settings(request, access, forms, status=refused.status)
    if counts:
        messages.success(request, _("It counts in ratings again. Choose its season under “Club”."))
    else:
        messages.success(request, _("It no longer counts in ratings or seasons."))
    return redirect("settings", slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the tournament after its name is typed, or explain why that isn't possible."""
    access = tournament_for(request.user, slug, Can.DELETE)
    tournament = access.tournament
    form, status = DeleteForm(posted_data(request)), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            name = form.cleaned_data["name"]
            try:
                delete_tournament(tournament=tournament, name=name, by=organiser_of(request))
            except Refused as refused:
                status = refused.status
                show_refusal(form, refused)
            else:
                messages.success(request, _("“%(name)s” is deleted.") % {"name": tournament.name})
                return redirect("home")
    ask = delete_question(tournament, form)
    return confirm_page(request, access, ask, page="settings", title=_("Delete tournament"), status=status)


def delete_question(tournament: Tournament, form: DeleteForm) -> Confirmation:
    """Return the confirmation that asks for the name, or the reason against deleting."""
    ending = reverse("settings", args=[tournament.slug]) + "#ending"
    if why_not := why_it_stays(tournament):
        return Confirmation(
            title=_("It stays"), text=str(why_not), ways=(Way(_("See other options"), ending, is_main=True),)
        )
    text = [_("Its address, list, draw, links and log are deleted. Club members stay members.")]
    if count := tournament.entries.count():
        text.append(_("On the list: %(count)s.") % {"count": count})
    if tournament.sign_ups.filter(state__in=(SignUp.State.PLACED, SignUp.State.WAITING)).exists():
        text.append(mail_in_words(sends=settings.MAIL_GOES_OUT))
    about = {"name": tournament.name}
    return Confirmation(
        title=_("Delete %(name)s?") % about,
        text=" ".join(text),
        ways=(Way(_("Keep"), ending),),
        button=_("Delete tournament"),
        is_final=True,
        form=form,
        typed=_("Type: %(name)s") % about,
    )
