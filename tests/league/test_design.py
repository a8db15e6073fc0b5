"""The page of components: for whoever changes pages, and nobody else."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import Client, override_settings
from django.urls import reverse

from league.design import COMPONENTS
from league.models import User

ROOT = Path(__file__).parents[2]


@pytest.mark.django_db
def test_the_servers_owner_sees_every_component_in_both_themes() -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("vera@example.org", "correct horse"))
    page = client.get(reverse("design")).content.decode()
    for name in COMPONENTS:
        assert f'id="{name}"' in page
    assert page.count('data-theme="light"') == page.count('data-theme="dark"') >= len(COMPONENTS)
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.django_db
def test_others_are_told_that_there_is_no_such_page() -> None:
    client = Client()
    assert client.get(reverse("design")).status_code == 404
    client.force_login(User.objects.create_user("wim@example.org", "correct horse"))
    assert client.get(reverse("design")).status_code == 404


@pytest.mark.django_db
@override_settings(DESIGN_PAGE=True)
def test_on_a_machine_for_design_anybody_sees_it() -> None:
    assert Client().get(reverse("design")).status_code == 200


def test_every_component_has_its_template_its_line_and_its_sample() -> None:
    templates = {path.stem for path in (ROOT / "templates/components").glob("*.html")} - {"design", "errors"}
    page = (ROOT / "docs/components.md").read_text(encoding="utf-8")
    assert templates <= set(COMPONENTS)
    for name in COMPONENTS:
        assert f"{{% {name} " in page or f"components/{name}.html" in page, name


def written(source: str, **context: object) -> str:
    return re.sub(r"\s+", " ", Template(source).render(Context(context)))


def test_a_class_list_has_the_words_whose_condition_holds() -> None:
    assert written("{% classes 'token' 'on' yes 'bye' no %}", yes=True, no=False) == "token on"
    assert written("{% classes 'on' no 'bye' missing %}", no=None) == ""


def test_a_csv_link_leaves_out_what_is_empty() -> None:
    link = "{% csv 'standings_csv' 'friday' as_of_round=round all=all %}"
    assert 'href="/t/friday/standings.csv?format=xlsx"' in written(link, round=None, all=False)
    assert 'href="/t/friday/standings.csv?as_of_round=2&amp;all=1&amp;format=xlsx"' in written(link, round=2, all=True)


def test_a_note_says_what_it_is_for_the_eye_and_the_ear() -> None:
    note = written('{% note "bad" role="alert" %}<b>{{ name }}</b>{% endnote %}', name="<Ada>")
    assert 'class="note note-bad" role="alert"' in note
    assert "#i-warn" in note and "<b>&lt;Ada&gt;</b>" in note
    assert "<form" not in note


def test_a_row_shows_a_name_as_it_is_typed() -> None:
    assert "&lt;Ada&gt;" in written("<ul>{% row name %}{% endrow %}</ul>", name="<Ada>")
