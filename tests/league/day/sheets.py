"""What tests of sheets do: open a step, and tap its button as a browser without scripts would."""

import re
from html import unescape
from typing import Any

from django.test import Client

from league.models import Entry, LogEntry
from tests import cast


def sheet_of(entry: Entry) -> str:
    return f"/t/{entry.tournament.slug}/people/{entry.public_id}/"


def sheet_of_table(tournament: Any, round_number: int, number: int) -> str:
    return f"/t/{tournament.slug}/r/{round_number}/tables/{number}/sheet/"


def text_of(answer: Any) -> str:
    return str(answer.content.decode())


def step_of(answer: Any) -> dict[str, str]:
    """The hidden fields and the picked cards of the step's form, as its button sends them."""
    [form] = re.findall(r"<form[^>]* data-step>.*?</form>", text_of(answer), re.S)
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    cards = re.findall(r'type="radio"\s+name="([^"]+)"\s+value="([^"]*)"\s+checked', form)
    fields = {name: unescape(value) for name, value in (*hidden, *cards)}
    fields.pop("csrfmiddlewaretoken")
    return fields


def preview(client: Client, at: Entry | str, do: str, **fields: Any) -> dict[str, Any]:
    """The form with these fields and the outcome that it shows. Nothing was changed by looking at it."""
    made = LogEntry.objects.count()
    url = f"{at if isinstance(at, str) else sheet_of(at)}?do={do}"
    answer = client.get(url + "".join(f"&{name}={value}" for name, value in fields.items()))
    assert answer.status_code == 200, text_of(answer)
    assert answer.context["step"].preview, text_of(answer)
    assert LogEntry.objects.count() == made
    return {**fields, **step_of(answer)}


def tap(client: Client, at: Entry | str, do: str, **fields: Any) -> Any:
    """Open a step on the sheet of a player, or on the one at an address, fill it in and tap its button."""
    sent = preview(client, at, do, **fields)
    url = at if isinstance(at, str) else sheet_of(at)
    done = client.post(f"{url}?do={do}", {**sent, **fields})
    assert done.status_code == 302, text_of(done)
    return done


def entry_of(tournament: Any, name: str) -> Entry:
    entry = cast.entry(tournament, name)
    entry.tournament = tournament
    return entry
