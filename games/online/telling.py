"""That something changed at a table: counted in its row, and told to open pages after the commit."""

from django.db.models import F

from league.models import Table


def tell_page(table: Table) -> None:
    """Pages that show this table fetch themselves anew. The caller holds the table's lock."""
    Table.objects.filter(pk=table.pk).update(play_version=F("play_version") + 1)
