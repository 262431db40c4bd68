"""Stand-ins for an artifact while the tests of a suite are only being named. Standard library only."""
import dis
import functools
import sys
import types

from names import EACH


def unpacked_by(frame):
    """How many names a statement gives to the items that it asks for (`LOW, HIGH = Level`); None for any other one."""
    code, at = frame.f_code.co_code, frame.f_lasti
    name, count = dis.opname[code[at]], code[at + 1]
    if name not in ('UNPACK_SEQUENCE', 'UNPACK_EX'):
        return None
    # Of a statement with a starred name, which may stay empty, the instruction before counts the names after it.
    return count + (code[at - 1] if at > 1 and dis.opname[code[at - 2]] == 'EXTENDED_ARG' else 0)


def forward(name):
    def method(self, /, *args, **kwargs):
        return getattr(Stub, name)(Stub(type(self).__name__), *args, **kwargs)
    return method


class Stub:
    """Stands for anything of an artifact. Calling it gives another one, so that files may prepare objects for their tests."""

    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, name):
        if name.startswith('__') or name == 'pytestmark':
            raise AttributeError(name)
        return Stub(name)

    def __call__(self, /, *args, **kwargs):
        return Stub(self.__name__)

    def __iter__(self):
        count = unpacked_by(sys._getframe(1))
        if count is not None:
            return iter([Stub(self.__name__) for _ in range(count)])
        return iter([Each(self.__name__)])

    def __repr__(self):
        return self.__name__

    def __instancecheck__(self, part):
        return isinstance(part, Stub)

    def __subclasscheck__(self, kind):
        return kind is self

    def __or__(self, other):
        return Stub(self.__name__)

    __ror__ = __and__ = __rand__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __or__
    __rshift__ = __rrshift__ = __lshift__ = __rlshift__ = __matmul__ = __rmatmul__ = __getitem__ = __or__

    def __invert__(self):
        return Stub(self.__name__)

    __neg__ = __pos__ = __invert__

    def __mro_entries__(self, bases):
        # One base stands for all, as a class has each only once.
        return (StubBase,) if next(base for base in bases if isinstance(base, Stub)) is self else ()


class Each(Stub):
    """Stands for each item of something: a test is named once for all of them, as their number is not known before."""

    def __init__(self, name):
        self.__name__ = name if name.startswith(EACH) else EACH + name

    def __getattr__(self, name):
        super().__getattr__(name)
        return Each(self.__name__)

    def __call__(self, /, *args, **kwargs):
        return Each(self.__name__)


class StubBase(Exception):
    """Stands for the artifact's classes that a class of the suite is derived from."""

    def __init_subclass__(cls, /, **keywords):
        pass

    def __init__(self, /, *args, **kwargs):
        pass

    def __getattr__(self, name):
        return getattr(Stub(type(self).__name__), name)


#: What an object of such a class does beside that: as anything of the artifact.
for each in ('call', 'iter', 'or', 'ror', 'and', 'rand', 'add', 'radd', 'sub', 'rsub', 'mul', 'rmul', 'truediv', 'rtruediv', 'rshift', 'rrshift',
             'lshift', 'rlshift', 'matmul', 'rmatmul', 'getitem', 'invert', 'neg', 'pos'):
    setattr(StubBase, '__%s__' % each, forward('__%s__' % each))


class StubWarning(Warning):
    """Stands for the artifact's warnings."""


def accept_stubs(pytest):
    """Has files prepare what expects an error of the artifact outside of a test: `EXPECTED = pytest.raises(solution.ParseError)`."""
    def accepting(own, kind):
        def stand(expected):
            parts = expected if type(expected) is tuple else (expected,)
            return tuple(kind if isinstance(part, Stub) else part for part in parts) if any(isinstance(part, Stub) for part in parts) else expected

        @functools.wraps(own)
        def checked(*args, **kwargs):
            return own(*map(stand, args[:1]), *args[1:], **{name: stand(value) if name.startswith('expected_') else value for name, value in kwargs.items()})
        return checked
    pytest.raises, pytest.warns = accepting(pytest.raises, StubBase), accepting(pytest.warns, StubWarning)


class StubModule(types.ModuleType):
    """Stands for a module of an artifact."""

    def __getattr__(self, name):
        if name.startswith('__') or name == 'pytestmark':
            raise AttributeError(name)
        return Stub(name)
