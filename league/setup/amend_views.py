"""Change rules after the start: a form of the settings page, with a preview."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import Access
from league.day.views import decide
from league.formats.setting import AT_ONCE, TO_COME
from league.lib.errors import Refused
from league.lib.form_fields import show_refusal
from league.lib.translate import label_text
from league.models import Stage
from league.pages.tournament_page import organiser_of
from league.setup.amend import amend_rules
from league.setup.forms import AmendForm, TieBreaksForm


def amend(request: HttpRequest, access: Access, form: AmendForm, ties: TieBreaksForm) -> HttpResponse | None:
    """The preview, or a redirect after the change; None if the form has errors."""
    if not form.is_valid() or not ties.is_valid():
        return None
    data = form.cleaned_data
    if not form.changes and ties.order() == tuple(form.stage.tie_breaks):
        form.add_error(None, _("Nothing is different. Change a setting first."))
        return None
    try:
        return decide(
            request,
            access,
            action=lambda: amend_rules(
                tournament=access.tournament,
                **form.settings(),
                tie_breaks=ties.order(),
                reason=data["reason"],
                by=organiser_of(request),
            ),
            title=_("Change rules after the start"),
            button=_("Change the rules"),
            back=reverse("settings", args=[access.tournament.slug]),
            done=_("Changed. It stands under the standings with its reason."),
            about=_what_holds_when(form.stage),
        )
    except Refused as refused:
        show_refusal(form, refused)
        return None


def _what_holds_when(stage: Stage) -> list[str]:
    def named(when: str) -> list[str]:
        return [_(setting.label) for setting in stage.plays.settings if setting.amended == when]

    holds = [(_("For rounds that are not published yet"), named(TO_COME))]
    at_once = [*named(AT_ONCE), *([_("Tie-breaks")] if stage.plays.tie_breaks else [])]
    holds.append((_("At once, also for what was played"), at_once))
    return [label_text(when, ", ".join(names)) for when, names in holds if names]
