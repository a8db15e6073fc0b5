import pytest
from league.models import Seat
from tests.league.test_random_tournaments import RandomTournament
pytestmark = pytest.mark.django_db
@pytest.mark.parametrize("seed", [329, 329, 329])
def test_one(seed):
    evening = RandomTournament(seed)
    try:
        evening.play()
    except IndexError as e:
        made = evening.made
        print(evening.upset_by)
        import traceback
        tb = e.__traceback__
        while tb:
            loc = tb.tb_frame.f_locals
            if "table" in loc:
                t = loc["table"]; print(t.state, t.number, t.round, list(t.seats.values_list("number","entry__player__name","member","substitute__name","entry__status")), t.hands_wanted, loc.get("number"), loc.get("filled"))
            tb = tb.tb_next
        for r in made.rounds.living():
            for s in Seat.objects.filter(round=r).select_related("entry__player","substitute","table"): print(r.number, s.table and s.table.number, s.number, s.entry, s.member, s.substitute)
        from league.models import LogEntry
        for l in LogEntry.objects.filter(tournament=made).order_by("pk"): print(l.action, l.old, l.new)
        raise
