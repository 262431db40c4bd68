"""What a test has given that can be called and is no function of Python, as the artifact sees it. Standard library only."""
import functools
import inspect
import operator
import types

#: Types of the language and the library as which it is known, by their names.
KINDS = {each.__name__: each for each in (types.BuiltinFunctionType, types.MethodWrapperType, type(functools.lru_cache(print)), staticmethod)}
#: Types whose objects find the same in both boxes, by their names.
MAKING = {each.__name__: each for each in (functools.partial, operator.itemgetter, operator.attrgetter, operator.methodcaller)}


class Called:
    """Has the names and parts of what it stands for. What it does is done in the box of the test."""

    __slots__ = '_judge_call', '_judge_held', '_judge_equal', '__weakref__'

    def __init__(self, call, held, equal):
        for name, value in (('_judge_call', call), ('_judge_held', held), ('_judge_equal', equal)):
            object.__setattr__(self, name, value)

    def __call__(self, /, *args, **kwargs):
        return self._judge_call(args, kwargs)

    def __getattr__(self, name):
        if name.startswith('_judge') or name not in self._judge_held:
            raise AttributeError('%r object has no attribute %r' % (type(self).__name__, name))
        return self._judge_held[name]

    def __eq__(self, other):
        return self is other or self._judge_equal is not None and isinstance(other, Called) and self._judge_equal == other._judge_equal

    def __hash__(self):
        return id(self) if self._judge_equal is None else hash(self._judge_equal)

    def __repr__(self):
        return '<%s %s>' % (type(self).__name__, self._judge_held.get('__qualname__', 'object'))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def told(name):
    return property(lambda self: self.__getattr__(name))


def called_class(name, has_attributes, binds):
    """A class by the name of that of the test's object."""
    space = {'__module__': told('__module__'), '__doc__': told('__doc__'), '__slots__': ('__dict__',) if has_attributes else ()}
    if name in KINDS:
        space['__class__'] = property(lambda self: KINDS[name])
    if binds:
        space['__get__'] = lambda self, owner, kind=None: self if owner is None else types.MethodType(self, owner)
    return type(name if name.isidentifier() else name.replace('-', '_'), (Called,), space)


class Partial(functools.partial):
    """A `partial` of a function of the test, which is called there with what it binds."""

    __slots__ = '_judge_func', '_judge_bound'
    __doc__ = functools.partial.__doc__
    __module__ = 'functools'

    @property
    def func(self):
        return self._judge_func

    @property
    def args(self):
        return tuple(self._judge_bound()[0])

    @property
    def keywords(self):
        return self._judge_bound()[1]

    @property
    def __signature__(self):
        return inspect.signature(FUNCTION_OF(self))

    def __repr__(self):
        return 'functools.partial(%r, ...)' % (self._judge_func,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError('cannot pickle a partial of a function that is not here')


Partial.__name__ = Partial.__qualname__ = 'partial'
FUNCTION_OF = vars(functools.partial)['func'].__get__


def partial_of(function, func, bound):
    """`function`: has the parameters that are left; `func`: stands for the one of the test; `bound`: asks for what is bound."""
    made = Partial(function)
    made._judge_func, made._judge_bound = func, bound
    return made
