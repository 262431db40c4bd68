"""Exceptions of a test in the artifact's box: real ones, of classes with the test's names, which can be raised, caught and kept. Standard
library only."""
import types

from known_errors import Known, attributes_in, remade


class TestErrors(type):
    """The class of classes of exceptions that a test defines. What the artifact makes of one is made in the tester's box."""

    def __call__(cls, /, *args, **kwargs):
        return cls._judge_make(args, kwargs) if '_judge_make' in vars(cls) else type.__call__(cls, *args, **kwargs)

    def __getattr__(cls, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return cls._judge_read(name)


class ReceivedErrors:
    """Exceptions of the test by their numbers. `table`: objects of the artifact; `receiving`: the one that asks the test."""

    def __init__(self, table, receiving):
        self.table, self.receiving = table, receiving
        #: Exceptions of the test, and those of the artifact that are no objects of its own classes.
        self.theirs, self.own = Known(), Known()

    def number_of_own(self, error):
        number = self.own.number_of(error)
        if number is None:
            number = next(self.table.counted)
            self.own.add(number, error)
        return number

    def enter(self, number, own, kind, args, held, cause):
        """An exception that the test gives or raises; `own`: its number where it is one of the artifact's."""
        error = self.own.get(own)[0]
        if error is not None:
            return error
        error = self.theirs.get(number)[0]
        if error is None:
            error = remade(kind, args or (), held)
        elif args is not None:
            error.args = tuple(args)
        for name, value in held:
            try:
                setattr(error, name, value)
            except Exception:
                pass  # A name that its class has for something else.
        if cause is not None and error.__cause__ is None:
            error.__cause__ = cause
        self.theirs.add(number, error, (self.held_in(error), error.__cause__))
        return error

    def held_in(self, error):
        return {name: self.receiving.tell(value) for name, value in attributes_in(error)}

    def changes_of(self, error):
        """What the artifact has changed in an exception of the test: its attributes, and its cause or None."""
        before, cause = self.theirs.get(self.theirs.number_of(error))[1]
        held = [[name, told] for name, told in self.held_in(error).items()
                if (name not in before or before[name] != told) and not isinstance(vars(error).get(name), types.FunctionType)]
        return held, None if error.__cause__ is cause else error.__cause__

    def make_class(self, number, name, bases, texts):
        """A class of exceptions of the test; `texts`: the methods by which it says itself how it is written."""
        def ask(error, do, name):
            own = self.theirs.number_of(error)
            if own is None:
                raise AttributeError(name)
            return self.receiving.ask_local(own, do, name, (), {})

        def read(error, name):
            if name.startswith('_'):
                raise AttributeError(name)
            return ask(error, 'get', name)

        def written(do):
            def text(error):
                found = ask(error, do, '')
                # Of an exception of an earlier test nothing is told any more.
                return found if isinstance(found, str) else getattr(BaseException, '__%s__' % do)(error)
            return text
        space = {'__module__': '_judge', '__getattr__': read,
                 '_judge_make': staticmethod(lambda args, kwargs: self.receiving.call_back({'callback': number}, args, kwargs)),
                 '_judge_read': staticmethod(lambda name: self.receiving.ask_local(number, 'get', name, (), {}))}
        for each, do in (('__str__', 'str'), ('__repr__', 'repr')):
            if each in texts:
                space[each] = written(do)
        try:
            return TestErrors(name, tuple(bases), space)
        except TypeError:
            # Classes of which one class cannot be derived.
            return TestErrors(name, (Exception,), space)
