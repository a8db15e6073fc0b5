"""Let an idle uvicorn sleep: usually it wakes ten times a second to look for a signal, which takes 0.8 % of a core."""

import asyncio
import contextlib
import signal

from uvicorn.server import HANDLED_SIGNALS, Server

EVERY = 1.0  # seconds between two changes of the header `Date`

_usual_loop = Server.main_loop


async def _main_loop(self: Server) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()

    def stop(number: signal.Signals) -> None:
        self.handle_exit(number, None)
        stopped.set()

    try:
        for number in HANDLED_SIGNALS:
            loop.add_signal_handler(number, stop, number)
    except (NotImplementedError, RuntimeError, ValueError):  # Windows, or a thread that gets no signals
        return await _usual_loop(self)
    try:
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), EVERY)
    finally:
        for number in HANDLED_SIGNALS:
            loop.remove_signal_handler(number)
            signal.signal(number, self.handle_exit)


def install() -> None:
    """Do this for every server of this process."""
    Server.main_loop = _main_loop  # type: ignore[method-assign]
