"""What the floors read and write: no part of the product's schema, made by `migrate --run-syncdb`."""

from django.db import models


class Item(models.Model):
    """A line of a list with the columns of the standings, as plain values."""

    name = models.CharField(max_length=80)
    ranks = models.CharField(max_length=80)
    moved = models.IntegerField()
    latest = models.IntegerField()
    points = models.IntegerField()
    won = models.IntegerField()
    direct = models.IntegerField()
    conceded = models.IntegerField()
    best = models.IntegerField()
    version = models.IntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class Move(models.Model):
    """What a durable write adds."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="moves")
    number = models.IntegerField()
    data = models.JSONField()

    def __str__(self) -> str:
        return f"{self.item}, {self.number}"
