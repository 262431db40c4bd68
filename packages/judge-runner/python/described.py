"""Classes of the artifact as they are described to a tester: claims about what they are derived from, compare and make. Standard library
only."""
import abc
import builtins
import enum
import inspect
import itertools
import sys
import types

from enum_roots import root_name
from extended import Extended
from keeping import keeping_of
from library_methods import is_written_by_library
from making import making_of
from originals import collections, held
from packing import packing_of
from received_classes import ORIGINS, GivenClass
from standard import MAX_BASES, STANDARD, root_of

inspect = held(inspect)
SPECIAL_METHODS = tuple('__%s__' % name for name in (
    'len contains getitem setitem delitem iter next reversed enter exit aenter aexit aiter anext await call int float index '
    'complex bool add sub mul truediv floordiv mod pow matmul divmod lshift rshift and or xor neg pos abs invert radd rsub '
    'rmul rtruediv rfloordiv rmod rpow rmatmul rand ror rxor iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior '
    'ixor round trunc floor ceil lt le gt ge bytes format fspath get set delete set_name').split())
#: What a program holds anyway.
LASTING = (type, types.ModuleType)
#: Operators that each class has.
COMPARING = ('__eq__', '__ne__', '__hash__')
ORDERS = ('__lt__', '__le__', '__gt__', '__ge__')
ABSTRACT = abc.ABCMeta
#: Modules whose classes a test may know as bases of the artifact's: others than those of hints.
OF_BASES = STANDARD - {'typing'}
#: Methods of containers by which a subclass of one answers otherwise than its content does.
OF_CONTAINERS = ('__contains__', '__getitem__', '__iter__', '__len__', '__missing__', '__reversed__', 'count', 'get', 'index', 'items', 'keys', 'values')
#: Methods by which members are copied, and those by which an enumeration is asked for its members.
COPYING = ('__copy__', '__deepcopy__', '__reduce_ex__')
OF_ENUMERATIONS = ('__call__', '__contains__', '__getitem__', '__iter__', '__len__', '__reversed__', '__setattr__', '__delattr__')
#: What a class holds that is no method of its objects.
CONSTRUCTORS = ('__init__', '__new__', '__dict__', '__weakref__')
CONTAINERS = (str, int, float, list, tuple, dict, set, frozenset, bytes, bytearray, complex)
PLAIN_TUPLE = collections.namedtuple('PlainTuple', 'field')
#: Methods that the language writes for each class of named tuples, which all have one code.
WRITTEN_BY_LANGUAGE = {name: getattr(getattr(PLAIN_TUPLE, name), '__func__', getattr(PLAIN_TUPLE, name)).__code__ for name in ('_make', '_replace', '_asdict')}


def library_base(kind):
    """The plain type as which the library compares instances of a class of its own; None where it compares nothing."""
    abstract = sys.modules['_collections_abc']
    pairs = ((collections.UserList, list), (collections.UserString, str), (abstract.Mapping, dict), (abstract.Set, set))
    return next((base for own, base in pairs if issubclass(kind, own)), None)


def library_bases(kind):
    """Classes of the library as whose instances `isinstance()` knows those of a class, as `[module, qualified name]`, without the bases of these."""
    found = []
    for base in kind.__mro__[:-1]:
        if str(base.__module__).partition('.')[0] in OF_BASES and not any(base in each.__mro__ for each in found):
            found.append(base)
    return [[str(each.__module__), str(each.__qualname__)[:200]] for each in found[:MAX_BASES]]


def base_of_class(kind):
    return next((each for each in CONTAINERS if issubclass(kind, each)), None) or library_base(kind)


def base_of(part):
    for kind in CONTAINERS:
        if isinstance(part, kind):
            return kind
    return None


def is_made_by_call(kind):
    """True for a class that `make_dataclass` or `types.new_class` has made, which says that it is of `types`."""
    return isinstance(kind, type) and kind.__module__ == 'types' and vars(types).get(kind.__name__) is not kind


def value_fields(kind):
    """How instances are compared by value, where the class leaves that to @dataclass or attrs."""
    told = getattr(kind, '__dataclass_params__', None)
    if told is None or not told.eq or not is_written_by_library(kind, '__eq__') or kind.__ne__ is not object.__ne__:
        return None
    names = [field.name for field in kind.__dataclass_fields__.values() if field.compare and field._field_type.name == '_FIELD']
    unhashed = [name for name in names if kind.__dataclass_fields__[name].hash is False]
    is_ordered = bool(told.order) and all(is_written_by_library(kind, name) for name in ORDERS)
    return {'fields': names, 'order': is_ordered, 'hash': kind.__hash__ is not None, 'unhashed': unhashed}


def hidden_in_tuple(kind, own):
    """Names under which the language gives a class of named tuples something, and the class has something else."""
    def held(name):
        return next((vars(base)[name] for base in own if name in vars(base)), None)
    fields = [str(name) for index, name in enumerate(kind._fields) if not is_field(held(name), index) or '__getattribute__' in written_in(own)]
    methods = [name for name, code in WRITTEN_BY_LANGUAGE.items() if getattr(getattr(held(name), '__func__', held(name)), '__code__', None) is not code]
    return fields + methods + [name for name in ('count', 'index') if name not in kind._fields and held(name) is not vars(tuple)[name]]


def written_in(own):
    """Names of what the classes that are not of the language define."""
    return {name for base in own if base not in CONTAINERS for name in vars(base)}


def is_field(held, index):
    """True for what the language gives a class of named tuples to read the item at a place."""
    return type(held) is type(PLAIN_TUPLE.field) and held.__reduce__()[1][0] == index


def acts(name, value):
    """True for a method or property that a class defines beside its constructors."""
    return name not in CONSTRUCTORS and (callable(value) or hasattr(type(value), '__get__'))


def truth_of(member):
    try:
        return bool(member)
    except Exception:
        return True  # As a member is without a `__bool__`.


def protocol_of(kind):
    """The attributes by which isinstance() knows objects of a protocol; None for any other class."""
    if vars(kind).get('_is_protocol') is not True or getattr(kind, '_is_runtime_protocol', False) is not True:
        return None
    held = [vars(base) for base in kind.__mro__ if getattr(base, '_is_protocol', False) and base.__module__ != 'typing']
    names = {name for each in held for name in (*each, *each.get('__annotations__', ()))}
    left_out = getattr(sys.modules['typing'], 'EXCLUDED_ATTRIBUTES', ())
    return sorted(str(name) for name in names if not name.startswith('_abc_') and name not in left_out)


def checks_of(kind):
    """How `isinstance()` may know others as objects of a class than its bases say: by an own check of objects, an own check of classes, or classes that are
    registered with it; None for any other class."""
    if protocol_of(kind) is not None:
        return None
    of_class, of_objects = written_of(type(kind).__mro__), written_of(kind.__mro__)
    if '__instancecheck__' in of_class:
        return 'objects'
    is_abstract = issubclass(type(kind), ABSTRACT)
    return 'classes' if '__subclasscheck__' in of_class or is_abstract and '__subclasshook__' in of_objects else 'registered' if is_abstract else None


def written_of(kinds):
    """Names of what classes define that are none of the library."""
    return {name for base in kinds if not is_of_library(base) for name in vars(base)}


def is_of_library(kind):
    return str(kind.__module__).partition('.')[0] in STANDARD


class Table:
    """Objects of the artifact, with the numbers under which the tester knows them."""

    def __init__(self):
        self.parts, self.numbers, self.counted = {}, {}, itertools.count()
        #: Numbers of objects to which there may be weak references.
        self.referable = {}

    def __getitem__(self, number):
        return self.parts[number]

    def number_of(self, part):
        number = self.numbers.get(id(part))
        if number is None:
            number = next(self.counted)
            self.parts[number] = part  # Kept, so that its id stays its own.
            self.numbers[id(part)] = number
            if type(part).__weakrefoffset__ and not isinstance(part, LASTING):
                self.referable[number] = True
        return number

    def let_go(self, number):
        """Forgets an object that the test does not know any more, and the program does not hold."""
        part = self.parts.get(number)
        if self.referable.pop(number, False):
            del self.numbers[id(part)], self.parts[number]

    def adopt(self, number, part):
        """Keeps something under the number that it has already, unless it has another one."""
        if self.numbers.setdefault(id(part), number) == number:
            self.parts[number] = part


class Classes:
    """Describes each class once. `modules`: those of the artifact; `tell`: makes a value ready to leave."""

    def __init__(self, modules, table, tell):
        self.modules, self.table, self.tell = frozenset(modules), table, tell
        self.described = set()
        #: Classes that a test has derived from the artifact's.
        self.extended = Extended()

    def is_own(self, kind):
        if getattr(kind, '__module__', None) in self.modules or isinstance(kind, GivenClass) or is_made_by_call(kind):
            return True
        # What a metaclass makes of an own class without a class statement says that it is of the metaclass's module.
        return isinstance(kind, type) and (self.extended.number_of(kind) is not None or
                                           kind.__module__ == type(kind).__module__ != 'builtins' and any(map(self.is_own, kind.__bases__)))

    def handle(self, part, kind, name):
        own = type(part)
        told = {'id': self.table.number_of(part), 'kind': kind, 'name': str(name)[:200], 'class': self.describe(own) if self.is_own(own) else None}
        if told['class'] is None:
            told['library'] = library_bases(own)
        return {'$handle': told}

    def describe_again(self, kind):
        self.described.discard(self.table.number_of(kind))
        return self.describe(kind)

    def describe(self, kind):
        number = self.table.number_of(kind)
        if number in self.described:
            return {'id': number, 'kind': 'class'}
        self.described.add(number)
        own = [base for base in kind.__mro__ if base is not object]
        told = {'id': number, 'kind': 'class', 'name': str(kind.__name__)[:200], 'exception': issubclass(kind, BaseException),
                'bases': self.bases(kind)}
        told['special'] = [name for name in SPECIAL_METHODS if next((vars(base)[name] for base in own if name in vars(base)), None) is not None]
        if issubclass(kind, enum.Enum):
            told.update(self.members(kind, own))
        elif issubclass(kind, tuple) and isinstance(getattr(kind, '_fields', None), tuple):
            told['named'] = [str(name) for name in kind._fields]
            told['operators'] = [name for name in (*told['special'], *COMPARING) if any(name in vars(base) for base in own if self.is_own(base))]
            told['hidden'], told['sets'] = hidden_in_tuple(kind, own), '__setattr__' in written_in(own)
            # The language writes the others.
            told['texts'] = [name for name in ('__str__', '__repr__') if any(
                getattr(vars(base).get(name), '__module__', 'collections') != 'collections' for base in own if self.is_own(base))]
        else:
            told['value'] = value_fields(kind)
            fields = getattr(kind, '__dataclass_fields__', None)
            if fields:
                missing = sys.modules['dataclasses'].MISSING
                told['dataclass'] = [[str(name), bool(field.init), field.default is not missing or field.default_factory is not missing]
                                     for name, field in fields.items() if field._field_type.name == '_FIELD']
                told['frozen'] = kind.__dataclass_params__.frozen is True
        told['equal'], told['unhashable'] = self.equality(kind, told, own), kind.__hash__ is None
        told['library'] = library_bases(kind)
        written = [name for name in (*OF_CONTAINERS, '__hash__', '__ne__') if any(name in vars(base) for base in own if self.is_own(base))]
        # A data class has a hash of what it holds, or none.
        is_plain = told.get('value') and (kind.__hash__ is None or is_written_by_library(kind, '__hash__'))
        told['overrides'] = [name for name in written if name != '__hash__' or not is_plain]
        told['methods'] = any(acts(name, value) for base in own if self.is_own(base) for name, value in vars(base).items())
        told['abstract'], told['dictionary'] = inspect.isabstract(kind), kind.__dictoffset__ != 0
        self.add_claims(kind, told)
        told['protocol'], told['checks'] = protocol_of(kind), checks_of(kind)
        told['extended'] = self.extended.number_of(kind)
        match = getattr(kind, '__match_args__', ())
        told['given'] = ORIGINS[id(kind)].number if id(kind) in ORIGINS else None
        told['match'] = [str(name) for name in match] if type(match) is tuple else []
        return told

    def bases(self, kind):
        found = []
        for base in kind.__bases__:
            if self.is_own(base):
                found.append(self.describe(base))
            elif getattr(builtins, base.__name__, None) is base:
                found.append(str(base.__name__))
        return found

    def members(self, kind, own):
        written = {name for base in own if self.is_own(base) for name in vars(base) if self.is_written(kind, base, name)}
        texts, compared, operators = ([name for name in names if name in written] for names in (
            ('__str__', '__repr__', '__format__'), ('__eq__', '__ne__', '__lt__', '__le__', '__gt__', '__ge__'), SPECIAL_METHODS))
        told = {'enum': [root_name(kind), [[str(name), self.tell(member._value_)] for name, member in kind.__members__.items()]],
                'texts': texts, 'compared': compared, 'operators': operators,
                'hidden': [name for name in written if not name.startswith('_') and any(name in vars(base) for base in own if not self.is_own(base))]}
        told['copied'] = [name for name in COPYING if name in written]
        told['sets'], told['asked'] = '__setattr__' in written, [name for name in OF_ENUMERATIONS if name in written_of(type(kind).__mro__)]
        if written & {'__bool__', '__len__'}:
            told['false'] = [str(member._name_) for member in kind if not truth_of(member)]
        boundary = getattr(kind, '_boundary_', None)
        return told if boundary is None else {**told, 'boundary': str(boundary._name_)}

    def is_written(self, kind, base, name):
        """True for what a class holds itself: the language also gives enumerations methods of their bases."""
        value = vars(base)[name]
        return not any(vars(each).get(name) is value for each in kind.__mro__ if not self.is_own(each))

    def equality(self, kind, told, own):
        """By what instances are compared: their fields, an operator of an own class, a base, or identity."""
        equal = next((base for base in own if '__eq__' in vars(base)), None)
        return 'value' if told.get('value') else 'own' if equal is not None and self.is_own(equal) else \
            'base' if any(issubclass(kind, each) for each in CONTAINERS) else 'library' if library_base(kind) or root_of(kind) else 'identity'

    def add_claims(self, kind, told):
        """Adds how objects are made, and what they keep of what they are given."""
        base = base_of_class(kind) if told['equal'] in ('base', 'library') else None
        making = base is tuple and 'named' not in told and packing_of(kind, self.tell) or making_of(kind, told, base, self.tell)
        if making is not None:
            told['making'] = making
        if told['equal'] == 'own' and base_of_class(kind) is None and not told['exception']:
            keeping = keeping_of(kind, self.tell)
            if keeping is not None:
                told['keeps'] = keeping
