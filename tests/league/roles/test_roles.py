"""Who may do what, as it is told."""

from io import StringIO

from django.conf import settings
from django.core.management import call_command

from league.access.rights import MEANINGS, OWNER, PLAYER_LINK, RIGHTS, SCORER_LINK, SCREEN_LINK, STRANGER, Can
from league.models import Role


def test_the_page_about_roles_says_what_the_table_in_the_code_says():
    printed = StringIO()
    call_command("roles", stdout=printed)
    assert (settings.BASE_DIR / "docs" / "roles.md").read_text(encoding="utf-8") == printed.getvalue()


def test_every_role_and_every_right_is_in_the_table():
    assert set(RIGHTS) == {OWNER, *Role.Kind.values, PLAYER_LINK, SCORER_LINK, SCREEN_LINK, STRANGER}
    assert set(MEANINGS) == set(Can)


def test_everybody_with_a_role_may_look_and_nobody_may_more_than_the_owner():
    for role, rights in RIGHTS.items():
        assert (Can.LOOK in rights) == (role not in (STRANGER, SCORER_LINK))
        assert rights <= RIGHTS[OWNER]
