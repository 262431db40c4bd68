"""How classes of the artifact make objects of what they are given: told with the class, before any test has made one.
Standard library only."""
import inspect
import sys
import types

from library_methods import is_written_by_library
from originals import collections
from standard import LASTING

CONSTANTS = (type(None), bool, int, float, complex, str, bytes)
FACTORIES = (list, dict, set, tuple, frozenset, str, int, float, bool, bytes)
#: The codes of functions that make an empty container.
EMPTY = tuple(each.__code__.co_code for each in (lambda: [], lambda: {}))
KINDS = {inspect.Parameter.POSITIONAL_ONLY: 'only', inspect.Parameter.POSITIONAL_OR_KEYWORD: 'both', inspect.Parameter.VAR_POSITIONAL: 'args',
         inspect.Parameter.KEYWORD_ONLY: 'named', inspect.Parameter.VAR_KEYWORD: 'kwargs'}


def is_factory(function):
    """True for a function that makes another empty container, or the same value, each time."""
    if type(function) is types.FunctionType:
        return function.__code__.co_code in EMPTY
    return any(function is each for each in FACTORIES)


def is_constant(value):
    return type(value) in CONSTANTS or type(value) in (tuple, frozenset) and all(map(is_constant, value))


def told_constant(value, tell):
    """A value that never changes, as it leaves; None for any other."""
    enum = sys.modules.get('enum')
    if is_constant(value) or enum is not None and isinstance(value, enum.Enum):
        return [tell(value)]
    told = tell(value)
    return [told] if type(told) is dict and '$std' in told and told['$std'][0] in LASTING else None


def parameters_of(function):
    """The parameters of a function without the first, as `[kind, name, has a default]`; None where it tells none."""
    try:
        found = list(inspect.signature(function).parameters.values())[1:]
    except (TypeError, ValueError):
        return None
    return [[KINDS[each.kind], str(each.name), each.default is not each.empty] for each in found]


def constants_of(kind, tell):
    """The fields of a data class that are not given with their values, as pairs; and whether those are all."""
    missing = sys.modules['dataclasses'].MISSING
    found, complete = [], True
    for field in kind.__dataclass_fields__.values():
        told = None
        if field._field_type.name == '_FIELD_INITVAR':
            complete = False
        if field._field_type.name != '_FIELD':
            continue
        if field.default is not missing:
            told = told_constant(field.default, tell)
        elif is_factory(field.default_factory):
            told = [tell(field.default_factory())]
        elif field.init and field.default_factory is missing:
            continue
        if told is None:
            complete = False
        else:
            found.append([str(field.name), told[0]])
    return found, complete


def keeps_only(kind, names):
    """True for a data class whose objects hold what they are given, and do nothing else."""
    if not is_written_by_library(kind, '__init__') or hasattr(kind, '__post_init__') or kind.__new__ is not object.__new__:
        return False
    if type(kind).__call__ is not type.__call__ or kind.__getattribute__ is not object.__getattribute__:
        return False
    if kind.__setattr__ is not object.__setattr__ and not is_written_by_library(kind, '__setattr__'):
        return False
    held = [inspect.getattr_static(kind, name, None) for name in names]
    return not any(hasattr(type(each), '__set__') and not isinstance(each, types.MemberDescriptorType) for each in held)


def making_of(kind, told, base, tell):
    """How objects are made: parameters, values of fields that are not given, and whether making one does nothing else; of a
    container, the type of the language that makes it. None where the class says nothing."""
    try:
        if told.get('value'):
            constants, complete = constants_of(kind, tell)
            names = list(kind.__dataclass_fields__)
            return {'parameters': parameters_of(kind.__init__), 'constants': constants, 'simple': complete and keeps_only(kind, names),
                    'settable': kind.__setattr__ is object.__setattr__}
        if 'named' in told:
            constants = [[str(name), told_constant(value, tell)] for name, value in kind._field_defaults.items()]
            simple = is_written_by_library(kind, '__new__') and kind.__init__ is object.__init__ and type(kind).__call__ is type.__call__
            return {'parameters': parameters_of(kind.__new__), 'simple': simple and all(value for _, value in constants), 'settable': False,
                    'constants': [[name, value[0]] for name, value in constants if value]}
        if base is not None:
            root = next(each for each in kind.__mro__ if each is base or each.__module__ == collections.__name__)
            simple = kind.__init__ is root.__init__ and kind.__new__ is root.__new__ and type(kind).__call__ is type.__call__
            return {'base': base.__name__, 'simple': simple and root is not collections.UserDict}
    except Exception:
        pass  # Odd classes say nothing.
    return None
