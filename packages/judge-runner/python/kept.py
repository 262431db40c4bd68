"""What objects of the artifact's classes hold that only keep what they are given: worked out beside the test from what it gave them, by
the claim of their class. Standard library only."""
import copy
import decimal
import fractions
import inspect
import itertools
import types

from given import Given
from originals import held
from stand_in import objects_in, same

copy = held(copy)
KINDS = {'only': inspect.Parameter.POSITIONAL_ONLY, 'both': inspect.Parameter.POSITIONAL_OR_KEYWORD, 'args': inspect.Parameter.VAR_POSITIONAL,
         'named': inspect.Parameter.KEYWORD_ONLY, 'kwargs': inspect.Parameter.VAR_KEYWORD}
ITEMS = (list, tuple, set, frozenset, dict, str, range)
ORDERED = (list, tuple, str, range)
NUMBERS = (int, float, decimal.Decimal, fractions.Fraction)
#: What a conversion is carried out on: values of the language only, so that nothing of the test's is changed or used up by it.
CONVERTED = {
    'list': (list, ITEMS), 'tuple': (tuple, ITEMS), 'set': (set, (set, frozenset)), 'frozenset': (frozenset, (set, frozenset)), 'dict': (dict, (dict,)),
    'int': (int, (int, bool, str)), 'float': (float, (int, float, str)), 'str': (str, (str, int, float)),
    'Decimal': (decimal.Decimal, (str, int, float, decimal.Decimal)), 'Fraction': (fractions.Fraction, (str, int, fractions.Fraction))}
MAX_TEXT, MAX_ITEMS = 1000, 100_000
ITERATORS = (types.GeneratorType, map, filter, zip, reversed, enumerate, *(type(iter(each)) for each in ([], (), '', range(0), {})))


class Unknown(Exception):
    """A part of which the claim of the class does not say what it holds."""


def convert(name, value):
    function, kinds = CONVERTED[name]
    if type(value) not in kinds or type(value) is str and len(value) > MAX_TEXT:
        raise Unknown(name)
    try:
        # A few characters of a claim could stand for numbers and lists that fill this box: '1e999999999', range(10**12).
        if type(value) in ITEMS and len(value) > MAX_ITEMS or name == 'Fraction' and type(value) is str and 'e' in value.lower():
            raise Unknown(name)
        return function(value)
    except Exception:
        raise Unknown(name)  # The constructor itself raises what it has to.


def keeps(value, made):
    """True where a value can be told from what was made of it."""
    if type(value) is bool or type(made) is bool:
        return value is made
    if type(value) in NUMBERS + (str,) and type(made) in NUMBERS:
        try:
            return value == made or decimal.Decimal(str(value)) == decimal.Decimal(str(made))
        except Exception:
            return False
    if type(made) is str and type(value) in NUMBERS:
        return str(value) == made
    if type(value) in ORDERED and type(made) in (list, tuple):
        return len(value) == len(made) and all(one is other or keeps(one, other) for one, other in zip(value, made))
    return same(value, made)


def copied(value):
    """A container of the test as it is now: what is made of it does not change with it."""
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(copied, value))
    return {key: copied(each) for key, each in value.items()} if type(value) is dict else value


def checked(told, depth=0):
    """An expression as a class may tell it. Raises ValueError for any other."""
    shapes = {'given': 2, 'like': 2, 'constant': 2, 'tuple': 2, 'list': 2, 'as': 3, 'each': 3, 'when': 5}
    if depth > 8 or type(told) is not list or not told or shapes.get(told[0] if type(told[0]) is str else None) != len(told):
        raise ValueError('no expression')
    kind = told[0]
    if kind in ('given', 'like') and type(told[1]) is not str or kind in ('as', 'each') and (type(told[1]) is not str or told[1] not in CONVERTED):
        raise ValueError('no expression')
    for each in told[1] if kind in ('tuple', 'list') else told[2:]:
        checked(each, depth + 1)
    return told


def given_in(told):
    """The parameters in an expression."""
    return {told[1]} if told[0] in ('given', 'like') else set().union(*(given_in(each) for each in (told[1] if told[0] in ('tuple', 'list') else told[2:])
                                                             if told[0] != 'constant'))


class Keeping:
    """What a class claims to keep of what its objects are given."""

    def __init__(self, told, arrive):
        self.pure, self.settable, self.arrive = told['pure'] is True, told['settable'] is True, arrive
        self.parameters = [(kind, str(name), optional is True) for kind, name, optional in told['parameters']]
        self.signature = inspect.Signature([inspect.Parameter(name, KINDS[kind]) for kind, name, _ in self.parameters])
        self.optional = {name for kind, name, optional in self.parameters if optional or kind in ('args', 'kwargs')}
        self.defaults = {str(name): value for name, value in told['defaults']}
        self.parts = {str(name): checked(expression) for name, expression in told['keeps']}
        names, falls = told['orders'] or (None, False)
        self.orders, self.falls = names and [str(name) for name in names], falls is True
        shown = set().union(*map(given_in, self.parts.values()))
        #: True where the class says of each parameter which part shows it.
        self.is_full = set(self.signature.parameters) <= shown
        #: Parameters that a part holds as they are, with changes that the test makes in them later, and those of which it is not known.
        self.aliased = {each[1] for each in self.parts.values() if each[0] in ('given', 'like')} | set(self.signature.parameters) - shown

    def parts_apart(self, kind, apart):
        """The parts by which objects are not compared: those that hold what they are given as some parameters, and nothing else."""
        told = {part for part, expression in self.parts.items() if given_in(expression) and given_in(expression) <= apart}
        named = told.union(*(names_for(name, kind) for name in apart))
        others = set(self.signature.parameters) - apart
        used = {part for part, expression in self.parts.items() if given_in(expression) & others}
        return named - used.union(*(names_for(name, kind) for name in others))

    def bind(self, args, kwargs):
        """What is given by the names of the parameters, with arguments that do not change with it; None where it does not fit."""
        try:
            bound = self.signature.bind_partial(*args, **kwargs)
        except TypeError:
            return None
        if any(name not in bound.arguments and name not in self.optional for name in self.signature.parameters):
            return None
        for name in bound.arguments:
            if name not in self.aliased:
                bound.arguments[name] = copied(bound.arguments[name])
        return bound

    def unrolled(self, args, kwargs):
        """Arguments with lists for iterators of which a part is the content, and nothing else uses them: `list(items)`."""
        try:
            bound = self.signature.bind_partial(*args, **kwargs)
        except TypeError:
            return args, kwargs
        for name, value in bound.arguments.items():
            uses = [each for each in self.parts.values() if name in given_in(each)]
            if type(value) in ITERATORS and self.pure and len(uses) == 1 and uses[0][0] == 'as' and uses[0][1] in ('list', 'tuple') and \
                    uses[0][2] == ['given', name]:
                read = list(itertools.islice(value, MAX_ITEMS))
                bound.arguments[name] = read if len(read) < MAX_ITEMS else itertools.chain(read, value)
        return bound.args, bound.kwargs

    def value(self, expression, names):
        """What an expression makes of what is given, and the parameters that can be told from it."""
        kind, told = expression[0], expression[1]
        if kind in ('given', 'like'):
            if told not in names or kind == 'like':
                raise Unknown(told)
            return names[told], {told}
        if kind == 'constant':
            return self.arrive(told), set()
        if kind in ('tuple', 'list'):
            found = [self.value(each, names) for each in told]
            return (tuple if kind == 'tuple' else list)(value for value, _ in found), set().union(*(kept for _, kept in found))
        if kind == 'when':
            value, kept = self.value(expression[2], names)
            is_there = value is not None if told == 'some' else type(value) in (type(None), bool, *NUMBERS, *ITEMS) and bool(value)
            if told == 'true' and type(value) not in (type(None), bool, *NUMBERS, *ITEMS):
                raise Unknown('truth')
            found, from_it = self.value(expression[3 if is_there else 4], names)
            return found, from_it | (kept if not is_there and (value is None or keeps(value, found)) else set())
        value, kept = self.value(expression[2], names)
        if kind == 'each':
            if type(value) not in ORDERED:
                raise Unknown('items')
            made = [convert(told, each) for each in value]
        else:
            made = convert(told, value)
        return made, kept if keeps(value, made) else set()


class Kept(Given):
    """What the test gave an object of a class with a `==` of its own.

    `parts`: what it holds by that, by name, `likes` those that hold it in another form, by parameter, and `bound_parts` those that show something
    given; `unshown`: what was given, or would be by default, of which no part shows it as it is; None where it does not fit; `is_whole`: the object
    holds nothing else than `parts`.
    """

    def __init__(self, keeping, args, kwargs, told):
        super().__init__(None, args, kwargs, told)
        self.later = {}
        self.keeping, self.parts, self.likes, self.bound_parts, self.unshown, self.is_whole = keeping, {}, {}, set(), None, False
        #: The parameters for which the test gave something.
        self.filled = frozenset()
        bound = keeping.bind(args, kwargs) if keeping is not None else None
        if bound is None:
            return
        names = {**{name: keeping.arrive(value) for name, value in keeping.defaults.items()}, **bound.arguments}
        for name in self.missing(keeping, bound):
            names.setdefault(name, () if keeping.signature.parameters[name].kind is KINDS['args'] else {})
        held, self.is_whole = set(), True
        for part, expression in keeping.parts.items():
            try:
                value, found = keeping.value(expression, names)
            except Unknown:
                self.is_whole = False
                if expression[0] == 'like':
                    self.likes[expression[1]] = part
                    if expression[1] in bound.arguments:
                        self.bound_parts.add(part)
                continue
            self.parts[part] = value
            held |= found
            if found & set(bound.arguments):
                self.bound_parts.add(part)
        self.filled = frozenset(bound.arguments)
        self.unshown = {name: value for name, value in names.items() if name not in held}
        self.is_whole = self.is_whole and bool(self.parts) and self.filled <= held and keeping.pure
        if self.is_whole:
            self.args, self.kwargs = bound.args, bound.kwargs

    def set_part(self, name, value):
        if not self.keeping.settable or name not in self.keeping.parts:
            return False
        self.parts, self.later = {**self.parts, name: value}, {**self.later, name: value}
        return True

    def attributes(self, own):
        return dict(self.parts) if self.is_whole else None

    def set_later(self):
        return self.later.items()

    def reached(self):
        return [each for value in (*self.args, *self.kwargs.values(), *self.later.values()) for each in objects_in(value)]

    def kept_in(self, kind, held):
        """The parts that by their names keep what no part shows as it is, by parameter; `held`: what an object holds that the artifact cannot have
        made for this one."""
        found = {name: self.likes.get(name) or next((each for each in names_for(name, kind) if each in held), None) for name in self.unshown}
        return {name: part for name, part in found.items() if part is not None and part not in self.parts}

    def of_copy(self, original):
        found = super().of_copy(original)
        # Only its class says how it copies: what it holds is asked for.
        found.is_whole = False
        return found

    @staticmethod
    def missing(keeping, bound):
        return [name for name, each in keeping.signature.parameters.items()
                if each.kind in (KINDS['args'], KINDS['kwargs']) and name not in bound.arguments]


def names_for(parameter, kind):
    """The names under which objects of a class keep what they are given as a parameter: its own, and private ones of the class and its bases."""
    return parameter, '_' + parameter, *('_%s__%s' % (base.__name__.lstrip('_'), parameter) for base in kind.__mro__)


def snapshot(given):
    """What the test gave an object as it is now: it may change the object, or a container that it gave, before an operator is asked."""
    found = copy.copy(given)
    found.args, found.kwargs = tuple(map(copied, given.args)), {name: copied(value) for name, value in given.kwargs.items()}
    return found


def frozen(value, depth=0):
    """A value that can be hashed, the same for equal values."""
    if depth > 8:
        return None
    if type(value) in (list, tuple):
        return tuple(frozen(each, depth + 1) for each in value)
    if type(value) is dict:
        return frozenset((key, frozen(each, depth + 1)) for key, each in value.items())
    if type(value) is set:
        return frozenset(value)
    try:
        hash(value)
    except TypeError:
        return None
    return value
