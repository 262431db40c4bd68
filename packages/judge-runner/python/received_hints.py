"""Type hints of a test as the artifact sees them: those of the library, of classes of the test. Standard library only."""
import functools
import operator
import sys
import types


def make_hint(origin, arguments):
    """A hint with parameters. `origin`: `|`, a name of the module typing, or a class."""
    if origin == '|':
        return functools.reduce(operator.or_, arguments)
    owner = getattr(__import__('typing'), origin) if isinstance(origin, str) else origin
    return owner[arguments[0] if len(arguments) == 1 else tuple(arguments)]


def put_names(name, named):
    """Puts what the annotations of a class of the test name where the library looks for it: in the module of the class. It holds nothing else,
    and never takes the place of another one."""
    if named:
        module = sys.modules.setdefault(name, types.ModuleType(name))
        if module.__dict__.setdefault('_judge_named', module.__spec__ is None) is True:
            module.__dict__.update(named)
