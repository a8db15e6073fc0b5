"""Page that confirms erasing a person."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import Access, ClubAccess, may_erase
from league.erasure.erase import erase_player
from league.erasure.forms import EraseForm
from league.models import Player
from league.pages.confirm import Confirmation, Way, confirm_page
from league.pages.tournament_page import organiser_of, posted_data


def erase_page(
    request: HttpRequest, access: Access | ClubAccess, person: Player, *, name: str, page: str, back: str, then: str
) -> HttpResponse:
    """Require typing the name, then erase. The viewer must run every tournament of the person.

    name: of the person on the page. page: URL name the page belongs to. back: path to cancel; then: path afterwards.
    """
    allowed = may_erase(request.user, person)
    form = EraseForm(posted_data(request), person=person)
    if allowed and form.is_valid():
        erased = erase_player(player=person, by=organiser_of(request))
        messages.success(request, _("Erased. Results stay, under %(name)s.") % {"name": erased.name})
        return redirect(then)
    if allowed:
        ask = erase_question(form, name=name, tournaments=person.entries.count(), back=back)
    else:
        ask = not_yours(name=name, back=back)
    status = (422 if allowed else 409) if request.method == "POST" else 200
    return confirm_page(request, access, ask, page=page, title=_("Erase a person"), status=status)


def erase_question(form: EraseForm, *, name: str, tournaments: int, back: str) -> Confirmation:
    """tournaments: number in which the person is entered."""
    text = [
        _(
            "Name, club, e-mail and birthday are erased everywhere, also in the log. Results stay, "
            "under “Player” and four letters."
        ),
        _("An account of this person stays: they can close it under “Your account”."),
    ]
    if tournaments > 1:
        sentence = ngettext(
            "Affects %(count)s tournament.",
            "Affects all %(count)s tournaments of this person.",
            tournaments,
        )
        text.insert(1, sentence % {"count": tournaments})
    about = {"name": name}
    return Confirmation(
        title=_("Erase %(name)s?") % about,
        text=" ".join(text),
        ways=(Way(_("Keep"), back),),
        button=_("Erase %(name)s") % about,
        is_final=True,
        form=form,
        typed=_("Type: %(name)s") % about,
    )


def not_yours(*, name: str, back: str) -> Confirmation:
    """Explain why the viewer can't erase the person."""
    return Confirmation(
        title=_("Erase %(name)s?") % {"name": name},
        text=_(
            "This person is also in tournaments or clubs you don’t manage. Ask the operator of the "
            "service to erase them."
        ),
        ways=(Way(_("Back"), back),),
    )
