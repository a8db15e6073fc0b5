"""The owner's page as a value: what needs the owner, checks, background jobs, accounts, sign-up, backups."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext as _

from engine.sentences import Sentence
from games.server.accounts import account_list
from games.service.backups import Backup, Kind, age, backups, last_failure
from league.access.server import sign_up_is_open
from league.lib.translate import translate
from league.lib.wall_time import moment
from league.models import Deadline, Job
from league.pages.links import Button, Link
from league.pages.people_list import ListFilters, PeopleList

# Names, because config is above this package.
CHECKS = "config.health.results"
CHECK_SETTINGS = "config.variables.check.findings_now"
DOWNLOAD = "download"  # parameter of the page: the name of a backup
MOST_FAILED = 10  # listed
TOO_OLD = timedelta(days=2)  # of the newest backup


@dataclass(frozen=True)
class Need:
    """Something for the owner to do. is_english: `text` comes from a program, in English."""

    title: str
    text: str
    way: Button | Link | None = None
    is_english: bool = False


@dataclass(frozen=True)
class Check:
    """A check with its result. why: the reason of a failure."""

    label: str
    is_ok: bool
    why: str = ""


@dataclass(frozen=True)
class SettingsFinding:
    """A fault or a warning of the settings. is_english: Django wrote it."""

    text: str
    is_fault: bool
    is_english: bool


@dataclass(frozen=True)
class Failure:
    """A failed job: the event, and what happened."""

    title: str
    text: str
    url: str


@dataclass(frozen=True)
class Jobs:
    """summary: “Nothing is waiting.” and the like."""

    summary: str
    failed: Sequence[Failure]


@dataclass(frozen=True)
class BackupLine:
    """delete_url: empty for daily backups, which are deleted automatically."""

    title: str
    text: str
    url: str
    delete_url: str = ""

    @property
    def css(self) -> str:
        """Return the class that puts two buttons below the name."""
        return "several" if self.delete_url else ""


@dataclass(frozen=True)
class SignUp:
    """button: None if WILD_SIGNUP decides; then `text` says so."""

    text: str
    button: Button | None


@dataclass(frozen=True)
class ServerPage:
    version: str
    needs: Sequence[Need]
    checks: Sequence[Check]
    jobs: Jobs
    people: PeopleList
    sign_up: SignUp
    backups: Sequence[BackupLine]


def server_page(filters: ListFilters) -> ServerPage:
    checks = list(run_checks())
    jobs = jobs_of()
    return ServerPage(
        version=settings.VERSION,
        needs=[*_needs_of_checks(checks), *_needs_of_data(), *_needs_of_backups(), *_needs_of_jobs(jobs)],
        checks=checks,
        jobs=jobs,
        people=account_list(filters),
        sign_up=sign_up_switch(),
        backups=[backup_line(backup) for backup in backups()],
    )


def run_checks() -> list[Check]:
    """Return what /readyz checks: names with an empty reason if all is well."""
    results: Callable[[], dict[str, Sentence | None]] = import_string(CHECKS)
    labels = {
        "database": _("Database"),
        "schema": _("Tables of the database"),
        "broker": _("Redis"),
        "deadlines": _("Background work"),
        "beat": _("Scheduler"),
        "worker": _("Workers"),
    }
    return [Check(labels.get(name, name), not why, translate(why) if why else "") for name, why in results().items()]


def check_settings() -> list[SettingsFinding]:
    """Return what `wild-league check` reports. It connects to database, Redis and mail server: seconds."""
    report = import_string(CHECK_SETTINGS)()
    return [_finding(one, is_fault=True) for one in report.faults] + [
        _finding(one, is_fault=False) for one in report.warnings
    ]


def _finding(words: Sentence | str, *, is_fault: bool) -> SettingsFinding:
    """Add the last point, which sentences about settings lack."""
    is_english = isinstance(words, str)
    text = words if isinstance(words, str) else translate(words)
    return SettingsFinding(text if text.endswith("?") else f"{text}.", is_fault, is_english)


def _needs_of_checks(checks: Sequence[Check]) -> list[Need]:
    return [Need(check.label, check.why) for check in checks if not check.is_ok]


def _needs_of_data() -> list[Need]:
    """Return the need for a named volume, as on the organiser's page Now."""
    if not settings.DATA_RISK:
        return []
    advice = _("Make a backup, then start the container with a named volume:")
    return [Need(_("Replacing this server’s container deletes all its tournaments."), f"{advice} --volume wild:/data")]


def _needs_of_backups() -> list[Need]:
    old = age(timezone.now())
    if why := last_failure():
        translated = gettext(why)  # the process that wrote it speaks English
        return [Need(_("The last automatic backup failed."), translated, is_english=translated == why)]
    if settings.BACKUPS and old is not None and old > TOO_OLD:
        title = ngettext("The newest backup is %(count)d day old", "The newest backup is %(count)d days old", old.days)
        text = _("Daily backups have stopped. Check that the server’s background work runs.")
        return [Need(title % {"count": old.days}, text, Button(_("Back up now"), reverse("server_back_up")))]
    return []


def _needs_of_jobs(jobs: Jobs) -> list[Need]:
    if not jobs.failed:
        return []
    count = len(jobs.failed)
    title = ngettext("%(count)d background job failed", "%(count)d background jobs failed", count) % {"count": count}
    return [Need(title, _("The list of jobs below says why."), Link(_("Show"), "#jobs"))]


def jobs_of() -> Jobs:
    """Return the background work of all events: jobs, and what is due at a time."""
    due = Deadline.objects.due(timezone.now()).count()
    waiting = Job.objects.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).count() + due
    summary = ngettext("%(count)d job is waiting.", "%(count)d jobs are waiting.", waiting) % {"count": waiting}
    jobs = Job.objects.filter(state=Job.State.FAILED).select_related("tournament").order_by("-pk")[:MOST_FAILED]
    deadlines = Deadline.objects.filter(state=Deadline.State.FAILED).select_related("tournament").order_by("-pk")
    rows = [*jobs, *deadlines[:MOST_FAILED]]
    failed = [Failure(row.tournament.name, row.reason, row.tournament.get_absolute_url()) for row in rows]
    return Jobs(summary if waiting else _("No job is waiting."), failed[:MOST_FAILED])


def sign_up_switch() -> SignUp:
    is_open, url = sign_up_is_open(), reverse("server_sign_up")
    text = _("Anyone can create an account.") if is_open else _("Only people with an invitation can create an account.")
    if settings.SIGN_UP_OPEN is not None:
        fixed = _("The setting WILD_SIGNUP decides this. Remove it to decide here.")
        return SignUp(f"{text} {fixed}", None)
    if is_open:
        return SignUp(text, Button(_("Close sign-up"), url, "open", "no"))
    return SignUp(text, Button(_("Open sign-up"), url, "open", "yes"))


def backup_line(backup: Backup) -> BackupLine:
    time, size = moment(backup.time, form=_("j F Y, H:i")), filesizeformat(backup.size)
    url = f"{reverse('server')}?{urlencode({DOWNLOAD: backup.name})}"
    if backup.kind == Kind.AUTOMATIC:
        return BackupLine(time, _line(pgettext("backup", "Daily"), size), url)
    delete_url = reverse("server_delete_backup", args=[backup.name])
    if backup.kind == Kind.BY_HAND:
        return BackupLine(time, _line(pgettext("backup", "By hand"), size), url, delete_url)
    if backup.kind == Kind.UPGRADE:
        kind = _("Before %(version)s") % {"version": Path(backup.name).stem.removeprefix("before-")}
        return BackupLine(time, _line(kind, size), url, delete_url)
    return BackupLine(time, _line(_("File %(name)s") % {"name": backup.name}, size), url, delete_url)


def _line(kind: str, size: str) -> str:
    return f"{kind}, {size}"
