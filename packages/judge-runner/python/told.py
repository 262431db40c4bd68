"""Values, objects and errors of the artifact on their way to a tester. Standard library only."""
import builtins
import functools
import inspect
import sys
import types

from codec import Unplain, encode
from described import SPECIAL_METHODS, base_of, library_base
from known_errors import MAX_CHAIN, attributes_in
from noticed import is_random
from originals import asyncio_part, held, threading
from outlets import name_of_logger
from parts import parts_of, plain
from received import Local
from received_classes import ORIGINS, GivenClass, local_number
from read_copies import Copying
from repeats import Numbers, Repeats
from standard import encode_derived, encode_std, made_of, root_of

inspect = held(inspect)
METHODS = (type(print), type([].append), type('x'.join), type(lambda: 0))
LIBRARY_OBJECTS = (('iterator', '__next__'), ('async', '__anext__'), ('context', '__enter__'), ('context', '__aenter__'))
#: Methods of generators.
GENERATING = ('send', 'throw', 'close', 'asend', 'athrow', 'aclose')
#: Kinds of properties, with the names of their functions.
PROPERTIES = {property: ('property', ('fget', 'fset', 'fdel')), functools.cached_property: ('cached', ('func',))}


def plain_of(part):
    base, root = base_of(part), root_of(type(part))
    if base is None and root is not None:
        return root(*made_of(root, part))
    return library_base(type(part))(part) if base is None else plain(part, base)


def has_methods(kind):
    """True for a class of the library whose objects do more than to iterate or to be entered: files, cursors, connections."""
    return any(callable(getattr(kind, name, None)) for name in dir(kind) if not name.startswith('_') and name not in GENERATING)


#: What is told of a part of a container that cannot be told.
UNTOLD = {'$opaque': 'part'}


def is_member(part, kind):
    """True for a member of an enumeration, or a combination of flags, and not for an object that only has the name and value of one."""
    if kind.__members__.get(part._name_) is part:
        return True
    try:
        return kind._value2member_map_.get(part._value_) is part
    except TypeError:
        return False


class Untold:
    """Stands for a part of a container that cannot be told: it may hold itself, as the parts of a linked list do."""


def without_untold(held, tell):
    def part(value):
        try:
            tell(value)
            return value
        except Unplain:
            return Untold()
    if isinstance(held, dict):
        return {name: part(value) for name, value in held.items()}
    return type(held)(map(part, held)) if isinstance(held, (list, tuple)) else Untold()


class Telling:
    """Makes values ready to leave. `callbacks`: numbers of functions of the test, by their ids."""

    def __init__(self, table, owned, callbacks):
        self.table, self.owned, self.callbacks, self.numbers = table, owned, callbacks, Numbers()
        #: Describes classes; it tells values in turn.
        self.classes = None
        #: Knows exceptions by number: those of the test, and those of the artifact.
        self.errors = None
        #: Numbers of objects that a test has made by calling their classes.
        self.made = set()
        #: Functions of the library that the test has given, with their names, by their ids.
        self.library_functions = {}
        #: Names of loggers that the test has given.
        self.loggers = set()
        #: How many errors are being told by this thread, one within the other.
        self.telling = threading.local()

    def value(self, part):
        return encode(part, self.leave, self.owned.tell, Repeats(self.numbers, self.owned.has))

    def argument(self, part, pass_on):
        """Something that a function of the test is given."""
        return encode(part, self.leave, self.owned.tell, Repeats(self.numbers, self.owned.has, pass_on))

    def leave(self, part, walk):
        kind = type(part)
        if isinstance(part, Local):
            return {'$local': object.__getattribute__(part, '_judge_local')}
        if kind is Untold:
            return UNTOLD
        local = local_number(part)
        if local is not None:
            return {'$local': local}
        derived = self.derived(part, kind, walk)
        if derived is not None:
            return derived
        if is_random(part) and self.owned.has(part):
            return self.owned.tell(part, {'$random': walk(part.getstate())})
        std = encode_std(part, walk)
        if std is not None:
            return self.owned.tell(part, std)
        if name_of_logger(part) in self.loggers:
            return {'$logger': name_of_logger(part)}
        if id(part) in self.callbacks:
            return {'$callback': self.callbacks[id(part)]}
        if isinstance(part, type):
            if getattr(builtins, part.__name__, None) is part:
                return {'$builtin': part.__name__}
            return {'$handle': self.classes.describe(part)}
        enum = sys.modules.get('enum')
        if enum is not None and isinstance(part, enum.Enum):
            if id(kind) in self.callbacks:
                return {'$given_member': [self.callbacks[id(kind)], part.value]}
            if not is_member(part, kind):
                raise Unplain('that says that it is a member of an enumeration and is none (%s)' % kind.__name__)
            return {'$enum': [self.classes.describe(kind), self.table.number_of(part), part._name_, walk(part._value_)]}
        if isinstance(part, tuple) and isinstance(getattr(kind, '_fields', None), tuple):
            return {'$named': [self.classes.describe(kind), self.table.number_of(part), [walk(item) for item in tuple.__iter__(part)]]}
        base = base_of(part)
        if base is not None:
            if not self.classes.is_own(kind) or base is bool:
                return None
            return {'$sub': [self.classes.handle(part, 'object', kind.__name__)['$handle'], self.content(part, base, walk)]}
        if isinstance(part, BaseException):
            return {'$error': self.error(part)['raised']}
        return self.object(part, kind, walk)

    @staticmethod
    def content(part, base, walk):
        """What an object of a class that extends a type of the language contains."""
        held = plain(part, base)
        try:
            return walk(held)
        except Unplain:
            return walk(without_untold(held, walk))

    def part(self, value):
        """A part of an object that is looked at beside others."""
        try:
            return self.value(value)
        except Unplain:
            return UNTOLD

    def plain(self, part):
        """The content of an object of such a class, told for itself."""
        held = plain_of(part)
        try:
            return self.value(held)
        except Unplain:
            return self.value(without_untold(held, self.value))

    def is_told_by_number(self, part):
        """True for an object of a class of the artifact that is no value: it leaves as its number, whatever it holds."""
        kind = type(part)
        if not self.classes.is_own(kind) or isinstance(kind, GivenClass) or isinstance(part, (BaseException, tuple)) or base_of(part) is not None:
            return False
        enum = sys.modules.get('enum')
        return enum is None or not isinstance(part, enum.Enum)

    @staticmethod
    def derived(part, kind, walk):
        """A value of a class of the test that is derived from a type of values of the library; None for any other."""
        origin = ORIGINS.get(id(kind)) if isinstance(kind, GivenClass) else None
        root = root_of(kind) if origin is not None else None
        value = encode_derived(part, root, walk) if root is not None else None
        return value and {'$derived': [origin.number, *value]}

    def object(self, part, kind, walk):
        """An object without a value, by what can be done with it."""
        handle = self.classes.handle
        if inspect.ismodule(part):
            told = handle(part, 'module', part.__name__)
            told['$handle'].update(acts=True, special=[])
            return told
        if kind in PROPERTIES:
            name, functions = PROPERTIES[kind]
            doc = part.__doc__ if type(part.__doc__) is str else None
            return {'$property': [self.table.number_of(part), name, doc, [walk(getattr(part, each)) for each in functions]]}
        is_future = asyncio_part('isfuture')
        if is_future is not None and is_future(part):
            return handle(part, 'future', kind.__name__)
        if inspect.iscoroutine(part) or inspect.isawaitable(part) and not self.classes.is_own(kind):
            return handle(part, 'coroutine', kind.__name__)
        # `inspect` takes each object with a `__get__` for a routine. One of the artifact's that can be called is what a decorator makes of a
        # function, unless a test has made it of its class.
        is_descriptor = self.classes.is_own(kind) and (not callable(part) or self.table.numbers.get(id(part)) in self.made)
        if isinstance(part, METHODS) or inspect.isroutine(part) and not is_descriptor:
            told = handle(part, 'function', getattr(part, '__name__', ''))
            told['$handle'].update(awaited=inspect.iscoroutinefunction(part), binds=self.classes.is_own(kind), stays=stays(part))
            _, given = self.library_functions.get(id(part), (None, None))
            return told if given is None else {'$given': [given, told]}
        if self.classes.is_own(kind):
            return handle(part, 'object', kind.__name__)
        if kind is sys.modules['io'].StringIO or kind is sys.modules['io'].BytesIO:
            return {'$io': [walk(part.getvalue()), part.tell()]}
        for name, test in LIBRARY_OBJECTS:
            if hasattr(kind, test):
                told = handle(part, name, kind.__name__)
                if has_methods(kind):
                    told['$handle'].update(acts=True, special=[each for each in SPECIAL_METHODS if hasattr(kind, each)])
                return told
        if callable(part):
            told = handle(part, 'function', getattr(part, '__name__', kind.__name__))
            told['$handle']['stays'] = stays(part)
            return told
        told = handle(part, 'object', kind.__name__)
        told['$handle']['special'] = [each for each in SPECIAL_METHODS if hasattr(kind, each)]
        return told

    def state_of(self, part):
        """What an object holds, as pairs."""
        if base_of(part) is not None:
            return [['', self.plain(part)]]
        return [[name, self.part(value)] for name, value in parts_of(part).items()]

    def copying(self):
        return Copying(lambda kind: self.classes.is_own(kind) and not isinstance(kind, GivenClass))

    def read_apart(self, part, read):
        """Reads what an object contains of a copy: the test has not asked for it, and its class may count that."""
        copying = self.copying()
        return copying.original(read(copying.copy(part)))

    def read(self, part, equal, names):
        """What an object is compared by, in a list, and its parts by name; None where that cannot be told."""
        try:
            if equal == 'own':
                compared_by = [self.state_of(part)]
            else:
                compared_by = equal and [self.value(self.read_apart(part, plain_of) if names is None else [getattr(part, name) for name in names])]
        except BaseException:
            compared_by = None
        try:
            return [compared_by, [[name, self.value(value)] for name, value in parts_of(part).items()]]
        except BaseException:
            return [compared_by, None]

    def error(self, error):
        # Errors hold each other as arguments, causes and contexts: told in full, a chain of them grows threefold with each.
        outer = getattr(self.telling, 'depth', 0)
        self.telling.depth = outer + 1
        try:
            return self.told_error(error, outer < MAX_CHAIN)
        finally:
            self.telling.depth = outer

    def told_error(self, error, in_full):
        kind = type(error)
        names = [str(base.__name__)[:200] for base in kind.__mro__][:50]
        try:
            # What the test says of its own exceptions is asked for only where the artifact asks.
            text = (BaseException.__str__ if kind.__module__ == '_judge' else str)(error)[:2000]
        except BaseException:
            text = ''
        told = {'mro': names, 'message': text, 'module': str(kind.__module__)[:200]}
        mine = self.errors.theirs.number_of(error)
        if mine is not None:
            return {'raised': self.changed_error(error, mine, told)}
        try:
            if in_full:
                told['args'] = self.value(list(error.args))
        except BaseException:
            pass
        if self.classes.is_own(kind):
            told['class'] = self.classes.describe(kind)
            told['self'] = self.table.number_of(error)
            told['repr'] = self.own_text(error, '__repr__')
        else:
            told['self'] = self.errors.number_of_own(error)
        try:
            if in_full:
                told['held'] = [[name, self.value(value)] for name, value in attributes_in(error) if name == '__notes__' or not self.classes.is_own(kind)]
            for name in ('cause', 'context'):
                earlier = getattr(error, '__%s__' % name, None)
                if in_full and isinstance(earlier, BaseException):
                    told[name] = self.error(earlier)['raised']
            told['suppressed'] = error.__suppress_context__ is True
        except BaseException:
            pass
        return {'raised': told}

    def changed_error(self, error, mine, told):
        """An exception of the test: by its number, with what the artifact has changed in it, and as it is told after that test."""
        told['mine'] = mine
        try:
            told['args'] = self.value(list(error.args))
            told['held'], cause = self.errors.changes_of(error)
            if cause is not None:
                told['cause'] = self.error(cause)['raised']
            elif error.__cause__ is None and error.__suppress_context__ is True:
                told['suppressed'] = True
        except BaseException:
            pass
        return told

    def own_text(self, part, name):
        """The text of an object whose class says itself how it is written; None for any other."""
        maker = next((base for base in type(part).__mro__ if name in vars(base)), None)
        try:
            return getattr(part, name)()[:2000] if maker is not None and self.classes.is_own(maker) else None
        except BaseException:
            return None


def stays(part):
    """True for what can be called and is no method of an object in whose class it is: a `partial`, a bound method, a static method."""
    return not hasattr(type(part), '__get__') or issubclass(type(part), (types.MethodType, staticmethod))
