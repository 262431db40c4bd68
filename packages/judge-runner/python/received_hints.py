"""Type hints of a test as the artifact sees them: those of the library, of classes of the test. Standard library only."""
import functools
import operator


def make_hint(origin, arguments):
    """A hint with parameters. `origin`: `|`, a name of the module typing, or a class."""
    if origin == '|':
        return functools.reduce(operator.or_, arguments)
    owner = getattr(__import__('typing'), origin) if isinstance(origin, str) else origin
    return owner[arguments[0] if len(arguments) == 1 else tuple(arguments)]
