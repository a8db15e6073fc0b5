"""Create, find and revoke scorer links.

Tokens are signed, not stored (league/access/signed_links.py), so they can be shown again.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.secrets import digest_of
from league.access.signed_links import OF_EVENTS, scorer_link_of, scorer_token
from league.formats.seating.golfers import count_tables
from league.ledger.locks import lock_tournament
from league.lib.errors import Refused
from league.log.write import note
from league.models import Round, ScorerLink, Table, Tournament, User

MOST_DAYS = 30
MOST_OPEN = 200  # valid links of a tournament at a time


def last_moment(tournament: Tournament, now: datetime) -> datetime:
    """Return when a link expires: end of the day after the tournament, in its zone; at most in 30 days."""
    day = max(tournament.starts_on, now.astimezone(tournament.zone).date())
    end = datetime.combine(day + timedelta(days=1), time(23, 59, 59), tournament.zone)
    return min(end, now + timedelta(days=MOST_DAYS))


def tables_of(tournament: Tournament) -> int:
    """Return the largest number of tables: drawn, or filled by the players."""
    drawn = Table.objects.filter(round__tournament=tournament).exclude(round__state=Round.State.VOID)
    if most := drawn.aggregate(most=Max("number"))["most"]:
        return int(most)
    stage, entries = tournament.stage, tournament.entries.count()
    if stage.drawn_ahead:  # only full tables are played
        return entries // (stage.table_size // stage.plays.people)
    return count_tables(entries, stage.table_size) if entries else 0


@transaction.atomic
def make_scorer_links(
    *, tournament: Tournament, tables: Sequence[int | None], by: User | None, label: str = "", days: int | None = None
) -> list[tuple[ScorerLink, str]]:
    """Create a link for each of `tables` (None: one for all tables); return links with tokens.

    Without `days` they expire at the end of the day after the tournament.
    """
    tournament = lock_tournament(tournament.pk)
    if not tables or any(table is not None and not 1 <= table <= tables_of(tournament) for table in tables):
        sentence = _("Choose a table, or all tables.")
        raise Refused("table", sentence, fields={"table": [sentence]})
    if days is not None and not 1 <= days <= MOST_DAYS:
        sentence = _("A link can be valid for 1 to %(most)d days.") % {"most": MOST_DAYS}
        raise Refused("days", sentence, fields={"days": [sentence]})
    if living_links(tournament).count() + len(tables) > MOST_OPEN:
        raise Refused("too-many", _("At most %(most)d links can be active. Turn some off first.") % {"most": MOST_OPEN})
    now = timezone.now()
    links = []
    for table in tables:
        link = ScorerLink.objects.create(
            tournament=tournament,
            table=table,
            label=label.strip()[:40],
            created_by=by,
            created_at=now,
            expires_at=last_moment(tournament, now) if days is None else now + timedelta(days=days),
        )
        note(tournament=tournament, by=by, action="make-scorer-link", new=_log_values(link))
        links.append((link, scorer_token(link)))
    return links


@transaction.atomic
def slip_links(*, tournament: Tournament, tables: Sequence[int], by: User | None) -> None:
    """Make sure that each of these tables has a link for its slips."""
    tournament = lock_tournament(tournament.pk)
    existing = links_on_slips(tournament)
    if missing := [table for table in tables if table not in existing]:
        make_scorer_links(tournament=tournament, tables=missing, by=by)


def links_on_slips(tournament: Tournament) -> dict[int, ScorerLink]:
    """Return {table number: link on its slips}.

    Such a link is for one table and has no label, which would name a phone's owner.
    """
    return {link.table: link for link in living_links(tournament).filter(label="").reverse() if link.table is not None}


def living_links(tournament: Tournament) -> QuerySet[ScorerLink]:
    """Return the valid links: for all tables first, then by table."""
    living = ScorerLink.objects.filter(tournament=tournament, revoked_at=None, expires_at__gt=timezone.now())
    return living.order_by(F("table").asc(nulls_first=True), "-pk")


def link_of(token: str) -> ScorerLink | None:
    """Return the link for a token, or for a secret from before links were signed; it may be revoked."""
    by_secret = ScorerLink.objects.select_related("tournament").filter(OF_EVENTS, digest=digest_of(token))
    return scorer_link_of(token) or by_secret.first()


@transaction.atomic
def revoke_scorer_link(*, link: ScorerLink, by: User | None) -> None:
    """Revoke a link, also on phones that used it. Repeating it changes nothing."""
    if _end([link.pk]):
        note(tournament=link.tournament, by=by, action="revoke-scorer-link", old=_log_values(link))


@transaction.atomic
def revoke_scorer_links_of(*, tournament: Tournament, maker: User, by: User | None) -> None:
    """Revoke all links created by an account. Locks all rows before the log, whose end is the last lock."""
    links = list(living_links(tournament).filter(created_by=maker).order_by("pk").select_for_update())
    _end([link.pk for link in links])
    for link in links:
        note(tournament=tournament, by=by, action="revoke-scorer-link", old=_log_values(link))


def _end(keys: Sequence[int]) -> int:
    """Revoke these links; return how many were valid."""
    living = ScorerLink.objects.filter(pk__in=keys, revoked_at=None)
    return living.update(revoked_at=timezone.now(), generation=F("generation") + 1)


def _log_values(link: ScorerLink) -> dict[str, object]:
    """Return a link's log values."""
    return {"scorer_table": link.table} | ({"label": link.label} if link.label else {})
