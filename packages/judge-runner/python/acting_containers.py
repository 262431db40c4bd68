"""Objects of the artifact that stand where the reference had a container of the language. Standard library only.

What changes one, and what its items are, is asked of the artifact. What tells whether it holds something expected is the judge's to say: by
its content, which is read as plain values before the artifact learns with what it is compared. Once the test has changed one, it could answer
what it was given: what it answers has to be in its content as well.
"""
import collections

from answer_paths import made_in
from equality import compare_values
from inert import SPECIAL as OF_INERT, Inert
from originals import contextlib
from remote import iterator_of
from stand_in import StandIn, held_in, id_of, link_of, number_of, same

#: Containers whose methods a test may call.
KINDS = (list, dict, set, tuple, frozenset, collections.deque, collections.OrderedDict, collections.Counter)
#: Names of their methods.
NAMES = frozenset(name for kind in KINDS for name in dir(kind) if not name.startswith('_'))
#: Those of them that answer a truth value or a place about what they are given.
ASKING = ('count', 'index', 'issubset', 'issuperset', 'isdisjoint')
#: Those that answer what is common to a set and what they are given, or differs.
COMBINING = ('union', 'intersection', 'difference', 'symmetric_difference')
#: Those that answer an item.
GIVING = ('get', 'pop', 'setdefault')
#: Those that change nothing.
READING = (*ASKING, *COMBINING, 'get', 'copy', 'keys', 'items', 'values')
#: All methods, and special methods, that change nothing.
NEUTRAL = frozenset((*READING, 'getitem', 'contains', 'len', 'iter', 'reversed'))
#: Those that answer views of a dictionary, with how such a view is made of its items.
VIEWS = {'keys': lambda items: dict.fromkeys(items).keys(), 'items': lambda items: dict(items).items(),
         'values': lambda items: dict(enumerate(items)).values()}


def content_of(part, wanted):
    """Reads what an object contains, as a dict or a list of plain values."""
    held = link_of(part).content(part)
    if held is None:
        raise link_of(part).refuse('answered an object (%s) whose items cannot be read where %s was expected; name its class in `objects`, '
                                   'or add a reference' % (type(part).__name__, wanted))
    return held


def can_be_read(part):
    """Says whether an object shows what it contains."""
    special = set(type(part)._judge_special)
    return '__iter__' in special or {'__getitem__', '__len__'} <= special


def needs_content(part):
    """Says whether what an object answers has to be in its content; refuses one that shows none, was changed and is not given to be changed."""
    held = held_in(part)
    if '_judge_changed' not in held:
        return False
    if can_be_read(part):
        return True
    if not held['_judge_live']:
        content_of(part, 'a collection')
    return False


def agreed(part, name, said, told):
    """Returns what both the content of an object and its own operator say."""
    if not same(said, told) or type(said) is bool and said is not told:
        raise link_of(part).refuse('answered an object (%s) whose %s says something else than what it contains' % (type(part).__name__, name))
    return said


def relay(part, name, args, kwargs=None):
    """Has the artifact call a method of an object."""
    if name.strip('_') not in NEUTRAL:
        held_in(part)['_judge_changed'] = True
    return link_of(part).call({'do': 'method', 'of': id_of(part), 'name': name}, args, kwargs or {})


def item_at(held, name, args, kwargs):
    """Finds what a container of this content answers, in a list; an empty list where it raises an error."""
    copy = held.copy()
    with contextlib.suppress(Exception):
        return [copy[args[0]] if name == '__getitem__' else getattr(copy, name)(*args, **kwargs)]
    return []


def is_item(said, found):
    """Says whether an answer is an item, or a part of a list in another one (`rows[1:3]`)."""
    return same(said, found) or issubclass(type(found), StandIn) and type(said) is list and bool(found == said)


def is_one_of(held, name, args, found):
    """Says whether an answer may be an item of what shows no places: an item of a set, or that of a key of a class without `keys()`."""
    if type(held) is not list:
        return False
    if not args:
        return any(same(each, found) for each in held)
    return type(args[0]) not in (int, slice) and (args[0] in held or name != '__getitem__' and same(found, (*args, None)[1]))


def giving(part, name):
    """Returns a method that answers an item, which the content of an object holds where the test has changed that."""
    def method(*args, **kwargs):
        if not needs_content(part):
            return relay(part, name, args, kwargs)
        held = content_of(part, 'a collection')
        said = item_at(held, name, args, kwargs)
        found = relay(part, name, args, kwargs)
        if not said:
            # A class may make an item that is missing.
            said = item_at(content_of(part, 'a collection'), name, args, kwargs)
        if not (said and is_item(said[0], found)) and not is_one_of(held, name, args, found):
            raise link_of(part).refuse('answered an object (%s) whose %s answers what it does not contain' % (type(part).__name__, name))
        return found
    return method


def counting(part):
    """Asks for the number of items, which is that of the content of an object where it shows that."""
    if can_be_read(part):
        held = content_of(part, 'a collection')
        return agreed(part, 'length', len(held), relay(part, '__len__', ()))
    if not held_in(part)['_judge_live']:
        content_of(part, 'a collection')
    return relay(part, '__len__', ())


def relayed(name):
    whole = '__%s__' % name

    def method(self, *args):
        if whole not in type(self)._judge_special:
            raise TypeError('%r object does not support %s' % (type(self).__name__, name))
        return relay(self, whole, args)
    return method


def changed_in_place(name):
    """Changes an object by an operator like `|=`, which answers the object itself."""
    whole = '__%s__' % name

    def method(self, other):
        link = link_of(self)
        if whole not in type(self)._judge_special:
            return NotImplemented
        held_in(self)['_judge_changed'] = True
        told = link.send_call({'do': 'method', 'of': id_of(self), 'name': whole}, (other,), {}, is_use=True)[0]['value']
        if made_in(told)[1] == number_of(self):
            return self
        if link.arrive(told, inert=True) is NotImplemented:
            return NotImplemented
        raise link.refuse('answered an object (%s) that %s replaces by another one' % (type(self).__name__, whole))
    return method


def is_like(held, other):
    """Says whether the content of an object is that of a container of the test."""
    with contextlib.suppress(TypeError):
        if isinstance(other, (set, frozenset)):
            return set(held) == other
        if isinstance(held, list) and isinstance(other, (list, tuple, collections.deque)):
            return held == list(other)
        return bool(held == other)
    return False


def combining(part, name):
    """Returns a method that answers a set, as the content of an object and what the method is given say."""
    def method(*args):
        said = getattr(set(content_of(part, 'a set')), name)(*args)
        found = relay(part, name, args)
        told = content_of(found, 'a set') if issubclass(type(found), StandIn) else found
        if not isinstance(told, (set, frozenset, list)) or set(told) != said:
            raise link_of(part).refuse('answered an object (%s) whose %s() says something else than what it contains' % (type(part).__name__, name))
        return found
    return method


def view_of(part, name):
    """Returns a method that answers a view of what the artifact answers under this name, with its items as they are now."""
    def method():
        found = relay(part, name, ())
        if not isinstance(found, StandIn):
            return found
        items = list(content_of(found, 'a view of a dictionary'))
        with contextlib.suppress(TypeError, ValueError):
            made = VIEWS[name](items)
            if len(made) == len(items):
                return made
        return items
    return method


def asking(part, name):
    """Returns a method that answers what the content of an object says, as the artifact's own method does."""
    def method(*args):
        held = content_of(part, 'a collection')
        kind = list if name in ('count', 'index') else set
        try:
            said = getattr(kind(held), name)(*args)
        except ValueError:
            # It raises an error of its own.
            relay(part, name, args)
            raise link_of(part).refuse('answered an object (%s) whose %s() finds what it does not contain' % (type(part).__name__, name)) from None
        told = relay(part, name, args)
        agreed(part, name + '()', True, type(told) is type(said) and told == said)
        return said
    return method


#: Methods that the judge answers with, by the names of those of the artifact.
METHODS = (GIVING, giving), (COMBINING, combining), (VIEWS, view_of), (ASKING, asking)


class ActingContainer(Inert):
    """An object of the artifact that is used as the container of the reference was."""

    __hash__ = Inert.__hash__

    def __getattr__(self, name):
        if name not in NAMES:
            return super().__getattr__(name)
        found = link_of(self).value({'do': 'get', 'of': id_of(self), 'name': name})
        if not callable(found):
            return found
        for names, method in METHODS:
            if name in names:
                return method(self, name)
        if name not in READING:
            held_in(self)['_judge_changed'] = True
        return found

    def __bool__(self):
        special = type(self)._judge_special
        if '__bool__' not in special and '__len__' not in special:
            return True
        said = bool(content_of(self, 'a collection')) if can_be_read(self) else None
        told = link_of(self).value({'do': 'bool', 'of': id_of(self)}) is True
        return told if said is None else agreed(self, 'truth', said, told)

    def __eq__(self, other):
        equal = type(self)._judge_equal
        if self is other or isinstance(other, StandIn) or equal not in ('own', 'library'):
            return self is other or compare_values(self, other)
        said = is_like(content_of(self, 'a value'), other)
        return agreed(self, '==', said, link_of(self).says_equal(self, other))

    def __ne__(self, other):
        found = self.__eq__(other)
        return found if found is NotImplemented else not found


def item(self, key):
    return giving(self, '__getitem__')(key)


def contains(self, wanted):
    said = wanted in content_of(self, 'a collection')
    return agreed(self, '`in`', said, relay(self, '__contains__', (wanted,)) is True)


#: Special methods, of which each stand-in has those that its class has.
SPECIAL = {**OF_INERT, '__iter__': iterator_of, '__getitem__': item, '__len__': counting, '__contains__': contains}
SPECIAL.update(('__%s__' % each, relayed(each)) for each in ('setitem', 'delitem', 'reversed'))
SPECIAL.update(('__%s__' % each, changed_in_place(each)) for each in ('iadd', 'ior', 'iand', 'isub', 'ixor'))
