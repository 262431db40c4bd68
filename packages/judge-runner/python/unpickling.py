"""Has pickle make only data, and objects of classes that a suite knows, once an artifact may have written what is read. Standard library only.

An audit hook is told the names in a pickle alone: what it does with a class that it may name, and with `getattr`, is decided here.
"""
import io
import sys
import types

#: What holds the same for everybody: attributes that a pickle sets on one would change what tests compare.
COMMON = type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType


def part_of(owner, name):
    """A class within a class, or a member of an enumeration, as pickle has both by `getattr`. None for anything else."""
    found = getattr(owner, name, None) if isinstance(owner, type) else None
    members = getattr(owner, '__members__', {})
    is_within = isinstance(found, type) and found.__qualname__ == '%s.%s' % (owner.__qualname__, name)
    return found if is_within or isinstance(members, types.MappingProxyType) and name in members else None


def makes_class(called, args):
    """True for a class of classes, and for an enumeration that is given names of members."""
    return isinstance(called, type) and (issubclass(called, type) or hasattr(called, '__members__') and len(args) != 1)


def restrict(is_restricted, refuse):
    """Returns what replaces the functions of pickle as soon as it is imported.

    `is_restricted` is true once pickles may be of an artifact, `refuse` fails the running test.
    """
    def part(owner, name):
        found = part_of(owner, name)
        if found is None:
            raise refuse('the test runs by pickle what the artifact may have written (getattr)')
        return found

    def calm(pickle):
        class Unpickler(pickle._Unpickler):
            dispatch = dict(pickle._Unpickler.dispatch)

            def find_class(self, module, name):
                if name == 'getattr' and module in ('builtins', '__builtin__') and is_restricted():
                    return part
                return super().find_class(module, name)

            def load_build(self):
                if is_restricted() and isinstance(self.stack[-2], COMMON):
                    raise refuse('the test runs by pickle what the artifact may have written (attributes of a class)')
                super().load_build()
            dispatch[pickle.BUILD[0]] = load_build

            def load_reduce(self):
                called, args = self.stack[-2:]
                if is_restricted() and makes_class(called, args):
                    raise refuse('the test runs by pickle what the artifact may have written (a class)')
                super().load_reduce()
            dispatch[pickle.REDUCE[0]] = load_reduce

        def load(file, /, **options):
            return Unpickler(file, **options).load()

        def loads(data, /, **options):
            if isinstance(data, str):
                raise TypeError("a bytes-like object is required, not 'str'")
            return Unpickler(io.BytesIO(data), **options).load()
        for made in (Unpickler, load, loads):
            made.__module__, made.__qualname__ = pickle.__name__, made.__name__
        pickle.Unpickler, pickle.load, pickle.loads = Unpickler, load, loads
    return calm


def is_of_pickle(frame):
    """True for a function that reads a pickle."""
    return frame.f_globals.get('__name__') == 'pickle' or frame.f_code.co_filename == __file__


def reader_of(frame):
    """The frame that has a pickle read."""
    while frame is not None and is_of_pickle(frame):
        frame = frame.f_back
    return frame or sys._getframe(1)
