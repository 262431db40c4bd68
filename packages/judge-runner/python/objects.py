"""Serves the artifact's objects to a tester in another box: calls, attributes, callbacks. Standard library only.

Everything that leaves is an answer, and the tester decides what it accepts. Descriptions of classes are claims.
"""
import builtins
import collections
import inspect
import io
import itertools
import operator
import os
import sys
import threading

from codec import Unplain, decode, encode
from executors import Executors
from keeping import keeping_of
from launch import PACKAGES
from loops import run
from making import is_generated, making_of
from parts import compared, content_of, held_by, parts_of, ranked, shaped
from shared import CHANGING, MAX_CONTAINERS, MAX_ITEMS, Shared, replace
from standard import decode_std, encode_std

MAX_ECHO = 1_000_000
MAX_NOTES = 1000
MAX_OWNED = 20_000
MAX_KEPT = 64
#: Errors of a chain that are told with arguments and causes. Of the next one only name and text are.
MAX_CHAIN = 4
OWN = ('codec', 'executors', 'launch', 'loops', 'lines', 'analysis', 'keeping', 'making', 'objects', 'parts', 'shared', 'standard')
METHODS = (type(print), type([].append), type('x'.join), type(lambda: 0))
SPECIAL_METHODS = tuple('__%s__' % name for name in (
    'len contains getitem setitem delitem iter next reversed enter exit aenter aexit aiter anext await call int float index '
    'complex bool add sub mul truediv floordiv mod pow matmul divmod lshift rshift and or xor neg pos abs invert radd rsub '
    'rmul rtruediv rfloordiv rmod rpow rmatmul rand ror rxor iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior '
    'ixor round trunc floor ceil lt le gt ge bytes format fspath').split())
#: Modules whose classes a test may know as bases of the artifact's.
LIBRARY_BASES = ('builtins', 'collections', 'collections.abc')
CONTAINERS = (str, int, float, list, tuple, dict, set, frozenset, bytes, bytearray, complex)


class Tap(io.RawIOBase):
    """A stream that is also kept, so that the tester can show it to the test."""

    def __init__(self, descriptor):
        self.descriptor, self.kept, self.size = descriptor, [], 0

    def writable(self):
        return True

    def fileno(self):
        return self.descriptor

    def write(self, data):
        count = os.write(self.descriptor, data)
        if self.size < MAX_ECHO:
            self.kept.append(bytes(data[:count]))
            self.size += count
        return count

    def take(self):
        data, self.kept, self.size = b''.join(self.kept), [], 0
        return data.decode('utf-8', 'replace')


class Notes:
    """Warnings and log records of a call, which the tester repeats for the test."""

    def __init__(self):
        self.kept = []
        self.logging = False

    def add(self, note):
        if len(self.kept) < MAX_NOTES:
            self.kept.append(note)

    def show_warning(self, message, category, filename, lineno, file=None, line=None):
        self.add(['warning', [str(kind.__name__)[:200] for kind in category.__mro__][:20], str(message)[:2000]])

    def watch(self):
        """Takes over what modules of the library report, as soon as the artifact has imported them."""
        warnings = sys.modules.get('warnings')
        if warnings is not None and warnings.showwarning != self.show_warning:
            warnings.simplefilter('always')
            warnings.showwarning = self.show_warning
        logging = sys.modules.get('logging')
        if logging is not None and not self.logging and hasattr(logging, 'Handler'):
            self.logging = True
            notes = self

            class Handler(logging.Handler):
                def emit(self, record):
                    trace = ''
                    if record.exc_info and record.exc_info[1] is not None:
                        trace = '%s: %s' % (type(record.exc_info[1]).__name__, record.exc_info[1])
                    notes.add(['log', str(record.name)[:200], int(record.levelno), record.getMessage()[:2000], trace[:500]])
            logging.root.addHandler(Handler(0))
            logging.root.setLevel(1)

    def take(self):
        kept, self.kept = self.kept, []
        return kept


class Local:
    """An object of the test, as the artifact sees it: everything is asked for in the tester's box."""

    def __init__(self, number, ask, names):
        object.__setattr__(self, '_judge_local', number)
        object.__setattr__(self, '_judge_ask', ask)

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return self._judge_ask(self._judge_local, 'get', name, (), {})

    def __setattr__(self, name, value):
        self._judge_ask(self._judge_local, 'set', name, (value,), {})

    def __str__(self):
        return self._judge_ask(self._judge_local, 'str', '', (), {})

    def __repr__(self):
        return self._judge_ask(self._judge_local, 'repr', '', (), {})

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return self._judge_local


def local_class(name, names):
    """A class with the name and the special methods of that of the test's object."""
    def forward(name):
        def method(self, *args, **kwargs):
            return self._judge_ask(self._judge_local, 'method', name, args, kwargs)
        return method
    wanted = {name: forward(name) for name in names if name in SPECIAL_METHODS or name in ('__bool__', '__call__')}
    return type(name if name.isidentifier() else 'Local', (Local,), wanted)


def serve(first, requests, answer, loads):
    settings = first['serve']
    sys.path[0] = settings['folder']
    sys.path[1:1] = settings.get('roots', [])
    sys.path.append(PACKAGES)
    for name in OWN:
        sys.modules.pop(name, None)
    artifact_modules = frozenset(settings['modules'])
    table, numbers, described, counted = {}, {}, set(), itertools.count()
    #: Containers of the test by their numbers, with how they arrived last, and those numbers.
    owned, own_numbers = {}, {}
    locals_, local_classes = {}, {}
    callbacks, known_callbacks = {}, {}
    kept = []
    #: Containers that the test has read off objects, by number, as it knows them.
    lent = {}
    originals = {}
    notes, shared = Notes(), Shared('/box/pytest')
    #: How many errors are being told by this thread, one within the other.
    telling = threading.local()
    lock = threading.RLock()
    state = {'id': first['id'], 'depth': 0}
    #: Held while containers that both boxes know are looked at.
    changing = threading.RLock()
    executors = Executors(lambda op: answer_to(op))
    taps = {}
    for name, descriptor in (('stdout', 1), ('stderr', 2)):
        taps[name] = Tap(descriptor)
        stream = io.TextIOWrapper(io.BufferedWriter(taps[name]), 'utf-8', 'backslashreplace', write_through=True)
        setattr(sys, name, stream)

    def number_of(part):
        number = numbers.get(id(part))
        if number is None:
            number = next(counted)
            table[number] = part  # Kept for good, so that its id stays its own.
            numbers[id(part)] = number
        return number

    def is_own(kind):
        return getattr(kind, '__module__', None) in artifact_modules

    def value_fields(kind):
        """How instances are compared by value, where the class leaves that to @dataclass or attrs."""
        told = getattr(kind, '__dataclass_params__', None)
        if told is None or not told.eq or not is_generated(kind, '__eq__'):
            return None
        names = [field.name for field in kind.__dataclass_fields__.values() if field.compare and field._field_type.name == '_FIELD']
        return {'fields': names, 'order': bool(told.order), 'hash': kind.__hash__ is not None}

    def describe_class(kind):
        number = number_of(kind)
        if number in described:
            return {'id': number, 'kind': 'class'}
        described.add(number)
        bases = []
        for base in kind.__bases__:
            if is_own(base):
                bases.append(describe_class(base))
            elif getattr(builtins, base.__name__, None) is base:
                bases.append(str(base.__name__))
        told = {'id': number, 'kind': 'class', 'name': str(kind.__name__)[:200], 'exception': issubclass(kind, BaseException),
                'bases': bases}
        own = [base for base in kind.__mro__ if base is not object]
        told['special'] = [name for name in SPECIAL_METHODS if any(vars(base).get(name) is not None for base in own)]
        enum = sys.modules.get('enum')
        if enum is not None and issubclass(kind, enum.Enum):
            root = next(name for name in ('IntFlag', 'IntEnum', 'StrEnum', 'Flag', 'Enum')
                        if issubclass(kind, getattr(enum, name, ())))
            if root == 'Enum' and issubclass(kind, str):
                root = 'str'
            elif root == 'Enum' and issubclass(kind, int):
                root = 'int'
            told['enum'] = [root, [[str(name), go(member._value_)] for name, member in kind.__members__.items()]]
            told['texts'] = [name for name in ('__str__', '__repr__', '__format__')
                             if any(name in vars(base) for base in own if is_own(base))]
        elif issubclass(kind, tuple) and isinstance(getattr(kind, '_fields', None), tuple):
            told['named'] = [str(name) for name in kind._fields]
        else:
            told['value'] = value_fields(kind)
            fields = getattr(kind, '__dataclass_fields__', None)
            if fields:
                told['dataclass'] = [[str(name), bool(field.init)] for name, field in fields.items()
                                     if field._field_type.name == '_FIELD']
        equal = next((base for base in own if '__eq__' in vars(base)), None)
        told['equal'] = 'value' if told.get('value') else 'own' if equal is not None and is_own(equal) else \
            'base' if any(issubclass(kind, each) for each in CONTAINERS) else 'library' if library_base(kind) else 'identity'
        told['base'] = next(([base.__module__, base.__name__] for base in own if base.__module__ in LIBRARY_BASES), None)
        told['abstract'], told['dictionary'] = inspect.isabstract(kind), kind.__dictoffset__ != 0
        making = making_of(kind, told, base_of_class(kind) if told['equal'] in ('base', 'library') else None, go)
        if making is not None:
            told['making'] = making
        if told['equal'] == 'own' and base_of_class(kind) is None and not told['exception']:
            told['hashable'] = kind.__hash__ is not None
            keeping = keeping_of(kind, go)
            if keeping is not None:
                told['keeps'] = keeping
        return told

    def handle(part, kind, name):
        own = type(part)
        return {'$handle': {'id': number_of(part), 'kind': kind, 'name': str(name)[:200],
                            'class': describe_class(own) if is_own(own) else None}}

    def plain_of(part):
        if isinstance(part, (list, tuple, dict, set, frozenset)):
            return copy_of(part, base_of(part))
        return (base_of(part) or library_base(type(part)))(part)

    def state_of(part):
        """What an object holds, as pairs."""
        base = base_of(part)
        return [[name, go(value)] for name, value in (parts_of(part).items() if base is None else [('', plain_of(part))])]

    def read(part, equal, names):
        """What an object is compared by, in a list, and its parts by name; None where that cannot be told."""
        try:
            if equal == 'own':
                compared_by = [state_of(part)]
            else:
                compared_by = equal and [go(plain_of(part) if names is None else [getattr(part, name) for name in names])]
        except BaseException:
            compared_by = None
        try:
            return [compared_by, [[name, go(value)] for name, value in parts_of(part).items()]]
        except BaseException:
            return [compared_by, None]

    def base_of_class(kind):
        return next((each for each in CONTAINERS if issubclass(kind, each)), None) or library_base(kind)

    def base_of(part):
        for kind in CONTAINERS:
            if isinstance(part, kind):
                return kind
        return None

    def leave(part, walk):
        kind = type(part)
        if isinstance(part, Local):
            return {'$local': object.__getattribute__(part, '_judge_local')}
        std = encode_std(part, walk)
        if std is not None:
            return std
        if id(part) in callbacks:
            return {'$callback': callbacks[id(part)]}
        if isinstance(part, type):
            if getattr(builtins, part.__name__, None) is part:
                return {'$builtin': part.__name__}
            return {'$handle': describe_class(part)}
        enum = sys.modules.get('enum')
        if enum is not None and isinstance(part, enum.Enum):
            return {'$enum': [describe_class(kind), number_of(part), part._name_, walk(part._value_)]}
        if isinstance(part, tuple) and isinstance(getattr(kind, '_fields', None), tuple):
            return {'$named': [describe_class(kind), number_of(part), [walk(item) for item in tuple.__iter__(part)]]}
        base = base_of(part)
        if base is not None:
            if not is_own(kind) or base is bool:
                return None
            plain = base(part) if base not in (list, tuple, dict, set, frozenset) else copy_of(part, base)
            return {'$sub': [handle(part, 'object', kind.__name__)['$handle'], walk(plain)]}
        if isinstance(part, BaseException):
            return {'$error': raised(part)['raised']}
        if inspect.ismodule(part):
            return handle(part, 'module', part.__name__)
        if inspect.iscoroutine(part) or inspect.isawaitable(part) and not is_own(kind):
            return handle(part, 'coroutine', kind.__name__)
        if isinstance(part, METHODS) or inspect.isroutine(part):
            return handle(part, 'function', getattr(part, '__name__', ''))
        if is_own(kind):
            return handle(part, 'object', kind.__name__)
        if kind is sys.modules['io'].StringIO or kind is sys.modules['io'].BytesIO:
            return {'$io': [walk(part.getvalue()), part.tell()]}
        for name, test in (('iterator', '__next__'), ('async', '__anext__'), ('context', '__enter__'), ('context', '__aenter__')):
            if hasattr(kind, test):
                return handle(part, name, kind.__name__)
        if callable(part):
            return handle(part, 'function', getattr(part, '__name__', kind.__name__))
        return handle(part, 'object', kind.__name__)

    def library_base(kind):
        """The plain type as which the library compares instances of a class of its own; None where it compares nothing."""
        abstract = sys.modules['_collections_abc']
        pairs = ((collections.UserList, list), (collections.UserString, str), (abstract.Mapping, dict), (abstract.Set, set))
        return next((base for own, base in pairs if issubclass(kind, own)), None)

    def copy_of(part, base):
        if base is dict:
            return {key: value for key, value in dict.items(part)}
        return base(base.__iter__(part))

    def enter(tag, content, walk):
        if tag == '$handle':
            return table[content]
        if tag == '$method':
            return getattr(table[content[0]], content[1])
        if tag == '$member':
            kind, name, value = content
            return table[kind](walk(value)) if name is None else table[kind][name]
        if tag == '$std':
            return decode_std(content, walk)
        if tag == '$own':
            return enter_own(content[0], content[1], walk)
        if tag == '$bytearray':
            return bytearray.fromhex(content)
        if tag == '$builtin':
            return getattr(builtins, content)
        if tag == '$none':
            return None
        if tag == '$io':
            made = (io.StringIO if isinstance(content[0], str) else io.BytesIO)(walk(content[0]))
            made.seek(content[1])
            return made
        if tag == '$exception':
            return getattr(builtins, content[0])(*walk(content[1]))
        if tag == '$library':
            owner = __import__(content[0], fromlist=[''])
            for name in content[1]:
                owner = getattr(owner, name)
            return owner
        if tag == '$callback':
            number, name, doc, parameters = content
            if number not in known_callbacks:
                callback = shaped(parameters, lambda args, kwargs: call_back({'callback': number}, args, kwargs))
                callback.__name__ = callback.__qualname__ = name
                callback.__doc__ = doc
                known_callbacks[number] = callback
                callbacks[id(callback)] = number
            return known_callbacks[number]
        if tag == '$fields':
            key = (content[0], *content[1])
            if key not in local_classes:
                local_classes[key] = collections.namedtuple(content[0], content[1], rename=True)
            return local_classes[key](*walk(content[2]))
        if tag == '$sleep':
            return __import__('asyncio').sleep(*walk(content))
        if tag == '$awaitable':
            async def awaited():
                return call_back({'callback': content}, (), {})
            return awaited()
        if tag == '$local':
            number, names, own = content
            if number not in locals_:
                key = (own, *names)
                if key not in local_classes:
                    local_classes[key] = local_class(own, names)
                locals_[number] = local_classes[key](number, ask_local, names)
            return locals_[number]
        if tag == '$iterator':
            def iterate():
                while True:
                    more = call_back({'callback': content}, (), {})
                    if not more:
                        return
                    yield more[0]
            return iterate()
        raise ValueError('unknown tag')

    def ask_local(number, do, name, args, kwargs):
        return call_back({'callback': -1, 'local': [number, do, name]}, args, kwargs)

    def arrive(part):
        return decode(part, enter)

    def go(part):
        return encode(part, leave, own)

    def own(part, told):
        number = own_numbers.get(id(part))
        if number is None or owned[number][0] is not part:
            return told
        if owned[number][1] == told:
            return {'$own': [number]}
        owned[number] = (part, outline(told))
        return {'$own': [number, told]}

    def outline(told):
        """A container as it arrived, with containers in it by their numbers only."""
        if type(told) is list:
            return [outline(each) for each in told]
        if type(told) is not dict:
            return told
        return {tag: held[:1] if tag == '$own' else outline(held) for tag, held in told.items()}

    def enter_own(number, held, walk):
        """A container of the test: the same one as before, with what the test has changed in it since."""
        made = walk(held)
        held = outline(held)
        part, before = owned.get(number, (None, None))
        if type(part) is not type(made):
            part = made
        elif before != held:
            part.clear()
            part.extend(made) if type(part) is list else part.update(made)
        if len(owned) > MAX_OWNED:
            owned.clear()
            own_numbers.clear()
        owned[number], own_numbers[id(part)] = (part, held), number
        return part

    def call_back(request, args, kwargs):
        executor = executors.current()
        if executor is not None:
            back = executor.exchange(called_back(request, args, kwargs))
            return returned(back)
        with lock:
            if state['depth'] == 0:
                raise RuntimeError('A callback was called while no test waits for the artifact')
            send(called_back(request, args, kwargs))
            back = loop()
        return returned(back)

    def called_back(request, args, kwargs):
        with changing:
            return tell_changes(dict(request, args=[go(a) for a in args], kwargs=[[k, go(v)] for k, v in kwargs.items()]))

    def returned(back):
        with changing:
            take_changes(back)
        if 'throws' in back:
            name, args = back['throws']
            kind = getattr(builtins, name, None)
            raise (kind if isinstance(kind, type) and issubclass(kind, (Exception, SystemExit)) else RuntimeError)(*arrive(args))
        return arrive(back['returns'])

    def send(reply):
        for name, tap in taps.items():
            try:
                getattr(sys, name).flush()
            except BaseException:
                pass
            if tap.size:
                reply['out' if name == 'stdout' else 'err'] = tap.take()
        noted = notes.take()
        if noted:
            reply['notes'] = noted
        reply['id'] = state['id']
        answer(reply)

    def mutated(sent, args):
        """Arguments that look different after the call than they did before it."""
        changed = []
        for index, (before, after) in enumerate(zip(sent, args)):
            if isinstance(after, (list, dict, set, bytearray, tuple, collections.deque)) or type(after).__name__ == 'ndarray':
                now = go(after)
                if now != before and not (type(now) is dict and len(now.get('$own', ())) == 1):
                    changed.append([index, now])
        return changed

    def resolve(path):
        """A module and the name in it, of what a test has replaced: `time.sleep`."""
        module, _, name = path.rpartition('.')
        return __import__(module, fromlist=['']), name

    def prepare(op):
        """Brings this process to the state in which the test has put its own: replaced functions, environment, files."""
        for path, value in op.pop('replaced', ()):
            owner, name = resolve(path)
            if path not in originals:
                originals[path] = getattr(owner, name, None)
            setattr(owner, name, originals[path] if value == {'$original': True} else arrive(value))
        for name, value in op.pop('environment', ()):
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        if 'arguments' in op:
            sys.argv[:] = op.pop('arguments')
        if 'files' in op:
            shared.arrive(op.pop('files'))
        if 'folder' in op:
            os.chdir(op.pop('folder'))
        released = op.pop('released', {'kept': (), 'lent': ()})
        kept[:] = [entry for entry in kept if entry[0] not in released['kept']]
        for number in released['lent']:
            lent.pop(number, None)
        take_changes(op)
        return op.pop('watch', False)

    def take_changes(op):
        """What the test has changed in containers that both know."""
        for call, index, told in op.pop('kept', ()):
            for entry in kept:
                if entry[:2] == [call, index]:
                    replace(entry[2], arrive(told))
                    entry[3] = go(entry[2])
        for number, told in op.pop('lent', ()):
            replace(table[number], arrive(told))
            lent[number] = go(table[number])

    def tell_changes(reply):
        """What the artifact has changed in them."""
        for entry in kept:
            now = go(entry[2])
            if now != entry[3]:
                entry[3] = now
                reply.setdefault('later', []).append([entry[0], entry[1], now])
        for number, before in lent.items():
            now = go(table[number])
            if now != before:
                lent[number] = now
                reply.setdefault('changed', []).append([number, now])
        return reply

    def perform(op):
        with changing:
            watch = prepare(op)
        found = act(op)
        with changing:
            reply = tell_changes(found)
            if 'call' in op and answers_object(reply['value']):
                keep(op, reply)
            if 'container' in op:
                lend(op.pop('container'), reply)
            if watch:
                files = shared.changed()
                if files:
                    reply['files'] = files
        return reply

    def answer_to(op):
        try:
            return perform(op)
        except Unplain as error:
            return {'raised': {'mro': ['ValueError', 'Exception'], 'message': 'an answer ' + str(error), 'module': 'builtins'}}
        except BaseException as error:  # SystemExit and KeyboardInterrupt are failures like any other.
            with changing:
                return tell_changes(raised(error))

    def answers_object(value):
        return isinstance(value, dict) and ('$handle' in value or '$sub' in value)

    def lend(part, reply):
        """A test may change a container that it reads off an object."""
        if isinstance(part, CHANGING) and len(part) <= MAX_ITEMS:
            number = number_of(part)
            if number in lent or len(lent) < MAX_CONTAINERS:
                reply['lent'], lent[number] = number, reply['value']

    def keep(op, reply):
        """An object may hold on to the arguments of the call that made it, and change them later."""
        for index, part in enumerate(op['arrived']):
            if isinstance(part, (list, dict, set, bytearray, collections.deque)) and len(kept) < MAX_KEPT and len(part) <= MAX_KEPT:
                kept.append([op['call'], index, part, go(part)])
                reply['kept'] = True

    def act(op):
        do = op['do']
        if do == 'module':
            module = __import__(op['name'])
            for part in op['name'].split('.')[1:]:
                module = getattr(module, part)
            return {'value': go(module)}
        if do == 'read':
            return {'value': [read(table[number], equal, names) for number, equal, names in op['parts']]}
        target = table[op['of']]
        if do == 'get':
            value = getattr(target, op['name'])
            if not inspect.ismodule(target) and not isinstance(target, type) and inspect.ismethod(value):
                return {'value': {'$method': [op['of'], op['name']]}}
            op['container'] = value
            return {'value': go(value)}
        if do == 'set':
            setattr(target, op['name'], arrive(op['value']))
            return {'value': None}
        if do == 'delete':
            delattr(target, op['name'])
            return {'value': None}
        if do == 'describe':
            described.discard(op['of'])
            return {'value': describe_class(target)}
        if do == 'dir':
            names = getattr(target, '__all__', None) or [name for name in vars(target) if not name.startswith('_')]
            return {'value': [str(name) for name in names]}
        if do == 'fields':
            return {'value': [go(getattr(target, name)) for name in op['names']]}
        if do == 'plain':
            return {'value': go(plain_of(target))}
        if do == 'origin':
            return {'value': go(getattr(target, '__origin__', None))}
        if do == 'await':
            return {'value': go(run(target, keep=True))}
        if do == 'bool':
            return {'value': bool(target)}
        if do in ('str', 'repr'):
            return {'value': go((str if do == 'str' else repr)(target))}
        if do == 'hash':
            return {'value': hash(target)}
        if do in ('copy', 'deepcopy'):
            return {'value': go(getattr(__import__('copy'), do)(target))}
        if do == 'parts':
            return {'value': [go(each) for each in parts_of(target).values()]}
        if do == 'state':
            return {'value': state_of(target)}
        if do == 'held':
            held, text = held_by(target)
            return {'value': [[[name, go(each)] for name, each in held], text]}
        if do == 'content':
            return {'value': go(content_of(target))}
        args = [arrive(part) for part in op['args']]
        kwargs = {key: arrive(value) for key, value in op['kwargs']}
        op['arrived'] = [*args, *kwargs.values()]
        if do == 'compare':
            return {'value': bool(getattr(operator, op['name'])(target, args[0]))}
        if do == 'compared':
            same, pairs, texts = compared(target, args[0])
            return {'value': [same, [[*map(go, part[:3]), part[3]] for part in pairs], texts]}
        if do == 'ranked':
            return {'value': ranked(target, args[0], raised)}
        function = target if do == 'call' else getattr(target, op['name'])
        value = function(*args, **kwargs)
        if inspect.isawaitable(value) and do == 'method' and op['name'] in ('__aenter__', '__aexit__', '__anext__'):
            return {'value': go(value)}
        reply = {'value': go(value)}
        changed = mutated(op['args'] + [part for _, part in op['kwargs']], op['arrived'])
        if changed:
            reply['args'] = changed
        return reply

    def raised(error):
        # Errors hold each other as arguments, causes and contexts: told in full, a chain of them grows threefold with each.
        outer = getattr(telling, 'depth', 0)
        telling.depth = outer + 1
        try:
            return told_error(error, outer < MAX_CHAIN)
        finally:
            telling.depth = outer

    def told_error(error, in_full):
        kind = type(error)
        names = [str(base.__name__)[:200] for base in kind.__mro__][:50]
        try:
            text = str(error)[:2000]
        except BaseException:
            text = ''
        told = {'mro': names, 'message': text, 'module': str(kind.__module__)[:200]}
        try:
            if in_full:
                told['args'] = go(list(error.args))
        except BaseException:
            pass
        if is_own(kind):
            told['class'] = describe_class(kind)
            told['self'] = number_of(error)
            told['repr'] = own_text(error, '__repr__')
        try:
            if in_full and not is_own(kind):
                told['held'] = [[str(name)[:200], go(value)] for name, value in list(vars(error).items())[:50]]
            for name in ('cause', 'context'):
                earlier = getattr(error, '__%s__' % name, None)
                if in_full and isinstance(earlier, BaseException):
                    told[name] = raised(earlier)['raised']
            told['suppressed'] = error.__suppress_context__ is True
        except BaseException:
            pass
        return {'raised': told}

    def own_text(part, name):
        """The text of an object whose class says itself how it is written; None for any other."""
        maker = next((base for base in type(part).__mro__ if name in vars(base)), None)
        try:
            return getattr(part, name)()[:2000] if maker is not None and is_own(maker) else None
        except BaseException:
            return None

    def loop():
        """Answers questions until a callback of ours returns."""
        for line in requests:
            request = loads(line)
            thread = request.get('thread') or request.get('op', {}).get('thread')
            with lock:
                state['id'] = request['id']
                if 'op' not in request and thread is None:
                    return request
            if thread is not None:
                reply = executors.reply(thread, request)
                with lock:
                    send(reply)
                continue
            state['depth'] += 1
            reply = answer_to(request['op'])
            notes.watch()
            with lock:
                state['depth'] -= 1
                send(reply)  # To whatever was asked last: a callback may have come between.
        os._exit(0)

    notes.watch()
    send({'serving': True})
    loop()
