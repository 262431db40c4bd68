"""What the artifact prints, warns of and logs, kept for the tester, which repeats it for the test. Standard library only."""
import io
import sys

from codec import Unplain
from executors import is_own_thread
from originals import os, threading
from outlets import attributes_told, last_reached

MAX_ECHO = 1_000_000
MAX_NOTES, MAX_TEXT = 10_000, 100_000
#: What the library does with the error by which a thread ends.
DEFAULT_HOOK = threading.excepthook


def text_of(error):
    try:
        return str(error)
    except BaseException:  # Even this is the artifact's code.
        return ''


class Tap(io.RawIOBase):
    """A stream that is also kept, so that the tester can show it to the test."""

    def __init__(self, descriptor):
        self.descriptor, self.kept, self.size = descriptor, [], 0
        #: What the descriptor leads to once `catch` was called, and to what it led before.
        self.caught = self.shown = None

    def writable(self):
        return True

    def fileno(self):
        return self.descriptor

    def write(self, data):
        count = os.write(self.descriptor, data)
        if self.size < MAX_ECHO:
            self.kept.append(bytes(data[:count]))
            self.size += count
        return count

    def catch(self):
        """Keeps from now on whatever the process and its children write to the descriptor."""
        self.shown = os.dup(self.descriptor)
        path = '/box/caught%d' % self.descriptor
        self.caught = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        os.unlink(path)
        os.dup2(self.caught, self.descriptor)

    def take(self):
        data, self.kept, self.size = b''.join(self.kept), [], 0
        if self.caught is not None:
            data = os.pread(self.caught, MAX_ECHO, 0)
            os.ftruncate(self.caught, 0)
            os.write(self.shown, data)
        return data.decode('utf-8', 'replace')


class Notes:
    """Warnings, log records and threads that ended by an error, which the tester repeats for the test."""

    def __init__(self, tell_own):
        #: Tells a warning or an error whose class is the artifact's own; answers None for any other.
        self.tell_own = tell_own
        self.kept, self.size = [], 0
        #: Stands at the root for handlers of the tester's, without which `logging` finds other places to write to.
        self.handler = None

    def add(self, note, text):
        self.size += len(text)
        self.kept.append([*note, text[:MAX_TEXT]])

    def show_warning(self, message, category, filename, lineno, file=None, line=None):
        self.add(['warning', [str(kind.__name__)[:200] for kind in category.__mro__][:20], self.tell_own(message)], str(message))

    def show_record(self, logger, record):
        error = record.exc_info[1] if record.exc_info else None
        raised = None if error is None else self.told(error)
        level = min(max(int(record.levelno), 0), 1000)
        told = attributes_told(record)
        if is_own_thread():
            told['threadName'] = str(record.threadName)[:200]
        self.add(['log', str(record.name)[:200], level, raised, told, last_reached(logger)], record.getMessage())

    def show_thread(self, ended):
        """Notes a thread that ended by an error, which no test sees as it is."""
        if ended.exc_type is not SystemExit:
            self.add(['thread', str(getattr(ended.thread, 'name', ''))[:200], self.told(ended.exc_value or ended.exc_type())], '')

    def told(self, error):
        return [[str(kind.__name__)[:200] for kind in type(error).__mro__][:20], text_of(error)[:500], self.tell_own(error)]

    def watch(self):
        """Takes over what modules of the library report, as soon as the artifact has imported them."""
        threads = sys.modules.get('threading')
        if getattr(threads, 'excepthook', None) is DEFAULT_HOOK:
            threads.excepthook = self.show_thread
        warnings = sys.modules.get('warnings')
        if warnings is not None and warnings.showwarning != self.show_warning:
            warnings.simplefilter('always')
            warnings.showwarning = self.show_warning
        logging = sys.modules.get('logging')
        if not hasattr(logging, 'Handler'):
            return
        if self.handler is None:
            self.handler = type('Handler', (logging.NullHandler,), {'__module__': __name__})()
            call_handlers = logging.Logger.callHandlers

            def call_all(logger, record):
                # At each logger, wherever its records end: a handler at the root may be removed.
                self.show_record(logger, record)
                return call_handlers(logger, record)
            logging.Logger.callHandlers = call_all
        if type(logging.root.handlers) is list and self.handler not in logging.root.handlers:
            logging.root.addHandler(self.handler)

    def add_to(self, reply):
        """Adds them to what is told. Raises Unplain for more than can be told."""
        kept, size, self.kept, self.size = self.kept, self.size, [], 0
        if len(kept) > MAX_NOTES or size > MAX_ECHO:
            raise Unplain('with more than %d warnings and log records, or more than %d characters in them' % (MAX_NOTES, MAX_ECHO))
        if kept:
            reply['notes'] = kept


class Printed:
    """Everything that the artifact has printed and reported since the last answer."""

    def __init__(self, tell_own):
        self.notes, self.taps = Notes(tell_own), {}
        for name, descriptor in (('stdout', 1), ('stderr', 2)):
            self.taps[name] = Tap(descriptor)
            stream = io.TextIOWrapper(io.BufferedWriter(self.taps[name]), 'utf-8', 'backslashreplace', write_through=True)
            setattr(sys, name, stream)

    def watch(self):
        self.notes.watch()

    def catch(self):
        for tap in self.taps.values():
            tap.catch()

    def add_to(self, reply):
        for name, tap in self.taps.items():
            try:
                getattr(sys, name).flush()
            except BaseException:
                pass
            text = tap.take()
            if text:
                reply['out' if name == 'stdout' else 'err'] = text
        self.notes.add_to(reply)
