"""Tells methods that the library has written for a class, as `@dataclass` and `namedtuple()` do, from those of the program. Standard library only.

That a method is made of a text says nothing: a program may make one as well. What the library writes for the same fields has the same code.
"""
import copy
import sys
import types

from originals import collections, held

copy = held(copy)
#: What two functions that do the same have in common.
PARTS = ('co_code', 'co_consts', 'co_names', 'co_varnames', 'co_freevars', 'co_cellvars', 'co_argcount', 'co_posonlyargcount', 'co_kwonlyargcount', 'co_flags')
#: Most fields of a class whose methods are looked at: the library takes long to write those of many.
MAX_FIELDS = 500
#: Classes with the same fields, which the library has written, by classes of the artifact.
TWINS = {}


def is_written_by_library(kind, name):
    """True for a method of a class that `@dataclass` or `namedtuple()` wrote."""
    home = next((base for base in kind.__mro__ if name in vars(base)), object)
    function = function_of(home, name)
    if function is None or not function.__code__.co_filename.startswith('<'):
        return False
    if home not in TWINS:
        try:
            TWINS[home] = twin_of(home)
        except Exception:
            TWINS[home] = object  # The fields of an artifact's class may be anything.
    other = function_of(TWINS[home], name)
    return other is not None and does_same(function, other, isinstance(vars(home).get('_fields'), tuple))


def function_of(kind, name):
    found = vars(kind).get(name)
    found = getattr(found, '__func__', found)
    return found if type(found) is types.FunctionType else None


def twin_of(kind):
    is_named = isinstance(vars(kind).get('_fields'), tuple)
    if len(kind._fields if is_named else kind.__dataclass_fields__) > MAX_FIELDS:
        return object
    if is_named:
        return collections.namedtuple('Twin', kind._fields, rename=True)
    dataclasses = sys.modules['dataclasses']
    kept = {name: field for name, field in kind.__dataclass_fields__.items() if field._field_type.name != '_FIELD_CLASSVAR'}
    body = {name: copy.copy(field) for name, field in kept.items()}
    body['__annotations__'] = {name: object if field._field_type.name == '_FIELD' else dataclasses.InitVar for name, field in kept.items()}
    # The code of a constructor calls one that is there.
    body.update({'__post_init__': None} if hasattr(kind, '__post_init__') else {}, __doc__='')
    return dataclasses.dataclass(order=True, unsafe_hash=True, frozen=kind.__dataclass_params__.frozen)(type('Twin', (), body))


def does_same(one, other, is_named):
    """True for two functions of the same code that find the same under the names in it. Those of named tuples may have got other defaults."""
    if any(getattr(one.__code__, part) != getattr(other.__code__, part) for part in PARTS):
        return False
    if is_named:
        return one.__globals__.get('_tuple_new') is tuple.__new__
    mine, others = held_by(one), held_by(other)
    return len(mine) == len(others) and all(name == others[at][0] and (value is others[at][1] or name == 'cls') for at, (name, value) in enumerate(mine))


def held_by(function):
    """What a function holds beside its code, with names."""
    cells = [each.cell_contents for each in function.__closure__ or ()]
    named = sorted((function.__kwdefaults__ or {}).items())
    return [*zip(function.__code__.co_freevars, cells), *(('', each) for each in function.__defaults__ or ()), *named]
