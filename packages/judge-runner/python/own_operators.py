"""Comparisons by the operators of an artifact's own classes. Standard library only."""
import itertools
import sys

import agreement
from comparison import ALL, LIKE, SIGNS, same_as_value, same_by_parts
from equality import vouch_tuples
from fields import plain_of
from kept import frozen, keeps
from originals import lines_of
from stand_in import StandIn, alike, given_of, held_in, id_of, is_made, is_waiting, link_of, number_of

#: Most operators of named tuples that are asked for at the end of a test.
MAX_USED = 1000
MARKS = {**SIGNS, 'eq': '==', 'ne': '!=', 'hash': 'hash()', 'plain hash': 'hash()', 'contains': 'in'}


def own_comparison(part, other, name):
    """The artifact's own comparison of two of its objects, and of one with what the test holds, where the reference needed it.

    What backed it in the reference's run must back it now.
    """
    link = link_of(part)
    is_own = issubclass(type(other), StandIn)
    if link.agrees(type(part)):
        if is_own:
            return agreement.equal(part, other, name)
        found = agreement.equals_value(part, other, name)
        if found is NotImplemented and not link.is_alone():
            found = by_name(part, other, compared_value(part, other), name)
        return link.deny(part, other, name) if found is NotImplemented else found
    if is_own:
        link.note_own(type(part))
    if is_own and not link.allows('comparison', link.trusts(part)) and not link.trusts_operators(part):
        raise link.refuse('compares two objects (%s) by the artifact\'s own ==; remoteEq or a reference allows it' % type(part).__name__)
    if link.is_alone():
        if not is_own:
            return link.deny(part, other, name)
        return link.call({'do': 'compare', 'of': id_of(part), 'name': name}, (other,), {}) is True
    same = compared_objects(part, other) if is_own else compared_value(part, other)
    if same is NotImplemented and not is_own:
        return link.deny(part, other, name)
    return by_name(part, other, same, name)


def by_name(part, other, same, name):
    """What `==` or `!=` answers where two are the same, or are not. A `!=` of the class has to be the contrary of its `==`."""
    if name == 'eq' or same is NotImplemented:
        return same
    link = link_of(part)
    if '__ne__' in type(part)._judge_overrides and link.says_equal(part, other, 'ne') is not same and not link.trusts_operators(part):
        raise link.refuse('compares two objects (%s) by the artifact\'s own !=, which contradicts its ==' % type(part).__name__)
    return not same


def compared_objects(part, other):
    link = link_of(part)
    same, backing = same_by_parts(part, other)
    if backing == ALL or link.trusts(part) or link.trusts_operators(part):
        return same
    if not link.allows('like' if backing == LIKE else 'unlike', False) and not (backing == LIKE and link.allows('unlike', False)):
        raise link.refuse('compares two objects (%s) by the artifact\'s own ==, which calls them equal although they differ more than '
                          'those of the reference' % type(part).__name__)
    return same


class TupleOperators:
    """The part of a link that holds own operators of named tuples, which are compared as values, against what they say."""

    def begin_tuples(self):
        #: Operators that the running test has used of two named tuples, with what these hold says.
        self.used_of_tuples = []
        #: Named tuples of which the running test asks for the hash, by functions and places in these.
        self.hashing = {}
        #: What named tuples hold that the running test has written, by their classes and texts.
        self.written = {}
        #: Objects that the running test has made as those of the reference are made, of which the artifact was not told.
        self.made_beside = []

    def note_text(self, part, text):
        """Refuses the text of an answer that another named tuple has as well which the test has made, unless they hold the same or a reference wrote its
        own so: one text for all would make an answer that of what the test has made."""
        if not self.is_alone():
            return
        held = tuple(tuple.__iter__(part))
        known = self.written.setdefault((type(part), text), [])
        if any(is_other is not is_made(part) and not alike(other, held) for other, is_other in known):
            raise self.refuse('writes two objects (%s) alike that hold different things; add a reference' % type(part).__name__)
        known.append((held, is_made(part)))

    def note_beside(self, part):
        if self.test and len(self.made_beside) < MAX_USED:
            self.made_beside.append(part)

    def confirm_beside(self):
        """Refuses objects that hold by the rule of the reference's class what the artifact's would not."""
        noted, self.made_beside = self.made_beside, []
        for part in filter(is_waiting, noted):
            kind, given = type(part), given_of(part)
            if isinstance(part, tuple):
                is_same = is_like(tuple.__iter__(part), tuple.__iter__(self.arrive(self.made_for_now(kind, given))))
            elif given.making.base is not None:
                is_same = given.holds(self.value({'do': 'plain', 'of': self.make_for_now(kind, given)}))
            else:
                names = kind._judge_value['fields'] if given.making.compared is None else given.making.compared
                held = self.value_list({'do': 'fields', 'of': self.make_for_now(kind, given), 'names': list(names)})
                is_kept = len(held) == len(names) and all(keeps(given.value(each), found) for each, found in zip(names, held))
                is_same = is_kept or '_judge_compared' not in held_in(part)
            if not is_same:
                raise self.refuse('its class %s holds another value than the test gave it' % kind.__name__)

    def note_contains(self, part, wanted, found):
        """Returns whether a named tuple holds something. Its own operator is asked at the end of the test: it is told what the test expects."""
        if self.test and not self.learning and len(self.used_of_tuples) < MAX_USED:
            self.used_of_tuples.append(('contains', part, wanted, found))
        return found

    def note_tuples(self, name, part, other, found):
        """Returns what is found of two named tuples by what they hold. Where the test asked, their own operator is asked at its end."""
        is_known = is_told(part) and (is_told(other) or isinstance(other, tuple) and not hasattr(type(other), '_judge_link'))
        is_asked = sys._getframe(2).f_code.co_filename.startswith(self.suite) and bool(self.test)
        if is_known and is_asked and not self.learning and len(self.used_of_tuples) < MAX_USED:
            self.used_of_tuples.append((name[2:-2], part, other, found))
        return found

    def note_hash(self, part):
        """Notes a named tuple of which the test asks for the hash. Its own function is asked at the end of the test."""
        if not is_told(part) or not self.test or self.learning or len(self.used_of_tuples) >= MAX_USED:
            return
        held_in(part)['_judge_hashed'] = True
        frame = sys._getframe(2)
        if frame.f_code.co_filename.startswith(self.suite):
            self.used_of_tuples.append(('hash', part, part, None))
            self.hashing.setdefault(frame.f_code, {}).setdefault(frame.f_lasti, []).append(part)

    def note_mixed(self, part):
        """Notes a named tuple that equals a tuple of the language and that the test has hashed, as a key of a dictionary is: both have one hash."""
        if '_judge_hashed' in held_in(part) and self.test and len(self.used_of_tuples) < MAX_USED:
            self.used_of_tuples.append(('plain hash', part, part, True))

    def hashed_beside_others(self):
        """Named tuples whose hash the test itself asks for, in functions that may ask for that of something else."""
        for code, found in self.hashing.items():
            asked = calls_of_hash(code)
            own = [offset for offset in found if is_call_of_hash(code, offset)]
            if asked and not 1 < asked == len(own):
                yield from (part for offset in own for part in found[offset])

    def hash_of_content(self, part):
        """Hashes an object that the language compares by what it holds. A hash of its own is asked at the end of the test."""
        held = plain_of(part)
        if '__hash__' not in type(part)._judge_overrides:
            return hash(held)
        key = frozen(held)
        # Of what the language cannot hash, its class says whether it has a hash.
        if not is_hashable(held) and not is_waiting(part):
            self.ask({'do': 'hash', 'of': number_of(part)})
        self.note_own_hash(part, key)
        return hash(key)

    def note_own_hash(self, part, key):
        """Notes an object that the test has hashed by what it holds. The hash of its class is asked at the end of the test."""
        if self.test and not self.learning and len(self.used_of_tuples) < MAX_USED:
            self.used_of_tuples.append(('hash', part, part, key))

    def confirm_equal(self, part, other):
        """Calls two named tuples equal, if the artifact does so at the end of the test: it knows only one of them yet."""
        is_noted = bool(self.test) and len(self.used_of_tuples) < MAX_USED
        if is_noted:
            self.used_of_tuples.append(('eq', part, other, True))
        return is_noted

    def confirm_tuples(self):
        """Refuses operators of named tuples, and hashes of containers, that say another thing than what these hold."""
        self.confirm_beside()
        used, self.used_of_tuples = self.used_of_tuples, []
        used += [('plain hash', part, part, True) for part in self.hashed_beside_others()]
        self.hashing, hashes = {}, {}
        for name, part, other, found in used:
            if name == 'plain hash':
                agrees = self.ask({'do': 'plain hash', 'of': number_of(part)})['value'] is True
            elif name == 'hash':
                says = self.ask({'do': 'hash', 'of': number_of(part)})['value']
                key = type(part), tuple(tuple.__iter__(part)) if isinstance(part, tuple) else found
                agrees = type(says) is int and hashes.setdefault(key, says) == says
            elif name == 'contains':
                agrees = self.call({'do': 'method', 'of': number_of(part), 'name': '__contains__'}, (other,), {}) is found
            else:
                given = {'$handle': number_of(other)} if is_told(other) else self.leave(other)
                told = {'do': 'compare', 'of': number_of(part), 'name': name, 'args': [given], 'kwargs': []}
                agrees = self.ask(told)['value'] is found
            if not agrees:
                raise self.refuse('its class %s has an own %s, which says another thing than what its objects hold; remoteEq or a reference allows it'
                                  % (type(part).__name__, MARKS.get(name, name)))


def is_call_of_hash(code, offset):
    """True for the place of a call of `hash()` in a function of the test, and where the language does not say what stands there."""
    if not hasattr(code, 'co_positions'):
        return True
    line, last, column, _ = next(itertools.islice(code.co_positions(), offset // 2, None))
    text = ''.join(lines_of(code.co_filename)[line - 1:last])[column:] if None not in (line, last, column) else 'hash('
    # What pytest makes of an assertion stands where that begins.
    return text.startswith('hash(') or text.startswith('assert') and agreement.HASH.search(text) is not None


def calls_of_hash(code):
    """How often a function of the test calls `hash()`, by its text."""
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return len(agreement.HASH.findall(''.join(lines_of(code.co_filename)[min(lines) - 1:max(lines)])))


def is_hashable(held):
    try:
        hash(held)
    except TypeError:
        return False
    return True


def is_like(one, other):
    """Equality of what two named tuples hold, with lists for tuples: a class may convert what it is given."""
    return alike(*([list(each) if isinstance(each, tuple) else each for each in items] for items in (one, other)))


def is_told(part):
    """True for a named tuple of the artifact that it knows, or is told of when the test uses it."""
    return isinstance(part, tuple) and hasattr(type(part), '_judge_link') and bool({'_judge_id', '_judge_given'} & set(held_in(part)))


def asks_tuples(part, other, op):
    """True for two named tuples that the artifact compares by an operator of its own, as the reference compares its objects at this place."""
    link = link_of(part)
    if not is_told(part) or not is_told(other):
        return False
    is_asked = not link.is_alone() and link.allows(op, False) or link.trusts_operators(part)
    if is_asked:
        link.note_own(type(part))
    return is_asked


def compared_tuples(part, other):
    """Whether the artifact calls two named tuples equal, as `compared_objects`; with one that it knew before it answered, none is."""
    same = compared_objects(part, other)
    if same:
        vouch_tuples(part, other)
    return same


def compared_value(part, value):
    link = link_of(part)
    same = same_as_value(part, value)
    if same is not NotImplemented:
        return same if link.allows('equal value', False) else NotImplemented
    same = link.says_equal(part, value) if link.learning or link.allows('unlike value', False) else False
    # Only what the reference called equal needs its word.
    return same if same and link.allows('unlike value', False) else NotImplemented
