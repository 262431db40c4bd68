"""Containers that both boxes know, as the artifact has them: those of the test, those that it still holds of a call, and those that a test
has read off an object. Standard library only."""
import sys

from codec import seal
from inner import CONTAINER, NAMED_TUPLE, TUPLE, VIEWS, inner_of, role_of, size_of, tops_of
from noticed import Noticed
from originals import collections
from repeats import MAX_PASSED, PASSED
from shared import CHANGING, MAX_CONTAINERS, MAX_ITEMS, replace
from standard import is_namespace

MAX_OWNED = 20_000
#: Most containers that are looked at with each message, those that came last, and most items of all of them.
MAX_NOTICED, MAX_NOTICED_ITEMS = 256, 20_000
MAX_KEPT = 64
#: Most containers of the artifact that have numbers, and most within one that do.
MAX_KNOWN, MAX_INNER = 20_000, 4000


def outline(told):
    """A container as it arrived, with containers in it by their numbers only."""
    if type(told) is list:
        return [outline(each) for each in told]
    if type(told) is not dict:
        return told
    return {tag: held[:1] if tag == '$own' else outline(held) for tag, held in told.items()}


def is_same(before, told):
    """True for a container that arrived, or leaves, as before: 1 is not True."""
    return before == told and seal(before) == seal(told)


def renew(part, made):
    """Makes something of the test what another one is."""
    if hasattr(part, 'setstate'):
        return part.setstate(made.getstate())
    # What a view shows is changed in the dictionary itself.
    if part is made or type(part) in VIEWS:
        return None
    # A namespace is changed by its attributes.
    mine, new = (vars(part), vars(made)) if is_namespace(part) else (part, made)
    return replace(mine, new)


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
        #: How to find a container of the artifact by its number.
        self.known_by = lambda number: None

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

    def renewed(self, number, made, is_changed):
        """A container of the artifact that the test has, with its content as it is there where the test has changed it."""
        part = self.known_by(number)
        if type(part) is not type(made):
            return made
        if is_changed:
            renew(part, made)
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

    def __init__(self, owned, tell, arrive):
        self.owned, self.tell, self.arrive = owned, tell, arrive
        owned.known_by = lambda number: self.known.get(number)
        #: Containers of the artifact that the test knows, and those within them, by their numbers, which are below zero, and these by ids.
        self.known, self.numbers, self.count = {}, {}, 0
        #: Arguments that an object may hold on to, as `[call, index, container, how the test knows it]`.
        self.kept = []
        #: How the test knows the containers that it has read off objects, by number.
        self.lent = {}
        #: The same of those that functions of the test were given last.
        self.passed = collections.OrderedDict()

    def release(self, released):
        """Forgets containers of an earlier test."""
        self.kept[:] = [entry for entry in self.kept if entry[0] not in released['kept']]
        for number in released['lent']:
            self.lent.pop(number, None)
            self.passed.pop(number, None)
        self.owned.release(released['owned'])
        tops = {number: self.known[number] for number in (*self.lent, *self.passed)}
        within = [(self.numbers.get(id(part)), part) for top in tops.values() for part in inner_of(top)]
        self.known = {**tops, **{number: part for number, part in within if number is not None}}
        self.numbers = {id(part): number for number, part in self.known.items()}

    def number_of(self, part):
        """The number by which the test knows a container; 0 for one of its own."""
        if self.owned.has(part):
            return 0
        number = self.numbers.get(id(part))
        if number is None:
            self.count -= 1
            number = self.numbers[id(part)] = self.count
            self.known[number] = part  # Kept, so that its id stays its own.
        return number

    def numbers_in(self, parts):
        """The numbers of containers that stand within one or in a tuple; none for too many."""
        if len(parts) > MAX_INNER or len(self.known) + len(parts) > MAX_KNOWN:
            return ()
        return tuple(map(self.number_of, parts))

    def looked_at(self, part, before=None, told=None):
        """How a container is told, and how the test knows it then: by that, and by the numbers of the containers within it."""
        told = self.tell(part) if told is None else told
        sealed = seal(told)
        if before is not None and before[0] == sealed and not before[1]:
            return told, before
        return told, (sealed, self.numbers_in(inner_of(part)[1:]))

    def take_changes(self, op):
        """What the test has changed."""
        for call, index, told in op.pop('kept', ()):
            for entry in self.kept:
                if entry[:2] == [call, index]:
                    renew(entry[2], self.arrive(told))
                    entry[3] = seal(self.tell(entry[2]))
        left = set()
        for number, told in op.pop('lent', ()):
            part = self.known.get(number)
            made = self.arrive(told)
            if type(part) is not type(made):
                continue
            renew(part, made)
            for seen in (self.lent, self.passed):
                if number in seen:
                    left.update(seen[number][1])
                    seen[number] = self.looked_at(part)[1]
        self.follow(left)
        for told in op.pop('owned', ()):
            self.arrive(told)

    def follow(self, left, changed=None):
        """Looks from now on at containers that do not stand in another one any more; `changed`: where to tell them."""
        left = left.difference((0,), self.lent, self.passed, *(inner for _, inner in (*self.lent.values(), *self.passed.values())))
        for number in sorted(left, reverse=True):
            part = self.known.get(number)
            if part is None:
                continue
            told, seen = self.looked_at(part)
            if changed is not None:
                changed.append([number, told, list(seen[1])])
            # Beside the table, the variable and what is asked, something of the artifact holds it.
            if sys.getrefcount(part) > 3:
                self.watch(number, seen)

    def watch(self, number, seen):
        """Looks at a container with each message. The last are the ones that a test changes."""
        self.lent.pop(number, None)
        self.lent[number] = seen
        if len(self.lent) > MAX_CONTAINERS:
            del self.lent[next(iter(self.lent))]

    def tell_changes(self, reply):
        """What the artifact has changed."""
        for entry in self.kept:
            told = self.tell(entry[2])
            if seal(told) != entry[3]:
                entry[3] = seal(told)
                reply.setdefault('later', []).append([entry[0], entry[1], told])
        changed, left = [], set()
        for seen in (self.lent, self.passed):
            for number, before in list(seen.items()):
                told, now = self.looked_at(self.known[number], before)
                if now != before:
                    left.update(before[1])
                    seen[number] = now
                    if seen is self.lent or number not in self.lent:
                        changed.append([number, told, list(now[1])])
        if left:
            self.follow(left, changed)
        if changed:
            reply['changed'] = changed
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
        number = self.number_of(part)
        if number in self.lent:
            return number
        self.passed[number] = self.looked_at(part)[1]
        self.passed.move_to_end(number)
        if len(self.passed) > MAX_PASSED:
            self.passed.popitem(last=False)
        return number

    def lend(self, part, reply):
        """A test may change a container that it reads off an object, or those in a tuple."""
        role = role_of(type(part))
        if role is CONTAINER:
            if size_of(part) <= MAX_ITEMS and not self.owned.has(part):
                reply['lent'] = number = self.number_of(part)
                seen = self.looked_at(part, told=reply['value'])[1]
                self.watch(number, seen)
                if seen[1]:
                    reply['inner'] = list(seen[1])
        elif role in (TUPLE, NAMED_TUPLE):
            tops = [each for each in tops_of(part) if not self.owned.has(each)]
            numbers = self.numbers_in(inner_of(part)) if tops and all(size_of(each) <= MAX_ITEMS for each in tops) else ()
            if numbers:
                reply['inner'] = list(numbers)
                for top in tops[:MAX_CONTAINERS]:
                    self.watch(self.number_of(top), self.looked_at(top)[1])

    def keep(self, op, reply, is_object):
        """Arguments that a call has kept may change later, and those of one that answers an object, which may hold on to them."""
        keeps = op.get('keeps') or [False] * len(op['arrived'])
        for index, part in enumerate(op['arrived']):
            # Others are looked at by their numbers.
            is_small = isinstance(part, CHANGING) and not self.owned.has(part) and len(self.kept) < MAX_KEPT and len(part) <= MAX_KEPT
            if is_small and (is_object or keeps[index]):
                self.kept.append([op['call'], index, part, seal(self.tell(part))])
                reply['kept'] = True

    def mutated(self, sent, args):
        """Arguments that look different after the call than they did before it."""
        changed = []
        for index, (before, after) in enumerate(zip(map(without_places, sent), args)):
            # Containers of the artifact are told by their numbers.
            if self.numbers.get(id(after)) in self.lent:
                continue
            if isinstance(after, (list, dict, set, bytearray, tuple, collections.deque)) or is_namespace(after) or type(after).__name__ == 'ndarray':
                now = self.tell(after)
                if seal(now) != seal(before) and not (type(now) is dict and len(now.get('$own', ())) == 1):
                    changed.append([index, now])
        return changed
