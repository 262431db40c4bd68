"""Functions of the test that threads of the artifact call: each runs in a thread of its own, as in one process. Where the test asks nothing, a thread
beside it looks whether there are such calls. Standard library only."""
import contextvars

from originals import contextlib, get_thread, threading, time

#: Pauses between two looks, in seconds, and how long the test has asked nothing before the first.
SHORT_PAUSE, LONG_PAUSE, IDLE = 0.001, 0.02, 0.005
#: A pause is at least this many times as long as a look has computed.
BREAK = 4
#: Most calls that are served at the same time.
MAX_SERVED = 32
LISTEN = {'do': 'listen'}


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
            pause = SHORT_PAUSE if self.look() else max(min(2 * pause, LONG_PAUSE), BREAK * (time.thread_time() - begun))

    def look(self):
        """Has a call served if there is one; True where there was."""
        link = self.link
        with link.lock:
            if self.is_over or not link.is_idle():
                return False
            reply = link.exchange({'ask': self.told()})
            if 'beside' in reply:
                link.serve_beside(reply)
                return True
            link.arrived(reply)
            link.take_changes(reply, LISTEN)
            self.is_over = 'threads' not in reply
            return False

    def told(self):
        """The question whether there is a call, with what the test has changed: threads of the artifact see that while the test waits."""
        op = dict(LISTEN)
        # What cannot be told is refused where the test asks something itself.
        with contextlib.suppress(Exception):
            self.link.prepare(op)
        return op


class Server(threading.Thread):
    """Runs a function of the test, and then those of calls that had to wait for a thread."""

    def __init__(self, link, call):
        super().__init__(daemon=True, name=call['beside'][1])
        self.link, self.call = link, call

    def run(self):
        while self.call is not None:
            self.serve()
            self.call = self.link.next_call(self)

    def serve(self):
        number, _ = self.call.pop('beside')
        self.link.threads[get_thread()] = -number
        context = self.link.context if 'apart' not in self.call else contextvars.Context()
        try:
            context.copy().run(self.answer, -number)
        finally:
            del self.link.threads[get_thread()]

    def answer(self, number):
        link = self.link
        back = link.served_to(self.call, LISTEN, [])
        with link.lock:
            link.prepare_back(back)
            reply = link.exchange({'back': {**back, 'thread': number}})
            if 'beside' in reply:
                link.serve_beside(reply)
            else:
                link.arrived(reply)


class Listening:
    """The part of a link that has such threads."""

    def begin_listening(self):
        self.listener, self.thread_count = None, 0
        #: Threads of the test that have asked beside others, and those that serve calls, as the artifact's box numbers them.
        self.threads = {}
        #: Threads that serve calls, and calls for which there is none yet.
        self.servers, self.waiting_calls = set(), []
        #: How many questions wait for their answers; the context in which the last one was asked.
        self.open_questions, self.context = 0, contextvars.Context()

    def end_listening(self):
        if self.listener is not None:
            self.listener.is_over = True
            self.listener = None

    def listen(self):
        """Begins to listen, once for each test."""
        self.context = contextvars.copy_context()
        if self.test and (self.listener is None or self.listener.is_over):
            self.listener = Listener(self)
            self.listener.start()

    def serve_beside(self, call):
        """Has a call served in a thread of its own, as soon as there is one."""
        with self.lock:
            self.waiting_calls.append(call)
            if len(self.servers) < MAX_SERVED:
                server = Server(self, self.waiting_calls.pop(0))
                self.servers.add(server)
                server.start()

    def next_call(self, server):
        with self.lock:
            if self.waiting_calls:
                return self.waiting_calls.pop(0)
            self.servers.discard(server)
            return None

    def number_of_thread(self):
        with self.lock:
            number = self.threads.get(get_thread())
            if number is None:
                self.thread_count += 1
                number = self.threads[get_thread()] = self.thread_count
            return number

    def is_idle(self):
        return self.open_questions == 0 and time.monotonic() - self.answered > IDLE

    def serves_call(self):
        """True in a thread that serves a call."""
        return self.threads.get(get_thread(), 0) < 0

    def has_threads(self):
        """True where several threads of the test's own may ask something."""
        own = [each for each in [self.listener, *self.servers] if each is not None and each.is_alive()]
        return threading.active_count() > 1 + len(own)
