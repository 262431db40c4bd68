"""Objects of the artifact that stand where the reference had a container of the language. Standard library only.

What changes one, and what its items are, is asked of the artifact. What tells whether it holds something expected is the judge's to say: by
its content, which is read as plain values before the artifact learns with what it is compared.
"""
import collections

from acting import iter_items
from answer_paths import made_in
from equality import compare_values
from inert import Inert
from originals import contextlib
from remote import iterator_of
from stand_in import StandIn, id_of, link_of, number_of

#: Containers whose methods a test may call.
KINDS = (list, dict, set, tuple, frozenset, collections.deque, collections.OrderedDict, collections.Counter)
#: Names of their methods.
NAMES = frozenset(name for kind in KINDS for name in dir(kind) if not name.startswith('_'))
#: Those of them that answer a truth value or a place about what they are given.
ASKING = ('count', 'index', 'issubset', 'issuperset', 'isdisjoint')
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


def agreed(part, name, said, told):
    """Returns what both the content of an object and its own operator say."""
    if said is not told:
        raise link_of(part).refuse('answered an object (%s) whose %s says something else than what it contains' % (type(part).__name__, name))
    return said


def relay(part, name, args, kwargs=None):
    """Has the artifact call a method of an object."""
    return link_of(part).call({'do': 'method', 'of': id_of(part), 'name': name}, args, kwargs or {})


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
            relay(part, name, args)  # It raises an error of its own, or says where nothing is.
            raise link_of(part).refuse('answered an object (%s) whose %s() finds what it does not contain' % (type(part).__name__, name)) from None
        told = relay(part, name, args)
        agreed(part, name + '()', True, type(told) is type(said) and told == said)
        return said
    return method


class ActingContainer(Inert):
    """An object of the artifact that is used as the container of the reference was."""

    __hash__ = Inert.__hash__

    def __getattr__(self, name):
        if name not in NAMES:
            return super().__getattr__(name)
        found = link_of(self).value({'do': 'get', 'of': id_of(self), 'name': name})
        if not callable(found):
            return found
        return view_of(self, name) if name in VIEWS else asking(self, name) if name in ASKING else found

    def __iter__(self):
        special = type(self)._judge_special
        if '__iter__' in special:
            return iterator_of(self)
        if '__getitem__' in special:
            return iter_items(self)
        raise TypeError('%r object is not iterable' % type(self).__name__)

    def __contains__(self, wanted):
        if '__contains__' not in type(self)._judge_special:
            return any(item is wanted or item == wanted for item in self)
        said = wanted in content_of(self, 'a collection')
        return agreed(self, '`in`', said, relay(self, '__contains__', (wanted,)) is True)

    def __bool__(self):
        special = type(self)._judge_special
        return '__bool__' not in special and '__len__' not in special or link_of(self).value({'do': 'bool', 'of': id_of(self)}) is True

    def __eq__(self, other):
        equal = type(self)._judge_equal
        if self is other or isinstance(other, StandIn) or equal != 'own':
            return self is other or compare_values(self, other)
        said = is_like(content_of(self, 'a value'), other)
        return agreed(self, '==', said, link_of(self).says_equal(self, other))

    def __ne__(self, other):
        found = self.__eq__(other)
        return found if found is NotImplemented else not found


for each in ('getitem', 'setitem', 'delitem', 'len', 'reversed'):
    setattr(ActingContainer, '__%s__' % each, relayed(each))
for each in ('iadd', 'ior', 'iand', 'isub', 'ixor'):
    setattr(ActingContainer, '__%s__' % each, changed_in_place(each))
