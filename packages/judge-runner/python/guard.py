"""Keeps a tester from running, and from taking as an answer's content, what the artifact has written or named. Standard library only."""
import sys

from deciding import REFLECTIVE, watch_deciding
from generated_code import PLAIN_MODULES, PLAIN_TYPES, GeneratedCode, texts_in, texts_of, whole
from launch import ANSWERS, PACKAGES, REQUESTS, Quiet
from naming import FILLING, Naming, asks_inside
from originals import get_thread, os
from unpickling import reader_of, restrict

#: Functions by which pickle makes objects of the classes that it names.
MAKERS = frozenset(('copyreg._reconstructor', 'copyreg.__newobj__', 'copyreg.__newobj_ex__', '_codecs.encode', '_judge_pickled.load', 'uuid.UUID',
                    'datetime._unpickle', 'types.SimpleNamespace', '_operator.or_'))
#: What starts a program, by the place of its environment among what is watched; None where it has that of this process.
STARTS = {'subprocess.Popen': 3, 'os.exec': 2, 'os.posix_spawn': 2, 'os.spawn': 3, 'os.system': None, 'pty.spawn': None}
#: Families of sockets that do not leave the machine, the one of a given descriptor included, and what asks for an address: the kernel would end the
#: process of the tests.
LOCAL = frozenset((-1, 1))
LOOKUPS = frozenset(('socket.getaddrinfo', 'socket.gethostbyname', 'socket.gethostbyaddr', 'socket.getnameinfo'))
#: What makes code of bytes.
MAKING_CODE = frozenset(('code.__new__', 'marshal.loads', 'marshal.load'))
#: What a message tells beside answers, of which no text is filled.
BESIDE = 'out', 'err', 'files', 'around'
#: Folders in which the artifact may have written.
WRITABLE = '/box/'


def is_of_values(kind):
    """True for a public class of a module of plain data. Such modules have classes of others as well, as pathlib.attrgetter."""
    return kind.__module__.partition('.')[0] in PLAIN_MODULES and not kind.__name__.startswith('_')


def frame_of_caller():
    """The frame that did what a hook is told, or None where a thread does nothing else."""
    try:
        return sys._getframe(2)
    except ValueError:
        return None


class Guard:
    """Watches what this process opens and runs while a test waits for answers."""

    def __init__(self, suite, refuse, sites):
        self.suite, self.refuse, self.sites = suite, refuse, sites
        self.names = [os.path.relpath(os.path.join(top, name), suite) for top, _, names in os.walk(suite) for name in names]
        self.given, self.named = set(), set()
        #: Threads in which a file is looked at here.
        self.busy = set()
        #: Variables of the environment that the artifact has set, with their values; and those with which this process has begun.
        self.variables, self.began = {}, dict(os.environ)
        self.code = GeneratedCode(suite, list(texts_of(suite)), sites, refuse)
        #: True for a suite that may fill a text of the artifact with its own objects, and why its further tests fail.
        self.fills, self.lasting = self.code.mentions(*FILLING), None

    def begin_test(self):
        self.given, self.named = set(), set()
        if self.lasting is not None:
            self.refuse(self.lasting)

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
                    self.sites.note_file(self.place_of(text))

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
        # What a reference has opened is no answer.
        around = {name: told for name, told in message.get('around', {}).items() if name != 'opened'}
        self.note(line, {**message, 'around': around}, self.named)
        self.code.answered(message)
        if self.fills and '{' in line:
            self.check_templates(texts_in({name: told for name, told in message.items() if name not in BESIDE}, sys.maxsize))
        for name, value in (message.get('around') or {}).get('env', ()):
            self.variables.pop(name, None) if value is None else self.variables.update({name: value})

    def check_templates(self, texts):
        """Refuses answers that would ask what a test fills them with for inner attributes: these lead to what it expects."""
        for text in filter(asks_inside, texts):
            if not self.code.may_fill(text):
                reason = 'answered a template that asks for inner attributes (%s): a reference allows those that it answers as well' % text[:100]
                self.refuse(reason)
                if not self.sites.is_own():
                    self.lasting = reason

    def watch(self):
        naming = Naming(self.suite, self.code, self.refuse, self.code.mentions('__import__'))
        changes = {'pickle': restrict(lambda: self.code.is_asked, self.refuse), 'logging.config': naming.watch_settings, 'pkgutil': naming.watch_function('resolve_name'),
                   'pydoc': naming.watch_function('locate'), 'pytest': naming.watch_function('importorskip'),
                   'unittest.mock': naming.watch_mocks}
        for name, change in changes.items():
            if name in sys.modules:
                change(sys.modules[name])
            else:
                Quiet.calms[name] = change
        if self.code.mentions('getattr', 'setattr', 'patch', 'attrgetter', 'methodcaller'):
            naming.watch_attributes()
        naming.watch_imports()
        sys.addaudithook(self.hook)

    def deciding(self):
        """Returns a function that tells what a test has changed that decides it, or None, where the suite or its packages may set what they do not
        name."""
        return watch_deciding(self.code.texts) if self.code.mentions(*REFLECTIVE) or os.path.isdir(PACKAGES) else lambda: None

    def hook(self, event, args):
        if event == 'open':
            if isinstance(args[0], str) and args[0].endswith('.pyc'):
                self.check_written(args[0], 'imports')
            if args[0] in (REQUESTS, ANSWERS) and type(args[0]) is int:
                raise self.refuse('the test opens a descriptor of the judge')
            if self.named and get_thread() not in self.busy and isinstance(args[0], str):
                self.check_open(args[0])
        elif event == 'exec':
            self.check_written(getattr(args[0], 'co_filename', ''), 'runs')
            # Parts of a file of settings are expressions.
            if self.code.is_asked and sys._getframe(1).f_globals.get('__name__') == 'logging.config':
                raise self.refuse('the test runs a file that the artifact may have written')
        elif event == 'compile':
            self.code.check_text(args[0], args[1], frame_of_caller())
        elif event in MAKING_CODE:
            self.code.check_code(args, frame_of_caller(), event != 'code.__new__')
        elif event == 'pickle.find_class':
            if self.code.is_asked:
                self.check_class(*args)
        elif event == 'import' and args[1]:
            self.check_written(str(args[1]), 'imports')
        elif event == 'ctypes.dlopen' and args[0]:
            self.check_written(str(args[0]), 'loads')
        elif event == 'sqlite3.load_extension':
            self.check_written(str(args[1]), 'loads')
        elif event in STARTS:
            self.check_start(event, args)
        elif event == 'socket.__new__' and args[1] not in LOCAL or event in LOOKUPS:
            raise self.refuse('the test opens a network connection, and no box has a network: give the artifact what it would receive')

    def check_class(self, module, name):
        """Refuses what a file of the artifact would have run: it may hold plain data, and objects of classes that the suite knows."""
        # Older protocols name what the language had before.
        old = sys.modules.get('_compat_pickle')
        module, name = getattr(old, 'NAME_MAPPING', {}).get((module, name), (getattr(old, 'IMPORT_MAPPING', {}).get(module, module), name))
        owner = found = sys.modules.get(module)
        for part in str(name).split('.'):
            found = vars(found).get(part) if found is owner or isinstance(found, type) else None
        if module == 'builtins':
            is_plain = found in PLAIN_TYPES or isinstance(found, type) and issubclass(found, BaseException)
        else:
            is_plain = isinstance(found, type) and not issubclass(found, type) and (is_of_values(found) or self.is_known(owner, found))
        is_own = (getattr(owner, '__file__', None) or '').startswith(PACKAGES + '/') and callable(found)
        if not is_plain and '%s.%s' % (module, name) not in MAKERS and not (is_own and self.is_pickling(reader_of(sys._getframe(2)))):
            raise self.refuse('the test runs by pickle what the artifact may have written (%s.%s)' % (str(module)[:100], str(name)[:100]))

    def is_pickling(self, frame):
        """True for a function of the suite that pickles what it reads."""
        code = frame.f_code
        return code.co_filename.startswith(self.suite + '/') and not {'dumps', 'dump'}.isdisjoint(code.co_names)

    def is_known(self, module, kind):
        """True for a class of the suite's files or of the artifact."""
        file = getattr(module, '__file__', None) or ''
        return kind.__module__ == getattr(module, '__name__', None) and file.startswith(self.suite + '/') or '_judge_id' in vars(kind)

    def check_start(self, event, args):
        """Refuses a program that would find files or settings of the artifact."""
        place = STARTS[event]
        environment = args[place] if place is not None and len(args) > place and args[place] is not None else os.environ
        environment = {os.fsdecode(name): os.fsdecode(value) for name, value in dict(environment).items()}
        if any(environment.get(name) == value for name, value in self.variables.items()):
            raise self.refuse('the test starts a program with a variable of the environment that the artifact has set')
        changed = [value for name, value in environment.items() if self.began.get(name) != value and not name.startswith('PYTEST_')]
        folder = args[2] if event == 'subprocess.Popen' and args[2] is not None else '.'
        if self.is_written(os.fsdecode(folder)):
            raise self.refuse('the test starts a program in a folder in which the artifact may have written')
        if any(map(self.is_written, ':'.join(changed).split(':'))):
            raise self.refuse('the test starts a program with the path of a folder in which the artifact may have written')
        for each in args:
            self.code.check_program([os.fsdecode(word) for word in each if isinstance(word, (str, bytes, os.PathLike))] if isinstance(each, (list, tuple)) else ())
            for word in each if isinstance(each, (list, tuple)) else [] if isinstance(each, dict) else [each]:
                text = os.fsdecode(word) if isinstance(word, (str, bytes, os.PathLike)) else str(word)
                if WRITABLE in text:
                    raise self.refuse('the test starts a program with a file that the artifact may have written')

    @staticmethod
    def is_written(path):
        """True for a path of what the artifact may have written, also for one from the current folder to a file that is there."""
        if path.startswith('/'):
            return (whole(path) + '/').startswith(WRITABLE)
        try:
            home = os.getcwd()
        except OSError:
            return False
        return path != '' and not path.startswith('<') and (home + '/').startswith(WRITABLE) and os.path.exists(path)

    def check_written(self, path, what):
        if isinstance(path, str) and self.is_written(path):
            raise self.refuse('the test %s a file that the artifact may have written' % what)

    def check_open(self, path):
        self.busy.add(get_thread())
        try:
            path = whole(os.path.join(os.getcwd(), path))
            for text in self.named - self.given:
                own = whole(os.path.join(self.suite, text))
                if path == own or path.startswith(own + '/') and (path.startswith(self.suite + '/') or own.startswith('/proc')):
                    raise self.refuse('answered the path of a file of the suite')
        finally:
            self.busy.discard(get_thread())
