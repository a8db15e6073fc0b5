"""The overview's section about online tables, which refreshes itself."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.online.overview import in_play
from league.access import tournament_for
from league.access.rights import Can
from league.models import Round, Table


@require_safe
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Render the section; empty if no table is online now."""
    tournament = tournament_for(request.user, slug, Can.RUN).tournament
    open_now = Round.objects.filter(tournament=tournament, state__in=(Round.State.PUBLISHED, Round.State.RUNNING))
    online = Table.objects.filter(round__in=open_now, mode=Table.Mode.ONLINE).exclude(state=Table.State.VOID)
    context = {"tournament": tournament, "lines": in_play(tournament, online)}
    return render(request, "games/online/_in_play.html", context)
