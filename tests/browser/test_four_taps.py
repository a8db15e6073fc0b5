"""From eight names typed on one line to a published round, on a phone: at most four taps after typing."""

from playwright.sync_api import expect

from league.models import Tournament
from tests import cast

from .looking import width
from .test_record import sign_in

MOST_TAPS = 4
COUNT = """() => document.addEventListener("click", ({ target, isTrusted }) => {
  if (isTrusted && target.closest("a, button, summary, label, input, select"))
    sessionStorage.setItem("taps", Number(sessionStorage.getItem("taps")) + 1);
}, true)"""


def test_eight_names_on_one_line_are_a_published_round_after_four_taps(phone, live_server):
    sign_in(phone, live_server)
    phone.goto("/new/")
    phone.get_by_label("Names, one per line").fill(", ".join(cast.CAST))
    expect(phone.locator("[data-names='8']")).to_have_count(1)
    phone.add_init_script(f"({COUNT})()")
    phone.evaluate(COUNT)
    phone.get_by_role("button", name="Create tournament").last.click()
    phone.get_by_role("button", name="Draw the seating").click()
    phone.get_by_role("button", name="Publish round 1").first.click()
    expect(phone.get_by_role("heading", name="8 hands to go in round 1")).to_be_visible()
    assert 1 <= int(phone.evaluate("sessionStorage.getItem('taps')")) <= MOST_TAPS
    assert width(phone) <= 360
    [made] = Tournament.objects.all()
    assert sorted(made.entries.values_list("player__name", flat=True)) == sorted(cast.CAST)
    assert made.stage.rounds.get(number=1).published_at
