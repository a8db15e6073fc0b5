"""`wild-league check`: print the settings and where they come from, then each fault and warning as a sentence.

It works without Django's settings as far as possible, since a fault in them is what it must report.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config.variables import services
from config.variables.declared import SETTINGS
from config.variables.kinds import MAIL_TO_OTHERS
from config.variables.read import Machine, SettingFault
from engine.sentences import Sentence, counted, sentence


@dataclass
class Findings:
    """Sentences without their last point. A `str` is one of Django's, in English. Warnings don't fail the command."""

    faults: list[Sentence | str] = field(default_factory=list)
    warnings: list[Sentence | str] = field(default_factory=list)


def main() -> int:
    """Print everything, and return 1 if there are faults."""
    machine = Machine()
    sys.stdout.write("".join(f"{line}\n" for line in lines_of(machine)))
    sys.stdout.flush()
    report = findings(machine)
    for kind, sentences in (("Fault", report.faults), ("Warning", report.warnings)):
        for text in dict.fromkeys(str(one) for one in sentences):
            sys.stdout.write(f"{kind}: {text}{'' if text.endswith('?') else '.'}\n")
    if report.faults:
        sys.stdout.write("Correct the faults, then run this again.\n")
        return 1
    sys.stdout.write("No faults.\n")
    return 0


def lines_of(machine: Machine) -> Iterator[str]:
    """Return a line for each setting that is set: name, value, source."""
    yield f"Data folder: {machine.data_folder}"
    rows = []
    for setting in SETTINGS:
        try:
            if setting.name != "WILD_DATA" and (given := machine.given(setting.name)) is not None:
                rows.append((setting.name, "(secret)" if setting.kind.is_secret else str(given.raw), given.source))
        except SettingFault:
            rows.append((setting.name, "(secret)", f"{setting.name}_FILE"))
    if not rows:
        yield "No settings are set; all have their usual values."
        return
    names, values = (max(len(row[column]) for row in rows) for column in (0, 1))
    yield from (f"  {name:<{names}}  {value:<{values}}  from {source}" for name, value, source in rows)
    yield "All others have their usual values."


def findings(machine: Machine) -> Findings:
    report = Findings([*machine.faults(), *_address_faults(machine), *services.faults(machine)], [*machine.warnings()])
    if not machine.faults():
        _ask_django(machine, report)
    return report


def findings_now() -> Findings:
    """Return the faults and warnings of this machine, for the owner's page."""
    return findings(Machine())


def _address_faults(machine: Machine) -> Iterator[Sentence]:
    """Check what needs the public address."""
    with suppress(SettingFault):
        if machine.given("WILD_URL") or machine.given("WILD_ALLOWED_HOSTS"):
            return
        if machine.flag("WILD_HTTPS"):
            yield sentence(
                "WILD_HTTPS is set without the host that visitors use: set WILD_URL, such as https://cards.example.org/"
            )
        if machine.text("WILD_EMAIL_URL").startswith(MAIL_TO_OTHERS):
            yield sentence("WILD_EMAIL_URL is set, but no e-mail leaves until WILD_URL names the public address")


def _ask_django(machine: Machine, report: Findings) -> None:
    """Add what only loaded settings can tell: migrations, and Django's own checks."""
    import django
    from django.conf import settings
    from django.core import checks

    try:
        django.setup()
    except ImproperlyConfigured as fault:
        # The data folder was tried already.
        if not any(machine.data_folder.as_posix() in str(known) for known in report.faults):
            report.faults.append(str(fault).rstrip("."))
        return
    _add_migrations(report)
    for message in checks.run_checks(include_deployment_checks=settings.HTTPS):
        if not message.is_silenced():
            hint = f" {message.hint}" if message.hint else ""
            text = f"{message.id}: {message.msg}{hint}".rstrip(".")
            (report.faults if message.is_serious() else report.warnings).append(" ".join(text.split()))


def _add_migrations(report: Findings) -> None:
    from django.db import DatabaseError, connection

    from league.lib.command import missing_migrations

    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        report.warnings.append(
            sentence("There is no database yet: “wild-league serve” or “wild-league migrate” makes it")
        )
        return
    with suppress(DatabaseError):  # reported with DATABASE_URL
        if missing := missing_migrations():
            report.faults.append(
                counted(
                    "The database lacks %(count)d migration: run “wild-league migrate”",
                    "The database lacks %(count)d migrations: run “wild-league migrate”",
                    len(missing),
                )
            )
