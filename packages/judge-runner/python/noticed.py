"""Containers of the test that the artifact has been given, in an argument, an attribute, an answer of a function or an item: what either side
changes in them is told with its next message. Standard library only."""
import operator
import sys

from inner import KINDS
from originals import collections
from standard import is_namespace, lasts


def is_random(part):
    return type(part) is getattr(sys.modules.get('random'), 'Random', None)


def items_of(part):
    """What a container holds, in a list, and the state of random numbers; None for what is neither."""
    if is_random(part):
        return [part.getstate()]
    part = vars(part) if is_namespace(part) else part
    if type(part) not in KINDS:
        return None
    if type(part) is collections.defaultdict:
        return [*part, *part.values(), part.default_factory is None]
    return [*part, *part.values()] if isinstance(part, dict) else list(part)


class Noticed:
    """Such containers by number, with what they held when they were told last.

    `part_of`: finds one by its number, or None; `has`: true for those that both boxes know; `is_held`: false for the number of one that nothing
    else holds.
    """

    def __init__(self, part_of, has, most, most_items, is_held=None):
        self.part_of, self.has, self.most, self.most_items, self.is_held = part_of, has, most, most_items, is_held
        self.held, self.count = collections.OrderedDict(), 0
        #: True for an object that is told by its number alone, whatever it holds.
        self.is_told_by_number = lambda part: False

    def note(self, number, part):
        """Looks at a container from now on, as long as something holds it."""
        self.forget(number)
        items = items_of(part)
        if items is None or len(items) > self.most_items:
            return
        self.held[number] = items, all(map(self.is_flat, items))
        self.count += len(items)
        while len(self.held) > self.most or self.count > self.most_items:
            self.forget(next(iter(self.held)))

    def forget(self, number):
        items, _ = self.held.pop(number, ((), False))
        self.count -= len(items)

    def clear(self):
        self.held.clear()
        self.count = 0

    def is_flat(self, part):
        """True for what does not change, and for what is looked at by itself."""
        return lasts(part) or self.has(part) or self.is_told_by_number(part)

    def is_same(self, number, part):
        """True where a container holds the items that it held. In the artifact's box, one with items that may change themselves counts as changed: it
        is told, and compared then."""
        items, is_flat = self.held[number]
        now = items_of(part)
        if is_random(part):
            return now == items
        return (is_flat or self.is_held is None) and len(now) == len(items) and all(map(operator.is_, now, items))

    def has_changed(self):
        parts = [(number, self.part_of(number)) for number in self.held]
        return any(part is not None and not self.is_same(number, part) for number, part in parts)

    def changed(self, tell):
        """How those are told that have changed. `tell`: tells one, or answers None."""
        found = []
        for number in list(self.held):
            part = self.part_of(number)
            if part is None:
                self.forget(number)
            elif not self.is_same(number, part):
                self.note(number, part)
                told = tell(part)
                if told is not None and len(told.get('$own', ())) > 1:
                    found.append(told)
            elif self.is_held is not None:
                part = None  # This variable would count as well.
                if not self.is_held(number):
                    self.forget(number)
        return found
