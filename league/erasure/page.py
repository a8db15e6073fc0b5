"""The page that asks before a person is erased."""

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
    """Ask for the name, since erasing can't be undone; then erase. The viewer must run every tournament of the person.

    name: as the page calls the person. page: the name of the address it belongs to. back: the path to go to instead;
    then: the path to go to afterwards.
    """
    allowed = may_erase(request.user, person)
    form = EraseForm(posted_data(request), person=person)
    if allowed and form.is_valid():
        erased = erase_player(player=person, by=organiser_of(request))
        messages.success(request, _("Erased. What was played stays, under %(name)s.") % {"name": erased.name})
        return redirect(then)
    if allowed:
        ask = erase_question(form, name=name, tournaments=person.entries.count(), back=back)
    else:
        ask = not_yours(name=name, back=back)
    status = (422 if allowed else 409) if request.method == "POST" else 200
    return confirm_page(request, access, ask, page=page, title=_("Erase a person"), status=status)


def erase_question(form: EraseForm, *, name: str, tournaments: int, back: str) -> Confirmation:
    """tournaments: the number of those in which the person is on the list."""
    text = [
        _(
            "Name, club, e-mail and birthday go for good, in the log as well. Hands, points and places stay, under"
            " “Player” and four letters."
        ),
        _("An account that the person may have to sign in with stays: they close it themselves, under “Your account”."),
    ]
    if tournaments > 1:
        sentence = ngettext(
            "It happens in %(count)s tournament.",
            "It happens in all %(count)s tournaments of this person.",
            tournaments,
        )
        text.insert(1, sentence % {"count": tournaments})
    about = {"name": name}
    return Confirmation(
        title=_("Erase %(name)s?") % about,
        text=" ".join(text),
        ways=(Way(_("Keep"), back),),
        button=_("Erase %(name)s for good") % about,
        is_final=True,
        form=form,
        typed=_("Type: %(name)s") % about,
    )


def not_yours(*, name: str, back: str) -> Confirmation:
    """Say why the viewer can't erase the person."""
    return Confirmation(
        title=_("Erase %(name)s?") % {"name": name},
        text=_(
            "This person is also in tournaments that you do not run, or a member of a club whose members you do not"
            " keep. Ask whoever runs the service to erase them."
        ),
        ways=(Way(_("Back"), back),),
    )
