"""Collect the addresses of the league's pages. Each package has a `urls.py`; the first match answers."""

from django.urls import include, path

from league import design
from league.home import views as home

ROOMS = (
    "live",  # first, since every open page polls it
    "setup", "public", "by_link", "announcements", "leaving", "day", "day.sheet", "entries.arrivals", "rounds",
    "screen", "prints", "format_pages", "odds", "background", "calls", "roles", "setup.stages", "setup.new",
    "setup.series", "clubs", "member_cards", "seasons", "seasons.divisions", "seasons.counted", "ratings", "calendar",
    "rulebook",
)  # fmt: skip

urlpatterns = [
    path("", home.home, name="home"),
    path("credits/", home.credits_page, name="credits"),
    path("design/", design.design, name="design"),
    *(path("", include(f"league.{room}.urls")) for room in ROOMS),
]
