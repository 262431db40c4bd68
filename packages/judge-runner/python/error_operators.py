"""Operators that classes of exceptions of the artifact define. Standard library only.

Exceptions are no values: what one answers is believed as what its methods do is. Two that an operator of their own calls equal have to hold the same, unless
those of the reference did not.
"""
import sys

from comparison import ORDERS, ordered_by
from method_names import ACTING, BY_REFERENCE, MEANING
from own_operators import by_name
from remote import RemoteClass, left, left_later, unvouched
from reports import is_reporting
from stand_in import StandIn, held_in, id_of, link_of, same

#: Operators that answer by themselves, with what a reference has to have used.
ASKED = {name: 'part' for name in ACTING}
ASKED.update({name: kind for name, kind in BY_REFERENCE.items() if kind != 'comparison' and name != 'format'}, bool='bool')


def is_vouched(error):
    link = link_of(error)
    return link.allows_in_test('part', link.is_vouched(type(error)))


def is_believed(error, kind):
    """True for an operator that the suite, or the reference at this place, vouches for."""
    link = link_of(error)
    if link.trusts_operators(error):
        return True
    return is_vouched(error) if kind == 'part' else link.allows(kind, link.is_vouched(type(error)))


def asking(name):
    """An operator that answers by itself: a call, an item, arithmetic."""
    whole, kind = '__%s__' % name, ASKED[name]

    def method(self, /, *args, **kwargs):
        link = link_of(self)
        if not is_believed(self, kind):
            raise link.refuse(unvouched(whole))
        found = link.call({'do': 'method', 'of': id_of(self), 'name': whole}, args, kwargs, iterator=name in ('iter', 'reversed', 'next'))
        if args and kind in MEANING and link.is_alone() and found is not NotImplemented and not is_object(found):
            # It may be what the test expects, which the artifact has just been told.
            raise link.refuse('answered no object where arithmetic of an object (%s) with a value of the test was expected; add a reference' % type(self).__name__)
        if name == 'aexit':
            return left_later(link, args, found)
        if name == 'exit':
            return left(link, args, found)
        return found is True if name in ('contains', 'bool') else found
    return method


def is_object(part):
    return isinstance(type(part), RemoteClass) or issubclass(type(part), StandIn)


def own_equality(name):
    """An own `==` or `!=` of a class of exceptions."""
    def method(self, other):
        link = link_of(self)
        if self is other or '_judge_id' not in held_in(self) or is_reporting(link.suite):
            return (self is other) is (name == '__eq__')
        if not isinstance(other, BaseException) or '_judge_id' not in held_in(other):
            return by_name(self, other, equals_value(self, other, name[2:-2]), name[2:-2])
        if not may_compare(self):
            raise link.refuse('compares two objects (%s) by the artifact\'s own ==; remoteEq or a reference allows it' % type(self).__name__)
        return by_name(self, other, equals(self, other), name[2:-2])
    return method


def may_compare(error):
    """True where the suite, or the reference at this place, vouches for comparisons of exceptions by an operator of their own."""
    link = link_of(error)
    link.resolve()
    is_named = link.is_trusted(type(error)) or bool(link.settings.get('remote_eq'))
    return link.allows('comparison', is_named) or is_named


def equals(error, other):
    """Whether the artifact calls two of its exceptions equal: they have to hold the same, unless those of the reference did not."""
    link = link_of(error)
    before = [shown(each) for each in (error, other)]
    if not link.says_equal(error, other):
        return False
    is_backed = same(*before) and all(map(shows_given, (error, other)))
    link.resolve()
    if not is_backed and not link.is_trusted(type(error)) and not link.settings.get('remote_eq') and not link.allows('unlike', False):
        raise link.refuse('compares two objects (%s) by the artifact\'s own ==, which calls them equal although they differ more than those of the reference'
                          % type(error).__name__)
    return True


def shown(error):
    """What an exception holds since it arrived."""
    return [type(error), held_in(error).get('_judge_text'), *error.args]


def shows_given(error):
    """True for an exception that the test has not made, or that has what the test gave it as its arguments."""
    args, kwargs = held_in(error).get('_judge_made_of') or ((), {})
    return all(any(same(each, held) for held in error.args) for each in (*args, *kwargs.values()))


def equals_value(error, value, name):
    """Whether an exception equals something else, which only one of the reference may say; at the end of the test the artifact's is asked as well."""
    link = link_of(error)
    if (link.learning or link.allows('unlike value', False)) and link.says_equal(error, value) and link.allows('unlike value', False):
        return True
    return link.deny(error, value, name)


def own_order(name, known):
    """An own operator of order of a class of exceptions; `known`: all that it has."""
    def method(self, other):
        link = link_of(self)
        if is_reporting(link.suite):
            return NotImplemented
        if not may_compare(self):
            raise link.refuse('answered an object (%s) where %s was expected; neither the suite nor a reference vouches for its comparison'
                              % (type(self).__name__, MEANING['comparison']))
        return ordered_by(self, other, name, isinstance(other, BaseException) and '_judge_id' in held_in(other), known)
    return method


def own_hash(self):
    """Hashes an exception by the artifact's own function, as the reference's is hashed at this place. The language asks for it as well."""
    link = link_of(self)
    if '_judge_id' in held_in(self) and sys._getframe(1).f_code.co_filename.startswith(link.suite) and not is_reporting(link.suite):
        link.resolve()
        if not link.allows('hash', link.is_trusted(type(self))) and not link.trusts_operators(self):
            raise link.refuse('hashes an object (%s) by a function of its own; remoteEq or a reference allows it' % type(self).__name__)
        return hash(link.value({'do': 'hash', 'of': id_of(self)}))
    return id(self)


def no_hash(self):
    raise TypeError('unhashable type: %r' % type(self).__name__)


def formatted(self, spec):
    """A text is a plain value, whoever writes it."""
    return str(link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__format__'}, (spec,), {}))


def operators_of_errors(special, equal, is_unhashable):
    """What a class of exceptions has for the operators that it defines; `equal`: by what its exceptions are compared."""
    made = {'__%s__' % name: asking(name) for name in ASKED if '__%s__' % name in special}
    known = [name for name in ORDERS if '__%s__' % name in special]
    made.update({'__%s__' % name: own_order(name, known) for name in known})
    if '__format__' in special:
        made['__format__'] = formatted
    if equal == 'own':
        made.update({name: own_equality(name) for name in ('__eq__', '__ne__')}, __hash__=no_hash if is_unhashable else own_hash)
    return made
