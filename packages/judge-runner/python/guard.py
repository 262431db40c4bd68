"""Keeps a tester from running, and from taking as an answer's content, what the artifact has written or named. Standard library only."""
import ast
import re
import sys

from launch import PACKAGES
from originals import os

#: Modules of plain data: what is written by pickle may name their classes.
PLAIN_MODULES = frozenset('collections datetime decimal uuid fractions pathlib enum zoneinfo ipaddress'.split())
#: Types of the language that hold no more than values, beside exceptions.
PLAIN_TYPES = frozenset((bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, object))
PLAIN_BY_NAME = {kind.__name__: kind for kind in PLAIN_TYPES}
#: What a text may consist of that only makes a value, and what the files of a suite have that run texts.
CONSTRUCTION = (ast.Expression, ast.Call, ast.keyword, ast.Constant, ast.Name, ast.Attribute, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp,
                ast.unaryop, ast.BinOp, ast.operator, ast.expr_context, ast.Starred)
RUNS_TEXTS = re.compile(r'\b(?:eval|exec|compile|builtins|__builtins__|code|codeop|timeit|bdb|pdb|profile|cProfile|trace|doctest|runpy|importlib|typing)\b')
#: Modules of the library that run a text for somebody.
RUNNERS = frozenset('code codeop timeit bdb pdb profile cProfile trace doctest runpy importlib.abc importlib._abc typing'.split())
#: What a type hint consists of, which runs nothing.
HINT = (ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.expr_context)
#: Lines of texts of the artifact that are remembered, and the fewest characters of one.
MAX_SAID, MIN_SAID = 1000, 4
#: Functions by which pickle makes objects of the classes that it names.
MAKERS = frozenset(('copyreg._reconstructor', 'copyreg.__newobj__', 'copyreg.__newobj_ex__', '_codecs.encode', '_judge_pickled.load', 'uuid.UUID',
                    'datetime._unpickle', 'types.SimpleNamespace'))
#: What starts a program, by the place of its environment among what is watched; None where it has that of this process.
STARTS = {'subprocess.Popen': 3, 'os.exec': 2, 'os.posix_spawn': 2, 'os.spawn': 3, 'os.system': None, 'pty.spawn': None}
#: Folders in which the artifact may have written.
WRITABLE = '/box/'
MAX_TEXT = 4096


def texts_of(suite):
    """The programs of a suite."""
    for top, _, names in os.walk(suite):
        for name in names:
            if name.endswith('.py'):
                with open(os.path.join(top, name), encoding='utf-8', errors='replace') as file:
                    yield file.read()


def texts_in(part, most=MAX_TEXT):
    """Every text in a JSON document."""
    pending = [part]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            if len(part) <= most:
                yield part
        elif isinstance(part, list):
            pending.extend(part)
        elif isinstance(part, dict):
            pending.extend(part.keys())
            pending.extend(part.values())


def runs(text):
    """False for what is no program."""
    try:
        ast.parse(text.strip())
    except (SyntaxError, ValueError):
        return False
    return True


def expression_in(text):
    """The tree of a text that is one expression, or None."""
    try:
        return ast.parse(text.strip(), mode='eval')
    except (SyntaxError, ValueError):
        return None


def is_hint(text):
    tree = expression_in(text)
    return tree is not None and all(isinstance(each, HINT) for each in ast.walk(tree))


def is_construction(text, names):
    """True for a text such as `Point(1, y=[2])`: values, and calls of classes among `names`."""
    tree = expression_in(text)
    if tree is None:
        return False
    called = [each.func for each in ast.walk(tree) if isinstance(each, ast.Call)]
    if not all(isinstance(each, CONSTRUCTION) for each in ast.walk(tree)) or not all(is_class(each, names) for each in called):
        return False
    within = {part for each in called for part in ast.walk(each)}
    # A member of an enumeration is an attribute of its class.
    return all(part in within or is_class(part, names) or isinstance(part, ast.Attribute) and not part.attr.startswith('_') and is_class(part.value, names)
               for part in ast.walk(tree) if isinstance(part, (ast.Name, ast.Attribute)))


def is_class(node, names):
    """True for the name of a class, or of one in a module."""
    path = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    found = names.get(node.id, PLAIN_BY_NAME.get(node.id)) if isinstance(node, ast.Name) else None
    for each in reversed(path):
        found = None if each.startswith('_') or found is None else getattr(found, each, None)
    module = getattr(found, '__module__', None)
    return isinstance(found, type) and ('_judge_id' in vars(found) or module in PLAIN_MODULES or found in PLAIN_TYPES)


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
        #: True once bytes or a file of the artifact are in this box; variables of the environment that it has set, with their values; and those
        #: with which this process has begun.
        self.has_data, self.variables, self.began = False, {}, dict(os.environ)
        #: Lines of texts that the artifact has answered the running test, where the suite runs texts.
        self.said, self.runs_texts = set(), any(map(RUNS_TEXTS.search, texts_of(suite)))
        #: True once the running test has parsed such a text: the tree may be run.
        self.has_parsed = False

    def begin_test(self):
        self.given, self.named, self.said, self.has_parsed = set(), set(), set(), False

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
        # What a reference has opened is no answer.
        around = {name: told for name, told in message.get('around', {}).items() if name != 'opened'}
        self.note(line, {**message, 'around': around}, self.named)
        self.has_data = self.has_data or 'files' in message or '"$bytes"' in line
        if self.runs_texts and len(self.said) <= MAX_SAID:
            # A test may change blanks around it, and take a part.
            lines = (each.strip() for text in texts_in(message, len(line)) for each in text.splitlines())
            self.said.update(each for each in lines if len(each) >= MIN_SAID)
        for name, value in (message.get('around') or {}).get('env', ()):
            self.variables.pop(name, None) if value is None else self.variables.update({name: value})

    def watch(self):
        sys.addaudithook(self.hook)

    def hook(self, event, args):
        if event == 'open':
            if isinstance(args[0], str) and args[0].endswith('.pyc'):
                self.check_written(args[0], 'imports')
            if self.named and not self.busy and isinstance(args[0], str):
                self.check_open(args[0])
        elif event == 'exec':
            self.check_written(getattr(args[0], 'co_filename', ''), 'runs')
            # Parts of a file of settings are expressions.
            if self.has_data and sys._getframe(1).f_globals.get('__name__') == 'logging.config':
                raise self.refuse('the test runs a file that the artifact may have written')
        elif event == 'compile':
            if self.runs_texts and not self.busy:
                self.check_text(args[0], sys._getframe(1))
        elif event == 'pickle.find_class':
            if self.has_data:
                self.check_class(*args)
        elif event == 'import' and args[1]:
            self.check_written(str(args[1]), 'imports')
        elif event == 'ctypes.dlopen' and args[0]:
            self.check_written(str(args[0]), 'loads')
        elif event in STARTS:
            self.check_start(event, args)

    def check_text(self, text, frame):
        """Refuses a text of the artifact that a test runs, unless it only makes objects: `eval(repr(point))`."""
        runner, module = frame, frame.f_globals.get('__name__')
        parses = module == 'ast' and frame.f_code.co_name == 'parse'
        while frame.f_back is not None and (frame is runner and parses or module in RUNNERS or frame is not runner and str(module).startswith('importlib.')):
            frame = frame.f_back
            module = frame.f_globals.get('__name__')
        if not self.is_of_suite(frame.f_code.co_filename):
            return  # As `ast.literal_eval`, which runs nothing, and what the library makes of names.
        if isinstance(text, bytes):
            text = text.decode('utf-8', 'replace')
        if isinstance(text, str) and text in frame.f_code.co_consts and not frame.f_code.co_filename.startswith('<'):
            return
        self.busy = True
        try:
            if not isinstance(text, str):
                is_run = self.has_parsed
            else:
                is_said = len(self.said) > MAX_SAID or any(said in text for said in self.said)
                is_plain = runner is not frame and is_hint(text) or is_construction(text, {**frame.f_globals, **frame.f_locals})
                is_run = is_said and not is_plain and runs(text)
            if is_run and parses:
                self.has_parsed = True
            elif is_run:
                raise self.refuse('the test runs a text that the artifact has answered')
        finally:
            self.busy = False

    def is_of_suite(self, path):
        """True for the code of a file of the suite, and for code that a text was made to."""
        return path.startswith(self.suite + '/') or path.startswith('<') and not path.startswith(('<frozen ', '<attrs '))

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
            is_plain = isinstance(found, type) and (module in PLAIN_MODULES or self.is_known(owner, found))
        # Members of enumerations are attributes of their classes.
        is_own = found is getattr or (getattr(owner, '__file__', None) or '').startswith(PACKAGES + '/')
        if not is_plain and '%s.%s' % (module, name) not in MAKERS and not (is_own and self.is_pickling(sys._getframe(2))):
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
        self.busy = True
        try:
            path = whole(os.path.join(os.getcwd(), path))
            for text in self.named - self.given:
                own = whole(os.path.join(self.suite, text))
                if path == own or path.startswith(own + '/') and (path.startswith(self.suite + '/') or own.startswith('/proc')):
                    raise self.refuse('answered the path of a file of the suite')
        finally:
            self.busy = False
