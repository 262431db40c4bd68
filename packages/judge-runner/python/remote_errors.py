"""Exceptions of classes of the artifact, as a test sees them. Standard library only."""
import builtins

import pickling
from error_operators import is_vouched, operators_of_errors
from remote import builtin_exception
from stand_in import held_in, link_of

#: Exceptions that hold others, from Python 3.11 on.
GROUP = getattr(builtins, 'BaseExceptionGroup', ())


class RemoteException(Exception):
    """An exception of a class of the artifact."""

    @property
    def __dict__(self):
        return attribute_of_error(self, '__dict__') if '_judge_id' in held_in(self) else held_in(self)

    def __str__(self):
        return held_in(self).get('_judge_text', '')

    def __repr__(self):
        told = held_in(self).get('_judge_repr')
        return told if type(told) is str else Exception.__repr__(self)

    def __getattr__(self, name):
        if name.startswith('_') or '_judge_id' not in held_in(self):
            raise AttributeError(name)
        return attribute_of_error(self, name)

    def __setattr__(self, name, value):
        if name in ('name', 'obj') and isinstance(self, AttributeError):
            return  # The language notes where it came from, as it has done in the artifact's box.
        number = held_in(self).get('_judge_id')
        if number is not None and not name.startswith('_') and name != 'args':
            link_of(self).value({'do': 'set', 'of': number, 'name': name, 'value': link_of(self).leave(value)})
            if isinstance(getattr(type(self), name, None), property):
                return
        Exception.__setattr__(self, name, value)

    def __reduce_ex__(self, protocol):
        return pickling.reduced(copied(self, 'pickle'), copied) if '_judge_id' in held_in(self) else Exception.__reduce_ex__(self, protocol)

    __hash__ = Exception.__hash__


def copied(error, do):
    """A copy of an error, which its class makes."""
    link = link_of(error)
    return link.arrive(link.ask({'do': do, 'of': held_in(error)['_judge_id']})['value'])


def attribute_of_error(error, name):
    number = held_in(error).get('_judge_id')
    if number is None:
        raise AttributeError(name)
    return link_of(error).value({'do': 'get', 'of': number, 'name': name}, inert=not is_vouched(error))


def parts_of_errors(bases, special, equal, is_unhashable):
    """What classes of exceptions of the artifact have before those of the language that they are derived from."""
    held = {name: vars(RemoteException)[name] for name in ('__dict__', '__str__', '__repr__', '__getattr__', '__hash__')}
    for base in bases:
        for kind in builtin_exception([base], Exception).__mro__:
            if kind in (BaseException, object) or kind in getattr(GROUP, '__mro__', ()):
                continue
            # The language keeps them where only its own constructors put something: `errno`, `code`, `lineno`.
            held.update((name, property(lambda self, name=name: attribute_of_error(self, name))) for name, each in vars(kind).items()
                        if not name.startswith('_') and hasattr(type(each), '__set__'))
    return {**held, **operators_of_errors(special, equal, is_unhashable)}
