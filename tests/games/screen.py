"""A page as somebody without scripts uses it: its forms, the buttons that send them, and its words."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlsplit

from django.test import Client

from league.access.signed_links import player_token
from league.models import Entry

_VOID = {"input", "meta", "link", "br"}


@dataclass
class Control:
    """A button or field: the form that it belongs to, and what it says."""

    form: str
    name: str
    value: str
    kind: str
    label: str = ""
    text: str = ""
    off: bool = False
    card: bool = False
    legal: bool = False

    @property
    def words(self) -> str:
        return self.label or self.text.strip()


@dataclass
class Form:
    action: str
    method: str
    controls: list[Control] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, Form] = {}
        self.controls: list[Control] = []
        self.path: list[tuple[str, str]] = []  # (tag, classes)
        self.inside = ""
        self.button: Control | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in _VOID:
            self.path.append((tag, given.get("class", "")))
        if tag == "form":
            self.inside = given.get("id", f"form-{len(self.forms)}")
            self.forms[self.inside] = Form(given.get("action", ""), given.get("method", "get"))
        elif tag in ("input", "button"):
            row = next((classes for name, classes in reversed(self.path) if name == "li"), "")
            control = Control(
                form=given.get("form", self.inside),
                name=given.get("name", ""),
                value=given.get("value", "on" if given.get("type") in ("checkbox", "radio") else ""),
                kind=given.get("type", "submit" if tag == "button" else "text"),
                label=given.get("aria-label", ""),
                off=given.get("aria-disabled") == "true",
                card=any("fan" in classes.split() for _name, classes in self.path),
                legal="legal" in row.split(),
            )
            self.controls.append(control)
            self.button = control if tag == "button" else self.button

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Parts of a drawing."""

    def handle_endtag(self, tag: str) -> None:
        while self.path and self.path.pop()[0] != tag:
            pass
        if tag == "form":
            self.inside = ""
        elif tag == "button":
            self.button = None

    def handle_data(self, data: str) -> None:
        if self.button is not None:
            self.button.text += data


class Screen:
    """One player's browser at a table, or that of somebody who only watches (no `entry`)."""

    def __init__(self, table_id: int, entry: Entry | None = None) -> None:
        self.client = Client()
        self.home = f"/tables/{table_id}/play/"
        if entry is not None:
            self.client.post(f"/me/{player_token(entry)}/")
        self.look()

    def look(self, query: str = "") -> "Screen":
        return self._read(self.client.get(self.home + query))

    def _read(self, response) -> "Screen":
        self.response = response
        self.status = response.status_code
        self.html = response.content.decode()
        reader = _Reader()
        reader.feed(self.html)
        self.forms, self.controls = reader.forms, reader.controls
        for control in self.controls:
            if control.form in self.forms:
                self.forms[control.form].controls.append(control)
        return self

    @property
    def text(self) -> str:
        body = self.html.partition("<main")[2]
        return " ".join(re.sub("<[^>]+>", " ", body).split())

    @property
    def buttons(self) -> list[Control]:
        return [one for one in self.controls if one.kind == "submit" and one.form in self.forms]

    @property
    def cards(self) -> list[Control]:
        return [one for one in self.buttons if one.card]

    def button(self, words: str) -> Control:
        found = [one for one in self.buttons if not one.card and one.words == words]
        assert found, f"no button “{words}” among {[one.words for one in self.buttons if not one.card]}"
        return found[0]

    def card(self, code: str) -> Control:
        return next(one for one in self.cards if one.value == code)

    def press(self, control: Control, **ticked: str) -> "Screen":
        """Send the form as a browser does: hidden fields, what is ticked, and the button. Follows a 303 with GET."""
        form = self.forms[control.form]
        data = {one.name: one.value for one in form.controls if one.kind in ("hidden", "text")}
        data |= {control.name: control.value} if control.name else {}
        data |= ticked
        if form.method == "get":
            return self._read(self.client.get(urlsplit(form.action).path, data))
        answer = self.client.post(form.action, data)
        if answer.status_code == 303:
            self.home = answer.headers["Location"].partition("?")[0]
            return self._read(self.client.get(answer.headers["Location"]))
        return self._read(answer)
