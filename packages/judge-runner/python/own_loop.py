"""The event loop of the artifact's coroutines, which makes its turns while the test waits. Standard library only."""

from loops import POLL, begun, delay_of, shown
from originals import asyncio_part, contextlib, is_main_thread

#: Most tasks of which one answer says that they have ended.
MAX_ENDED = 5000


class Result(list):
    """Holds the answer of a coroutine until it is told: who else has it is counted by its references."""

    def __init__(self, value):
        super().__init__([value])


class OwnLoop:
    """Runs what the test awaits, and what calls leave behind (tasks, locks, open generators).

    `call_back(request, args, kwargs)` asks the test something; `has_threads()`: whether the artifact has threads.
    """

    def __init__(self, call_back, has_threads):
        self.has_threads = has_threads
        self.call_back, self.loop, self.is_turning = call_back, None, False
        #: Tasks that the test awaits, by the numbers of what it awaits, and the numbers of those that have ended since the last answer.
        self.tasks, self.ended = {}, []
        #: Futures of coroutines of the test, by their numbers there.
        self.awaited = {}

    def current(self):
        __import__('asyncio')
        if self.loop is None or self.loop.is_closed():
            self.loop = asyncio_part('new_event_loop')()
        return self.loop

    @contextlib.contextmanager
    def entered(self):
        """Shows a running loop to what runs within, as in one process. It makes no turn meanwhile."""
        __import__('asyncio')
        with shown(asyncio_part('_get_running_loop')() or self.current()):
            yield

    def is_free(self):
        return self.loop is None or not self.loop.is_running()

    def end(self):
        """Cancels what the loop of an earlier test has left behind, as `asyncio.run` does."""
        if self.loop is not None and not self.loop.is_closed():
            for task in asyncio_part('all_tasks')(self.loop):
                task.cancel()

    def wait(self, number, target, is_alone):
        """The task of what the test awaits, after its first step or a turn; where nothing else waits there (`is_alone`), until it ends or
        needs the test."""
        task = self.tasks.get(number)
        is_new = task is None
        if is_new:
            task = self.tasks[number] = self.started(target)
            task.add_done_callback(lambda _: self.ended.append(number))
        # Beside others it has made its first step, and they have theirs to make before its next.
        if not task.done() and (is_alone or not is_new):
            self.turn(task if is_alone else None)
        if task.done():
            self.tasks.pop(number, None)
        return task

    def started(self, target):
        loop = self.current()
        if asyncio_part('isfuture')(target) and target.get_loop() is loop:
            return target

        async def whole():
            try:
                return Result(await target)
            finally:
                loop.stop()
        with self.turning(loop):
            return begun(loop, whole())

    @staticmethod
    def result_of(task):
        """Returns what an awaitable has answered, which its task does not hold any more."""
        found = task.result()
        return found.pop() if type(found) is Result else found

    def cancel(self, number):
        if number in self.tasks:
            self.tasks[number].cancel()

    def turn(self, task=None):
        """Runs what is ready, or until a task ends or something waits for the test."""
        loop = self.current()
        if loop.is_running():
            return
        if task is None:
            loop.call_soon(loop.stop)
        else:
            task.add_done_callback(self.stop)
        with self.turning(None):
            loop.run_forever()
        if task is not None:
            task.remove_done_callback(self.stop)

    def stop(self, _):
        self.loop.stop()

    @contextlib.contextmanager
    def turning(self, running):
        self.is_turning = True
        try:
            with shown(running):
                yield
        finally:
            self.is_turning = False

    def add_to(self, reply):
        """Tells the test when the loop has something to do, and which of its tasks have ended."""
        if self.loop is None or self.loop.is_closed() or self.loop.is_running():
            return
        delay = self.delay(self.loop)
        if delay is not None or self.ended:
            told, self.ended = self.ended[:MAX_ENDED], self.ended[MAX_ENDED:]
            reply['turns'] = [0 if self.ended else delay, told]

    def delay(self, loop):
        found = delay_of(loop)
        is_waiting = found is None and self.has_threads() and asyncio_part('all_tasks')(loop)
        return POLL if is_waiting else found

    # Coroutines of the test

    async def test(self, number):
        """What a coroutine of the test answers. It runs in the loop of the test where that waits for this one."""
        loop = asyncio_part('get_running_loop')()
        if not is_main_thread():
            return self.call_back({'callback': number}, (), {})
        if loop is not self.loop or not self.is_turning:
            return await self.beside(number)
        self.awaited[number] = future = loop.create_future()
        told = self.call_back({'callback': number, 'awaits': 'begin'}, (), {})
        if told is not None:
            del self.awaited[number]
            return told[0]
        loop.stop()
        try:
            return await future
        except asyncio_part('CancelledError'):
            if self.awaited.pop(number, None) is not None:
                self.call_back({'callback': number, 'awaits': 'cancel'}, (), {})
            raise

    async def beside(self, number):
        """The same in a loop that a sync call runs: the test's box makes turns of its coroutines between those of this loop."""
        told = self.call_back({'callback': number, 'awaits': 'beside'}, (), {})
        while told is not None and type(told) is not list:
            try:
                await asyncio_part('sleep')(told)
            except asyncio_part('CancelledError'):
                self.call_back({'callback': number, 'awaits': 'cancel'}, (), {})
            told = self.call_back({'callback': number, 'awaits': 'turn'}, (), {})
        if told == []:
            raise asyncio_part('CancelledError')
        return told and told[0]

    def settle(self, number, back, returned):
        """Takes what a coroutine of the test has come to."""
        future = self.awaited.pop(number, None)
        if future is None or future.done():
            return
        if 'cancelled' in back:
            future.cancel()
            return
        try:
            future.set_result(returned(back))
        except BaseException as error:
            future.set_exception(error)
