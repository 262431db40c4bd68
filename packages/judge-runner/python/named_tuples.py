"""Named tuples of the artifact: values, with what their classes define beside the fields. Standard library only."""
import pickling
from acting import copied
from comparison import ORDERS, ordered_by
from equality import vouch_plain, vouch_tuples
from method_names import BY_REFERENCE
from own_operators import asks_tuples, compared_tuples
from remote import RemoteClass
from reports import is_reporting
from stand_in import StandIn, held_in, id_of, is_made, is_pure, is_waiting, iter_plainly, note_equated


def named_attribute(self, name):
    """What a named tuple of the artifact has beside its fields: methods and properties, asked for in its box."""
    if name.startswith('_') or not {'_judge_id', '_judge_given'} & set(held_in(self)):
        raise AttributeError(name)
    kind = type(self)
    # What the test has made of a class that it names is no answer.
    held = held_in(self)
    vouched = kind._judge_link.allows_in_test('part', kind._judge_link.is_vouched(kind)) or '_judge_new' in held or held.get('_judge_live')
    return kind._judge_link.value({'do': 'get', 'of': id_of(self), 'name': name}, inert=not vouched)


def named_operator(name):
    """An operator of arithmetic that the class of a named tuple defines. What it answers for a value of the test is a value again where only a reference
    says so: as a number it would be the artifact's word about what the test may expect."""
    otherwise = getattr(tuple, name, None)

    def method(self, *others):
        link = type(self)._judge_link
        if not {'_judge_id', '_judge_given'} & set(held_in(self)):
            return NotImplemented if otherwise is None else otherwise(self, *others)
        found = link.call({'do': 'method', 'of': id_of(self), 'name': name}, others, {})
        is_told = any(not isinstance(type(each), RemoteClass) and not issubclass(type(each), StandIn) for each in others)
        is_value = is_told and found is not NotImplemented and not isinstance(type(found), RemoteClass)
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
        if otherwise is not None and not {'_judge_id', '_judge_given'} & set(held_in(self)):
            return otherwise(self, *args)
        if not link.allows('conversion', is_made(self)) and not link.trusts_operators(self):
            raise link.refuse('answered an object (%s) where a number or text was expected; add a reference' % type(self).__name__)
        return link.call({'do': 'method', 'of': id_of(self), 'name': name}, args, {})
    return method


def named_collection(name):
    """A method by which the class of a named tuple says itself what it contains. Of an answer it is believed where that of the reference was."""
    otherwise = getattr(tuple, name, None)

    def method(self, *args):
        link, held = type(self)._judge_link, held_in(self)
        is_told = bool({'_judge_id', '_judge_given'} & set(held))
        is_believed = is_told and (link.allows_in_test('items', link.is_vouched(type(self))) or link.trusts_operators(self))
        if not is_told or '_judge_new' not in held and not is_believed:
            return otherwise(self, *args)
        found = link.call({'do': 'method', 'of': id_of(self), 'name': name}, args, {}, iterator=name in ITERATING)
        return iter(found) if name in ITERATING else found is True if name == '__contains__' else found
    return method


def copied_tuple(name, do):
    """A copy of a named tuple that the test holds, which its class makes."""
    def method(self, *args):
        if not {'_judge_id', '_judge_given'} & set(held_in(self)):
            return tuple.__new__(type(self), tuple.__iter__(self))
        return pickling.reduced(copied(self, do), copied) if name == '__reduce_ex__' else copied(self, do)
    return method


def is_converted_by_class(part, other):
    """True for an object that only the test has made so far, of a class that may convert what it is given, and one that the artifact has made."""
    if type(part) is not type(other) or not all({'_judge_id', '_judge_given'} & set(held_in(each)) for each in (part, other)):
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
        return compared_tuples(self, other) is (name == '__eq__')
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
        return type(self)._judge_link.note_tuples('__hash__', self, self, tuple.__hash__(self))
    return hash(type(self)._judge_link.value({'do': 'hash', 'of': id_of(self)}))


def hash_of_values(self):
    note_equated(self)
    return tuple.__hash__(self)


def no_hash(self):
    raise TypeError('unhashable type: %r' % type(self).__name__)


def written_by(name):
    """A text of a named tuple whose class writes it."""
    otherwise = getattr(tuple, name)

    def method(self):
        link = type(self)._judge_link
        is_told = bool({'_judge_id', '_judge_given'} & set(held_in(self))) and not (is_waiting(self) and (link.is_naming() or is_reporting(link.suite)))
        # One text for all would make an answer that of what the test has made.
        is_asked = is_told and (not is_made(self) or link.allows('text', False) or link.trusts_operators(self))
        return str(link.value({'do': name.strip('_'), 'of': id_of(self)})) if is_asked else otherwise(self)
    return method


TUPLE_METHODS = {name: compared_by(name) for name in ('__eq__', '__ne__', '__lt__', '__le__', '__gt__', '__ge__')}
TUPLE_METHODS.update({name: copied_tuple(name, do) for name, do in (('__copy__', 'copy'), ('__deepcopy__', 'deepcopy'), ('__reduce_ex__', 'pickle'))})
#: Methods of a named tuple by which it is a collection, and those that iterate.
COLLECTING_OF_TUPLES, ITERATING = ('__len__', '__iter__', '__contains__', '__getitem__', '__reversed__'), ('__iter__', '__reversed__')
#: Operators of arithmetic.
OPERATORS, CONVERSIONS = (frozenset('__%s__' % name for name, kind in BY_REFERENCE.items() if kind == wanted) for wanted in ('arithmetic', 'conversion'))


def members_of_tuples(operators, texts, is_unhashable):
    """What a class of named tuples holds beside its fields. `operators` and `texts`: what the artifact's class defines itself."""
    made = {'__getattr__': named_attribute, **TUPLE_METHODS}
    made.update({key: named_operator(key) for key in OPERATORS if key in operators})
    made.update({key: named_conversion(key) for key in CONVERSIONS if key in operators})
    made.update({key: own_equality(key) for key in ('__eq__', '__ne__') if key in operators})
    made.update({'__%s__' % key: own_order('__%s__' % key, operators) for key in ORDERS if '__%s__' % key in operators})
    made['__hash__'] = no_hash if is_unhashable else own_hash if '__hash__' in operators else hash_of_values
    made.update({key: named_collection(key) for key in COLLECTING_OF_TUPLES if key in operators})
    made.update({key: written_by(key) for key in ('__str__', '__repr__') if key in texts})
    return made
