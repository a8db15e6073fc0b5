""""""

from league.access import Access
from league.models import Round, Table, Tournament
from league.progress import started_tables


def to_switch(access: Access, played: Round) -> set[int]:
    """The tables of a round, by key, that the viewer may put online, or on paper, with one tap: none has started."""
    tournament = access.tournament
    event = tournament.kind == Tournament.Kind.EVENT and not tournament.is_final
    if not event or not access.corrects or played.state == Round.State.CLOSED:
        return set()
    tables = list(played.tables.exclude(state=Table.State.VOID))
    keys = {table.pk for table in tables}
    return keys if played.state == Round.State.DRAFT else keys - started_tables(tables)
