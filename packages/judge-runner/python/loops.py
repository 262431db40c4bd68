"""Event loops of boxes, in which coroutines of the other box are awaited. Standard library only."""

from originals import asyncio_part, contextlib

#: Seconds until tasks that wait for something else than their loop are looked at again.
POLL = 0.02


def delay_of(loop):
    """Seconds until a loop has something to do; None where it has nothing."""
    if getattr(loop, '_ready', True):
        return 0
    times = [each.when() for each in getattr(loop, '_scheduled', ()) if not each.cancelled()]
    return max(0, min(times) - loop.time()) if times else None


@contextlib.contextmanager
def shown(loop):
    """Has a loop, or none, be the running one of this thread."""
    __import__('asyncio')
    outer, show = asyncio_part('_get_running_loop')(), asyncio_part('_set_running_loop')
    show(loop)
    try:
        yield
    finally:
        show(outer)


def begun(loop, coroutine):
    """A task that has made its first step, without a turn of its loop for others."""
    ready = getattr(loop, '_ready', ())
    before = len(ready)
    task = loop.create_task(coroutine)
    if len(ready) == before + 1:
        with shown(loop):
            ready.pop()._run()
    return task


def run(awaitable):
    """Waits for an awaitable in a loop of its own, also while another loop of this thread waits for us."""
    __import__('asyncio')

    async def whole():
        return await awaitable
    with shown(None):
        loop = asyncio_part('new_event_loop')()
        try:
            return loop.run_until_complete(whole())
        finally:
            loop.close()
