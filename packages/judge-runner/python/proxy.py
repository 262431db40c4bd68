"""The connection of a tester to the artifact in another box: what it asks, and what it believes. Standard library only.

An answer is a plain value; an object is accepted only where `stand_in.py` says.
"""
import enum
import io
import sys
import types
import weakref
from functools import partial

from acting import forget
from agreement import Agreeing
from answer_places import AnswerPlaces
from borrowing import Borrowing
from codec import seal
from comparing_members import number_of as number_of_member
from crossing_errors import CrossingErrors
from denied import Denying
from expecting import Expecting
from expressions import Expressing
from extending import Extending
from function_marks import PutMarks
from generated_code import texts_of
from incoming import Incoming
from inert import Inert
from interrupts import Interrupts
from lasting import Same
from lifetimes import Lifetimes
from listening import LISTEN, LONG_PAUSE, MAIN, SHORT_PAUSE, Listening
from method_names import MAKES_OBJECTS
from mocks import RECORDS
from modules import RemoteModule
from originals import contextlib, get_thread, is_folder, logger_named, os, threading, time
from outgoing import Outgoing
from outlets import StreamsElsewhere, attributes_made, hand_on, handlers_of_tester, own_stream, record_as_told
from own_operators import TupleOperators
from patching import Patching, bound_as
from refusals import ProtocolError, Refused, RemoteError, with_reference
from repeats import Joined
from replaced import held_by, owner_of
from remote import RemoteClass, builtin_exception
from shared import CHANGING, Shared
from stand_in import StandIn, id_of, is_made, number_of
from standard import know_all
from surroundings import MADE_BY_PYTEST, MENTIONS, TEMPORARY, Elsewhere, Growing, Process
from turns import Turns, running_loop

#: Most functions of the test that raise an error within one question because something was refused.
MAX_REFUSED = 200
#: Questions whose answers change nothing.
READING = {'module', 'get', 'member', 'describe', 'dir', 'names', 'fields', 'plain', 'read', 'bool', 'str', 'repr', 'hash', 'plain hash', 'copy', 'deepcopy', 'pickle', 'parts',
           'content', 'compare', 'compared', 'ranked', 'check', 'express', 'held', 'state', 'origin', 'pin', 'listen'}
#: Seconds after which a test has waited for something between two questions.
PAUSE = 0.002


class Link(Incoming, Outgoing, Borrowing, CrossingErrors, Denying, Expecting, Expressing, Extending, Agreeing, TupleOperators, AnswerPlaces, Same, Joined, Lifetimes, Listening, Patching, Turns):
    """The connection to the artifact.

    `settings`: `suite` folder, `modules` that the suite names, `classes` that its syntax shows, `objects` that it names,
    `remote_eq`, `shapes` of the reference or None, `learn`.
    """

    def __init__(self, exchange, end_run, settings):
        self.exchange, self.end_run, self.settings = lambda message: self.take_lifetimes(self.joined(exchange(message))), end_run, settings
        self.begin_joining()
        self.lock = threading.RLock()
        #: Lets other threads have the lock, however often a thread holds it.
        self.free = threading.Condition(self.lock)
        #: Handlers of signals of the test.
        self.interrupts = Interrupts(is_inside=True)
        #: Threads of the test that ask something now.
        self.asking = set()
        self.begin_listening()
        self.objects, self.classes, self.members = {}, {}, {}
        self.begin_giving()
        self.begin_lifetimes()
        self.begin_errors()
        #: Classes by number: that the suite trusts, whose objects may act, and that its files know by name.
        self.trusted, self.vouched, self.known, self.resolved = set(), set(), set(), False
        #: True while these are found, which no line of a test asks for.
        self.is_resolving = False
        #: Those of which only a decorator of the artifact says that they are classes of the test.
        self.decorated = set()
        self.shapes = None if settings.get('shapes') is None else frozenset(settings['shapes'])
        self.learning, self.learnt = bool(settings.get('learn')), set()
        #: True where operators of own classes are held against what the objects hold: no reference has used one.
        self.asks_what_is_held = not self.learning and not any(each.endswith((':comparison', ':hash')) for each in self.shapes or ())
        self.begin_places()
        self.begin_denying()
        self.begin_expecting()
        self.begin_expressing()
        self.begin_extending()
        self.begin_agreeing()
        self.begin_tuples()
        self.begin_turns()
        self.begin_same()
        self.begin_patching()
        self.refusal, self.test, self.guard = None, '', None
        #: Classes with methods of their own of which the running test was given objects as values, by name.
        self.flattened = {}
        #: Classes of which a call has changed and answered an earlier object, by name.
        self.doubled = {}
        #: An assertion of the running test that failed within the artifact, and has not come out of it yet.
        self.assertion = None
        #: The thread in which pytest explains an assertion that has failed; what was refused there last.
        self.explaining_in, self.unexplained = None, None
        #: True while something is asked of which errors are of no consequence.
        self.is_looking = False
        self.suite = settings['suite'] + '/'
        #: Names by which the suite imports each class, by number.
        self.class_names = {}
        #: Lines of the suite that call something which only an object has, with its name.
        self.called = {tuple(each) for each in settings.get('called', ())}
        mentioned = self.mentioned()
        #: True where the test looks at files of a current folder that both boxes have.
        self.shares_folder = 'files' in mentioned and settings['folder'].startswith(TEMPORARY + '/')
        mentioned -= {'files', 'left'} if self.shares_folder else {'files'}
        self.left, self.changed_there, self.marks = Growing(), Growing(), PutMarks(texts_of(self.suite), self.suite)
        outlets = {'handlers': handlers_of_tester(self.log), 'streams': StreamsElsewhere(self.print), 'left': self.left, 'changed': self.changed_there}
        #: True while a record of the artifact is shown to the test.
        self.is_repeating = False
        #: What the artifact takes from the running test and no reference has taken, or None.
        self.unread = None
        #: True until the artifact's box has been told to keep what is written to descriptors.
        self.catches = 'descriptors' in mentioned
        mentioned -= {'descriptors'}
        #: Paths of the library that the suite reads, until the artifact's box has been told them.
        self.reads = settings.get('reads', ())
        mentioned |= {'changed'} if self.reads else set()
        self.process = Process({'env', 'arguments', 'folder'} | mentioned - {'tempfile'}, settings['folder'], outlets, mentioned)
        #: What the artifact is to look at, until it has been told.
        self.is_watching = False
        self.watch, self.uses_tempfile = sorted(mentioned - {'tempfile'}), 'tempfile' in mentioned
        self.shared = Shared(TEMPORARY)
        self.targets = {}
        # What the artifact prints is written to what is there in the test's box, and errors that end its threads are raised there.
        for path in set(settings.get('targets', ())) - {'sys.stdout', 'sys.stderr', 'threading.excepthook'}:
            with contextlib.suppress(ImportError, AttributeError, ValueError):
                owner, name = owner_of(path)
                if isinstance(owner, (type, types.ModuleType)) and hasattr(owner, name):
                    self.targets[path] = (owner, name, held_by(owner, name))
        self.replaced = {}
        self.calls = 0
        self.begin_borrowing()
        #: Grows whenever what the artifact's objects hold may have changed, by a call or in a pause; and the time of the last answer.
        self.revision, self.answered = 0, 0.0
        #: Keys of the calls of the running test.
        self.call_keys = {}
        #: Coroutines of the artifact by their numbers there.
        self.coroutines = weakref.WeakKeyDictionary()

    # What is accepted

    @staticmethod
    def is_class_name(name):
        return looks_like_class(name)

    def is_naming(self):
        """True while pytest names a test after its parameters."""
        frame = None if self.test else sys._getframe(1)
        while frame is not None and not frame.f_code.co_name.startswith('_idval'):
            frame = frame.f_back
        return frame is not None

    def protocol_error(self, reason):
        self.end_run('protocolError', reason)
        return ProtocolError(reason)

    def refuse(self, reason):
        """Fails the running test for good, whatever it catches."""
        if self.shapes is not None:
            reason = with_reference(reason)
        if self.explaining_in == get_thread():
            self.unexplained = reason
        elif self.refusal is None:
            self.refusal = reason
        return Refused(reason)

    @contextlib.contextmanager
    def explaining(self):
        """Has what is refused meanwhile be a hint alone: an assertion has failed, and pytest looks for the reason."""
        outer, self.explaining_in = self.explaining_in, get_thread()
        try:
            yield
        finally:
            self.explaining_in = outer

    def site(self, op):
        """The place in the suite's files at which something is asked."""
        frame = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if code.co_filename.startswith(self.suite):
                return '%s:%d:%d:%s' % (code.co_filename[len(self.suite):], code.co_firstlineno, frame.f_lasti, op)
            frame = frame.f_back
        return 'turn:%s:%s' % (self.test, op) if self.is_turning else None

    def is_alone(self):
        """True without a reference: only the suite's syntax shows what may be answered."""
        return self.shapes is None and not self.learning

    def makes_objects(self, name):
        """True for a function whose name, or whose use in the suite, says that it makes objects."""
        return MAKES_OBJECTS.match(name) is not None or name in self.settings.get('makers', ())

    def trust_in(self, name):
        """What the name of a function says of its answers."""
        return self.is_class_name(name), self.makes_objects(name), name in self.settings.get('objects', ())

    def is_called(self, name):
        """True where the suite's own syntax calls something under this name that only objects have: `bus.hooks.started()`. With a
        reference, where that answered an object."""
        if not self.is_alone():
            return self.allows_in_test('part', False)
        frame = sys._getframe(1)
        while frame is not None and not frame.f_code.co_filename.startswith(self.suite):
            frame = frame.f_back
        place = (frame.f_code.co_filename[len(self.suite):], frame.f_lineno) if frame is not None else ()
        return (*place, name) in self.called

    def allows(self, op, default):
        """True where the reference did this at the same place; without a reference, `default`."""
        if self.is_alone():
            return default
        place = self.site(op)
        if self.learning:
            self.learnt.add(place)
            return True
        return place in self.shapes

    def end_test(self, is_passed):
        """Why the running test fails, whatever it came to: an answer was refused, or an assertion failed and was hidden."""
        self.end_listening()
        self.tell_last()
        self.check_mocks()
        if is_passed and self.refusal is None:
            try:
                self.confirm_all()
                self.confirm_denied()
            except Refused:
                pass  # It is noted.
        if is_passed and self.left.found():
            self.refuse('left files in its current folder, which the test may look at in its own box: %s' % ', '.join(self.left.found())[:100])
        if is_passed and self.changed_there.found():
            self.refuse('changed %s in its own process, which the test reads in another' % ', '.join(self.changed_there.found())[:100])
        if self.refusal is None and self.assertion is not None:
            shape = 'hidden assertion@%s' % self.test
            if self.learning:
                self.learnt.add(shape)
            elif shape not in (self.shapes or ()):
                return 'an assertion failed within the artifact, which hid it: ' + self.assertion
        return self.refusal

    def tell_last(self):
        """Tells what the test has changed after its last question: objects of the artifact that tests share hold it from now on."""
        with self.lock, contextlib.suppress(Refused):
            told, refusal = {}, self.refusal
            self.prepare_containers(told)
            # What cannot be told is asked for by no question of this test.
            self.refusal = refusal
            if told:
                with self.asking_apart():
                    self.exchanged_beside(lambda: self.question({**LISTEN, **told}))

    def note_file(self, path):
        """Notes a file or folder of the suite whose path a test gives the reference: others find it there as well."""
        if self.learning:
            self.learnt.add('file ' + path)

    def is_led_to(self, code):
        """True for a text that a test of the reference runs as well, by its hash."""
        if self.learning:
            self.learnt.add(code)
            return True
        return code in (self.shapes or ())

    def shapes_found(self):
        """What the reference has shown: places, the objects in its answers, and how it makes objects."""
        return sorted(each for each in self.learnt if each is not None) + self.put_found() + [self.answers_found()] + self.makings_found()

    def trusts(self, part):
        """True for an object that the test made of a class that the suite's author names."""
        made = is_made(part) if isinstance(part, tuple) else object.__getattribute__(part, '_judge_made')
        return made and self.is_trusted(type(part)) or bool(self.settings.get('remote_eq'))

    def is_trusted(self, kind):
        """True for a class that the suite's author names in `objects`, and for those that are derived from it."""
        kind = self.classes.get(kind._judge_id, kind)
        return any(vars(base).get('_judge_id') in self.trusted for base in kind.__mro__)

    def trusts_operators(self, part):
        """True with a reference for objects whose operators the suite's author believes in any style: `objects` names their class, or `remoteEq` says so."""
        if self.is_alone():
            return False
        self.resolve()
        return self.is_trusted(type(part)) or bool(self.settings.get('remote_eq'))

    def resolve(self):
        """Finds the classes that the suite names or shows, by the name under which its tests know them."""
        if self.resolved:
            return
        self.resolved = self.is_resolving = True
        wanted = [(module, name, False) for module, name in self.settings.get('classes', ())]
        wanted += [(module, name, True) for module in self.settings['modules'] for name in self.settings.get('objects', ())]
        try:
            for module, name, trusted in wanted:
                owner = sys.modules.get(module)
                if not isinstance(owner, RemoteModule):
                    continue
                found = self.looked(lambda: getattr(owner, name))
                if found is not None:
                    self.named(name, found, trusted, True)
        finally:
            self.is_resolving = False

    def looked(self, ask):
        """What something is, or None where that raises an error."""
        outer, self.is_looking = self.is_looking, True
        try:
            return ask()
        except (Exception, SystemExit):
            return None
        finally:
            self.is_looking = outer

    def makes_by(self, kind, name):
        """True for a method of a class by which the suite makes objects that it changes."""
        names = [named for each in kind.__mro__ for named in self.class_names.get(vars(each).get('_judge_id'), ())]
        return any('%s.%s' % (named, name) in self.settings.get('makers', ()) for named in names)

    def named(self, name, found, trusted=False, shown=False):
        """Remembers a class that a test knows by name; `shown`: by more than that it imports it."""
        if not isinstance(found, type) or '_judge_id' not in vars(found):
            return
        self.known.add(found._judge_id)
        self.class_names.setdefault(found._judge_id, set()).add(name)
        if trusted or name in self.settings.get('objects', ()):
            self.trusted.add(found._judge_id)
            self.vouched.add(found._judge_id)
        elif shown or looks_like_class(name):
            self.vouched.add(found._judge_id)

    def is_decorated(self, part):
        """True for a class that a decorator may have been given: one of the test, or what another decorator has made of it."""
        return isinstance(part, type) and (isinstance(part, RemoteClass) or self.is_of_suite(part))

    def is_vouched(self, kind):
        self.resolve()
        if self.is_trusted(kind):
            return True
        ids = [base._judge_id for base in kind.__mro__ if '_judge_id' in vars(base)]
        return self.shapes is None and any(number in self.vouched for number in ids)

    def may_contain(self, part):
        """True where the artifact may say what one of its objects contains: it is told what the test expects.

        An object of a function that only by its name makes objects is iterated instead, and so is one that the test has not made of a class
        that stands for one of its own.
        """
        if self.learning or self.shapes is not None:
            return True
        if object.__getattribute__(part, '_judge_made'):
            return True
        return self.is_vouched(type(part)) and type(part)._judge_id not in self.decorated

    def is_named_as_class(self, kind):
        """True for a class that the suite knows by a name that is written as names of classes are, and not as a constant."""
        named = [each for base in kind.__mro__ for each in self.class_names.get(vars(base).get('_judge_id'), ())]
        return any(looks_like_class(each) or not each.isupper() for each in named) or '_judge_body' in vars(kind)

    def knows(self, kind):
        """True for a class that the suite's files reach by names, unless a call of this test has answered it, and where the reference answered one at
        the same place."""
        self.resolve()
        is_answered = vars(kind).get('_judge_id') in self.answered_names
        if not is_answered and any(vars(base).get('_judge_id') in self.known for base in kind.__mro__):
            return True
        return self.allows_in_test('part', False)

    # Asking

    def ask(self, op):
        if op['do'] not in READING and self.is_making is None and not self.is_making_plainly:
            self.changes += 1
        if op['do'] not in READING and not self.is_trying or self.has_paused():
            self.revision += 1
        loop = running_loop()
        if loop is not None:
            self.tell_loop(op, loop)
        with self.interrupts.outside():
            reply = self.reply_to(op)
        if 'threads' in reply:
            self.listen()
        if 'turns' in reply:
            self.take_turns(reply['turns'], loop)
        if 'unplain' in reply:
            raise self.refuse('gave an answer ' + str(reply['unplain'])[:200])
        if 'raised' in reply:
            raised = {'do': 'raised', 'of': op.get('of'), 'args': op.get('args', ()), 'kwargs': op.get('kwargs', ())}
            error = self.receive_answer(raised, {'$error': reply['raised']}, lambda: self.error(reply['raised']))
            # One that is only answered, or another one, has not come out of the artifact; nor has one that no line of the suite will see.
            is_same = isinstance(error, AssertionError) and self.assertion is not None and str(error) == self.assertion[:2000]
            if is_same and op['do'] != 'turn' and not self.is_looking:
                self.assertion = None
            raise error
        if 'value' not in reply:
            raise self.protocol_error('an answer without a value')
        return reply

    def has_paused(self):
        """True where the test may have waited for a thread of the artifact since the last answer."""
        return time.monotonic() - self.answered > PAUSE

    def is_unchanged(self, revision):
        """True where nothing can have changed what the artifact's objects hold: no call, no container that both know, no pause."""
        return revision == self.revision and not self.borrowed and not self.lent_told and not self.has_paused() and \
            not self.noticed.has_changed()

    def reply_to(self, op):
        with self.lock:
            self.open_questions += 1
            number = self.note_context()
            if number:
                op['within'] = number
        try:
            # Threads of a test may wait for one another: none keeps the others from asking.
            return self.ask_beside(op) if self.asks_beside() else self.ask_alone(op)
        finally:
            with self.lock:
                self.open_questions -= 1
                self.answered = time.monotonic()

    def ask_alone(self, op):
        with self.lock:
            return self.answer_to(lambda: self.question(op, self.serves_any()), op, MAIN)

    def ask_beside(self, op):
        thread = self.number_of_thread()
        self.asking.add(thread)
        try:
            with self.asking_as(thread):
                return self.answer_to(lambda: {'ask': {**self.question(op, thread == MAIN)['ask'], 'thread': thread, 'crowded': len(self.asking) > 1}}, op, thread)
        finally:
            self.asking.discard(thread)

    def question(self, op, is_beside=False):
        """A question with what the test has changed; `is_beside`: its answer may wait for threads whose functions the test runs."""
        self.prepare(op)
        self.tell_past(op)
        if is_beside:
            op['beside'] = True
        return {'ask': op}

    def answer_to(self, tell, op, thread):
        """The answer to what `tell()` says a thread asks, for which others may have to be served first. A thread that holds the lock lets others
        have it meanwhile."""
        pause, refused = SHORT_PAUSE, []
        while True:
            reply = self.exchanged(tell, op, refused)
            tell = partial(tick, thread)
            if 'beside' in reply:
                continue
            if 'callback' in reply:
                tell = partial(self.back, self.served_among(reply, refused), thread)
            elif is_waiting(reply):
                self.pause(pause)
                pause = min(2 * pause, LONG_PAUSE)
            elif refused:
                raise refused[0]
            else:
                return reply

    def back(self, back, thread):
        self.prepare_back(back)
        return {'back': {**back, 'thread': thread, **({'beside': True} if thread == MAIN and self.serves_any() else {})}}

    def exchanged(self, tell, op, refused):
        """The answer to what `tell()` says. No other thread tells or takes anything between that and what the answer brings."""
        with self.lock:
            reply = self.exchange(tell())
            outer, self.local.is_taking = self.is_taking(), True
            try:
                if 'beside' in reply:
                    self.serve_beside(reply)
                elif is_waiting(reply):
                    with self.asking_apart():
                        self.take(reply, op, refused)
                else:
                    self.take(reply, op, refused)
            finally:
                self.local.is_taking = outer
            return reply

    def take(self, reply, op, refused):
        """Takes what a message brings; `refused`: where it is noted what was refused, once for each function of the test that raises an error for it."""
        was_refused = bool(refused)
        try:
            self.arrived(reply)
            is_answer = 'callback' not in reply
            if is_waiting(reply) and op['do'] != 'listen' or was_refused and not is_answer:
                return
            self.take_changes(reply, op)
            if is_answer and 'call' in op and not was_refused:
                self.take_call(reply, op)
        except (Refused, Warning) as error:
            # A warning may be an error: the artifact has to come to an end before the test does.
            refused.append(error)

    def pause(self, seconds):
        if self.is_serving():
            self.free.wait(seconds)
        else:
            time.sleep(seconds)

    def served_to(self, reply, refused):
        """What a function of the test answers the artifact. Once something was refused, all raise an error, so that the artifact leaves what it
        does, and holds no lock."""
        if len(refused) > MAX_REFUSED:
            raise refused[0]
        try:
            if not refused:
                return self.serve(reply)
            refused.append(refused[0])
        except Refused as error:
            refused.append(error)
        # A warning that is an error is raised as one in the thread that has warned.
        return {'throws': self.leave(refused[0] if isinstance(refused[0], Warning) else RuntimeError('the test has failed'))}

    def served_among(self, reply, refused):
        """The same where threads of the artifact may call meanwhile: the function may wait for what these do."""
        if 'threads' not in reply or self.is_taking():
            return self.served_to(reply, refused)
        self.listen()
        with self.meanwhile():
            return self.served_to(reply, refused)

    def is_serving(self):
        """True within a function of the test that the artifact called while the test had one thread."""
        return self.lock._is_owned()

    def arrived(self, reply):
        self.is_threaded = 'threads' in reply
        self.had_threads = self.had_threads or self.is_threaded
        for number in reply.get('gone', ()):
            self.end_server(number)
        for number in reply.get('left', ()):
            self.leave_context(number)
        self.echo(reply)
        try:
            for path in reply.get('around', {}).get('opened', ()):
                self.note_file(path)
            untold = self.shared.arrive(reply.get('files', ()))
            self.process.arrive(reply.get('around', {}))
            for number, name, *told in reply.get('properties', ()):
                if number not in self.over and number not in self.ended:
                    part = self.given[-number]
                    if not self.marks.arrive(number, part, name, lambda told: self.arrive_mark(part, name, told), *told):
                        raise self.refuse('changes .%s of a function of the test, which functions of the suite set as well' % name)
        except Elsewhere as error:
            raise self.refuse('goes to a folder that the test does not have: %s' % error) from None
        except (KeyError, TypeError, ValueError, OverflowError, OSError):
            raise self.protocol_error('a state of the process that is none') from None
        if untold is not None:
            raise self.refuse('made what cannot be shared among temporary files, a link or a large file: %s' % os.path.basename(untold))

    def arrive_mark(self, part, name, told):
        """What the artifact has put on a function of the test: an object is believed where the reference put one there."""
        place = None if self.is_alone() else '%s mark %s' % (self.function_place(part)[0], name)
        outer, self.arriving.is_reached = self.arriving.is_reached, False
        try:
            return self.receive(place, '', told, lambda: self.arrive(told))
        finally:
            self.arriving.is_reached = outer

    def may_change(self, op):
        """True where what the artifact is asked may change what a context manager gave: not where it only learns what the test expects."""
        if self.is_making is not None or self.is_constructing or self.is_making_plainly:
            self.has_made = True
            return False
        if op['do'] not in READING:
            self.has_made = False
        return op['do'] not in READING or op['do'] in ('get', 'listen') and not self.has_made

    def echo(self, reply):
        for key, name in (('out', 'stdout'), ('err', 'stderr')):
            if reply.get(key):
                own_stream(name).write(reply[key])
        for note in reply.get('notes', ()):
            self.repeat(note)

    def repeat(self, note):
        """Shows the test a warning or a log record of the artifact, or the error by which a thread of it ended."""
        *_, text = note
        if note[0] == 'warning':
            import warnings
            kind = builtin_exception(note[1], UserWarning)
            own = self.error(note[2]) if note[2] is not None else None
            shown = (own, None) if isinstance(own, Warning) else (text, kind if issubclass(kind, Warning) else UserWarning)
            warnings.warn_explicit(*shown, 'artifact', 1, registry={})
            return
        if note[0] == 'thread':
            ended = threading.Thread(target=raises, args=(raised_error(note[2], self.noted_error(note[2])),), name=note[1])
            ended.start()
            ended.join()
            return
        _, name, level, raised, more, last, _ = note
        try:
            more = attributes_made(more, text)
        except (TypeError, ValueError, KeyError, IndexError, RecursionError):
            raise self.protocol_error('a log record that is none') from None
        logger = logger_named(name if name != 'root' else '')
        outer, self.is_repeating = self.is_repeating, True
        try:
            hand_on(logger, logged(logger, level, text, raised, more, self.noted_error(raised)), last)
        finally:
            self.is_repeating = outer

    def noted_error(self, raised):
        """An error of a class of the artifact's, as a note tells it; None for any other."""
        return None if raised is None or raised[2] is None else self.error(raised[2])

    def log(self, number, record):
        """Has a handler of the artifact handle what the test has logged, where the reference had one as well: no other program reads what a test
        expects."""
        if self.is_repeating:
            return
        if self.allows_in_test('log', False):
            self.ask({'do': 'log', 'handler': number, 'record': record_as_told(record)})
        else:
            self.unread = 'logs'

    def print(self, name, text):
        if self.allows_in_test('print', False):
            self.ask({'do': 'print', 'name': name, 'text': text})
        else:
            self.unread = 'prints'

    def mentioned(self):
        """What the suite's files look at of the state of their process, by name."""
        return {name for text in texts_of(self.suite) for name, pattern in MENTIONS.items() if pattern.search(text)}

    def prepare_process(self, op):
        """Tells the artifact's box what the test has changed around it: environment, arguments, folder, random numbers, functions, files."""
        around = self.process.changed()
        if self.watch:
            around['watch'], self.watch = self.watch, ()
        if self.reads:
            around['reads'], self.reads = self.reads, ()
        if self.catches:
            around['descriptors'], self.catches = True, False
        if self.learning and not self.is_watching:
            around['opened'] = self.is_watching = True
        if around:
            op['around'] = around
        for path, (owner, name, original) in self.targets.items():
            now = held_by(owner, name)
            if path == 'sys.stdin' and not isinstance(now, (io.StringIO, Inert)) and type(now) is not io.TextIOWrapper:
                now = original
            if now is not self.replaced.get(path, original):
                self.replaced[path] = now
                binding, value = (None, now) if now is original or not isinstance(owner, type) else bound_as(now)
                op.setdefault('replaced', []).append([path, {'$original': True} if now is original else self.leave(value), binding])
        is_temporary = is_folder(MADE_BY_PYTEST)
        if is_temporary or self.shares_folder:
            files = self.shared.changed()
            if files:
                op['files'] = files
            op['watch'] = is_temporary

    def prepare_back(self, back):
        """Tells with what a function of the test has answered what it has changed."""
        self.prepare_process(back)
        self.prepare_lifetimes(back)
        self.prepare_containers(back)
        self.marks.add_to(back, self.leave)

    def prepare(self, op):
        """Tells the artifact's box what the test has changed."""
        self.prepare_process(op)
        self.prepare_lifetimes(op)
        if self.released:
            op['released'], self.released = self.released, {}
        self.prepare_containers(op)
        self.marks.add_to(op, self.leave)

    def value(self, op, inert=False):
        if op['do'] == 'get' and op['of'] in self.in_mocks and op['name'] in RECORDS:
            raise self.refuse('put an object in the place of what a mock records')
        reply = self.ask(op)
        if op['do'] == 'get':
            self.check_read(op['of'], op['name'], reply['value'])
        return self.found_in(reply, op, inert)

    def found_in(self, reply, op, inert=False):
        """What an answer holds; a container that the test may change is the same one each time."""
        found = self.receive_answer(op, reply['value'], lambda: self.arrive(reply['value'], inert=inert))
        if not inert:
            found = self.take_lent(reply, op, found)
        return self.same_again(reply, found)

    def value_list(self, op):
        told = self.ask(op)['value']
        if type(told) is not list:
            raise self.protocol_error('an answer that is no list')
        return [self.arrive(part) for part in told]

    def content(self, part):
        """What an object contains, as a dict or list, or None; the same until the test calls the artifact again."""
        frozen = object.__getattribute__(part, '_judge_frozen')
        if not self.holds_as_read(frozen.get('')):
            found = self.value({'do': 'content', 'of': id_of(part)}, inert=True)
            frozen[''] = found if type(found) in (list, dict) else None, *self.read_now()
        return frozen[''][0]

    def read_now(self):
        """When something is read: after how many calls, the time, and whether the artifact has threads that may change it."""
        return self.calls, time.monotonic(), self.is_threaded

    def holds_as_read(self, read):
        """True for what was read since the last call, unless the test has paused, and threads of the artifact may have changed it meanwhile."""
        return read is not None and read[1] == self.calls and not ((self.is_threaded or read[3]) and time.monotonic() - read[2] > PAUSE)

    def parts(self, part):
        return self.value_list({'do': 'parts', 'of': id_of(part)})

    def compared(self, number, other):
        """Whether the artifact calls two of its objects equal, their parts as `(looked at, one, other, name)`, and both texts."""
        told = self.ask({'do': 'compared', 'of': number, 'args': [{'$handle': number_of(other)}], 'kwargs': []})['value']
        if type(told) is not list or len(told) != 3 or type(told[1]) is not list or type(told[2]) is not list or \
                any(type(part) is not list or len(part) != 4 or type(part[3]) is not str for part in told[1]):
            raise self.protocol_error('a comparison that is none')
        for is_looked_at, *values, name in told[1]:
            for each, value in zip((number, number_of(other)), values):
                if is_looked_at is True:
                    self.check_read(each, name, value)
        return told[0] is True, [(*map(self.arrive, part[:3]), part[3]) for part in told[1]], told[2]

    def ranked(self, number, other):
        """Answers of the operators of order about two objects."""
        is_own = isinstance(other, StandIn) or isinstance(type(other), RemoteClass)
        told = self.ask({'do': 'ranked', 'of': number, 'args': [{'$handle': number_of(other)} if is_own else self.leave(other)], 'kwargs': []})['value']
        if type(told) is not list or len(told) != 4 or any(type(pair) is not list or len(pair) != 2 for pair in told):
            raise self.protocol_error('an order that is none')
        return told

    def says_equal(self, part, value, name='eq'):
        """Whether the artifact's `==` or `!=` calls an object equal to something."""
        number = number_of_member(part) if isinstance(part, enum.Enum) else number_of(part)
        return self.call({'do': 'compare', 'of': number, 'name': name}, (value,), {}) is (name == 'eq')

    def call(self, op, args, kwargs, made=False, iterator=False):
        if self.commits(op, args, kwargs):
            return self.commit(op, lambda: self.call_now(op, args, kwargs, made, iterator))
        return self.call_now(op, args, kwargs, made, iterator)

    def call_now(self, op, args, kwargs, made, iterator):
        reply, args = self.send_call(op, args, kwargs, self.is_making is None)
        found = self.receive_answer(op, reply['value'], lambda: self.arrive(reply['value'], made=made, iterator=iterator))
        found = self.take_lent(reply, op, found)
        found = self.same_again(reply, found, [*op['args'], *(part for _, part in op['kwargs'])], args)
        self.note_plain(found)
        if isinstance(found, type) and '_judge_id' in vars(found) and any(map(self.is_decorated, args)):
            # What a decorator makes of a class of the test is a class that the test has named.
            if found._judge_id not in self.vouched:
                self.decorated.add(found._judge_id)
            self.named(found.__name__, found, shown=True)
        return found

    def send_call(self, op, args, kwargs, is_use):
        """The answer to a call and its arguments, changed as the artifact has changed them; `is_use`: it may change objects."""
        op['args'] = [self.leave(part) for part in args]
        op['kwargs'] = [[key, self.leave(part)] for key, part in kwargs.items()]
        self.note_told(op)
        if is_use:
            self.thaw((*args, *kwargs.values()))
        # Those that are given by name come after the others.
        args = (*args, *kwargs.values())
        with self.lock:
            self.calls += 1
            op['call'] = self.calls
            if not self.is_alone():
                self.call_keys[self.calls] = self.keys.of(op)
            self.lent[self.calls] = args
        return self.ask(op), args

    def take_call(self, reply, op):
        """Takes what a call has done with its arguments, whether it has answered or raised an error: those that the artifact keeps, and what it
        has changed in them."""
        args = self.lent.get(op['call'], ())
        if not reply.get('kept'):
            self.lent.pop(op['call'], None)
        elif self.is_own():
            self.own_calls.add(op['call'])
        for index, after in reply.get('args') or []:
            if type(index) is not int or not 0 <= index < len(args):
                raise self.protocol_error('a changed argument that was not given')
            key = self.call_keys.get(op['call'], '')
            self.update(args[index], self.changed('argument %d' % index, after, key, [key, index]))
        if reply.get('kept'):
            self.lent_told.update({(op['call'], index): seal(self.plainly(part)) for index, part in enumerate(args) if isinstance(part, CHANGING)})

    @staticmethod
    def thaw(args):
        """An inert object that the artifact gets back may be another afterwards."""
        for part in args:
            if issubclass(type(part), StandIn):
                forget(part)

    def begin_test(self, test, is_drawn):
        self.refusal, self.assertion, self.test, self.unread, self.unexplained, self.flattened, self.doubled = None, None, test, None, None, {}, {}
        know_all()
        self.end_giving()
        self.end_turns()
        self.begin_making()
        self.begin_denying()
        self.reached, self.own_counts, self.is_drawn, self.answered_names = {}, {}, is_drawn, set(self.shared_names)
        self.iterated, self.item_counts, self.sources = {}, {}, {}
        self.keys.start, self.call_keys = self.given_count, {}
        self.pending, self.hashed, self.states, self.stand_ins = [], [], {}, {}
        self.begin_tuples()
        self.had_threads = self.is_threaded
        self.left.begin_test()
        self.changed_there.begin_test()
        self.repeated = {}
        self.guard.begin_test()
        self.prepare_mocks()
        with self.lock:
            self.release()
        if self.is_threaded:
            # Threads that tests share go on while none of them asks anything.
            self.listen()

    def is_own(self):
        """True for what the running test shares with no other one."""
        return bool(self.test) and not self.sharing


def logged(logger, level, text, raised, more, error):
    """A log record of the artifact; `raised`: the names of the classes of the exception in it, and its text; `more`: further attributes; `error`: that
    exception where its class is the artifact's."""
    if raised is None:
        made = logger.makeRecord(logger.name, level, 'artifact', 1, text, (), None)
        vars(made).update(more)
        return made
    error = raised_error(raised, error)
    made = logger.makeRecord(logger.name, level, 'artifact', 1, text, (), (type(error), error, None))
    vars(made).update(more, exc_text='%s: %s' % (raised[0][0], raised[1]))
    return made


def raised_error(raised, own):
    """An error that a note tells: `own` where its class is the artifact's, else the nearest one of the language."""
    if own is not None:
        return own
    kind = builtin_exception(raised[0], RemoteError)
    made = kind.__new__(kind)
    made.args = (raised[1],)
    return made


def raises(error):
    raise error


def tick(thread):
    return {'ask': {'do': 'tick', 'thread': thread}}


def is_waiting(reply):
    """True where the answer is not there yet."""
    return reply.get('value') == {'$waiting': True}


def looks_like_class(name):
    """True for a name that is written as classes are: CapWords."""
    bare = name.lstrip('_')
    return bare[:1].isupper() and (not bare.isupper() or len(bare) == 1) or bare.isupper() and bare.isalpha() and len(bare) <= 4
