"""Keeps a tester from running, and from taking as an answer's content, what the artifact has written or named. Standard library only."""
import os
import sys

#: Folders in which the artifact may have written.
WRITABLE = '/box/'
MAX_TEXT = 4096


def texts_in(part):
    """Every text in a JSON document."""
    pending = [part]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            if len(part) <= MAX_TEXT:
                yield part
        elif isinstance(part, list):
            pending.extend(part)
        elif isinstance(part, dict):
            pending.extend(part.keys())
            pending.extend(part.values())


def whole(path):
    """A path without dots, and with one slash at its beginning where the system takes two for one."""
    path = os.path.normpath(path)
    return path[1:] if path.startswith('//') else path


class Guard:
    """Watches what this process opens and runs while a test waits for answers."""

    def __init__(self, suite, refuse, giving):
        self.suite, self.refuse, self.giving = suite, refuse, giving
        self.names = [os.path.relpath(os.path.join(top, name), suite) for top, _, names in os.walk(suite) for name in names]
        self.given, self.named = set(), set()
        self.busy = False

    def begin_test(self):
        self.given, self.named = set(), set()

    def is_inside(self, text):
        path = whole(os.path.join(self.suite, text))
        return path == self.suite or path.startswith(self.suite + '/') and (text.startswith('/') or os.path.exists(path))

    def note(self, line, message, found):
        """Remembers texts of a message that lead to the suite's own files."""
        if self.suite in line or '/proc' in line or any('"%s"' % name in line for name in self.names):
            found.update(text for text in texts_in(message) if text.startswith('/proc') or self.is_inside(text))

    def asked(self, line, message):
        before = len(self.given)
        self.note(line, message, self.given)
        if len(self.given) > before:
            # What a call is given, and what a function of the test answers; the whole suite is no input.
            ask, back = message.get('ask', {}), message.get('back', {})
            for text in texts_in([ask.get(name) for name in ('args', 'kwargs', 'value')] + [back.get('returns')]):
                if text in self.given and self.is_path(text) and self.place_of(text) != '.':
                    self.giving(self.place_of(text))

    def is_path(self, text):
        """False for a word that is the name of a folder as well: that is given by its whole path."""
        return not text.startswith('/proc') and (text.startswith('/') or os.path.isfile(os.path.join(self.suite, text)))

    def place_of(self, text):
        return os.path.relpath(whole(os.path.join(self.suite, text)), self.suite)

    def has_given(self, name):
        """True where the running test has given the artifact the path of this file of the suite, or of a folder of it."""
        places = map(self.place_of, filter(self.is_path, self.given))
        return any((name + '/').startswith(place + '/') for place in places)

    def answered(self, line, message):
        self.note(line, message, self.named)

    def watch(self):
        sys.addaudithook(self.hook)

    def hook(self, event, args):
        if event == 'open':
            if self.named and not self.busy and isinstance(args[0], str):
                self.check_open(args[0])
        elif event == 'exec':
            self.check_written(getattr(args[0], 'co_filename', ''), 'runs')
        elif event == 'import' and args[1]:
            self.check_written(str(args[1]), 'imports')
        elif event == 'ctypes.dlopen' and args[0]:
            self.check_written(str(args[0]), 'loads')
        elif event == 'subprocess.Popen':
            for word in [args[0]] + list(args[1] if isinstance(args[1], (list, tuple)) else [args[1]]):
                self.check_written(os.fsdecode(word) if isinstance(word, (str, bytes)) else str(word), 'starts a program with')

    def check_written(self, path, what):
        if isinstance(path, str) and path.startswith(WRITABLE):
            raise self.refuse('the test %s a file that the artifact may have written' % what)

    def check_open(self, path):
        self.busy = True
        try:
            path = whole(os.path.join(os.getcwd(), path))
            for text in self.named - self.given:
                own = whole(os.path.join(self.suite, text))
                if path == own or path.startswith(own + '/') and (path.startswith(self.suite + '/') or own.startswith('/proc')):
                    raise self.refuse('answered the path of a file of the suite')
        finally:
            self.busy = False
