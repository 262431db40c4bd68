"""Objects of the artifact whose attributes and methods are asked for in its box. Standard library only."""
import operator

import agreement
import descriptors
import pickling
from base_calls import is_passed_on, pass_on, refuse_passed_on, special_method
from container_places import stands_for_container
from comparison import ORDERS, ordered_by
from equality import compare_values, values_ordered
from expressions import check_truth, expression_of
from fields import attributes_given, field_of, is_set, plain_of, set_field, values_of
from method_names import ACTING, BY_REFERENCE, COLLECTING, MEANING, PLAIN_NAMES, PREDICATES
from own_operators import own_comparison
from remote import WRAPPING, Method, iterator_of, left, left_later, names_of, note_decorator
from reports import is_sorted_for_report
from stand_in import StandIn, held_in, id_of, is_derived, is_made, is_waiting, link_of, note_equated, number_of, use
from texts import text_of

TEXTS = (str, bytes, bytearray)


class Acting(StandIn):
    """An object of the artifact whose attributes and methods are asked for in its box."""

    @property
    def __dict__(self):
        known = attributes_given(self)
        return link_of(self).value({'do': 'get', 'of': id_of(self), 'name': '__dict__'}) if known is None else known

    def __getattr__(self, name):
        # What functools.update_wrapper() gives an object that stands for a function.
        if name.startswith('_judge') or name.startswith('__') and name not in ('__name__', *WRAPPING):
            raise AttributeError(name)
        link = link_of(self)
        own = field_of(self, name)
        if own is not None:
            return own[0]
        if name in PLAIN_NAMES:
            admit(self, 'method %s' % name, name)
        # pytest asks the values of its parameters for a name.
        if name.startswith('__') and (is_waiting(self) or is_made(self) and link.is_naming()) or \
                name.startswith('_pytest') and is_waiting(self) and link.agrees(type(self)):
            raise AttributeError(name)
        found = link.value({'do': 'get', 'of': id_of(self), 'name': name})
        made = object.__getattribute__(self, '_judge_made')
        if isinstance(found, Method):
            found._judge_made, found._judge_reached, found._judge_makes = made, name, link.makes_by(type(self), name)
            forget(self)
        if name in PREDICATES and not made and link.is_alone() and callable(found):
            found = Method(link, id_of(self), name)
            found._judge_inert = True
        return found

    def __setattr__(self, name, value):
        link = link_of(self)
        if set_field(self, name, value):
            return
        if not link.agrees(type(self)) or not is_set(self, name, value):
            forget(self)
        link.pin_methods(name, number_of(self))
        link.value({'do': 'set', 'of': id_of(self), 'name': name, 'value': link.leave(value)})

    def __delattr__(self, name):
        forget(self)
        link_of(self).pin_methods(name, number_of(self))
        link_of(self).value({'do': 'delete', 'of': id_of(self), 'name': name})

    def __dir__(self):
        return names_of(link_of(self), id_of(self))

    def __copy__(self):
        return copied(self, 'copy')

    def __deepcopy__(self, memo):
        return copied(self, 'deepcopy')

    def __reduce_ex__(self, protocol):
        return pickling.reduced(copied(self, 'pickle'), copied)

    def __bool__(self):
        check_truth(self, held_in(self))
        special = type(self)._judge_special
        if '__bool__' not in special and '__len__' not in special:
            return True
        # One that has no truth value raises an error.
        found = (pass_on(self, '__bool__') if is_passed_on(self, '__bool__') else link_of(self).value({'do': 'bool', 'of': id_of(self)})) is True
        allow(self, 'bool', object.__getattribute__(self, '_judge_made'))
        return found

    def __str__(self):
        return pass_on(self, '__str__') if is_passed_on(self, '__str__') else text_of(self, 'str')

    def __repr__(self):
        return pass_on(self, '__repr__') if is_passed_on(self, '__repr__') else text_of(self, 'repr')

    def __eq__(self, other):
        note_equated(self, other)
        if type(self)._judge_equal == 'own':
            refuse_passed_on(self, '__eq__')
            made = expression_of(self, other, 'eq')
            if made is not None:
                return made
            return self is other or own_comparison(self, other, 'eq')
        return compare_values(self, other)

    def __ne__(self, other):
        note_equated(self, other)
        if type(self)._judge_equal == 'own':
            refuse_passed_on(self, '__ne__')
            made = expression_of(self, other, 'ne')
            if made is not None:
                return made
        if type(self)._judge_equal == 'own' and self is not other:
            return own_comparison(self, other, 'ne')
        found = self.__eq__(other)
        return found if found is NotImplemented else not found

    def __hash__(self):
        note_equated(self)
        equal = type(self)._judge_equal
        told = type(self)._judge_value
        if equal == 'value':
            if not told['hash']:
                raise TypeError('unhashable type: %r' % type(self).__name__)
            # Left out only where it has no hash: objects that hold something else must not be alike in a set.
            values = zip(told['fields'], values_of(self, told['fields']))
            key = tuple(value for name, value in values if name not in told['unhashed'] or type(value).__hash__ is not None)
            found = hash(key)
            if '__hash__' in type(self)._judge_overrides:
                link_of(self).note_own_hash(self, key)
            return found
        if link_of(self).agrees(type(self)):
            return agreement.hash_of(self)
        if type(self)._judge_unhashable:
            raise TypeError('unhashable type: %r' % type(self).__name__)
        if equal in ('base', 'library'):
            return link_of(self).hash_of_content(self)
        if equal == 'own':
            link_of(self).note_own(type(self))
        if equal == 'own':
            refuse_passed_on(self, '__hash__')
        # It leads to no more than a comparison.
        if equal == 'own' and (link_of(self).allows('hash', link_of(self).trusts(self)) or link_of(self).trusts_operators(self)):
            return hash(link_of(self).value({'do': 'hash', 'of': id_of(self)}))
        return id(self)


def iterate(self):
    admit(self, 'items', 'items')
    if '__iter__' not in type(self)._judge_special:
        raise TypeError('%r object is not iterable' % type(self).__name__)
    if is_passed_on(self, '__iter__'):
        return link_of(self).call(special_method(self, '__iter__'), (), {}, iterator=True)
    return iterator_of(self)


def contains(self, wanted):
    admit(self, 'items', 'items')
    special = type(self)._judge_special
    if type(self)._judge_equal == 'base':
        # The language asks no method of its class for that either.
        held = plain_of(self)
        found = wanted in held
        return own_answer(self, wanted, found) if '__contains__' in type(self)._judge_overrides and not isinstance(held, TEXTS) else found
    if '__contains__' in special and link_of(self).may_contain(self):
        if link_of(self).learning:
            link_of(self).allows_in_test('contains otherwise', False)
        return link_of(self).call(special_method(self, '__contains__'), (wanted,), {}) is True
    if '__iter__' not in special and '__getitem__' not in special:
        raise link_of(self).refuse('answered an object (%s) where a collection was expected' % type(self).__name__)
    return any(item is wanted or item == wanted for item in self)


def own_answer(part, wanted, found):
    """What a subclass of a container says itself of what it contains: where that is no more than it holds, where the test has made it, or where the
    reference's did so."""
    link = link_of(part)
    told = link.call({'do': 'method', 'of': id_of(part), 'name': '__contains__'}, (wanted,), {}) is True
    is_believed = told is found or link.allows_in_test('contains otherwise', object.__getattribute__(part, '_judge_made'))
    if not is_believed and not link.trusts_operators(part):
        raise link.refuse('answered an object (%s) whose `in` says something else than what it contains; name its class in `objects`, or add a reference'
                          % type(part).__name__)
    return told


def copied(part, do):
    """A copy of an object that the test holds, which its class makes. That of an object that acts is one as well."""
    link, made = link_of(part), held_in(part).get('_judge_made', False)
    if isinstance(part, Acting):
        made = 'named' if made else 'makes'
    return link.make_copy(part, lambda: link.arrive(link.ask({'do': do, 'of': id_of(part)})['value'], made=made))


def forget(part):
    """What the test made of a class may be another value after it was used."""
    use(part)
    object.__getattribute__(part, '_judge_frozen').clear()


def allow(part, op, default):
    link = link_of(part)
    kind = BY_REFERENCE.get(op, op)
    if not link.allows(kind, default) and not link.trusts_operators(part):
        raise link.refuse('answered an object (%s) where %s was expected; neither the suite nor a reference vouches for its %s'
                          % (type(part).__name__, MEANING.get(kind, 'a truth value'), kind))


def admit(part, op, wanted):
    """Refuses what plain values do as well, where the reference did it with none of its objects. What the test has made is no value."""
    link, kind = link_of(part), type(part)
    is_admitted = link.allows_in_test(op, True)
    if not is_admitted and not is_made(part) and not link.is_vouched(kind):
        raise link.refuse('answered an object (%s) where a plain value with %s was expected; name its class in `objects`, or add a reference' % (kind.__name__, wanted))


def forward(name):
    whole = '__%s__' % name

    def method(self, /, *args, **kwargs):
        link = link_of(self)
        if whole not in type(self)._judge_special:
            raise TypeError('%r object does not support %s' % (type(self).__name__, name))
        made = False
        if name in COLLECTING:
            admit(self, 'items', 'items')
        if name in ORDERS and is_sorted_for_report(link.suite):
            return NotImplemented
        if name in ORDERS:
            refuse_passed_on(self, whole)
            note_equated(self, *args)
            made = expression_of(self, args[0], name) if not type(self)._judge_value else None
            if made is not None:
                return made
            if type(self)._judge_value and type(self)._judge_value['order']:
                return ordered(self, args[0], name)
            # What the reference ordered by an operator of its own need not be ordered by what it holds.
            if link.agrees(type(self)) and issubclass(type(args[0]), StandIn) and not link.allows('comparison', False):
                found = agreement.ordered(self, args[0], name)
                if found is not None:
                    return found
            # Only where the reference needed it, and not where the operators contradict each other.
            allow(self, name, link.trusts(self))
            found = None if link.is_alone() else ordered_by(self, args[0], name, isinstance(args[0], StandIn))
            if found is not None:
                return found
        forget(self)
        if name in BY_REFERENCE:
            own = all(isinstance(each, Acting) and object.__getattribute__(each, '_judge_made') for each in args)
            made = object.__getattribute__(self, '_judge_made') and own and name not in ORDERS
            # Answers alone: nothing of the test is told for what they make.
            is_result = is_derived(self) or all(issubclass(type(each), StandIn) and not is_made(each) for each in (self, *args))
            if not made and BY_REFERENCE[name] == 'arithmetic' and is_result and not link.trusts(self) and link.is_alone():
                return derived(self, whole, args)
            allow(self, name, made or link.trusts(self))
        found = link.call(special_method(self, whole), args, kwargs,
                          made=name in BY_REFERENCE and (made or link.trusts(self)), iterator=name in ('next', 'reversed'))
        if name == 'call':
            note_decorator(found, args, True, False)
        if name == 'aexit':
            return left_later(link, args, found)
        if name == 'enter' and issubclass(type(found), StandIn) and number_of(found) == number_of(self) and not stands_for_container(found):
            return self
        return left(link, args, found) if name == 'exit' else found
    return method


def derived(part, whole, args):
    """Arithmetic of an object of the test with its values: the result is an object, which is compared by its parts.

    As a number or a truth value it would be the artifact's word about a value that the test may expect.
    """
    link = link_of(part)
    found = link.call({'do': 'method', 'of': id_of(part), 'name': whole}, args, {})
    if not issubclass(type(found), StandIn):
        if found is NotImplemented:
            return found
        raise link.refuse('answered no object where arithmetic of an object (%s) with a value of the test was expected; name its '
                          'class in `objects`, or add a reference' % type(part).__name__)
    object.__setattr__(found, '_judge_made', False)
    object.__setattr__(found, '_judge_derived', True)
    return found


def ordered(left, right, name):
    if type(right) is not type(left):
        return NotImplemented
    return values_ordered(left, right, getattr(operator, name))


#: What is asked in another way than by a call of the method.
OWN_WAYS = {'iter': iterate, 'contains': contains}


def special_methods(names):
    """The special methods of a stand-in: those that its class has, so that all others fail as they do in one process."""
    made = {}
    for name in list(BY_REFERENCE) + ACTING:
        whole = '__%s__' % name
        if whole in names:
            made[whole] = OWN_WAYS.get(name) or forward(name)
    return {**made, **descriptors.methods(names)}
