"""Comparisons of the artifact's objects by operators that its own classes define. Standard library only.

They are believed only where a reference needed them, and held against what the objects hold: the artifact's `==` says which parts
it looks at, and its order is believed where the answers of all operators agree.
"""
import numbers

from equality import held_before, unchanged
from stand_in import number_of

ORDERS = ('lt', 'le', 'gt', 'ge')
SIGNS = {'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>='}


def get(part, name):
    return object.__getattribute__(part, name)


#: What the equality of two objects is backed by: all that they hold, the parts that `==` looks at or their texts, its word alone.
ALL, LIKE, WORD = 0, 1, 2


def same_by_parts(left, right):
    """Equality of two objects of the artifact whose class has its own `==`: whether it says so, and what backs that."""
    link = get(left, '_judge_link')
    before = held_before(left, right)
    noted = [link.is_noted(*pair) and link.parts_told(pair[0]) for pair in ((left, right), (right, left))]
    same, parts, texts = link.compared(number_of(left), right)
    if not same:
        return False, ALL
    if any(noted):
        link.check_windows(left, right, noted)
    if before is not None:
        unchanged(before, parts, texts, before[0] is left)
    looked = [(mine, other) for is_looked_at, mine, other, _ in parts if is_looked_at]
    if looked and all(mine == other for _, mine, other, _ in parts):
        return True, ALL
    alike = len(texts) == 2 and type(texts[0]) is str and texts[0] != '' and texts[0] == texts[1]
    return True, LIKE if looked and (alike or all(mine == other for mine, other in looked)) else WORD


def same_as_value(part, value):
    """Equality of an object of the artifact with a value of the test, which its class compares with itself: what it contains,
    or its only part of that kind, must be that value. Else NotImplemented."""
    link = get(part, '_judge_link')
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        found = link.content(part)
        if isinstance(found, dict) != isinstance(value, dict) or found is None:
            return NotImplemented
        def is_equal():
            held = found if isinstance(value, dict) else type(value)(found)
            return bool(held == value and len(found) == len(value))
        equal = link.looked(is_equal)
        if equal is None:
            return NotImplemented
    elif isinstance(value, (str, bytes)) or isinstance(value, numbers.Number) and not isinstance(value, bool):
        kinds = numbers.Number if isinstance(value, numbers.Number) else type(value)
        fitting = [each for each in link.parts(part) if isinstance(each, kinds) and not isinstance(each, bool)]
        equal = len(fitting) == 1 and fitting[0] == value
    else:
        return NotImplemented
    return link.says_equal(part, value) if equal else NotImplemented


def contradicts(table, name):
    """True where the answers of the operators about one pair cannot all be right, and the test uses the one of this name."""
    lt, le, gt, _ = table
    used = table[ORDERS.index(name)]
    if name in ('lt', 'gt') and used[0] is True and used[1] is True:
        return True
    return any(lt[side] is True and True in (lt[1 - side], le[1 - side], gt[side]) for side in (0, 1))


def ordered_by(part, other, name, is_own, known=ORDERS):
    """What the artifact's own operators of order say of an object and `other`; `is_own`: that is one of its objects as well; `known`: those that
    its class defines.

    None where the operator answers no truth value.
    """
    link, number = get(part, '_judge_link'), number_of(part)
    is_swapped = is_own and number_of(other) < number
    table = link.ranked(number_of(other) if is_swapped else number, part if is_swapped else other)
    table = [pair if each in known else [None, None] for each, pair in zip(ORDERS, table)]
    if contradicts(table, name):
        raise link.refuse('orders objects (%s) by operators that contradict each other' % type(part).__name__)
    found = table[ORDERS.index(name)][1 if is_swapped else 0]
    if isinstance(found, dict):
        raise link.error(found.get('raised'))
    if found is None:
        raise TypeError("'%s' not supported between instances of '%s' and '%s'" % (SIGNS[name], type(part).__name__, type(other).__name__))
    return found if isinstance(found, bool) else None
