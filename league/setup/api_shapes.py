"""The shapes of requests and responses in the OpenAPI document, in the words of docs/terms.md."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, TypedDict, cast

from django.conf import settings
from django.utils import timezone
from rest_framework import serializers

from engine.rules import EDITIONS, SCORINGS
from league.access import Access
from league.announcements.api import AnnouncementOut, announcement_json
from league.api.answers import Day, filled
from league.api.rows import LARGEST, PageOut
from league.entries.list_order import MOST_PLAYERS
from league.entries.roster_api import ListFileIn, PlayerIn
from league.formats import FORMATS, USUAL, Format, Setting, options_in_words, settings_by_option, settings_in
from league.ledger.lineups import names_of_teams
from league.models import Stage, Table, Tournament
from league.rounds import steps as rounds_services
from league.rounds.steps import NextStep
from league.setup.forms import DetailsForm, FeeForm
from league.setup.stages.stage_plan import PlannedStage
from league.standings.tie_breaks import DEFAULT_ORDER, TIE_BREAKS

# --- in --------------------------------------------------------------------------------------------------------------


ALL_SCORINGS = tuple(SCORINGS)


def _choices_of_scoring() -> str:
    choices = {plays.key: plays.scorings for plays in FORMATS.values() if len(plays.scorings) > 1}
    return "; ".join(f"{key}: {', '.join(codes)}" for key, codes in choices.items())


def _number_in(having: Sequence[tuple[Format, Setting]]) -> serializers.IntegerField:
    """Return the field of a setting. Each format checks the limits itself."""
    return serializers.IntegerField(required=False, allow_null=True, help_text=options_in_words(having))


class _WithSettings(serializers.Serializer):
    """A request with optional settings of the formats."""

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {option: _number_in(having) for option, having in settings_by_option().items()}


def _tie_breaks() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(TIE_BREAKS)), max_length=5, default=list(DEFAULT_ORDER)
    )


def _stage_in(data: dict[str, Any]) -> PlannedStage:
    """Return the stage that a request describes, with at least format, scoring and tie-breaks."""
    own = {name: data[name] for name in NextStageIn._declared_fields if name in data}
    return PlannedStage(**own | {"tie_breaks": tuple(dict.fromkeys(own["tie_breaks"])), "settings": settings_in(data)})


class NextStageIn(_WithSettings):
    format = serializers.CharField(max_length=20, help_text=f"One of: {', '.join(FORMATS)}")
    takes = serializers.IntegerField(
        min_value=0, max_value=MOST_PLAYERS, default=None, allow_null=True,
        help_text="Number of qualifiers, from all groups together; null: everyone",
    )  # fmt: skip
    others_play = serializers.BooleanField(
        default=False, help_text="Eliminated players play the second ladder of heats"
    )
    carries = serializers.IntegerField(default=0, help_text="Percent of earlier points carried over: 0, 50, 100")
    groups = serializers.IntegerField(default=1, help_text="Number of parallel groups")
    by_place = serializers.BooleanField(
        default=False, help_text="The groups are finals: the best play the first, the next best the second"
    )
    scoring = serializers.CharField(default="", max_length=20, allow_blank=True)
    tie_breaks = _tie_breaks()

    def validate(self, data: dict[str, Any]) -> PlannedStage:
        return _stage_in(data)


class StagesIn(serializers.Serializer):
    groups = serializers.IntegerField(
        default=None, allow_null=True, help_text="Of the current stage, before its draw; null: unchanged"
    )
    then = NextStageIn(many=True, help_text="Replaces the stages after the current one")


class TournamentIn(_WithSettings):
    name = serializers.CharField(max_length=100)
    format = serializers.CharField(default=USUAL, max_length=20, help_text=f"One of: {', '.join(FORMATS)}")
    edition = serializers.CharField(default="classic", max_length=40, help_text=f"One of: {', '.join(EDITIONS)}")
    players = serializers.ListField(child=PlayerIn(), max_length=MOST_PLAYERS)
    scoring = serializers.CharField(
        default="", max_length=20, allow_blank=True, help_text=f"If the format has a choice: {_choices_of_scoring()}"
    )
    order = serializers.ChoiceField(choices=["list", "shuffled"], default="list", help_text="Of the draw")
    tie_breaks = _tie_breaks()
    groups = serializers.IntegerField(default=1, help_text="Number of parallel groups in the first stage")
    then = NextStageIn(many=True, default=list, help_text="The stages after the first")
    starts_on = serializers.CharField(
        max_length=10, required=False, help_text="For example 2026-11-24, from 2000 to 2100; default: today"
    )
    starts_at = serializers.CharField(max_length=5, required=False, allow_null=True, help_text="For example 19:30")
    time_zone = serializers.CharField(max_length=64, default=settings.TIME_ZONE, help_text="For example Europe/Paris")
    place = serializers.CharField(max_length=100, default="", allow_blank=True)
    visibility = serializers.ChoiceField(choices=Tournament.Visibility.choices, default="public")
    club = serializers.SlugField(
        max_length=80, default="", allow_blank=True, help_text="A club that the account can run events for"
    )
    online = serializers.CharField(
        max_length=300, default="", allow_blank=True, help_text="Online tables: all, or numbers: 1-3, 5"
    )
    shows_odds = serializers.BooleanField(default=True, help_text="Show the odds of winning while it runs")
    fee = serializers.CharField(
        max_length=20, default="", allow_blank=True, help_text="What each player pays, such as 5 €; empty: no fee"
    )

    def validate_fee(self, fee: str) -> str:
        form = FeeForm({"fee": fee})
        if not form.is_valid():
            raise serializers.ValidationError([str(error) for error in form.errors["fee"]])
        return str(form.cleaned_data["fee"])

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Add `stages`, and `columns` of a `Tournament`, cleaned by the page's form.

        Raises `Refused` for a start that a clock change skips or repeats.
        """
        values = {name: data[name] for name in DetailsForm.base_fields if name in data}
        form = DetailsForm({"starts_on": timezone.localdate().isoformat()} | values)
        if not form.is_valid():
            if form.refused and list(form.errors) == ["starts_at"]:
                raise form.refused
            raise serializers.ValidationError(
                {field: [str(error) for error in errors] for field, errors in form.errors.items()}
            )
        columns = form.cleaned_data | {name: data[name] for name in ("online", "shows_odds", "fee")}
        return data | {"columns": columns, "stages": [_stage_in(data), *data["then"]]}


class TournamentFileIn(TournamentIn, ListFileIn):
    """A new tournament with its players in a file."""

    players = None  # type: ignore[assignment]  # removes the declared field


class AdvanceIn(serializers.Serializer):
    step = serializers.CharField(
        max_length=20, required=False, help_text="The step of `next_step`; does nothing if it was already taken"
    )
    without = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        default=list,
        max_length=MOST_PLAYERS,
        help_text="Ids of unfinished tables; the round closes without them",
    )
    reason = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="Stored in the log")


class ReopenIn(serializers.Serializer):
    reason = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="Stored in the log")


class CountsInClubIn(serializers.Serializer):
    counts = serializers.BooleanField()


# --- out -------------------------------------------------------------------------------------------------------------


class DisputedTable(TypedDict):
    id: int
    number: int


class MissingTable(DisputedTable):
    hands: Annotated[int, "Recorded hands"]


class NextStepOut(TypedDict):
    step: Annotated[str, "players, draw, cut-2, publish-1, close-1, finish, done"]
    round: int | None
    missing: Annotated[list[MissingTable], "Tables with hands left to play"]
    disputed: Annotated[list[DisputedTable], "Tables with a dispute that a director has to decide"]


class StageOut(TypedDict):
    number: int
    format: str
    settings: Annotated[dict[str, int | None], "Settings of the format, named as in a request"]
    groups: int
    by_place: bool
    takes: int | None
    others_play: bool
    carries: int
    state: Annotated[str, Tournament.State]


class _Tournament(TypedDict):
    slug: str
    name: str
    state: Annotated[str, Tournament.State]
    visibility: Annotated[str, Tournament.Visibility]
    format: str
    edition: str
    scoring: Annotated[str, ALL_SCORINGS]
    starts_on: Day
    starts_at: str | None
    time_zone: str
    place: str
    online: Annotated[str, "Online tables: all, or numbers: 1,2,5"]
    shows_odds: bool
    fee: Annotated[str, "What each player pays; empty: nothing"]
    called_off: Annotated[str, "Why it was cancelled; empty: it wasn't"]
    ended_early: Annotated[bool, "The standings became final before all rounds were played"]
    counts_in_club: Annotated[bool, "Whether it counts in ratings and its season"]
    announcement: Annotated[AnnouncementOut | None, "What a director announced to everyone, while it is visible"]
    stages: Annotated[list[StageOut], "In playing order; the other fields describe the current stage"]


_OF_FORMATS = {
    option: Annotated[int | None, f"{options_in_words(having)}; null in every other format"]
    for option, having in settings_by_option().items()
}
_Settings = TypedDict("_Settings", _OF_FORMATS)  # type: ignore[misc]  # mypy sees no field


class TournamentOut(_Tournament, _Settings):
    pass


class EntryOut(TypedDict):
    player_id: str
    player: str
    label: Annotated[str, "The unique name in standings and seating"]
    club: str
    status: str
    members: Annotated[list[str], "Team members, captain first; empty for single players"]


class TournamentDetail(TournamentOut):
    players: list[EntryOut]
    next_step: Annotated[NextStepOut | None, "For organisers"]


class TournamentCreated(TournamentDetail):
    notes: Annotated[list[str], "How the list of players was read, and what was skipped"]


class TournamentPage(PageOut):
    results: list[TournamentOut]


def tournament_json(tournament: Tournament, *, sees_drafts: bool = False) -> TournamentOut:
    """Return the public fields. With `sees_drafts`, use the drawn, unpublished stage if there is one."""
    stage = tournament.stage if sees_drafts else tournament.stage_shown
    # An unpublished draw may have ended the stage.
    goes_on = tournament.state == Tournament.State.RUNNING and not sees_drafts
    still_on = {"state": Tournament.State.RUNNING} if goes_on else {}
    fields = filled(
        _Tournament,
        tournament,
        format=stage.format,
        edition=stage.edition,
        scoring=stage.scoring,
        starts_on=tournament.starts_on.isoformat(),
        starts_at=tournament.starts_at.strftime("%H:%M") if tournament.starts_at else None,
        announcement=announcement_json(tournament),
        called_off=tournament.pause_reason if tournament.is_called_off else "",
        stages=[stage_json(each, **(still_on if each == stage else {})) for each in tournament.stages.all()],
    )
    settings = {option: stage.values.get(having[0][1].name) for option, having in settings_by_option().items()}
    return cast(TournamentOut, {**fields, **settings})


def stage_json(stage: Stage, **shown: str) -> StageOut:
    settings = {setting.option: stage.values[setting.name] for setting in stage.plays.settings}
    return filled(StageOut, stage, settings=settings, **shown)


def tournament_detail(access: Access) -> TournamentDetail:
    """Return the tournament as it is now in the database."""
    tournament = Tournament.objects.select_related("announcement__round").get(pk=access.tournament.pk)
    entries = tournament.entries.select_related("player").order_by("number", "id")
    members = names_of_teams(tournament) if tournament.stage_shown.has_teams else {}
    return {
        **tournament_json(tournament, sees_drafts=access.sees_drafts),
        "players": [
            {
                "player_id": entry.public_id,
                "player": entry.player.name,
                "label": entry.name,
                "club": entry.player.club_name,
                "status": entry.status,
                "members": members.get(entry.public_id, []),
            }
            for entry in entries
        ],
        "next_step": step_json(rounds_services.next_step(tournament)) if access.organises else None,
    }


def step_json(step: NextStep) -> NextStepOut:
    return {
        "step": step.token,
        "round": step.round.number if step.round else None,
        "missing": missing_json(step.missing),
        "disputed": disputed_json(step.disputed),
    }


def disputed_json(tables: Iterable[Table]) -> list[DisputedTable]:
    return [{"id": table.pk, "number": table.number} for table in tables]


def missing_json(missing: Iterable[tuple[Table, int]]) -> list[MissingTable]:
    return [{"id": table.pk, "number": table.number, "hands": hands} for table, hands in missing]
