"""Threads of a test, and of the artifact, which ask one another: each has its own questions, so that they can wait for one another.
Standard library only."""
from _queue import Empty, SimpleQueue

from originals import collections, contextlib, count_threads, get_thread, is_main_thread, threading
from thread_marks import Mark

#: How long the judge waits for an answer before the other threads of the test may ask, in seconds. Where some want to, it does not: what
#: each of them asks for runs beside the rest, as in one process.
PATIENCE = 0.001
WAITING = '$waiting'
#: How long a thread waits for what another is about to do with a message, in seconds. That may need the test itself.
SOON = 0.05
#: The number of the test's main thread, whose questions the main thread answers.
MAIN = 0
#: Most characters of a thread's name.
MAX_NAME = 200


class Exchange:
    """Questions between one thread here and one of the test. `answer(op)` answers one of the test."""

    def __init__(self, answer):
        self.answer, self.inbox, self.outbox = answer, SimpleQueue(), SimpleQueue()
        #: The thread, and whether it is about to send something that says what has changed until then.
        self.thread, self.has_told = get_thread(), False

    def exchange(self, message):
        """Asks the test something, and answers what it asks meanwhile."""
        self.send(message)
        return self.wait()

    def send(self, message):
        self.outbox.put(message)
        self.has_told = False

    def wait(self):
        while True:
            request = self.inbox.get()
            if 'op' not in request:
                return request
            self.send(self.answer(request['op']))


class Executor(Exchange, threading.Thread):
    """Runs the questions of one thread of the test."""

    def __init__(self, answer):
        threading.Thread.__init__(self, daemon=True)
        Exchange.__init__(self, answer)
        self.start()

    def run(self):
        self.thread = get_thread()
        for request in iter(self.inbox.get, None):
            self.send(self.answer(request['op']))


def is_own_thread():
    """True in a thread that the artifact has started."""
    return not is_main_thread() and not isinstance(threading.current_thread(), Executor)


class Call(Exchange):
    """A function of the test that a thread of the artifact's own calls: another thread of the test runs it. `tell()`: what the test is asked."""

    def __init__(self, answer, number, tell):
        super().__init__(answer)
        self.number, self.tell = number, tell
        running = threading.current_thread()
        self.name, self.is_daemon = str(getattr(running, 'name', ''))[:MAX_NAME], getattr(running, 'daemon', False) is True

    def told(self):
        """The question; None where it cannot be told, which the thread has raised as an error."""
        try:
            return {**self.tell(), 'beside': [self.number, self.name, self.is_daemon]}
        except BaseException as error:
            self.inbox.put({'untold': error})
            return None


class Order:
    """The order in which messages have come: what they bring is taken in that order, whichever threads they are for. `lock` is held then."""

    def __init__(self, lock):
        self.changed, self.count, self.open = threading.Condition(lock), 0, set()

    def come(self):
        """The number of a message that has come now."""
        self.count += 1
        self.open.add(self.count)
        return self.count

    @contextlib.contextmanager
    def turn(self, number):
        """Waits until what has come before is taken."""
        with self.changed:
            self.changed.wait_for(lambda: min(list(self.open), default=number) >= number, SOON)
            self.open.difference_update([each for each in list(self.open) if each < number])
            try:
                yield
            finally:
                self.open.discard(number)
                self.changed.notify_all()


class Executors:
    """What threads of the test ask, by their numbers there; those of calls are negative. `changing`: held while it is told what has changed."""

    def __init__(self, answer, changing):
        self.changing = changing
        self.answer, self.by_number, self.by_thread = answer, {MAIN: Exchange(answer)}, {}
        #: Calls that the test has not been told, and whether these come before what else there is to tell.
        self.calls, self.is_turn_of_calls = collections.deque(), False
        #: How many threads have called, the number of the running one, and those that have ended since the test was told.
        self.called, self.local, self.gone = 0, threading.local(), collections.deque()
        self.counting = threading.Lock()
        #: How many threads here are the judge's.
        self.own_threads = 0

    def reply(self, number, request):
        """What that thread is told: a call of another thread, an answer, a question, or that it has to wait."""
        if number not in self.by_number and number > MAIN:
            self.by_number[number] = Executor(self.answer)
            self.own_threads += 1
        exchange, op = self.by_number[number], request.get('op', {})
        patience = 0 if op.pop('crowded', False) or number < MAIN and not op else PATIENCE
        if op.get('do') == 'tick':
            return self.message_for(exchange, patience)
        # By turns, so that a test that asks all the time keeps no thread from its call, and calls keep no test from its answer.
        self.is_turn_of_calls = not self.is_turn_of_calls
        call = self.next_call() if self.is_turn_of_calls else None
        exchange.inbox.put(request)
        return call or self.message_for(exchange, patience)

    def end(self, number):
        """Ends the thread for one of the test that has ended."""
        executor = self.by_number.pop(number, None)
        if executor is not None:
            executor.inbox.put(None)
            executor.join(SOON)
            self.own_threads -= 1

    def message_for(self, exchange, patience):
        """What comes next. What says what has changed is sent in the order in which that was looked at."""
        with contextlib.suppress(Empty):
            return exchange.outbox.get(patience > 0, patience)
        with self.looking():
            with contextlib.suppress(Empty):
                return exchange.outbox.get(exchange.has_told, SOON)
            return self.next_call() or self.with_threads({'value': {WAITING: True}})

    @contextlib.contextmanager
    def looking(self):
        """Keeps others from telling what has changed, unless one that does needs the test for it."""
        is_held = self.changing.acquire(timeout=SOON)
        try:
            yield is_held
        finally:
            if is_held:
                self.changing.release()

    def next_call(self):
        with self.looking() as may_tell:
            while self.calls and may_tell:
                told = self.calls.popleft().told()
                if told is not None:
                    return told
        return None

    def note_told(self):
        """Notes that the running thread has looked at what has changed, and is about to send it."""
        for each in list(self.by_number.values()):
            if each.thread == get_thread():
                each.has_told = True

    def asking(self):
        """The exchange in which the running thread asks the test: that of a thread of the test, or of a call; None for any other thread."""
        number = get_thread()
        if number in self.by_thread:
            return self.by_thread[number]
        return next((each for each in list(self.by_number.values()) if isinstance(each, Executor) and each.ident == number), None)

    def call(self, tell, tell_of_call):
        """Has the test run a function for the running thread, and returns what that has come to. `tell_of_call()`: says that there is a call."""
        number = self.own_number()
        made = self.by_number[-number] = self.by_thread[get_thread()] = Call(self.answer, number, tell)
        try:
            self.calls.append(made)
            tell_of_call()
            back = made.wait()
        finally:
            del self.by_number[-number], self.by_thread[get_thread()]
        if 'untold' in back:
            raise back['untold']
        return back

    def own_number(self):
        """The number by which the test knows the running thread."""
        if not hasattr(self.local, 'mark'):
            with self.counting:
                self.called += 1
                self.local.mark = Mark(self.called, self.gone)
        return self.local.mark.number

    def has_others(self):
        """True where the artifact has threads of its own."""
        return count_threads() > self.own_threads

    def with_threads(self, told):
        """A message that says whether the artifact has threads of its own: before what it has changed, as one that ends may have changed more."""
        if self.has_others():
            told['threads'] = True
        return told
