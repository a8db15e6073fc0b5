"""A sheet as a value: its lines, and the step of an open line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.forms import BoundField, Form
from django.http import QueryDict
from django.utils.translation import ngettext

from league.day.preview import Moves
from league.entries.list_preview import RadioQuestion
from league.models import User

REASON = "reason"
IDS = "sheet-%s"  # field ids must differ from those of the page below


@dataclass(frozen=True)
class Line:
    """An action or a link: its text is the effect or the current state."""

    icon: str
    title: str
    text: str
    url: str
    do: str = ""


@dataclass(frozen=True)
class QuietLink:
    """A link below the lines. do: the step that it opens, if it is one of the sheet's."""

    icon: str
    label: str
    url: str
    do: str = ""


@dataclass(frozen=True)
class Remark:
    """A private remark on a player, above the lines. more: single warnings."""

    icon: str
    text: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class AtOnce:
    """A button below the lines that runs the step `do` at once. field: what it sends. is_on: the state in force."""

    do: str
    icon: str
    label: str
    field: tuple[str, str]
    is_on: bool = False


@dataclass(frozen=True)
class Pick:
    """A player as a button. text: their seat."""

    name: str
    text: str
    url: str
    is_picked: bool = False


@dataclass(frozen=True)
class Setting:
    """A setting in force, with the link that removes it. url: empty if it can't be removed."""

    title: str
    text: str
    url: str = ""
    label: str = ""


@dataclass(frozen=True)
class Outcome:
    """The action behind the button.

    key: the choices; a form posted with other choices is previewed again. sentences: the consequences. done: the
    message afterwards. undo: returns the undo address from the action's result. until: how long undo is possible, in a
    sentence. then: the sheet's address afterwards, if it changes. at_once: no preview, because seats and places stay.
    """

    action: Callable[[], object]
    button: str
    done: str
    key: str = ""
    sentences: Sequence[str] = ()
    undo: Callable[[object], str] | None = None
    until: str = ""
    then: str = ""
    at_once: bool = False


@dataclass(frozen=True)
class Draft:
    """A step before its preview.

    questions: radio cards. picks: people to choose from, under `picks_legend`. fields, folded: names of form fields,
    the latter under “Add a reason”. hidden: hidden fields. button: before a choice; empty if a pick comes first. names:
    suggestions in the datalist `names_id`. is_private: no address may contain what is typed.
    """

    title: str
    hint: str = ""
    questions: tuple[RadioQuestion, ...] = ()
    picks: tuple[Pick, ...] = ()
    picks_legend: str = ""
    others: tuple[QuietLink, ...] = ()
    form: Form | None = None
    fields: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    names_id: str = ""
    hidden: tuple[tuple[str, str], ...] = ()
    settings: tuple[Setting, ...] = ()
    button: str = ""
    outcome: Outcome | None = None
    is_private: bool = False


@dataclass(frozen=True)
class StepRequest:
    """The input of a step: its fields, the user, and whether its form was posted.

    is_shown: the step is rendered, so its choices are needed; False when the action runs at once. sees_details: as for
    `ask_who`. refused: the code of a refusal, after which the form offers more fields.
    """

    data: QueryDict
    by: User
    is_posted: bool = False
    is_shown: bool = True
    sees_details: bool = False
    refused: str = ""

    def text(self, name: str, most: int = 20) -> str:
        return self.data.get(name, "").replace("\0", "")[:most]

    def form(self, kind: Callable[..., Form]) -> tuple[Form, Form]:
        """Return the form to render and the form to read. Before a post, the rendered form has no errors."""
        bound = kind(self.data, auto_id=IDS)
        bound.is_valid()
        if self.is_posted:
            return bound, bound
        initial = {name: self.data[name] for name in bound.fields if name in self.data}
        return kind(initial=initial, auto_id=IDS), bound


@dataclass(frozen=True)
class Preview:
    """The changes of an outcome, as the step presents them."""

    moves: Moves
    shown: str

    @property
    def summary(self) -> str:
        """Return “11 seats change, 2 places change”; empty without changes."""
        seats, places = len(self.moves.reseated), len(self.moves.moved)
        words = []
        if seats:
            words.append(ngettext("%(count)d seat changes", "%(count)d seats change", seats) % {"count": seats})
        if places:
            sentence = ngettext("%(count)d place changes", "%(count)d places change", places)
            words.append(sentence % {"count": places})
        return ", ".join(words)


@dataclass(frozen=True)
class Step:
    """An open line. alert: why the action did not run. preview: None before a choice, or after a refusal."""

    do: str
    draft: Draft
    preview: Preview | None = None
    alert: str = ""

    @property
    def outcome(self) -> Outcome | None:
        return self.draft.outcome if self.preview else None

    @property
    def button(self) -> str:
        return self.draft.outcome.button if self.draft.outcome else self.draft.button

    @property
    def fields(self) -> list[BoundField]:
        return [self.draft.form[name] for name in self.draft.fields] if self.draft.form else []

    @property
    def folded(self) -> list[BoundField]:
        return [self.draft.form[name] for name in self.draft.folded] if self.draft.form else []

    @property
    def opens_folded(self) -> bool:
        return any(bound.errors or bound.value() for bound in self.folded)


@dataclass(frozen=True)
class Sheet:
    """heading: the name. where: the player's seat, or the table's players. rank: with points.

    url: of its page. buttons: next to the links. remarks: notes and warnings.
    """

    heading: str
    where: str
    lines: tuple[Line, ...]
    links: tuple[QuietLink, ...]
    url: str
    rank: str = ""
    token: int | None = None
    note: str = ""
    remarks: tuple[Remark, ...] = ()
    buttons: tuple[AtOnce, ...] = ()

    def offers(self, do: str) -> bool:
        """Return whether a step is possible now."""
        return self.offers_below(do) or any(do == line.do for line in self.lines)

    def offers_below(self, do: str) -> bool:
        """Return whether a link or button below the lines opens a step."""
        steps = {link.do for link in self.links} | {button.do for button in self.buttons}
        return do in steps - {""}

    @property
    def text(self) -> str:
        """“Table 2, round 4 of 7. Rank 3 with 480 points”"""
        return ". ".join(filter(None, (self.where, self.rank)))
