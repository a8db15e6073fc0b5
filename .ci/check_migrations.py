"""Check that migrations only add, so that processes of the release before run on with the new tables.

    python .ci/check_migrations.py

A migration may create tables, columns that are null or have a `db_default`, and indexes; make text columns longer; and
change what no column stores, such as choices. It may remove or change columns only if the release named in its
`UNUSED_SINCE` is in CHANGELOG.md with a date: the code of that release no longer uses them. The
migrations of BEFORE_1_0 are older than this rule.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import migrations, models
from django.db.migrations.state import ProjectState

ROOT = Path(__file__).resolve().parents[1]
BEFORE_1_0 = {"league": "0037", "games": "0007"}  # the last one of each app
ALWAYS_FINE = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.RunPython,
)
RELEASED = re.compile(r"^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$", re.MULTILINE)


def faults_of(migration: migrations.Migration, state: ProjectState, released: set[str]) -> Iterator[str]:
    """Yield a sentence for each operation that older processes might not survive. `state` is the one before it."""
    since = getattr(sys.modules.get(type(migration).__module__), "UNUSED_SINCE", None)
    if since is not None:
        if since not in released:
            yield f"{migration}: UNUSED_SINCE = {since!r} is no release with a date in CHANGELOG.md."
        return
    new_models: set[str] = set()
    for operation in migration.operations:
        for stored in getattr(operation, "database_operations", [operation]):
            if fault := _fault(stored, migration.app_label, state, new_models):
                yield f"{migration}: {stored.describe()}: {fault}"
        for forgotten in getattr(operation, "state_operations", []):
            if isinstance(forgotten, migrations.RemoveField):
                field = state.models[migration.app_label, forgotten.model_name_lower].fields[forgotten.name]
                if not _has_value(field):
                    yield f"{migration}: {forgotten.describe()}: new rows lack a value; add db_default=… to it before."
        if isinstance(operation, migrations.CreateModel):
            new_models.add(operation.name_lower)
        operation.state_forwards(migration.app_label, state)


def _fault(operation: Any, app: str, state: ProjectState, new_models: set[str]) -> str:
    if isinstance(operation, ALWAYS_FINE) or getattr(operation, "model_name_lower", None) in new_models:
        return ""
    if isinstance(operation, migrations.AddField):
        return "" if _has_value(operation.field) else "older processes write no value; add db_default=… or null=True."
    if isinstance(operation, migrations.AlterField):
        before = state.models[app, operation.model_name_lower].fields[operation.name]
        if _is_wider(before, operation.field):
            return ""
        return "it changes a column that older processes use."
    return "removals and changes need UNUSED_SINCE (CONTRIBUTING.md, Migrations)."


def _has_value(field: models.Field) -> bool:
    """Return whether a row can be written without it."""
    return field.null or field.has_db_default() or isinstance(field, models.ManyToManyField)


def _is_wider(before: models.Field, after: models.Field) -> bool:
    """Return whether the columns are equal, except for a database default or a greater length."""
    (path, options), (new_path, new_options) = _column(before), _column(after)
    length, new_length = options.pop("max_length", 0) or 0, new_options.pop("max_length", 0) or 0
    return (path, options) == (new_path, new_options) and new_length >= length


def _column(field: models.Field) -> tuple[str, dict[str, Any]]:
    _name, path, _arguments, options = field.deconstruct()
    left_out = {*field.non_db_attrs, "db_default", "default"}
    return path, {name: value for name, value in options.items() if name not in left_out}


def main() -> int:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.db.migrations.loader import MigrationLoader

    django.setup()
    loader = MigrationLoader(None)
    released = set(RELEASED.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
    faults: list[str] = []
    for (app, name), migration in sorted(loader.graph.nodes.items()):
        if migration is not None and name[:4] > BEFORE_1_0.get(app, "9999"):
            faults += faults_of(migration, loader.project_state((app, name), at_end=False), released)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
