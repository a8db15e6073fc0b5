"""Which forms store what is typed into them (league/static/league/typed.js)."""

from pathlib import Path

from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
# Pages of shared links and of sign-up, and forms for passwords, invitations and private remarks.
NEVER = ("account", "mfa", "games", "league/by_link", "league/entries", "league/roles", "league/screen")


def test_forms_of_shared_links_and_accounts_store_nothing() -> None:
    keeping = [path.relative_to(TEMPLATES) for path in TEMPLATES.rglob("*.html") if "data-keeps" in path.read_text()]
    assert len(keeping) >= 7
    assert not [path for path in keeping if str(path).startswith(NEVER)]
