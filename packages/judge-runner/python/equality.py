"""Comparisons of objects whose classes leave them to the language, and what vouches for them: what the test gave the expected object, and
that the artifact did not know of it before it answered. Standard library only."""
from fields import names_compared, plain_of, values_of
from kept import keeps
from stand_in import StandIn, given_of, held_in, is_copy, is_waiting, link_of, number_of, same

#: How classes are compared whose objects are values.
COMPARED = ('value', 'base', 'library')
EARLY = 'told the artifact what is expected before it answered'
ELSE = 'answered something that is none of its objects and does not show what the test gave it'
CHANGES = 'holds another value than the test gave it'
FORGETS_NAMES = 'does not show in which of its fields it keeps what the test gave it'


def compare_values(left, right):
    """Equality of two instances of a class that leaves it to @dataclass, or of a subclass of a builtin container, decided
    here; else identity."""
    equal = type(left)._judge_equal
    if left is right:
        return True
    if equal == 'value' and type(right) is type(left):
        return values_equal(left, right)
    if equal in COMPARED and equal != 'value':
        if issubclass(type(right), StandIn) and type(right)._judge_equal == equal:
            return contents_equal(left, right)
        held = plain_of(left)
        if not held == right:
            return False
        if link_of(left).learning:
            # A class of another style has an operator of its own.
            link_of(left).allows('equal value', False)
        vouch_plain(left, held, right)
        return True
    return NotImplemented


def values_equal(left, right):
    """Equality of two objects of one data class."""
    names = names_compared(left, right)
    link_of(left).note_apart(type(left))
    values = pair_of(left, right, lambda part: values_of(part, names))
    return are_equal(left, right, values)


def contents_equal(left, right):
    """Equality of two objects of classes that are derived from one type of the language."""
    return are_equal(left, right, pair_of(left, right, plain_of))


def are_equal(left, right, values):
    """Whether two objects hold the same, and something vouches for it where they do."""
    with link_of(left).compared_within(left, right):
        if not values[0] == values[1]:
            return False
    vouch(left, right, values)
    return True


def values_ordered(left, right, order):
    """What an operator of order says of two objects of a data class that leaves it to @dataclass."""
    names = names_compared(left, right)
    values = pair_of(left, right, lambda part: tuple(values_of(part, names)))
    found = order(*values)
    vouch(left, right, values)
    return found


def pair_of(left, right, read):
    """What two objects hold. Answers first: they are not to know what they are compared with."""
    held_in(left)['_judge_compared'] = held_in(right)['_judge_compared'] = True
    if given_of(left) is None:
        first = as_read(left, read(left))
        return first, read(right)
    second = as_read(right, read(right)) if given_of(right) is None else read(right)
    return read(left), second


def listed(values):
    """Values as a list: those of fields are compared as a tuple where they are ordered."""
    return list(values) if type(values) is tuple else values


def as_read(part, now):
    """What an answer holds, with named tuples that came when it was read: the artifact knew less then."""
    read = held_in(part).get('_judge_read')
    return read[1] if read is not None and same(read[1], now) else now


def vouch(left, right, values):
    """Refuses a comparison of an answer with an object of the test that the artifact knew before, or whose class could give it any
    value."""
    link_of(left).check_windows(left, right, values)
    for part, other, own, others in ((left, right, *values), (right, left, *reversed(values))):
        given, link = given_of(part), link_of(part)
        if given is None or given_of(other) is not None:
            continue
        is_told = type(given.told) is int
        if type(part)._judge_equal == 'value':
            names = names_compared(left, right)
            is_left_out = given.making is not None and given.making.compared is None and not set(given.names or ()) <= set(names)
            if is_left_out and not (is_told and link.compares_all(part, other, names)):
                link.doubt(part, 'compares its objects by less than the test gave them')
            if is_told and given.names is None:
                link.doubt(part, FORGETS_NAMES)
            elif is_told and any(given.knows(name) and not keeps(given.value(name), value) for name, value in zip(names, own)):
                link.doubt(part, CHANGES)
        elif is_told and not given.holds(own):
            link.doubt(part, CHANGES)
        read = held_in(other).get('_judge_read')
        if is_copy(part, other) or given.is_read and held_in(other).get('_judge_came', -1) >= given.told:
            continue
        if is_told and (read is None or read[0] >= given.told or not same(listed(read[1]), listed(others))):
            link.doubt_early(part)


def vouch_plain(part, held, value):
    """The same for a plain value: as an answer it may be what the object was given, or the object may have taken it."""
    given, link = given_of(part), link_of(part)
    if given is None or type(given.told) is not int or given.is_read:
        return
    came = link.answered_at(value)
    if came is None:
        return
    if issubclass(type(part), tuple):
        if given.names is None or not set(given.names) <= set(type(part)._fields):
            link.doubt(part, FORGETS_NAMES)
        elif any(given.knows(name) and not keeps(given.value(name), each) for name, each in zip(type(part)._fields, held)):
            link.doubt(part, CHANGES)
    elif not given.holds(held):
        link.doubt(part, CHANGES)
    if came >= given.told:
        link.doubt_early(part)


def vouch_tuples(left, right):
    """The same as `vouch` for named tuples, which are values from the moment at which they arrive."""
    held_in(left)['_judge_compared'] = held_in(right)['_judge_compared'] = True
    for part, other in ((left, right), (right, left)):
        given, link = given_of(part), link_of(part)
        if given is None or given_of(other) is not None or type(given.told) is not int or given.is_read:
            continue
        fields = type(part)._fields
        if given.names is None or not set(given.names) <= set(fields):
            link.doubt(part, FORGETS_NAMES)
        elif any(given.knows(name) and not keeps(given.value(name), value) for name, value in zip(fields, tuple.__iter__(part))):
            link.doubt(part, CHANGES)
        if held_in(other).get('_judge_at', given.told) >= given.told:
            link.doubt_early(part)


def held_before(left, right):
    """The answer of two objects that their own class compares, with its parts and text as they are before the artifact is told of the
    other one; None where it knows both."""
    held_in(left)['_judge_compared'] = held_in(right)['_judge_compared'] = True
    waiting = [part for part in (left, right) if is_waiting(part)]
    if len(waiting) != 1:
        return None
    part = right if waiting[0] is left else left
    told = link_of(part).ask({'do': 'held', 'of': number_of(part)})['value']
    if type(told) is not list or len(told) != 2 or type(told[0]) is not list:
        raise link_of(part).protocol_error('an answer that is no list')
    return part, {str(name): link_of(part).arrive(value) for name, value in told[0]}, told[1]


def unchanged(before, parts, texts, is_left):
    """Refuses an answer that has become another one since the test made the object with which it is compared."""
    part, held, text = before
    looked = [(name, one if is_left else two) for is_looked_at, one, two, name in parts if is_looked_at]
    if any(name not in held or not same(held[name], value) for name, value in looked) or texts and texts[0 if is_left else 1] != text:
        raise link_of(part).refuse('changes an answer (%s) while it is compared' % type(part).__name__)
