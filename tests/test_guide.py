"""docs/run-a-tournament.md names buttons and links as the pages do."""

import re

from django.conf import settings

from league.management.commands.messages import catalogue_of

LABEL = re.compile(r"\*\*([^*]+)\*\*")
PLACEHOLDER = re.compile(r"%\\\(\w+\\\)[sd]")


def test_every_label_of_the_guide_is_on_a_page() -> None:
    guide = (settings.BASE_DIR / "docs/run-a-tournament.md").read_text(encoding="utf-8")
    messages = [message.id for message in catalogue_of("fr") if isinstance(message.id, str)]
    labels = re.compile("|".join(PLACEHOLDER.sub(r"\\w+", re.escape(message)) for message in messages if message))
    assert [label for label in LABEL.findall(guide) if not labels.fullmatch(" ".join(label.split()))] == []
