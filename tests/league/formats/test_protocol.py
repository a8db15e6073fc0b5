"""What formats say about their settings, and where it stands."""

from pathlib import Path

import pytest

from league.formats import FORMATS, Format, Setting, nearest, settings_by_option

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_docs_have_every_setting_with_its_limits() -> None:
    page = (DOCS / "formats.md").read_text(encoding="utf-8").splitlines()
    assert f"| Setting | {' | '.join(plays.name for plays in FORMATS.values())} |" in page
    for option, having in settings_by_option().items():
        of = {plays.key: setting for plays, setting in having}
        cells = [_in_docs(of[key]) if key in of else "" for key in FORMATS]
        assert f"| `{option}` | {' | '.join(cells)} |" in page


def _in_docs(setting: Setting) -> str:
    usual = f" ({setting.default})" if setting.default is not None else ""
    return f"{setting.least} to {setting.most}{usual}{f', or none: {setting.empty}' if setting.empty else ''}"


@pytest.mark.parametrize("plays", FORMATS.values(), ids=FORMATS)
def test_what_is_usual_can_be_played_and_is_complete_as_it_is(plays: Format) -> None:
    usual = plays.complete({})
    assert list(usual) == [setting.name for setting in plays.settings]
    assert plays.complete(usual) == usual
    assert plays.problems({}, plays.possible()[-1]) == {}


@pytest.mark.parametrize("plays", FORMATS.values(), ids=FORMATS)
def test_a_number_beyond_either_limit_is_refused_at_its_setting(plays: Format) -> None:
    for setting in plays.settings:
        for value in (setting.least - 1, setting.most + 1):
            why = plays.problems({setting.name: value}, None)
            assert f"choose {setting.least} to {setting.most}" in str(why[setting.name])


@pytest.mark.parametrize("plays", FORMATS.values(), ids=FORMATS)
def test_the_answers_that_a_format_gives_lead_to_it(plays: Format) -> None:
    fit = [other for other in FORMATS.values() if (other.partnering, other.ending) == (plays.partnering, plays.ending)]
    assert nearest(plays.partnering, plays.ending)[: len(fit)] == fit
    assert plays.on_the_way and plays.at_the_end


def test_what_can_be_played_comes_before_what_was_asked_for() -> None:
    assert [plays.key for plays in nearest("change", "points", people=60)[-2:]] == ["pairs", "round_robin"]
    assert nearest("stay", "points", people=4)[0].key == "teams"
    assert nearest("stay", "points", entries=1) == nearest("stay", "points", people=1)  # nothing can be played
