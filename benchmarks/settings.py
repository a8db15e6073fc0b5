"""The product's settings, with the floors it is compared with beside it. For benchmarks alone."""

from config.settings import *  # noqa: F403
from config.settings import BASE_DIR, INSTALLED_APPS, MIDDLEWARE, TEMPLATES

INSTALLED_APPS = [*INSTALLED_APPS, "benchmarks"]
MIDDLEWARE = ["benchmarks.floors.count_queries", *MIDDLEWARE]
TEMPLATES = [TEMPLATES[0] | {"DIRS": [*TEMPLATES[0]["DIRS"], BASE_DIR / "benchmarks" / "templates"]}]
ROOT_URLCONF = "benchmarks.urls"
