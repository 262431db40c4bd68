"""Stand-ins for the artifact's objects in a tester's box. Standard library only.

An answer is a plain value. An object that acts is believed only where the suite's author has said so, where the suite's own
syntax shows it, or where the reference solution answered one at that very place; every other object is inert: its plain
attributes can be read, and all else fails the test.
"""
import builtins
import operator
import re
import sys
import types

import agreement
from comparison import ALL, LIKE, ORDERS, ordered_by, same_as_value, same_by_parts
from expected import (COMPARED, StandIn, attributes_given, contents_equal, field_of, held_in, id_of, is_made, is_set, is_waiting, link_of, plain_of, set_field, use, values_equal,
                      values_of, values_ordered, vouch_plain)
from reports import is_reporting

BY_REFERENCE = {name: 'arithmetic' for name in (
    'add sub mul truediv floordiv mod pow matmul divmod lshift rshift and or xor neg pos abs invert radd rsub rmul rtruediv '
    'rfloordiv rmod rpow rmatmul rand ror rxor iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor').split()}
BY_REFERENCE.update({name: 'conversion' for name in 'int float complex index round trunc floor ceil bytes format fspath'.split()})
BY_REFERENCE.update({name: 'comparison' for name in 'lt le gt ge'.split()})
ACTING = ('len contains getitem setitem delitem iter next reversed enter exit aenter aexit aiter anext await call').split()
#: Functions whose name says that they make objects.
MAKES_OBJECTS = re.compile('_*(?:create|make|build|init|open|new|setup|configure|use|define)(?:_|$)|[a-z_]*_(?:factory|builder)$')
TEXTS = (str, bytes, bytearray)
PREDICATES = set('''startswith endswith issubset issuperset isdisjoint count index rindex find rfind isalnum isalpha isascii isdecimal
isdigit isidentifier islower isnumeric isprintable isspace istitle isupper is_integer'''.split())
PLAIN_NAMES = frozenset(name for kind in (str, int, float, list, tuple, dict, set, bytes, complex) for name in dir(kind)
                        if not name.startswith('_'))
MEANING = {'arithmetic': 'a number', 'conversion': 'a number or text', 'comparison': 'a value that can be ordered'}


class Refused(BaseException):
    """An answer is no value where the test needs one. The test fails, whether it catches this or not."""


class ProtocolError(BaseException):
    """What arrived is no answer. Ends the whole run: no test can catch it."""


class Unsupported(TypeError):
    """The test passes something that cannot leave its box."""


class RemoteError(Exception):
    """The artifact raised what is no Exception."""


def label(part):
    return '<%s object of the artifact>' % type(part).__name__


def unvouched(name):
    return ('answered an object whose method %s() nothing vouches for; name its class in `objects`, or add a reference' % name)


def refusing(name):
    wanted = MEANING.get(BY_REFERENCE.get(name, ''), {
        'call': 'a function', 'iter': 'a list', 'next': 'an iterator', 'len': 'a list or text', 'contains': 'a collection',
        'getitem': 'a list or dict', 'bool': 'a truth value'}.get(name, 'a value'))

    def method(self, *args, **kwargs):
        raise link_of(self).refuse('answered an object (%s) where %s was expected' % (type(self).__name__, wanted))
    return method


class Inert(StandIn):
    """An object of the artifact that nothing vouches for: it has an identity, and attributes that hold plain values."""

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        link = link_of(self)
        if name in PLAIN_NAMES:
            held = content_of(self)
            if name in READS.get(type(held), ()):
                return getattr(held, name)
            raise link.refuse('answered an object (%s) where a plain value with %s was expected' % (type(self).__name__, name))
        return inert_attribute(self, name)

    @property
    def __dict__(self):
        return inert_attribute(self, '__dict__')

    def __setattr__(self, name, value):
        raise link_of(self).refuse('answered an object (%s) where the test sets an attribute' % type(self).__name__)

    def __str__(self):
        return text_of(self, 'str')

    def __repr__(self):
        return text_of(self, 'repr')

    def __eq__(self, other):
        if link_of(self).agrees(type(self)):
            return self is other or own_comparison(self, other, 'eq')
        return compare_values(self, other)

    def __ne__(self, other):
        if self is not other and link_of(self).agrees(type(self)):
            return own_comparison(self, other, 'ne')
        found = self.__eq__(other)
        return found if found is NotImplemented else not found

    def __hash__(self):
        return agreement.hash_of(self) if link_of(self).agrees(type(self)) else id(self)


def inert_attribute(part, name):
    """An attribute with nothing in it that acts; the same until the test calls the artifact again."""
    link, frozen = link_of(part), object.__getattribute__(part, '_judge_frozen')
    if frozen.get(name, (None,))[0] != link.calls:
        frozen[name] = link.calls, link.value({'do': 'get', 'of': id_of(part), 'name': name}, inert=True)
    return frozen[name][1]


#: Methods of containers that change nothing.
READS = {dict: ('get', 'items', 'keys', 'values'), list: ('count', 'index')}
READING = {'len': len, 'iter': iter, 'contains': operator.contains, 'getitem': operator.getitem, 'reversed': lambda held: reversed(list(held))}


def content_of(part):
    """What an object that nothing vouches for contains, as a value; None where it is no collection, and where a reference
    answered a value in its place."""
    return link_of(part).content(part) if link_of(part).is_alone() else None


def reading(name):
    """A method that reads the content of a collection as it was when it was first asked for."""
    otherwise = refusing(name)

    def method(self, *args):
        if is_iterator(self) and name in ('iter', 'len'):
            if name == 'len':
                raise TypeError('object of type %r has no len()' % type(self).__name__)
            return self
        held = content_of(self)
        return otherwise(self) if held is None else READING[name](held, *args)
    return method


def is_iterator(part):
    return link_of(part).is_alone() and '__next__' in type(part)._judge_special


def advancing(name):
    """Asks an iterator for its next item: its class may be one of the artifact's."""
    otherwise = refusing(name)

    def method(self):
        if not is_iterator(self):
            return otherwise(self)
        return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__next__'}, (), {})
    return method


def used(name):
    """Calls, enters or awaits what a call answered, as functions and context managers of the library are."""
    otherwise, whole = refusing(name), '__%s__' % name

    def method(self, *args, **kwargs):
        if '_judge_callable' not in held_in(self) or whole not in type(self)._judge_special:
            return otherwise(self)
        found = link_of(self).call({'do': 'method', 'of': id_of(self), 'name': whole}, args, kwargs)
        if name == 'aexit':
            return left_later(link_of(self), args, found)
        return left(link_of(self), args, found) if name == 'exit' else found
    return method


def ranking(name):
    """Orders two objects by what they hold, where their class has that operator."""
    otherwise, whole = refusing(name), '__%s__' % name

    def method(self, other):
        if isinstance(other, (Acting, Inert)) and link_of(self).agrees(type(self)):
            found = agreement.ordered(self, other, name) if whole in type(self)._judge_special else NotImplemented
            if found is not None:
                return found
        return otherwise(self)
    return method


for each in list(BY_REFERENCE) + ACTING + ['bool']:
    if each in ('call', 'enter', 'exit', 'aenter', 'aexit'):
        setattr(Inert, '__%s__' % each, used(each))
    elif each not in ('bytes', 'format', 'fspath'):
        maker = reading if each in READING else advancing if each == 'next' else ranking if each in ORDERS else refusing
        setattr(Inert, '__%s__' % each, maker(each))


def forget(part):
    """What the test made of a class may be another value after it was used."""
    use(part)
    object.__getattribute__(part, '_judge_frozen').clear()


def compare_values(left, right):
    """Equality of two instances of a class that leaves it to @dataclass, or of a subclass of a builtin container, decided
    here; else identity."""
    equal = type(left)._judge_equal
    if left is right:
        return True
    if equal == 'value' and type(right) is type(left):
        return values_equal(left, right)
    if equal in COMPARED and equal != 'value':
        if isinstance(right, (Acting, Inert)) and type(right)._judge_equal == equal:
            return contents_equal(left, right)
        held = plain_of(left)
        if not held == right:
            return False
        vouch_plain(left, held, right)
        return True
    return NotImplemented


class InertBuiltin:
    """A class of the language as an attribute of something that nothing vouches for: it equals that class, and cannot be called.

    Called as a method it would be the test's own function, with an answer that the artifact has chosen.
    """

    def __init__(self, link, kind):
        self._judge_link, self.kind, self.__name__ = link, kind, kind.__name__

    def __call__(self, *args, **kwargs):
        raise self._judge_link.refuse(unvouched(self.__name__))

    def __eq__(self, other):
        return self.kind is (other.kind if isinstance(other, InertBuiltin) else other)

    def __hash__(self):
        return hash(self.kind)

    def __repr__(self):
        return repr(self.kind)


class Acting(StandIn):
    """An object of the artifact whose attributes and methods are asked for in its box."""

    @property
    def __dict__(self):
        known = attributes_given(self)
        return link_of(self).value({'do': 'get', 'of': id_of(self), 'name': '__dict__'}) if known is None else known

    def __getattr__(self, name):
        # What functools.update_wrapper() gives an object that stands for a function.
        if name.startswith('_judge') or name.startswith('__') and name not in ('__name__', '__qualname__'):
            raise AttributeError(name)
        link = link_of(self)
        own = field_of(self, name)
        if own is not None:
            return own[0]
        # pytest asks the values of its parameters for a name.
        if name.startswith('__') and (is_waiting(self) or is_made(self) and link.is_naming()) or \
                name.startswith('_pytest') and is_waiting(self) and link.agrees(type(self)):
            raise AttributeError(name)
        found = link.value({'do': 'get', 'of': id_of(self), 'name': name})
        made = object.__getattribute__(self, '_judge_made')
        if isinstance(found, Method):
            found.made = made
            forget(self)
        if name in PREDICATES and not made and link.is_alone() and callable(found):
            found = Method(link, id_of(self), name)
            found.inert = True
        return found

    def __setattr__(self, name, value):
        link = link_of(self)
        if set_field(self, name, value):
            return
        if not link.agrees(type(self)) or not is_set(self, name, value):
            forget(self)
        link.value({'do': 'set', 'of': id_of(self), 'name': name, 'value': link.leave(value)})

    def __delattr__(self, name):
        forget(self)
        link_of(self).value({'do': 'delete', 'of': id_of(self), 'name': name})

    def __copy__(self):
        return copied(self, 'copy')

    def __deepcopy__(self, memo):
        return copied(self, 'deepcopy')

    def __bool__(self):
        special = type(self)._judge_special
        if '__bool__' not in special and '__len__' not in special:
            return True
        # One that has no truth value raises an error.
        found = link_of(self).value({'do': 'bool', 'of': id_of(self)}) is True
        allow(self, 'bool', object.__getattribute__(self, '_judge_made'))
        return found

    def __str__(self):
        return text_of(self, 'str')

    def __repr__(self):
        return text_of(self, 'repr')

    def __eq__(self, other):
        if type(self)._judge_equal == 'own':
            return self is other or own_comparison(self, other, 'eq')
        return compare_values(self, other)

    def __ne__(self, other):
        if type(self)._judge_equal == 'own' and self is not other:
            return own_comparison(self, other, 'ne')
        found = self.__eq__(other)
        return found if found is NotImplemented else not found

    def __hash__(self):
        equal = type(self)._judge_equal
        told = type(self)._judge_value
        if equal == 'value':
            if not told['hash']:
                raise TypeError('unhashable type: %r' % type(self).__name__)
            return hash(tuple(values_of(self, told['fields'])))
        if link_of(self).agrees(type(self)):
            return agreement.hash_of(self)
        # It leads to no more than a comparison.
        if equal == 'own' and link_of(self).allows('hash', link_of(self).trusts(self)):
            return hash(link_of(self).value({'do': 'hash', 'of': id_of(self)}))
        return id(self)

    def __iter__(self):
        if '__iter__' not in type(self)._judge_special:
            if '__getitem__' not in type(self)._judge_special:
                raise TypeError('%r object is not iterable' % type(self).__name__)
            return iter_items(self)
        found = link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__iter__'}, (), {}, iterator=True)
        return self if found is self else iter(found)

    def __contains__(self, wanted):
        special = type(self)._judge_special
        if type(self)._judge_equal == 'base' and isinstance(wanted, TEXTS):
            held = plain_of(self)
            if isinstance(held, TEXTS):
                return wanted in held
        if '__contains__' in special and type(self)._judge_equal != 'base' and link_of(self).may_contain(self):
            return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__contains__'}, (wanted,), {}) is True
        if '__iter__' not in special and '__getitem__' not in special:
            raise link_of(self).refuse('answered an object (%s) where a collection was expected' % type(self).__name__)
        return any(item is wanted or item == wanted for item in self)


def copied(part, do):
    """A copy of an object that the test holds, which its class makes."""
    link, made = link_of(part), object.__getattribute__(part, '_judge_made')
    return link.make_copy(part, lambda: link.arrive(link.ask({'do': do, 'of': id_of(part)})['value'], made=made))


def iter_items(part):
    index = 0
    while True:
        try:
            yield part[index]
        except IndexError:
            return
        index += 1


def text_of(part, do):
    link = link_of(part)
    # For the names of tests no artifact need know what they expect.
    if is_made(part) and link.is_naming():
        return label(part)
    # Nor for the message of an assertion that has failed: the next test may expect the same.
    if is_waiting(part) and is_reporting(link.suite):
        return label(part)
    # A text is a plain value, and nothing that the test expects is told for it; but of what was calculated with such a value.
    if not link.allows('text', object.__getattribute__(part, '_judge_made') or not is_derived(part)):
        return label(part)
    return str(link.value({'do': do, 'of': id_of(part)}))


def allow(part, op, default):
    link = link_of(part)
    kind = BY_REFERENCE.get(op, op)
    if not link.allows(kind, default):
        raise link.refuse('answered an object (%s) where %s was expected; neither the suite nor a reference vouches for its %s'
                          % (type(part).__name__, MEANING.get(kind, 'a truth value'), kind))


def own_comparison(part, other, name):
    """The artifact's own comparison of two of its objects, and of one with what the test holds, where the reference needed it.

    What backed it in the reference's run must back it now.
    """
    link = link_of(part)
    is_own = isinstance(other, (Acting, Inert))
    if link.agrees(type(part)):
        return agreement.equal(part, other, name) if is_own else agreement.equals_value(part, other, name)
    if is_own and not link.allows('comparison', link.trusts(part)):
        raise link.refuse('compares two objects (%s) by the artifact\'s own ==; remoteEq or a reference allows it' % type(part).__name__)
    if link.is_alone():
        if not is_own:
            return NotImplemented
        return link.call({'do': 'compare', 'of': id_of(part), 'name': name}, (other,), {}) is True
    same = compared_objects(part, other) if is_own else compared_value(part, other)
    return same if name == 'eq' or same is NotImplemented else not same


def compared_objects(part, other):
    link = link_of(part)
    same, backing = same_by_parts(part, other)
    if backing == ALL or link.trusts(part):
        return same
    if not link.allows('like' if backing == LIKE else 'unlike', False) and not (backing == LIKE and link.allows('unlike', False)):
        raise link.refuse('compares two objects (%s) by the artifact\'s own ==, which calls them equal although they differ more than '
                          'those of the reference' % type(part).__name__)
    return same


def compared_value(part, value):
    link = link_of(part)
    same = same_as_value(part, value)
    if same is not NotImplemented:
        return same if link.allows('equal value', False) else NotImplemented
    same = link.says_equal(part, value) if link.learning or link.allows('unlike value', False) else False
    # Only what the reference called equal needs its word.
    return same if same and link.allows('unlike value', False) else NotImplemented


def forward(name):
    whole = '__%s__' % name

    def method(self, *args, **kwargs):
        link = link_of(self)
        if whole not in type(self)._judge_special:
            raise TypeError('%r object does not support %s' % (type(self).__name__, name))
        made = False
        if name in ORDERS:
            if type(self)._judge_value and type(self)._judge_value['order']:
                return ordered(self, args[0], name)
            if link.agrees(type(self)) and isinstance(args[0], (Acting, Inert)):
                found = agreement.ordered(self, args[0], name)
                if found is not None:
                    return found
            # Only where the reference needed it, and not where the operators contradict each other.
            allow(self, name, link.trusts(self))
            found = None if link.is_alone() else ordered_by(self, args[0], name, isinstance(args[0], (Acting, Inert)))
            if found is not None:
                return found
        forget(self)
        if name in BY_REFERENCE:
            own = all(isinstance(each, Acting) and object.__getattribute__(each, '_judge_made') for each in args)
            made = object.__getattribute__(self, '_judge_made') and own and name not in ORDERS
            if not made and BY_REFERENCE[name] == 'arithmetic' and is_derived(self) and not link.trusts(self) and link.is_alone():
                return derived(self, whole, args)
            allow(self, name, made or link.trusts(self))
        found = link.call({'do': 'method', 'of': id_of(self), 'name': whole}, args, kwargs,
                          made=name in BY_REFERENCE and (made or link.trusts(self)), iterator=name in ('next', 'reversed'))
        if name == 'aexit':
            return left_later(link, args, found)
        return left(link, args, found) if name == 'exit' else found
    return method


async def left_later(link, args, found):
    return left(link, args, await found)


def is_derived(part):
    """True for an object that the test has made, and for what it has calculated from one."""
    return object.__getattribute__(part, '_judge_made') or '_judge_derived' in held_in(part)


def derived(part, whole, args):
    """Arithmetic of an object of the test with its values: the result is an object, which is compared by its parts.

    As a number or a truth value it would be the artifact's word about a value that the test may expect.
    """
    link = link_of(part)
    found = link.call({'do': 'method', 'of': id_of(part), 'name': whole}, args, {})
    if not isinstance(found, Acting):
        if found is NotImplemented:
            return found
        raise link.refuse('answered no object where arithmetic of an object (%s) with a value of the test was expected; name its '
                          'class in `objects`, or add a reference' % type(part).__name__)
    object.__setattr__(found, '_judge_made', False)
    object.__setattr__(found, '_judge_derived', True)
    return found


def ordered(left, right, name):
    if type(right) is not type(left):
        return NotImplemented
    return values_ordered(left, right, getattr(operator, name))


def special_methods(names):
    """The special methods of a stand-in: those that its class has, so that all others fail as they do in one process."""
    made = {}
    for name in list(BY_REFERENCE) + ACTING:
        whole = '__%s__' % name
        if name in ('iter', 'contains') or whole not in names:
            continue
        made[whole] = forward(name)
    return made


class RemoteClass(type):
    """A class of the artifact."""

    def __call__(cls, *args, **kwargs):
        if cls._judge_abstract:
            raise TypeError("Can't instantiate abstract class %s" % cls.__name__)
        link = cls._judge_link
        args, kwargs = link.unrolled(cls, args, kwargs)
        places = link.places()
        made = link.expect(cls, args, kwargs, places)
        return link.make(cls, args, kwargs, places) if made is None else made

    def __getattr__(cls, name):
        if name.startswith('_judge') or name.startswith('__') or name == 'pytestmark':
            raise AttributeError(name)
        link = cls._judge_link
        # The attributes of a class that was only answered would be methods of an answer.
        known = link.knows(cls)
        if not known and name in PLAIN_NAMES:
            raise link.refuse('answered a class where a plain value with %s was expected' % name)
        found = link.value({'do': 'get', 'of': cls._judge_id, 'name': name}, inert=not known)
        if known:
            link.named(name, found)
            if isinstance(found, (RemoteFunction, Method)):
                found.made = True
                found.answered = False
        return found

    def __setattr__(cls, name, value):
        if name.startswith('_judge') or name in ('__abstractmethods__', '__module__', '__qualname__'):
            return type.__setattr__(cls, name, value)
        link = cls._judge_link
        link.value({'do': 'set', 'of': cls._judge_id, 'name': name, 'value': link.leave(value)})

    def __delattr__(cls, name):
        cls._judge_link.value({'do': 'delete', 'of': cls._judge_id, 'name': name})

    def __iter__(cls):
        return iter(cls._judge_link.call({'do': 'method', 'of': cls._judge_id, 'name': '__iter__'}, (), {}, iterator=True))

    def __getitem__(cls, key):
        if not cls._judge_link.knows(cls):
            raise cls._judge_link.refuse('answered a class where a list or dict was expected')
        link = cls._judge_link
        found = link.call({'do': 'method', 'of': cls._judge_id, 'name': '__class_getitem__'}, (key,), {})
        if not isinstance(found, RemoteFunction):
            return found
        # `Box[int]` makes objects as `Box` does.
        if link.value({'do': 'origin', 'of': id_of(found)}) is cls:
            return cls
        found.makes = True
        return found


class RemoteException(Exception):
    """An exception of a class of the artifact."""

    @property
    def __dict__(self):
        return attribute_of_error(self, '__dict__') if '_judge_id' in held_in(self) else held_in(self)

    def __str__(self):
        return held_in(self).get('_judge_text', '')

    def __repr__(self):
        told = held_in(self).get('_judge_repr')
        return told if type(told) is str else Exception.__repr__(self)

    def __getattr__(self, name):
        if name.startswith('_') or '_judge_id' not in held_in(self):
            raise AttributeError(name)
        return attribute_of_error(self, name)

    __hash__ = Exception.__hash__


def attribute_of_error(error, name):
    link = type(error)._judge_link
    inert = not link.allows('object', link.is_vouched(type(error)))
    return link.value({'do': 'get', 'of': held_in(error)['_judge_id'], 'name': name}, inert=inert)


class RemoteFunction:
    """A function of the artifact, or something that is called like one."""

    made = False
    answered = True
    #: True for the answer of a call that was given a function: what a decorator makes has attributes.
    decorated = False
    #: True for what stands in the place of a class.
    makes = False

    def __call__(self, *args, **kwargs):
        link, made = link_of(self), self.made
        # The name of a function that was answered is the artifact's.
        if not self.answered and self.__name__ in link.settings.get('objects', ()):
            made = 'named'
        elif not self.answered and not made and link.is_alone() and link.makes_objects(self.__name__):
            made = 'makes'
        def call():
            return link.call({'do': 'call', 'of': id_of(self)}, args, kwargs, made=made)
        is_class = self.makes or not self.answered and link.is_class_name(self.__name__)
        found = link.make_by(args, kwargs, call, self.__name__) if is_class else call()
        if isinstance(found, RemoteFunction) and not self.answered and any(map(is_function, args)):
            found.decorated = True
        return found

    def __get__(self, owner, kind=None):
        return self

    def __getattr__(self, name):
        if name.startswith('_') or name == 'pytestmark':
            raise AttributeError(name)
        link = link_of(self)
        # The attributes of a function that was answered would be methods of an answer.
        believed = not self.answered or self.decorated and name not in PREDICATES or link.allows('object', False)
        if name in PLAIN_NAMES and not believed:
            raise link.refuse('answered a function where a plain value with %s was expected' % name)
        return link.value({'do': 'get', 'of': id_of(self), 'name': name}, inert=not believed)

    def __setattr__(self, name, value):
        if name in ('made', 'answered', 'decorated', 'makes', '__name__', '__qualname__', '__doc__') or name.startswith('_judge'):
            return object.__setattr__(self, name, value)
        link = link_of(self)
        link.value({'do': 'set', 'of': id_of(self), 'name': name, 'value': link.leave(value)})


    def __bool__(self):
        return truth(self)


def is_function(part):
    return isinstance(part, (types.FunctionType, types.MethodType, RemoteFunction))


def doc_of(part):
    return part.__dict__.get('_judge_doc') or link_of(part).value({'do': 'get', 'of': id_of(part), 'name': '__doc__'})


RemoteFunction.__doc__ = property(doc_of, lambda part, text: part.__dict__.update(_judge_doc=text))
RemoteClass.__doc__ = property(lambda cls: cls._judge_link.value({'do': 'get', 'of': cls._judge_id, 'name': '__doc__'}))


class Method:
    """A method of an object of the artifact."""

    made = False
    inert = False

    def __init__(self, link, number, name):
        if type(number) is not int:
            raise link.protocol_error('a method of nothing')
        self._judge_link, self._judge_id, self.__name__ = link, number, name

    def __call__(self, *args, **kwargs):
        if self.inert:
            raise self._judge_link.refuse(unvouched(self.__name__))
        return self._judge_link.call({'do': 'method', 'of': self._judge_id, 'name': self.__name__}, args, kwargs)

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        raise self._judge_link.refuse('answered a method where a plain value with %s was expected' % name)


def truth(part):
    """What a library asks of a function is true; a test that asks for the truth of an answer wants a truth value."""
    link = link_of(part)
    if sys._getframe(2).f_code.co_filename.startswith(link.suite) and part.answered:
        raise link.refuse('answered a function or an iterator where a truth value was expected')
    return True


class Iterator:
    """A generator or another iterator of the artifact."""

    answered = True

    def __iter__(self):
        return self

    def __next__(self):
        return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__next__'}, (), {})

    def __getattr__(self, name):
        if name not in ('send', 'close', 'throw'):
            raise AttributeError(name)
        return Method(link_of(self), id_of(self), name)


    def __bool__(self):
        return truth(self)

    def __contains__(self, wanted):
        raise link_of(self).refuse('answered an iterator where a collection was expected')


class AsyncIterator:
    """An asynchronous generator of the artifact."""

    def __aiter__(self):
        return self

    async def __anext__(self):
        return await link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__anext__'}, (), {})


def is_failure(error):
    """True for what a failed test raises: the error of an assertion, or an outcome of pytest's own."""
    return isinstance(error, AssertionError) or type(error).__module__ == '_pytest.outcomes'


def left(link, error, answer):
    """True when a context manager suppresses an error. One that suppresses the failure of a test hides it."""
    if answer is True and error and is_failure(error[1]):
        link.assertion = '%s' % error[1]
    return answer is True


class Context:
    """A context manager of the artifact that its library made, as with @contextmanager."""

    def __enter__(self):
        return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__enter__'}, (), {}, made=True)

    def __exit__(self, *error):
        return left(link_of(self), error, link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__exit__'}, error, {}))

    async def __aenter__(self):
        return await link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__aenter__'}, (), {})

    async def __aexit__(self, *error):
        return left(link_of(self), error, await link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__aexit__'}, error, {}))

    def __call__(self, *args, **kwargs):
        return link_of(self).call({'do': 'call', 'of': id_of(self)}, args, kwargs)


def builtin_exception(names, fallback):
    """The nearest builtin exception class that a test may see."""
    for name in names:
        kind = getattr(builtins, name, None) if isinstance(name, str) else None
        if isinstance(kind, type) and (issubclass(kind, Exception) or kind is SystemExit):
            return kind
        if isinstance(kind, type) and issubclass(kind, (KeyboardInterrupt, GeneratorExit)):
            return fallback
    return fallback
