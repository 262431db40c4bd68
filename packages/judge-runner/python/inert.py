"""Objects of the artifact that nothing vouches for. Standard library only."""
import operator

import agreement
import pickling
from acting import copied
from comparison import ORDERS
from equality import compare_values
from expressions import expression_of
from method_names import ACTING, BY_REFERENCE, MEANING, OF_VALUES, PLAIN_NAMES
from own_operators import own_comparison
from remote import GENERATING, GENERATING_LATER, WRAPPING, is_value, iterator_of, left, left_later, note_decorator, read_to_call, unvouched
from reports import is_sorted_for_report
from stand_in import StandIn, held_in, id_of, is_made, link_of
from texts import text_of


class Inert(StandIn):
    """An object of the artifact that nothing vouches for: it has an identity, and attributes that hold plain values."""

    def __getattr__(self, name):
        is_wrapper = name in ('__name__', *WRAPPING) and '_judge_callable' in held_in(self)
        if name.startswith('_') and not is_wrapper:
            raise AttributeError(name)
        link = link_of(self)
        # An iterator of a class of the artifact may do what a generator does.
        advancing = '__next__' if name in GENERATING else '__anext__' if name in GENERATING_LATER else None
        is_generating = '_judge_callable' in held_in(self) and advancing in type(self)._judge_special
        if is_generating or link.is_alone() and link.is_called(name):
            return read_to_call(link, self, name)
        # What a decorator has made may have attributes that are called, as a function has.
        if is_function(self) and ('_judge_decorated' in held_in(self) and name not in OF_VALUES or link.allows_in_test('part', False)):
            return link.value({'do': 'get', 'of': id_of(self), 'name': name})
        found = inert_attribute(self, name)
        # A plain attribute is one whatever its name is; what is called under it would be taken for a method of a text or a list.
        if name not in PLAIN_NAMES or is_value(found):
            return found
        held = content_of(self)
        if name in READS.get(type(held), ()):
            return getattr(held, name)
        raise link.refuse('answered an object (%s) where a plain value with %s was expected; name its class in `objects`, or add a reference' % (type(self).__name__, name))

    @property
    def __dict__(self):
        return inert_attribute(self, '__dict__')

    def __setattr__(self, name, value):
        link = link_of(self)
        if not link.is_alone() and '_judge_decorated' not in held_in(self) or name.startswith('_'):
            raise link.refuse('answered an object (%s) where the test sets an attribute; name its class in `objects`, or add a reference' % type(self).__name__)
        # Only what is an object has attributes that can be set.
        object.__getattribute__(self, '_judge_frozen').clear()
        link.value({'do': 'set', 'of': id_of(self), 'name': name, 'value': link.leave(value)})

    def __copy__(self):
        return copied(self, 'copy')

    def __deepcopy__(self, memo):
        return copied(self, 'deepcopy')

    def __reduce_ex__(self, protocol):
        return pickling.reduced(copied(self, 'pickle'), copied)

    def __str__(self):
        return text_of(self, 'str')

    def __repr__(self):
        return text_of(self, 'repr')

    def __eq__(self, other):
        made = expression_of(self, other, 'eq') if type(self)._judge_equal == 'own' else None
        if made is not None:
            return made
        if link_of(self).agrees(type(self)):
            return self is other or own_comparison(self, other, 'eq')
        if type(self)._judge_equal == 'own' and not issubclass(type(other), StandIn):
            link_of(self).deny(self, other)
        return compare_values(self, other)

    def __ne__(self, other):
        made = expression_of(self, other, 'ne') if type(self)._judge_equal == 'own' else None
        if made is not None:
            return made
        if self is not other and link_of(self).agrees(type(self)):
            return own_comparison(self, other, 'ne')
        found = self.__eq__(other)
        return found if found is NotImplemented else not found

    def __hash__(self):
        if link_of(self).agrees(type(self)):
            return agreement.hash_of(self)
        # It leads to no more than a comparison, which is one of what they hold.
        is_compared_so = type(self)._judge_equal == 'library' and not type(self)._judge_unhashable
        return link_of(self).hash_of_content(self) if is_compared_so else id(self)


def is_function(part):
    """True for an object that can be called as a function can, as the answer of a call."""
    return '_judge_callable' in held_in(part) and '__call__' in type(part)._judge_special


def inert_attribute(part, name):
    """An attribute with nothing in it that acts; the same until the test calls the artifact again, or gives threads of it time to change it."""
    link, frozen = link_of(part), object.__getattribute__(part, '_judge_frozen')
    if not link.holds_as_read(frozen.get(name)):
        frozen[name] = link.value({'do': 'get', 'of': id_of(part), 'name': name}, inert=True), *link.read_now()
    return frozen[name][0]


def refusing(name):
    wanted = MEANING.get(BY_REFERENCE.get(name, ''), {
        'call': 'a function', 'iter': 'a list', 'next': 'an iterator', 'len': 'a list or text', 'contains': 'a collection',
        'getitem': 'a list or dict', 'bool': 'a truth value'}.get(name, 'a value'))

    def method(self, /, *args, **kwargs):
        raise link_of(self).refuse('answered an object (%s) where %s was expected; name its class in `objects`, or add a reference' % (type(self).__name__, wanted))
    return method


DOC = property(lambda part: inert_attribute(part, '__doc__'))
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
            return iterator_of(self) if '__iter__' in type(self)._judge_special else self
        if name == 'len' and is_iterated(self):
            # list() asks for it as well.
            if '__len__' not in type(self)._judge_special:
                raise TypeError('object of type %r has no len()' % type(self).__name__)
            return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__len__'}, (), {})
        if name == 'iter' and is_iterated(self):
            return iterator_of(self)
        held = content_of(self)
        return otherwise(self) if held is None else READING[name](held, *args)
    return method


def is_iterator(part):
    return (link_of(part).is_alone() or '_judge_callable' in held_in(part)) and '__next__' in type(part)._judge_special


def is_iterated(part):
    """True for the answer of a call, in the place of a list or a generator of the reference."""
    return not link_of(part).is_alone() and '_judge_callable' in held_in(part) and '__iter__' in type(part)._judge_special


def advancing(name):
    """Asks an iterator for its next item: its class may be one of the artifact's."""
    otherwise = refusing(name)

    def method(self):
        if not is_iterator(self):
            return otherwise(self)
        return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__next__'}, (), {})
    return method


def awaiting(name):
    """Iterates by `async for`, which no plain value allows; what it yields are answers like any other."""
    otherwise, whole = refusing(name), '__%s__' % name

    def method(self):
        link = link_of(self)
        if not link.is_alone() and '_judge_callable' not in held_in(self) or whole not in type(self)._judge_special:
            return otherwise(self)
        found = link.call({'do': 'method', 'of': id_of(self), 'name': whole}, (), {})
        return self if issubclass(type(found), StandIn) and id_of(found) == id_of(self) else found
    return method


def is_read_to_call(part):
    link, name = link_of(part), held_in(part).get('_judge_reached')
    return name is not None and link.is_alone() and link.is_called(name)


def used(name):
    """Calls, enters or awaits what a call answered, as functions and context managers of the library are."""
    otherwise, whole = refusing(name), '__%s__' % name

    def method(self, /, *args, **kwargs):
        is_shown = '_judge_callable' in held_in(self) or name == 'call' and is_read_to_call(self)
        if not is_shown or whole not in type(self)._judge_special:
            return otherwise(self)
        found = link_of(self).call({'do': 'method', 'of': id_of(self), 'name': whole}, args, kwargs)
        if name == 'call':
            note_decorator(found, args, False, '_judge_decorates' in held_in(self))
        if name == 'aexit':
            return left_later(link_of(self), args, found)
        return left(link_of(self), args, found) if name == 'exit' else found
    return method


def is_answer(part):
    return isinstance(part, Inert) and not is_made(part)


def combining(name):
    """An operator of two answers (`stop_a | stop_b`): what it answers is no value, and nothing of the test is told for it."""
    otherwise, whole = refusing(name), '__%s__' % name

    def method(self, *others):
        link = link_of(self)
        is_relayed = link.is_alone() and whole in type(self)._judge_special and all(map(is_answer, (self, *others)))
        if not is_relayed:
            return otherwise(self)
        found = link.call({'do': 'method', 'of': id_of(self), 'name': whole}, others, {})
        return found if found is NotImplemented or isinstance(found, Inert) else otherwise(self)
    return method


def ranking(name):
    """Orders two objects by what they hold, where their class has that operator."""
    otherwise, whole = refusing(name), '__%s__' % name

    def method(self, other):
        if is_sorted_for_report(link_of(self).suite):
            return NotImplemented
        made = expression_of(self, other, name) if whole in type(self)._judge_special and not type(self)._judge_value else None
        if made is not None:
            return made
        if issubclass(type(other), StandIn) and link_of(self).agrees(type(self)):
            found = agreement.ordered(self, other, name) if whole in type(self)._judge_special else NotImplemented
            if found is not None:
                return found
        return otherwise(self)
    return method


MAKERS = {'next': advancing, 'aiter': awaiting, 'anext': awaiting, **{name: combining for name, kind in BY_REFERENCE.items() if kind == 'arithmetic'}}
Inert.__bool__ = refusing('bool')
#: Special methods of the stand-ins, by name: each has those that its class has, so that callable(), isinstance() and the language know it by these.
SPECIAL = {}
for each in (*BY_REFERENCE, *ACTING):
    if each in ('call', 'enter', 'exit', 'aenter', 'aexit'):
        SPECIAL['__%s__' % each] = used(each)
    elif each not in ('bytes', 'format', 'fspath'):
        maker = MAKERS.get(each) or (reading if each in READING else ranking if each in ORDERS else refusing)
        SPECIAL['__%s__' % each] = maker(each)


class InertBuiltin:
    """A class of the language, or a function of the library, as an attribute of something that nothing vouches for: it equals that, and cannot be
    called.

    Called as a method it would be the test's own function, with an answer that the artifact has chosen.
    """

    def __init__(self, link, kind):
        self._judge_link, self.kind, self.__name__ = link, kind, kind.__name__

    def __call__(self, /, *args, **kwargs):
        raise self._judge_link.refuse(unvouched(self.__name__))

    def __eq__(self, other):
        return self.kind is (other.kind if isinstance(other, InertBuiltin) else other)

    def __hash__(self):
        return hash(self.kind)

    def __repr__(self):
        return repr(self.kind)
