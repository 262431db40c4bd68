"""Threads of a test as the artifact's box has them: each runs what its thread asks for, so that they can wait for one another.
Standard library only."""
from _queue import Empty, SimpleQueue

from originals import get_thread, is_main_thread, threading

#: How long the judge waits for an answer before the other threads of the test may ask, in seconds. Where some want to, it does not: what
#: each of them asks for runs beside the rest, as in one process.
PATIENCE = 0.001
WAITING = '$waiting'


class Executor(threading.Thread):
    """Runs the questions of one thread of a test. `answer(op)` answers one."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.answer, self.inbox, self.outbox = answer, SimpleQueue(), SimpleQueue()
        self.is_busy, self.calling = False, threading.RLock()
        self.start()

    def run(self):
        while True:
            op = self.inbox.get()['op']
            self.is_busy = True
            reply = self.answer(op)
            self.is_busy = False
            self.outbox.put(reply)

    def exchange(self, message):
        """Asks the test something, and answers what it asks meanwhile."""
        with self.calling:
            self.outbox.put(message)
            while True:
                request = self.inbox.get()
                if 'op' not in request:
                    return request
                self.outbox.put(self.answer(request['op']))


class Executors:
    """The threads of a test, by their numbers there."""

    def __init__(self, answer):
        self.answer, self.by_number = answer, {}

    def reply(self, number, request):
        """What that thread is told: an answer, a question, or that it has to wait."""
        if number not in self.by_number:
            self.by_number[number] = Executor(self.answer)
        executor = self.by_number[number]
        op = request.get('op', {})
        patience = 0 if op.pop('crowded', False) else PATIENCE
        if op.get('do') != 'tick':
            executor.inbox.put(request)
        try:
            return executor.outbox.get(patience > 0, patience)
        except Empty:
            return {'value': {WAITING: True}}

    def current(self):
        """The executor through which the running thread asks the test something, or None; a thread of the artifact's own takes one
        that is answering."""
        number = get_thread()
        own = next((each for each in list(self.by_number.values()) if each.ident == number), None)
        if own is not None or is_main_thread():
            return own
        return next((each for each in self.by_number.values() if each.is_busy), None)
