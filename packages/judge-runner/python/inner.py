"""Containers within a container that both boxes know. Each box finds the same ones in the same order, as both have the same content. Standard
library only."""
import collections
import sys

KINDS = frozenset((list, dict, set, bytearray, collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter))
#: Types whose values may hold such containers, or are ones.
HOLDING = KINDS | {tuple}
#: Most parts that are looked at for containers: beyond them, none within is known.
MAX_LOOKED_AT = 20_000


def found_in(top):
    """A container and those within it, each once, and how often each stands in another one, by ids."""
    found, counts, looked_at = [], {}, 0
    waiting = [top] if type(top) in HOLDING else []
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind in KINDS:
            counts[id(each)] = counts.get(id(each), 0) + 1
            if counts[id(each)] > 1:
                continue
            found.append(each)
        if kind is set or kind is bytearray:
            continue
        held = list(each.values() if issubclass(kind, dict) else each)
        looked_at += len(held)
        if looked_at > MAX_LOOKED_AT:
            return [top], {}
        waiting += [part for part in reversed(held) if type(part) in HOLDING]
    return found, counts


def inner_of(part):
    """A container and those within it, as they stand in it."""
    return found_in(part)[0]


def shares(part, is_known):
    """True where something else holds a container that stands within another one as well. `is_known`: true for those that have their own number."""
    found, counts = found_in(part)
    # Beside the containers that hold each: this list, the variable, and what is asked.
    return any(sys.getrefcount(each) > counts[id(each)] + UNHELD and not is_known(each) for each in found[1:])


def references():
    found, counts = found_in([[]])
    return [sys.getrefcount(each) - counts[id(each)] for each in found[1:]][0]


#: What `sys.getrefcount` says above of a container that nothing else holds.
UNHELD = references()
