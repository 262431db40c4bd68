"""Coroutines of the artifact that a test awaits, and of the test that the artifact awaits: each runs in the loop of its own box, and
both loops make their turns by turns. Standard library only."""
import weakref

from loops import POLL, begun, delay_of, shown
from originals import asyncio_part
from refusals import ProtocolError, Refused


def running_loop():
    running = asyncio_part('_get_running_loop')
    return running() if running is not None else None


def is_alone(loop):
    """True where nothing else waits in the loop, so that what is awaited may run to its end."""
    # Last, as it looks at each task.
    return not getattr(loop, '_scheduled', True) and not getattr(loop, '_ready', True) and len(asyncio_part('all_tasks')(loop)) <= 1


class Turns:
    """The part of a link that waits for coroutines."""

    def begin_turns(self):
        #: Loops in which the test has asked something, and a timer of one that will let the artifact's loop make a turn.
        self.loops, self.timer = weakref.WeakSet(), None
        #: True while the artifact's loop makes turns that no line of the suite has asked for.
        self.is_turning = False
        #: Futures of those that wait for the artifact's tasks, by number; what coroutines of the test have come to, until it is told.
        self.waiting, self.settled = {}, []
        #: Running coroutines of the test, by number, and the loop of those that a loop of the artifact's in a sync call waits for.
        self.running_later, self.beside = {}, None

    def end_turns(self):
        """Forgets what waits in loops of one test."""
        self.waiting, self.settled, self.running_later = {}, [], {}
        if self.beside is not None:
            self.beside.close()
            self.beside = None

    def tell_loop(self, op, loop):
        """Tells the artifact that the test has a running loop, and whether it is a new one after others that were closed."""
        op['loop'] = True
        if loop not in self.loops and loop is not self.beside:
            op['ended'] = all(each.is_closed() for each in self.loops)
            self.loops.add(loop)
        if self.settled:
            op['settled'], self.settled = self.settled, []

    def take_turns(self, told, loop):
        """Plans the next turn of the artifact's loop, and wakes those whose tasks have ended."""
        if type(told) is not list or len(told) != 2 or type(told[1]) is not list:
            raise self.protocol_error('a turn that is none')
        delay, ended = told
        if delay is not None and not (type(delay) in (int, float) and delay >= 0):
            raise self.protocol_error('a turn that is none')
        for number in ended:
            self.wake(number)
        if delay is not None and loop is not None:
            self.plan(loop, min(delay, 3600))

    def wake(self, number):
        for future in self.waiting.pop(number, ()) if type(number) is int else ():
            if not future.done() and not future.get_loop().is_closed():
                future.set_result(None)

    def plan(self, loop, delay):
        if self.timer is not None:
            self.timer.cancel()
        self.timer = loop.call_later(delay, self.turn)

    def turn(self):
        """Lets the artifact's loop make a turn."""
        self.timer = None
        self.is_turning = True
        try:
            self.ask({'do': 'turn'})
        finally:
            self.is_turning = False

    async def wait(self, number):
        """What an awaitable of the artifact answers."""
        cancelled = asyncio_part('CancelledError')
        while True:
            loop = asyncio_part('get_running_loop')()
            op = {'do': 'await', 'of': number, 'alone': is_alone(loop)}
            reply = self.ask(op)
            if reply.get('cancelled') is True:
                raise cancelled
            if reply.get('pending') is not True:
                return self.found_in(reply, op)
            future = loop.create_future()
            self.waiting.setdefault(number, []).append(future)
            try:
                await future
            except cancelled:
                self.ask({'do': 'cancel', 'of': number})

    # Coroutines of the test

    def serve_later(self, request):
        """Begins or cancels a coroutine of the test that the artifact awaits. Where no loop runs, it answers at once, in a list."""
        number, loop = request['callback'], running_loop()
        if request['awaits'] == 'cancel':
            if number in self.running_later:
                self.running_later[number].cancel()
            return {'returns': None}
        if request['awaits'] == 'turn':
            return self.turn_beside(number)
        if not asyncio_part('iscoroutine')(self.given.get(-number)):
            raise self.protocol_error('a callback that was not given')
        if request['awaits'] == 'beside' and number not in self.running_later:
            self.beside = self.beside or asyncio_part('new_event_loop')()
            # A coroutine in that loop may have called the artifact for this one.
            if asyncio_part('current_task')(self.beside) is None:
                self.running_later[number] = begun(self.beside, self.given[-number])
                return self.come_to(number)
        if loop is None or number in self.running_later:
            return self.outcome_of(lambda: [self.given[number]()], number)
        task = self.running_later[number] = loop.create_task(self.given[-number])
        task.add_done_callback(lambda _: self.settle(number, task, loop))
        return {'returns': None}

    def turn_beside(self, number):
        """Has the loop beside make a turn."""
        task, loop = self.running_later.get(number), self.beside
        if task is None or loop is None or task.get_loop() is not loop:
            raise self.protocol_error('a turn of no coroutine')
        if not task.done() and not loop.is_running():
            loop.call_soon(loop.stop)
            with shown(None):
                loop.run_forever()
        return self.come_to(number)

    def come_to(self, number):
        """What a coroutine in the loop beside has come to in a list, which is empty where it was cancelled, or seconds until that loop has
        something to do."""
        task = self.running_later[number]
        if not task.done():
            delay = delay_of(self.beside)
            return {'returns': self.leave(POLL if delay is None else delay)}
        del self.running_later[number]
        if task.cancelled():
            return {'returns': self.leave([])}
        back = self.outcome_of(lambda: [task.result()], number)
        return back if back.get('returns', self) is not None else {'returns': self.leave([None])}

    def settle(self, number, task, loop):
        self.running_later.pop(number, None)
        try:
            back = {'cancelled': True} if task.cancelled() else self.outcome_of(task.result, number)
        except (Refused, ProtocolError):
            return  # It is noted, and fails the test.
        self.settled.append([number, back])
        self.plan(loop, 0)
