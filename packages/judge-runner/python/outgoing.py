"""Values and objects of a test on their way to the artifact, and what the artifact may do with them. Standard library only."""
import builtins
import contextvars
import copy
import enum
import functools
import io
import pathlib
import sys
import traceback
import types

from codec import COLLECTIONS, COROUTINE, encode
from comparing_members import key_of
from given_attributes import ATTRIBUTES, GivenAttributes
from given_called import OF_TYPES, GivingCalled
from given_classes import ALL, PUBLIC, GivingClasses
from given_enums import GivingEnums
from given_views import VIEWS, GivingViews
from inert import InertBuiltin
from inner import KINDS
from lifetimes import Given
from loops import run
from mocks import RECORDS, is_mock, names_in
from modules import RemoteModule
from noticed import is_random
from originals import asyncio_part, held, threading
from outlets import is_handler, name_of_logger
from properties import AnsweredProperty
from refusals import ProtocolError, Refused, Unsupported
from crossing_errors import is_error_class
from remote import AsyncIterator, Context, Iterator, Method, RemoteClass, RemoteFunction, RemoteFuture
from stand_in import StandIn, given_of, held_in, id_of, is_waiting, use
from standard import STANDARD, base_value, encode_derived, encode_std, is_namespace, loaded, root_of

copy = held(copy)
#: Containers of one test, and of those that tests share, that keep their identity.
MAX_OWNED = 5000
#: Open files, which the artifact reads and writes in the box of the test.
FILES = (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.BufferedRandom, io.FileIO)
#: Modules of the class of `tmpdir`, which is a path for the artifact.
LEGACY_PATHS = ('_pytest._py.path', 'py._path.local')
#: Classes of the library whose objects lead to nothing else of this box: not those of tasks and loops, which run what they are given.
LIBRARY_OBJECTS = {('tempfile', '_TemporaryFileWrapper'), ('tempfile', 'SpooledTemporaryFile')}
LIBRARY_OBJECTS |= {('asyncio.locks', name) for name in ('Lock', 'Event', 'Condition', 'Semaphore', 'BoundedSemaphore', 'Barrier')}
LIBRARY_OBJECTS |= {('email.message', 'Message'), ('email.message', 'EmailMessage'), ('http.client', 'HTTPMessage'), ('urllib.response', 'addinfourl')}
#: Files that are read or written through another one.
LIBRARY_OBJECTS |= {('codecs', name) for name in ('StreamReaderWriter', 'StreamReader', 'StreamWriter')}
LIBRARY_OBJECTS |= {('gzip', 'GzipFile'), ('bz2', 'BZ2File'), ('lzma', 'LZMAFile')}
#: Collections of the library that hold a container: they are used in the test's box, as objects of its own classes are.
LIBRARY_OBJECTS |= {('collections', name) for name in COLLECTIONS}
LIBRARY_OBJECTS |= {('asyncio.queues', name) for name in ('Queue', 'PriorityQueue', 'LifoQueue')}


#: Longest default of a parameter that is told, in characters.
MAX_DEFAULT = 200
#: Most entries of a traceback that are told.
MAX_TRACEBACK = 20
#: What may be asked about objects of the test. Nothing is told about functions: what `partial` binds to them is for the test alone, unless a
#: reference reads it.
OF_OBJECT = frozenset(('str', 'repr', 'copy', 'deepcopy', 'dir', 'method', 'fill', *ATTRIBUTES))


def as_told(part, told):
    """Tells a container without a number."""
    return told
#: Classes of locks, of which the module has functions alone.
LOCKS = type(threading.Lock()), type(threading.RLock())


class Outgoing(GivenAttributes, GivingCalled, GivingClasses, GivingEnums, GivingViews):
    """The part of a link that encodes what a test gives, and serves it."""

    def begin_giving(self):
        #: Functions and objects that the artifact was given, by number, with what they stand for by the negative number.
        self.given, self.numbers, self.given_count = Given(), {}, 0
        #: Numbers by which methods of the same object and function are equal.
        self.methods = {}
        #: Loggers among them, by name.
        self.loggers = {}
        #: Functions of the library among them, by name, and whether only the running test has given them.
        self.library_functions = {}
        #: Questions that may be asked about it, by number.
        self.askable = {}
        #: Attributes that the artifact has given classes of the test, by class and name.
        self.added = {}
        self.begin_giving_classes()
        self.begin_attributes()
        self.begin_views()
        #: Objects of classes of the test that the artifact makes without calling the class.
        self.unfilled = []
        #: Numbers of the running test, and of tests that are over; setting up a fixture that several tests share is above zero.
        self.running, self.over, self.sharing = set(), set(), 0
        #: Mocks of the test that were answered, with what they had then; numbers of objects that were put into mocks.
        self.answered_mocks, self.in_mocks = {}, set()
        #: Contexts in which threads of the program call functions of the running test, by thread.
        self.contexts = {}

    def end_giving(self):
        """What one test has given is no help with the next."""
        self.over |= self.running
        self.running = set()
        self.end_errors()
        self.answered_mocks, self.unfilled, self.contexts = {}, [], {}
        self.begin_views()
        self.library_functions = {name: each for name, each in self.library_functions.items() if not each[1]}

    def answered_own(self, number):
        """Something of the test's own that the artifact answers."""
        if type(number) is not int or number < 1:
            raise ValueError('no number')
        if number in self.over or number in self.ended:
            return object()
        part = self.given[-number]
        if is_mock(part):
            self.answered_mocks.setdefault(id(part), (part, names_in(part)))
        return part

    def check_mocks(self):
        """Refuses a mock as an answer where the test asks it what it asks plain values: it says yes to everything."""
        for part, names in self.answered_mocks.values():
            more = names_in(part) - names
            if more:
                self.refuse('answered a mock of the test where an object with %s was expected' % sorted(more)[0])

    def serve(self, request):
        """Runs a function of the test for the artifact."""
        self.check_mocks()
        outer, self.arriving.is_reached = self.arriving.is_reached, False
        try:
            return self.serve_now(request)
        finally:
            self.arriving.is_reached = outer
            # What the artifact does with a mock is no use of it by the test.
            self.answered_mocks = {key: (part, names_in(part)) for key, (part, _) in self.answered_mocks.items()}

    def serve_now(self, request):
        if 'awaits' in request:
            return self.serve_later(request)
        number = request['local'][0] if 'local' in request else request['callback']
        return self.outcome_of(lambda: self.served_inside(request), number)

    def served_inside(self, request):
        with self.interrupts.inside():
            if 'apart' not in request:
                return self.served(request)
            # A thread of the program begins without the variables of the test's context. The language gives one the identifier of another that has ended.
            key = ('beside', request['beside'][0]) if 'beside' in request else request['apart']
            return self.contexts.setdefault(key, contextvars.Context()).run(self.served, request)

    def served(self, request):
        if 'local' in request:
            return self.serve_local(request['local'], *self.arguments_of_local(request))
        number = request['callback']
        self.check_lives(number)
        if number not in self.given:
            raise self.protocol_error('a callback that was not given')
        args, kwargs = self.arguments_of(self.given.get(-number), request)
        request.pop('alive', None)
        try:
            return self.given[number](*args, **kwargs)
        finally:
            for part in args[:1]:
                if '_judge_body' in vars(type(part)) and issubclass(type(part), StandIn):
                    self.take_plain(part)

    def outcome_of(self, function, number):
        """What a function of the test answers or raises, as it leaves."""
        try:
            found = function()
            # A function of an earlier test may still be told something; an answer could be one that a later test expects.
            return {'returns': None if number in self.over else self.leave(found)}
        except (Refused, ProtocolError):
            raise
        except BaseException as error:  # KeyboardInterrupt, and what pytest.fail() raises, come out of the artifact's call as any other.
            if isinstance(error, AssertionError):
                self.assertion = '%s' % error
            # What it says could be what a later test expects as well.
            return {'throws': self.leave(RuntimeError('a function of an earlier test failed') if number in self.over else error)}

    def serve_local(self, local, args, kwargs):
        """Does something with an object of the test. Nothing private: an object leads to its module and all that is in it."""
        number, do, name = local
        if number in self.over and number not in self.given:
            return None  # An exception of an earlier test.
        if do not in self.askable.get(number, ()):
            raise self.protocol_error('a question about an object that was not given')
        self.check_lives(number)
        part = self.given[number]
        if do in ('str', 'repr'):
            return str(part) if do == 'str' else repr(part)
        if do in ('copy', 'deepcopy'):
            return getattr(copy, do)(part)
        if do == 'dir':
            return [] if is_mock(part) else [name for name in dir(part) if not name.startswith('_')]
        if do == 'vars':
            return self.attributes_of(part)
        if do == 'bound':
            return self.bound_in(part)
        if do == 'put':
            return self.put_into_class(part, name, *args)
        if do == 'new':
            self.unfilled.append(object.__new__(part))
            return self.unfilled[-1]
        if do == 'fill':
            return self.fill(part, *args)
        if do == 'method':
            if name not in special_names(part):
                raise AttributeError(name)
            return special_method(part, name)(*args, **kwargs)
        if not self.is_open(part, do, name):
            raise AttributeError(name)
        return self.serve_attribute(part, do, name, args)

    def fill(self, part, state):
        """Gives an object that the artifact has made its attributes, once. None takes the place of a method."""
        # One of an earlier test, or one that has its attributes already, stays as it is.
        if not any(part is each for each in self.unfilled):
            return
        self.unfilled = [each for each in self.unfilled if each is not part]
        for name, value in state:
            if name.isidentifier() and not name.startswith('__') and not callable(getattr(type(part), name, None)):
                object.__setattr__(part, name, value)
                self.note_put(part, name, value)

    def put_into_class(self, kind, name, value):
        """Gives a class of the test a plain attribute, or changes one that it was given. What the test has written itself stays as it is."""
        is_name = isinstance(kind, type) and not name.startswith('_') and name.isidentifier()
        is_added = (kind, name) in self.added and vars(kind).get(name, kind) is self.added[kind, name]
        if not is_name or hasattr(kind, name) and not is_added:
            return False
        # An object that answers for any name would be hidden by it.
        if any(name in vars(base) for base in kind.__mro__[:-1] for name in ('__getattr__', '__getattribute__')):
            return False
        if value is not None and type(value) not in (bool, int, float, complex, str, bytes):
            return False
        setattr(kind, name, value)
        self.added[kind, name] = value
        return True

    def put_into_mock(self, name, part):
        """Refuses what pretends to be a mock that records calls."""
        held = held_in(part) if issubclass(type(part), (StandIn, BaseException)) or hasattr(part, '__dict__') else {}
        if '_judge_id' in held:
            self.in_mocks.add(held['_judge_id'])
        if not RECORDS.isdisjoint([*held, *getattr(type(part), '_fields', ())]) and not is_mock(part):
            raise AttributeError(name)

    def give(self, key, function):
        number = self.numbers.get(id(key))
        self.give_again(number)
        if number is None:
            number = self.given_count = self.given_count + 1
            if self.test and not self.sharing:
                self.running.add(number)
            self.numbers[id(key)] = number
            self.given[number] = function
            self.given[-number] = key  # Kept, so that its id stays its own.
        return number

    def give_again(self, number):
        """Has the running test use what an earlier one has given."""
        if number in self.over:
            self.over.discard(number)
            self.running.add(number)

    def method_number(self, part, number):
        """The number of the first method that equals one that is given; None for what is no method."""
        key = key_of_method(part)
        if key is None:
            return None
        first = self.methods.setdefault(key, number)
        self.equal_methods.setdefault(first, set()).add(number)
        self.give_again(first)
        return first

    def show(self, part, questions):
        """The number of something about which the artifact may ask."""
        number = self.give(part, part)
        self.askable[number] = questions
        return number

    def leave(self, part):
        return encode(part, lambda part, walk: self.leave_other(part, walk, self.own), self.own)

    def own(self, part, told):
        """A container of the test with a number, by which the artifact's box says that it answers the very same."""
        known = self.number_of_known(part)
        if known is not None:
            return {'$back': [known, told]}
        number = self.own_numbers.get(id(part))
        if number is None and len(self.owned) < MAX_OWNED:
            number = self.own_count = self.own_count + 1
            self.own_numbers[id(part)] = number
            self.owned[number] = part
            self.note_own_place(number)
            if self.is_own():
                self.own_given.add(number)
        if number is None:
            return told
        self.noticed.note(number, part)
        return {'$own': [number, told]}

    def leave_other(self, part, walk, own=as_told):
        kind = type(part)
        number = vars(kind).get('_judge_origin') if isinstance(kind, enum.EnumMeta) else None
        if number is not None:
            if key_of(part) in self.members:
                return {'$handle': self.members[key_of(part)]}
            return {'$member': [number, part._name_ if part._name_ in kind.__members__ else None, walk(part._value_)]}
        if isinstance(kind, enum.EnumMeta):
            told = self.leave_member(part, kind, walk)
            if told is not None:
                return told
        if isinstance(kind, RemoteClass) and isinstance(part, tuple):
            return {'$handle': self.given_number(part)} if {'_judge_id', '_judge_given'} & set(held_in(part)) else None
        # A mock says that it is of the class that it stands for.
        if issubclass(kind, (StandIn, RemoteFunction, RemoteModule, Iterator, AsyncIterator, Context, RemoteFuture)):
            return {'$handle': self.given_number(part)}
        if issubclass(kind, BaseException):
            return self.leave_error(part, walk)
        if isinstance(part, RemoteClass) and '_judge_id' in vars(part):
            return {'$handle': part._judge_id}
        if isinstance(part, enum.EnumMeta) and '_judge_origin' in vars(part):
            return {'$handle': part._judge_origin}
        if isinstance(part, enum.EnumMeta):
            told = self.leave_enum(part, walk)
            if told is not None:
                return told
        if isinstance(part, InertBuiltin):
            return self.leave_other(part.kind, walk, own)
        if issubclass(kind, AnsweredProperty) and part._judge_id is not None:
            return {'$handle': part._judge_id}
        if isinstance(part, Method):
            return {'$method': [part._judge_id, part.__name__]} if part._judge_pinned is None else {'$handle': part._judge_pinned}
        if kind.__module__ in LEGACY_PATHS:
            return walk(pathlib.Path(str(part)))
        view = self.leave_view(part, walk) if kind in VIEWS and self.number_of_known(part) is None else None
        if view is not None:
            return view
        std = encode_std(part, walk)
        if std is not None:
            return own(part, std) if is_namespace(part) or kind in KINDS or self.number_of_known(part) is not None else std
        derived = self.leave_derived(part, kind, walk) if self.is_of_suite(kind) else None
        if derived is not None:
            return derived
        base = base_value(part) if self.is_of_suite(kind) else None
        if base is not None:
            return encode_std(base, walk)
        if isinstance(part, tuple) and isinstance(getattr(kind, '_fields', None), tuple):
            return {'$fields': [kind.__name__, list(kind._fields), [walk(each) for each in tuple.__iter__(part)]]}
        if isinstance(part, (str, int, float, list, tuple, dict, set, frozenset, bytes, complex)):
            return None
        if is_random(part):
            return own(part, {'$random': walk(part.getstate())})
        if is_builtin(part):
            return {'$builtin': self.note_library(part, part.__name__)}
        if isinstance(part, types.TracebackType):
            return {'$traceback': [[each.filename, each.lineno, each.name] for each in traceback.extract_tb(part, MAX_TRACEBACK)]}
        if kind is types.ModuleType and part.__name__.partition('.')[0] in STANDARD and sys.modules.get(part.__name__) is part:
            # The artifact has the same one in its own library.
            return {'$library': [part.__name__, []]}
        if isinstance(part, types.ModuleType) and not is_made_by_test(part):
            raise Unsupported('a module cannot be passed to an artifact in another box')
        hint = self.leave_hint(part, walk)
        if hint is not None:
            return hint
        logger = name_of_logger(part)
        if logger is not None:
            self.loggers[logger] = part
            return {'$logger': logger}
        if is_handler(part):
            return {'$log_handler': [self.process.outlets['handlers'].told(part), self.as_local(part, walk)]}
        library = self.library_name(part)
        if library is not None:
            return {'$library': self.note_library(part, library)}
        if is_error_class(part):
            return self.leave_error_class(part)
        if isinstance(part, type):
            told = self.leave_class(part, walk, ALL)
            if told is not None:
                return told
        if isinstance(part, (types.FunctionType, types.MethodType, type)) and callable(part):
            number = self.give(part, part)
            return {'$callback': [number, str(getattr(part, '__name__', 'callback')), doc_of(part),
                                  parameters_of(part), self.annotations_of(part, walk), kind_of(part), self.names_of(part, number, walk),
                                  self.method_number(part, number), self.marks.of(part, number, walk)]}
        if self.may_be_shown(part):
            return self.as_local(part, walk)
        if kind is types.CoroutineType:
            if part in self.coroutines:
                part.close()
                return {'$handle': self.coroutines[part]}
            if part.cr_code is getattr(asyncio_part('sleep'), '__code__', None) and part.cr_await is None:
                # Sleeps there, where it can be cancelled.
                held = dict(part.cr_frame.f_locals)
                part.close()
                return {'$sleep': [walk(held['delay']), walk(held['result'])]}
            return {'$awaitable': self.give(part, lambda: run(part))}
        if kind is types.AsyncGeneratorType:
            return {'$async_generator': self.give(part, lambda do, *value: resumed_later(part, do, value))}
        if kind is types.GeneratorType:
            return {'$generator': self.give(part, lambda do, *value: resumed(part, do, value))}
        if hasattr(part, '__next__'):
            def advance():
                for item in part:
                    return [item]
                return []
            return {'$iterator': self.give(part, advance)}
        if callable(part):
            return self.leave_called(part, walk, kind_of(part))
        raise Unsupported('a %s cannot be passed to an artifact in another box' % kind.__name__)

    def leave_derived(self, part, kind, walk):
        """An object of a class of the test that is derived from a type of values of the library; None for any other."""
        root = root_of(kind)
        told = self.leave_class(kind, walk, PUBLIC) if root is not None else None
        value = encode_derived(part, root, walk) if told is not None else None
        return value and {'$derived': [told, *value]}

    def as_local(self, part, walk):
        kind = type(part)
        return {'$local': [self.show(part, OF_OBJECT), special_names(part), kind.__name__, named_in(part), self.leave_class(kind, walk, PUBLIC)]}

    def given_number(self, part):
        """The number of an object that the artifact is given: from then on it may change it, unless it makes another one of it."""
        if self.is_trying and is_waiting(part):
            return self.make_for_now(type(part), given_of(part))
        number, given = id_of(part), given_of(part)
        if self.is_making is None:
            use(part)
        elif given is not None:
            # It may be answered, and changed with the object that is made of it.
            given.is_read, given.is_passed = False, True
        return number

    def note_library(self, part, name):
        """Notes a function of the library that the artifact is given: it may answer that very function."""
        self.library_functions[str(name)] = part, self.is_own()
        return name

    def library_name(self, part):
        """Where the artifact finds the same function or class in its own library: it never calls ours."""
        module, path = getattr(part, '__module__', None), getattr(part, '__qualname__', None)
        if module is None and isinstance(part, OF_TYPES):
            module = part.__objclass__.__module__
        if not isinstance(module, str) or not isinstance(path, str) or '<' in path:
            return None
        if module.split('.')[0] not in STANDARD:
            return None
        found = sys.modules.get(module)
        for name in path.split('.'):
            found = getattr(found, name, None)
        # The test may have put another one there.
        is_known = found is part or isinstance(part, type) and (
            loaded(module, path) is part or any(each is part for _, _, each in self.targets.values()))
        return [module, path.split('.')] if is_known else None

    def known_by_name(self, part):
        """The name by which both boxes find something of the language or the library; None for anything else."""
        return part.__name__ if is_builtin(part) else self.library_name(part)

    def may_be_shown(self, part):
        """True for instances of classes of the suite, for mocks and text streams: nothing with which the artifact could act on
        this box."""
        if type(part) is object or type(part) is types.ModuleType or is_mock(part) or isinstance(part, (io.StringIO, io.BytesIO)):
            return True
        kind = type(part)
        if kind in FILES or (kind.__module__, kind.__name__) in LIBRARY_OBJECTS:
            return True
        if kind.__module__ in ('threading', 'queue', '_queue') or kind in LOCKS or kind.__module__ == 'unittest.mock' and kind.__name__ == '_SentinelObject':
            return True
        return self.is_of_suite(kind)


def is_builtin(part):
    name = getattr(part, '__name__', None)
    return isinstance(name, str) and getattr(builtins, name, None) is part


def is_made_by_test(module):
    """True for a module that the test has made of nothing: it leads only to what the test has put there."""
    return type(module) is types.ModuleType and module.__spec__ is None and not hasattr(module, '__file__') and \
        sys.modules.get(module.__name__) is not module


async def resumed_later(generator, do, value):
    """What an asynchronous generator of the test yields next, as `[item]`; an empty list at its end."""
    if do == 'aclose' and not value:
        await generator.aclose()
        return []
    check_resumed(do, value, ('asend', 'athrow'))
    try:
        return [await getattr(generator, do)(*value)]
    except StopAsyncIteration:
        return []


def check_resumed(do, value, ways):
    # Anything else that is thrown would end more than the generator.
    if do not in ways or do == ways[1] and not all(issubclass(type(each), Exception) for each in value):
        raise AttributeError(do)


def resumed(generator, do, value):
    """What a generator of the test yields next, as `[item]`; at its end what it returns, as `[item, True]`."""
    if do == 'close' and not value:
        return [generator.close()]
    check_resumed(do, value, ('send', 'throw'))
    try:
        return [getattr(generator, do)(*value)]
    except StopIteration as stop:
        return [stop.value, True]


def doc_of(part):
    doc = getattr(part, '__doc__', None)
    return doc[:10_000] if isinstance(doc, str) else None


def key_of_method(part):
    """By what two methods are equal: their object and their function."""
    if type(part) is types.MethodType:
        return id(part.__self__), id(part.__func__)
    owner = getattr(part, '__self__', None) if type(part) is types.BuiltinFunctionType else None
    return None if owner is None or type(owner) is types.ModuleType else (id(owner), part.__name__)


def kind_of(part):
    """What a function of the test answers: a coroutine, a generator or something else."""
    while type(part) is functools.partial:
        part = part.func
    owner = part.__func__ if type(part) is types.MethodType else part
    if type(owner) is types.FunctionType:
        return 'coroutine' if owner.__code__.co_flags & 0x80 else 'generator' if owner.__code__.co_flags & 0x20 else 'plain'
    # Other mocks say that they are whatever they stand for.
    mock = sys.modules.get('unittest.mock')
    return 'coroutine' if mock is not None and isinstance(part, mock.AsyncMock) else 'plain'


def parameters_of(part):
    """The parameters of a function of the test, as `[kind, name, default]`; None for what is no plain function. The default: False for none,
    `[value]` for a plain one, True for any other."""
    # A mock says that it is what it stands for.
    bound = type(part) is types.MethodType
    owner = part.__func__ if bound else part
    if type(owner) is not types.FunctionType or hasattr(owner, '__wrapped__'):
        return None
    code = owner.__code__
    count, names = code.co_argcount, code.co_varnames
    given = (False,) * (count - len(part.__defaults__ or ())) + tuple(map(default_of, part.__defaults__ or ()))
    told = [['only' if at < code.co_posonlyargcount else 'both', name, given[at]] for at, name in enumerate(names[:count])]
    at = count + code.co_kwonlyargcount
    if code.co_flags & 4:
        told.append(['args', names[at], False])
        at += 1
    by_name = {name: default_of(value) for name, value in (part.__kwdefaults__ or {}).items()}
    told += [['named', name, by_name.get(name, False)] for name in names[count:count + code.co_kwonlyargcount]]
    if code.co_flags & 8:
        told.append(['kwargs', names[at], False])
    return told


def default_of(value):
    is_plain = value is None or type(value) is bool or type(value) is int and abs(value) < 2 ** 53 or type(value) is str and len(value) <= MAX_DEFAULT
    return [value] if is_plain else True


def named_in(part):
    """What an object says that it is called, as functions do: `[name, text]` each."""
    held = getattr(part, '__dict__', {})
    # A class has some of the others for its objects.
    found = [('__name__', getattr(part, '__name__', None)), *((name, held.get(name)) for name in ('__qualname__', '__module__', '__doc__'))]
    return [[name, text] for name, text in found if isinstance(text, str)]


def special_method(part, name):
    """A special method of an object as the language binds it: a mock in its class is called without the object."""
    held = next(vars(kind)[name] for kind in type(part).__mro__ if name in vars(kind))
    bind = getattr(type(held), '__get__', None)
    return held if bind is None else bind(held, part, type(part))


def special_names(part):
    """The special methods of an object of the test that the artifact may use."""
    wanted = ('__len__ __iter__ __next__ __contains__ __getitem__ __setitem__ __delitem__ __call__ __enter__ __exit__ __aenter__ __aexit__ __aiter__ __anext__ __bool__ '
              '__int__ __float__ __index__ __add__ __sub__ __mul__ __lt__ __le__ __gt__ __ge__').split()
    held = [vars(kind) for kind in type(part).__mro__ if kind is not object]
    found = [name for name in wanted if any(each.get(name) is not None for each in held)]
    return [*found, COROUTINE] if kind_of(part) == 'coroutine' else found
