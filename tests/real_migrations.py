"""The migrations of the project, for tests about them. The suite itself runs with --nomigrations, which hides them."""

from django.db.migrations.loader import MigrationLoader
from django.test import override_settings


def load_migrations() -> MigrationLoader:
    with override_settings(MIGRATION_MODULES={}):
        return MigrationLoader(None)
