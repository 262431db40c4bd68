"""What the values of a suite's tests come from, as it is followed without running them. Standard library only.

`Stack()` stands for an object that a test makes, `parse()` for what a function answers, `Stack().top` for an attribute.
"""
import collections
import copy


class Thing:
    """Something of the artifact. `origin` says where it comes from, `made` that the test itself has made it, `calculated` that
    arithmetic of such an object has, `of_made` that it is an attribute of such an object."""

    def __init__(self, origin, made=False, calculated=False, of_made=False):
        self.origin, self.made, self.calculated, self.of_made = origin, made, calculated, of_made
        #: Literals that the test gave an object that it has made, by position and by name.
        self.given = {}
        #: Believed calls whose answer this is, or whose answers it stands for.
        self.asked = frozenset()
        #: What a class of the test puts into its body beside what it extends, by name.
        self.held = {}

    def is_given_other(self, other):
        """True for two objects that were given different literals in one place."""
        return any(name in other.given and other.given[name] != told for name, told in self.given.items())


class Group:
    """A container or an iterator of the test, and one of the artifact's things among its items. Believed calls whose truth says which
    items there are: `asked`."""

    def __init__(self, part=None, key=None, kind=None, asked=frozenset()):
        self.part, self.key, self.kind, self.asked = part, key, kind, asked


class Derived:
    """A value that comes from what believed calls answer: a narrow one says no more than whether they said yes, and how often."""

    def __init__(self, asked, is_narrow=True):
        self.asked, self.is_narrow = asked, is_narrow


class Asked(collections.namedtuple('Asked', 'file node owner method')):
    """A believed call that is given something: its place, the origin of the object and the method."""
    __slots__ = ()

    def lines(self):
        return {(self.file, line, self.method) for line in range(self.node.lineno, self.node.end_lineno + 1)}


class Function:
    """A function of the test or of the library: its definition with the variables around it, or its name."""

    def __init__(self, node=None, scope=None, name=None, owner=None):
        self.node, self.scope, self.name, self.owner = node, scope, name, owner

    def is_of_unknown(self):
        return self.owner is None and self.name is not None and self.name.startswith('.')


class Own:
    """An object of a class of the suite."""

    def __init__(self, node, held):
        self.node, self.held = node, held


class Plain:
    """A value of the language."""


#: Literals: any, `None`, `True`, `False`, and the part of an empty container.
PLAIN, NONE, TRUE, FALSE, EMPTY = Plain(), Plain(), Plain(), Plain(), Plain()


def part_of(value):
    """The thing of the artifact that a value is, or that a container holds."""
    if isinstance(value, Group):
        return part_of(value.part) or part_of(value.key)
    return value if isinstance(value, Thing) else None


def asked_by(value):
    """The believed calls from whose answers a value or the items of a container come."""
    if isinstance(value, Group):
        return value.asked | asked_by(value.part) | asked_by(value.key)
    return value.asked if isinstance(value, (Thing, Derived)) else frozenset()


def derived(*values, is_narrow=True):
    """What comes from these values, of which nothing else is followed: `PLAIN` without an answer of a believed call among them."""
    asked = frozenset().union(*map(asked_by, values))
    return Derived(asked, is_narrow) if asked else PLAIN


def carrying(value, source):
    """What is reached from an answer, with the calls that were asked for it."""
    if isinstance(value, Thing) and asked_by(source) - value.asked:
        value = copy.copy(value)
        value.asked |= asked_by(source)
    return value


def says_little(value):
    """True for a literal `True` or `False`, and for a container of nothing else but one of them."""
    return says_little(value.part) if isinstance(value, Group) else value is TRUE or value is FALSE


def truth_told(left, right):
    """What a comparison says: `Derived` where an answer of a believed call need only say yes for it."""
    for one, other in ((left, right), (right, left)):
        is_counted = isinstance(one, Derived) and one.is_narrow and not isinstance(other, Thing)
        # Nothing is left of those that a call said no to.
        is_sifted = isinstance(one, Group) and one.asked and isinstance(other, Group) and other.part is EMPTY
        if says_little(other) or is_counted or is_sifted:
            return derived(left, right)
    return PLAIN


def joined(values):
    """One value for several: the first with something of the artifact's."""
    values = [each for each in values if each is not None]
    asked = frozenset().union(*map(asked_by, values))
    found = next((each for each in values if part_of(each)), None)
    if isinstance(found, Thing) and asked != found.asked:
        found = copy.copy(found)
        found.asked = asked
    if found is not None or not values:
        return found
    if asked:
        return Derived(asked, all(not isinstance(each, Derived) or each.is_narrow for each in values))
    # A table of both says more than that something is true, and so does one of other values.
    booleans = [each for each in (TRUE, FALSE) if each in values]
    is_table = len(booleans) > 1 or booleans and any(each is PLAIN for each in values)
    return PLAIN if is_table else booleans[0] if booleans else values[0]


class Knowledge:
    """What the suite shows about origins: which of them are objects, of which class. Grows with each reading."""

    def __init__(self):
        self.kinds, self.by_fields, self.sized, self.alike, self.changed, self.work = {}, set(), set(), set(), False, 0
        #: Methods of objects that tests make.
        self.methods = set()
        #: Lines that call what only an object has, and those of them that nevertheless nobody believes.
        self.called, self.doubted = set(), set()
        #: What functions answer that is called.
        self.callables = set()
        #: Attributes of objects that tests make, which are called.
        self.invoked = set()

    def show(self, thing, kind=None):
        """Notes that something is an object, of a class where that is known."""
        origin = self.name(thing.origin)
        known = self.kinds.get(origin, False)
        if origin.endswith('()') and origin[:-2] == kind or known == kind or known and kind is None:
            return
        if known is False or known is None:
            self.kinds[origin] = kind
            self.changed = True
            if kind:
                self.kinds.setdefault(kind + '()', kind)

    def name(self, origin):
        """The origin with the class of what a function answers in its place."""
        for _ in range(8):
            ends = [at for at in range(len(origin), 0, -1) if origin[at:at + 1] in ('', '.', '[', '(')]
            end = next((at for at in ends if self.kinds.get(origin[:at]) and self.kinds[origin[:at]] + '()' != origin[:at]), None)
            if end is None:
                break
            origin = self.kinds[origin[:end]] + '()' + origin[end:]
        return origin

    def is_object(self, thing):
        return self.name(thing.origin) in self.kinds

    def label(self, thing):
        origin = self.name(thing.origin)
        kind = self.kinds.get(origin)
        if kind:
            return 'an object of %s' % kind
        if origin.endswith('()'):
            return 'what %s answers' % origin
        return 'an item of %s' % origin[:-2] if origin.endswith('[]') else origin


class Scope:
    """The variables of a function, and those around it."""

    def __init__(self, outer=None):
        self.outer, self.names = outer, {}

    def get(self, name):
        scope = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None
