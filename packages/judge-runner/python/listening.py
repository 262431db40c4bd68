"""Functions of the test that threads of the artifact call while the test asks nothing: a thread beside it looks whether there are such calls.
Standard library only."""
from originals import contextlib, get_thread, threading, time

#: Pauses between two looks, in seconds, and how long the test has asked nothing before the first.
SHORT_PAUSE, LONG_PAUSE, IDLE = 0.001, 0.02, 0.005
#: A pause is at least this many times as long as a look has computed.
BREAK = 4
LISTEN = {'do': 'listen'}


class Listener(threading.Thread):
    """Looks for such calls until the artifact has no threads, or the test is over."""

    def __init__(self, link, number):
        super().__init__(daemon=True)
        self.link, self.number = link, number
        #: True while a function of the test runs in this thread.
        self.is_serving, self.is_over = False, False

    def run(self):
        self.link.threads[get_thread()] = self.number
        pause = SHORT_PAUSE
        while not self.is_over:
            time.sleep(pause)
            begun = time.thread_time()
            pause = SHORT_PAUSE if self.look() else max(min(2 * pause, LONG_PAUSE), BREAK * (time.thread_time() - begun))
        self.link.threads.pop(get_thread(), None)

    def look(self):
        """Serves a call if there is one; True where there was."""
        link = self.link
        with link.lock:
            if self.is_over or not link.is_idle():
                return False
            reply = self.exchange({'ask': self.told()})
            self.is_serving = 'callback' in reply
            if not self.is_serving:
                link.arrived(reply)
                link.take_changes(reply, LISTEN)
                self.is_over = 'threads' not in reply
                return False
            link.revision += 1
        try:
            self.serve(reply)
        finally:
            self.is_serving = False
        return True

    def told(self):
        """The question whether there is a call, with what the test has changed: threads of the artifact see that while the test waits."""
        op = dict(LISTEN)
        # What cannot be told is refused where the test asks something itself.
        with contextlib.suppress(Exception):
            self.link.prepare(op)
        return op

    def serve(self, reply):
        refused = []
        while 'callback' in reply:
            back = self.link.served_to(reply, LISTEN, refused)
            with self.link.lock:
                self.link.prepare_back(back)
                reply = self.exchange({'back': back})
        with self.link.lock:
            self.link.arrived(reply)

    def exchange(self, message):
        return self.link.exchange({name: {**content, 'thread': self.number} for name, content in message.items()})


class Listening:
    """The part of a link that has such a thread while the artifact has threads of its own."""

    def begin_listening(self):
        self.listener, self.thread_count = None, 0
        #: Threads of the test that have asked beside others, as the artifact's box numbers them.
        self.threads = {}
        #: True where the test has last asked within a running loop, which lets the artifact go on itself.
        self.is_in_loop = False

    def end_listening(self):
        if self.listener is not None:
            self.listener.is_over = True
            self.listener = None

    def listen(self):
        """Begins to listen, once for each test."""
        if self.test and (self.listener is None or self.listener.is_over):
            self.listener = Listener(self, self.numbered())
            self.listener.start()

    def numbered(self):
        with self.lock:
            self.thread_count += 1
            return self.thread_count

    def number_of_thread(self):
        number = self.threads.get(get_thread())
        if number is None:
            number = self.threads[get_thread()] = self.numbered()
        return number

    def is_idle(self):
        return not self.is_in_loop and time.monotonic() - self.answered > IDLE

    def has_threads(self):
        """True where more than one thread of the test may ask something."""
        listener = self.listener
        is_listening = listener is not None and listener.is_alive()
        return threading.active_count() > 1 + is_listening or is_listening and listener.is_serving
