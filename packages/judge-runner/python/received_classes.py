"""Classes of a test as the artifact sees them: real ones, whose methods run in the tester's box. Standard library only."""
import sys

from parts import mark_abstract
from received_attributes import dictionary_of, is_asked, is_of_descriptor, local_in, put_in, put_plain, read, remove, write
from standard import STANDARD, is_root, root_of

#: What is known of a class of the test, by its id. The classes are kept for good.
ORIGINS = {}
#: Classes of such classes that are of a class of the library as well, by those.
METAS = {}
#: Values that a test may see as attributes of its class: nothing in them can change unseen.
LASTING = (type(None), bool, int, float, complex, str, bytes)


class Origin:
    """Where a class comes from. `ask(number, do, name, args, kwargs)` asks the test something about it."""

    def __init__(self, kind, number, ask, make, adopt, forget):
        self.kind, self.number, self.ask, self.make, self.adopt, self.forget = kind, number, ask, make, adopt, forget
        #: True once the artifact has made another class of it than the test's.
        self.is_changed = False
        #: Names in its body of which the objects there have been told, until the test's own class statement tells them.
        self.named = set()
        #: Descriptors of the artifact in its body, by name.
        self.held = {}

    def change(self):
        if not self.is_changed:
            self.is_changed = True
            self.forget(self.kind)

    def put(self, name, value):
        """Tells the test of a new attribute of its class. What the test cannot see makes it another class."""
        if self.is_changed:
            return
        if type(value) not in LASTING or self.ask(self.number, 'put', name, (value,), {}) is not True:
            self.change()


class Signature:
    """What `inspect` tells of a class of the test: the parameters of its `__init__`, as `__call__` takes any."""

    def __get__(self, cls, meta=None):
        if cls is None or cls.__new__ is not object.__new__:
            raise AttributeError('__signature__')
        inspect = sys.modules['inspect']
        if cls.__init__ is object.__init__:
            return inspect.Signature()
        found = inspect.signature(cls.__init__)
        return found.replace(parameters=list(found.parameters.values())[1:])


class GivenClass(type):
    """The class of classes of the test. One that the artifact has not changed makes its objects where the test has it."""

    __signature__ = Signature()

    def __call__(cls, /, *args, **kwargs):
        origin = ORIGINS.get(id(cls))
        if origin is None or origin.is_changed:
            return super().__call__(*args, **kwargs)
        return origin.make(args, kwargs)

    def __setattr__(cls, name, value):
        super().__setattr__(name, value)
        if id(cls) in ORIGINS:
            ORIGINS[id(cls)].put(name, value)

    def __delattr__(cls, name):
        super().__delattr__(name)
        if id(cls) in ORIGINS:
            ORIGINS[id(cls)].change()


def local_number(part):
    """The number of an object of the test of such a class; None for any other.

    One that the artifact has made without calling the class (`cls.__new__(cls)`) becomes one of the test's.
    """
    if not isinstance(type(part), GivenClass) or root_of(type(part)) is not None:
        return None
    origin = ORIGINS.get(id(type(part)))
    if local_in(part) is not None:
        put_plain(part)
    elif origin is not None and not origin.is_changed:
        held = object.__getattribute__(part, '__dict__')
        state = [(name, held.pop(name)) for name in list(held)]
        held['_judge_local'] = origin.adopt(part)
        origin.ask(local_in(part)[0], 'fill', '', (state,), {})
        put_in(part).update(state)
    return local_in(part) and local_in(part)[0]


class Held:
    """The base of such classes: an object that the test has made is asked for its attributes where it is."""

    __slots__ = ()

    def __getattribute__(self, name):
        if local_in(self) is None or not is_asked(self, name) and not is_of_descriptor(self, name):
            return object.__getattribute__(self, name)
        if name == '__dict__':
            return dictionary_of(self)
        put_plain(self)
        try:
            return with_marks(read(self, name), vars(type(self)).get(name))
        except AttributeError:
            # The artifact may have given its class one.
            return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        if local_in(self) is None or name.startswith('__'):
            return object.__setattr__(self, name, value)
        if not name.startswith('_'):
            return write(self, 'set', name, value)
        try:
            return write(self, 'set', name, value)
        except AttributeError:
            # What the test has put there stays its own, and is another one here.
            return object.__setattr__(self, name, value)

    def __delattr__(self, name):
        if local_in(self) is None or name == '__dict__' or not is_asked(self, name) and not is_of_descriptor(self, name):
            return object.__delattr__(self, name)
        remove(self, 'delete', name)

    def __str__(self):
        local = local_in(self)
        return object.__str__(self) if local is None else local[1](local[0], 'str', '', (), {})

    def __repr__(self):
        local = local_in(self)
        return object.__repr__(self) if local is None else local[1](local[0], 'repr', '', (), {})

    def __copy__(self):
        return copied(self, 'copy')

    def __deepcopy__(self, memo):
        return copied(self, 'deepcopy')


def with_marks(found, function):
    """A method of an object of the test, with what a decorator of the artifact has put on the function in its class."""
    own = getattr(found, '__func__', found)
    if isinstance(function, type(with_marks)) and isinstance(own, type(with_marks)) and own.__name__ == function.__name__:
        for name, value in vars(function).items():
            own.__dict__.setdefault(name, value)
    return found


def copied(part, do):
    local = local_in(part)
    if local is not None:
        return local[1](local[0], do, '', (), {})
    copy = sys.modules.get('copy') or __import__('copy')
    made = object.__new__(type(part))
    held = {name: copy.deepcopy(value) if do == 'deepcopy' else value for name, value in part.__dict__.items()}
    object.__getattribute__(made, '__dict__').update(held)
    return made


def empty_class(name, qualname, module, doc, bases, of_meta=()):
    """A class of the test without its body; `of_meta`: methods of its own class, by name."""
    # A protocol has protocols as its bases only, and no objects of its own.
    is_protocol = getattr(sys.modules.get('typing'), 'Protocol', Held) in bases
    is_held = any(issubclass(base, Held) for base in bases)
    own = tuple(bases) if is_protocol or is_held or any(map(is_of_values, bases)) else (Held, *bases) if any(map(is_of_library, bases)) else (*bases, Held)
    meta = meta_of(bases)
    if of_meta:
        meta = type('GivenClass', (meta,), dict(of_meta))
    return meta(name, own, {'__module__': module, '__qualname__': qualname, '__doc__': doc})


def is_of_values(kind):
    """True for a class whose objects are values of the library, or derived from such."""
    return root_of(kind) is not None or is_root(kind)


def is_of_library(kind):
    return not isinstance(kind, GivenClass) and kind is not object and kind.__module__.partition('.')[0] in STANDARD and \
        kind.__module__ not in ('typing', 'abc', 'collections.abc')


def meta_of(bases):
    """The class of a class with these bases: one for all that are of the same classes."""
    metas = {GivenClass, *map(type, bases)}
    nearest = tuple(sorted((each for each in metas if not any(other is not each and issubclass(other, each) for other in metas)),
                           key=lambda each: not issubclass(each, GivenClass)))
    if not issubclass(nearest[0], GivenClass):
        nearest = (GivenClass, *nearest)
    if len(nearest) == 1:
        return nearest[0]
    if nearest not in METAS:
        METAS[nearest] = type('GivenClass', nearest, {})
    return METAS[nearest]


def complete(kind, abstract, is_runtime):
    """Has the library know a class again that was empty when it was made: which methods are abstract, and what a protocol consists of."""
    for name in abstract:
        part = vars(kind).get(name)
        if part is not None:
            mark_abstract(part)
    if '__abstractmethods__' in vars(kind):
        type.__setattr__(kind, '__abstractmethods__', frozenset(abstract))
    if '__protocol_attrs__' in vars(kind):
        type.__setattr__(kind, '__protocol_attrs__', sys.modules['typing']._get_protocol_attrs(kind))
    if is_runtime:
        origin = ORIGINS.pop(id(kind))
        __import__('typing').runtime_checkable(kind)
        ORIGINS[id(kind)] = origin


def data_fields(told, annotations):
    """What @dataclass keeps in a class of the test."""
    dataclasses = __import__('dataclasses')
    fields, params = told
    made = []
    for name, init, shown, compared, has_default, factory, metadata in fields:
        default = {} if not has_default and factory is None else {'default': None} if factory is None else {'default_factory': factory}
        made.append((name, annotations.get(name, object), dataclasses.field(init=init, repr=shown, compare=compared, metadata=metadata, **default)))
    # Without methods: those of the test are the class's.
    shape = dataclasses.make_dataclass('Shape', made, init=False, repr=False, eq=False)
    for name, value in params:
        setattr(shape.__dataclass_params__, name, value)
    return {name: getattr(shape, name) for name in ('__dataclass_fields__', '__dataclass_params__', '__match_args__') if hasattr(shape, name)}


def fill(kind, body):
    """Gives a class its body: attributes by name, as the body of a class statement would."""
    for name, value in body.items():
        type.__setattr__(kind, name, value)
    fields = vars(kind).get('__dataclass_fields__', {})
    for name, value in body.items():
        if name in fields and type(value) is not property:
            fields[name].default = value
        if id(kind) in ORIGINS and hasattr(type(value), '__get__') and type(value).__module__ != 'builtins':
            ORIGINS[id(kind)].held[name] = value
        named = getattr(type(value), '__set_name__', None)
        if named is not None:
            named(value, kind, name)
            if id(kind) in ORIGINS:
                ORIGINS[id(kind)].named.add(name)


def is_named_already(args):
    """True for what the `__set_name__` of an object in the body of a class is given where the object was told the same when the class arrived."""
    origin = ORIGINS.get(id(args[0])) if len(args) == 2 else None
    found = origin is not None and args[1] in origin.named
    if found:
        origin.named.remove(args[1])
    return found


def is_replaced(part, args):
    """True for a descriptor in whose place the artifact has put something else in a class of the test, which still has the descriptor."""
    kinds = [each if isinstance(each, type) else type(each) for each in args]
    origins = [ORIGINS[id(base)] for kind in kinds if isinstance(kind, GivenClass) for base in kind.__mro__ if id(base) in ORIGINS]
    return any(held is part and vars(each.kind).get(name) is not part for each in origins for name, held in each.held.items())


def blank(kind):
    """An object of a class, without a call of it."""
    try:
        return object.__new__(kind)
    except TypeError:
        # One whose base is written in C makes it itself.
        return next(base for base in kind.__mro__ if not isinstance(base, GivenClass) and base is not Held).__new__(kind)


def local_object(kind, number, ask, named):
    """An object of the test, of one of its classes."""
    made = blank(kind)
    held = object.__getattribute__(made, '__dict__')
    held['_judge_local'] = number, ask
    held.update(named)
    return made
