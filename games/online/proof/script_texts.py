"""The texts of proof.js, in the reader's language; the script fills in `{name}`."""

from django.utils.translation import gettext as _

DAMAGED = (
    *("no-json", "no-line", "number", "shape", "options", "players", "dealer", "entropy", "promised", "key-twice"),
    *("no-integer", "seed"),
)
INCOMPLETE = ("no-start", "cut", "not-over")
UNKNOWN = ("version", "edition")
REFUSED = (
    *("drawn-card", "answer", "cancel", "color", "target", "uno-early", "window", "seat", "nothing-to-draw"),
    *("draw-first", "must-play", "no-penalty", "undo"),
)


def proof_words() -> dict[str, object]:
    return {
        "verified": _("Verified on this device"),
        "failed": _("This hand can’t be verified"),
        "took": _("Checked in {ms} ms."),
        "seal": _("The seed matches the commitment shown before the deal"),
        "added": _("{count} of {players} players added to the shuffle"),
        "cards": _("All {cards} cards match the shuffle"),
        "lines": _("All {lines} lines of the log follow the rules"),
        "hands": _("All {hands} hands in this file follow the rules"),
        "same_seal": _("This device saw the same commitment before the deal"),
        "other_seal": _("Before the deal this device saw another commitment: {seal}"),
        "drawn": _("The first dealer was drawn from the same seed"),
        "not_drawn": _("Another player should have dealt first: the draw doesn’t match the seed"),
        "mine_in": _("The share of this device is in the shuffle"),
        "mine_missing": _(
            "The share of this device isn’t in the shuffle: it came too late, or was left out. It was {entropy}"
        ),
        "where": _("Line {line} is wrong (hand {hand}, n {n}, {rule}): {why}."),
        "unreadable": _("Line {line}: {why}."),
        "no_log": _("The log didn’t load. Try again, or download it and choose the file below."),
        "expected": _("Expected: {expected}"),
        "found": _("Found: {found}"),
        "codes": _codes(),
    }


def _codes() -> dict[str, str]:
    """Return what is wrong in a log by the code of verify.js; the page names the rule in addition."""
    damaged, incomplete = _("the line is damaged"), _("the log is incomplete")
    unknown, refused = _("its version or edition is unknown"), _("the rules don’t allow this move")
    return {
        **dict.fromkeys(DAMAGED, damaged),
        **dict.fromkeys(INCOMPLETE, incomplete),
        **dict.fromkeys(UNKNOWN, unknown),
        **dict.fromkeys(REFUSED, refused),
        "empty": _("this file has no hand"),
        "promise": _("a player revealed another share than committed"),
        "commitment": _("the seed doesn’t match the commitment"),
        "deck": _("the deck doesn’t match the shuffle"),
        "expected": _("the rules expect another line"),
        "turn": _("it’s not this seat’s turn"),
        "not-held": _("the player does not hold this card"),
        "does-not-fit": _("the card does not fit"),
        "after-end": _("the hand is already over"),
    }
