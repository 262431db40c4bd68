"""Containers that both boxes know, as the artifact has them: those of the test, those that it still holds of a call, and those that a test
has read off an object. Standard library only."""
import sys

from inner import inner_of
from noticed import Noticed
from originals import collections
from repeats import MAX_PASSED, PASSED
from shared import CHANGING, MAX_CONTAINERS, MAX_ITEMS, replace
from standard import is_namespace

MAX_OWNED = 20_000
#: Most containers that are looked at with each message, those that came last, and most items of all of them.
MAX_NOTICED, MAX_NOTICED_ITEMS = 256, 20_000
MAX_KEPT = 64


def outline(told):
    """A container as it arrived, with containers in it by their numbers only."""
    if type(told) is list:
        return [outline(each) for each in told]
    if type(told) is not dict:
        return told
    return {tag: held[:1] if tag == '$own' else outline(held) for tag, held in told.items()}


def is_same(before, told):
    """True for a container that arrived, or leaves, as before: 1 is not True."""
    return before == told and repr(before) == repr(told)


def renew(part, made):
    """Makes something of the test what another one is."""
    if hasattr(part, 'setstate'):
        return part.setstate(made.getstate())
    # A namespace is changed by its attributes.
    mine, new = (vars(part), vars(made)) if is_namespace(part) else (part, made)
    replace(mine, new)


def references(parts, number):
    """What `sys.getrefcount` says of a container in such a table."""
    return sys.getrefcount(parts[number][0])


#: The same of one that nothing else holds.
UNHELD = references({0: ([], None)}, 0)


class Owned:
    """Containers of the test, which keep their identity in the artifact's box."""

    def __init__(self):
        #: Containers by their numbers, with how they arrived last, and those numbers.
        self.parts, self.numbers = {}, {}
        self.noticed = Noticed(self.part_of, self.has, MAX_NOTICED, MAX_NOTICED_ITEMS, lambda number: references(self.parts, number) > UNHELD)
        #: How to find a container of the artifact by its number, a place within it, and how many are within it.
        self.within = lambda place: None

    def part_of(self, number):
        return self.parts.get(number, (None,))[0]

    def tell(self, part, told):
        """How a container leaves: by its number, with its content where the artifact has changed that."""
        number = self.numbers.get(id(part))
        if not self.has(part):
            return told
        if is_same(self.parts[number][1], told):
            return {'$own': [number]}
        self.parts[number] = (part, outline(told))
        return {'$own': [number, told]}

    def has(self, part):
        number = self.numbers.get(id(part))
        return number is not None and self.parts[number][0] is part

    def enter(self, number, held, walk):
        """The same container as before, with what the test has changed in it since."""
        made = walk(held)
        held = outline(held)
        part, before = self.parts.get(number, (None, None))
        if type(part) is not type(made):
            part = made
        elif not is_same(before, held):
            renew(part, made)
        if len(self.parts) > MAX_OWNED:
            self.parts.clear()
            self.numbers.clear()
            self.noticed.clear()
        self.parts[number], self.numbers[id(part)] = (part, held), number
        self.noticed.note(number, part)
        return part

    def renewed(self, place, made, is_changed):
        """A container of the artifact that the test has, with its content as it is there where the test has changed it."""
        part = self.within(place)
        if type(part) is not type(made):
            return made
        if is_changed:
            replace(part, made)
        return part

    def release(self, numbers):
        """Forgets containers of an earlier test: from then on they leave with their content."""
        for number in numbers:
            self.noticed.forget(number)
            part = self.parts.pop(number, (None,))[0]
            self.numbers.pop(id(part), None)


def without_places(told):
    """What the test gives, with containers of the artifact as these leave it."""
    if type(told) is list:
        return [without_places(each) for each in told]
    if type(told) is not dict:
        return told
    return without_places(told['$back'][1]) if '$back' in told else {tag: without_places(held) for tag, held in told.items()}


class Watched:
    """Containers whose changes each side tells the other. `tell` and `arrive` make values ready to leave and to be used."""

    def __init__(self, table, owned, tell, arrive):
        self.table, self.owned, self.tell, self.arrive = table, owned, tell, arrive
        owned.within = self.within
        #: Containers within those that the question of now has changed, as they were before.
        self.before = {}
        #: Arguments that an object may hold on to, as `[call, index, container, as the test knows it]`.
        self.kept = []
        #: Containers that the test has read off objects, by number, as it knows them.
        self.lent = {}
        #: Those that functions of the test were given last, likewise, with the container; their numbers, which are below zero, by ids.
        self.passed, self.passed_numbers, self.passed_count = collections.OrderedDict(), {}, 0

    def release(self, released):
        """Forgets containers of an earlier test."""
        self.kept[:] = [entry for entry in self.kept if entry[0] not in released['kept']]
        for number in released['lent']:
            self.lent.pop(number, None)
            self.forget_passed(number)
        self.owned.release(released['owned'])

    def take_changes(self, op):
        """What the test has changed."""
        self.before = {}
        for call, index, told in op.pop('kept', ()):
            for entry in self.kept:
                if entry[:2] == [call, index]:
                    replace(entry[2], self.arrive(told))
                    entry[3] = self.tell(entry[2])
        for number, told in op.pop('lent', ()):
            if number in self.passed:
                self.before[number] = inner_of(self.passed[number][0])
                replace(self.passed[number][0], self.arrive(told))
                self.passed[number][1] = self.tell(self.passed[number][0])
            if number not in self.lent:
                continue
            self.before[number] = inner_of(self.table[number])
            replace(self.table[number], self.arrive(told))
            self.lent[number] = self.tell(self.table[number])
        for told in op.pop('owned', ()):
            self.arrive(told)

    def within(self, place):
        """A container of the artifact that the test knows; None where it is another one by now."""
        number, at, count = place
        if number not in self.lent and number not in self.passed:
            return None
        top = self.table[number] if number in self.lent else self.passed[number][0]
        found = self.before.get(number) or inner_of(top)
        return found[at] if len(found) == count and at < count else None

    def tell_changes(self, reply):
        """What the artifact has changed."""
        for entry in self.kept:
            now = self.tell(entry[2])
            if now != entry[3]:
                entry[3] = now
                reply.setdefault('later', []).append([entry[0], entry[1], now])
        for number, before in self.lent.items():
            now = self.tell(self.table[number])
            if now != before:
                self.lent[number] = now
                reply.setdefault('changed', []).append([number, now])
        for number, entry in self.passed.items():
            now = self.tell(entry[0])
            if now != entry[1] and number not in self.lent:
                entry[1] = now
                reply.setdefault('changed', []).append([number, now])
        # Last, as the others may have told it.
        owned = self.owned.noticed.changed(self.tell)
        if owned:
            reply['owned'] = owned
        return reply

    def is_of_test(self, part):
        return self.owned.has(part)

    def pass_on(self, part):
        """The number of a container that a function of the test is given and may be given again; None for any other."""
        if type(part) not in PASSED or len(part) > MAX_ITEMS:
            return None
        known = self.table.numbers.get(id(part))
        if known in self.lent:
            return known
        number = self.passed_numbers.get(id(part))
        if number is None:
            self.passed_count += 1
            number = self.passed_numbers[id(part)] = -self.passed_count
        self.passed[number] = [part, self.tell(part)]
        self.passed.move_to_end(number)
        if len(self.passed) > MAX_PASSED:
            self.forget_passed(next(iter(self.passed)))
        return number

    def forget_passed(self, number):
        part, _ = self.passed.pop(number, (None, None))
        self.passed_numbers.pop(id(part), None)

    def lend(self, part, reply):
        """A test may change a container that it reads off an object."""
        if isinstance(part, CHANGING) and len(part) <= MAX_ITEMS:
            if id(part) in self.passed_numbers:
                self.table.adopt(self.passed_numbers[id(part)], part)
            number = self.table.number_of(part)
            # The last are the ones that a test changes.
            self.lent.pop(number, None)
            reply['lent'], self.lent[number] = number, reply['value']
            if len(self.lent) > MAX_CONTAINERS:
                del self.lent[next(iter(self.lent))]

    def keep(self, op, reply, is_object):
        """Arguments that a call has kept may change later, and those of one that answers an object, which may hold on to them."""
        keeps = op.get('keeps') or [False] * len(op['arrived'])
        for index, part in enumerate(op['arrived']):
            # Others are looked at by their numbers.
            is_small = isinstance(part, CHANGING) and not self.owned.has(part) and len(self.kept) < MAX_KEPT and len(part) <= MAX_KEPT
            if is_small and (is_object or keeps[index]):
                self.kept.append([op['call'], index, part, self.tell(part)])
                reply['kept'] = True

    def mutated(self, sent, args):
        """Arguments that look different after the call than they did before it."""
        changed = []
        for index, (before, after) in enumerate(zip(map(without_places, sent), args)):
            if isinstance(after, (list, dict, set, bytearray, tuple, collections.deque)) or is_namespace(after) or type(after).__name__ == 'ndarray':
                now = self.tell(after)
                if now != before and not (type(now) is dict and len(now.get('$own', ())) == 1):
                    changed.append([index, now])
        return changed
