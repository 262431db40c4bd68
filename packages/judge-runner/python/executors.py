"""Threads of a test as the artifact's box has them: each runs what its thread asks for, so that they can wait for one another.
Standard library only."""
from _queue import Empty, SimpleQueue

from originals import count_threads, get_thread, is_main_thread, threading, time

#: How long the judge waits for an answer before the other threads of the test may ask, in seconds. Where some want to, it does not: what
#: each of them asks for runs beside the rest, as in one process.
PATIENCE = 0.001
#: How long it waits for a thread that has said that it asks the test something, in seconds.
CALL_PATIENCE = 1
#: How long such a thread has waited where the test's question waits for it, in seconds.
LONG = 0.05
WAITING = '$waiting'


class Exchange:
    """Questions of the artifact to one thread of the test, which only listens. `answer(op)` answers what that asks meanwhile."""

    def __init__(self, answer):
        self.answer, self.inbox, self.outbox = answer, SimpleQueue(), SimpleQueue()
        #: True while it takes a question, and the thread that asks one.
        self.is_open, self.calling, self.caller = False, threading.RLock(), None

    def claim(self):
        """True where the thread of the test takes a question, which is then that of the caller alone."""
        was_open, self.is_open = self.is_open, False
        return was_open

    def exchange(self, tell):
        """Asks the test what `tell()` returns, and answers what it asks meanwhile; returns None where that thread of the test does not wait."""
        with self.calling:
            outer = self.caller
            if not self.claim() and outer is None:
                return None
            self.caller = get_thread()
            try:
                self.outbox.put(tell())
                while True:
                    request = self.inbox.get()
                    if 'op' not in request:
                        return request
                    self.outbox.put(self.answer(request['op']))
            finally:
                self.caller = outer

    def is_of(self, thread):
        return self.caller == thread


class Executor(Exchange, threading.Thread):
    """Runs the questions of one thread of a test. `asked`: a condition that is told when a question has come, by `let_wake()`."""

    def __init__(self, answer, asked, let_wake):
        threading.Thread.__init__(self, daemon=True)
        Exchange.__init__(self, answer)
        self.asked, self.let_wake = asked, let_wake
        self.start()

    def run(self):
        while True:
            op = self.inbox.get()['op']
            with self.asked:
                self.is_open = True
                self.let_wake()
            reply = self.answer(op)
            with self.calling:
                self.is_open = False
                self.outbox.put(reply)

    def claim(self):
        return self.is_open

    def is_of(self, thread):
        return thread in (self.ident, self.caller)


class Executors:
    """The threads of a test, by their numbers there. `asked`: a condition that is told when a question of the test has come."""

    def __init__(self, answer, asked):
        self.answer, self.asked, self.by_number = answer, asked, {}
        #: Since when threads of the artifact's own wait until the test takes a question.
        self.waiting = []

    def reply(self, number, request):
        """What that thread is told: an answer, a question, or that it has to wait."""
        op = request.get('op', {})
        if op.get('do') == 'listen':
            return self.listen(number)
        if number not in self.by_number:
            self.by_number[number] = Executor(self.answer, self.asked, self.let_wake)
        executor = self.by_number[number]
        patience = 0 if op.pop('crowded', False) else PATIENCE
        if op.get('do') != 'tick':
            executor.inbox.put(request)
        return message_of(executor, patience)

    def listen(self, number):
        """What a thread that only listens is told: a question, or that there is none."""
        if number not in self.by_number:
            self.by_number[number] = Exchange(self.answer)
        listener = self.by_number[number]
        with self.asked:
            listener.is_open = is_wanted = bool(self.waiting)
            self.asked.notify_all()
        try:
            return message_of(listener, CALL_PATIENCE if is_wanted else 0)
        finally:
            listener.is_open = False

    def current(self):
        """The one through which the running thread asks the test something, or None; a thread of the artifact's own takes any that waits."""
        own = self.own()
        return own if own is not None or is_main_thread() else self.waiting_for_answer()

    def own(self):
        """The executor that the running thread is, or in which it asks something already, or None."""
        number = get_thread()
        return next((each for each in list(self.by_number.values()) if each.is_of(number)), None)

    def waiting_for_answer(self):
        """One whose thread of the test takes a question, or None."""
        return next((each for each in list(self.by_number.values()) if each.is_open), None)

    def let_wake(self):
        """Tells that a question has come, and lets those that have waited long ask theirs first: one that is answered at once is over before they
        wake."""
        self.asked.notify_all()
        self.asked.wait_for(lambda: not self.waiting or time.monotonic() - min(self.waiting) < LONG, CALL_PATIENCE)

    def wait(self, begun, is_asked):
        """Waits until the test takes a question: `is_asked()`, or one of its threads does. `begun`: when it has begun to."""
        with self.asked:
            self.waiting.append(begun)
            try:
                self.asked.wait_for(lambda: is_asked() or self.waiting_for_answer() is not None)
            finally:
                self.waiting.remove(begun)
                self.asked.notify_all()

    def has_others(self):
        """True where the artifact has threads of its own."""
        return count_threads() > sum(isinstance(each, Executor) for each in self.by_number.values())


def message_of(executor, patience):
    try:
        return executor.outbox.get(patience > 0, patience)
    except Empty:
        return {'value': {WAITING: True}}
