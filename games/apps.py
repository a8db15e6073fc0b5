from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """What this app keeps in free text is cleaned when a person is erased, and it knows what is disputed."""
        from games.disputes import disputed_hands
        from games.services import clean_reasons
        from league import disputed
        from league.services import erasure

        erasure.texts_elsewhere.append(clean_reasons)
        disputed.said_elsewhere.append(disputed_hands)
