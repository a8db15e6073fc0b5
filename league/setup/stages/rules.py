"""Check the rules of a stage."""

from django.utils.translation import gettext as _

from engine.rules import EDITIONS
from league.formats import FORMATS, Chosen, Format
from league.lib.errors import Refused
from league.lib.translate import translate


def check_rules(*, format: str, edition: str, scoring: str = "", settings: Chosen, players: int | None) -> Format:
    """Return the format. Raises `Refused` with the valid values for each wrong field. players: None or 0 if unknown."""
    fields: dict[str, list[str]] = {}
    plays = FORMATS.get(format)
    if plays is None:
        fields["format"] = [
            _("There is no format called “%(name)s”. Choose: %(known)s.")
            % {"name": format, "known": ", ".join(FORMATS)}
        ]
    if edition not in EDITIONS:
        fields["edition"] = [
            _("There is no edition called “%(name)s”. Choose: %(known)s.")
            % {"name": edition, "known": ", ".join(EDITIONS)}
        ]
    if plays is not None:
        fields |= {field: [translate(why)] for field, why in plays.problems(settings, players).items()}
        if scoring and scoring not in plays.scorings:
            words = {"format": _(plays.name), "known": " / ".join(plays.scorings), "name": scoring}
            fields["scoring"] = [_("%(format)s is scored by %(known)s, not by “%(name)s”.") % words]
    if plays is None or fields:
        raise Refused("settings", " ".join(sentence for lines in fields.values() for sentence in lines), fields=fields)
    return plays
