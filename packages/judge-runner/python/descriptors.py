"""Descriptors of the artifact in the body of a class of the test. Standard library only.

What one answers takes the place of an object that the test has made, and it is told of the class. So it is asked only where the reference was,
and for an object which, as a decorator, has made a function a method.
"""
import types

from remote import bound_by
from stand_in import StandIn, held_in, id_of, link_of


def method(name):
    whole = '__%s__' % name

    def asked(self, *args):
        link, part = link_of(self), args[0]
        kind = next((each for each in reversed(args) if isinstance(each, type)), type(part))
        # A class of tests, and what it holds, is not told.
        is_given = link.is_given_whole(kind)
        if name == 'get' and part is not None and is_decorator(self):
            return bound_by(self, part, kind)
        if is_given and not link.is_alone() and link.allows('descriptor', False):
            return link.call({'do': 'method', 'of': id_of(self), 'name': whole}, args, {})
        return OTHERWISE[name](self, *args)
    return asked


def is_decorator(part):
    """True for what the test has made of a function."""
    args, _ = held_in(part).get('_judge_new') or ((), {})
    return len(args) == 1 and isinstance(args[0], types.FunctionType)


def name_in(part, kind):
    """The name under which a class holds an object."""
    return next((name for each in kind.__mro__ for name, held in vars(each).items() if held is part), None)


def read(part, owner, kind=None):
    """What an attribute is whose value is no descriptor."""
    held = getattr(owner, '__dict__', {}) if owner is not None and not issubclass(type(owner), StandIn) else {}
    return held.get(name_in(part, type(owner)), part) if held else part


def write(part, owner, value):
    owner.__dict__[name_in(part, type(owner))] = value


def remove(part, owner):
    try:
        del owner.__dict__[name_in(part, type(owner))]
    except KeyError as error:
        raise AttributeError(*error.args) from None


OTHERWISE = {'get': read, 'set': write, 'delete': remove, 'set_name': lambda part, kind, name: None}
