"""People at online tables over HTTP, for tests: what they see is what the service tells them, and they play by it."""

import json
import random
from typing import Any
from urllib.parse import urlencode

from tests.served import Visitor

JSON = {"Accept": "application/json"}


class Phone(Visitor):
    """A browser that used players' own links, at a server of its own process."""

    def __init__(self, port: int, *tokens: str) -> None:
        super().__init__(port)
        self.get("/accounts/login/")  # for the CSRF cookie
        for token in tokens:
            status, text = self.post(f"/me/{token}/", {})
            assert status == 303, (status, text[:500])

    def look(self, table: int, query: str = "") -> tuple[int, dict[str, Any]]:
        status, text = self._ask("GET", f"/tables/{table}/play/{query}", None, JSON)
        return status, as_json(text)

    def send(self, table: int, what: str, fields: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """`what` is "act", "ready" or "open"."""
        form = {"Content-Type": "application/x-www-form-urlencoded", "X-CSRFToken": self.cookies["csrftoken"]}
        status, text = self._ask("POST", f"/tables/{table}/play/{what}/", urlencode(fields), form | JSON)
        return status, as_json(text)


def as_json(text: str) -> dict[str, Any]:
    """Empty for what is none of ours: a page of a proxy, or of a server that starts."""
    try:
        found: dict[str, Any] = json.loads(text)
    except ValueError:
        return {}
    return found


def choice(play: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The fields of a legal move for whoever sees this and is asked; cards are played when they can be."""
    hand = play["hand"]
    me, step = hand["seat"], hand["step"]
    sent = {"deal": play["deal"], "answers": play["decision"]}
    if step == "color":
        return sent | {"kind": "color", "color": rng.choice("RYGB")}
    if hand["playable"] and rng.random() < 0.9:
        card = rng.choice(hand["playable"])
        others = [seat for seat in range(len(hand["players"])) if seat != me]
        return sent | {
            "kind": "play",
            "card": card,
            "color": rng.choice("RYGB") if card[0] == "W" else "",
            "target": rng.choice(others) if card == "WL" or (card == "WH" and len(hand["cards"]) > 1) else "",
            "uno": "on" if len(hand["cards"]) == 2 and rng.random() < 0.5 else "",
        }
    if step == "answer":
        can_challenge = hand["aimed"]["card"] == "WD"
        return sent | {"kind": "challenge" if can_challenge and rng.random() < 0.3 else "accept"}
    nothing_left = not hand["pile"] and len(hand["discard"]) < 2
    return sent | {"kind": "pass" if step == "drawn" or nothing_left else "draw"}
