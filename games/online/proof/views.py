"""Pages to verify a hand played online: its commitment, its log and its moves."""

import json

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Deal
from games.online.page.strip import strip_of
from games.online.page.viewer import viewer_of
from games.online.proof.proof import (
    ending,
    file_name,
    is_revealed,
    log_file,
    played_deal,
    revealed_hand,
    scene,
    steps_of,
)
from games.online.proof.script_texts import proof_words
from league.access import Access, playing_for
from league.access.session_links import visitor_of
from league.models import Entry


@require_safe
@never_cache
def deal(request: HttpRequest, deal_id: int) -> HttpResponse:
    """Show the commitment of a hand; once it is over, everything, with a button to verify it on this device."""
    access, deal, me = _deal_for(request, deal_id)
    context = _context_of(access, deal, me)
    if not is_revealed(deal):
        return render(request, "games/proof/sealed.html", context)
    hand = revealed_hand(deal)
    context |= {"ending": ending(hand), "seed": hand.seed.hex(), "words": json.dumps(proof_words())}
    return render(request, "games/proof/proof.html", context)


@require_safe
@never_cache
def deal_log(request: HttpRequest, deal_id: int) -> HttpResponse:
    """Return the log as a file; 404 while the hand is not over."""
    _access, deal, _me = _deal_for(request, deal_id)
    if not is_revealed(deal):
        words = _("The log is ready when the hand is over.")
        return HttpResponse(f"{words}\n", status=404, content_type="text/plain; charset=utf-8")
    disposition = content_disposition_header(as_attachment=True, filename=file_name(deal)) or "attachment"
    return HttpResponse(log_file(deal), content_type="application/jsonl", headers={"Content-Disposition": disposition})


@require_safe
@never_cache
def deal_replay(request: HttpRequest, deal_id: int) -> HttpResponse:
    """Show the table after `?move=N`, by default after the deal."""
    access, deal, me = _deal_for(request, deal_id)
    if not is_revealed(deal):
        return HttpResponseRedirect(reverse("deal", args=[deal.pk]))
    hand = revealed_hand(deal)
    steps = steps_of(hand)
    move = request.GET.get("move", "")
    number = min(int(move), len(steps) - 1) if move.isascii() and move.isdigit() and len(move) < 6 else 0
    step = steps[number]
    context = {"steps": steps, "step": step, "last": len(steps) - 1, "scene": scene(hand, step.last)}
    return render(request, "games/proof/replay.html", _context_of(access, deal, me) | context)


@require_safe
def played_hand(request: HttpRequest, table_id: int, hand: int) -> HttpResponse:
    """Redirect from a hand in a list to its online deal."""
    _access, table, _mine = playing_for(visitor_of(request), table_id)
    deal = played_deal(table, hand)
    if deal is None:
        raise Http404
    return HttpResponseRedirect(reverse("deal", args=[deal.pk]))


def _deal_for(request: HttpRequest, deal_id: int) -> tuple[Access, Deal, Entry | None]:
    """Return the deal and the viewer's entry there. Raises Http404."""
    deal = get_object_or_404(Deal, pk=deal_id)
    access, deal.table, me = viewer_of(request, deal.table_id)
    return access, deal, me


def _context_of(access: Access, deal: Deal, me: Entry | None) -> dict[str, object]:
    return strip_of(access, deal.table, me) | {
        "access": access,
        "tournament": access.tournament,
        "deal": deal,
        "table": deal.table,
        "round": deal.table.round,
    }
