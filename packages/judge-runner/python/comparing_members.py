"""How members of the artifact's enumerations compare by operators of their own. Standard library only.

An operator that the language has for members as well (`==` for all, order for those that are numbers or texts) is held against what the language says,
and order of others against the order of definition or of values.
"""
import enum
import operator

from remote import RemoteClass
from reports import is_reporting
from stand_in import StandIn

ORDERS = {'__lt__': operator.lt, '__le__': operator.le, '__gt__': operator.gt, '__ge__': operator.ge}


def number_of(member):
    """The number of a member in the artifact's box, which also makes combinations of members."""
    kind = type(member)
    link, key = kind._judge_link, key_of(member)
    if key not in link.members:
        if member._name_ in kind.__members__:
            asked = {'do': 'get', 'of': kind._judge_origin, 'name': member._name_}
        else:
            asked = {'do': 'member', 'of': kind._judge_origin, 'value': link.leave(member._value_)}
        found = link.ask(asked)['value']
        if type(found) is not dict or '$enum' not in found or type(found['$enum'][1]) is not int:
            raise link.protocol_error('a member that is none')
        link.members[key] = found['$enum'][1]
    return link.members[key]


def key_of(member):
    return type(member), member._value_ if member._name_ is None else member._name_


def is_trusted(member):
    """True for a member of an enumeration that the suite's author names."""
    link = type(member)._judge_link
    link.resolve()
    return link.is_trusted(type(member)) or bool(link.settings.get('remote_eq'))


def compared(link, written, is_unhashable, roots):
    """What the class of an enumeration has for the operators of comparison that it has `written` itself.

    A class that says what its members equal and nothing of their hashes has members that cannot be hashed.
    """
    rules = {'places', 'values'}
    made = {name: own_order(link, name, rules) for name in ORDERS if name in written}
    equalities = [name for name in ('__eq__', '__ne__') if name in written]
    made.update({name: own_equality(link, name) for name in equalities})
    if equalities:
        made['__hash__'] = None if is_unhashable else next(vars(base)['__hash__'] for root in roots for base in root.__mro__ if '__hash__' in vars(base))
    return made


def asked(link, member, name, other):
    """What an operator of the artifact says of a member and something else."""
    return link.call({'do': 'compare', 'of': number_of(member), 'name': name[2:-2]}, (other,), {})


def is_of_artifact(part):
    return hasattr(type(part), '_judge_origin') or issubclass(type(part), StandIn) or isinstance(type(part), RemoteClass)


def own_equality(link, name):
    """An own `==` or `!=` of an enumeration."""
    def method(self, other):
        if is_reporting(link.suite):
            return (self is other) is (name == '__eq__')
        found = says_equal(link, self, other, name)
        return found if found is NotImplemented else found is (name == '__eq__')
    return method


def says_equal(link, member, other, name):
    """Whether a member equals something else: what the language says, or what follows from its value, unless the reference's member said
    otherwise at this place. A value of the test that it does not hold is told only at the end of a test that has passed."""
    said = equals_by_language(member, other)
    is_held = said or bool(same_kind(member._value_, other) and member._value_ == other)
    if not is_held and not is_of_artifact(other):
        is_asked = is_trusted(member) or link.learning or link.allows('unlike value', False)
        found = is_asked and link.says_equal(member, other, name[2:-2])
        return True if found and (is_trusted(member) or link.allows('unlike value', False)) else link.deny(member, other, name[2:-2])
    found = link.says_equal(member, other, name[2:-2])
    if found is not said and not (found and is_held) and not is_trusted(member) and not link.allows('unlike', False):
        raise link.refuse('compares members of its enumeration %s by an operator of its own, which %s; a reference allows it'
                          % (type(member).__name__, 'calls different ones equal' if found else 'calls one unequal to its own value'))
    return found


def equals_by_language(member, other):
    base = next(each for each in (int, str, float, object) if isinstance(member, each))
    return base.__eq__(member, other) is True


def same_kind(value, other):
    """True for values of the language of one type: an object of the test says itself what it equals."""
    return type(value) is type(other) and type(value).__module__ == 'builtins'


def own_order(link, name, rules):
    """An operator of order of an enumeration: without a reference it is believed where it follows the order of definition or of values.

    `rules`: which of the two all operators have followed so far.
    """
    by_rule = ORDERS[name]

    def method(self, other):
        is_member = type(other) is type(self)
        if not is_member and (not isinstance(self, (int, str, float)) or is_of_artifact(other)):
            return NotImplemented
        found, says = asked(link, self, name, other), said_of_order(self, other, by_rule)
        # One rule for all pairs and operators: of two rules that differ, each pair could have the one that a test wants.
        agreeing = {rule for rule in rules if says.get(rule) is found}
        is_contradicted = is_member and (found is not by_rule(0, 0) if self is other else found is asked(link, other, name, self))
        if agreeing:
            rules.intersection_update(agreeing)
        if type(found) is not bool or is_contradicted or not (link.allows('comparison', False) or agreeing):
            raise link.refuse('orders members of its enumeration %s by an operator of its own; a reference allows it' % type(self).__name__)
        return found
    return method


def said_of_order(member, other, by_rule):
    """What the rules say of the order of a member and something else."""
    says = {}
    if type(other) is type(member):
        members = [each._name_ for each in type(member)]
        if member._name_ in members and other._name_ in members:
            says['places'] = by_rule(members.index(member._name_), members.index(other._name_))
    try:
        says['values'] = by_rule(member._value_, getattr(other, '_value_', other))
    except TypeError:
        pass  # Only their places say how values of these kinds are ordered.
    return says
