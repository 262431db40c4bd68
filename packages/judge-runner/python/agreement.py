"""Operators that the artifact's classes define themselves, where no reference vouches for them: believed where what the objects hold says
the same. Standard library only.

What an object of the test holds is worked out here from what the test gave it, and what an answer holds is read while the artifact does
not know with what it is compared. The operator itself is asked at once where the two are equal, and else at the end of the test: the
artifact learns nothing from it that could help.
"""
import ast
import operator
import re
import sys

from comparison import ORDERS, SIGNS, contradicts, get, same_as_value
from equality import EARLY
from given import Given
from kept import Kept, frozen, keeps, snapshot
from originals import lines_of, time
from stand_in import given_of, held_in, is_copy, is_waiting, number_of, same, same_given

WORD = 'compares two objects (%s) by the artifact\'s own ==; remoteEq or a reference allows it'
DIFFERS = 'compares two objects (%s) by the artifact\'s own %s, which says another thing than what they hold; remoteEq or a reference allows it'
HASHES = 'hashes objects (%s) by the artifact\'s own hash(), which says another thing than what they hold; a reference allows it'
#: What is noted of a class of the reference, by its name.
OWN = 'own operators of %s'
MAX_PENDING = 10_000
#: Most objects with one hash that are compared with one another.
MAX_ALIKE = 50
#: Most seconds for which an object is taken to hold the same: the artifact may have threads.
MAX_AGE = 1
HASH = re.compile(r'(?<![\w.])hash\(')


class Spec:
    """An object as it was when the test used an operator of its class: what the test gave it, or what it held."""

    def __init__(self, part, held):
        self.part, self.held, self.given = part, held, snapshot(given_of(part)) if is_waiting(part) else None

    def number(self, link):
        """Its number in the artifact's box. Refuses an object that has changed since."""
        if self.given is not None:
            return link.stand_in(self.part, self.given)
        now = link.state(self.part)
        if any(name not in now or not same(now[name], value) for name, value in self.held.items()):
            raise link.refuse(DIFFERS % (type(self.part).__name__, 'operators, changes it'))
        return number_of(self.part)


def keeping_of(part):
    return type(part)._judge_keeps


def reported(part, given, before, apart):
    """What an object holds that the test has made and the artifact knows; None where that is not what it was given.

    By which of its parts it has to show that, an answer says that was read before: the artifact does not choose it for this object.
    """
    held = get(part, '_judge_link').state(part)
    kept = {name: own for name, own in given.kept_in(type(part), before).items() if name not in apart}
    is_like = all(kept[name] in held and keeps(given.unshown[name], held[kept[name]]) for name in kept)
    is_shown = all(name in held and same(held[name], value) for name, value in given.parts.items())
    return held if is_like and is_shown and given.filled & set(given.unshown) - set(apart) <= set(kept) else None


def expected(part, before, apart):
    """What an object of the test holds that is compared with an answer; `before`: what that held. None where its class does not keep what it is
    given."""
    given = given_of(part)
    if given.is_whole:
        return given.parts
    return reported(part, given, before, apart) if given.unshown is not None and (given.parts or given.filled) else None


def read_before(part, answer, now):
    """What an answer held before the artifact was told of the object with which it is compared, where it was told of that; None where it was not read."""
    given = given_of(part)
    if type(given.told) is not int or is_copy(part, answer):
        return now
    read = held_in(answer).get('_judge_read')
    return dict(read[1]) if read is not None and read[1] is not None and read[0] < given.told else None


def held_of(part):
    """What an object holds, as the test gave it where that says all, else as the artifact has it."""
    given = given_of(part)
    return given.parts if given is not None and given.is_whole else get(part, '_judge_link').state(part)


def held_by_both(left, right, apart=()):
    """What two objects hold by name, answers first; None where the artifact could have made one of them like the other. `apart`: parameters by
    which they are not compared."""
    for part in (left, right):
        held_in(part)['_judge_compared'] = True
    link, made = get(left, '_judge_link'), [given_of(part) for part in (left, right)]
    if (made[0] is None) is (made[1] is None):
        one, other = held_of(left), held_of(right)
        for given in made:
            if given is not None and given.is_whole:
                one, other = ({name: held[name] for name in given.parts if name in held} for held in (one, other))
        return one, other
    part, answer = (left, right) if made[1] is None else (right, left)
    now = link.state(answer)
    before = read_before(part, answer, now)
    held = expected(part, before, apart) if before is not None else {}
    if held is None:
        return None
    now = {name: value for name, value in now.items() if name in held}
    if before is None or any(name not in before or not same(before[name], value) for name, value in now.items()):
        raise link.refuse('its class %s %s; name it in `objects`, or add a reference' % (type(part).__name__, EARLY))
    return (now, held) if part is right else (held, now)


def is_like(left, right):
    """True for objects of one class."""
    return type(left)._judge_id == type(right)._judge_id


def equal(left, right, name):
    """What `==` or `!=` says of two objects, if what they hold says the same."""
    link = get(left, '_judge_link')
    pair = (id(left), id(right))
    if pair in link.comparing:
        return name == 'eq'
    apart = link.apart(type(left)) if is_like(left, right) else ()
    held = held_by_both(left, right, apart) if is_like(left, right) else ({}, {})
    if held is not None and apart:
        left_out = keeping_of(left).parts_apart(type(left), apart)
        held = [{name: value for name, value in each.items() if name not in left_out} for each in held]
    if held is None or is_like(left, right) and not held[0] and not held[1]:
        raise link.refuse(WORD % type(left).__name__)
    link.comparing.append(pair)
    try:
        with link.compared_within(left, right):
            is_equal = is_like(left, right) and held[0].keys() == held[1].keys() and all(held[0][each] == held[1][each] for each in held[0])
    finally:
        link.comparing.pop()
    if is_equal:
        link.check_windows(left, right, held)
    found = is_equal is (name == 'eq')
    return link.confirm(name, left, right, held, found, is_equal)


def equals_value(part, value, name):
    """What `==` or `!=` says of an object that the test made and a value of the test, if what the object contains is that value. NotImplemented
    for any other, and for answers: where a value is expected, an object is none."""
    if not held_in(part).get('_judge_made'):
        return NotImplemented
    if is_waiting(part) and given_of(part).is_whole and not {'__iter__', '__getitem__'} & set(type(part)._judge_special):
        held = given_of(part).parts.values()
        if not any(type(each) is type(value) and each == value for each in held):
            return NotImplemented
    found = same_as_value(part, value)
    return found if found is NotImplemented or name == 'eq' else not found


def order_parts(part, other):
    """The parts by which objects of a class are ordered, and whether the larger come first: those that its operators name, or all that it
    is given, in that order. None where the test did not give them."""
    keeping = keeping_of(part)
    if keeping is None:
        return None
    names = keeping.orders or list(keeping.parts)
    made = [given for given in map(given_of, (part, other)) if given is not None]
    if keeping.orders is None and made:
        names = [name for name in names if name in made[0].bound_parts]
    return (names, keeping.falls) if names else None


def bound_in(part, held):
    """The parts of an object that the test has made which show what that gave it; `held`: what it holds."""
    given = given_of(part)
    kept = given.kept_in(type(part), held) if given.unshown is not None else {}
    return given.bound_parts | {kept[name] for name in given.filled & set(kept) if keeps(given.unshown[name], held[kept[name]])}


def ordered(left, right, name):
    """What an operator of order says of two objects, if what they hold says the same. None where that says nothing."""
    link = get(left, '_judge_link')
    found = order_parts(left, right) if is_like(left, right) else None
    held = held_by_both(left, right) if found is not None else None
    if held is None or any(each not in part for part in held for each in found[0]):
        return None
    first = next((each for each in found[0] if held[0][each] != held[1][each]), None)
    # A part that the test has not given orders nothing.
    if first is not None and any(given_of(part) is not None and first not in bound_in(part, own) for part, own in zip((left, right), held)):
        return None
    link.check_windows(left, right, held)
    values = [tuple(part[each] for each in found[0]) for part in held]
    try:
        says = getattr(operator, name)(*(reversed(values) if found[1] else values))
    except TypeError:
        says = None  # Nor does its operator compare them.
    return link.confirm(name, left, right, held, says, False)


def hash_of(part):
    """The hash of an object of a class with a `==` of its own, by what it holds."""
    link, keeping = get(part, '_judge_link'), keeping_of(part)
    if type(part)._judge_unhashable:
        raise TypeError('unhashable type: %r' % type(part).__name__)
    if link.is_hashing():
        return hash(type(part)._judge_id)
    link.local.is_hashing = True
    try:
        held = held_of(part)
        names = keeping.parts if keeping is not None and keeping.is_full else held
        key = type(part)._judge_id, tuple((name, frozen(held.get(name))) for name in sorted(names))
        found = hash(key)
    finally:
        link.local.is_hashing = False
        link.take_deferred()
    if link.test and len(link.hashed) < MAX_PENDING:
        link.hashed.append((Spec(part, {}), key, link.asks_for_hash()))
    return found


class Agreeing:
    """The part of a link that holds the operators of own classes against what their objects hold."""

    def begin_agreeing(self):
        #: Operators that are asked at the end of the running test, objects that it hashed, and pairs that are being compared.
        self.pending, self.hashed, self.comparing = [], [], []
        #: True while the artifact makes an object for a moment.
        self.is_trying = False
        #: Whether the reference used no operator of its own of a class, by the number of that.
        self.plain_kinds = {}
        #: What objects held, by number, with the state of the artifact's box and the time at which that was asked.
        self.states = {}
        #: Objects that the artifact has made for a moment, by the id of those for which they stand: what these were given, and numbers.
        self.stand_ins = {}

    def agrees(self, kind):
        """True for a class of which what its objects hold is compared with what its operators say."""
        if kind._judge_equal != 'own' or self.learning or self.settings.get('remote_eq') or issubclass(kind, (tuple, BaseException)):
            return False
        self.resolve()
        return not self.is_trusted(kind) and self.is_compared_plainly(kind)

    def is_compared_plainly(self, kind):
        """True for a class of which the reference used no operator of its own, by the name under which the suite knows it: for good, as objects are
        made in the way in which they will be compared."""
        if self.asks_what_is_held:
            return True
        if kind._judge_id not in self.plain_kinds:
            names = self.suite_names(kind)
            self.plain_kinds[kind._judge_id] = bool(names) and not any(OWN % name in self.shapes for name in names)
        return self.plain_kinds[kind._judge_id]

    def suite_names(self, kind):
        """The names under which the suite knows a class, or the first of its bases of which it knows one."""
        return next((found for found in (self.class_names.get(vars(base).get('_judge_id')) for base in kind.__mro__) if found), ())

    def note_own(self, kind):
        """Notes that the reference compares or hashes objects of a class by an operator of its own."""
        if self.learning:
            self.learnt.update(OWN % name for name in self.suite_names(kind))

    def given_to(self, kind, args, kwargs, told):
        """What the test gives an object of which the artifact is told at once; without a class, one of which that is not known."""
        if kind is None:
            return Kept(None, args, kwargs, told)
        if self.agrees(kind):
            return Kept(kind._judge_keeps, args, kwargs, told)
        return Given(kind._judge_making, args, kwargs, told)

    def unrolled(self, kind, args, kwargs):
        """What an object is made of, with the content of iterators that the class says it reads at once."""
        if kind._judge_keeps is None or not self.agrees(kind):
            return args, kwargs
        return kind._judge_keeps.unrolled(args, kwargs)

    def expect_kept(self, kind, args, kwargs, waits):
        """An object of which the artifact is told when the test uses it; None where its class does more than keep what it is given, unless that of the
        reference `waits` at this place: it was only compared."""
        keeping = kind._judge_keeps
        if keeping is None or not (keeping.pure or waits) or not (self.is_vouched(kind) or self.expects_made()):
            return None
        given = Kept(keeping, args, kwargs, None)
        if given.unshown is None or not (given.is_whole or waits):
            return None
        if not given.is_whole:
            given.copy_parts()
        part = object.__new__(kind)
        held_in(part).update(_judge_given=given, _judge_link=self, _judge_made=True, _judge_frozen={})
        return part

    def state(self, part):
        """What an object holds now, by name; what it held a moment ago where nothing can have changed it since."""
        number = number_of(part)
        revision, since, held = self.states.get(number, (None, 0, None))
        if not self.is_unchanged(revision) or time.monotonic() - since > MAX_AGE:
            held = self.ask_state(number)
            self.states[number] = self.revision, time.monotonic(), held
        return held

    def ask_state(self, number):
        return {name: self.arrive(value) for name, value in self.told_state(number)}

    def told_state(self, number):
        told = self.ask({'do': 'state', 'of': number})['value']
        if type(told) is not list or any(type(each) is not list or len(each) != 2 or type(each[0]) is not str for each in told):
            raise self.protocol_error('a state that is none')
        return told

    def stand_in(self, part, given):
        """The number of an object that the artifact makes like one of which it is not told: one for all questions of a test."""
        made = self.stand_ins.setdefault(id(part), (part, []))[1]
        for earlier, number in made:
            if same_given((earlier.args, earlier.kwargs), (given.args, given.kwargs)) and same_given(((), earlier.later), ((), given.later)):
                return number
        made.append((given, self.make_for_now(type(part), given)))
        return made[-1][1]

    def make_for_now(self, kind, given):
        """Has the artifact make an object like one of which it is not told; the number of that."""
        number = self.made_number(kind, self.made_for_now(kind, given))
        self.set_parts(number, given)
        return number

    def made_for_now(self, kind, given):
        """Such an object, as it is told."""
        outer, trying = self.is_making, self.is_trying
        self.is_making, self.is_trying = outer or self.made_count, True
        try:
            return self.send_call({'do': 'call', 'of': kind._judge_id}, given.args, given.kwargs, is_use=False)[0]['value']
        finally:
            self.is_making, self.is_trying = outer, trying

    def set_parts(self, number, given):
        """Sets what the test has set since it made an object."""
        for name, value in given.set_later():
            self.ask({'do': 'set', 'of': number, 'name': name, 'value': self.leave(value)})

    def confirm(self, name, left, right, held, found, is_equal):
        """What an operator has to say of two objects, which it is asked for now or at the end of the test."""
        specs = Spec(left, held[0]), Spec(right, held[1])
        waiting = [is_waiting(part) for part in (left, right)]
        # Of equal objects of which it knows none, the artifact could learn what the test expects of its next answer.
        is_harmless = is_equal and not all(waiting) or not any(waiting)
        if is_harmless or found is None or not self.test or self.is_guarded():
            return self.asked(name, *specs, found)
        if len(self.pending) < MAX_PENDING:
            self.pending.append((name, *specs, found))
        return found

    def asked(self, name, left, right, found):
        """The operator's own answer. Refuses one that is not what was found."""
        kind = type(left.part).__name__
        numbers = [number_of(each.part) if each.given is None else self.stand_in(each.part, each.given) for each in (left, right)]
        op = {'of': numbers[0], 'args': [{'$handle': numbers[1]}], 'kwargs': []}
        if name not in ORDERS:
            says = self.ask({**op, 'do': 'compare', 'name': name})['value']
            if says is not found:
                raise self.refuse(DIFFERS % (kind, '==' if name == 'eq' else '!='))
            return found
        table = self.ask({**op, 'do': 'ranked'})['value']
        if type(table) is not list or len(table) != 4 or any(type(pair) is not list or len(pair) != 2 for pair in table):
            raise self.protocol_error('an order that is none')
        says = table[ORDERS.index(name)][0]
        if isinstance(says, dict):
            raise self.error(says.get('raised'))
        if says is None:
            raise TypeError("'%s' not supported between instances of '%s' and '%s'" % (SIGNS[name], kind, type(right.part).__name__))
        if says is not found or contradicts(table, name):
            raise self.refuse(DIFFERS % (kind, SIGNS[name]))
        return found

    def confirm_all(self):
        """Asks the operators on which the running test has relied."""
        pending, hashed, self.pending, self.hashed = self.pending, self.hashed, [], []
        self.revision += 1
        try:
            for name, left, right, found in pending:
                for each in (left, right):
                    if each.given is None:
                        each.number(self)
                self.asked(name, left, right, found)
            self.confirm_hashes(hashed)
            self.confirm_tuples()
        except (Exception, SystemExit) as error:
            raise self.refuse('raises %s: %s when the test has compared its objects' % (type(error).__name__, error))

    def confirm_hashes(self, hashed):
        found, shown, asked, alike = {}, {}, set(), {}
        for spec, key, is_asked in hashed:
            if (id(spec.part), key, is_asked) in asked:
                continue
            asked.add((id(spec.part), key, is_asked))
            told = self.ask({'do': 'hash', 'of': spec.number(self)})['value']
            says = self.arrive(told)
            if type(says) is not int or found.setdefault(key, says) != says or is_asked and shown.setdefault(says, key) != key:
                raise self.refuse(HASHES % type(spec.part).__name__)
            # A set or dict asks for the equality of those that have one hash.
            others = alike.setdefault((type(spec.part)._judge_id, says), {})
            for other in () if key in others or len(others) > MAX_ALIKE else others.values():
                self.asked('eq', spec, other, False)
            others.setdefault(key, spec)

    def suite_frames(self):
        frame = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_filename.startswith(self.suite):
                yield frame
            frame = frame.f_back

    def asks_for_hash(self):
        """True where the test itself calls hash()."""
        frame = next(self.suite_frames(), None)
        return frame is not None and HASH.search(''.join(lines_of(frame.f_code.co_filename)[frame.f_lineno - 1:frame.f_lineno])) is not None

    def is_guarded(self):
        """True where the test waits for an error: what the operator raises has to come now."""
        return any(frame.f_lineno in guarded(frame.f_code.co_filename) for frame in self.suite_frames())


GUARDED = {}


def waits_for_error(node):
    """True for `pytest.raises(ValueError)` and the like. The error of an assertion is the test's own, and not that of an operator."""
    told = ast.dump(node)
    return 'aises' in told and "id='AssertionError'" not in told


def guarded(path):
    """The lines of a file that wait for an error."""
    if path not in GUARDED:
        found = set()
        try:
            tree = ast.parse(''.join(lines_of(path)))
        except SyntaxError:
            tree = ast.Module([], [])
        for node in ast.walk(tree):
            if isinstance(node, (ast.With, ast.AsyncWith)) and any(waits_for_error(each.context_expr) for each in node.items):
                found.update(range(node.lineno, node.end_lineno + 1))
        GUARDED[path] = found
    return GUARDED[path]
