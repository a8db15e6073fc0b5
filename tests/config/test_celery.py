"""Worker and beat: what they are told, and by whom."""

import pytest

from config.celery import app, broker_url


@pytest.mark.parametrize(
    ("given", "broker"),
    [
        ("", "memory://localhost/"),
        ("redis://cache:6379/1", "redis://cache:6379/1"),
        ("rediss://user:secret@cache:6379/0", "rediss://user:secret@cache:6379/0"),
        ("unix:///run/redis.sock", "redis+socket:///run/redis.sock"),
        ("unix:///run/redis.sock?db=2", "redis+socket:///run/redis.sock?virtual_host=2"),
    ],
)
def test_one_address_of_redis_serves_everybody(given, broker):
    assert broker_url(given) == broker


def test_nothing_but_json_is_taken():
    assert list(app.conf.accept_content) == ["json"]
    assert app.conf.task_serializer == "json"
