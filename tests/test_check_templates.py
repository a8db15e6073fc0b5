"""`.ci/check_templates.py` names the templates that spread a page over many files."""

import runpy
from pathlib import Path
from typing import Any

import pytest

CHECK: dict[str, Any] = runpy.run_path(str(Path(__file__).resolve().parent.parent / ".ci" / "check_templates.py"))


def include(name: str) -> str:
    return f'{{% include "{name}" %}}\n'


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        ({"a/page.html": include("a/_one.html"), "a/_one.html": "<p>One\n"}, "a/_one.html: only a/page.html"),
        ({"a/page.html": "<p>\n", "a/_one.html": "<p>One\n"}, "a/_one.html: nothing includes it"),
        ({"a/page.html": include("a/_one.html"), "a/_one.html": "<p>\n" * 201}, ""),
        ({"a/page.html": f"<p {include('a/_one.html')}>", "a/_one.html": 'class="x"\n'}, ""),
        ({"a/page.html": '{% part "a/_one.html" %}\n', "a/_one.html": "<p>One\n"}, ""),
        ({"a/x.html": include("a/_one.html"), "a/y.html": include("a/_one.html"), "a/_one.html": "<p>\n"}, ""),
    ],
)
def test_a_partial_has_two_users_or_keeps_a_page_short(texts: dict[str, str], fault: str) -> None:
    faults = CHECK["_partials"](texts)
    assert [one.startswith(fault) for one in faults] == ([True] if fault else []), faults


def test_a_page_of_many_files_or_levels_is_named() -> None:
    many = {f"a/_{number}.html": "<p>" for number in range(12)}
    assert CHECK["_pages"](many | {"a/page.html": "".join(map(include, many))}) == [
        "a/page.html: 13 files, 2 levels deep; at most 12 and 3"
    ]
    deep = {"a/page.html": include("a/_1.html"), **{f"a/_{n}.html": include(f"a/_{n + 1}.html") for n in range(1, 4)}}
    assert CHECK["_pages"](deep | {"a/_4.html": "<p>"}) == ["a/page.html: 5 files, 5 levels deep; at most 12 and 3"]


def test_a_line_that_is_too_long_to_read_is_named() -> None:
    texts = {"a/page.html": f"<p>\n{'x' * 160}\n{'x' * 161}\n"}
    assert CHECK["_long_lines"](texts) == ["a/page.html, line 3: 161 characters; at most 160"]
