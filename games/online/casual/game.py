"""What a casual table plays: a format and its target, an edition, house rules and the strength of its bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules import EDITIONS, OPTIONS
from games.models import OnlineSettings
from league.formats.challenge import Challenge
from league.formats.points import PointsRace
from league.lib.errors import Refused
from league.models import Stage
from league.setup.stages.stage_plan import PlannedStage, rules_of

FEWEST, MOST = 2, 10  # players at a casual table
POINTS, CHALLENGE = PointsRace.key, Challenge.key
SHORT, LONG = 100, 500  # points
TARGETS = (SHORT, 200, LONG)
BOT_LEVELS: Mapping[str, Any] = MappingProxyType(
    {"easy": gettext_lazy("Easy"), "careful": gettext_lazy("Careful"), "sharp": gettext_lazy("Sharp")}
)


@dataclass(frozen=True)
class Game:
    """format: POINTS or CHALLENGE. bot: a key of BOT_LEVELS."""

    edition: str = "classic"
    format: str = POINTS
    target: int = LONG
    options: Sequence[str] = ()
    bot: str = "careful"

    @classmethod
    def of(cls, stage: Stage, settings: OnlineSettings) -> "Game":
        return cls(stage.edition, stage.format, stage.values["target"] or LONG, tuple(stage.options), settings.bot)

    def check(self) -> None:
        """Raise `Refused` for values that no page offers."""
        known = self.format in (POINTS, CHALLENGE) and self.edition in EDITIONS and self.bot in BOT_LEVELS
        if not known or self.target not in TARGETS or not set(self.options) <= set(OPTIONS):
            raise Refused("settings", _("Choose from the options on the page."))

    def planned_stage(self) -> PlannedStage:
        """Return the stage: one round at one table."""
        settings: dict[str, int | None] = {"hands_per_round": None, "table_size": MOST, "target": self.target}
        if self.format == POINTS:
            settings["rounds"] = 1
        return PlannedStage(self.format, settings=settings)

    def in_words(self) -> str:
        """Return “Classic, first to 500 points wins.”, with the house rules."""
        words = {"edition": _(EDITIONS[self.edition].name), "points": self.target}
        if self.format == CHALLENGE:
            how = _("%(edition)s, eliminated at %(points)d points.") % words
        else:
            how = _("%(edition)s, first to %(points)d points wins.") % words
        return " ".join([how, *(f"{_(OPTIONS[key])}." for key in self.options)])

    @property
    def title(self) -> str:
        return (
            _("Challenge UNO") if self.format == CHALLENGE else _("Game to %(points)d points") % {"points": self.target}
        )

    @property
    def how_it_ends(self) -> str:
        if self.format == CHALLENGE:
            text = _(
                "When a player goes out, everyone else takes the points of their own cards. "
                "At %(points)d points you are eliminated. The last player wins."
            )
        else:
            text = _(
                "When a player goes out, they get the points of all other players’ cards. "
                "The first to reach %(points)d points wins."
            )
        return text % {"points": self.target}


@dataclass(frozen=True)
class Preset:
    """A usual game, in any edition and with any bots. picture: a card of the sprite."""

    name: Any
    text: Any
    picture: str
    game: Game

    def applied_to(self, game: Game) -> Game:
        return replace(game, format=self.game.format, target=self.game.target, options=self.game.options)

    def fits(self, game: Game) -> bool:
        return rules_columns(self.applied_to(game)) == rules_columns(game)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "classic": Preset(gettext_lazy("Classic"), gettext_lazy("First to 500 points wins"), "R7", Game()),
        "party": Preset(
            gettext_lazy("Party"),
            gettext_lazy("Stack cards, draw until one fits"),
            "YD",
            Game(options=("draw_until_playable", "stacking")),
        ),
        "challenge": Preset(
            gettext_lazy("Challenge"),
            gettext_lazy("100 points eliminate you"),
            "WD",
            Game(format=CHALLENGE, target=SHORT),
        ),
    }
)


def rules_columns(game: Game) -> dict[str, Any]:
    """Return the rule columns of the table's `Stage`."""
    rules = rules_of(game.planned_stage())
    return {"format": game.format, "edition": game.edition, "options": sorted(set(game.options)), **rules}
