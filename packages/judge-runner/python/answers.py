"""Answers of the artifact that a test may compare, and what they held before the artifact could know with what. Standard library only."""
import sys

from equality import COMPARED, listed
from originals import contextlib
from stand_in import given_of, held_in, is_plain, is_stand_in, link_of, number_of, objects_in, same, same_given

MAX_DEPTH = 64
#: Most answers that are read before an object is made; most plain answers of a test that are kept, and parts of one that are looked at.
MAX_READ, MAX_PLAIN, MAX_PARTS = 2000, 2000, 100_000
#: Most answers that are read again, as they may have changed: each object of a test would read all others.
MAX_AGAIN = 20
#: Most answers of earlier tests that may be compared.
MAX_KEPT = 50
#: Most answers among which those are looked for that a call could change.
MAX_OPEN = 200
#: Most readings of one answer that are kept.
MAX_NOTES = 100
#: What `sys.getrefcount` says of the variable of a loop that only one container holds.
UNHELD = next(sys.getrefcount(each) for each in [[]])
#: What an answer held when it was not read.
UNREAD = object()
CHANGES_EARLIER = 'changes an earlier answer when a call is told what is expected'
#: Tags of values that are told in another way when they are told again.
TOLD_AGAIN = frozenset(('$own', '$callback', '$local', '$given_member', '$enum', '$named', '$sub', '$error'))


class Answers:
    """The part of a link that reads answers."""

    def begin_answering(self):
        #: Answers that could be compared: of the running test, and those that tests share.
        self.answers, self.shared_answers = [], []
        #: Those of earlier tests, by their ids.
        self.earlier = frozenset()
        #: Plain answers of the running test, with how many objects were made before.
        self.plain_answers = []
        #: What answers held when the test made the next object, by number, with how often answers could have changed before.
        self.read_parts = {}
        #: The call, as its window, of which the answer holds an object that is being compared.
        self.outer_window = None
        #: When the test has read an attribute of an object last, by number, as how often answers could have changed.
        self.read_at = {}
        #: The classes of the objects that calls with values of the test have answered, by what was called.
        self.kinds_answered = {}
        #: The class and the name by which the test has reached a function, which is another one each time, by number.
        self.reached_by = {}

    def begin_answers(self):
        self.read_at = {}
        known = set(map(id, self.shared_answers))
        kept = [each for each in self.answers if id(each) not in known][-MAX_KEPT:]
        self.answers, self.earlier = [*self.shared_answers, *kept], set(map(id, kept))
        self.plain_answers = []

    def note_answer(self, part):
        shared = self.sharing > 0 or not self.test
        held_in(part).setdefault('_judge_came', self.made_count)
        self.answers.append(part)
        if shared:
            self.shared_answers.append(part)

    def note_plain(self, value):
        # What can be called is no plain value, and lives as long as the test holds it, as what is its own does.
        is_plain = not is_stand_in(value) and id(value) not in self.numbers and not callable(value)
        if self.is_making is None and not self.is_constructing and is_plain and len(self.plain_answers) < MAX_PLAIN:
            self.plain_answers.append((self.made_count, value))

    def answered_at(self, value):
        """How many objects were made when a value was last answered by itself or in another; None for one that was not."""
        left = MAX_PARTS
        for count, answer in reversed(self.plain_answers):
            pending = [answer]
            while pending and left:
                part, left = pending.pop(), left - 1
                if type(part) is type(value) and part == value:
                    return count
                if isinstance(part, (list, tuple, set, frozenset)):
                    pending.extend(part)
                elif isinstance(part, dict):
                    pending.extend(part.values())
        return None if left else self.made_count

    def parts_of_plain(self):
        """Objects in plain answers, once for each place, where nothing else holds what they stand in."""
        return [part for _, answer in self.plain_answers if sys.getrefcount(answer) <= UNHELD for part in parts_alone(answer)]

    def forget_in_plain(self, twins):
        """Puts other objects in the places of those of these ids."""
        self.plain_answers = [(count, with_twins(answer, twins)) for count, answer in self.plain_answers]

    def is_twin(self, part):
        """True for an object that stands for both an answer and what the test has made, and not given: they are not the same, unless
        they were with the reference."""
        held = held_in(part)
        # Methods of the test that take part in making an object know it already.
        if self.building is not None and held.get('_judge_born') is self.building:
            return False
        if self.is_making is not None or self.is_constructing:
            is_other = '_judge_new' not in held or not same_given(held['_judge_new'], self.is_given)
            is_given = any(part is each for each in (*self.is_given[0], *self.is_given[1].values()))
            return any(self.is_given) and not is_given and is_other and not self.allows('same', False)
        given = given_of(part)
        is_kept = '_judge_kept' in held or given is not None and type(given.told) is int and not given.is_read and not given.is_passed
        return is_kept and not self.allows('same', False)

    def read_answers(self):
        """Reads what answers hold, and what objects in them do, as long as the artifact does not know more."""
        self.read_deeply(self.unread_answers)

    def unread_answers(self):
        known, unread = len(self.answers) - MAX_AGAIN, []
        for at, part in enumerate(self.answers[-MAX_READ:], max(0, len(self.answers) - MAX_READ)):
            read = held_in(part).get('_judge_read')
            is_due = read is None or at >= known and read[2] != self.changes
            if given_of(part) is None and is_due and not any(part is each for each in unread[-1:]):
                unread.append(part)
        return unread

    def unread_expected(self, kinds):
        """Answers that a call which is told what is expected could change, where they may hold something else than when they were read; `kinds`: the
        classes of what it answers, None where that is not known."""
        if kinds == set():
            return []
        found = [part for part in self.answers[-MAX_OPEN:]
                 if (kinds is None or type(part)._judge_id in kinds) and may_be_expected(part) and id(part) not in self.earlier][-MAX_AGAIN:]
        known = set(map(id, found))
        for part in found:
            # What it holds is compared with it.
            inner = objects_in(held_in(part).get('_judge_notes', {}).get(self.changes)) if len(found) < MAX_READ else ()
            found.extend(each for each in inner if may_be_expected(each) and id(each) not in known)
            known.update(map(id, inner))
        return [part for part in found if held_in(part).get('_judge_read', (0, None, None))[2] != self.changes]

    def read_deeply(self, choose):
        """Reads what answers hold, and the objects in it, which are answers then."""
        for _ in range(MAX_DEPTH):
            unread = choose()
            if not unread:
                return
            told = self.ask({'do': 'read', 'of': number_of(unread[0]), 'parts': [[number_of(part), *wanted_of(part)] for part in unread]})['value']
            if type(told) is not list or len(told) != len(unread) or any(type(each) is not list or len(each) != 2 for each in told):
                raise self.protocol_error('an answer that is no list')
            for part, (values, parts) in zip(unread, told):
                values = self.arrive(values[0]) if type(values) is list and len(values) == 1 else None
                before = held_in(part).get('_judge_read')
                is_same = before is not None and same(before[1], values)
                held_in(part)['_judge_read'] = before[0] if is_same else self.made_count, values, self.changes
                self.read_parts[number_of(part)] = self.changes, {str(name): value for name, value in parts or ()}
                self.note_held(part, values)

    def note_held(self, part, values):
        """Notes what an answer holds now: values, or parts as they were told where its class compares it in another way."""
        notes = held_in(part).setdefault('_judge_notes', {})
        if type(part)._judge_equal == 'own' and values is None:
            values = self.read_parts[number_of(part)][1]
        elif type(part)._judge_equal == 'own':
            if type(values) is not list or any(type(each) is not list or len(each) != 2 or type(each[0]) is not str for each in values):
                raise self.protocol_error('a state that is none')
            values = dict(values)
        notes[self.changes] = values
        if len(notes) > MAX_NOTES:
            del notes[next(iter(notes))]

    # Answers of calls that are told what is expected

    def commits(self, op, args, kwargs):
        """True for a call that may make what an earlier answer is compared with: of a function or class, with values of the test alone."""
        is_asked = op['do'] == 'call' or op['do'] == 'method' and op['of'] in self.classes
        return is_asked and self.is_making is None and not self.is_constructing and is_plain(args, kwargs) and \
            not objects_in([*args, *kwargs.values()])

    def commit(self, op, call):
        """What such a call answers. Answers are read before it: it could give them what it is told."""
        key = self.reached_by.get(op['of'], (op['of'], op.get('name')))
        kinds = self.kinds_answered.get(key)
        # Of one that has answered objects of several classes, it is not known which is next.
        wanted = None if kinds is None or len(kinds) > 1 else kinds
        self.read_deeply(lambda: self.unread_expected(wanted))
        before = self.changes
        found = call()
        parts = objects_in(found)
        self.kinds_answered.setdefault(key, set()).update(type(part)._judge_id for part in parts)
        for part in parts:
            held = held_in(part)
            held['_judge_window'] = before, self.changes
            if '_judge_notes' not in held:
                held['_judge_fresh'] = True
        return self.unless_changed(found, before) if is_stand_in(found) else found

    def unless_changed(self, part, before):
        """The answer of such a call, as another object where it is an earlier one that the call has changed: compared with itself, that would be
        equal."""
        notes = held_in(part).get('_judge_notes', {})
        if before not in notes:
            return part
        self.read_deeply(lambda: [part] if self.changes not in notes else [])
        if self.holds_still(part, notes[before], notes[self.changes], (before, self.changes)) or self.allows('same', False):
            return part
        self.doubled.setdefault(type(part).__name__)
        twin = object.__new__(type(part))
        held_in(twin).update(held_in(part))
        return twin

    def window_of(self, part):
        """How often answers could have changed before and after the call that answered an object; None where it was told nothing."""
        return held_in(part).get('_judge_window', self.outer_window)

    @contextlib.contextmanager
    def compared_within(self, left, right):
        """Compares what two objects hold: objects in it came with them."""
        outer = self.outer_window
        self.outer_window = self.window_of(left) or self.window_of(right)
        try:
            yield
        finally:
            self.outer_window = outer

    def is_noted(self, part, other):
        """True for an answer that was read before the call that answered another one."""
        return (self.window_of(other) or (None,))[0] in held_in(part).get('_judge_notes', ())

    def parts_told(self, part):
        """What an object holds now, by name, as it is told."""
        return dict(self.told_state(number_of(part)))

    def check_windows(self, left, right, values):
        """Refuses an answer that has come to hold what another one holds by the call that answered that. `values`: what they hold, and are equal by."""
        for part, other, now in ((left, right, values[0]), (right, left, values[1])):
            if not self.is_noted(part, other):
                continue
            window, notes = self.window_of(other), held_in(part)['_judge_notes']
            # What has changed later may be the work of something else.
            after = notes.get(window[1], now if self.changes == window[1] else UNREAD)
            if after is not UNREAD and not self.holds_still(part, notes[window[0]], after, window):
                self.doubt(part, CHANGES_EARLIER, 'changed part')

    def holds_still(self, part, before, after, window):
        """True for an answer that holds what it held. Where the test has read it since, it may have computed more."""
        if type(part)._judge_equal != 'own':
            return same(listed(before), listed(after))
        shared = [name for name in before if name in after]
        is_read = self.read_at.get(number_of(part), -1) >= window[0]
        alike = same if self.agrees(type(part)) else same_told
        return all(alike(before[name], after[name]) for name in shared) and (set(after) <= set(before) or is_read and bool(shared))

    def check_read(self, number, name, told):
        """Refuses an attribute of an answer that has changed though the test has only made objects since."""
        self.read_at[number] = self.changes
        if self.has_changed(number, name, told) and not self.allows('changed part', False):
            raise self.refuse('changes what it has answered (%s) when the test makes another object' % name)

    def has_changed(self, number, name, told):
        """True for an attribute of an answer that is told otherwise than when it was read, though nothing but objects was made since."""
        changes, parts = self.read_parts.get(number, (None, {}))
        if changes != self.changes:
            return False
        if name == '__dict__' and type(told) is dict and type(told.get('$dict')) is list:
            return any(self.has_changed(number, each, value) for each, value in told['$dict'] if type(each) is str)
        if name not in parts:
            return False
        try:
            return outline(parts[name]) != outline(told)
        except ValueError:
            return False


def items_of(held):
    return list(held.values()) if type(held) is dict else list(held) if type(held) in (list, tuple) else []


def parts_alone(held):
    """Objects in a container, and in containers that only this one holds."""
    found = []
    for each in items_of(held):
        if is_stand_in(each):
            found.append(each)
        # The list of items holds it as well.
        elif sys.getrefcount(each) <= UNHELD + 1:
            found += parts_alone(each)
    return found


def with_twins(held, twins):
    """A container with other objects for those of these ids; itself where it holds none of them."""
    made = [twins[id(each)] if id(each) in twins else with_twins(each, twins) for each in items_of(held)]
    if all(one is other for one, other in zip(made, items_of(held))):
        return held
    return dict(zip(held, made)) if type(held) is dict else type(held)(made)


def may_be_expected(part):
    """True for an answer that a call which is told what is expected could change: of a class with `==`, and not one that such a call has answered and
    that the test has not used."""
    return type(part)._judge_equal in (*COMPARED, 'own') and given_of(part) is None and '_judge_fresh' not in held_in(part)


def same_told(one, other):
    """Equality of values as they were told."""
    outlines = []
    for each in (one, other):
        with contextlib.suppress(ValueError):
            outlines.append(outline(each))
    return len(outlines) == 0 or len(outlines) == 2 and outlines[0] == outlines[1]


def wanted_of(part):
    """What is read of an answer: its fields, what it contains, or nothing but its parts."""
    equal = type(part)._judge_equal
    if equal == 'own' and link_of(part).agrees(type(part)):
        return ['own', None]
    return [equal if equal in COMPARED else None, type(part)._judge_value['fields'] if equal == 'value' else None]


def outline(told):
    """A value of the artifact as it was told, with objects by their numbers only.

    Raises ValueError where it holds what is told in more than one way.
    """
    if type(told) is list:
        return [outline(each) for each in told]
    if type(told) is not dict:
        return told
    if '$handle' in told and type(told['$handle']) is dict:
        return {'$handle': told['$handle'].get('id')}
    if not TOLD_AGAIN.isdisjoint(told):
        raise ValueError('told otherwise the next time')
    return {tag: outline(held) for tag, held in told.items()}
