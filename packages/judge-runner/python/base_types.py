"""Types of the language and the library from which classes of the artifact are derived, as `isinstance()` sees them in a test. Standard
library only.

`isinstance(answer, str)` asks an object that is no str for its `__class__`. Only a test is told of the base: pytest, the library and this
package would use the object as they use a real str.
"""
import collections
import opcode
import sys
import types
from collections import abc

from standard import MAX_BASES, STANDARD

#: Types of the language that a class can be derived from and that hold a value. A claim to be a bool or a type is none.
VALUES = {kind.__name__: kind for kind in (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset)}
#: What stands for several bases.
SEVERAL = {}
#: Functions that call isinstance() for a test.
CALLERS = ('__instancecheck__', 'assertIsInstance', 'assertNotIsInstance')
#: Instructions of a test that reads `__class__` itself.
READING = frozenset(opcode.opmap[name] for name in ('LOAD_ATTR', 'LOAD_METHOD') if name in opcode.opmap)


def library_type(module, path):
    """A class of the library that this box has imported; None for any other. No test compares with what nothing has imported."""
    if module == 'builtins':
        return VALUES.get(path)
    found = sys.modules.get(module) if module.partition('.')[0] in STANDARD else None
    for name in path.split('.'):
        found = getattr(found, name, None)
    return found if isinstance(found, type) and not issubclass(found, (type, BaseException)) else None


def base_of_library(told):
    """The class of the library that isinstance() sees in an object of the artifact, of `[module, qualified name]` of each of its bases there;
    None for none."""
    pairs = [each for each in told if type(each) is list and list(map(type, each)) == [str, str]] if type(told) is list else []
    found = [each for each in (library_type(*pair) for pair in pairs[:MAX_BASES]) if each is not None]
    if len(found) < 2:
        return found[0] if found else None
    if tuple(found) not in SEVERAL:
        try:
            SEVERAL[tuple(found)] = types.new_class('Several', tuple(found))
        except Exception:
            SEVERAL[tuple(found)] = found[0]
    return SEVERAL[tuple(found)]


def is_type_test(suite, depth=2):
    """True where a property is read for isinstance() in a test; `depth`: the number of frames between."""
    frame = sys._getframe(depth)
    while frame.f_code.co_name in CALLERS and frame.f_back is not None:
        frame = frame.f_back
    code = frame.f_code
    return code.co_filename.startswith(suite) and code.co_code[frame.f_lasti] not in READING


def shown_class(base, suite):
    """A property `__class__` that shows a base to isinstance() in a test, and the class itself to all else."""
    return property(lambda part: base if is_type_test(suite) else type(part))


def shown_given(kind, suite):
    """The same for a class of the test that the artifact has changed: isinstance() sees the class that the test has written, with its
    bases, and so does super() in its methods."""
    return property(lambda part: kind if '__class__' in sys._getframe(1).f_code.co_freevars or is_type_test(suite) else type(part))


def compares_content(kind):
    """True for a class of the library whose objects equal values of the language that hold the same."""
    return kind is not None and issubclass(kind, (collections.UserList, collections.UserString, abc.Mapping, abc.Set))
