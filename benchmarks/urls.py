"""The product's addresses, and those of the floors."""

from django.urls import include, path

from benchmarks import floors
from config.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    path("floor/process/", floors.process),
    path("floor/hello/", floors.hello),
    path("floor/row/", floors.row, name="floor_row"),
    path("floor/rows/", floors.rows),
    path("floor/cached/", floors.cached),
    path("floor/write/<int:number>/", floors.write),
    path("floor/record/<int:table_id>/", floors.record),
    path("", include("config.urls")),
]
