"""Containers that occur more than once in a value that crosses between two boxes: there they are one container as well. Standard library only.

The first occurrence is told as `{'$shared': [number, content]}` and each other one as `{'$shared': [number]}`. What occurs once is told as
it is. In what the artifact gives functions of the test, `{'$passed': [number, content]}` is a container that it may give again.
"""

from codec import MAX_DEPTH, MAX_NODES, Unplain
from originals import collections
from standard import is_namespace

#: Containers that a program may change.
PASSED = (list, dict, set, bytearray, collections.deque)
#: Tags of what is not the same wherever it stands.
OBJECTS = frozenset('$%s' % name for name in 'handle sub named error method builtin callback local enum'.split())
#: Most containers whose numbers are known at one time.
MAX_NUMBERED = 5000
#: Levels of what a function of the test is given at which containers have numbers, and most that are looked at with each message.
MAX_PASSED_DEPTH, MAX_PASSED = 3, 16
#: Most parts, and most levels, of what has arrived with each container as often as it occurs: a part is told as several of these.
MAX_PARTS, MAX_LEVELS = 8 * MAX_NODES, 6 * MAX_DEPTH


class Numbers:
    """Numbers of such containers, which are the same whenever they are told."""

    def __init__(self):
        self.count, self.known = 0, {}
        #: True once something has been told that way.
        self.is_used = False

    def of(self, part):
        number, known = self.known.get(id(part), (None, None))
        if known is not part:
            if len(self.known) >= MAX_NUMBERED:
                self.known.clear()
            self.count = number = self.count + 1
            self.known[id(part)] = number, part
        return number


class Repeats:
    """Finds the containers that occur more than once in a value that is being told. `is_known`: true for those that have another number;
    `pass_on`: gives those numbers that may be told again, or None."""

    def __init__(self, numbers, is_known=lambda part: False, pass_on=None):
        self.numbers, self.is_known, self.pass_on = numbers, is_known, pass_on
        #: Containers by their ids, with how they are told, how many parts and how many levels that has.
        self.seen, self.nodes, self.level = {}, 0, 0
        #: How containers are told that occur again, by number, and the numbers of what tells them, by ids.
        self.first, self.told = {}, {}

    def walk(self, part, depth, tell):
        """How a part is told by `tell`, or that it is one of before."""
        self.level = max(self.level, depth)
        if not (isinstance(part, PASSED) or is_namespace(part)) or self.is_known(part):
            return tell(part, depth)
        _, told, nodes, levels = self.seen.get(id(part), (None, None, 0, 0))
        if told is not None:
            return self.again(part, told, nodes, depth + levels)
        nodes, level, self.level = self.nodes, self.level, depth
        try:
            told = tell(part, depth)
        except Unplain:
            self.level = level  # It may be told otherwise.
            raise
        # What holds no others is not met here.
        self.nodes += 1 + (len(part) if type(part) in PASSED else 0)
        passed = self.pass_on(part) if self.pass_on is not None and depth < MAX_PASSED_DEPTH else None
        if passed is not None:
            told, self.numbers.is_used = {'$passed': [passed, told]}, True
        self.seen[id(part)] = part, told, self.nodes - nodes, self.level - depth
        self.level = max(level, self.level)
        return told

    def again(self, part, told, nodes, level):
        # What holds itself is not finished when it is met again, and is too deep.
        self.nodes, self.level = self.nodes + nodes, max(self.level, level)
        if self.level > MAX_DEPTH:
            raise Unplain('deeper than %d levels' % MAX_DEPTH)
        if self.nodes > MAX_NODES:
            raise Unplain('more than %d parts' % MAX_NODES)
        number = self.numbers.of(part)
        reference = {'$shared': [number]}
        self.first[number] = told
        self.told[id(told)] = self.told[id(reference)] = number, told, reference
        return reference

    def marked(self, told):
        """What was told, with each container that occurs again at the first place where it does."""
        # The functions that tell values hold each other, and this, for longer.
        self.seen.clear()
        if not self.first:
            return told
        self.numbers.is_used = True
        return mark(told, self.told, set())


def mark(part, known, placed):
    if type(part) not in (list, dict):
        return part
    number, told, _ = known.get(id(part), (None, part, None))
    if number in placed:
        return {'$shared': [number]}
    made = [mark(each, known, placed) for each in told] if type(told) is list else {name: mark(each, known, placed) for name, each in told.items()}
    if number is None:
        return made
    placed.add(number)
    return {'$shared': [number, made]}


class Joining:
    """Puts what is told once in each place where it occurs. Raises ValueError where a message is none."""

    def __init__(self, found, passes):
        #: What stands at several places, by ids; true for a message in which functions of the test are given something.
        self.found, self.passes = found, passes
        #: By number: what is told, how many parts it has, and how many levels.
        self.told, self.parts = {}, 0

    def join(self, part, depth=0):
        """The part with what stands for it, and how many levels it has."""
        self.parts += 1
        if self.parts > MAX_PARTS or depth > MAX_LEVELS:
            raise ValueError('a value that grows')
        if type(part) is dict and len(part) == 1 and '$shared' in part:
            return self.join_shared(part['$shared'], depth)
        if type(part) is dict and len(part) == 1 and '$passed' in part:
            return self.join_passed(*part['$passed'], depth)
        levels = 0
        for key, each in enumerate(part) if type(part) is list else list(part.items()) if type(part) is dict else ():
            if type(each) in (list, dict):
                part[key], below = self.join(each, depth + 1)
                levels = max(levels, below + 1)
        return part, levels

    def join_passed(self, number, told, depth):
        if type(number) is not int or type(told) not in (list, dict) or not self.passes:
            raise ValueError('no container')
        told, levels = self.join(told, depth)
        self.found[id(told)] = told, number
        return told, levels

    def join_shared(self, content, depth):
        number = content[0]
        if type(number) is not int or len(content) > 2:
            raise ValueError('no number')
        if len(content) == 2:
            parts = self.parts
            told, levels = self.join(content[1], depth)
            if type(told) not in (list, dict):
                raise ValueError('no container')
            self.told[number] = told, self.parts - parts, levels
            return told, levels
        told, parts, levels = self.told[number]
        self.parts += parts
        if self.parts > MAX_PARTS or depth + levels > MAX_LEVELS:
            raise ValueError('a value that grows')
        self.found.setdefault(id(told), (told, None))
        return told, levels


class Joined:
    """The part of a link that lets such containers arrive as one."""

    def begin_joining(self):
        #: What has arrived in the running test and stands at several places, by ids, with the number of a container that was passed.
        self.repeated, self.repeat_numbers = {}, Numbers()
        #: Numbers of containers that functions of the test were given last.
        self.passed = collections.OrderedDict()
        #: True where the artifact may have changed them since: not while it only learns what the test expects.
        self.is_passing = False

    def joined(self, reply):
        """A message of the artifact, in which such containers are told at each place where they occur."""
        if reply.pop('repeats', False):
            try:
                Joining(self.repeated, 'callback' in reply).join(reply)
            except (ValueError, KeyError, IndexError, TypeError):
                raise self.protocol_error('an answer that names what it does not hold')
        return reply

    def begin_arrival(self):
        """Begins to make a value, or a part of one; returns what has been made of that."""
        outer = self.arriving.made
        if outer is None:
            self.arriving.made = {}
        return outer

    def end_arrival(self, outer):
        self.arriving.made = outer

    def again(self, way):
        """Makes a part of a value, once for all places where it stands. `way`: what of its objects is believed, without which none of a plain
        value differs."""
        def value_of(part, make):
            if id(part) not in self.repeated:
                return make(part)
            made, key = self.arriving.made, (id(part), None if is_plain(part) else way)
            if key not in made:
                number = self.repeated[id(part)][1]
                made[key] = make(part) if number is None else self.borrow_passed(number, make(part))
            return made[key]
        return value_of

    def borrow_passed(self, number, found):
        """A container that a function of the test is given: the same one each time, with its content as it is now."""
        if type(found) not in PASSED:
            return found
        if number in self.borrowed and number not in self.passed:
            # The test knows it from elsewhere, where its changes arrive.
            mine = self.borrowed[number][0]
            return mine if type(mine) is type(found) else found
        if number in self.passed and not self.is_passing:
            return found
        self.passed[number] = True
        self.passed.move_to_end(number)
        if len(self.passed) > MAX_PASSED:
            self.forget_passed(next(iter(self.passed)))
        self.origins[number] = None, ''
        self.entered[number] = None
        return self.borrow(number, found)

    def forget_passed(self, number):
        del self.passed[number]
        for held in (self.borrowed, self.origins, self.inner):
            held.pop(number, None)
        self.entered.pop(number, None)
        self.own_borrowed.discard(number)


def is_plain(told):
    """True for a value without objects."""
    if type(told) is list:
        return all(map(is_plain, told))
    return type(told) is not dict or OBJECTS.isdisjoint(told) and all(map(is_plain, told.values()))
