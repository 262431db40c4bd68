"""Containers within a value that crosses between two boxes. Each box finds the same ones in the same order, as both have the same content.
Standard library only."""
import collections
import gc
import sys
import types

from codec import ATOMS
from standard import loaded

KINDS = frozenset((list, dict, set, bytearray, collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter))
#: Objects of the library that hold attributes, by the module of their class: they are containers as well.
SPACES = {'SimpleNamespace': 'types', 'Namespace': 'argparse'}
#: Views of dictionaries, which show what these hold now.
VIEWS = (types.MappingProxyType, type({}.keys()), type({}.values()), type({}.items()))
#: What the values of a type are: containers, or tuples that may hold some.
CONTAINER, TUPLE, NAMED_TUPLE = 'container', 'tuple', 'named tuple'
#: Roles of the most common types.
COMMON = {list: CONTAINER, dict: CONTAINER, tuple: TUPLE}
#: Most parts that are looked at for containers: beyond them, none within is known.
MAX_LOOKED_AT = 20_000
#: Roles of types, by their ids, with the types; and most of them.
ROLES, MAX_ROLES = {}, 2000


def is_space(kind):
    return any(kind is loaded(module, name) for name, module in SPACES.items())


def role_of_type(kind):
    # A metaclass of the artifact may answer anything, or raise an error.
    if any(kind is each for each in (*KINDS, *VIEWS)) or is_space(kind):
        return CONTAINER
    if kind is tuple:
        return TUPLE
    if any(base is tuple for base in type.mro(kind) if base is not kind):
        held = [type.__getattribute__(base, '__dict__') for base in type.mro(kind)]
        return NAMED_TUPLE if type(next((each['_fields'] for each in held if '_fields' in each), None)) is tuple else None
    return None


def role_of(kind):
    """What the values of a type are: one of the roles, or None."""
    found = ROLES.get(id(kind))
    if found is None or found[0] is not kind:
        if len(ROLES) >= MAX_ROLES:
            ROLES.clear()
        try:
            found = kind, role_of_type(kind)
        except Exception:
            found = kind, None
        ROLES[id(kind)] = found
    return found[1]


def size_of(part):
    return len(vars(part) if is_space(type(part)) else part)


def values_in(part):
    """What a container or a tuple holds that may be containers, in a list."""
    kind = type(part)
    if kind is set or kind is bytearray:
        return []
    if issubclass(kind, tuple):
        return list(tuple.__iter__(part))
    if kind is VIEWS[1]:
        return []
    return list(vars(part).values() if is_space(kind) else part.values() if issubclass(kind, dict) or kind is VIEWS[0] else part)


def viewed(part):
    """The dictionary of a view."""
    return gc.get_referents(part)[0]


def met_in(top, is_top_only=False):
    """A value, and the containers and tuples within it, each once, and how often each stands in another one, by ids. `is_top_only`: without
    what is within containers."""
    met, counts, looked_at = [], {}, 0
    waiting = [top] if role_of(type(top)) else []
    while waiting:
        each = waiting.pop()
        counts[id(each)] = counts.get(id(each), 0) + 1
        if counts[id(each)] > 1:
            continue
        met.append(each)
        if is_top_only and role_of(type(each)) is CONTAINER:
            continue
        held = values_in(each)
        looked_at += len(held)
        if looked_at > MAX_LOOKED_AT:
            return [top], {}
        waiting += [part for part in reversed(held) if type(part) not in ATOMS and role_of(type(part))]
    return met, counts


def inner_of(part):
    """The containers of a value, itself among them, as they stand in it."""
    found, seen, waiting, looked_at = [], set(), [part], 0
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind in ATOMS:
            continue
        role = COMMON[kind] if kind in COMMON else role_of(kind)
        if role is None or id(each) in seen:
            continue
        seen.add(id(each))
        if role is CONTAINER:
            found.append(each)
        held = list(each) if kind is list or kind is tuple else list(each.values()) if kind is dict else values_in(each)
        looked_at += len(held)
        if looked_at > MAX_LOOKED_AT:
            return [part] if role_of(type(part)) is CONTAINER else []
        held.reverse()
        waiting += held
    return found


def tops_of(part):
    """The containers of a value that stand in no other one."""
    return [each for each in met_in(part, True)[0] if role_of(type(each)) is CONTAINER]


def shares(part, is_known):
    """True where the artifact holds a container that stands within a value, or what leads to one there. `is_known`: true for those that have
    their own number."""
    met, counts = met_in(part)
    # A view is new each time, and what it shows is the artifact's.
    if any(type(each) in VIEWS for each in met):
        return True
    if len(met) < 2:
        return False
    # The test gives a named tuple back by its number. Beside what holds each: this list, the variable, and what is asked.
    if not any(role_of(type(each)) is CONTAINER for each in met[1:]):
        return False
    if any(role_of(type(each)) is NAMED_TUPLE for each in met):
        return True
    return any(sys.getrefcount(each) > counts.get(id(each), 1) + UNHELD and not is_known(each) for each in met[1:])


def references():
    met, counts = met_in([[]])
    return [sys.getrefcount(each) - counts[id(each)] for each in met[1:]][0]


#: What `sys.getrefcount` says above of a container that nothing else holds.
UNHELD = references()
