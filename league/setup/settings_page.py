"""The settings page of a tournament as a value: forms, and the text next to them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _

from league.access import Access
from league.access.rights import Can
from league.lib.errors import Conflict
from league.lib.translate import with_markup
from league.lib.wall_time import moment
from league.models import Club, Tournament
from league.rounds.steps import why_it_goes_on
from league.setup.call_off import mail_in_words, why_not_cancelled
from league.setup.delete import why_it_stays
from league.setup.forms import (
    DETAILS,
    AmendForm,
    CallOffForm,
    ClubChoiceForm,
    CountsForm,
    DetailsForm,
    FeeForm,
    LeavingForm,
    OddsForm,
    ReportingForm,
    TieBreaksForm,
)
from league.setup.stages.rules_form import RulesForm, facts_of
from league.standings.amendments_in_words import sentences_of
from league.standings.tie_breaks import TIE_BREAKS


@dataclass(frozen=True)
class SettingsForms:
    """The forms of the page; at most one is bound.

    evening_of: None without a club to choose, or if the viewer may not remove the tournament from its club.
    """

    details: DetailsForm
    reporting: ReportingForm
    leaving: LeavingForm
    odds: OddsForm
    fee: FeeForm
    rules: RulesForm
    ties: TieBreaksForm
    amending: AmendForm
    amended_ties: TieBreaksForm
    calling_off: CallOffForm
    counting: CountsForm
    evening_of: ClubChoiceForm | None


def settings_forms(
    tournament: Tournament, evening_of: ClubChoiceForm | None, posted: QueryDict | None = None, which: str = ""
) -> SettingsForms:
    """which: the name of the posted form."""
    stage = tournament.stage

    def data_of(form: str) -> QueryDict | None:
        return posted if which == form else None

    order = TieBreaksForm.initial_from(stage.tie_breaks)
    reporting = {"players_report": tournament.players_report, "confirm_after": tournament.confirm_after}
    return SettingsForms(
        details=DetailsForm(data_of("details"), initial={field: getattr(tournament, field) for field in DETAILS}),
        reporting=ReportingForm(data_of("reporting"), initial=reporting),
        leaving=LeavingForm(data_of("leaving"), initial={"players_leave": tournament.players_leave}),
        odds=OddsForm(data_of("odds"), initial={"shows_odds": tournament.shows_odds}),
        fee=FeeForm(data_of("fee"), initial={"fee": tournament.fee}),
        rules=RulesForm(data_of("rules"), format=stage.format, initial=RulesForm.initial_from(stage)),
        ties=TieBreaksForm(data_of("rules"), initial=order, prefix="order"),
        amending=AmendForm(data_of("amend"), stage=stage, auto_id="amend_%s"),
        amended_ties=TieBreaksForm(data_of("amend"), initial=order, prefix="then"),
        calling_off=CallOffForm(),
        counting=CountsForm(initial={"counts": tournament.counts_in_club}),
        evening_of=evening_of,
    )


def evening_form(
    tournament: Tournament, clubs: Iterable[Club], posted: QueryDict | None = None
) -> ClubChoiceForm | None:
    """clubs: those that the viewer may run events for."""
    clubs, club = list(clubs), tournament.club
    if not clubs or (club is not None and club not in clubs):
        return None
    return ClubChoiceForm(posted, clubs=clubs, tournament=tournament, initial={"club": club.slug if club else ""})


@dataclass(frozen=True)
class Way:
    """A way to end the tournament: its effect, or why it isn't possible."""

    text: str
    is_possible: bool

    @property
    def css(self) -> str:
        return "hint" if self.is_possible else "muted small"


@dataclass(frozen=True)
class CallOff:
    """Cancelling, or reinstating (`is_off`). reason: why it was cancelled."""

    title: str
    way: Way
    is_off: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Counting:
    """Whether it counts in ratings and seasons. told: for viewers who may not change it."""

    may_change: bool
    text: str


@dataclass(frozen=True)
class SettingsPage:
    """stand_since: when the rules were fixed; empty before the start. tie_breaks: (name, meaning), empty for formats
    without them. counting: None outside a club."""

    forms: SettingsForms
    online: str
    fixed_since: str
    facts: Sequence[tuple[str, str]]
    tie_breaks: Sequence[tuple[str, str]]
    amendments: Sequence[str]
    counting: Counting | None
    delete: Way
    call_off: CallOff
    end_early: Way


def settings_page(access: Access, forms: SettingsForms) -> SettingsPage:
    tournament, stage, may_delete = access.tournament, access.tournament.stage, access.may(Can.DELETE)
    since = moment(stage.started_at, tournament.zone, _("j M, H:i"))
    is_refused, why_held = forms.calling_off.is_bound, _why(why_not_cancelled(tournament))
    return SettingsPage(
        forms=forms,
        online=online_in_words(tournament),
        fixed_since=with_markup(_("Locked since %(at)s"), at=since) if tournament.has_begun else "",
        facts=facts_of(stage),
        tie_breaks=[(_(tie.name), _(tie.description)) for tie in TIE_BREAKS.values()] if stage.plays.tie_breaks else [],
        amendments=sentences_of(stage, tournament.zone),
        counting=counting_of(tournament, may_change=may_delete),
        delete=delete_way(tournament, _why(why_it_stays(tournament)), may_delete=may_delete),
        call_off=call_off_of(tournament, "" if is_refused else why_held, sends=settings.MAIL_GOES_OUT),
        end_early=end_early_way(_why(why_it_goes_on(tournament))),
    )


def _why(conflict: Conflict | None) -> str:
    return str(conflict) if conflict else ""


def online_in_words(tournament: Tournament) -> str:
    if tournament.online == "all":
        return _("All tables are played online.")
    if tournament.online:
        return _("Played online: table %(numbers)s.") % {"numbers": tournament.online}
    return _("Hands are played with real cards.")


def counting_of(tournament: Tournament, *, may_change: bool) -> Counting | None:
    if tournament.club_id is None:
        return None
    if tournament.counts_in_club:
        text = _("It counts. Only its owner can change that: %(name)s.")
    else:
        text = _("It doesn’t count. Only its owner can change that: %(name)s.")
    return Counting(may_change, text % {"name": tournament.owner})


def delete_way(tournament: Tournament, why_not: str, *, may_delete: bool) -> Way:
    if why_not:
        return Way(why_not, is_possible=False)
    if not may_delete:
        text = _("Only its owner can delete it: %(name)s.") % {"name": tournament.owner}
        return Way(text, is_possible=False)
    text = _("Possible until a round is published. You can’t undo this.")
    return Way(text, is_possible=True)


def call_off_of(tournament: Tournament, why_not: str, *, sends: bool) -> CallOff:
    """sends: whether the service sends e-mail."""
    if tournament.is_called_off:
        text = " ".join((_("Everyone keeps their place."), mail_in_words(sends=sends)))
        way = Way(text, is_possible=True)
        return CallOff(_("Cancelled"), way, is_off=True, reason=tournament.pause_reason)
    if why_not:
        return CallOff(_("Cancel tournament"), Way(why_not, is_possible=False))
    text = " ".join((_("You can reinstate it later."), mail_in_words(sends=sends)))
    return CallOff(_("Cancel tournament"), Way(text, is_possible=True))


def end_early_way(why_not: str) -> Way:
    if why_not:
        return Way(why_not, is_possible=False)
    text = _("The current standings become final and count for ratings and seasons.")
    return Way(text, is_possible=True)
