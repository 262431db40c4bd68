"""Event loops of boxes, in which coroutines of the other box are awaited. Standard library only."""


def run(awaitable):
    """Waits for an awaitable in a loop of its own, also while another loop of this thread waits for us."""
    import asyncio

    async def whole():
        return await awaitable
    outer = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        loop = asyncio.new_event_loop()
        try:
            return loop.run_until_complete(whole())
        finally:
            loop.close()
    finally:
        asyncio._set_running_loop(outer)
