"""Enumerations of a test on their way to the artifact, which gets real ones with the same names, members and methods. Standard library
only."""
import enum
import re
import types

from enum_roots import ROOTS, root_name
from given_classes import NOTHING

#: Names with a meaning in the body of an enumeration.
SUNDER = re.compile('_[a-z]+(?:_[a-z]+)*_')


class GivingEnums:
    """The part of a link that encodes enumerations of the test and their members."""

    def leave_enum(self, kind, walk):
        """An enumeration of the test as it leaves; None for one that cannot be made again."""
        root = root_of(kind)
        if root is None or not self.is_of_suite(kind):
            return None
        if self.numbers.get(id(kind)) in self.given_parts:
            return {'$enumeration': [self.show_again(kind, NOTHING)]}
        body = self.body_of(kind, root, walk)
        if body is None:
            return None
        number = self.show(kind, NOTHING)
        self.given_parts[number] = list(kind.__members__.values())
        methods = {}
        for base in reversed([base for base in kind.__mro__ if self.is_of_suite(base)]):
            # What only the language calls, the test's own enumeration does.
            methods.update((name, [name, what, part]) for name, what, part in self.methods_of(base, number, walk) if not SUNDER.fullmatch(name))
        return {'$enumeration': [number, [*body, list(methods.values())]]}

    def leave_member(self, part, kind, walk):
        """A member of an enumeration of the test, or what its operators make of members."""
        # What `_missing_` makes has no name there, and no operator makes it.
        if part.name not in kind.__members__ and root_of(kind) not in ('Flag', 'IntFlag'):
            return None
        told = self.leave_enum(kind, walk)
        return told and {'$given_member': [told, part.name if part.name in kind.__members__ else None, walk(part.value)]}

    def body_of(self, kind, root, walk):
        told = []
        for name, member in kind.__members__.items():
            # Of other values no member could be made there.
            if not is_its_value(kind, member) or name.startswith('_') or callable(member.value) or hasattr(member.value, '__get__'):
                return None
            held = [[each, walk(value)] for each, value in vars(member).items() if not each.startswith('_')]
            told.append([name, self.give(member, member), walk(member.value), held])
        return [kind.__name__, kind.__qualname__, kind.__module__, vars(kind).get('__doc__'), root, told, has_own_missing(kind)]

    def answered_member(self, number, value):
        """What the artifact has made of members of a flag of the test."""
        kind = self.given.get(-number) if type(number) is int and number > 0 else None
        if not isinstance(kind, enum.EnumMeta) or root_of(kind) not in ('Flag', 'IntFlag') or type(value) is not int:
            raise ValueError('a member of no flag')
        return object() if number in self.over else kind(value)


def root_of(kind):
    """The name of what an enumeration of the test is made of; None where it is made of more."""
    if type(kind) is not enum.EnumMeta or kind._member_type_ not in (object, int, str):
        return None
    own = [base for base in kind.__mro__ if base.__module__ not in ('enum', 'builtins')]
    if any(name in vars(base) for base in own for name in ('__getattr__', '__getattribute__')):
        return None
    root = root_name(kind)
    is_same = getattr(ROOTS[root][-1], '_boundary_', None) is getattr(kind, '_boundary_', None)
    return root if is_same and (root not in ('Enum', 'Flag') or kind._member_type_ is object) else None


def is_its_value(kind, member):
    """True for a member that is the number or text that it has as its value."""
    plain = {int: int.__pos__, str: str.__str__}.get(kind._member_type_)
    return plain is None or plain(member) == member.value


def has_own_missing(kind):
    """True where the test says what an unknown value stands for."""
    return any('_missing_' in vars(base) and isinstance(vars(base)['_missing_'], (classmethod, types.FunctionType))
               for base in kind.__mro__ if base.__module__ != 'enum')
