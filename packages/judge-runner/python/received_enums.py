"""Enumerations of a test as the artifact sees them: real ones, whose methods run in the tester's box. Standard library only."""
import enum

from enum_roots import ROOTS

#: What asks the test for the member of an unknown value, by the id of the enumeration, where the test says what that is.
MAKERS = {}


class GivenEnumMeta(enum.EnumMeta):
    """The class of enumerations of the test."""

    def __call__(cls, value, /, *more, **named):
        try:
            return super().__call__(value, *more, **named)
        except ValueError:
            if more or named or id(cls) not in MAKERS:
                raise
        return MAKERS[id(cls)](value)


def empty_enum(name, qualname, module, doc, root, members):
    """An enumeration of the test without its methods."""
    space = GivenEnumMeta.__prepare__(name, ROOTS[root])
    space.update({'__module__': module, '__qualname__': qualname})
    if doc is not None:
        space['__doc__'] = doc
    for key, value in members:
        space[key] = value
    return GivenEnumMeta(name, ROOTS[root], space)
