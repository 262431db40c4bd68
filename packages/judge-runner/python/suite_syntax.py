"""Reads what the files of a suite ask of an artifact, without running them. Standard library only."""
import ast
import builtins
import os
import re
import sys

from inner_tests import absolute_of, is_own_relative, package_of
from launch import PACKAGES
from method_names import MAKES_OBJECTS, OF_LIBRARY
from suite_measures import CALLS, is_apart, unchanged_in
from suite_texts import OwnTexts
from tool_packages import TEST_TOOLS

#: Methods of values of the language and the library.
VALUE_METHODS = set(OF_LIBRARY)
VALUE_METHODS |= {name for kind in (str, int, float, list, tuple, dict, set, bytes, complex, bytearray, range) for name in dir(kind)}
PATCHERS = {'patch', 'setattr', 'object'}
CONVERSIONS = {'int', 'float', 'complex', 'abs', 'round', 'divmod', 'pow'}
#: What runs text or bytes as a program, by the name that is called.
EXECUTORS = {'exec', 'eval', 'compile', 'builtins.exec', 'builtins.eval', 'builtins.compile', 'os.system', 'os.popen', 'subprocess.getoutput',
             'subprocess.getstatusoutput', 'pty.spawn', 'code.interact', 'code.InteractiveInterpreter', 'site.addsitedir',
             'logging.config.fileConfig', 'logging.config.dictConfig', 'logging.config.DictConfigurator', 'importlib.util.spec_from_file_location', 'imp.load_source',
             'zipimport.zipimporter', 'ctypes.CDLL', 'ctypes.PyDLL', 'ctypes.cdll.LoadLibrary', 'pandas.read_pickle', 'jsonpickle.decode', 'jsonpickle.loads'}
EXECUTORS |= {'importlib.machinery.' + name for name in ('SourceFileLoader', 'SourcelessFileLoader', 'ExtensionFileLoader')}
EXECUTORS |= {'os.' + name for name in ('execl', 'execle', 'execlp', 'execlpe', 'execv', 'execve', 'execvp', 'execvpe', 'posix_spawn', 'posix_spawnp')}
EXECUTORS |= {'%s.%s' % (module, name) for module in ('pdb', 'profile', 'cProfile', 'trace') for name in ('run', 'runctx', 'runeval')}
EXECUTORS |= {'doctest.' + name for name in ('testmod', 'testfile', 'run_docstring_examples', 'DocTestSuite', 'DocFileSuite', 'script_from_examples', 'debug_src')}
#: What reads bytes or a file in which objects are written with the functions that make them.
UNPICKLERS = {'%s.%s' % (module, name) for module in ('pickle', '_pickle', 'marshal', 'dill', 'cloudpickle', 'joblib', 'torch') for name in ('load', 'loads', 'Unpickler')}
UNPICKLERS |= {'shelve.open', 'shelve.Shelf', 'shelve.DbfilenameShelf', 'shelve.BsdDbShelf'}
UNPICKLERS |= {'yaml.' + name for name in ('load', 'load_all', 'unsafe_load', 'unsafe_load_all', 'full_load', 'full_load_all')}
EXECUTORS |= UNPICKLERS
#: Those that nobody can watch while they run, and their modules where these are given as they are.
UNWATCHED = {'jsonpickle', 'jsonpickle.decode', 'jsonpickle.loads', *(each for each in UNPICKLERS if each.startswith('yaml.'))}
STARTERS = {'subprocess.' + name for name in ('run', 'call', 'check_call', 'check_output', 'Popen')}
STARTERS |= {'asyncio.create_subprocess_exec', 'asyncio.create_subprocess_shell'}
#: How a suite looks at its own process.
#: Most paths that an artifact's box looks at.
MAX_READS = 200
MEASURING = 'measures by %s the process of the tests, and the artifact runs in another'
#: Functions that call the one which they are given.
CALLERS = {'map', 'filter', 'functools.partial', 'functools.reduce'}
#: Programs that run what they read.
SHELLS = {'sh', 'bash', 'dash', 'zsh', 'python', 'python3', 'node', 'perl', 'ruby'}
#: Names of which the path of a file of the suite is made.
PATH_PARTS = {'__file__', 'Path', 'PurePath', 'pathlib', 'os', 'str'}
LOADERS = {'import_module', '__import__', 'importorskip', 'reload'}
#: Files that pytest reads; modules are searched in their folders.
TEST_FILE = re.compile(r'(?:test_.*|.*_test|conftest)\.py$')
#: Modules of the packages that the suite declares.
DECLARED = {name.partition('.')[0] for name in (os.listdir(PACKAGES) if os.path.isdir(PACKAGES) else ()) if '-' not in name}


def is_class_name(name):
    bare = name.lstrip('_')
    return bare[:1].isupper() and (not bare.isupper() or len(bare) == 1 or bare.isalpha() and len(bare) <= 4)


def parse_files(folder):
    for top, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith('.py'):
                path = os.path.join(top, name)
                try:
                    with open(path, encoding='utf-8') as file:
                        yield os.path.relpath(path, folder), ast.parse(file.read())
                except (SyntaxError, ValueError, UnicodeDecodeError):
                    continue  # pytest says what is wrong with it.


def dotted(node):
    """`a.b.c` of a chain of names, or None."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return '.'.join([node.id] + parts[::-1])


def is_text(node):
    """True for `'not %s' % x`."""
    return isinstance(node.op, ast.Mod) and (isinstance(node.left, ast.JoinedStr) or isinstance(node.left, ast.Constant) and type(node.left.value) in (str, bytes))


def is_literal(node):
    """True for a value that is written where it stands."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def is_safe_loader(path, given):
    """True for `yaml.load(text, Loader=yaml.SafeLoader)`, which makes plain values."""
    return path.startswith('yaml.load') and any((dotted(each) or '').endswith(('SafeLoader', 'BaseLoader')) for each in given)


class File(ast.NodeVisitor):
    """What one file imports and does."""

    def __init__(self, name, own, library, files):
        self.name, self.own, self.library = name, own, library
        #: Paths of all files of the suite, and the package from which relative imports of this one start.
        self.files, self.package = files, package_of(name, files)
        self.modules, self.classes, self.used, self.texts = set(), set(), set(), set()
        #: Imports of packages that the suite declares, and all others but of the library: (line, module).
        self.declared, self.asked = [], []
        #: Imports that the file cannot do without: (line, module); and those that it can, by what stands around them.
        self.needed, self.optional = [], set()
        self.aliases, self.members, self.star = {}, {}, set()
        #: Names that it imports of other files of the suite; True where it imports any of them.
        self.passed_on, self.imports_own = set(), False
        self.targets, self.unsupported, self.own_classes = set(), [], set()
        #: Paths of what it reads of modules of the library.
        self.reads = set()
        self.instances, self.fixtures, self.bound, self.results = {}, {}, set(), {}
        #: Variables with text that this box has made itself, and functions of the file.
        self.texts_of_own, self.own_functions = set(), set()
        #: Expressions that are called, or of which an attribute is read.
        self.applied = set()
        #: What expressions are made of the file's own.
        self.own_texts = None
        #: Functions of the artifact whose results the file changes, and calls of methods of their results, by function.
        self.makers, self.calls_of_methods = set(), []
        #: Names of the artifact whose results the file changes, and those that stand where a class does.
        self.shown, self.used_as_classes, self.owners = set(), set(), {}
        #: Fixtures, and attributes of a test's class, that hold what a function of the artifact answers.
        self.made_by, self.own_results, self.kept = {}, {}, {}
        #: Variables of a function with what a method of an object of the artifact answers, by the name of the method.
        self.method_results = {}

    def is_foreign(self, module):
        top = module.split('.')[0]
        return top not in self.library and top not in TEST_TOOLS and top not in self.own and module not in self.own

    def note(self, node, text, kind=None):
        self.unsupported.append({'file': self.name, 'line': node.lineno, 'construct': text, 'class': kind})

    def ask(self, node, module):
        if module.split('.')[0] not in self.library:
            self.asked.append((node.lineno, module))

    def need(self, node, module):
        if node not in self.optional and self.is_foreign(module):
            self.needed.append((node.lineno, module.split('.')[0]))

    def visit_Import(self, node):
        for each in node.names:
            self.ask(node, each.name)
            self.need(node, each.name)
            if self.is_foreign(each.name):
                self.modules.add(each.name)
            elif each.name in self.own:
                self.imports_own = True
            elif each.name.split('.')[0] in DECLARED:
                self.declared.append((node.lineno, each.name))
            self.aliases[each.asname or each.name.split('.')[0]] = each.name if each.asname else each.name.split('.')[0]

    def visit_ImportFrom(self, node):
        if node.level:
            if self.package is not None and not is_own_relative(self.name, node.level, node.module, self.files):
                self.import_names(node, absolute_of(self.package, node.level, node.module))
                return
            self.imports_own = True
            self.passed_on |= {each.name for each in node.names}
            return
        if node.module in self.own:
            self.imports_own = True
            self.passed_on |= {each.name for each in node.names}
        self.import_names(node, node.module)

    def import_names(self, node, module):
        """Notes what a statement imports of a module by its whole name."""
        if not module:
            return
        if module.split('.')[0] in DECLARED:
            self.declared.append((node.lineno, module))
        self.ask(node, module)
        self.need(node, module)
        for each in node.names:
            if not self.is_foreign(module):
                self.aliases[each.asname or each.name] = module + '.' + each.name
                continue
            self.modules.add(module)
            if each.name == '*':
                self.star.add(module)
                continue
            self.members[each.asname or each.name] = (module, each.name)
            self.modules.add(module + '.' + each.name)  # A module, if it has one of that name.
            if is_class_name(each.name):
                self.classes.add((module, each.name))

    def visit_Name(self, node):
        self.used.add(node.id)
        self.check_unwatched(node)

    def check_unwatched(self, node):
        """Notes what makes objects of texts and is given as it is: `LOADERS = {'yaml': yaml.unsafe_load}`."""
        if id(node) not in self.applied and isinstance(node.ctx, ast.Load) and self.library_path(dotted(node) or '') in UNWATCHED:
            self.note(node, 'runs by %s() what may be an answer' % dotted(node))

    def asked_of_own(self, tree):
        """Names that the file takes from other files of the suite: those that it imports, and `helpers.Stack`."""
        paths = [(dotted(node.value), node.attr) for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
        return self.passed_on | {name for path, name in paths if path in self.aliases and self.aliases[path] in self.own}

    def foreign_attribute(self, node):
        """(module, name) of `solution.Stack`."""
        path = dotted(node)
        if path is None:
            return None
        first, _, rest = path.partition('.')
        whole = self.aliases.get(first)
        if whole is None or not rest or not self.is_foreign(whole):
            return None
        module, _, name = (whole + '.' + rest).rpartition('.')
        return module, name

    def visit_Constant(self, node):
        if isinstance(node.value, str) and node.value.startswith('/proc/self'):
            self.note(node, MEASURING % node.value[:100])

    def visit_Compare(self, node):
        found = unchanged_in(node, self.own_texts.bound, self.path_in_library)
        if found is not None:
            self.note(node, MEASURING % found)
        self.generic_visit(node)

    def path_in_library(self, node):
        """`time.sleep` of what names something of a module of the library, or of a function of the language; None for others."""
        path = dotted(node)
        if path is None or path.partition('.')[0] not in self.aliases and '.' in path:
            return None
        whole = self.library_path(path)
        return whole if whole.partition('.')[0] in self.library or '.' not in whole else None

    def visit_Attribute(self, node):
        self.applied.add(id(node.value))
        if isinstance(node.ctx, ast.Load) and is_apart(self.path_in_library(node)):
            self.reads.add(self.path_in_library(node))
        self.check_unwatched(node)
        found = self.foreign_attribute(node)
        if found is not None:
            self.modules.add(found[0])
            self.ask(node, found[0])
            if is_class_name(found[1]):
                self.classes.add(found)
            if found[1] in ('__file__', '__path__'):
                self.note(node, 'reads where the artifact is stored')
        self.generic_visit(node)

    def class_of(self, node):
        """The artifact's class that an expression names, or None."""
        if isinstance(node, ast.Name):
            if node.id in self.members and is_class_name(self.members[node.id][1]):
                return self.members[node.id][1]
            if self.star and is_class_name(node.id) and node.id not in self.own_classes and not hasattr(builtins, node.id) \
                    and node.id not in self.aliases:
                return node.id
        found = self.foreign_attribute(node) if isinstance(node, ast.Attribute) else None
        return found[1] if found is not None and is_class_name(found[1]) else None

    def visit_ClassDef(self, node):
        self.own_classes.add(node.name)
        for base in node.bases:
            if self.executor_of(base):
                self.note(node, 'runs by a class of %s() what may be an answer' % self.executor_of(base))
            found = self.class_of(base) or (self.name_of(base) or ('', ''))[1]
            # Tests that the artifact passes on, and what its class adds to one, would be its word.
            if found and (node.name.startswith('Test') or any(
                    isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each.name.startswith('test') for each in node.body)):
                self.note(node, 'derives a class of tests from %s of the artifact' % found)
        outer, self.own_results = self.own_results, {}
        for part in ast.walk(node):
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Attribute) and self.function_of(part.value):
                self.own_results[dotted(part.targets[0])] = self.function_of(part.value)
        self.generic_visit(node)
        self.own_results = outer

    def is_instance(self, node):
        """The class of an object that the test makes here of a class of the artifact, or None."""
        if isinstance(node, ast.Call):
            return self.class_of(node.func)
        if isinstance(node, ast.Name):
            return self.instances.get(node.id)
        if isinstance(node, ast.BinOp) and not is_text(node):
            return self.is_instance(node.left) or self.is_instance(node.right)
        return None

    def function_of(self, node):
        """The function of the artifact, as it is named there, whose result an expression is; None for classes and others."""
        if isinstance(node, ast.Await):
            node = node.value
        if isinstance(node, ast.Name):
            return self.results.get(node.id)
        found = self.name_of(node.func) if isinstance(node, ast.Call) else None
        return found[1] if found and not is_class_name(found[1]) else None

    def method_of(self, node):
        """The method of an object that the test makes of a class of the artifact, whose result an expression is, with the class; None for others."""
        if isinstance(node, ast.Await):
            node = node.value
        owner = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        kind = self.is_instance(owner.value) if owner is not None and isinstance(owner.value, (ast.Name, ast.Call)) else None
        return '%s.%s' % (kind, owner.attr) if kind and owner.attr not in VALUE_METHODS and not owner.attr.startswith('_') else None

    def name_of(self, node):
        """(module, name) of what an expression names in a module of the artifact, or None."""
        if isinstance(node, ast.Name):
            found = self.members.get(node.id)
        else:
            found = self.foreign_attribute(node) if isinstance(node, ast.Attribute) else None
        if not found or is_class_name(found[0].rpartition('.')[2]):
            return None
        self.owners.setdefault(found[1], set()).add(found)
        return found

    def visit_class_use(self, node):
        """What stands where only a class can is one, however it is written."""
        for each in node.elts if isinstance(node, ast.Tuple) else [node]:
            found = self.name_of(each)
            if found:
                self.used_as_classes.add(found)

    def visit_change(self, node):
        """A result that the test changes is an object: `s.push(1)`, `d['a'] = 1`, `p.x = 2`.

        What plain containers can do as well shows it only for a class.
        """
        owner = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None
        found = self.function_of(owner) or self.kept.get(dotted(owner)) or self.method_results.get(dotted(owner))
        if not found:
            return
        self.shown |= self.owners.get(found, set())
        if isinstance(node, ast.Attribute) and node.attr not in VALUE_METHODS:
            self.makers.add(found)

    def visit_Expr(self, node):
        called = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute):
            self.visit_change(called.func)
        self.generic_visit(node)

    def visit_Assign(self, node):
        for each in node.targets:
            self.visit_change(each)
        if isinstance(node, ast.Assign) and self.executor_of(node.value):
            self.note(node, 'runs by %s() what may be an answer' % self.executor_of(node.value))
        self.generic_visit(node)

    visit_Delete = visit_Assign

    def visit_AugAssign(self, node):
        self.visit_change(node.target)
        self.generic_visit(node)

    def visit_arg(self, node):
        self.visit_class_use(node.annotation)
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        self.visit_class_use(node.annotation)
        self.visit_change(node.target)
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        for each in node.decorator_list:
            owner = each.func if isinstance(each, ast.Call) else each
            if node.name.startswith('test') and (isinstance(owner, ast.Name) and owner.id in self.members or
                                                 isinstance(owner, ast.Attribute) and self.foreign_attribute(owner)):
                self.note(node, 'leaves it to the artifact to run the test %s()' % node.name)
        outer, outer_results = self.instances, self.results
        self.results = {}
        for part in ast.walk(node):
            if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
                found = self.function_of(part.value)
                if found:
                    self.results[part.targets[0].id] = found
                else:
                    self.results.pop(part.targets[0].id, None)
        self.kept = {**self.own_results, **{each.arg: self.made_by[each.arg] for each in node.args.args if each.arg in self.made_by}}
        self.instances = {each.arg: self.fixtures[each.arg] for each in node.args.args if each.arg in self.fixtures}
        for part in ast.walk(node):
            if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
                kind = self.is_instance(part.value)
                if kind:
                    self.instances[part.targets[0].id] = kind
                else:
                    self.instances.pop(part.targets[0].id, None)
        outer_methods, self.method_results = self.method_results, {}
        for part in ast.walk(node):
            if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name):
                name = self.method_of(part.value)
                if name:
                    self.method_results[part.targets[0].id] = name
                else:
                    self.method_results.pop(part.targets[0].id, None)
        self.generic_visit(node)
        self.instances, self.results, self.method_results = outer, outer_results, outer_methods

    visit_AsyncFunctionDef = visit_FunctionDef

    def library_path(self, path):
        """`pickle.loads` of `p.loads` or `loads`, whatever the file calls it."""
        first, _, rest = path.partition('.')
        whole = self.aliases.get(first, first)
        return whole + ('.' + rest if rest else '')

    def is_safe_text(self, node):
        """True for text that no answer is part of: a constant, or what this box has made of a value itself."""
        if isinstance(node, ast.Name):
            return node.id in self.texts_of_own or self.own_texts.is_own(node)
        if isinstance(node, ast.Call) and self.own_texts.is_own(node):
            return True
        if isinstance(node, ast.Call):
            return (dotted(node.func) or '').rpartition('.')[2] in ('repr', 'dumps', 'BytesIO') and \
                (not node.args or (dotted(node.func) or '').rpartition('.')[2] != 'BytesIO' or self.is_safe_text(node.args[0]))
        return isinstance(node, ast.Constant) or self.is_own_path(node) or is_literal(node) or self.own_texts.is_own(node)

    def is_own_path(self, node):
        """True for the path of a file of the suite, or what such a file holds: `Path(__file__).parent / 'a.ini'`."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        own = names & self.texts_of_own
        calls = [dotted(each.func) or '' for each in ast.walk(node) if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
        # `os.getcwd()` and `Path.cwd()` are no files of the suite.
        is_elsewhere = any(each.rpartition('.')[2] in ('cwd', 'getcwd', 'home', 'getenv', 'open', 'popen') for each in calls)
        return ('__file__' in names or bool(own)) and names <= PATH_PARTS | own and not is_elsewhere and 'environ' not in ast.dump(node)

    def executor_of(self, node):
        """The function that runs what it is given, as it is named there, which an expression names; None for others."""
        path = dotted(node) or ''
        is_own = path.partition('.')[0] in self.members or path in self.own_functions
        return path if self.library_path(path) in EXECUTORS and not is_own else None

    def visit_execution(self, node, path):
        """An answer that is run here could decide what its own tests come to."""
        if path.partition('.')[0] in self.members or path in self.own_functions:
            return
        whole = self.library_path(path)
        given = [*node.args, *(each.value for each in node.keywords)]
        named = {each.arg: each.value for each in node.keywords}
        # The others take a name before the path.
        runs = given if whole.startswith(('importlib.', 'imp.')) else given[:1]
        if whole in EXECUTORS and not all(map(self.is_safe_text, runs)) and not is_safe_loader(whole, [*node.args[1:], *named.values()]):
            self.note(node, 'runs by %s() what may be an answer' % path)
        if whole == 'numpy.load' and 'allow_pickle' in named and not self.is_safe_text(given[0]):
            self.note(node, 'runs by %s() what may be an answer' % path)
        if whole in CALLERS and given and self.executor_of(given[0]):
            self.note(node, 'runs by %s() what may be an answer' % self.executor_of(given[0]))
        if whole in CALLS or whole == 'locale.setlocale' and len(given) == 1:
            self.note(node, MEASURING % ('%s()' % path))
        if whole not in STARTERS or not given:
            return
        command = ast.List(elts=node.args) if whole.startswith('asyncio.') else given[0]
        inputs = [named[name] for name in ('input', 'stdin') if name in named and not (dotted(named[name]) or '').startswith('subprocess.')]
        if not self.is_plain_command(command):
            self.note(node, 'starts by %s() a program that may be the artifact or one of its answers' % path)
        elif 'cwd' in named and not self.is_safe_text(named['cwd']):
            self.note(node, 'starts by %s() a program in a folder in which the artifact may have written' % path)
        elif not all(map(self.is_safe_text, inputs)):
            self.note(node, 'gives by %s() a program what may be an answer' % path)

    def is_plain_command(self, node):
        parts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]
        for part in parts:
            if dotted(part) and self.library_path(dotted(part)) == 'sys.executable':
                continue
            if not isinstance(part, ast.Constant):
                return False
        words = [part.value for part in parts if isinstance(part, ast.Constant)]
        reads = len(parts) == 1 and (not words or os.path.basename(str(words[0])) in SHELLS) or '-' in words
        # Files and modules of the artifact are not in this box.
        return not reads and '-m' not in words and not any(isinstance(word, str) and word.endswith('.py') for word in words)

    def visit_Call(self, node):
        self.applied.add(id(node.func))
        path = dotted(node.func) or ''
        self.visit_execution(node, path)
        name = path.rpartition('.')[2]
        if isinstance(node.func, ast.Attribute) and not node.func.attr.startswith('_') and node.func.attr not in VALUE_METHODS:
            found = self.function_of(node.func.value)
            # Classes that the file knows by name may be what is answered.
            if found:
                self.calls_of_methods.append((node, node.func.attr, found))
            owner = node.func.value
            if isinstance(owner, ast.BinOp) and isinstance(owner.right if self.function_of(owner.left) else owner.left, ast.Constant):
                found = self.function_of(owner.left) or self.function_of(owner.right)
                if found:
                    self.note(node, 'calls the method %s() of what is calculated from an answer of %s()' % (node.func.attr, found), found)
        texts = [each.value for each in node.args[:1] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if name in LOADERS and texts and self.is_foreign(texts[0]):
            self.modules.add(texts[0])
        if name == 'reload' and node.args and self.aliases.get(dotted(node.args[0]) or ''):
            if self.is_foreign(self.aliases[dotted(node.args[0])]):
                self.note(node, 'reloads a module of the artifact')
        if name in ('getsource', 'getsourcefile', 'getfile', 'run_path', 'run_module', 'signature'):
            arg = dotted(node.args[0]) if node.args else None
            whole = self.aliases.get(arg or '')
            if name.startswith('run_') or arg and (arg.split('.')[0] in self.members or self.foreign_attribute(node.args[0])) \
                    or whole is not None and self.is_foreign(whole):
                self.note(node, 'asks for the source or signature of the artifact by %s()' % name)
        if name in ('isinstance', 'issubclass', 'assertIsInstance', 'assertNotIsInstance') and len(node.args) > 1:
            self.visit_class_use(node.args[1])
        if name in PATCHERS or path.endswith('patch.object') or path.endswith('patch.dict'):
            self.visit_patch(node, texts)
        self.generic_visit(node)

    def note_methods(self):
        """Notes methods of results that nothing shows to be objects. Classes that the file knows by name may be what is answered."""
        shown = {name for _, name in self.used_as_classes} | self.makers
        for node, method, owner in self.calls_of_methods:
            if not self.classes and owner not in shown and not MAKES_OBJECTS.match(owner):
                self.note(node, 'calls the method %s() of what %s() answers' % (method, owner), owner)

    def visit_patch(self, node, texts):
        if texts and '.' in texts[0]:
            module = texts[0].rpartition('.')[0]
            if module.split('.')[0] in self.library:
                self.targets.add(texts[0])
            elif self.is_foreign(module):
                self.ask(node, module)
                parts = module.split('.')
                self.modules.update('.'.join(parts[:count]) for count in range(1, len(parts) + 1))
        elif len(node.args) >= 2 and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str):
            owner = dotted(node.args[0])
            if owner:
                first, _, rest = owner.partition('.')
                whole = self.aliases.get(first, first) + ('.' + rest if rest else '')
                if whole.split('.')[0] in self.library:
                    self.targets.add(whole + '.' + node.args[1].value)


def fixtures_of(tree, file):
    """Fixtures that return an object of a class of the artifact."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any('fixture' in (dotted(each.func if isinstance(each, ast.Call) else each) or '')
                                                     for each in node.decorator_list):
            for part in ast.walk(node):
                if isinstance(part, (ast.Return, ast.Yield)) and part.value is not None:
                    kind = file.class_of(part.value.func) if isinstance(part.value, ast.Call) else None
                    if kind:
                        found[node.name] = kind
                    elif file.function_of(part.value):
                        file.made_by[node.name] = file.function_of(part.value)
    return found


class OwnModules:
    """The files of a suite as modules: those beside its tests go before the artifact's."""

    def __init__(self, trees):
        self.trees = dict(trees)
        self.folders = {''} | {os.path.dirname(name) for name in self.trees if TEST_FILE.match(os.path.basename(name))}

    def file_of(self, module):
        """The file that an import of a module finds in the suite, or None. A package without a line of code leaves names to the artifact."""
        path = module.replace('.', os.sep)
        for folder in sorted(self.folders):
            for name in (path + '.py', os.path.join(path, '__init__.py')):
                found = self.trees.get(os.path.join(folder, name))
                if found is not None and found.body:
                    return os.path.join(folder, name)
        return None


def imports_of(files, trees):
    """Modules that only an artifact can have; and (file, line, reason) of the first import of something else, for which every
    artifact would pass where there are none: a declared package may need the released form of what is judged, and a file of the suite
    may be the program that its author wrote the tests with."""
    own, found, instead = OwnModules(trees), set(), None
    for file, _ in files:
        for line, module in file.asked:
            if module.split('.')[0] in TEST_TOOLS:
                continue
            path = own.file_of(module)
            if path is None:
                found.add(module)
            else:
                what = "%s is the suite's own file %s. Remove it from the suite, or give it as the reference" % (module, path)
                instead = instead or (file.name, line, what)
        for line, module in file.declared:
            instead = instead or (file.name, line, '%s is of a package that the suite declares' % module)
    return sorted(found), instead


def optional_imports(tree):
    """Imports below `try`, `if` or `with`: a test may do without what they name, or expect it to be missing."""
    return {part for node in ast.walk(tree) if isinstance(node, (ast.Try, ast.If, ast.With, ast.AsyncWith))
            for part in ast.walk(node) if isinstance(part, (ast.Import, ast.ImportFrom))}


def required_of(files, trees):
    """The first place that imports each module which only an artifact can have, of those that the files cannot do without."""
    own, found = OwnModules(trees), {}
    folders = {name.partition(os.sep)[0] for name, _ in trees if os.sep in name}
    for file, _ in files:
        for line, module in file.needed:
            if module not in folders and own.file_of(module) is None:
                found.setdefault(module, {'file': file.name, 'line': line, 'module': module})
    return list(found.values())[:200]


def read_suite(folder, library=None):
    """Modules that the files name, classes that their syntax shows, names that star imports may take, library functions that
    they replace, and what cannot be done across two boxes; with the files, each as what was found in it and its tree."""
    library = library or set(getattr(sys, 'stdlib_module_names', ())) | set(sys.builtin_module_names) | DECLARED
    trees = list(parse_files(folder))
    own, paths = set(), {name for name, _ in trees}
    for name, _ in trees:
        module = name[:-3].replace(os.sep, '.')
        own.update((module, module.split('.')[-1]))
    modules, classes, makers, starred, targets, reads, unsupported = set(), set(), set(), set(), set(), set(), []
    loads, files = False, []
    for name, tree in trees:
        file = File(name, own, library, paths)
        file.optional, file.own_texts = optional_imports(tree), OwnTexts(tree)
        file.bound = {node.name for node in tree.body if hasattr(node, 'name')}
        file.bound |= {each.id for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign)) for each in ast.walk(node)
                       if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        file.own_functions = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                file.visit(node)
        files.append((file, tree))
    stars = {module for file, _ in files for module in file.star}
    for file, tree in files:
        # Another file of the suite passes on what it has imported so.
        if file.imports_own:
            file.star |= stars
        file.fixtures = fixtures_of(tree, file)
        assigned = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                assigned.setdefault(node.targets[0].id, []).append(node.value)
        # A loop or a parameter gives a name other values.
        bound = [node.arg if isinstance(node, ast.arg) else node.id for node in ast.walk(tree)
                 if isinstance(node, ast.arg) or isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        file.texts_of_own = {name for name, values in assigned.items()
                             if len(values) == bound.count(name) and not file.own_texts.changes_by_others(name) and all(not isinstance(value, ast.Name) and file.is_safe_text(value) for value in values)}
        file.visit(tree)
        file.note_methods()
        modules |= file.modules
        classes |= file.classes | file.shown | file.used_as_classes
        makers |= file.makers
        targets |= file.targets
        reads |= file.reads
        unsupported += file.unsupported
        text = ast.dump(tree)
        if 'stdin' in text:
            targets.add('sys.stdin')
        if 'input' in file.used or "'builtins.input'" in text:
            targets.add('builtins.input')
        if file.star:
            used = file.used - file.bound - set(file.aliases) - set(file.members) | file.asked_of_own(tree)
            starred |= used
            classes |= {(module, each) for module in file.star for each in used if is_class_name(each)}
        loads = loads or any(name in text for name in LOADERS)
    # What one file imports of the library, no star of another brings.
    starred -= set(dir(builtins)) | {'__file__'} | {name for file, _ in files for name in file.aliases if name in library | TEST_TOOLS}
    imports, instead = imports_of(files, trees)
    if instead is None and files:
        instead = files[0][0].name, 1, 'every artifact would pass'
    if instead is not None and not imports and not loads:
        name, line, what = instead
        unsupported.append({'file': name, 'line': line, 'class': None, 'construct': 'imports nothing of the artifact: ' + what})
    return {'modules': sorted(modules), 'classes': sorted([list(each) for each in classes]), 'makers': sorted(makers), 'starred': sorted(starred),
            'targets': sorted(targets), 'reads': sorted(reads)[:MAX_READS], 'imports': imports,
            'required': required_of(files, trees), 'unsupported': unsupported[:200]}, files
