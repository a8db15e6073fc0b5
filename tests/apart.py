"""Coroutines beside a browser: the browser tests leave a loop running in the thread of the tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run_apart(coroutine):
    """In a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
