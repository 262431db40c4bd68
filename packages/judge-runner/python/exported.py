"""What a program may hand on of the library as that itself: what makes classes and functions of those of a test, and containers. Standard library
only.

Another box has the same in its own library. One that a program has changed is no longer the same.
"""
import abc
import collections
import contextlib
import dataclasses
import enum
import functools
import types

NAMES = {
    abc: 'ABC ABCMeta abstractmethod',
    collections: 'Counter OrderedDict defaultdict deque namedtuple',
    contextlib: 'AbstractAsyncContextManager AbstractContextManager ContextDecorator asynccontextmanager closing contextmanager nullcontext suppress',
    dataclasses: 'dataclass field',
    enum: 'Enum Flag IntEnum IntFlag StrEnum auto unique',
    functools: 'cache cached_property lru_cache partial partialmethod singledispatch singledispatchmethod total_ordering update_wrapper wraps',
}
EXPORTED = {(module.__name__, name): getattr(module, name) for module, names in NAMES.items() for name in names.split() if hasattr(module, name)}


def state_of(part, seen=None):
    """What decides what a class or a function of the library does, with what its module gives it, as pairs of a name and a value."""
    seen = set() if seen is None else seen
    if id(part) in seen:
        return []
    seen.add(id(part))
    if isinstance(part, type):
        held = [item for base in part.__mro__[:-1] for item in vars(base).items()]
        inner = [value for _, value in held]
    elif isinstance(part, types.FunctionType):
        known = part.__globals__
        held = [(name, known.get(name)) for name in names_in(part.__code__)]
        held += [(name, getattr(part, name)) for name in ('__code__', '__defaults__', '__kwdefaults__')]
        inner = [value for _, value in held if getattr(value, '__module__', None) == part.__module__]
    else:
        return []
    return held + [item for value in inner for item in state_of(value, seen)]


def names_in(code):
    return [*code.co_names, *(name for part in code.co_consts if isinstance(part, types.CodeType) for name in names_in(part))]


#: The names of all of these with what they are like before any program runs, by their ids.
KNOWN = {id(part): (key, state_of(part)) for key, part in EXPORTED.items()}


def exported_name(part):
    """The module and the name of such a part; None for any other, and for one that has been changed."""
    key, before = KNOWN.get(id(part), (None, ()))
    now = state_of(part) if key is not None else ()
    is_same = len(now) == len(before) and all(one[0] == other[0] and one[1] is other[1] for one, other in zip(now, before))
    return list(key) if key is not None and is_same else None
