"""Containers that both boxes know, as the tester has them: those that the test has given, and those of the artifact that it may change.
Standard library only."""
from codec import Unplain, encode
from inner import inner_of
from noticed import Noticed
from repeats import Repeats
from shared import CHANGING

#: Most containers that the test has given, with their items, that are looked at before each question: those that were given last.
MAX_GIVEN, MAX_GIVEN_ITEMS = 256, 10_000


class Borrowing:
    """The part of a link that tells the artifact what the test changes in such containers, and takes what the artifact changes."""

    def begin_borrowing(self):
        #: Arguments of calls that the artifact may still hold, by the number of the call, and as the artifact knows them.
        self.lent, self.lent_told = {}, {}
        #: Containers of the artifact that the test may change, by number, as the artifact knows them.
        self.borrowed = {}
        #: Those within each, in their order, as the artifact knows them; and where each is, by ids.
        self.inner, self.places_within = {}, {}
        #: The object and the attribute of which a container was read, by its number.
        self.origins = {}
        #: Numbers of containers that a context manager gave the test, with changes that are not believed yet; True where an object was
        #: made since the last call that may change one.
        self.entered, self.has_made = {}, False
        #: Numbers of such calls and containers that the running test alone knows, and those of the tests before.
        self.own_calls, self.own_borrowed, self.own_given, self.released = set(), set(), set(), {}
        #: Containers that the running test gave the artifact, by number, and their numbers.
        self.owned, self.own_numbers, self.own_count = {}, {}, 0
        #: What each of these held when it was told last.
        self.noticed = Noticed(self.owned.get, lambda part: id(part) in self.own_numbers, MAX_GIVEN, MAX_GIVEN_ITEMS)

    def lend(self, number, op, found):
        """A container of the artifact that the test may change, and sees changed."""
        self.origins[number] = op.get('of'), op.get('name')
        if self.passed.pop(number, False):
            self.entered.pop(number, None)
        if op['do'] != 'get':
            self.entered[number] = None
        return self.borrow(number, found)

    def borrow(self, number, found):
        """A container that was read off an object: the same one as before, with its content as it is now."""
        mine = self.borrowed.get(number, (found, None))[0]
        if type(mine) is not type(found):
            mine = found
        self.update(mine, found)
        is_new = number not in self.borrowed
        self.note_borrowed(number, mine)
        if is_new and self.is_own():
            self.own_borrowed.add(number)
        return mine

    def note_borrowed(self, number, mine, told=None):
        """Notes how the artifact knows a container now, and what is in it."""
        self.borrowed[number] = mine, self.plainly(mine) if told is None else told
        self.inner[number] = inner_of(mine)
        for at, part in enumerate(self.inner[number]):
            self.places_within[id(part)] = number, at

    def place_within(self, part):
        """Where the artifact finds a container of its own: its number, a place within it, and how many are within it. None for any other."""
        number, at = self.places_within.get(id(part), (None, 0))
        found = self.inner.get(number, ())
        return [number, at, len(found)] if at < len(found) and found[at] is part else None

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

    def by_places(self, part):
        """The same with the containers in it that the artifact has: it changes these, and makes no others."""
        def own(inner, told):
            place = None if inner is part else self.place_within(inner)
            return told if place is None else {'$inner': [place, told]}
        return encode(part, self.leave_other, own, Repeats(self.repeat_numbers))

    def know_containers(self):
        """Notes that the artifact knows what is in containers that both know."""
        for call, index in self.lent_told:
            self.lent_told[call, index] = self.plainly(self.lent[call][index])
        for number, (part, _) in list(self.borrowed.items()):
            self.note_borrowed(number, part)

    def prepare_containers(self, op):
        """Tells the artifact what the test has changed in containers that both know."""
        for call, index in [key for key in self.lent_told if key[0] in self.lent]:
            now = self.plainly(self.lent[call][index])
            if now is not None and now != self.lent_told[call, index]:
                self.lent_told[call, index] = now
                op.setdefault('kept', []).append([call, index, now])
        for number, (part, before) in list(self.borrowed.items()):
            now = self.plainly(part)
            if now is not None and now != before:
                told = now if len(self.inner[number]) == 1 else self.by_places(part)
                # What the test itself changes is no longer what was read.
                owner, name = self.origins.get(number, (None, ''))
                self.read_parts.get(owner, (None, {}))[1].pop(name, None)
                op.setdefault('lent', []).append([number, told])
                self.note_borrowed(number, part, now)
        owned = self.noticed.changed(self.as_given)
        if owned:
            op['owned'] = owned

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
            self.update(self.lent[number][index], self.changed('later', after, self.call_keys.get(number, '')))
            self.lent_told[number, index] = self.plainly(self.lent[number][index])
        for number, after in reply.get('changed', ()):
            if number in self.entered:
                self.entered[number] = after
                continue
            # What a test has read of an answer does not become what it is compared with.
            is_kept = self.has_changed(*self.origins.get(number, (None, '')), after) and not self.allows('changed part', False)
            if number in self.borrowed and not is_kept:
                self.borrow(number, self.changed(self.origins.get(number, (None, ''))[1], after, self.keys.of_artifact(number)))
        for told in reply.get('owned', ()):
            self.changed('owned', told, '')
        if reply.get('owned'):
            self.know_containers()
        if may_change:
            for number, after in [each for each in self.entered.items() if each[1] is not None]:
                self.entered[number] = None
                self.borrow(number, self.changed('entered', after, self.keys.of_artifact(number)))

    def changed(self, name, after, key):
        """A container that both know, as the artifact has changed it; `key`: of the question that gave or answered it."""
        return self.receive(self.place_of({'do': 'changed %s' % name}), key, after, lambda: self.arrive(after))

    def release(self):
        """Forgets containers of the test before, as the artifact does with its next question."""
        if self.own_calls or self.own_borrowed or self.own_given:
            self.released = {'kept': sorted(self.own_calls), 'lent': sorted(self.own_borrowed), 'owned': sorted(self.own_given)}
        for number in self.own_given:
            self.noticed.forget(number)
            del self.own_numbers[id(self.owned.pop(number))]
        for number in [number for number in self.passed if number in self.own_borrowed]:
            self.forget_passed(number)
        for number in self.own_borrowed:
            del self.borrowed[number], self.origins[number], self.inner[number]
            self.entered.pop(number, None)
        self.places_within = {id(part): (number, at) for number, parts in self.inner.items() for at, part in enumerate(parts)}
        self.lent = {number: args for number, args in self.lent.items() if number not in self.own_calls}
        self.lent_told = {key: told for key, told in self.lent_told.items() if key[0] not in self.own_calls}
        self.own_calls, self.own_borrowed, self.own_given = set(), set(), set()
