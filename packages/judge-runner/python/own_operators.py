"""Comparisons by the operators of an artifact's own classes. Standard library only."""
import agreement
from comparison import ALL, LIKE, same_as_value, same_by_parts
from stand_in import StandIn, id_of, link_of


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
            found = by_name(compared_value(part, other), name)
        return link.deny(part, other) if found is NotImplemented else found
    if is_own and not link.allows('comparison', link.trusts(part)) and not link.trusts_operators(part):
        raise link.refuse('compares two objects (%s) by the artifact\'s own ==; remoteEq or a reference allows it' % type(part).__name__)
    if link.is_alone():
        if not is_own:
            return link.deny(part, other)
        return link.call({'do': 'compare', 'of': id_of(part), 'name': name}, (other,), {}) is True
    same = compared_objects(part, other) if is_own else compared_value(part, other)
    if same is NotImplemented and not is_own:
        return link.deny(part, other)
    return by_name(same, name)


def by_name(same, name):
    """What `==` or `!=` answers where two are the same, or are not."""
    return same if name == 'eq' or same is NotImplemented else not same


def compared_objects(part, other):
    link = link_of(part)
    same, backing = same_by_parts(part, other)
    if backing == ALL or link.trusts(part) or link.trusts_operators(part):
        return same
    if not link.allows('like' if backing == LIKE else 'unlike', False) and not (backing == LIKE and link.allows('unlike', False)):
        raise link.refuse('compares two objects (%s) by the artifact\'s own ==, which calls them equal although they differ more than '
                          'those of the reference' % type(part).__name__)
    return same


def compared_value(part, value):
    link = link_of(part)
    same = same_as_value(part, value)
    if same is not NotImplemented:
        return same if link.allows('equal value', False) else NotImplemented
    same = link.says_equal(part, value) if link.learning or link.allows('unlike value', False) else False
    # Only what the reference called equal needs its word.
    return same if same and link.allows('unlike value', False) else NotImplemented
