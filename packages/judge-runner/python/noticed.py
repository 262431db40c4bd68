"""Containers of the test that the artifact has been given, in an argument, an attribute, an answer of a function or an item: what it changes in
them is told with its next message. Standard library only."""
import collections
import operator
import sys

from codec import ATOMS
from standard import is_namespace

#: Most containers that are looked at with each message, those that came last, and most items of all of them.
MAX_NOTICED, MAX_NOTICED_ITEMS = 256, 20_000


def references(parts, number):
    """What `sys.getrefcount` says of a container in such a table."""
    return sys.getrefcount(parts[number][0])


#: The same of one that nothing else holds.
UNHELD = references({0: ([], None)}, 0)


def items_of(part):
    """What a container holds, in a list; None for what is none."""
    if type(part) in (list, set, collections.deque):
        return list(part)
    part = vars(part) if is_namespace(part) else part
    return [*part, *part.values()] if type(part) is dict else None


class Noticed:
    """Such containers by number, with what they held when they were told last. `owned`: all that both boxes know."""

    def __init__(self, owned):
        self.owned, self.held, self.count = owned, collections.OrderedDict(), 0

    def note(self, number, part):
        """Looks at a container from now on, as long as something of the artifact holds it."""
        self.forget(number)
        items = items_of(part)
        if items is None or len(items) > MAX_NOTICED_ITEMS:
            return
        self.held[number] = items, all(map(self.is_flat, items))
        self.count += len(items)
        while len(self.held) > MAX_NOTICED or self.count > MAX_NOTICED_ITEMS:
            self.forget(next(iter(self.held)))

    def forget(self, number):
        items, _ = self.held.pop(number, ((), False))
        self.count -= len(items)

    def clear(self):
        self.held.clear()
        self.count = 0

    def is_flat(self, part):
        """True for what does not change, and for what is looked at by itself."""
        return type(part) in ATOMS or self.owned.has(part) or type(part) is tuple and all(type(each) in ATOMS for each in part)

    def is_same(self, number):
        items, is_flat = self.held.get(number, ((), False))
        now = items_of(self.owned.parts[number][0])
        return is_flat and len(now) == len(items) and all(map(operator.is_, now, items))

    def changed(self, tell):
        """How those are told that the artifact has changed."""
        found = []
        for number in list(self.held):
            if number not in self.owned.parts:
                self.forget(number)
            elif not self.is_same(number):
                part = self.owned.parts[number][0]
                self.note(number, part)
                told = tell(part)
                if len(told['$own']) > 1:
                    found.append(told)
            elif references(self.owned.parts, number) <= UNHELD:
                self.forget(number)
        return found
