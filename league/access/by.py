"""Who does something: an account, whoever has a scorer's link, or a player by their own link."""

from dataclasses import dataclass

from league.models import Entry, ScorerLink, User


@dataclass(frozen=True)
class By:
    """At most one of the three is set; none of them means the service by itself."""

    user: User | None = None
    link: ScorerLink | None = None
    player: Entry | None = None
