"""Exceptions of the other box, by their numbers there: each stays one object on its way there and back. Standard library only."""
import collections

#: Exceptions that are known by number. Each keeps the frames in which it was raised.
MAX_KNOWN = 1000
#: Causes and arguments of an exception that cross with all that they hold. Of the next one only class and text do.
MAX_CHAIN = 4
DICTIONARY = BaseException.__dict__['__dict__'].__get__


class Known:
    """Exceptions by number, with how they were told; the oldest are forgotten."""

    def __init__(self):
        self.errors, self.numbers = collections.OrderedDict(), {}

    def add(self, number, error, told=None):
        earlier = self.errors.pop(number, None)
        if earlier is not None:
            self.numbers.pop(id(earlier[0]), None)
        self.errors[number], self.numbers[id(error)] = (error, told), number
        if len(self.errors) > MAX_KNOWN:
            _, (oldest, _) = self.errors.popitem(last=False)
            self.numbers.pop(id(oldest), None)

    def get(self, number):
        """The exception of a number and how it was told; `(None, None)` for an unknown one."""
        return self.errors.get(number, (None, None))

    def number_of(self, error):
        return self.numbers.get(id(error))


def attributes_in(error):
    """What an exception holds by public names, and its notes."""
    return [(name, value) for name, value in list(DICTIONARY(error).items())[:50]
            if type(name) is str and name.isidentifier() and (not name.startswith('_') or name == '__notes__')]


def remade(kind, args):
    """An exception of a class that may want other arguments than those which it has."""
    try:
        error = kind(*args) if kind.__module__ == 'builtins' else kind.__new__(kind, *args)
    except Exception:
        error = kind.__new__(kind)
    error.args = tuple(args)
    return error
