"""Decides which texts and codes a tester's process may run. Standard library only.

What an artifact has answered never runs beside the tests, in whatever way it was written: it would decide what they come to.
"""
import ast
import hashlib
import re

from launch import PACKAGES
from originals import get_thread, open_file, os
from suite_names import names_in

#: Modules of plain data: what is written by pickle may name their classes.
PLAIN_MODULES = frozenset('collections datetime decimal uuid fractions pathlib enum zoneinfo ipaddress'.split())
#: Types of the language that hold no more than values, beside exceptions.
PLAIN_TYPES = frozenset((bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, object))
PLAIN_BY_NAME = {kind.__name__: kind for kind in PLAIN_TYPES}
#: What a text may consist of that only makes a value.
CONSTRUCTION = (ast.Expression, ast.Call, ast.keyword, ast.Constant, ast.Name, ast.Attribute, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp,
                ast.unaryop, ast.BinOp, ast.operator, ast.expr_context, ast.Starred)
#: Modules that make programs of names, and one that runs the files of a suite: what they run by themselves has no part of an answer but names.
GENERATORS = frozenset('collections dataclasses unittest.mock gettext _pytest.assertion.rewrite'.split())
#: Modules that look at type hints.
HINTS = frozenset('typing inspect annotationlib typing_extensions'.split())
#: Functions that run texts.
RUNNERS = frozenset(('eval', 'exec', 'compile'))
#: What a type hint consists of, which runs nothing.
HINT = (ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.expr_context)
#: Characters of answers of which no code is made; names of the suite are none.
MAX_OPENING = 12
#: What the boxes tell each other beside values and names.
OF_PROTOCOL = frozenset('id kind class library special bases equal lent inner call match protocol opened'.split())
#: Functions that compute, and what an expression consists of that does so.
PURE = frozenset('abs min max round sum len sorted reversed any all divmod pow zip enumerate ord isinstance'.split()) | frozenset(PLAIN_BY_NAME)
COMPUTING = (ast.Expression, ast.Constant, ast.Name, ast.expr_context, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.BoolOp, ast.boolop, ast.Compare,
             ast.cmpop, ast.IfExp, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Subscript, ast.Slice, ast.Call, ast.keyword, ast.Starred, ast.ListComp,
             ast.SetComp, ast.GeneratorExp, ast.DictComp, ast.comprehension, ast.Lambda, ast.arguments, ast.arg)
#: Lines that timeit puts around a program, and the examples of a text.
OF_TIMEIT = frozenset(('def inner(_it, _timer):', 'pass', '_t0 = _timer()', 'for _i in _it:', '_t1 = _timer()', 'return _t1 - _t0'))
EXAMPLE = re.compile(r'^[ ]*>>> .*(?:\n[ ]*\.\.\. ?.*)*', re.M)
#: What the first two lines of a program in bytes may say of its encoding, which such a program is read by.
ENCODING = re.compile(rb'coding[:=][ \t]*([-\w.]*)')
UTF8 = frozenset((b'utf-8', b'utf8', b'ascii'))
#: Words of a program, and of a text in it.
WORD = re.compile(r'\w+')
#: Most characters of a text in a message that is looked at.
MAX_TEXT = 4096
#: What is compiled as it is, all else being a tree; and what a tree holds beside nodes.
TEXTS = (str, bytes, bytearray, memoryview)
CONSTANTS = frozenset((str, bytes, int, float, complex, bool, tuple, frozenset, type(None), type(...)))
#: The judge's own programs, and where files may be the artifact's.
JUDGE, UNSURE = os.path.dirname(os.path.abspath(__file__)) + '/', ('/box/', '/tmp/', '/proc/', '/dev/')
REASON = 'the test runs a text that the artifact may have answered: what stands in a file of the suite runs, and what a reference leads to'


def whole(path):
    """A path without dots, and with one slash at its beginning where the system takes two for one."""
    path = os.path.normpath(path)
    return path[1:] if path.startswith('//') else path


def texts_of(suite):
    """The programs of a suite."""
    for top, _, names in os.walk(suite):
        for name in names:
            if name.endswith('.py'):
                with open(os.path.join(top, name), encoding='utf-8', errors='replace') as file:
                    yield file.read()


def texts_in(part, most=MAX_TEXT):
    """Every text in a JSON document that is not too long: for a path, unless `most` says otherwise."""
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


def length_of(part, names):
    """Characters of the values in a message, without names of the suite."""
    if isinstance(part, dict):
        return sum(length_of(value, names) for name, value in part.items() if name not in OF_PROTOCOL)
    if isinstance(part, list):
        return sum(length_of(each, names) for each in part)
    return 0 if part is None or isinstance(part, bool) or part in names else len(str(part))


def tree_of(text, mode='exec'):
    """The tree of a text, or None for what is no program."""
    try:
        return ast.parse(text.strip(), mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_tree(part):
    """True for a tree whose nodes are of the language's own classes."""
    pending = [part]
    while pending:
        part = pending.pop()
        if type(part) is not getattr(ast, type(part).__name__, None):
            return False
        for value in vars(part).values():
            pending.extend(each for each in (value if type(value) is list else (value,)) if type(each) not in CONSTANTS)
    return True


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


def computes(text, words):
    """True for an expression that makes a value of numbers, texts of the suite and its variables, such as `f'{a} + max({b}, 1)'`, and does nothing else."""
    tree = tree_of(text, 'eval')
    if tree is None:
        return False
    called = [each.func for each in ast.walk(tree) if isinstance(each, ast.Call)]
    bound = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
    bound |= {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    for each in ast.walk(tree):
        if not isinstance(each, COMPUTING) or isinstance(each, ast.Name) and each.id not in bound and each.id not in PURE and each.id not in words:
            return False
        # Neither an item that is set, nor a function of the suite that `max(..., key=f)` calls.
        if isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load) or isinstance(each, ast.keyword) and not isinstance(each.value, ast.Lambda):
            return False
        if isinstance(each, ast.Constant) and isinstance(each.value, (str, bytes)):
            value = each.value if isinstance(each.value, str) else each.value.decode('latin-1')
            if not words.issuperset(WORD.findall(value)):
                return False
    return all(isinstance(each, ast.Name) and each.id in PURE and each.id not in bound for each in called)


def has_fields(frame):
    """False where a data class is made whose fields have other names than the language allows: its methods are texts with these."""
    while frame is not None and frame.f_globals.get('__name__') == 'dataclasses':
        if frame.f_code.co_name == '_process_class':
            return all(type(name) is str and name.isidentifier() for name in frame.f_locals.get('fields', ()))
        frame = frame.f_back
    return True


def examples_in(text):
    """The programs of the examples in a text that doctest reads."""
    for found in EXAMPLE.findall(text):
        yield '\n'.join(re.sub(r'^\s*(?:>>>|\.\.\.) ?', '', line) for line in found.splitlines())


def unindented(text):
    """The lines of a text, without the blanks around them."""
    return '\n'.join(filter(None, (line.strip() for line in text.splitlines())))


class GeneratedCode:
    """What a tester knows of the texts that it may run.

    `texts` are the suite's programs, `sites` notes what the reference leads to and knows it, `refuse` fails the running test whatever it catches.
    """

    def __init__(self, suite, texts, sites, refuse):
        self.suite, self.texts, self.sites, self.refuse = suite, texts, sites, refuse
        self.literals = self.names = None
        self.words = frozenset(word for each in texts for word in WORD.findall(each))
        #: Characters that the artifact has answered, up to which no code is made of them.
        self.opened = 0
        #: Threads in which a text is looked at here.
        self.busy = set()

    @property
    def is_asked(self):
        """True once the artifact has answered what code could be made of."""
        return self.opened > MAX_OPENING

    def answered(self, message):
        """Notes an answer."""
        if not self.is_asked:
            self.opened += length_of(message, self.words)

    def check_text(self, text, path, frame):
        """Refuses a text that is run and that the artifact may have answered, unless it only makes objects: `eval(repr(point))`.

        `path` is what the text is said to be the file of, `frame` what compiles it, or None.
        """
        thread = get_thread()
        if thread in self.busy or not self.is_asked and isinstance(text, TEXTS):
            return
        self.busy.add(thread)
        try:
            is_known = self.is_known(text, path, frame)
        finally:
            self.busy.discard(thread)
        if not is_known:
            raise self.refuse(REASON)

    def is_known(self, text, path, frame):
        """True for a text, or a tree, that runs."""
        module, file = (frame.f_globals.get('__name__'), frame.f_code.co_filename) if frame is not None else (None, '')
        is_own = frame is not None and self.is_of_suite(file)
        # By itself, and not as a function that it was given.
        runs = frame is not None and not is_own and not RUNNERS.isdisjoint(frame.f_code.co_names)
        if module == 'ast' and frame.f_code.co_name == 'parse' or runs and (module in GENERATORS and has_fields(frame) or file.startswith(JUDGE)):
            return True  # A tree may be run later.
        if not isinstance(text, TEXTS):
            # Nodes of the artifact are asked for what they hold while they are compiled.
            if not is_tree(text):
                return False
            return not self.is_asked or self.is_led_to(ast.dump(text)) or self.is_computed(ast.unparse(text))
        if self.is_content(text, path):
            return True
        if not isinstance(text, str):
            text = bytes(text)
            if not UTF8.issuperset(map(bytes.lower, ENCODING.findall(b'\n'.join(re.split(b'[\r\n]+', text, maxsplit=2)[:2])))):
                return False
            text = text.decode('utf-8', 'replace')
        if self.is_led_to(text) or is_own and text in frame.f_code.co_consts and not file.startswith('<'):
            return True
        if module in HINTS and is_hint(text) or is_construction(text, {**frame.f_globals, **frame.f_locals} if is_own else {}):
            return True
        if module == 'timeit':
            text = '\n'.join(line for line in unindented(text).splitlines() if line not in OF_TIMEIT)
        return text == '' or self.stands_in_suite(text) or self.is_computed(text)

    @staticmethod
    def is_content(text, path):
        """True for the content of a file that no artifact can have written."""
        if not isinstance(path, str) or not path.startswith('/') or whole(path).startswith(UNSURE):
            return False
        try:
            with open_file(path, 'rb') as file:
                content = file.read()
        except OSError:
            return False
        return content == (text.encode('utf-8', 'replace') if isinstance(text, str) else bytes(text))

    def check_code(self, parts, frame, is_read):
        """Refuses bytes that a test reads code of and no reference has led to, of which there are none for a file, and a code that a test changes.

        `frame` is what does so, or None.
        """
        if not self.is_asked or frame is not None and self.is_compiled(frame, is_read):
            return
        # A code that is changed is not told as a whole.
        if not is_read or not parts or not self.is_led_to(repr(parts)):
            raise self.refuse(REASON)

    def is_compiled(self, frame, is_read):
        """True where the judge, a package or the library changes a code, or reads one, where `is_read`, that no artifact can have written."""
        module, file = frame.f_globals.get('__name__'), frame.f_code.co_filename
        if module == 'importlib._bootstrap_external':
            path = frame.f_locals.get('bytecode_path')
            return isinstance(path, str) and path.startswith('/') and not whole(path).startswith(UNSURE)
        # As types.coroutine(), which changes flags of a function's code.
        changes = not self.is_of_suite(file) and not {'replace', 'CodeType'}.isdisjoint(frame.f_code.co_names)
        return module == '_pytest.assertion.rewrite' or file.startswith((JUDGE, PACKAGES + '/')) or changes and not is_read

    def check_program(self, words):
        """Refuses a program in the arguments of another: `[sys.executable, '-c', text]`."""
        for option, text in zip(words, words[1:]):
            if self.is_asked and option in ('-c', '-e') and not (self.is_led_to(text) or self.stands_in_suite(text) or self.is_computed(text)):
                raise self.refuse(REASON)

    def is_led_to(self, text):
        """True where the reference leads to the same text."""
        return self.sites.is_led_to('code ' + hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:22])

    def stands_in_suite(self, text):
        """True for a text that is written in a file of the suite, also where it is indented there."""
        if self.literals is None:
            trees = filter(None, map(tree_of, self.texts))
            found = (each.value for tree in trees for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, (str, bytes)))
            texts = [each if isinstance(each, str) else each.decode('utf-8', 'replace') for each in found]
            self.literals = {unindented(each) for text in texts for each in (text, *examples_in(text))}
        return unindented(text) in self.literals

    def mentions(self, *words):
        """True where a file of the suite has one of these words."""
        return not self.words.isdisjoint(words)

    def may_name(self, name):
        """True for the name of something that no artifact has chosen."""
        if self.names is None:
            self.names = set().union(*map(names_in, filter(None, map(tree_of, self.texts))))
        return self.opened == 0 or self.is_led_to('name ' + name) or name in self.names

    def may_replace(self, name):
        """True for the name of a function that a test may replace: before the artifact has answered, and where the reference leads to it as well."""
        return self.opened == 0 or self.is_led_to('replaced ' + name)

    def may_fill(self, text):
        """True for a template that stands in the suite, or that the reference answers as well."""
        return self.is_led_to('template ' + text) or self.stands_in_suite(text)

    def is_computed(self, text):
        """True for a text that computes with words of the suite."""
        return computes(text, self.words)

    def is_of_suite(self, path):
        """True for the code of a file of the suite, and for code that a text was made to."""
        return path.startswith(self.suite + '/') or path.startswith('<') and not path.startswith(('<frozen ', '<attrs '))
