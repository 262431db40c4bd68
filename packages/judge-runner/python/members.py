"""Enumerations of the artifact, which are made here with the operators of their classes. Standard library only.

What a member answers by a method or an operator of its class is the artifact's word. An operator that the language has for such members as well (those
that are numbers or texts, and flags) is held against what the language says.
"""
import enum
import itertools
import sys

from comparing_members import compared, is_trusted, key_of, number_of
from method_names import ACTING, BY_REFERENCE, MEANING, PREDICATES
from pickling import pickle_classes, reduced
from remote import Method, RemoteClass, RemoteFunction, left, left_later
from stand_in import StandIn

#: Operators by which members contain something, those that iterate, and those whose answer with values of the test could be what is expected.
ITEMS, ITERATING = ('len', 'contains', 'getitem', 'iter', 'reversed'), ('iter', 'reversed', 'next')
COMPUTING = ('arithmetic', 'conversion')
#: Operators that are asked of members, with what a reference has to have used.
ASKED = {name: 'items' if name in ITEMS else 'part' for name in ACTING}
ASKED.update({name: kind for name, kind in BY_REFERENCE.items() if kind in COMPUTING and name != 'format'})
#: What copies a member, by the method that its class has written itself.
COPIES = {'__copy__': 'copy', '__deepcopy__': 'deepcopy', '__reduce_ex__': 'pickle'}
#: What an operator of the language answers that knows no such value.
NONE = object()


def enum_of(link, name, roots, values, desc):
    """The same enumeration as one that the artifact describes."""
    space = enum.EnumMeta.__prepare__(name, roots)
    space['__getattr__'] = attribute
    operators = frozenset(str(each) for each in desc.get('operators', ()))
    space.update({'__%s__' % each: asking(link, each) for each in ASKED if '__%s__' % each in operators})
    space.update(texts(link, desc.get('texts', ())))
    # The truth of each was told with the class, before any test could want another: the artifact might have answered that instead.
    if 'false' in desc:
        space['__bool__'] = truth(link, frozenset(str(each) for each in desc['false']))
    space.update(compared(link, frozenset(map(str, desc.get('compared', ()))), desc.get('unhashable') is True, roots))
    copied = [name for name in COPIES if name in desc.get('copied', ())]
    space.update({name: copying(link, name) for name in copied})
    if desc.get('sets') is True:
        space['__setattr__'] = setting(link)
    for key, value in values:
        space[key] = value
    # Of attributes that the language gives members, those that the class has written itself.
    for key in map(str, desc.get('hidden', ())):
        if not key.startswith('_') and key not in dict(values) and any(key in vars(base) for root in roots for base in root.__mro__):
            space[key] = property(lambda self, key=key: hiding(self, key))
    made = RemoteEnumMeta(name, roots, space, **boundary_of(roots, desc))
    # What means something special in the body of a class would be no member, and could be called.
    if list(made.__members__) != [key for key, _ in values]:
        raise TypeError('a member that is none')
    return made


def boundary_of(roots, desc):
    """What becomes of values beyond those of a flag's members, as its class says."""
    kinds = getattr(enum, 'FlagBoundary', None)
    found = getattr(kinds, str(desc.get('boundary')), None) if issubclass(roots[-1], enum.Flag) else None
    return {} if kinds is None or not isinstance(found, kinds) else {'boundary': found}


def is_vouched(member):
    link = type(member)._judge_link
    return link.allows_in_test('part', link.is_vouched(type(member)))


def attribute(self, key):
    """What the class of a member gives it beside what the language does."""
    if key.startswith('_') or key in ('name', 'value'):
        raise AttributeError(key)
    link = type(self)._judge_link
    found = link.value({'do': 'get', 'of': number_of(self), 'name': key}, inert=not is_vouched(self))
    # Texts and sets answer the same question.
    is_doubted = key in PREDICATES and link.is_alone() and isinstance(found, Method)
    return (lambda *args, **kwargs: answered(self, key, 'part', lambda: found(*args, **kwargs), args, kwargs)) if is_doubted else found


def hiding(self, key):
    """An attribute that the class of a member has written itself, and that the language has as well."""
    link = type(self)._judge_link
    found = link.value({'do': 'get', 'of': number_of(self), 'name': key})
    if not isinstance(found, (Method, RemoteFunction)):
        return found

    def method(*args, **kwargs):
        return answered(self, key, 'part', lambda: link.call({'do': 'method', 'of': number_of(self), 'name': key}, args, kwargs), args, kwargs)
    return method


def copying(link, name):
    """A method by which the class of a member copies it, or has it pickled."""
    def copy(member, do):
        return link.value({'do': do, 'of': number_of(member)})

    def method(self, _=None):
        found = copy(self, COPIES[name])
        return reduced(self, copy) if name == '__reduce_ex__' else found
    return method


def setting(link):
    """How an attribute of a member is set whose class does that itself."""
    def method(self, name, value):
        # The language gives members what begins so while it makes them.
        if name.startswith('_'):
            return object.__setattr__(self, name, value)
        link.value({'do': 'set', 'of': number_of(self), 'name': name, 'value': link.leave(value)})
    return method


def texts(link, names):
    """Texts of members whose class writes them: each is a plain value, whoever writes it."""
    made = {'__%s__' % do: lambda self, do=do: str(link.value({'do': do, 'of': number_of(self)})) for do in ('str', 'repr') if '__%s__' % do in names}
    if '__format__' in names:
        made['__format__'] = lambda self, spec: str(link.call({'do': 'method', 'of': number_of(self), 'name': '__format__'}, (spec,), {}))
    return made


def truth(link, false):
    """The truth of members; `false`: the names of those that are not true. What the language says of numbers, texts and flags is the truth of these,
    unless the reference said otherwise as well."""
    known = {}

    def claimed(self):
        if self._name_ in type(self).__members__:
            return self._name_ not in false
        if key_of(self) not in known:
            known[key_of(self)] = link.value({'do': 'bool', 'of': number_of(self)}) is True
        return known[key_of(self)]

    def method(self):
        found = claimed(self)
        is_value = isinstance(self, (int, str, enum.Flag))
        # Operators of flags answer others, whose truth says whether they are those that the test expects.
        is_known = not isinstance(self, enum.Flag) and link.is_vouched(type(self))
        if is_value and found is not bool(self._value_) and not link.allows('bool', is_known) and not is_trusted(self):
            raise refusal(self, '__bool__', 'bool')
        return found
    return method


def asking(link, name):
    """An operator that the class of a member has written itself."""
    whole = '__%s__' % name

    def method(self, /, *args, **kwargs):
        def ask():
            asked = {'do': 'method', 'of': number_of(self), 'name': whole}
            return link.call(asked, args, kwargs, iterator=name in ITERATING)
        found = answered(self, whole, ASKED[name], ask, args, kwargs)
        if name == 'aexit':
            return left_later(link, args, found)
        if name == 'exit':
            return left(link, args, found)
        return found is True if name == 'contains' else iter(found) if name in ('iter', 'reversed') else found
    return method


def answered(member, name, kind, ask, args, kwargs):
    """What a member answers, where that is believed."""
    link = type(member)._judge_link
    is_known = has_otherwise(member, name)
    is_asked = is_trusted(member) or (link.is_vouched(type(member)) if link.is_alone() else is_known or allows(link, kind))
    if not is_asked:
        raise refusal(member, name, kind)
    found = ask()
    if found is NotImplemented or is_trusted(member) or link.is_alone() and is_said_by_class(found, name, kind, is_known, args, kwargs):
        return found
    if is_known:
        found, is_same = held_against(found, otherwise(member, name, args, kwargs))
        if not is_same and (link.is_alone() or not allows(link, kind)):
            raise refusal(member, name, kind)
    elif link.is_alone():
        raise refusal(member, name, kind)
    return found


def allows(link, kind):
    """True where the reference used an operator so."""
    return link.allows(kind, False) if kind in COMPUTING else link.allows_in_test(kind, False)


def is_said_by_class(found, name, kind, is_known, args, kwargs):
    """True for what is believed without a reference, of a class that the suite knows. With values of the test, a plain value could be the artifact's
    word about what the test may expect, and what the language answers as well is that alone."""
    if not args and not kwargs:
        return not (is_known and name in PREDICATES)
    if is_known or name in PREDICATES:
        return False
    return kind not in COMPUTING or is_object(found) and (not isinstance(type(found), RemoteEnumMeta) or bool(found))


def is_object(part):
    """True for an answer that no number or text equals."""
    is_member = isinstance(type(part), RemoteEnumMeta) and not isinstance(part, (int, str))
    return is_member or issubclass(type(part), StandIn) or isinstance(part, RemoteClass)


def has_otherwise(member, name):
    """True where the language has an operator or method for a member that its class has written itself."""
    return found_otherwise(member, name) is not NONE


def found_otherwise(member, name):
    return next((vars(base)[name] for base in type(member).__mro__[1:] if name in vars(base)), NONE)


def otherwise(member, name, args, kwargs):
    """What the language answers for a member."""
    try:
        return getattr(super(type(member), member), name)(*args, **kwargs)
    except Exception:
        return NONE


def held_against(found, said):
    """An answer of the artifact, and whether the language says the same."""
    if hasattr(type(said), '__next__') and hasattr(type(found), '__iter__'):
        said = list(said)
        held = list(itertools.islice(found, len(said) + 1))
        return iter(held), same_values(held, said)
    return found, same_values(found, said)


def same_values(found, said):
    if type(found) in (list, tuple) and type(said) is type(found):
        return len(found) == len(said) and all(map(same_values, found, said))
    is_plain = not is_object(found) and isinstance(found, (int, float, str, tuple)) or isinstance(type(found), RemoteEnumMeta)
    return found is said or is_plain and said is not NONE and isinstance(said, bool) is isinstance(found, bool) and bool(found == said)


def refusal(member, name, kind):
    wanted = MEANING.get(kind, 'a truth value' if kind == 'bool' else 'a plain value')
    return type(member)._judge_link.refuse(
        'answered a member of its enumeration %s, with an own %s() that nothing vouches for, where %s was expected; name its class in `objects`, or add a reference'
        % (type(member).__name__, name, wanted))


def check_alias(cls, name, member):
    """Refuses a member under a name that is another member's."""
    link = vars(cls).get('_judge_link')
    if link is not None and name in vars(cls)['_judge_aliases'] and not link.allows('alias', False):
        raise link.refuse('its enumeration %s has one member for two names (%s and %s); a reference allows it' % (cls.__name__, member._name_, name))


def is_asked(cls, name):
    """True where a test uses what the class of an enumeration has written itself."""
    link = vars(cls).get('_judge_link')
    return link is not None and name in vars(cls).get('_judge_asked', ()) and sys._getframe(2).f_code.co_filename.startswith(link.suite)


def asked_of(cls, name, /, *args, **kwargs):
    """What the class of an enumeration answers by a method of its own, where the suite knows the enumeration."""
    link = vars(cls)['_judge_link']
    if not link.knows(cls):
        raise link.refuse('answered an enumeration %s with an own %s() that nothing vouches for' % (cls.__name__, name))
    return link.call({'do': 'method', 'of': cls._judge_origin, 'name': name, 'meta': True}, args, kwargs, iterator=name in ('__iter__', '__reversed__'))


class RemoteEnumMeta(enum.EnumMeta):
    """The class of an enumeration of the artifact: what is no member is asked for in its box.

    Members that the test tells apart by their names are not the same, unless those of the reference were.
    """

    def __call__(cls, value, /, *more, **named):
        if is_asked(cls, '__call__'):
            return asked_of(cls, '__call__', value, *more, **named)
        try:
            return super().__call__(value, *more, **named)
        except ValueError:
            if more or named or '_judge_link' not in vars(cls):
                raise
        # Its class may know a member for other values than those of its members.
        link = vars(cls)['_judge_link']
        found = link.call({'do': 'call', 'of': cls._judge_origin}, (value,), {})
        if type(found) is not cls:
            raise link.refuse('its enumeration %s answered something else than a member' % cls.__name__)
        return found

    def __getattribute__(cls, name):
        found = type.__getattribute__(cls, name)
        if not name.startswith('_'):
            check_alias(cls, name, found)
        return found

    def __contains__(cls, part):
        return asked_of(cls, '__contains__', part) is True if is_asked(cls, '__contains__') else super().__contains__(part)

    def __iter__(cls):
        return iter(asked_of(cls, '__iter__')) if is_asked(cls, '__iter__') else super().__iter__()

    def __reversed__(cls):
        return iter(asked_of(cls, '__reversed__')) if is_asked(cls, '__reversed__') else super().__reversed__()

    def __len__(cls):
        return asked_of(cls, '__len__') if is_asked(cls, '__len__') else super().__len__()

    def __setattr__(cls, name, value):
        if not is_asked(cls, '__setattr__'):
            return super().__setattr__(name, value)
        link = vars(cls)['_judge_link']
        link.value({'do': 'set', 'of': cls._judge_origin, 'name': name, 'value': link.leave(value)})

    def __delattr__(cls, name):
        if not is_asked(cls, '__delattr__'):
            return super().__delattr__(name)
        vars(cls)['_judge_link'].value({'do': 'delete', 'of': cls._judge_origin, 'name': name})

    def __getitem__(cls, name):
        if is_asked(cls, '__getitem__'):
            return asked_of(cls, '__getitem__', name)
        found = super().__getitem__(name)
        check_alias(cls, name, found)
        return found

    def __getattr__(cls, name):
        if name in vars(cls).get('_member_map_', ()):
            check_alias(cls, name, vars(cls)['_member_map_'][name])
            return vars(cls)['_member_map_'][name]
        if name.startswith('_') or '_judge_link' not in vars(cls):
            raise AttributeError(name)
        link = vars(cls)['_judge_link']
        return link.value({'do': 'get', 'of': cls._judge_origin, 'name': name}, inert=not link.knows(cls))


pickle_classes(RemoteEnumMeta)
