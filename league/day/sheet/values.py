"""A sheet as a value: its lines and, where one is open, the step that does something."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.forms import BoundField, Form
from django.http import QueryDict
from django.utils.translation import ngettext

from league.day.preview import Moves
from league.entries.list_preview import RadioQuestion
from league.models import User

REASON = "reason"
IDS = "sheet-%s"  # of fields: the page below a sheet has its own


@dataclass(frozen=True)
class Line:
    """Something that can be done, or looked at: what it does or how it stands, and where it leads."""

    icon: str
    title: str
    text: str
    url: str
    do: str = ""


@dataclass(frozen=True)
class QuietLink:
    icon: str
    label: str
    url: str


@dataclass(frozen=True)
class Pick:
    """A player as a button. text: where they sit."""

    name: str
    text: str
    url: str
    is_picked: bool = False


@dataclass(frozen=True)
class Stands:
    """Something that holds now, with the link that takes it back. url: empty where nothing does."""

    title: str
    text: str
    url: str = ""
    label: str = ""


@dataclass(frozen=True)
class Outcome:
    """What is done at a tap on the button.

    key: what was chosen; a form that was sent with another one is shown again and not done. sentences: what it means.
    done: the message after it. undo: the address that takes it back, from what the action returned. until: how long
    it can be undone, in a sentence. then: where the sheet is after it, if elsewhere.
    """

    action: Callable[[], object]
    button: str
    done: str
    key: str = ""
    sentences: Sequence[str] = ()
    undo: Callable[[object], str] | None = None
    until: str = ""
    then: str = ""


@dataclass(frozen=True)
class Draft:
    """A step before its outcome is tried out.

    hint: what it does in general. questions: radio cards. picks: people to choose from, under `picks_legend`. fields,
    folded: the names of the form's fields, the latter under “Reason”. given: hidden fields. button: while nothing is
    chosen; empty where a pick comes first. names: offered while a name is typed, in the list with the id `names_id`.
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
    given: tuple[tuple[str, str], ...] = ()
    stands: tuple[Stands, ...] = ()
    button: str = ""
    outcome: Outcome | None = None


@dataclass(frozen=True)
class Asked:
    """How a step was asked for: with what fields, by whom, and whether its form was sent.

    is_shown: the viewer looks at the step, so its choices are needed; False while it is only done. sees_details: as of
    `ask_who`. refused: the code of a refusal, whose form asks more.
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
        """Return the form to show and the form to read. Until it was sent, the one to show has no errors."""
        bound = kind(self.data, auto_id=IDS)
        bound.is_valid()
        if self.is_posted:
            return bound, bound
        initial = {name: self.data[name] for name in bound.fields if name in self.data}
        return kind(initial=initial, auto_id=IDS), bound


@dataclass(frozen=True)
class Preview:
    """What the outcome would change, as the step shows it."""

    moves: Moves
    shown: str

    @property
    def summary(self) -> str:
        """“11 seats change”, “11 seats change, 2 places change”; empty where nothing moves."""
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
    """An open line. alert: why nothing was done. preview: None while nothing is chosen, or while it is refused."""

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
    """heading: the name. where: the seat of the player, or who sits at the table. stands: the player's rank and points.
    url: its page. club_notes: what the player's club wrote down, for those who keep its members."""

    heading: str
    where: str
    lines: tuple[Line, ...]
    links: tuple[QuietLink, ...]
    url: str
    stands: str = ""
    token: int | None = None
    note: str = ""
    club_notes: str = ""

    @property
    def text(self) -> str:
        """“Table 2, round 4 of 7. Rank 3 with 480 points”"""
        return ". ".join(filter(None, (self.where, self.stands)))
