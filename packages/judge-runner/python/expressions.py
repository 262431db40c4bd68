"""Operators of comparison that make another object, as those of query builders do (`where('age') == 5`). Standard library only.

The test passes such an object on, calls it and combines it, and it decides nothing: its truth is refused. What stands beside the operator is told only
where the reference has made such an object.
"""
import sys

from denied import unlikely
from remote import RemoteFunction
from stand_in import StandIn, held_in, id_of, link_of

#: At which places the reference made such an object, and in which tests it raised an error instead.
MAKING, RAISING = 'expression', 'expression raised'


def is_object(told):
    """True for what is told of an answer that is no value."""
    return type(told) is dict and not {'$handle', '$sub'}.isdisjoint(told)


class Expressing:
    """The part of a link that knows which operators make objects."""

    def begin_expressing(self):
        #: Whether an operator of a class makes them, by the class and the names of the operator and of the type of what is compared.
        self.expressing = {}

    def expresses(self, part, other, name):
        """True where an operator of the class of an object makes objects, None where it raises an error. The artifact is asked with a value that the
        test does not mean."""
        key = type(part)._judge_id, name, type(other)
        if key not in self.expressing:
            op = {'do': 'express', 'of': id_of(part), 'name': name, 'args': [self.probe_of(part, other)], 'kwargs': []}
            found = self.looked(lambda: self.ask(op)['value'])
            # It may not do so for another one.
            if found is None:
                return None
            self.expressing[key] = is_object(found)
        return self.expressing[key]

    def probe_of(self, part, other):
        probes = unlikely(other)
        return {'$handle': id_of(part)} if issubclass(type(other), StandIn) else self.leave(probes[0] if probes else unlikely('')[0])


def expression_of(part, other, name):
    """What `==` or another operator of comparison makes of an object where a line of the test asks for that; None where it is to compare."""
    link = link_of(part)
    # Without a reference, a class could claim it for what the test compares, and be told that.
    if link.is_alone() or not sys._getframe(2).f_code.co_filename.startswith(link.suite):
        return None
    if link.learning:
        is_shown = learn(part, other, name)
    else:
        is_shown = link.allows(MAKING, False) or link.allows_in_test(RAISING, False)
    return made_of(part, other, name) if is_shown else None


def learn(part, other, name):
    """Notes that the reference makes an object here, or raises an error."""
    link = link_of(part)
    is_made = link.expresses(part, other, name)
    if is_made is None:
        try:
            is_made = is_object(link.ask({'do': 'express', 'of': id_of(part), 'name': name, 'args': [link.leave(other)], 'kwargs': []})['value'])
        except Exception:
            # Operators of order raise them for what they do not compare.
            return name in ('eq', 'ne') and link.allows_in_test(RAISING, True)
    return is_made and link.allows(MAKING, False)


def made_of(part, other, name):
    link = link_of(part)
    found = link.call({'do': 'method', 'of': id_of(part), 'name': '__%s__' % name}, (other,), {})
    if issubclass(type(found), StandIn):
        held_in(found)['_judge_expression'] = True
    elif isinstance(found, RemoteFunction):
        found._judge_expression = True
    else:
        raise link.refuse('answered no object where its class %s makes one by %s' % (type(part).__name__, name))
    return found


def check_truth(part, held):
    """Refuses the truth of what an operator of comparison has made, which would compare by the artifact's word."""
    if '_judge_expression' in held:
        raise link_of(part).refuse('answered an object (%s) to a comparison, and the test asks whether it is true' % type(part).__name__)
