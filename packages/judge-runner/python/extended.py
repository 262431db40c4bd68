"""Classes that a test derives from the artifact's, built in its box: methods of the test are called back. Standard library only."""
import functools
import types

from parts import mark_abstract
from received_classes import ORIGINS, GivenClass, meta_of


class Extended:
    """Such classes, by their ids. They are kept for good."""

    def __init__(self):
        #: Classes with the number under which the test knows them, and the names of what the test has written in them.
        self.known = {}
        #: What is being built, one within the other: the artifact may ask for a class before it is finished.
        self.pending = []

    def number_of(self, kind):
        """The number of a class of the test; None for any other."""
        if id(kind) in self.known:
            return self.known[id(kind)][1]
        for number, name, module, written in self.pending:
            if (kind.__name__, kind.__module__) == (name, module):
                self.known[id(kind)] = kind, number, written
                return number
        return None

    def build(self, op, arrive):
        """Builds the class of a class statement of the test."""
        bases = tuple(arrive(base) for base in op['bases'])
        space = {'__module__': op['module'], '__qualname__': op['qualname']}
        if op['doc'] is not None:
            space['__doc__'] = op['doc']
        for name, what, value, is_abstract in op['body']:
            space[name] = part_of_body(what, arrive(value))
            if is_abstract:
                mark_abstract(space[name])
        keywords = {name: arrive(value) for name, value in op['keywords']}
        metas = list(dict.fromkeys(type(base) for base in bases if type(base) is not type))
        if len(metas) > 1 and any(issubclass(meta, GivenClass) for meta in metas):
            keywords['metaclass'] = meta_of(bases)
        written = frozenset(name for name, what, _, _ in op['body'] if what != 'value')
        self.pending.append((op['number'], op['name'], op['module'], written))
        try:
            kind = types.new_class(op['name'], bases, keywords, lambda body: body.update(space))
            if isinstance(kind, type):
                self.known[id(kind)] = kind, op['number'], written
        finally:
            self.pending.pop()
        return kind

    def inherited(self, target, after, name):
        """An attribute that the artifact's classes pass on to a class of the test, for an object or a class."""
        kind = target if isinstance(target, type) else type(target)
        for base in kind.__mro__[kind.__mro__.index(after) + 1:]:
            if name not in vars(base) or name in self.known.get(id(base), (None, None, ()))[2] or id(base) in ORIGINS:
                continue
            part = vars(base)[name]
            bind = getattr(type(part), '__get__', None)
            return part if bind is None else bind(part, None if target is kind else target, kind)
        raise AttributeError('%r object has no attribute %r' % (kind.__name__, name))


def part_of_body(what, value):
    if what == 'property':
        return property(*value)
    if what == 'cached':
        return functools.cached_property(value)
    return {'staticmethod': staticmethod, 'classmethod': classmethod}.get(what, lambda same: same)(value)


def data_class(kind, op, arrive):
    """Makes a data class of a class of the test."""
    dataclasses = __import__('dataclasses')
    kind.__annotations__ = {}
    for name, init, shown, compared, default, factory in op['fields']:
        kind.__annotations__[name] = object
        given = {'default': arrive(default[0])} if default else {'default_factory': arrive(factory[0])} if factory else {}
        setattr(kind, name, dataclasses.field(init=init, repr=shown, compare=compared, **given))
    return dataclasses.dataclass(**dict(op['params']))(kind)
