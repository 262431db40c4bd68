"""Classes, functions, iterators and context managers of the artifact. Standard library only."""
import builtins
import sys
import types

from base_types import is_type_test
from class_checks import checked_instance, checked_subclass
from method_names import OF_VALUES, PLAIN_NAMES
from pickling import pickle_classes
from stand_in import StandIn, held_in, id_of, link_of

FUTURE_METHODS = ('done', 'cancelled', 'cancel', 'result', 'exception', 'add_done_callback', 'remove_done_callback', 'set_result', 'set_exception',
                  'get_name', 'set_name')


#: Methods of generators.
GENERATING = ('send', 'throw', 'close')
#: The same of asynchronous ones.
GENERATING_LATER = ('asend', 'athrow', 'aclose')
#: What functools.update_wrapper() gives a function beside its name and text.
WRAPPING = ('__wrapped__', '__qualname__')


def is_value(part):
    """True for an inert attribute that cannot be called: no method of a text or a list is one."""
    return not callable(part) or issubclass(type(part), StandIn)


def unvouched(name):
    return ('answered an object whose method %s() nothing vouches for; name its class in `objects`, or add a reference' % name)


def unvouched_in(name):
    return ('answered a namespace whose function %s() nothing vouches for; name the function that answers it in `objects`, or add a reference' % name)


class RemoteClass(type):
    """A class of the artifact, or one that a test derives from such a class."""

    def __new__(meta, name, bases, space, /, **keywords):
        if '_judge_special' in space:
            return super().__new__(meta, name, bases, space)
        link = next(base._judge_link for base in bases if isinstance(base, RemoteClass))
        return link.extend(meta, name, bases, space, keywords)

    def __init__(cls, name, bases, space, /, **keywords):
        super().__init__(name, bases, space)

    def __call__(cls, /, *args, **kwargs):
        if '_judge_body' in vars(cls) and '__dataclass_params__' not in vars(cls):
            return cls._judge_link.make_extended(cls, args, kwargs)
        if cls._judge_abstract:
            raise TypeError("Can't instantiate abstract class %s" % cls.__name__)
        link = cls._judge_link
        args, kwargs = link.unrolled(cls, args, kwargs)
        places = link.places()
        made = link.expect(cls, args, kwargs, places)
        if made is not None:
            return made
        made = link.make(cls, args, kwargs, places)
        link.learn_object(places[0], made)
        note_decorator(made, args, cls._judge_id in link.known, False)
        return made

    def __getattr__(cls, name):
        if name.startswith('_judge') or name.startswith('__') or name == 'pytestmark':
            raise AttributeError(name)
        link = cls._judge_link
        # The attributes of a class that was only answered would be methods of an answer.
        known = link.knows(cls)
        is_doubted = name in PLAIN_NAMES and not (known and link.is_named_as_class(cls)) and not link.allows_in_test('part', False)
        found = link.value({'do': 'get', 'of': cls._judge_id, 'name': name}, inert=is_doubted or not known)
        if is_doubted and not is_value(found):
            raise link.refuse('answered a class where a plain value with %s was expected' % name)
        if known and not is_doubted:
            link.named(name, found)
            if isinstance(found, (RemoteFunction, Method)):
                found._judge_made = True
                found._judge_answered = False
                link.reached_by[id_of(found)] = cls._judge_id, name
        return found

    def __instancecheck__(cls, part):
        # A protocol says what an object has, whatever its class.
        wanted = vars(cls).get('_judge_protocol')
        held = type.__instancecheck__(cls, part) or wanted is not None and all(hasattr(part, name) for name in wanted)
        return checked_instance(cls, part, held)

    def __subclasscheck__(cls, kind):
        return checked_subclass(cls, kind, type.__subclasscheck__(cls, kind))

    def __dir__(cls):
        return names_of(cls._judge_link, cls._judge_id)

    def __setattr__(cls, name, value):
        if name.startswith('_judge') or name in ('__abstractmethods__', '__module__', '__qualname__'):
            return type.__setattr__(cls, name, value)
        link = cls._judge_link
        if '_judge_body' in vars(cls):
            return link.change_class(cls, name, value)
        link.set_in_class(cls, name, value)

    def __delattr__(cls, name):
        if '_judge_body' in vars(cls):
            return cls._judge_link.remove_from_class(cls, name)
        cls._judge_link.delete_in_class(cls, name)

    def __iter__(cls):
        return iter(cls._judge_link.call({'do': 'method', 'of': cls._judge_id, 'name': '__iter__'}, (), {}, iterator=True))

    def __getitem__(cls, key):
        if not cls._judge_link.knows(cls):
            raise cls._judge_link.refuse('answered a class where a list or dict was expected')
        link = cls._judge_link
        found = link.call({'do': 'method', 'of': cls._judge_id, 'name': '__class_getitem__'}, (key,), {})
        if isinstance(found, RemoteClass) and issubclass(found, cls):
            link.named(cls.__name__, found)
        if not isinstance(found, RemoteFunction):
            return found
        # `Box[int]` makes objects as `Box` does.
        if link.value({'do': 'origin', 'of': id_of(found)}) is cls:
            return cls
        found._judge_makes = True
        return found


pickle_classes(RemoteClass)


class RemoteFunction:
    """A function of the artifact, or something that is called like one."""

    _judge_made = False
    _judge_answered = True
    #: True for the answer of a call that was given a function: what a decorator makes has attributes.
    _judge_decorated = False
    #: True for what a function or method that the suite reaches answers: called with a function, it is a decorator.
    _judge_decorates = False
    #: True for an object with a `__get__` of its class, and for one with a `__set_name__`.
    _judge_binds = _judge_is_named = False
    #: True for what is called as it is wherever a class holds it.
    _judge_stays = False
    #: True for what stands in the place of a class.
    _judge_makes = False
    #: The name by which a namespace holds it.
    _judge_shown = None
    #: The object that is called in the place of a class.
    _judge_object = None

    def __call__(self, /, *args, **kwargs):
        link, made = link_of(self), self._judge_made
        # The name of a function that was answered is the artifact's.
        if not self._judge_answered and self.__name__ in link.settings.get('objects', ()):
            made = 'named'
        elif not self._judge_answered and not made and link.is_alone() and link.makes_objects(self.__name__):
            made = 'makes'
        def call():
            return link.call({'do': 'call', 'of': id_of(self)}, args, kwargs, made=made)
        if self._judge_shown in PLAIN_NAMES:
            link.learn_method(self._judge_shown)
        is_class = self._judge_makes or not self._judge_answered and link.is_class_name(self.__name__)
        if link.learning and not is_class and not self._judge_answered:
            link.allows_in_test('by function', False)
        found = link.make_by(args, kwargs, call, self.__name__) if is_class else call()
        note_decorator(found, args, not self._judge_answered, self._judge_decorates)
        return found

    def __get__(self, owner, kind=None):
        # What a decorator makes of a method is one, which its class may bind itself.
        if self._judge_binds and self._judge_decorated:
            return bound_by(self, owner, kind)
        return types.MethodType(self, owner) if owner is not None and self._judge_decorated and not self._judge_stays else self

    def __set_name__(self, kind, name):
        link = link_of(self)
        if self._judge_is_named and self._judge_decorated and link.is_given_whole(kind):
            link.call({'do': 'method', 'of': id_of(self), 'name': '__set_name__'}, (kind, name), {})

    def __getattr__(self, name):
        is_wrapper = name in WRAPPING and (self._judge_decorated or not self._judge_answered)
        if name.startswith('_') and not is_wrapper or name == 'pytestmark':
            raise AttributeError(name)
        link = link_of(self)
        # The attributes of a function that was answered would be methods of an answer.
        is_reached = not self._judge_answered and id_of(self) not in link.answered_names
        # A constant of the module may be a function as well.
        believed = (is_reached or self._judge_decorated) and name not in OF_VALUES or link.allows_in_test('part', False)
        found = link.value({'do': 'get', 'of': id_of(self), 'name': name}, inert=not believed)
        if name in PLAIN_NAMES and not believed and not is_value(found):
            raise link.refuse('answered a function where a plain value with %s was expected' % name)
        return found

    def __setattr__(self, name, value):
        if name in ('__name__', '__qualname__', '__doc__') or name.startswith('_judge'):
            return object.__setattr__(self, name, value)
        link = link_of(self)
        link.value({'do': 'set', 'of': id_of(self), 'name': name, 'value': link.leave(value)})

    def __repr__(self):
        return object.__repr__(self) if self._judge_object is None else repr(self._judge_object)

    def __str__(self):
        return object.__str__(self) if self._judge_object is None else str(self._judge_object)

    def __bool__(self):
        return truth(self)


def bound_by(part, owner, kind):
    """What the `__get__` of an object answers that a decorator has made, for an object of a class of the test or for that class."""
    link = link_of(part)
    if owner is None and not link.is_given_whole(kind):
        return part
    found = link.call({'do': 'method', 'of': id_of(part), 'name': '__get__'}, (owner, kind if link.is_given_whole(kind) else None), {})
    if isinstance(found, RemoteFunction):
        found._judge_decorated = True
    return found


def names_of(link, number):
    """The names of the attributes of an object or a class, as dir() tells them."""
    return [name for name in link.value_list({'do': 'names', 'of': number}) if type(name) is str]


def is_function(part):
    mock = sys.modules.get('unittest.mock')
    kinds = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, RemoteFunction)
    return is_called(part) or isinstance(part, kinds if mock is None else (*kinds, mock.CallableMixin))


def is_called(part):
    """True for an object that can be called, as the answer of a call."""
    return issubclass(type(part), StandIn) and '_judge_callable' in held_in(part)


def note_decorator(found, args, is_reached, decorates):
    """Notes of a function that a call answered whether it is one that a decorator made, or may be a decorator; one that is given functions of its own
    (`cached(lambda self: self.cache)`) answers either."""
    if not isinstance(found, RemoteFunction) and not is_called(found):
        return
    noted = vars(found) if isinstance(found, RemoteFunction) else held_in(found)
    if any(map(is_function, args)) and (is_reached or decorates):
        noted['_judge_decorated'] = True
    if is_reached:
        noted['_judge_decorates'] = True


async def sample():
    """Is a coroutine function."""


class RemoteCoroutineFunction(RemoteFunction):
    """A function of the artifact that says that its answers are awaited, as `inspect` and `asyncio` ask for it."""

    __code__, __defaults__, __kwdefaults__, __annotations__ = sample.__code__, None, None, {}


def doc_of(part):
    return part.__dict__.get('_judge_doc') or link_of(part).value({'do': 'get', 'of': id_of(part), 'name': '__doc__'})


RemoteFunction.__doc__ = RemoteCoroutineFunction.__doc__ = property(doc_of, lambda part, text: part.__dict__.update(_judge_doc=text))
RemoteFunction.__module__ = RemoteCoroutineFunction.__module__ = property(
    lambda part: link_of(part).value({'do': 'get', 'of': id_of(part), 'name': '__module__'}, inert=True))
RemoteClass.__doc__ = property(lambda cls: cls._judge_link.value({'do': 'get', 'of': cls._judge_id, 'name': '__doc__'}))


class Method:
    """A method of an object of the artifact."""

    _judge_made = False
    _judge_inert = False
    #: The name by which the suite reaches it: its own is the artifact's word.
    _judge_reached = ''
    #: The name by which a namespace holds it, and how it was told where it is a function.
    _judge_shown = _judge_desc = None
    #: The number of the method that it was when the test replaced it.
    _judge_pinned = None
    #: True for one of which the suite shows that it makes objects.
    _judge_makes = False

    def __init__(self, link, number, name):
        if type(number) is not int:
            raise link.protocol_error('a method of nothing')
        self._judge_link, self._judge_id, self.__name__ = link, number, name
        link.note_method(self)

    def __call__(self, /, *args, **kwargs):
        link = self._judge_link
        if self._judge_inert and not (link.is_alone() and link.is_called(self._judge_reached)):
            raise link.refuse(unvouched(self.__name__) if self._judge_shown is None else unvouched_in(self._judge_shown))
        made = 'makes' if link.is_alone() and self._judge_makes else False
        op = {'do': 'method', 'of': self._judge_id, 'name': self.__name__}
        found = link.call(op if self._judge_pinned is None else {'do': 'call', 'of': self._judge_pinned}, args, kwargs, made=made)
        note_decorator(found, args, True, False)
        return found

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        raise self._judge_link.refuse('answered a method where a plain value with %s was expected' % name)


def truth(part):
    """What a library asks of a function is true; a test that asks for the truth of an answer wants a truth value."""
    link = link_of(part)
    if '_judge_expression' in vars(part):
        raise link.refuse('answered a function to a comparison, and the test asks whether it is true')
    if sys._getframe(2).f_code.co_filename.startswith(link.suite) and part._judge_answered:
        raise link.refuse('answered a function or an iterator where a truth value was expected')
    return True


def class_in_test(part):
    """The class of the library that a test is shown in an iterator or a context manager."""
    base = object.__getattribute__(part, '__dict__').get('_judge_base')
    return base if base is not None and is_type_test(link_of(part).suite) else type(part)


class Iterator:
    """A generator or another iterator of the artifact."""

    _judge_answered = True
    #: The name of its class.
    _judge_kind = ''

    @property
    def __class__(self):
        return types.GeneratorType if self._judge_kind == 'generator' else class_in_test(self)

    def __iter__(self):
        return self

    def __next__(self):
        return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__next__'}, (), {})

    def __getattr__(self, name):
        link = link_of(self)
        if name in GENERATING:
            return Method(link, id_of(self), name)
        # It may be one of the library's that does more: a cursor, an open file.
        if name.startswith('_') or not link.is_alone() or not link.is_called(name):
            raise AttributeError(name)
        return read_to_call(link, self, name)

    def __bool__(self):
        return truth(self)

    def __contains__(self, wanted):
        raise link_of(self).refuse('answered an iterator where a collection was expected')


def iterator_of(part):
    """What the `__iter__` of an object answers: an iterator that is the object itself, or another one."""
    found = link_of(part).call({'do': 'method', 'of': id_of(part), 'name': '__iter__'}, (), {}, iterator=True)
    is_iterator = '__next__' in type(found)._judge_special if issubclass(type(found), StandIn) else hasattr(type(found), '__next__')
    if not is_iterator:
        raise TypeError('iter() returned non-iterator of type %r' % type(found).__name__)
    is_itself = found is part or isinstance(found, Iterator) and id_of(found) == id_of(part)
    return part if is_itself and '__next__' in type(part)._judge_special else iter(found)


class AsyncIterator:
    """An asynchronous generator, or another such iterator, of the artifact."""

    #: The name of its class.
    _judge_kind = ''

    @property
    def __class__(self):
        return types.AsyncGeneratorType if self._judge_kind == 'async_generator' else class_in_test(self)

    def __aiter__(self):
        return self

    async def __anext__(self):
        return await link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__anext__'}, (), {})

    def __getattr__(self, name):
        if self._judge_kind != 'async_generator' or name not in GENERATING_LATER:
            raise AttributeError(name)
        return Method(link_of(self), id_of(self), name)


def is_failure(error):
    """True for what a failed test raises: the error of an assertion, or an outcome of pytest's own."""
    # The classes of these say that they are of the language.
    return isinstance(error, AssertionError) or isinstance(error, sys.modules['_pytest.outcomes'].OutcomeException)


def left(link, error, answer):
    """True when a context manager suppresses an error. One that suppresses the failure of a test hides it."""
    if answer is True and error and is_failure(error[1]):
        link.assertion = '%s' % error[1]
    return answer is True


async def left_later(link, args, found):
    return left(link, args, await found)


def read_to_call(link, owner, name):
    """The attribute of an object that the suite calls there, which may be an object with a `__call__`."""
    found = link.value({'do': 'get', 'of': id_of(owner), 'name': name})
    if isinstance(found, StandIn):
        held_in(found)['_judge_reached'] = name
    elif isinstance(found, Method):
        found._judge_reached = name
    return found


class Context:
    """A context manager of the artifact that its library made, as with @contextmanager."""

    __class__ = property(class_in_test)

    def __enter__(self):
        return link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__enter__'}, (), {}, made=True)

    def __exit__(self, *error):
        return left(link_of(self), error, link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__exit__'}, error, {}))

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        # It may be one of the library's that does more: a connection, a lock.
        link = link_of(self)
        return read_to_call(link, self, name) if link.is_called(name) else \
            link.value({'do': 'get', 'of': id_of(self), 'name': name}, inert=True)

    async def __aenter__(self):
        return await link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__aenter__'}, (), {})

    async def __aexit__(self, *error):
        return left(link_of(self), error, await link_of(self).call({'do': 'method', 'of': id_of(self), 'name': '__aexit__'}, error, {}))

    def __call__(self, /, *args, **kwargs):
        return link_of(self).call({'do': 'call', 'of': id_of(self)}, args, kwargs)


class RemoteFuture:
    """A future or a task of the artifact."""

    _judge_answered = True
    __class__ = property(class_in_test)

    def __await__(self):
        return link_of(self).wait(id_of(self)).__await__()

    def __getattr__(self, name):
        if name not in FUTURE_METHODS:
            raise AttributeError(name)
        return Method(link_of(self), id_of(self), name)

    def __bool__(self):
        return truth(self)


def builtin_exception(names, fallback):
    """The nearest builtin exception class that a test may see."""
    for name in names:
        kind = getattr(builtins, name, None) if isinstance(name, str) else None
        if isinstance(kind, type) and (issubclass(kind, Exception) or kind is SystemExit):
            return kind
        if isinstance(kind, type) and issubclass(kind, (KeyboardInterrupt, GeneratorExit)):
            return fallback
    return fallback
