"""Descriptors of the artifact in the body of a class of the test. Standard library only.

What one answers takes the place of an object that the test has made, and it is told of the class. So it is asked only where its
class also says what becomes of what is assigned, as no value's does, where the reference was asked at that attribute, and for an object which, as
a decorator, has made a function a method.
"""
import sys
import types

from method_names import DESCRIBING
from remote import bound_by
from stand_in import StandIn, held_in, id_of, link_of

UNASKED = 'answered a descriptor (%s) for a class whose objects it is not told of, as those of tests and of types of the language are; hold it in another class'
UNVOUCHED = 'answered an object (%s) with a `__get__` for a class of the test, which nothing vouches for; name its class in `objects`, or add a reference'
#: What is noted of an attribute of a class of the test: the reference's descriptor there was told its name, or asked for more.
NAMED, USED = 'named %s.%s.%s', 'descriptor %s.%s.%s'


def method(name):
    whole = '__%s__' % name

    def asked(self, *args):
        link, part = link_of(self), args[0]
        kind = next((each for each in reversed(args) if isinstance(each, type)), type(part))
        # A class of tests, and what it holds, is not told.
        is_given = link.is_given_whole(kind)
        if name == 'get' and is_decorator(self):
            return bound_by(self, part, kind)
        if is_given and is_asked(self, name, *place_of(self, name, kind, args)):
            return link.call({'do': 'method', 'of': id_of(self), 'name': whole}, args, {})
        # Tools of tests read attributes as well.
        if name != 'set_name' and sys._getframe(1).f_code.co_filename.startswith(link.suite):
            refuse_unasked(self, name, part, is_given)
        return OTHERWISE[name](self, *args)
    return asked


def refuse_unasked(self, name, part, is_given):
    """Refuses what a line of the test does with a descriptor that is not asked, where one process would ask it."""
    link = link_of(self)
    if not is_given and part is not None and assigns(self):
        raise link.refuse(UNASKED % type(self).__name__)
    if is_given and name == 'get' and link.is_alone() and read(self, part) is self:
        raise link.refuse(UNVOUCHED % type(self).__name__)


def methods(names):
    """Methods by which a stand-in is a descriptor: those that its class has."""
    wholes = {name: '__%s__' % name for name in DESCRIBING}
    return {whole: method(name) for name, whole in wholes.items() if whole in names}


def assigns(part):
    """True for an object whose class says what becomes of what is assigned."""
    return '__set__' in type(part)._judge_special


def is_decorator(part):
    """True for what the test has made of a function, and for what a decorator has."""
    args, _ = held_in(part).get('_judge_new') or ((), {})
    return '_judge_decorated' in held_in(part) or len(args) == 1 and isinstance(args[0], types.FunctionType)


def is_asked(part, name, owner, attribute):
    """True where an object may be asked that a class of the test holds as this attribute."""
    link = link_of(part)
    note(link, owner, attribute, NAMED if name == 'set_name' else USED)
    uses = (NAMED, USED) if name == 'set_name' else (USED,)
    if assigns(part) or link.learning or any(each % place(owner, attribute) in (link.shapes or ()) for each in uses):
        return True
    link.resolve()
    return link.is_trusted(type(part))


def note(link, owner, attribute, use=USED):
    """Notes that the reference has a descriptor as an attribute of a class of the test."""
    if link.learning:
        link.learnt.add(use % place(owner, attribute))


def place(owner, attribute):
    return owner.__module__, owner.__qualname__, attribute


def place_of(part, name, kind, args):
    """The class that holds an object, and the name under which it does."""
    return args if name == 'set_name' else next(((each, key) for each in kind.__mro__ for key, held in vars(each).items() if held is part), (kind, None))


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


def name_in(part, kind):
    """The name under which a class holds an object."""
    return place_of(part, 'get', kind, ())[1]


OTHERWISE = {'get': read, 'set': write, 'delete': remove, 'set_name': lambda part, kind, name: None}
