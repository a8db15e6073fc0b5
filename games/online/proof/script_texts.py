"""The texts of proof.js: pages hand them over in the reader's language, and the script fills in `{name}`."""

from django.utils.translation import gettext as _


def proof_words() -> dict[str, object]:
    return {
        "verified": _("Verified on this device"),
        "failed": _("This hand cannot be verified"),
        "took": _("Checked in {ms} milliseconds."),
        "seal": _("The opened seed gives the seal that was shown before the deal"),
        "added": _("{count} of {players} players added to the shuffle"),
        "cards": _("The {cards} cards lie as the shuffle gives them"),
        "lines": _("All {lines} lines of the log follow by the rules"),
        "hands": _("{hands} hands are in this file, and all of them follow by the rules"),
        "same_seal": _("It is the seal that this device was shown before the deal"),
        "other_seal": _("Before the deal this device was shown another seal: {seal}"),
        "drawn": _("Who dealt first was drawn from the same seed"),
        "not_drawn": _("Another player should have dealt first: the cards drawn for it are not those of the seed"),
        "mine_in": _("What this device added to the shuffle is in it"),
        "mine_missing": _(
            "What this device added is not in the shuffle: it came after the deal, or was left out. It was {entropy}"
        ),
        "where": _("Line {line} of the file does not follow (hand {hand}, n {n}, {rule}): {why}."),
        "unreadable": _("Line {line} of the file: {why}."),
        "no_log": _("The log could not be fetched. Try again, or download it and choose the file below."),
        "expected": _("The rules give: {expected}"),
        "found": _("The log has: {found}"),
        "codes": _codes(),
    }


def _codes() -> dict[str, str]:
    return {
        "empty": _("there is no hand in this file"),
        "no-json": _("it is cut, or no JSON"),
        "no-line": _("it is no line of a hand’s log"),
        "no-start": _("the hand has no start"),
        "version": _("it is of a version that cannot be read here"),
        "edition": _("its edition is unknown"),
        "cut": _("the log is cut, the hand has no end"),
        "number": _("it is not numbered as it should be"),
        "shape": _("it lacks a field, or a field is not of its kind"),
        "options": _("there is no such option or scoring"),
        "players": _("so many cannot play"),
        "dealer": _("there is no such dealer"),
        "entropy": _("what a player added is not up to 32 bytes"),
        "promised": _("what the players promised is not one hash for each of them"),
        "promise": _("a player added something else than was promised before the deal"),
        "key-twice": _("a field stands in it twice"),
        "no-integer": _("a number is not written as a whole one"),
        "seed": _("the seed is not 72 bytes"),
        "commitment": _("the seed does not give the seal that was shown before the deal"),
        "deck": _("the deck is not the one that the shuffle gives"),
        "expected": _("the rules give another line here"),
        "turn": _("it is not the turn of this seat, or not for this"),
        "not-held": _("the player does not hold this card"),
        "does-not-fit": _("the card does not fit"),
        "drawn-card": _("after drawing only the drawn card may be played"),
        "answer": _("what is aimed at the player has to be answered first"),
        "cancel": _("only Invisibility cancels, and only what is aimed at the player"),
        "color": _("a colour is missing, or is named for a card that has one"),
        "target": _("the target is missing, or is not one that the card can have"),
        "uno-early": _("UNO is called with more than one card left"),
        "window": _("this player can neither call UNO nor be caught now"),
        "seat": _("there is no such seat, or it is the player’s own"),
        "nothing-to-draw": _("there is nothing left to draw"),
        "draw-first": _("there is still a card to draw"),
        "must-play": _("at this table who can play must play"),
        "no-penalty": _("there is no wrong card to be penalised"),
        "undo": _("nobody can go back there"),
        "after-end": _("nothing can follow when the hand is over"),
        "not-over": _("the log ends before the hand is over"),
    }
