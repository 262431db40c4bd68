"""Event loops of boxes, in which coroutines of the other box are awaited. Standard library only."""
STATE = {}


def run(awaitable, keep=False):
    """Waits for an awaitable, also while another loop of this thread waits for us. With `keep` in one loop for all calls, so that
    what one call leaves behind (tasks, locks, open generators) is there for the next."""
    import asyncio

    async def whole():
        return await awaitable
    outer = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        kept = STATE.get('loop')
        loop = kept if keep and kept is not None and not kept.is_running() and not kept.is_closed() else asyncio.new_event_loop()
        if keep and (kept is None or kept.is_closed()):
            STATE['loop'] = loop
        try:
            return loop.run_until_complete(whole())
        finally:
            if loop is not STATE.get('loop'):
                loop.close()
    finally:
        asyncio._set_running_loop(outer)
