"""Decides which texts and codes a tester's process may run. Standard library only.

What an artifact has answered never runs beside the tests, in whatever way it was written: it would decide what they come to.
"""
import ast
import binascii
import hashlib
import re
import sys

from launch import PACKAGES
from originals import is_folder, os

#: Modules of plain data: what is written by pickle may name their classes.
PLAIN_MODULES = frozenset('collections datetime decimal uuid fractions pathlib enum zoneinfo ipaddress'.split())
#: Types of the language that hold no more than values, beside exceptions.
PLAIN_TYPES = frozenset((bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, object))
PLAIN_BY_NAME = {kind.__name__: kind for kind in PLAIN_TYPES}
#: What a text may consist of that only makes a value.
CONSTRUCTION = (ast.Expression, ast.Call, ast.keyword, ast.Constant, ast.Name, ast.Attribute, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp,
                ast.unaryop, ast.BinOp, ast.operator, ast.expr_context, ast.Starred)
#: Modules of the library that run a text for somebody.
RUNNERS = frozenset('code codeop timeit bdb pdb profile cProfile trace doctest runpy importlib.abc importlib._abc typing'.split())
#: What a type hint consists of, which runs nothing.
HINT = (ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.expr_context)
#: Questions that answer no more than names, unless a text shows otherwise: code may be made of the suite's own values after them.
OPENING = frozenset(('module', 'tick', 'names', 'describe', 'dir', 'fields', 'origin'))
#: A text of an answer of which no code is made.
NAME = re.compile(r'[\w. ]{0,40}')
#: Functions that compute, and those that find by a text what a program does not name.
PURE = frozenset('abs min max round sum len sorted reversed any all divmod pow zip enumerate map filter chr ord isinstance'.split()) | frozenset(PLAIN_BY_NAME)
REACHING = frozenset('getattr setattr delattr vars globals locals exec eval compile open breakpoint input format format_map'.split())
#: Names that timeit gives its own parts of a program.
OF_TIMEIT = frozenset(('_it', '_timer', '_i', '_t0', '_t1'))
#: Words of a program, and of a text in it.
WORD = re.compile(r'\w+')
#: Lines of texts of the artifact that are remembered, and the fewest characters of one.
MAX_SAID, MIN_SAID = 1000, 4
#: Most characters of a text in a message that is looked at, unless more are asked for.
MAX_TEXT = 4096
REASON = 'the test runs a text that the artifact may have answered: what stands in a file of the suite runs, and what a reference leads to'


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


def tree_of(text, mode='exec'):
    """The tree of a text, or None for what is no program."""
    try:
        return ast.parse(text.strip(), mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_hint(text):
    tree = tree_of(text, 'eval')
    return tree is not None and all(isinstance(each, HINT) for each in ast.walk(tree))


def is_construction(text, names):
    """True for a text such as `Point(1, y=[2])`: values, and calls of classes among `names`."""
    tree = tree_of(text, 'eval')
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


def names_in(node):
    """The names in a part of a program, without those in the parts that it consists of."""
    for field, part in ast.iter_fields(node):
        if not isinstance(node, ast.Constant) and field != 'type_comment':
            yield from (each for each in (part if isinstance(part, list) else (part,)) if isinstance(each, str))


def made_in(tree):
    """The names that a program itself gives something."""
    for each in ast.walk(tree):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield each.name
        elif isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id


def consists_of(tree, words):
    """True for a program that has no names and texts but those of the suite and its own, and reaches nothing by a text: what runs it could not say more."""
    own = set(made_in(tree))
    for each in ast.walk(tree):
        if isinstance(each, (ast.Import, ast.ImportFrom)):
            return False
        if isinstance(each, ast.Constant) and isinstance(each.value, (str, bytes)):
            text = each.value if isinstance(each.value, str) else each.value.decode('latin-1')
            # What is no word, such as an escape, could be one for what reads the text.
            if not text.isprintable() or '\\' in text or not words.issuperset(WORD.findall(text)):
                return False
        for name in names_in(each):
            is_hidden = name.startswith('_') and name not in OF_TIMEIT or name in REACHING
            if is_hidden or not (name in PURE or name in words or name in own and not isinstance(each, ast.Attribute)):
                return False
    return True


def unindented(text):
    """The lines of a text, without the blanks around them."""
    return '\n'.join(filter(None, (line.strip() for line in text.splitlines())))


class GeneratedCode:
    """What a tester knows of the texts that it may run.

    `texts` are the suite's programs, `sites` notes what the reference leads to and knows it, `refuse` fails the running test whatever it catches.
    """

    def __init__(self, suite, texts, sites, refuse):
        self.suite, self.texts, self.sites, self.refuse = suite, texts, sites, refuse
        self.literals = self.words = None
        #: True once the artifact has answered what code could be made of.
        self.is_asked = False
        #: Lines of texts that the artifact has answered the running test, where there are packages.
        self.said, self.has_packages = set(), is_folder(PACKAGES)
        #: True while a text is looked at here.
        self.busy = False

    def begin_test(self):
        self.said = set()

    def answered(self, message, question, length):
        """Notes the answer to a question, of `length` characters."""
        self.is_asked = self.is_asked or question not in OPENING
        if self.is_asked and not self.has_packages:
            return
        told = {name: part for name, part in message.items() if name not in ('around', 'id')}
        for text in texts_in(told, length):
            self.is_asked = self.is_asked or NAME.fullmatch(text) is None
            # A package may change blanks around it, and take a part.
            if self.has_packages and len(self.said) <= MAX_SAID:
                self.said.update(each for each in map(str.strip, text.splitlines()) if len(each) >= MIN_SAID)

    def check_text(self, text, frame):
        """Refuses a text that a test runs and the artifact may have answered, unless it only makes objects: `eval(repr(point))`."""
        if self.busy or not self.is_asked:
            return
        runner, module = frame, frame.f_globals.get('__name__')
        if module == 'ast' and frame.f_code.co_name == 'parse':
            return  # The tree may be run later.
        while frame.f_back is not None and (module in RUNNERS or frame is not runner and str(module).startswith('importlib.')):
            frame = frame.f_back
            module = frame.f_globals.get('__name__')
        is_own = self.is_of_suite(frame.f_code.co_filename)
        if not is_own and not frame.f_code.co_filename.startswith(PACKAGES + '/'):
            return  # As what the library makes of names.
        self.busy = True
        try:
            is_known = self.is_known(text, frame, runner, is_own)
        finally:
            self.busy = False
        if not is_known:
            raise self.refuse(REASON)

    def is_known(self, text, frame, runner, is_own):
        """True for a text, or a tree, that runs."""
        if isinstance(text, (bytes, bytearray, memoryview)):
            text = bytes(text).decode('utf-8', 'replace')
        elif not isinstance(text, str):
            try:
                text = ast.unparse(text)
            except Exception:
                return False
        if self.is_led_to(text) or text in frame.f_code.co_consts and not frame.f_code.co_filename.startswith('<'):
            return True
        if not is_own:
            # A package runs what it has made itself, of names that it was given.
            return len(self.said) <= MAX_SAID and not any(said in text for said in self.said)
        is_plain = runner is not frame and is_hint(text) or is_construction(text, {**frame.f_globals, **frame.f_locals})
        return is_plain or self.stands_in_suite(text) or self.is_of_suites_words(text)

    def check_code(self, content, frame):
        """Refuses bytes that a test makes code of, and that no reference has led to."""
        if self.is_asked and self.is_of_suite(frame.f_code.co_filename) and not self.is_led_to(binascii.hexlify(bytes(content)).decode()):
            raise self.refuse(REASON)

    def check_program(self, words):
        """Refuses a program in the arguments of another: `[sys.executable, '-c', text]`."""
        for option, text in zip(words, words[1:]):
            if self.is_asked and option in ('-c', '-e') and not (self.is_led_to(text) or self.stands_in_suite(text) or self.is_of_suites_words(text)):
                raise self.refuse(REASON)

    def is_led_to(self, text):
        """True where the reference leads to the same text."""
        return self.sites.is_led_to('code ' + hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:22])

    def stands_in_suite(self, text):
        """True for a text that is written in a file of the suite, also where it is indented there."""
        if self.literals is None:
            trees = filter(None, map(tree_of, self.texts))
            found = (each.value for tree in trees for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, (str, bytes)))
            self.literals = {unindented(each if isinstance(each, str) else each.decode('utf-8', 'replace')) for each in found}
        return unindented(text) in self.literals

    def is_of_suites_words(self, text):
        """True for a program such as `f'{a} + {b}'`, of which all words are the suite's."""
        if self.words is None:
            self.words = frozenset(word for each in self.texts for word in WORD.findall(each))
        tree = tree_of(text)
        return tree is not None and consists_of(tree, self.words)

    def is_of_suite(self, path):
        """True for the code of a file of the suite, and for code that a text was made to."""
        return path.startswith(self.suite + '/') or path.startswith('<') and not path.startswith(('<frozen ', '<attrs '))
