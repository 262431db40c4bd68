"""Serves the artifact's objects to a tester in another box: calls, attributes, callbacks. Standard library only.

Everything that leaves is an answer, and the tester decides what it accepts. Descriptions of classes are claims.
"""
import contextvars
import sys

from codec import Unplain
from containers import Owned, Watched
from described import Classes, Table
from executors import MAIN, PATIENCE, WAITING, Executors, Order
from interrupts import Interrupts
from launch import PACKAGES, forget_own
from operations import Operations
from originals import collections, contextlib, get_thread, is_main_thread, os, threading
from own_loop import OwnLoop
from printed import Printed
from received import Receiving
from repeats import is_plain
from surroundings import SUITE, Surroundings
from thread_marks import Mark, ended
from told import Telling


#: Set in every context in which the test asks, and in copies of these: what has the number by which the test knows its own, or None for an empty one.
ASKED_IN = contextvars.ContextVar('asked_in')
#: Stands for the mark of a context in which the test has not asked.
APART = object()
#: What is told of the process beside an answer, and holds beyond the running test.
BESIDE = 'around', 'files'


def untold(error):
    """Answers that something cannot be told, which fails the running test alone."""
    return {'unplain': str(error) if isinstance(error, Unplain) else 'that cannot be told: %s' % str(type(error).__name__)[:100]}


def answers_object(value):
    return isinstance(value, dict) and ('$handle' in value or '$sub' in value)


@contextlib.contextmanager
def asked(number, left):
    token = ASKED_IN.set(Mark(number, left) if number else None)
    try:
        yield
    finally:
        ASKED_IN.reset(token)


class Server:
    """Answers the questions of a tester, one line each."""

    def __init__(self, first, requests, answer, loads):
        self.requests, self.answer, self.loads = requests, answer, loads
        self.printed, self.interrupts = Printed(self.own_error), Interrupts()
        #: Held while containers that both boxes know are looked at.
        self.changing = threading.RLock()
        self.executors, self.order = Executors(self.answer_to, self.changing), Order(self.changing)
        #: Held while it is decided who reads: the main thread, or one beside it.
        self.lock = threading.RLock()
        #: The thread beside the main one that reads, if any; True while the test waits for the answer to a question that the main thread has read.
        self.reader, self.is_awaited = None, False
        #: The question that is being answered, and how many are, one within the other.
        self.asked, self.depth = first['id'], 0
        #: Numbers of contexts of the test of which a question, and all copies that it has made, are gone since the test was told.
        self.left = collections.deque()
        table, owned, callbacks = Table(), Owned(), {}
        self.telling = Telling(table, owned, callbacks)
        self.telling.classes = Classes(first['serve']['modules'], table, self.telling.value)
        owned.noticed.is_told_by_number = self.telling.is_told_by_number
        self.own_loop = OwnLoop(self.call_back, self.executors.has_others)
        self.receiving = Receiving(table, owned, callbacks, self.call_back, self.telling.value, self.own_loop)
        self.telling.loggers = self.receiving.loggers
        self.telling.library_functions = self.receiving.library_functions
        self.telling.errors = self.receiving.errors
        self.watched = Watched(owned, self.telling.value, self.receiving.value)
        self.surroundings = Surroundings(self.receiving.value)
        self.receiving.handlers = self.surroundings.outlets['handlers']
        self.operations = Operations(table, self.telling, self.receiving.value, self.watched, self.own_loop)

    def own_error(self, error):
        """Tells an exception or a warning whose class is the artifact's own, and which holds plain values; None for any other."""
        if not self.telling.classes.is_own(type(error)):
            return None
        told = self.telling.error(error)['raised']
        return told if is_plain([told.get(name) for name in ('args', 'held', 'cause', 'context')]) else None

    # Asking the test

    def call_back(self, request, args, kwargs):
        """Asks the test something, and returns what it answers. Raises RuntimeError in a thread that answers the test, and has nothing to answer."""
        mark = ASKED_IN.get(APART)
        within = {'apart': get_thread()} if mark is APART else {'within': mark.number} if mark else {}
        return self.returned(self.exchange(lambda: self.called_back({**request, **within}, args, kwargs)))

    def exchange(self, tell):
        asking = self.executors.asking()
        if asking is not None:
            return asking.exchange(tell())
        is_main, is_reader = is_main_thread(), self.reader is not None and self.reader.ident == get_thread()
        if not is_main and not is_reader:
            return self.executors.call(tell, self.tell_of_call)
        # The language may run `__del__` in any thread.
        if is_reader or self.depth == 0:
            raise RuntimeError('A callback was called while no test waits for the artifact')
        with self.interrupts.outside():
            self.send_main(tell())
            return self.serve()

    def called_back(self, request, args, kwargs):
        def tell(part):
            return self.telling.argument(part, self.watched.pass_on)
        with self.changing:
            return self.with_changes(dict(request, args=[tell(a) for a in args], kwargs=[[k, tell(v)] for k, v in kwargs.items()]))

    def with_changes(self, told):
        """A message with what the artifact has changed of what both boxes know."""
        self.executors.note_told()
        return self.surroundings.tell(self.receiving.marked.add_to(self.watched.tell_changes(self.executors.with_threads(told))))

    def returned(self, back):
        # What a coroutine of the test has come to is told within a question.
        with self.order.turn(back['came']) if 'came' in back else self.changing:
            self.surroundings.take(back)
            self.watched.take_changes(back)
            self.receiving.marked.take(back)
        self.receiving.weakly_held.let_go(back, self.telling.callbacks)
        if 'throws' in back:
            raise self.receiving.value(back['throws'])
        return self.receiving.value(back['returns'])

    # Answering the test

    def send(self, reply):
        try:
            self.printed.add_to(reply)
        except Unplain as error:
            # What a function of the test is asked still has to be.
            reply = reply if 'callback' in reply else {**{name: each for name, each in reply.items() if name in BESIDE}, **untold(error)}
        if self.telling.numbers.is_used:
            reply['repeats'] = True
        if self.executors.gone:
            reply['gone'] = ended(self.executors.gone)
        if self.left:
            reply['left'] = ended(self.left)
        self.receiving.weakly_held.add_to(reply)
        try:
            self.answer({**reply, 'id': self.asked})
        except (TypeError, ValueError, RecursionError) as error:
            self.answer({**untold(error), 'id': self.asked})

    def prepare(self, op):
        if op.get('around', {}).pop('descriptors', False):
            self.printed.catch()
        self.surroundings.take(op)
        if op.pop('lifetimes', False):
            self.receiving.weakly_held.is_used = True
        if 'released' in op:
            self.watched.release(op.pop('released'))
        self.watched.take_changes(op)
        self.receiving.marked.take(op)
        if op.pop('ended', False):
            self.own_loop.end()
        for number, back in op.pop('settled', ()):
            self.own_loop.settle(number, back, self.returned)

    def perform(self, op, is_in_loop):
        with self.order.turn(op.pop('came')):
            self.prepare(op)
        with asked(op.pop('within', 0), self.left), self.own_loop.entered() if is_in_loop else contextlib.nullcontext(), self.interrupts.inside():
            self.receiving.weakly_held.let_go(op, self.telling.callbacks)
            found = self.surroundings.write_to(op) if op['do'] in ('log', 'print') else self.operations.act(op)
        with self.changing:
            self.executors.note_told()
            reply = self.watched.tell_changes(self.executors.with_threads(found))
            if 'call' in op:
                self.watched.keep(op, reply, answers_object(reply['value']))
            if 'container' in op:
                self.watched.lend(op.pop('container'), reply)
            return self.surroundings.tell(self.receiving.marked.add_to(reply))

    def answer_to(self, op):
        is_in_loop = op.pop('loop', False)
        try:
            reply = self.answer_now(op, is_in_loop)
            if is_in_loop:
                self.own_loop.add_to(reply)
            return reply
        except BaseException as error:
            return untold(error)
        finally:
            # What is asked does not hold what it was asked with.
            op.pop('arrived', None)

    def answer_now(self, op, is_in_loop):
        try:
            return self.perform(op, is_in_loop)
        except Unplain:
            raise
        except BaseException as error:  # SystemExit and KeyboardInterrupt are failures like any other.
            with self.changing:
                self.executors.note_told()
                told = self.operations.add_changed(op, self.executors.with_threads({}))
                told.update(self.telling.error(error))
                self.watched.tell_changes(told)
                if 'keeps' in op:
                    self.watched.keep(op, told, False)
                return self.surroundings.tell(self.receiving.marked.add_to(told))

    def serve(self):
        """Answers questions until a callback of ours returns."""
        while True:
            request = self.next_request()
            if 'op' not in request:
                return request
            self.depth += 1
            reply = self.answer_to(request['op'])
            self.printed.watch()
            self.depth -= 1
            self.send_main(reply)

    def next_request(self):
        """The next question to the main thread, or answer to one of its own."""
        while self.reader is None:
            number, request = self.read()
            if number != MAIN or request.get('op', {}).get('do') == 'listen':
                self.send(self.reply(number, request))
                continue
            with self.lock:
                self.is_awaited = True
                # What it has told before is sent.
                self.executors.by_number[MAIN].has_told = False
                # What is asked may wait for threads whose functions the test runs.
                told = request.get('op', request)
                told.pop('crowded', None)
                if told.pop('beside', False) or self.executors.calls:
                    self.read_beside()
            return request
        return self.executors.by_number[MAIN].inbox.get()

    def read(self):
        line = next(self.requests, None)
        if line is None:
            os._exit(0)
        request = self.loads(line)
        self.asked = request['id']
        told = request.get('op', request)
        for number in told.pop('past', ()):
            self.executors.end(number)
        if told.get('do') != 'tick':
            told['came'] = self.order.come()
        return request.get('thread') or request.get('op', {}).get('thread') or MAIN, request

    def reply(self, number, request):
        op = request.get('op', {})
        op.pop('beside', None)
        try:
            if op.get('do') != 'listen':
                return self.executors.reply(number, request)
            with self.order.turn(op.pop('came')):
                self.prepare(op)
            call = self.executors.next_call()
            if call is not None:
                return call
            with self.changing:
                return self.with_changes({'value': {WAITING: True}})
        except BaseException as error:
            return untold(error)

    def send_main(self, reply):
        """Sends what the main thread answers or asks: to whatever was asked last, as a callback may have come between."""
        with self.lock:
            if self.reader is None:
                self.is_awaited = False
                self.send(reply)
                return
        self.executors.by_number[MAIN].send(reply)

    def tell_of_call(self):
        """Has a thread read beside the main one where that runs something for the test, and does not see that there is a call."""
        with self.lock:
            if self.reader is None and self.is_awaited:
                self.read_beside()

    def read_beside(self):
        self.reader = threading.Thread(target=self.serve_beside, daemon=True)
        self.reader.start()
        # Only now: one that has not begun does not count, and another thread would be taken for it.
        self.executors.own_threads += 1

    def serve_beside(self):
        """Reads from now on, and answers in the place of all threads."""
        self.send(self.executors.message_for(self.executors.by_number[MAIN], PATIENCE))
        while True:
            number, request = self.read()
            self.send(self.reply(number, request))


def serve(first, requests, answer, loads):
    settings = first['serve']
    forget_own(sys.path[0])
    sys.path[0] = settings['folder']
    sys.path[1:1] = settings.get('roots', [])
    sys.path.append(PACKAGES)
    # Where the suite shares files, paths lead from the same folder in both boxes.
    os.makedirs(settings['current'], exist_ok=True)
    os.chdir(SUITE if os.path.isdir(SUITE) else settings['current'])
    server = Server(first, requests, answer, loads)
    server.printed.watch()
    server.send({'serving': True})
    server.serve()
