"""Named tuples of the artifact: values, with what their classes define beside the fields. Standard library only."""
import functools
import itertools

import pickling
from acting import copied
from comparison import ORDERS, ordered_by
from equality import vouch_plain, vouch_tuples
from method_names import ACTING, BY_REFERENCE
from own_operators import asks_tuples, by_name, compared_tuples
from remote import RemoteClass, left, left_later, unvouched
from reports import is_reporting
from stand_in import StandIn, held_in, id_of, is_made, is_pure, is_waiting, iter_plainly, note_equated, same


def named_attribute(self, name):
    """What a named tuple of the artifact has beside its fields: methods and properties, asked for in its box."""
    if name.startswith('_') or not is_told(self):
        raise AttributeError(name)
    return type(self)._judge_link.value({'do': 'get', 'of': id_of(self), 'name': name}, inert=not acts(self))


def acts(part):
    """True for a named tuple whose methods are believed."""
    kind, held = type(part), held_in(part)
    # What the test has made of a class that it names is no answer.
    return kind._judge_link.allows_in_test('part', kind._judge_link.is_vouched(kind)) or '_judge_new' in held or bool(held.get('_judge_live'))


def is_told(part):
    """True for a named tuple that the artifact knows, or that is made of what the test gave its class."""
    return bool({'_judge_id', '_judge_given'} & set(held_in(part)))


def used(name):
    """A method by which the class of a named tuple lets it be called, entered or changed, as no tuple is."""
    whole = '__%s__' % name

    def method(self, /, *args, **kwargs):
        link = type(self)._judge_link
        if not is_told(self):
            raise TypeError('%r object does not support %s' % (type(self).__name__, name))
        if not acts(self) and not link.trusts_operators(self):
            raise link.refuse(unvouched(whole))
        found = link.call({'do': 'method', 'of': id_of(self), 'name': whole}, args, kwargs, iterator=name == 'next')
        if name == 'enter' and type(found) is type(self) and held_in(found).get('_judge_id') == id_of(self):
            return self
        return left_later(link, args, found) if name == 'aexit' else left(link, args, found) if name == 'exit' else found
    return method


def own_truth(self):
    """The truth of a named tuple whose class says that itself: of an answer it is believed where it is that of a tuple, or the reference was asked."""
    link, is_true = type(self)._judge_link, tuple.__len__(self) > 0
    if not is_told(self):
        return is_true
    found = link.value({'do': 'bool', 'of': id_of(self)}) is True
    if not link.allows('bool', is_made(self) or found is is_true) and found is not is_true and not link.trusts_operators(self):
        raise link.refuse('answered an object (%s) where a truth value was expected; neither the suite nor a reference vouches for its bool' % type(self).__name__)
    return found


def named_operator(name):
    """An operator of arithmetic that the class of a named tuple defines. What it answers for a value of the test is a value again where only a reference
    says so: as a number it would be the artifact's word about what the test may expect."""
    otherwise = getattr(tuple, name, None)

    def method(self, *others):
        link = type(self)._judge_link
        if not is_told(self):
            return NotImplemented if otherwise is None else otherwise(self, *others)
        found = link.call({'do': 'method', 'of': id_of(self), 'name': name}, others, {})
        is_given = any(not isinstance(type(each), RemoteClass) and not issubclass(type(each), StandIn) for each in others)
        is_value = is_given and found is not NotImplemented and not isinstance(type(found), RemoteClass)
        if not link.allows('arithmetic', not is_value) and not link.trusts_operators(self):
            raise link.refuse('answered no object where arithmetic of an object (%s) with a value of the test was expected; add a reference'
                              % type(self).__name__)
        return found
    return method


def named_conversion(name):
    """A conversion that the class of a named tuple defines. Of an answer it is believed where the reference's object was converted."""
    otherwise = getattr(tuple, name, None)

    def method(self, *args):
        link = type(self)._judge_link
        if otherwise is not None and not is_told(self):
            return otherwise(self, *args)
        if not link.allows('conversion', is_made(self)) and not link.trusts_operators(self):
            raise link.refuse('answered an object (%s) where a number or text was expected; add a reference' % type(self).__name__)
        return link.call({'do': 'method', 'of': id_of(self), 'name': name}, args, {})
    return method


def named_collection(name):
    """A method by which the class of a named tuple says itself what it contains. Of an answer it is believed where that of the reference was, and where it
    says what the tuple holds."""
    otherwise = getattr(tuple, name, None)

    def method(self, *args):
        link, held = type(self)._judge_link, held_in(self)
        is_believed = is_told(self) and ('_judge_new' in held or link.allows_in_test('items', link.is_vouched(type(self))) or link.trusts_operators(self))
        if not is_told(self) or not is_believed and is_reporting(link.suite):
            return reversed(tuple(tuple.__iter__(self))) if otherwise is None else otherwise(self, *args)
        if not is_believed and name == '__contains__':
            return link.note_contains(self, args[0], otherwise(self, *args))
        found = link.call({'do': 'method', 'of': id_of(self), 'name': name}, args, {}, iterator=name in ITERATING)
        found = iter(found) if name in ITERATING else found is True if name == '__contains__' else found
        return found if is_believed else held_against(self, name, args, found)
    return method


def held_against(part, name, args, found):
    """What a named tuple says itself that it contains, where that is what it holds."""
    items = tuple(tuple.__iter__(part))
    said = list(getattr(list(items), name)(*args)) if name in ITERATING else looked_up(items, name, args)
    held = list(itertools.islice(found, len(items) + 1)) if name in ITERATING else found
    if not same(held, said):
        raise type(part)._judge_link.refuse('answered an object (%s) whose %s() says something else than what it contains; name its class in `objects`, or add a reference'
                                            % (type(part).__name__, name))
    return iter(held) if name in ITERATING else found


def looked_up(items, name, args):
    try:
        return getattr(items, name)(*args)
    except (LookupError, TypeError):
        return NotImplemented


def copied_tuple(name, do):
    """A copy of a named tuple that the test holds, which its class makes."""
    def method(self, *args):
        if not is_told(self):
            return tuple.__new__(type(self), tuple.__iter__(self))
        return pickling.reduced(copied(self, do), copied) if name == '__reduce_ex__' else copied(self, do)
    return method


def is_converted_by_class(part, other):
    """True for an object that only the test has made so far, of a class that may convert what it is given, and one that the artifact has made."""
    if type(part) is not type(other) or not all(map(is_told, (part, other))):
        return False
    waiting = [each for each in (part, other) if is_waiting(each)]
    return len(waiting) == 1 and not is_pure(waiting[0])


def is_same_but_converted(one, other):
    """Equality of values, with lists for tuples."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        pair = list(iter_plainly(one)), list(iter_plainly(other))
        return len(pair[0]) == len(pair[1]) and all(map(is_same_but_converted, *pair))
    return one is other or bool(one == other)


def compared_by(name):
    """An operator of named tuples, which are compared as values."""
    operator = getattr(tuple, name)

    def method(self, other):
        note_equated(self, other)
        found = operator(self, other)
        if found is (name == '__ne__') and is_converted_by_class(self, other) and is_same_but_converted(self, other):
            found = type(self)._judge_link.confirm_equal(self, other) is (name == '__eq__')
        if found is (name != '__ne__'):
            if isinstance(type(other), RemoteClass):
                vouch_tuples(self, other)
            else:
                type(self)._judge_link.note_mixed(self)
                vouch_plain(self, tuple(tuple.__iter__(self)), tuple(tuple.__iter__(other)))
        return found
    return method


def own_equality(name):
    """An own `==` or `!=` of a class of named tuples."""
    by_content = compared_by(name)

    def method(self, other):
        note_equated(self, other)
        if not asks_tuples(self, other, 'comparison'):
            return type(self)._judge_link.note_tuples(name, self, other, by_content(self, other))
        return by_name(self, other, compared_tuples(self, other), name[2:-2])
    return method


def own_order(name, operators):
    """An own operator of order of a class of named tuples; `operators`: all that it has."""
    by_content, known = compared_by(name), [each for each in ORDERS if '__%s__' % each in operators]

    def method(self, other):
        note_equated(self, other)
        if not asks_tuples(self, other, 'comparison'):
            return type(self)._judge_link.note_tuples(name, self, other, by_content(self, other))
        return ordered_by(self, other, name[2:-2], True, known)
    return method


def own_hash(self):
    """Hashes a named tuple by the artifact's own function, as the reference's object is hashed at this place."""
    note_equated(self)
    if not asks_tuples(self, self, 'hash'):
        type(self)._judge_link.note_hash(self)
        return tuple.__hash__(self)
    # Texts have other hashes in the other box.
    if type(self)._judge_link.value({'do': 'plain hash', 'of': id_of(self)}) is True:
        return tuple.__hash__(self)
    return hash(type(self)._judge_link.value({'do': 'hash', 'of': id_of(self)}))


def hash_of_values(self):
    note_equated(self)
    return tuple.__hash__(self)


def no_hash(self):
    raise TypeError('unhashable type: %r' % type(self).__name__)


def written_by(name):
    """A text of a named tuple whose class writes it."""
    otherwise = getattr(tuple, name)

    def method(self, *spec):
        link = type(self)._judge_link
        is_apart = link.is_naming() or is_reporting(link.suite)
        if not is_told(self) or is_apart and is_waiting(self):
            return otherwise(self, *spec)
        is_asked = not is_made(self) or is_apart or link.allows('text', True) or link.trusts_operators(self)
        if not is_asked:
            raise link.refuse('is written by a %s() of its class %s; add a reference' % (name, type(self).__name__))
        asked = {'do': 'method', 'of': id_of(self), 'name': name}
        text = str(link.call(asked, spec, {}) if spec else link.value({'do': name.strip('_'), 'of': id_of(self)}))
        if not is_apart:
            link.note_text(self, text)
        return text
    return method


class OwnPart:
    """What the class of a named tuple has in the place of a field, or of a method, that the language gives it."""

    def __init__(self, name, otherwise):
        self.name, self.otherwise = name, otherwise

    def __get__(self, part, kind):
        if part is None and self.name != '_make':
            return self.otherwise
        if part is not None and not is_told(part):
            raise kind._judge_link.refuse('has no object in its own box whose %s of its class %s could be asked' % (self.name, kind.__name__))
        return functools.partial(answered, part, kind, self.name) if self.name in METHODS else \
            kind._judge_link.value({'do': 'get', 'of': id_of(part), 'name': self.name}, inert=not acts(part))


def answered(part, kind, name, /, *args, **kwargs):
    """What a method answers that the language has as well: without a reference, to values of the test, only what the language does."""
    link = kind._judge_link
    if name == '_make' and args:
        args = (args[0] if type(args[0]) in (list, tuple) else list(args[0]), *args[1:])
    found = link.call({'do': 'method', 'of': kind._judge_id if name == '_make' else id_of(part), 'name': name}, args, kwargs)
    if is_alike(found, said_by_language(part, kind, name, args, kwargs)):
        return found
    is_trusted = link.is_trusted(kind) or bool(link.settings.get('remote_eq'))
    is_claimed = acts(part) if link.is_alone() and part is not None and not args and not kwargs else link.allows_in_test('own method', False)
    if not is_trusted and not is_claimed:
        raise link.refuse('its class %s has an own %s(), which says another thing than that of the language; name the class in `objects`, or add a reference'
                          % (kind.__name__, name))
    return found


def said_by_language(part, kind, name, args, kwargs):
    """What the method of the language answers, or an object that is equal to none."""
    items = None if part is None else tuple(tuple.__iter__(part))
    try:
        if name == '_make':
            return tuple.__new__(kind, *args, **kwargs)
        if name == '_replace':
            held = dict(zip(kind._fields, items))
            return tuple.__new__(kind, {**held, **kwargs}.values()) if not args and set(kwargs) <= set(held) else object()
        return dict(zip(kind._fields, items)) if name == '_asdict' else getattr(items, name)(*args, **kwargs)
    except (TypeError, ValueError):
        return object()


def is_alike(found, said):
    """True for two values of one type that hold the same."""
    if type(found) is not type(said):
        return False
    if type(found) is dict:
        found, said = list(found.items()), list(said.items())
    if isinstance(found, (list, tuple)):
        pair = list(iter_plainly(found)), list(iter_plainly(said))
        return len(pair[0]) == len(pair[1]) and all(map(is_alike, *pair))
    return same(found, said)


def make_plainly(cls, root, items):
    """The `_make` of the language: what it makes of a class that only keeps what it is given is what calling the class makes, so that the artifact can be
    told of it."""
    items = list(items)
    is_simple = cls._judge_making is not None and cls._judge_making.simple and len(items) == len(cls._fields)
    return cls(*items) if is_simple else vars(root)['_make'].__get__(None, cls)(items)


def setting(has_own, has_dictionary):
    """How an attribute of a named tuple is set: by a `__setattr__` of its class, in its dictionary, or not at all."""
    def method(self, name, value):
        link = type(self)._judge_link
        if not has_own and name in type(self)._fields:
            raise AttributeError("can't set attribute")
        if not has_own and not has_dictionary:
            raise AttributeError('%r object has no attribute %r' % (type(self).__name__, name))
        if not is_told(self):
            return object.__setattr__(self, name, value)
        link.value({'do': 'set', 'of': id_of(self), 'name': name, 'value': link.leave(value)})
    return method


class Defaults:
    """The defaults of the fields of a class of named tuples."""

    def __get__(self, part, kind):
        return kind._judge_link.value({'do': 'get', 'of': kind._judge_id, 'name': '_field_defaults'}, inert=True)


TUPLE_METHODS = {name: compared_by(name) for name in ('__eq__', '__ne__', '__lt__', '__le__', '__gt__', '__ge__')}
TUPLE_METHODS.update({name: copied_tuple(name, do) for name, do in (('__copy__', 'copy'), ('__deepcopy__', 'deepcopy'), ('__reduce_ex__', 'pickle'))})
#: Methods of a named tuple by which it is a collection, and those that iterate.
COLLECTING_OF_TUPLES, ITERATING = ('__len__', '__iter__', '__contains__', '__getitem__', '__reversed__'), ('__iter__', '__reversed__')
#: Methods that the language gives named tuples, beside operators.
METHODS = ('_make', '_replace', '_asdict', 'count', 'index')
#: What no tuple does.
USED = [name for name in ACTING if '__%s__' % name not in COLLECTING_OF_TUPLES]
#: Operators of arithmetic.
OPERATORS, CONVERSIONS = (frozenset('__%s__' % name for name, kind in BY_REFERENCE.items() if kind == wanted) for wanted in ('arithmetic', 'conversion'))


def members_of_tuples(root, desc):
    """What a class of named tuples holds that is derived from `root`, beside the fields: methods that the artifact's class defines itself are asked."""
    operators, texts, hidden = ([str(each) for each in desc.get(key, ())] for key in ('operators', 'texts', 'hidden'))
    is_unhashable = desc.get('unhashable') is True
    made = {'__getattr__': named_attribute, '_field_defaults': Defaults(), **TUPLE_METHODS}
    made.update({key: named_operator(key) for key in OPERATORS if key in operators})
    made.update({key: named_conversion(key) for key in CONVERSIONS if key in operators and key != '__format__'})
    made.update({key: own_equality(key) for key in ('__eq__', '__ne__') if key in operators})
    made.update({'__%s__' % key: own_order('__%s__' % key, operators) for key in ORDERS if '__%s__' % key in operators})
    made['__hash__'] = no_hash if is_unhashable else own_hash if '__hash__' in operators else hash_of_values
    made.update({key: named_collection(key) for key in COLLECTING_OF_TUPLES if key in operators})
    made.update({'__%s__' % key: used(key) for key in USED if '__%s__' % key in operators})
    if '__bool__' in operators:
        made['__bool__'] = own_truth
    # What is made by one of these can be asked as well.
    hidden = {*hidden, '_make', '_replace'} if hidden else ()
    made['_make'] = classmethod(lambda cls, items: make_plainly(cls, root, items))
    made.update({key: OwnPart(key, vars(root).get(key, getattr(tuple, key, None))) for key in hidden if key in METHODS or key in root._fields})
    made['__setattr__'] = setting(desc.get('sets') is True, desc.get('dictionary') is True)
    written = {*texts, *({'__format__'} & set(operators))}
    made.update({key: written_by(key) for key in ('__str__', '__repr__', '__format__') if key in written})
    return made
