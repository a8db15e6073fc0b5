"""A player's own pages: the door behind their own link, their table, and the list of a browser's tables.

Opening a link changes nothing; a POST stores the player and the link's generation in the visitor's session. Every later
request checks that the link still holds (league/access/).
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.access import Access, NoPlayer, may_check_in, player_for, session_links
from league.access.session_links import hold_own, may_claim, online_seat, players_in
from league.access.signed_links import ended_player_of, player_of
from league.by_link.player_links import showings_of
from league.by_link.scorer_views import why_one_seat
from league.by_link.scorers import last_moment
from league.calendar import views as calendar
from league.formats.race import HEAD_TO_HEAD
from league.ledger.field import draws_another
from league.live import stream as live
from league.models import Deadline, Entry, Round, Seat, Table, Tournament
from league.pages.answers import private_link, too_many_bad_links
from league.pages.tournament_page import render_page
from league.public.scorecard_views import card_of
from league.rounds.time_left import RoundClock, clock_of


@private_link
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, player_token: str) -> HttpResponse:
    """The page says whose link it is, and has one button; the button, a POST, exchanges the link for the cookie."""
    entry = player_of(player_token)
    if entry is None:
        ended = ended_player_of(player_token)
        return _ended_page(request, ended) if ended else too_many_bad_links(request) or _forged_page(request)
    page = reverse("my_table", args=[entry.tournament.slug])
    plays_for = session_links.acts_for_another(request, entry)
    has_teams = entry.tournament.stage.has_teams  # a team's own page asks which of the two it is
    online = None if entry.tournament.is_final or has_teams else online_seat(entry)
    if request.method != "POST" or plays_for is not None:
        if plays_for is None and (entry.public_id, entry.link_generation) in players_in(request):
            return redirect(f"{page}?player={entry.public_id}")
        context = {
            "entry": entry,
            "tournament": entry.tournament,
            "may_check_in": may_check_in(request.user, entry.tournament),
            "online": online,
            "plays_for": plays_for,
            "why": why_one_seat(),
        }
        return render(request, "league/by_link/me_door.html", context, status=403 if plays_for else 200)
    hold_own(request, entry)
    if not request.user.is_authenticated:  # until the end of the evening, which may be longer than a session lasts
        seconds = int((last_moment(entry.tournament, timezone.now()) - timezone.now()).total_seconds())
        request.session.set_expiry(max(seconds, settings.SESSION_COOKIE_AGE, request.session.get_expiry_age()))
    request.session.cycle_key()  # whoever knew the old session key is not this player
    answer = redirect(_play_address(online) if online else page)
    answer.status_code = 303
    return answer


def _play_address(seat: Seat) -> str:
    """The address of an online table for the player in this seat."""
    return f"{reverse('play', args=[seat.table_id])}?as={seat.entry.public_id}"


def _forged_page(request: HttpRequest) -> HttpResponse:
    sentence = _("It may have been cut off on its way. Scan your code once more, or ask the organiser for your link.")
    context = {"title": _("This link opens nothing"), "sentence": sentence}
    return render(request, "shared/scorer_refused.html", context, status=404)


def _ended_page(request: HttpRequest, entry: Entry) -> HttpResponse:
    sentence = _(
        "The organiser ended it, and nothing else was changed. Ask for your new one: it is ready to be scanned."
    )
    context = {"title": _("This link has ended"), "sentence": sentence, "tournament": entry.tournament}
    return render(request, "shared/scorer_refused.html", context, status=410)


@never_cache
@require_safe
def my_tables(request: HttpRequest) -> HttpResponse:
    """Every player that this browser acts for, by tournament; without any, how to become one."""
    return render(request, "league/by_link/my_tables.html", {"lines": session_links.my_tables(request)})


@require_safe
def my_table(request: HttpRequest, slug: str) -> HttpResponse:
    """My seat now and next, and my scorecard. `?player=` says whose, if a browser acts for several."""
    players = players_in(request)
    try:
        access, mine = player_for(request.user, slug, players, request.GET.get("player", "")[:20])
    except NoPlayer as nobody:
        if nobody.ended is None:
            raise
        return _ended_page(request, nobody.ended)
    entry = access.entry
    assert entry is not None
    version = live.version_of(access.tournament)
    context = card_of(access, entry)
    context |= {
        "live_version": version,
        "others": [other for other in mine if other != entry],
        "act": _action_of(access, context),
        "clock": _clock(context),
        "calendar": calendar.of_entry(request, entry),
        "after": _next_round(access, context),
        "showings": showings_of(entry),
        # An account can claim the club's record of this player as long as no account has.
        "claims": may_claim(request, entry.player),
    }
    return render_page(request, access, "league/by_link/me.html", page="my_table", title=_("My table"), **context)


def _action_of(access: Access, card: dict[str, Any]) -> dict[str, Any] | None:
    """What there is to do at my table: a link and its word, or only a sentence. None without a table."""
    now = card["now"]
    if now is None or now.is_bye:
        return None
    if access.tournament.is_called_off:
        return {"said": _("It is called off, so no hand is played.")}
    rounds = Round.objects.living().filter(tournament=access.tournament, number=now.seat["round"])
    table = Table.objects.get(round__in=rounds, number=now.seat["table"])
    if table.state == Table.State.CONFIRMED:
        return {"said": _("All hands are in and confirmed.")}
    if table.mode == Table.Mode.ONLINE and table.state != Table.State.DISPUTED:
        word = _("Play: table %(number)d") if card["now_hand"] else _("Watch: table %(number)d")
        if now.seat["team"]:
            return {"ways": _ways_of_team(table, card["entry"]), "online": True}
        address = f"{reverse('play', args=[table.pk])}?as={card['entry'].public_id}"
        return {"url": address, "word": word % {"number": table.number}, "online": True}
    if not access.tournament.players_report:
        return {"said": _("The organiser enters the hands, or whoever has the code of your table.")}
    number = card["now_hand"]
    if table.state == Table.State.DISPUTED:
        word = _("See what is disputed")
    elif number:
        word = _("Enter hand %(number)d") % {"number": number}
    else:
        word = _("Check the hands")
    return {"url": table.get_absolute_url(), "word": word}


def _ways_of_team(table: Table, entry: Entry) -> list[dict[str, str]]:
    """A link for each of a team's two, to open the table as themselves."""
    ways = []
    for seat in table.seats.filter(entry=entry).select_related("substitute").order_by("member"):
        entry.member = seat.member
        word = _("Play as %(name)s") % {"name": seat.substitute or entry}
        ways.append({"url": f"{reverse('play', args=[table.pk])}?as={entry.plays_as}", "word": word})
    return ways


def _clock(card: dict[str, Any]) -> RoundClock | None:
    """The clock of the current round, with my table's extra time."""
    now = card["now"]
    played = next((round_ for round_ in card["rounds"] if now and round_.number == now.seat["round"]), None)
    if played is None:
        return None
    return clock_of(played, None if now.is_bye else played.tables.filter(number=now.seat["table"]).first())


def _goes_on(tournament: Tournament) -> bool:
    """Whether another round is to come, in this stage or in the next one."""
    stage, next_stage = tournament.stage_and_next
    return next_stage is not None or draws_another(tournament, stage)


def _next_round(access: Access, card: dict[str, Any]) -> dict[str, Any] | None:
    """What is known of the next round: its seat once it is published, else when that will be. Drafts are not shown."""
    if access.tournament.is_final or access.tournament.is_called_off or not card["lines"] or card["plays_no_more"]:
        return None
    known = next((line for line in card["lines"] if line.open and line is not card["now"]), None)
    if known:
        return {"line": known, "number": known.seat["round"]}
    latest = max(round_.number for round_ in card["rounds"])
    to_come = access.tournament.rounds.living().filter(number__gt=latest).select_related("stage")
    following = to_come.order_by("number").first()
    if following is None and card.get("race"):
        if card.get("left") or card["has_won"]:
            return None
        last_two = card["still_in"] == HEAD_TO_HEAD and card["now"] and card["head_to_head"]
        return {"last": True, "number": latest} if last_two else {"number": latest + 1}
    in_this_stage = (card.get("in_all") or 0) > latest
    if following is None and (in_this_stage or _goes_on(access.tournament)):
        stage, next_stage = access.tournament.stage_and_next
        everybody = not stage.plays.advances and (in_this_stage or next_stage is None or next_stage.takes is None)
        return {"number": latest + 1, "if_through": not (everybody or card["is_through"])}
    if following is None:
        return {"last": True, "number": latest}
    at_a_cut = following.stage_id != access.tournament.stage_shown.pk and following.stage.takes is not None
    after = {"number": following.number, "if_through": at_a_cut}
    waiting = access.tournament.deadlines.filter(kind=Deadline.Kind.PUBLISH, round=following)
    deadline = waiting.filter(state=Deadline.State.PENDING).first()
    if deadline is None:
        return after
    zone = access.tournament.zone
    today = deadline.due_at.astimezone(zone).date() == timezone.now().astimezone(zone).date()
    return after | {"at": deadline.due_at, "today": today}
