from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """What this app keeps in free text is cleaned when a person is erased; league does not know of hands."""
        from games.services import clean_reasons
        from league.services import erasure

        erasure.texts_elsewhere.append(clean_reasons)
