"""What a test gives that can be called and is no function of Python. Standard library only."""
import functools
import inspect
import operator
import types

from refusals import Unsupported
from standard import lasts

#: Texts that such an object has as functions have them, and parts of it that lead to nothing else than it does.
TEXTS = ('__name__', '__qualname__', '__module__', '__doc__', '__text_signature__')
PARTS = ('__wrapped__', '__func__', 'cache_info', 'cache_clear', 'cache_parameters')
#: Objects of the library that find the same in both boxes.
FINDING = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
#: Functions of the library that compare: what these are bound to may be what a test expects.
COMPARING = frozenset('eq ne lt le gt ge is_ is_not contains countOf indexOf isclose isinstance issubclass'.split())
#: Kinds of parameters as they are told.
KINDS = {inspect.Parameter.POSITIONAL_ONLY: 'only', inspect.Parameter.POSITIONAL_OR_KEYWORD: 'both', inspect.Parameter.VAR_POSITIONAL: 'args',
         inspect.Parameter.KEYWORD_ONLY: 'named', inspect.Parameter.VAR_KEYWORD: 'kwargs'}
#: Methods of the language's own types, which both boxes have.
OF_TYPES = (types.MethodDescriptorType, types.WrapperDescriptorType)


class GivingCalled:
    """The part of a link that tells of them."""

    def leave_called(self, part, walk, kind):
        """`kind`: what it answers, as that of a function."""
        number = self.give(part, part)
        made = self.leave_made(part, walk)
        if made is not None:
            return {'$made': [number, *made]}
        if type(part) is functools.partial:
            self.askable[number] = frozenset(('bound',))
            return {'$partial': [number, walk(part.func), parameters_of(part), kind]}
        held = [[name, text] for name, text in ((name, getattr(part, name, None)) for name in TEXTS) if isinstance(text, str)]
        held += [[name, walk(getattr(part, name))] for name in PARTS if type(part).__module__ in ('functools', 'builtins') and hasattr(part, name)]
        return {'$called': [number, type(part).__name__, held, hasattr(part, '__dict__'), hasattr(type(part), '__get__'), self.method_number(part, number)]}

    def leave_made(self, part, walk):
        """What finds the same in both boxes: the name of its type and the arguments of which it is made. None for what is done in the box of the test."""
        kind = type(part)
        if kind is functools.partial and not vars(part):
            function, args, kwargs = part.func, part.args, part.keywords
            is_known = self.is_of_library(function) and function.__name__ not in COMPARING
            told = 'partial' if is_known else None
            args, kwargs = (function, *args), kwargs
        elif kind in FINDING:
            function, args = part.__reduce__()[:2]
            args, kwargs = (*getattr(function, 'args', ()), *args), getattr(function, 'keywords', {})
            told = None if kind is not operator.itemgetter and is_private(args) else kind.__name__
        else:
            return None
        if told is None or not all(lasts(each) or self.is_of_library(each) for each in (*args, *kwargs.values())):
            return None
        return [told, [walk(each) for each in args], [[name, walk(each)] for name, each in kwargs.items()]]

    def is_of_library(self, part):
        return callable(part) and hasattr(part, '__name__') and self.known_by_name(part) is not None

    def bound_in(self, part):
        """What a `partial` of a function of the test holds: it may be what the test expects."""
        if not self.allows_in_test('bound', False):
            raise self.refuse('reads what partial() binds to a function of the test, which no reference does here; add a reference that reads it as well')
        return [list(part.args), dict(part.keywords)]


def is_private(names):
    return any(type(name) is not str or part.startswith('_') for name in names for part in str(name).split('.'))


def parameters_of(part):
    """The parameters that a `partial` of a function of the test leaves, as those of a function are told; None for any other."""
    function = part.func
    owner = function.__func__ if type(function) is types.MethodType else function
    if type(owner) is not types.FunctionType or hasattr(owner, '__wrapped__'):
        return None
    try:
        found = inspect.signature(part).parameters.values()
    except (TypeError, ValueError):
        return None
    return [[KINDS[each.kind], each.name, each.default is not each.empty] for each in found]
