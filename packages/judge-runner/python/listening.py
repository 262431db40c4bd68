"""Functions of the test that threads of the artifact call while the test asks nothing: a thread beside it looks whether there are such calls.
Standard library only."""
from originals import get_thread, threading, time
from refusals import Refused

#: Pauses between two looks, in seconds, and how long the test has asked nothing before the first.
SHORT_PAUSE, LONG_PAUSE, IDLE = 0.001, 0.02, 0.005
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
        try:
            while not self.is_over:
                time.sleep(pause)
                pause = SHORT_PAUSE if self.has_served() else min(2 * pause, LONG_PAUSE)
        finally:
            # A thread of the test may get the same identifier.
            self.link.threads.pop(get_thread(), None)

    def has_served(self):
        """Looks once. What is refused meanwhile is noted, and fails the test."""
        try:
            return self.look()
        except Refused:
            return False

    def look(self):
        """Serves a call if there is one; True where there was."""
        link = self.link
        with link.lock:
            if self.is_over or not link.is_idle():
                return False
            op = dict(LISTEN)
            # What it brings takes the place of what the test has.
            link.prepare(op)
            reply = self.exchange({'ask': op})
            self.is_serving = 'callback' in reply
            if not self.is_serving:
                link.arrived(reply)
                if 'unplain' in reply:
                    link.refuse('gave an answer ' + str(reply['unplain'])[:200])
                link.take_changes(reply, LISTEN)
                # The end of the test may have come between.
                if 'threads' not in reply:
                    self.is_over = True
                return False
            link.revision += 1
        try:
            self.serve(reply)
        finally:
            self.is_serving = False
        return True

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
        #: The loop in which the test has asked last, which lets the artifact go on itself while it runs.
        self.asked_in = None
        #: True where the artifact had threads of its own when it was last heard of.
        self.is_threaded = False

    def end_listening(self):
        if self.listener is not None:
            # Not while it looks: it tells and takes what the test has.
            with self.lock:
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
        is_in_loop = self.asked_in is not None and self.asked_in.is_running()
        return not is_in_loop and time.monotonic() - self.answered > IDLE

    def has_threads(self):
        """True where more than one thread of the test may ask something."""
        listener = self.listener
        is_listening = listener is not None and listener.is_alive()
        return threading.active_count() > 1 + is_listening or is_listening and listener.is_serving
