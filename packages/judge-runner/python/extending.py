"""Classes that a test derives from the artifact's. Their objects live in the artifact's box, in a class built there of the artifact's own and
the methods of the test. Standard library only.

Here such an object is a stand-in like any answer, of the class that the test has written: the methods of the test are found here, and all
else is asked for. `super()` finds an `Inherited`, which asks for the attribute of the artifact's class.
"""
import dataclasses
import functools
import sys
import types

from method_names import BY_REFERENCE
from refusals import Unsupported
from remote import RemoteClass, RemoteFunction
from stand_in import StandIn, held_in, id_of

#: What a class statement adds by itself.
LEFT_OUT = frozenset('''__module__ __qualname__ __doc__ __classcell__ __dict__ __weakref__ __orig_bases__ __parameters__ __static_attributes__
    __firstlineno__'''.split())
#: Methods that would take the place of what asks the artifact: they are called from its box.
ONLY_THERE = frozenset('__getattr__ __getattribute__ __setattr__ __delattr__ __init_subclass__ __slots__ __set_name__ __get__ __set__ __delete__'.split())
#: Methods that super() does not ask the artifact for: its word on a comparison.
COMPARING = frozenset('__%s__' % name for name in ('eq', 'ne', 'hash', 'bool', *BY_REFERENCE))
#: What @dataclass sets in a class beside functions.
DATA_CLASS = ('__doc__', '__hash__', '__match_args__', '__slots__', '__abstractmethods__')
#: What functools.cache makes of a method.
CACHED = functools._lru_cache_wrapper
METHODS = ('function', 'staticmethod', 'classmethod', 'property')
#: Most names that an artifact's class may pass on.
MAX_NAMES = 5000


def ask_for(part, kind, name):
    """An attribute of an object or a class, as the artifact has it."""
    if part is None:
        return RemoteClass.__getattr__(kind, name)
    return type(part).__getattr__(part, name)


class Asked:
    """An attribute in the body of such a class that is no method of the test."""

    def __init__(self, name):
        self.name = name

    def __get__(self, part, kind=None):
        return ask_for(part, kind, self.name)


class Written:
    """A value in the body of such a class. The class keeps what the test has written; an object may have been given another."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __get__(self, part, kind=None):
        return self.value if part is None else ask_for(part, kind, self.name)


class Inherited:
    """An attribute of the artifact's class, as an object of the test's class and super() find it."""

    def __init__(self, name):
        self.name, self.own = name, None

    def __get__(self, part, kind=None):
        kind = type(part) if kind is None else kind
        if '_judge_id' not in vars(kind):
            return lambda *args, **kwargs: None  # The language calls `__init_subclass__` for a class that both boxes build.
        before = kind.__mro__[:kind.__mro__.index(self.own)]
        # What nothing overrides is what the object has now.
        if not self.name.startswith('__') and not any(self.name in vars(each) for each in before):
            return ask_for(part, kind, self.name)
        link, after = self.own._judge_link, self.own._judge_extends
        number = kind._judge_id if part is None else id_of(part)
        found = link.value({'do': 'inherited', 'of': number, 'after': after._judge_id, 'name': self.name})
        if isinstance(found, RemoteFunction):
            found._judge_answered = False
        return found


def set_in_error(part, name, value):
    """Sets an attribute of an exception of such a class."""
    link = type(part)._judge_link
    if name.startswith('__') or '_judge_id' not in held_in(part):
        return object.__setattr__(part, name, value)
    link.value({'do': 'set', 'of': id_of(part), 'name': name, 'value': link.leave(value)})


def is_generated(value):
    """True for a function that @dataclass has written."""
    return isinstance(value, types.FunctionType) and value.__code__.co_filename.startswith('<')


class Between:
    """The base of the classes that stand between the test's and the artifact's."""

    __slots__ = ()


class Extending:
    """The part of a link that builds classes of the test on the artifact's."""

    def begin_extending(self):
        #: Classes of the test by the numbers under which the artifact was told of them.
        self.extensions = {}
        #: Stands for the object of such a class that is being made; None where none is.
        self.building = None

    def extend(self, meta, name, bases, space, keywords):
        """The class of a class statement of the test."""
        # What the artifact's class adds to a test would be its word.
        unittest = sys.modules.get('unittest')
        if any(key.startswith('test') for key in space) or unittest is not None and any(issubclass(base, unittest.TestCase) for base in bases):
            raise self.refuse('derives a class of tests (%s) from one of the artifact' % name)
        body, local = [], {key: value for key, value in space.items() if key in LEFT_OUT}
        for key, value in space.items():
            if key in LEFT_OUT:
                continue
            told = self.part_of_body(value)
            if told is not None:
                body.append([key, *told])
            if key not in ONLY_THERE:
                local[key] = self.kept_of_body(key, value, told)
        # A data class with slots is made again, of all bases that it has here.
        given = [base for base in bases if Between not in base.__bases__]
        between = type('Inherited', (Between,), {'__slots__': ()})
        at = next(index for index, base in enumerate(given) if isinstance(base, RemoteClass))
        made = type.__new__(meta, name, (*given[:at], between, *given[at:]), {
            **local, '_judge_body': frozenset(space), '_judge_making': None, '_judge_keeps': None,
            '_judge_written': frozenset(space).union(*(getattr(base, '_judge_written', ()) for base in given))})
        number = len(self.extensions) + 1
        self.extensions[number] = made
        type.__setattr__(between, '_judge_link', self)
        type.__setattr__(between, '_judge_extends', made)
        self.put_inherited(between, made, ['__init__'])
        told = self.ask({
            'do': 'extend', 'number': number, 'name': name, 'qualname': str(space.get('__qualname__', name)), 'module': str(made.__module__),
            'doc': space.get('__doc__') if isinstance(space.get('__doc__'), str) else None,
            'bases': [self.leave(base) for base in given], 'body': body, 'keywords': [[key, self.leave(value)] for key, value in keywords.items()]})['value']
        if type(told) is not list or len(told) != 2 or type(told[1]) is not list:
            raise self.protocol_error('a class of the test that is none')
        if self.class_of(told[0]) is not made:
            raise self.refuse('answers another class for %s, which the test derives from one of its own' % name)
        self.put_inherited(between, made, told[1][:MAX_NAMES])
        return made

    def put_inherited(self, between, made, names):
        """Gives the class between the test's and the artifact's what the artifact's passes on."""
        written = {name for kind in made.__mro__ if self.is_of_suite(kind) for name in (*vars(kind), *vars(kind).get('_judge_body', ()))}
        for name in names:
            if type(name) is not str or not name.isidentifier() or name in LEFT_OUT or name in COMPARING or name in vars(between):
                continue
            # Nothing of the artifact's is a test, or tells pytest anything.
            if name.startswith(('_judge', '_pytest', 'test')) or name in ('__class__', 'pytestmark'):
                continue
            if name.startswith('__') and name != '__init__' and name not in written:
                continue
            # Methods of other classes of the test come first.
            nearer = next((vars(kind)[name] for kind in made.__mro__[made.__mro__.index(between) + 1:]
                           if self.is_of_suite(kind) and name in vars(kind)), None)
            if nearer is not None and not isinstance(nearer, Asked):
                continue
            part = Inherited(name)
            part.own = between
            type.__setattr__(between, name, part)

    def kept_of_body(self, name, value, told):
        """What the class in the box of the test has under a name."""
        if told is None or name.startswith('__') or (told[0] in METHODS or type(value) is CACHED) and self.stays(value):
            return value
        is_artifacts = told[0] in (*METHODS, 'cached') or isinstance(value, RemoteFunction) or issubclass(type(value), StandIn)
        return Asked(name) if is_artifacts else Written(name, value)

    @staticmethod
    def stays(value):
        """True for a method that the test has written itself."""
        parts = [value.fget, value.fset, value.fdel] if isinstance(value, property) else [getattr(value, '__func__', value)]
        parts = [each.__wrapped__ if type(each) is CACHED else each for each in parts]
        return all(part is None or isinstance(part, types.FunctionType) for part in parts)

    def part_of_body(self, value):
        """What stands in the body of a class as `[what it is, value, is abstract]`; None for what cannot leave."""
        is_abstract = getattr(value, '__isabstractmethod__', False) is True
        try:
            if isinstance(value, types.FunctionType):
                return ['function', self.leave(value), is_abstract]
            if isinstance(value, (staticmethod, classmethod)):
                return [type(value).__name__, self.leave(value.__func__), is_abstract]
            if type(value) is property:
                return ['property', [self.leave(each) for each in (value.fget, value.fset, value.fdel)], is_abstract]
            if isinstance(value, functools.cached_property):
                return ['cached', self.leave(value.func), False]
            return ['value', self.leave(value), False]
        except (Unsupported, TypeError):
            return None

    def change_class(self, kind, name, value):
        """Sets an attribute of such a class in both boxes."""
        if name in ('__dataclass_params__', '__dataclass_fields__'):
            type.__setattr__(kind, name, value)
            if name == '__dataclass_fields__':
                self.make_data_class(kind)
            return
        # @dataclass is carried out in the artifact's box, which writes these itself.
        if '__dataclass_params__' in vars(kind) and (name in DATA_CLASS or is_generated(value)):
            return
        told = self.part_of_body(value)
        if name not in ONLY_THERE:
            type.__setattr__(kind, name, self.kept_of_body(name, value, told))
        if told is not None:
            self.value({'do': 'put', 'of': kind._judge_id, 'name': name, 'part': told})

    def remove_from_class(self, kind, name):
        """Removes an attribute of such a class in both boxes, where they have it."""
        if name in vars(kind):
            type.__delattr__(kind, name)
        if name not in vars(kind).get('__annotations__', ()):  # @dataclass removes the defaults of fields itself.
            self.value({'do': 'delete', 'of': kind._judge_id, 'name': name})

    def make_data_class(self, kind):
        """Has the artifact's box make a data class of such a class: from then on it is one like the artifact's own."""
        missing, own = dataclasses.MISSING, vars(kind).get('__annotations__', {})
        fields = [[each.name, each.init is True, each.repr is True, each.compare is True, [] if each.default is missing else [self.leave(each.default)],
                   [] if each.default_factory is missing else [self.leave(each.default_factory)]]
                  for each in vars(kind)['__dataclass_fields__'].values() if each.name in own and each._field_type.name == '_FIELD']
        params = vars(kind)['__dataclass_params__']
        told = self.ask({'do': 'data', 'of': kind._judge_id, 'fields': fields, 'params': [
            [name, getattr(params, name) is True] for name in ('init', 'repr', 'eq', 'order', 'unsafe_hash', 'frozen')]})['value']
        if type(told) is not dict or told.get('id') != kind._judge_id or 'name' not in told:
            raise self.protocol_error('a data class that is none')
        self.hold_fields(kind, told)

    def hold_fields(self, kind, desc):
        """Gives a class of the test what a data class of the artifact has here."""
        self.check_size(kind.__name__, desc)
        shape = self.make_class({**desc, 'bases': []}, 0)
        for name, value in vars(shape).items():
            if name.startswith('_judge') and name not in ('_judge_id', '_judge_link') or name == '__match_args__':
                type.__setattr__(kind, name, value)

    def extended_class(self, desc):
        """The class of the test that the artifact describes; None for any other."""
        number = desc.get('extended')
        made = self.extensions.get(number) if type(number) is int else None
        if made is None or '_judge_id' in vars(made):
            return None
        type.__setattr__(made, '_judge_id', desc['id'])
        # A class of the artifact's may make data classes of those that are derived from it.
        if desc.get('value') and '__eq__' not in made._judge_body:
            self.hold_fields(made, desc)
        type.__setattr__(made, '_judge_abstract', False)
        type.__setattr__(made, '_judge_special', [str(each) for each in desc['special']])
        if issubclass(made, BaseException):
            type.__setattr__(made, '__setattr__', set_in_error)
        return made

    def take_plain(self, part):
        """Gives the object in the artifact's box what a method of the test has set by `object.__setattr__`."""
        held = held_in(part)
        for name in [name for name in held if not name.startswith('_judge')]:
            self.value({'do': 'set plainly', 'of': id_of(part), 'name': name, 'value': self.leave(held.pop(name))})

    def make_extended(self, kind, args, kwargs):
        """An object of a class of the test, which the artifact makes: methods of the test may take part."""
        outer, self.building = self.building, object()
        try:
            part = self.make(kind, args, kwargs, self.places())
        finally:
            self.building = outer
        if not isinstance(part, BaseException):
            object.__setattr__(part, '_judge_made', True)
        return part
