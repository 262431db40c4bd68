"""What a tester and an artifact each have around them, and every question and answer brings to the same: environment, arguments, folder,
random numbers, temporary files, and functions of libraries that a test has replaced. Standard library only.
"""
import random
import re
import sys

from originals import contextlib, held, is_folder, logger_named, os, time
from library_state import LibraryState
from outlets import Streams, handlers_of_artifact
from replaced import BINDINGS, held_by, owner_of, put
from shared import Shared, make_folder
from standard import know_all

TEMPORARY = '/box/pytest'
#: Where pytest makes temporary files.
MADE_BY_PYTEST = TEMPORARY + '/made'
#: Where an artifact finds the files that a suite shares with it.
SUITE = '/suite'
#: Where the library makes temporary files.
LIBRARY_TEMPORARY = MADE_BY_PYTEST + '/temporary'
#: A test may replace these, and counts who calls them.
random = held(random)
getcwd, chdir, real_path, listdir = os.getcwd, os.chdir, os.path.realpath, os.listdir
#: Most names of files that are left in the current folder, and most characters of one.
MAX_NAMES, MAX_NAME = 100, 255
#: What stays as it is in each box.
UNSYNCED = re.compile(r'(?:JUDGE|LD|PYTEST)_')
#: What lists the current folder.
LISTS_FOLDER = re.compile(r"""\b(?:listdir|scandir|walk|i?glob|Path)\(\s*(?:\)|r?['"](?:\.['"/]|[^/'"{]*[*?]))|\b(?:getcwd|cwd)\(\)""")
#: What the text of a suite has that looks at it.
MENTIONS = {
    'tempfile': re.compile(r'\btempfile\b'),
    'env': re.compile(r'\b(?:environ|getenv|setenv|delenv|putenv|dotenv)\b'),
    'folder': re.compile(r'\b(?:getcwd|chdir|cwd)\b'),
    'loggers': re.compile(r'\b(?:caplog|logging|assertLogs|assertNoLogs)\b'),
    'handlers': re.compile(r'\blogging\b'),
    'silenced': re.compile(r'\blogging\b'),
    'streams': re.compile(r'\bstd(?:out|err)\b|\bprint\s*\(|\bcap(?:sys|fd)'),
    'descriptors': re.compile(r'\bcapfd'),
    'left': LISTS_FOLDER,
    'files': re.compile(r'(?<![.\w])open\s*\(|\b(?:pathlib|shutil|glob)\b|\bfrom os\b'
                        r'|\bos\.(?:path|remove|unlink|rename|replace|mkdir|makedirs|rmdir|removedirs|stat|access|listdir|scandir|walk)\b'),
    'decimal': re.compile(r'\b(?:decimal|getcontext)\b'),
    'recursion': re.compile(r'recursionlimit\b'),
    'digits': re.compile(r'int_max_str_digits\b'),
    'umask': re.compile(r'\bumask\b'),
    # Only where a test decides what is drawn: no program learns what else a test will draw.
    'random': re.compile(r'\brandom\b(?=[\s\S]*\b(?:seed|[gs]etstate)\s*\()'),
    'numpy': re.compile(r'\bnumpy\b(?=[\s\S]*\brandom\.(?:seed|[gs]et_state)\s*\()'),
}


def environment():
    return {name: value for name, value in sys.modules['os'].environ.items() if not UNSYNCED.match(name)}


def folder():
    try:
        return getcwd()
    except OSError:
        return None  # It is gone.


def numpy_random():
    return getattr(sys.modules.get('numpy'), 'random', None)


def random_of_numpy():
    found = numpy_random()
    return None if found is None else [part.tolist() if hasattr(part, 'tolist') else part for part in found.get_state()]


#: Greatest precision and exponent of decimal numbers that are told: with more, they fill the memory of a box.
MAX_PRECISION, MAX_EXPONENT = 1_000_000, 10 ** 15
#: What a logger has that nothing has changed: its level, whether its records reach the next one, and whether it is disabled.
UNCHANGED = [0, True, False]


def root_logger():
    return getattr(sys.modules.get('logging'), 'root', None)


def whole(level):
    """A level that both sides know. A program may put anything there."""
    return level if type(level) is int and 0 <= level <= 1000 else 0


def loggers():
    """What is told of loggers, by name, without those that have nothing of their own; that of the root is empty."""
    root = root_logger()
    if root is None:
        return {'': [30, True, False]}  # As it is once it is imported.
    named = list(root.manager.loggerDict.items())
    found = {name: each for name, each in [('', root), *named] if hasattr(each, 'propagate') and len(name) <= 200}
    told = {name: [whole(each.level), bool(each.propagate), bool(each.disabled)] for name, each in found.items()}
    return {name: each for name, each in told.items() if each != UNCHANGED}


def set_logger(name, level, propagates, is_disabled):
    logger = logger_named(name)
    logger.setLevel(level)
    logger.propagate, logger.disabled = propagates, is_disabled


def silenced():
    """The level up to which no logger logs anything."""
    root = root_logger()
    return 0 if root is None else whole(root.manager.disable)


def decimal_context():
    """How decimal numbers are computed: precision, rounding, limits of exponents, how they are written, and what raises an error."""
    decimal = sys.modules.get('decimal')
    if not hasattr(decimal, 'getcontext'):
        return [28, 'ROUND_HALF_EVEN', -999999, 999999, 1, 0, ['DivisionByZero', 'InvalidOperation', 'Overflow']]  # As it is once it is imported.
    held = decimal.getcontext()
    raising = sorted(kind.__name__ for kind, is_raised in held.traps.items() if is_raised)
    return [min(held.prec, MAX_PRECISION), held.rounding, max(held.Emin, -MAX_EXPONENT), min(held.Emax, MAX_EXPONENT), held.capitals, held.clamp, raising]


def set_decimal_context(precision, rounding, lowest, highest, capitals, clamp, raising):
    import decimal
    held = decimal.getcontext()
    held.prec, held.rounding, held.Emin, held.Emax, held.capitals, held.clamp = precision, rounding, lowest, highest, capitals, clamp
    for kind in list(held.traps):
        held.traps[kind] = kind.__name__ in raising


def umask():
    mask = os.umask(0o77)
    os.umask(mask)
    return mask


#: Least frames that a box needs for itself.
LEAST_FRAMES = 150


def set_recursion_limit(limit):
    sys.setrecursionlimit(max(limit, LEAST_FRAMES))


#: How numbers of this process are read and set. Older Pythons have no limit of digits.
NUMBERS = {'recursion': (sys.getrecursionlimit, set_recursion_limit), 'umask': (umask, os.umask),
           'digits': (getattr(sys, 'get_int_max_str_digits', int), getattr(sys, 'set_int_max_str_digits', int))}
LOOKS = {**{name: look for name, (look, _) in NUMBERS.items()}, 'loggers': loggers, 'silenced': silenced, 'decimal': decimal_context, 'env': environment, 'arguments': lambda: list(map(str, sys.argv)), 'folder': folder, 'random': random.getstate, 'numpy': random_of_numpy}


class Elsewhere(Exception):
    """The other side has gone to a folder that is not there."""


class Process:
    """The state of this process.

    `watch`: what is looked at, by name; `home`: the folder in which it begins, which says nothing to the other side; `outlets`: what looks where
    it writes to, by name; `taken`: what is taken from the other side, None for all.
    """

    def __init__(self, watch, home, outlets, taken=None):
        self.home, self.taken, self.outlets = home, taken, outlets
        self.looks = {**LOOKS, **{name: each.look for name, each in outlets.items()}}
        self.known = {}
        self.watch(watch)

    def watch(self, names):
        for name in names:
            # The other side does not know which numbers come next.
            begins = {'random': None, 'numpy': None, 'folder': self.home, 'handlers': {}, 'streams': [], 'left': [], 'changed': []}
            self.known[name] = begins[name] if name in begins else LOOKS[name]()

    def changed(self):
        """What is other than at the last look, as it is told."""
        told = {}
        for name, before in self.known.items():
            now = self.looks[name]()
            if now == before:
                continue
            self.known[name] = now
            if name == 'env':
                told[name] = [[key, now.get(key)] for key in sorted(now.keys() | before.keys()) if now.get(key) != before.get(key)]
            elif name == 'loggers':
                told[name] = [[key, now.get(key, UNCHANGED)] for key in sorted(now.keys() | before.keys()) if now.get(key) != before.get(key)][:200]
            elif name == 'folder':
                told[name] = None if now == self.home else now
            else:
                told[name] = now
        return told

    def arrive(self, told):
        """Makes it what the other side has. Raises TypeError or ValueError for what is no state."""
        told = {name: value for name, value in told.items() if self.taken is None or name in self.taken}
        now = sys.modules['os'].environ
        for key, value in told.get('env', ()):
            if UNSYNCED.match(key):
                continue
            if value is None:
                now.pop(key, None)
            else:
                now[key] = value
            if key == 'TZ':
                time.tzset()
        for key, held in told.get('loggers', ()):
            set_logger(key, *held)
        if 'silenced' in told and told['silenced'] != silenced():
            manager = __import__('logging').root.manager
            manager.disable = told['silenced']
            manager._clear_cache()
        for name, (_, change) in NUMBERS.items():
            if name in told:
                change(told[name])
        if 'decimal' in told:
            set_decimal_context(*told['decimal'])
        for name, outlet in self.outlets.items():
            if name in told:
                outlet.arrive(told[name])
        if 'arguments' in told:
            sys.argv[:] = told['arguments']
        if 'folder' in told:
            self.enter(told['folder'])
        if 'random' in told:
            version, numbers, gauss = told['random']
            random.setstate((version, tuple(numbers), gauss))
        if told.get('numpy') is not None and numpy_random() is not None:
            numpy_random().set_state(tuple(told['numpy']))
        for name in self.known:
            if name in told:
                self.known[name] = self.looks[name]()

    def enter(self, path):
        """Goes to the folder in which both sides have the same files, to one that all systems have, or to that in which this one has begun."""
        if path is None:
            chdir(self.home)
        elif path in ('/', '/usr', '/dev') or (real_path(path) + '/').startswith(TEMPORARY + '/') and is_folder(path):
            chdir(path)
        else:
            raise Elsewhere(path)


class Left:
    """Names of what an artifact has made in the folder in which it begins; `home`: that folder."""

    def __init__(self, home):
        self.home = home
        # The judge makes the folder of temporary files, and the language those of its code.
        self.before = {os.path.basename(TEMPORARY), '__pycache__', *self.listed()}

    def listed(self):
        try:
            return sorted(listdir(self.home))
        except (OSError, TypeError):
            return []

    def look(self):
        return [name[:MAX_NAME] for name in self.listed() if name not in self.before][:MAX_NAMES]

    def arrive(self, told):
        """Does nothing: a test has a folder of its own."""


class Growing:
    """Names of what an artifact has left or changed, as a tester knows them: now, and when its running test began."""

    def __init__(self):
        self.now = self.before = []

    def look(self):
        return self.now

    def arrive(self, told):
        self.now = told

    def begin_test(self):
        self.before = self.now

    def found(self):
        """Names that were not there at the beginning of the running test."""
        return sorted(set(self.now) - set(self.before))


class Surroundings:
    """What a test has changed around itself, done in the artifact's box as well, and what the artifact changes there."""

    def __init__(self, arrive):
        self.arrive, self.shared, self.originals = arrive, Shared(TEMPORARY), {}
        self.library = LibraryState(self.originals.__contains__)
        self.outlets = {'handlers': handlers_of_artifact(), 'streams': Streams(), 'left': Left(folder()), 'changed': self.library}
        self.process = Process((), folder(), self.outlets)
        self.has_files, self.opened = False, set()
        #: Where the library makes temporary files, once the test has some.
        self.temporary = None

    def take(self, op):
        """What the test has changed since, as a question tells it."""
        around = op.pop('around', {})
        if 'reads' in around:
            self.library.begin(around.pop('reads'))
        self.process.watch(around.pop('watch', ()))
        if around.pop('opened', False):
            sys.addaudithook(self.note_opened)
        if 'replaced' in op:
            know_all()
        for path, value, binding in op.pop('replaced', ()):
            owner, name = owner_of(path)
            if path not in self.originals:
                self.originals[path] = held_by(owner, name)
            put(owner, name, self.originals[path] if value == {'$original': True} else BINDINGS[binding](self.arrive(value)))
        with contextlib.suppress(OSError, ValueError):
            self.shared.arrive(op.pop('files', ()))
        with contextlib.suppress(Elsewhere):
            self.process.arrive(around)
        if 'watch' in op:
            self.has_files = True
            if op.pop('watch') and self.temporary is None:
                # What the artifact makes there is seen by the test.
                make_folder(LIBRARY_TEMPORARY)
                import tempfile
                self.temporary = tempfile.tempdir = LIBRARY_TEMPORARY

    def write_to(self, op):
        """Does with what a test has logged or printed what a handler of the artifact does with it, or what is in the place of a standard stream."""
        if op['do'] == 'print':
            getattr(sys, op['name']).write(op['text'])
        else:
            import logging
            self.outlets['handlers'].own[op['handler']].handle(logging.makeLogRecord(op['record']))
        return {'value': None}

    def note_opened(self, event, args):
        """Notes the files of the suite that a reference opens: others find them in their box as well."""
        if event == 'open' and isinstance(args[0], (str, bytes)):
            path = os.path.abspath(os.fsdecode(args[0]))
            if path.startswith(SUITE + '/'):
                self.opened.add(path[len(SUITE) + 1:])

    def tell(self, reply):
        """Adds what the artifact has changed since to what is told."""
        around = self.process.changed()
        if self.opened:
            around['opened'] = sorted(self.opened)[:1000]
            self.opened.clear()
        if around:
            reply['around'] = around
        files = self.shared.changed() if self.has_files else ()
        if files:
            reply['files'] = files
        return reply
