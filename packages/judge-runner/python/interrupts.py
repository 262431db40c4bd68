"""Handlers of signals that an artifact or a test installs: what they raise reaches its own code, and never what serves it. Standard library only."""
import _signal

from originals import contextlib, is_main_thread


class Handler:
    """A handler of a signal, which is called in the main thread between any two of its steps."""

    def __init__(self, interrupts, handler):
        self.interrupts, self.handler = interrupts, handler

    def __call__(self, number, frame):
        try:
            return self.handler(number, frame)
        except BaseException as error:
            if self.interrupts.is_inside:
                raise
            self.interrupts.raised = error


class Interrupts:
    """Takes the place of `signal.signal()` and `signal.getsignal()`, which answer the own handlers."""

    def __init__(self, is_inside=False):
        #: True while code of the artifact, or of the test, runs in the main thread; what a handler has raised meanwhile.
        self.is_inside, self.raised = is_inside, None
        set_handler, get_handler = _signal.signal, _signal.getsignal

        def own(found):
            return found.handler if type(found) is Handler else found
        # The module `signal` looks them up there whenever it is called.
        _signal.signal = lambda number, handler: own(set_handler(number, Handler(self, handler) if callable(handler) else handler))
        _signal.getsignal = lambda number: own(get_handler(number))
        # Of Ctrl+C, which threads may ask for as well.
        _signal.signal(_signal.SIGINT, get_handler(_signal.SIGINT))

    @contextlib.contextmanager
    def inside(self):
        """Lets handlers raise errors, as own code runs."""
        if not is_main_thread():
            yield
            return
        outer, self.is_inside = self.is_inside, True
        try:
            yield
        finally:
            self.is_inside = outer

    @contextlib.contextmanager
    def outside(self):
        """Keeps errors of handlers while own code waits for the other side, and raises the last one afterwards."""
        if not self.is_inside or not is_main_thread():
            yield
            return
        self.is_inside, self.raised = False, None
        try:
            yield
        finally:
            self.is_inside = True
        error, self.raised = self.raised, None
        if error is not None:
            raise error
