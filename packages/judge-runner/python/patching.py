"""Attributes of the artifact that a test replaces for a while, by `monkeypatch` or `unittest.mock`. Standard library only."""
import functools
import sys
import types
import weakref

from naming import caller_of
from remote import Method, RemoteFunction
from stand_in import StandIn

#: What functions of these files do with an attribute of a class: replace it, or undo that.
PATCHING = {'_pytest/monkeypatch.py': {'setattr': 'patch', 'delattr': 'patch', 'undo': 'undo'}, 'unittest/mock.py': {'__enter__': 'patch', '__exit__': 'undo'}}


def way_of_patching():
    """Returns 'patch' or 'undo' where `monkeypatch` or `unittest.mock` sets or deletes an attribute; None where the suite does."""
    code = caller_of(sys._getframe(3)).f_code
    for file, functions in PATCHING.items():
        if code.co_filename.endswith(file):
            return functions.get(code.co_name)
    return None


def signature_for_mocks(function):
    """A signature that fits all calls, for `unittest.mock` alone: the artifact's own is not known."""
    frame = sys._getframe(1)
    while frame is not None and not frame.f_code.co_filename.endswith('unittest/mock.py'):
        frame = frame.f_back if frame.f_code.co_filename.endswith('inspect.py') else None
    if frame is None:
        raise AttributeError('__signature__')
    inspect = sys.modules['inspect']
    return inspect.Signature([inspect.Parameter('args', inspect.Parameter.VAR_POSITIONAL), inspect.Parameter('kwargs', inspect.Parameter.VAR_KEYWORD)])


def bound_as(held):
    """How a class binds what it holds, as a name of `replaced.BINDINGS`, and what that is made of."""
    if isinstance(held, (staticmethod, classmethod)):
        return 'static' if isinstance(held, staticmethod) else 'class', held.__func__
    if isinstance(held, property):
        return 'property', (held.fget, held.fset, held.fdel)
    if type(held) is functools.cached_property:
        return 'cached', (held.func, held.attrname)
    # What the artifact has made binds there as it does; so does a function.
    if isinstance(held, (types.FunctionType, type)) or issubclass(type(held), (StandIn, RemoteFunction, Method)):
        return None, held
    mock = sys.modules.get('unittest.mock')
    if mock is not None and isinstance(held, mock.PropertyMock):
        return 'asked', held
    kind = type(held)
    if kind in (types.MethodType, types.BuiltinFunctionType, functools.partial) or not hasattr(kind, '__get__'):
        return 'static' if callable(held) else None, held
    methods = (getattr(kind, name, None) for name in ('__get__', '__set__', '__delete__'))
    return 'described', tuple(method and types.MethodType(method, held) for method in methods)


def is_specified(held):
    """True for a function that `patch` has made of what the class holds, by `autospec`."""
    frame = caller_of(sys._getframe(3))
    return type(held) is types.FunctionType and frame.f_code.co_filename.endswith('unittest/mock.py') and bool(frame.f_locals.get('autospec'))


#: Methods by which a class makes objects.
MAKING = frozenset(('__init__', '__new__', '__post_init__', '__setattr__'))


class Patching:
    """The part of a link that replaces attributes of the artifact."""

    def begin_patching(self):
        #: Methods that the test has read and still holds, by name.
        self.read_methods = {}
        #: Names of attributes that the test has replaced, by the number of their class.
        self.replaced_parts = {}
        #: The `__init__` of classes of which the test has replaced it, by the number of the class.
        self.initializers = {}

    def note_method(self, method):
        self.read_methods.setdefault(method.__name__, weakref.WeakSet()).add(method)

    def pin_methods(self, name, number=None):
        """Has methods that the test holds stay what they are, where it replaces the attribute. `number`: of the object; None for a class."""
        for method in list(self.read_methods.get(name, ())):
            if method._judge_pinned is None and number in (None, method._judge_id):
                pinned = self.looked(lambda: self.ask({'do': 'pin', 'of': method._judge_id, 'name': name})['value'])
                if type(pinned) is int:
                    method._judge_pinned = pinned

    def note_replaced(self, kind, name, is_undone):
        names = self.replaced_parts.setdefault(kind._judge_id, [])
        if not is_undone:
            names.append(name)
        elif name in names:
            names.remove(name)

    def is_made_otherwise(self, kind):
        """True while the test replaces what makes objects of a class, or one of the fields that its description names."""
        replaced = {name for each in kind.__mro__ for name in self.replaced_parts.get(vars(each).get('_judge_id'), ())}
        if not replaced:
            return False
        making, fields = kind._judge_making, (kind._judge_value or {'fields': ()})['fields']
        told = () if making is None else (*(name for _, name, _ in making.parameters or ()), *making.constants)
        return not replaced.isdisjoint((*MAKING, *fields, *told))

    def set_in_class(self, kind, name, value):
        self.pin_methods(name)
        way = way_of_patching()
        if name == '__init__':
            if kind._judge_id not in self.initializers:
                self.initializers[kind._judge_id] = self.value({'do': 'get', 'of': kind._judge_id, 'name': name})
            # A mock answers whatever it is asked, and counts that.
            if type(value) is types.FunctionType and vars(value).get('_judge_initializes') == kind._judge_id:
                return self.put_initializer_back(kind, way)
        binding, held = bound_as(value)
        op = {'do': 'set', 'of': kind._judge_id, 'name': name, 'value': self.leave(held), 'binding': binding}
        if way == 'patch':
            # What the class holds, as a static method, is known there alone.
            op.update(patched=True, specified=is_specified(value))
        self.value(op)
        self.note_replaced(kind, name, False)

    def put_initializer_back(self, kind, way):
        """Gives a class its own `__init__` again."""
        op = {'do': 'restore', 'of': kind._judge_id, 'name': '__init__'}
        if way is None:
            op.update(do='set', value=self.leave(self.initializers[kind._judge_id]), binding=None)
        self.value(op)
        self.note_replaced(kind, '__init__', True)

    def delete_in_class(self, kind, name):
        self.pin_methods(name)
        way, op = way_of_patching(), {'do': 'delete', 'of': kind._judge_id, 'name': name}
        if way is not None:
            op.update({'patched': True} if way == 'patch' else {'do': 'restore'})
        self.value(op)
        self.note_replaced(kind, name, way != 'patch')

    @staticmethod
    def prepare_mocks():
        """Has `unittest.mock` take functions of the artifact for functions."""
        mock = sys.modules.get('unittest.mock')
        if mock is not None and RemoteFunction not in mock.FunctionTypes:
            mock.FunctionTypes = (*mock.FunctionTypes, RemoteFunction)
            RemoteFunction.__signature__ = property(signature_for_mocks)
