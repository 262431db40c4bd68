"""Containers that both boxes know, as the tester has them: those that the test has given, and those of the artifact that it may change.
Standard library only."""
import sys

from codec import Unplain, encode, seal
from inner import CONTAINER, NAMED_TUPLE, TUPLE, VIEWS, inner_of, is_space, role_of, tops_of, values_in, viewed
from noticed import Noticed
from repeats import Repeats
from shared import CHANGING, MAX_CONTAINERS, replace

#: Most containers that the test has given, with their items, that are looked at before each question: those that were given last.
MAX_GIVEN, MAX_GIVEN_ITEMS = 256, 10_000
#: Most containers of the artifact whose numbers are known.
MAX_KNOWN = 40_000


class Borrowing:
    """The part of a link that tells the artifact what the test changes in such containers, and takes what the artifact changes."""

    def begin_borrowing(self):
        #: Arguments of calls that the artifact may still hold, by the number of the call, and as the artifact knows them.
        self.lent, self.lent_told = {}, {}
        #: Containers of the artifact that the test may change, by number, as the artifact knows them.
        self.borrowed = {}
        #: Those within each, in their order, as the artifact knows them.
        self.inner = {}
        #: All of these by the numbers of the artifact, and their numbers by ids.
        self.known_parts, self.known_numbers = {}, {}
        #: The object and the attribute of which a container was read, by its number.
        self.origins = {}
        #: Numbers of containers that a context manager gave the test, with changes that are not believed yet; True where an object was
        #: made since the last call that may change one.
        self.entered, self.has_made = {}, False
        #: Numbers of such calls and containers that the running test alone knows, and those of the tests before.
        self.own_calls, self.own_borrowed, self.own_given, self.released = set(), set(), set(), {}
        #: Containers that the running test gave the artifact, by number, and their numbers.
        self.owned, self.own_numbers, self.own_count = {}, {}, 0
        #: How often the content of each container of both boxes has come, by its number.
        self.arrivals = {}
        #: Containers of the test that have come and are not taken, with that number, and true while they are.
        self.deferred, self.is_deferring = [], False
        #: True while the artifact is told of changes: objects in containers are made by questions of their own.
        self.is_telling_changes = False
        #: What each of these held when it was told last.
        self.noticed = Noticed(self.owned.get, lambda part: id(part) in self.own_numbers, MAX_GIVEN, MAX_GIVEN_ITEMS)

    def take_lent(self, reply, op, found):
        """An answer, with the containers in it that the test knows already: those are the same ones, with their content as it is now."""
        number, inner, role = reply.get('lent'), reply.get('inner', ()), role_of(type(found))
        if role is CONTAINER and type(number) is int:
            return self.lend(number, op, found, inner)
        if role in (TUPLE, NAMED_TUPLE) and inner:
            found = self.with_known_parts(found, inner)
            for part in tops_of(found):
                number = self.number_of_known(part)
                if number is not None:
                    self.note_lent(number, op)
                    self.note_borrowed(number, part)
        return found

    def lend(self, number, op, found, inner):
        """A container of the artifact that the test may change, and sees changed."""
        self.note_lent(number, op)
        return self.borrow(number, found, inner)

    def note_lent(self, number, op):
        self.origins[number] = op.get('of'), op.get('name')
        if self.passed.pop(number, False):
            self.entered.pop(number, None)
        if op['do'] != 'get':
            self.entered[number] = None

    def borrow(self, number, found, inner=()):
        """A container that was read off an object: the same one as before, with its content as it is now. `inner`: numbers of those within it."""
        if number == 0 or id(found) in self.own_numbers:
            return found
        mine = self.with_known_parts(found, [number, *inner], number)
        self.note_borrowed(number, mine)
        return mine

    def note_borrowed(self, number, mine):
        """Notes how the artifact knows a container now, and what is in it."""
        if number not in self.borrowed and self.is_own():
            self.own_borrowed.add(number)
        self.borrowed[number] = mine, seal(self.plainly(mine))
        self.inner[number] = inner_of(mine)

    def know_part(self, number, part):
        if len(self.known_parts) < MAX_KNOWN or number in self.known_parts:
            self.known_parts[number], self.known_numbers[id(part)] = part, number

    def number_of_known(self, part):
        """The number of a container of the artifact; None for any other."""
        number = self.known_numbers.get(id(part))
        return number if number is not None and self.known_parts.get(number) is part else None

    def with_known_parts(self, found, numbers, top=None):
        """What has arrived, with containers that the test knows in the place of those with their numbers. `top`: the number of the first one, which
        alone is known where others are not told."""
        arrived = inner_of(found)
        if len(arrived) != len(numbers):
            if top is None:
                return found
            mine = self.known_parts.get(top)
            if type(mine) is not type(found):
                mine = found
            self.know_part(top, mine)
            if type(mine) in VIEWS:
                replace(viewed(mine), viewed(found))
            else:
                self.update(mine, found)
            return mine
        standing, taken = {}, set()
        for part, number in zip(arrived, numbers):
            mine = self.known_parts.get(number, part) if number else part
            # One of the test's own is itself, and a container of both boxes stands for one.
            if type(mine) is not type(part) or id(mine) in taken or id(part) in self.own_numbers:
                mine = part
            standing[id(part)] = mine
            taken.add(id(mine))
        if top is not None:
            self.stand_by_place(self.known_parts.get(top), found, standing, taken)
        filled = [(standing[id(part)], self.content_with(part, standing)) for part in arrived if id(part) not in self.own_numbers]
        for mine, content in filled:
            if content is not mine:
                content = self.believed_in(mine, content) if is_space(type(mine)) else content
                replace(vars(mine) if is_space(type(mine)) else viewed(mine) if type(mine) in VIEWS else mine, content)
        for part, number in zip(arrived, numbers):
            if number:
                self.know_part(number, standing[id(part)])
        return self.with_known(found, standing)

    def stand_by_place(self, mine, after, standing, taken):
        """Lets containers without numbers, which the artifact has told when they had none, stand for those in their places."""
        if mine is after or type(mine) is not type(after):
            return
        if role_of(type(after)) is CONTAINER and standing.get(id(after)) is after:
            if id(mine) in taken or self.number_of_known(mine) is not None or id(mine) in self.own_numbers or id(after) in self.own_numbers:
                return
            standing[id(after)] = mine
            taken.add(id(mine))
        for old, new in pairs_of(mine, after):
            if role_of(type(new)):
                self.stand_by_place(old, new, standing, taken)

    def content_with(self, part, standing):
        """The content of a container that has arrived, with what stands for the containers in it."""
        kind = type(part)
        if kind is set or kind is bytearray:
            return part
        if is_space(kind):
            return {name: self.with_known(value, standing) for name, value in vars(part).items()}
        if kind in VIEWS:
            return {key: self.with_known(value, standing) for key, value in viewed(part).items()}
        if not issubclass(kind, dict):
            return [self.with_known(each, standing) for each in part]
        made = part.copy()
        for key, value in part.items():
            if role_of(type(value)):
                made[key] = self.with_known(value, standing)
        return made

    def with_known(self, part, standing):
        role = role_of(type(part))
        if role is None or role is CONTAINER:
            return standing.get(id(part), part)
        items = values_in(part)
        made = [self.with_known(each, standing) for each in items]
        if all(one is other for one, other in zip(items, made)):
            return part
        found = tuple.__new__(type(part), made)
        if role is NAMED_TUPLE and hasattr(part, '__dict__'):
            vars(found).update(vars(part))
        return found

    def plainly(self, part):
        """A container as the artifact is told of it, or None where it holds what cannot be told."""
        return self.told_if_plain(lambda: encode(part, self.leave_other, repeats=Repeats(self.repeat_numbers)))

    def told_if_plain(self, tell):
        """What is told, or None where that holds what cannot be told; what is too deep or too large fails the test."""
        try:
            return tell()
        except TypeError:
            return None
        except Unplain as error:
            self.refuse('has a container of both boxes that is %s' % error)
            return None

    def by_numbers(self, part):
        """The same with the containers in it that both boxes have: the artifact changes its own, and makes no others."""
        def own(inner, told):
            number = self.number_of_known(inner)
            return told if inner is part else self.own(inner, told) if number is None else {'$inner': [number, told]}
        return self.told_if_plain(lambda: encode(part, lambda part, walk: self.leave_other(part, walk, own), own))

    def know_containers(self):
        """Notes that the artifact knows what is in containers that both know."""
        for call, index in self.lent_told:
            self.lent_told[call, index] = seal(self.plainly(self.lent[call][index]))
        for number, (part, _) in list(self.borrowed.items()):
            self.note_borrowed(number, part)

    def prepare_containers(self, op):
        """Tells the artifact what the test has changed in containers that both know."""
        if self.is_telling_changes:
            return
        self.is_telling_changes = True
        try:
            self.tell_changes(op)
        finally:
            self.is_telling_changes = False

    def tell_changes(self, op):
        self.renew_views()
        for call, index in [key for key in self.lent_told if key[0] in self.lent]:
            now = self.plainly(self.lent[call][index])
            if now is not None and seal(now) != self.lent_told[call, index]:
                self.lent_told[call, index] = seal(now)
                op.setdefault('kept', []).append([call, index, now])
        left = []
        for number, (part, before) in list(self.borrowed.items()):
            now, inner = self.plainly(part), self.inner[number]
            is_same = seal(now) == before
            if now is None or is_same and (len(inner) == 1 or is_each(inner, inner_of(part))):
                continue
            self.note_borrowed(number, part)
            told = now if len(self.inner[number]) == 1 else self.by_numbers(part)
            # What the test itself changes is no longer what was read.
            owner, name = self.origins.get(number, (None, ''))
            self.read_parts.get(owner, (None, {}))[1].pop(name, None)
            if told is not None:
                op.setdefault('lent', []).append([number, told])
            left += inner[1:]
        inner = None
        if left:
            self.follow(left, op)
        owned = self.noticed.changed(self.as_given)
        if owned:
            op['owned'] = owned

    def follow(self, left, op):
        """Looks from now on at containers of the artifact that the test holds and that do not stand in another one any more."""
        standing = {id(part) for inner in self.inner.values() for part in inner}
        for part in left[:MAX_CONTAINERS]:
            number = self.number_of_known(part)
            # Beside the tables, this list, the variable and what is asked, something of the test holds it.
            if number is not None and id(part) not in standing and sys.getrefcount(part) > 4:
                self.note_borrowed(number, part)
                told = self.by_numbers(part)
                if told is not None:
                    op.setdefault('lent', []).append([number, told])

    def as_given(self, part):
        """A container of the test with its number; None where it holds what cannot be told."""
        return self.told_if_plain(lambda: self.leave(part))

    def take_changes(self, reply, op):
        """What the artifact has changed in containers that both know."""
        self.is_passing = may_change = self.may_change(op)
        for number, index, after in reply.get('later', ()):
            if type(number) is int and 0 < number <= self.calls and number not in self.lent:
                continue  # A thread that an earlier test has left behind tells it late.
            if number not in self.lent or type(index) is not int or not 0 <= index < len(self.lent[number]):
                raise self.protocol_error('a changed argument that was not given')
            key = self.call_keys.get(number, '')
            self.update(self.lent[number][index], self.changed('later', after, key, [key, index]))
            self.lent_told[number, index] = seal(self.plainly(self.lent[number][index]))
        for number, after, *inner in reply.get('changed', ()):
            if number in self.entered or number not in self.borrowed:
                self.entered[number] = after, *inner
                continue
            # What a test has read of an answer does not become what it is compared with.
            is_kept = self.has_changed(*self.origins.get(number, (None, '')), after) and not self.allows('changed part', False)
            if not is_kept:
                count = self.come_again(number)
                found = self.changed(self.origins.get(number, (None, ''))[1], after, self.keys.of_artifact(number), self.read_from(number))
                if self.arrivals.get(number) == count:
                    self.borrow(number, found, *inner)
        for told in reply.get('owned', ()):
            content = told.get('$own') if type(told) is dict else None
            if type(content) is not list or not content or type(content[0]) is not int:
                raise self.protocol_error('a changed container without a number')
            self.deferred.append((told, self.come_again(content[0])))
        self.take_deferred(True)
        if reply.get('owned'):
            self.know_containers()
        if may_change:
            for number, after in [each for each in self.entered.items() if each[1] is not None]:
                self.entered[number] = None
                if number in self.known_parts:
                    self.borrow(number, self.changed('entered', after[0], self.keys.of_artifact(number), self.read_from(number)), *after[1:])

    def changed(self, name, after, key, container):
        """A container that both know, as the artifact has changed it; `key`: of the question that gave or answered it, `container`: which one it is, None
        where that is not known. One of the test's own is known by its number."""
        return self.receive(self.place_of({'do': 'changed %s' % name}), key, after, lambda: self.arrive(after), container=container)

    def is_hashing(self):
        """True in a thread that hashes an object."""
        return getattr(self.local, 'is_hashing', False)

    def take_deferred(self, is_outermost=False):
        """Takes what has come, once no object is hashed, for which it is asked what that holds: objects that come then would have no hashes of their own.
        Each may bring more, so that this has a loop."""
        if not self.deferred or self.is_hashing() or self.is_deferring or self.is_taking() and not is_outermost:
            return
        with self.lock:
            self.is_deferring = True
            try:
                while self.deferred:
                    told, count = self.deferred.pop(0)
                    if self.arrivals.get(told['$own'][0]) == count:
                        self.changed('owned', told, '', '')
            finally:
                self.is_deferring = False

    def come_again(self, number):
        """How often the content of a container has come now: where that asks something, a newer one may come within."""
        count = self.arrivals[number] = self.arrivals.get(number, 0) + 1
        return count

    def read_from(self, number):
        """Where a container of the artifact was read; None for one that is known by another one."""
        owner, name = self.origins.get(number, (None, None))
        return None if name is None else [self.keys.of_artifact(owner), name]

    def release(self):
        """Forgets containers of the test before, as the artifact does with its next question."""
        if self.own_calls or self.own_borrowed or self.own_given:
            self.released = {'kept': sorted(self.own_calls), 'lent': sorted(self.own_borrowed), 'owned': sorted(self.own_given)}
        for number in self.own_given:
            self.noticed.forget(number)
            del self.own_numbers[id(self.owned.pop(number))]
            self.own_places.pop(number, None)
        for number in [number for number in self.passed if number in self.own_borrowed]:
            self.forget_passed(number)
        for number in self.own_borrowed:
            del self.borrowed[number], self.inner[number]
            self.origins.pop(number, None)
            self.entered.pop(number, None)
        held = {id(part) for parts in self.inner.values() for part in parts}
        self.known_parts = {number: part for number, part in self.known_parts.items() if id(part) in held}
        self.known_numbers = {id(part): number for number, part in self.known_parts.items()}
        self.entered = {number: after for number, after in self.entered.items() if number in self.borrowed}
        self.lent = {number: args for number, args in self.lent.items() if number not in self.own_calls}
        self.lent_told = {key: told for key, told in self.lent_told.items() if key[0] not in self.own_calls}
        self.own_calls, self.own_borrowed, self.own_given = set(), set(), set()
        self.arrivals = {}


def is_each(some, others):
    """True for the same containers in the same order."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others))


def pairs_of(mine, after):
    """What stands in the same places of two containers or tuples."""
    if isinstance(after, dict):
        return [(mine[key], value) for key, value in after.items() if key in mine]
    if is_space(type(after)):
        return pairs_of(vars(mine), vars(after))
    return zip(values_in(mine), values_in(after))
