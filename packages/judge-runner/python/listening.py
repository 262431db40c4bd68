"""Functions of the test that threads of the artifact call: each of these has a thread of its own here, as in one process. Where the test asks nothing,
a thread beside it looks whether there are such calls. Standard library only."""
import contextvars
from _queue import SimpleQueue

from originals import collections, contextlib, get_thread, threading, time
from refusals import Refused
from thread_marks import Mark, ended

#: Pauses of a thread that waits for an answer, in seconds.
SHORT_PAUSE, LONG_PAUSE = 0.001, 0.02
#: The pause between two looks, and how long the test has asked nothing before the first, in seconds.
LOOK_PAUSE, IDLE = 0.004, 0.002
#: The pause of a call that is answered, in seconds.
YIELD = 0.0002
#: A pause is at least this many times as long as a look has computed.
BREAK = 4
#: Most threads that serve calls.
MAX_SERVERS = 32
#: Most contexts of the test that are kept.
MAX_CONTEXTS = 10_000
LISTEN = {'do': 'listen'}
#: The number of the test's main thread, as the artifact's box knows it: what it asks is done in the main thread there.
MAIN = 0


class Listener(threading.Thread):
    """Looks for calls until the artifact has no threads, or the test is over."""

    def __init__(self, link):
        super().__init__(daemon=True)
        self.link, self.is_over = link, False

    def run(self):
        pause = SHORT_PAUSE
        while not self.is_over:
            time.sleep(pause)
            begun = time.thread_time()
            pause = SHORT_PAUSE if self.has_found() else max(LOOK_PAUSE, BREAK * (time.thread_time() - begun))

    def has_found(self):
        """Looks once. What is refused meanwhile is noted, and fails the test."""
        try:
            return self.look()
        except Refused:
            return False

    def look(self):
        """Takes what there is, and has a call served if there is one; True where there was."""
        link = self.link
        with link.lock:
            if self.is_over or not link.is_idle():
                return False
            with link.asking_apart():
                reply = link.exchanged_beside(lambda: link.question(dict(LISTEN)))
                if 'unplain' in reply:
                    link.refuse('gave an answer ' + str(reply['unplain'])[:200])
            # The end of the test may have come between.
            if 'beside' not in reply and 'threads' not in reply:
                self.is_over = True
            return 'beside' in reply


class Server(threading.Thread):
    """Runs the functions of the test that one thread of the artifact calls."""

    def __init__(self, link, number):
        super().__init__(daemon=True)
        self.link, self.number, self.calls = link, number, SimpleQueue()
        #: True from the time at which a call has come until it is answered.
        self.is_busy = False

    def run(self):
        for call in iter(self.calls.get, None):
            # What it is does not change how it ends, as the process of the tests ends at once.
            _, self.name, self._daemonic = call['beside']
            self.link.context_of(call).copy().run(self.serve, call)

    def take(self, call):
        """Takes what a call brings, before anything else comes."""
        link, call['refused'] = self.link, []
        with link.lock, link.asking_as(-self.number):
            try:
                link.take(call, LISTEN, call['refused'])
            finally:
                call['is_taken'] = True
                link.free.notify_all()

    def serve(self, call):
        link = self.link
        if not call['is_taken']:
            self.take(call)
        with link.asking_as(-self.number):
            back = link.served_to(call, call['refused'])
        # A thread that waits for the lock would not get it from one that calls all the time.
        time.sleep(YIELD)
        with link.lock, link.asking_as(-self.number):
            told = link.back(back, -self.number)
            self.is_busy = False
            # From now on the thread that has called asks nothing.
            with link.asking_apart():
                link.exchanged_beside(lambda: told)
                link.serve_next()


class Listening:
    """The part of a link that has such threads."""

    def begin_listening(self):
        self.listener, self.thread_count = None, 0
        #: The number by which the artifact's box knows the running thread of the test; numbers of such threads that have ended since it was told; the
        #: same of threads that ask something under another number now; and numbers that no thread has any more.
        self.local, self.past, self.acting, self.spare = threading.local(), collections.deque(), {}, []
        #: Threads that serve calls, by the numbers of those that call, and calls for which there is none yet.
        self.servers, self.unserved = {}, []
        #: All threads of the judge's own that may still run.
        self.own_threads = set()
        #: How many questions wait for their answers.
        self.open_questions = 0
        #: Contexts of the test in which it has asked, by number, as `[context, what it holds, uses of it in the artifact's box]`; their numbers by
        #: what they hold, and the number of the last one.
        self.asked_in, self.context_numbers, self.context_count = {}, {}, 0
        #: True where the artifact had threads of its own when it was last heard of, and at any time in the running test.
        self.is_threaded = self.had_threads = False

    def end_listening(self):
        if self.listener is not None:
            # Not while it looks: it tells and takes what the test has.
            with self.lock:
                self.listener.is_over = True
            self.listener = None

    def listen(self):
        """Begins to listen, once for each test."""
        if self.test and (self.listener is None or self.listener.is_over):
            self.listener = self.begun(Listener(self))

    def begun(self, thread):
        with self.lock:
            self.own_threads = {each for each in self.own_threads if each.is_alive()} | {thread}
            thread.start()
            return thread

    def serve_beside(self, call):
        """Has a call served in a thread of its own, as soon as there may be one. What the call brings is taken by then."""
        with self.lock:
            self.revision += 1
            number, call['is_taken'] = call['beside'][0], False
            server = self.servers.get(number) or self.new_server(number)
            if server is None:
                self.unserved.append(call)
                return
            server.is_busy = True
            server.calls.put(call)
            if server.ident == get_thread():
                server.take(call)
            else:
                self.free.wait_for(lambda: call['is_taken'])

    def serve_next(self):
        """Has a call served for which there was no thread."""
        if self.unserved:
            self.serve_beside(self.unserved.pop(0))

    def new_server(self, number):
        if len(self.servers) >= MAX_SERVERS:
            idle = next((each for each in self.servers.values() if not each.is_busy), None)
            if idle is None:
                return None
            self.end_server(idle.number)
        server = Server(self, number)
        with contextlib.suppress(RuntimeError):
            # The test may have as many threads as there can be.
            self.servers[number] = self.begun(server)
        return self.servers.get(number)

    def end_server(self, number):
        """Ends the thread for one of the artifact's that has ended."""
        server = self.servers.pop(number, None)
        if server is not None:
            server.calls.put(None)

    def exchanged_beside(self, tell):
        """The answer to what the test has not asked. A warning that is to be an error fails the test: in one process it ends the thread."""
        refused = []
        reply = self.exchanged(tell, LISTEN, refused)
        for error in refused:
            if isinstance(error, Warning):
                self.refuse('warned in a thread, where warnings are errors: %s' % str(error)[:200])
        return reply

    def serves_any(self):
        return any(each.is_busy for each in self.servers.values())

    def number_of_thread(self):
        with self.lock:
            thread = get_thread()
            if thread in self.acting:
                return self.acting[thread]
            # The language gives a thread the identifier of another that has ended.
            if not hasattr(self.local, 'mark'):
                self.local.mark = Mark(MAIN if thread == threading.main_thread().ident else self.new_number(), self.past)
            return self.local.mark.number

    def tell_past(self, op):
        """Tells the artifact's box which threads of the test have ended."""
        if self.past:
            op['past'] = ended(self.past)

    def new_number(self):
        self.thread_count += 1
        return self.thread_count

    @contextlib.contextmanager
    def asking_as(self, number):
        """Has the running thread ask under another number: that of a call that it serves, below zero, or one under which nothing else is asked."""
        thread = get_thread()
        outer, self.acting[thread] = self.acting.get(thread), number
        try:
            yield
        finally:
            # A thread of the test may get the same identifier.
            del self.acting[thread]
            if outer is not None:
                self.acting[thread] = outer

    @contextlib.contextmanager
    def asking_apart(self):
        """Lets the running thread ask something while its question is open, or the one that it has served is closed."""
        number = self.spare.pop() if self.spare else self.new_number()
        try:
            with self.asking_as(number):
                yield
        finally:
            self.spare.append(number)

    def is_idle(self):
        return self.open_questions == 0 and time.monotonic() - self.answered > IDLE

    def is_taking(self):
        """True in a thread that takes what a message has brought."""
        return getattr(self.local, 'is_taking', False)

    @contextlib.contextmanager
    def meanwhile(self):
        """Lets others ask and look while the running thread, whose question is open, runs a function of the test."""
        with self.lock:
            self.open_questions -= 1
            self.answered = time.monotonic()
        held = self.lock._release_save() if self.lock._is_owned() else None
        try:
            yield
        finally:
            if held is not None:
                self.lock._acquire_restore(held)
            with self.lock:
                self.open_questions += 1

    def note_context(self):
        """The number of the context in which the test asks, for threads of the artifact that run in a copy of it; 0 for an empty one."""
        context = contextvars.copy_context()
        if not context:
            return 0
        held = frozenset((variable, id(value)) for variable, value in context.items())
        if held not in self.context_numbers:
            self.context_count += 1
            self.asked_in[self.context_count], self.context_numbers[held] = [context, held, 0], self.context_count
            if len(self.asked_in) > MAX_CONTEXTS:
                self.forget_context(next(iter(self.asked_in)))
        number = self.context_numbers[held]
        self.asked_in[number][2] += 1
        return number

    def leave_context(self, number):
        """Counts one use fewer of a context in the artifact's box, and forgets it after the last: a test may look whether anything holds what is in it."""
        known = self.asked_in.get(number)
        if known is not None:
            known[2] -= 1
            if known[2] <= 0:
                self.forget_context(number)

    def forget_context(self, number):
        del self.context_numbers[self.asked_in.pop(number)[1]]

    def context_of(self, call):
        """The context of the test in which a call is made."""
        known = self.asked_in.get(call.get('within'))
        return contextvars.Context() if known is None else known[0]

    def serves_call(self):
        """True in a thread that serves a call."""
        return self.acting.get(get_thread(), 0) < 0

    def asks_beside(self):
        """True in a thread that asks under another number, and in each where several of the test may ask something."""
        return get_thread() in self.acting or not self.is_serving() and self.has_threads()

    def has_threads(self):
        """True where several threads of the test's own may ask something."""
        with self.lock:
            return threading.active_count() > 1 + sum(each.is_alive() for each in self.own_threads)
