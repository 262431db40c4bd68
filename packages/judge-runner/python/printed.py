"""What the artifact prints, warns of and logs, kept for the tester, which repeats it for the test. Standard library only."""
import io
import os
import sys

from outlets import plain_attributes

MAX_ECHO = 1_000_000
MAX_NOTES = 1000
#: Attributes of a log record that say where it was made.
WHERE = 'funcName', 'module', 'lineno'


class Tap(io.RawIOBase):
    """A stream that is also kept, so that the tester can show it to the test."""

    def __init__(self, descriptor):
        self.descriptor, self.kept, self.size = descriptor, [], 0

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

    def take(self):
        data, self.kept, self.size = b''.join(self.kept), [], 0
        return data.decode('utf-8', 'replace')


class Notes:
    """Warnings and log records of a call, which the tester repeats for the test."""

    def __init__(self):
        self.kept = []
        self.logging = False

    def add(self, note):
        if len(self.kept) < MAX_NOTES:
            self.kept.append(note)

    def show_warning(self, message, category, filename, lineno, file=None, line=None):
        self.add(['warning', [str(kind.__name__)[:200] for kind in category.__mro__][:20], str(message)[:2000]])

    def watch(self):
        """Takes over what modules of the library report, as soon as the artifact has imported them."""
        warnings = sys.modules.get('warnings')
        if warnings is not None and warnings.showwarning != self.show_warning:
            warnings.simplefilter('always')
            warnings.showwarning = self.show_warning
        logging = sys.modules.get('logging')
        if logging is not None and not self.logging and hasattr(logging, 'Handler'):
            self.logging = True
            notes = self

            class Handler(logging.Handler):
                def emit(self, record):
                    error = record.exc_info[1] if record.exc_info else None
                    raised = None if error is None else [[str(kind.__name__)[:200] for kind in type(error).__mro__][:20], str(error)[:500]]
                    standard = vars(logging.makeLogRecord({}))
                    more = {name: value for name, value in plain_attributes(record).items() if name not in standard or name in WHERE}
                    notes.add(['log', str(record.name)[:200], int(record.levelno), record.getMessage()[:2000], raised, more])
            logging.root.addHandler(Handler(0))
            logging.root.setLevel(1)

    def take(self):
        kept, self.kept = self.kept, []
        return kept


class Printed:
    """Everything that the artifact has printed and reported since the last answer."""

    def __init__(self):
        self.notes, self.taps = Notes(), {}
        for name, descriptor in (('stdout', 1), ('stderr', 2)):
            self.taps[name] = Tap(descriptor)
            stream = io.TextIOWrapper(io.BufferedWriter(self.taps[name]), 'utf-8', 'backslashreplace', write_through=True)
            setattr(sys, name, stream)

    def watch(self):
        self.notes.watch()

    def add_to(self, reply):
        for name, tap in self.taps.items():
            try:
                getattr(sys, name).flush()
            except BaseException:
                pass
            if tap.size:
                reply['out' if name == 'stdout' else 'err'] = tap.take()
        noted = self.notes.take()
        if noted:
            reply['notes'] = noted
