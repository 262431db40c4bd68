"""Exceptions of the other box, by their numbers there: each stays one object on its way there and back. Standard library only."""

from originals import collections

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


def made_by_name(kind, held):
    """An exception of the library that keeps what its constructor takes under the same names; None for any other. `held`: its attributes."""
    function = kind.__init__
    code = getattr(function, '__code__', None) if kind.__module__ not in ('builtins', '_judge') else None
    names = code.co_varnames[1:code.co_argcount] if code is not None and not code.co_flags & 12 and not code.co_kwonlyargcount else ()
    if not names or not set(names) <= set(held):
        return None
    try:
        return kind(**{name: held[name] for name in names})
    except Exception:
        return None


def remade(kind, args, held=()):
    """An exception of a class that may want other arguments than those which it has. `held`: its attributes, as pairs."""
    error = made_by_name(kind, dict(held))
    if error is None:
        try:
            # A class of the library keeps more than public attributes: its constructor puts it there.
            error = kind.__new__(kind, *args) if kind.__module__ == '_judge' else kind(*args)
        except Exception:
            error = kind.__new__(kind)
    error.args = tuple(args)
    return error
