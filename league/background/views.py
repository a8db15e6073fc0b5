"""Pages about background jobs: requests, progress, results."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import job_for, tournament_for
from league.access.rights import Can
from league.background import jobs as background
from league.lib.errors import Conflict
from league.models import Job
from league.pages.form_key import creates_once
from league.pages.in_place import wants_part
from league.pages.tournament_page import organiser_of, render_page
from league.rounds.better_seating import result_of

MOST_SHOWN = 20
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@require_http_methods(["GET", "HEAD", "POST"])
@creates_once
def jobs(request: HttpRequest, slug: str) -> HttpResponse:
    """List the jobs; a POST requests the full export. The page reloads its middle part while a job runs."""
    access = tournament_for(request.user, slug, Can.RUN)
    if request.method == "POST":
        background.request(tournament=access.tournament, kind=background.EXPORT_ALL, by=organiser_of(request))
        return redirect("jobs", slug=slug)
    latest = access.tournament.jobs.defer("result").select_related("requested_by")[:MOST_SHOWN]
    lines = [
        (job, background.KINDS[job.kind].name, result_of(job) if job.kind == background.BETTER_SEATING else None)
        for job in latest
    ]
    context: dict[str, Any] = {
        "unfinished": [line for line in lines if line[0].state in UNFINISHED],
        "finished": [line for line in lines if line[0].state not in UNFINISHED],
    }
    if wants_part(request):
        response = render(request, "league/background/_jobs.html", context | {"tournament": access.tournament})
    else:
        response = render_page(
            request, access, "league/background/jobs.html", page="jobs", title=_("Export"), **context
        )
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def cancel(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    _access, job = job_for(request.user, slug, job_id, Can.RUN)
    background.cancel(job=job, by=organiser_of(request))
    return redirect("jobs", slug=slug)


@require_POST
def retry(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    _access, job = job_for(request.user, slug, job_id, Can.RUN)
    try:
        background.retry(job=job, by=organiser_of(request))
    except Conflict as conflict:
        messages.error(request, str(conflict))
    return redirect("jobs", slug=slug)


@require_safe
def download(request: HttpRequest, slug: str, job_id: int) -> HttpResponse:
    _access, job = job_for(request.user, slug, job_id, Can.RUN)
    if job.state != Job.State.DONE or not job.file_name:
        messages.error(request, _("This file has expired. Export again."))
        return redirect("jobs", slug=slug)
    disposition = content_disposition_header(as_attachment=True, filename=job.file_name) or "attachment"
    return HttpResponse(bytes(job.result), content_type="application/zip", headers={"Content-Disposition": disposition})
