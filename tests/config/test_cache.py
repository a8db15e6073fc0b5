"""The cache that django-allauth uses: all processes share it in Redis, and it never keeps anyone from signing in."""

import os
import subprocess
import sys

from django.conf import settings

from config.cache import FallbackCache

OPTIONS = {"OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1}}


def test_what_one_process_has_added_another_one_finds(redis_server):
    one, other = (FallbackCache(redis_server.url, OPTIONS) for _process in range(2))
    assert one.add("spent", True, timeout=60)
    assert not other.add("spent", True, timeout=60)
    other.delete("spent")
    assert one.get("spent") is None


def test_without_redis_each_process_counts_for_itself(monkeypatch, tmp_path):
    monkeypatch.setattr(FallbackCache, "_down_until", 0.0)
    cache = FallbackCache(f"unix://{tmp_path}/nobody.sock", OPTIONS)
    assert cache.add("spent", True, timeout=60)
    assert not cache.add("spent", True, timeout=60)
    cache.set("spent", 2, timeout=60)
    assert cache.get("spent") == 2
    cache.delete("spent")
    assert cache.get("spent", "none") == "none"
    monkeypatch.setattr(FallbackCache, "_down_until", 0.0)


def test_with_redis_the_cache_of_signing_in_is_the_shared_one(tmp_path):
    ask = "from config.settings import CACHES; print(CACHES['default']['BACKEND'], CACHES['default']['LOCATION'])"
    environment = os.environ | {"REDIS_URL": "redis://cache:6379/1", "WILD_DATA": str(tmp_path)}
    command = [sys.executable, "-c", ask]
    told = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=True, capture_output=True, text=True)
    assert told.stdout.split() == ["config.cache.FallbackCache", "redis://cache:6379/1"]
