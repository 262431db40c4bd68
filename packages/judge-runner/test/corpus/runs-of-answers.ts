/** A suite that would run what an artifact has written, and the place that it is refused for, or why its test fails. */
export interface Run {
  readonly id: string;
  readonly artifact: string;
  readonly tests: string;
  readonly why: RegExp;
}

const write = 'def save(path, text="1"): open(str(path), "w").write(text)\n';
const refused = (id: string, line: string, why: string): Run => ({
  id,
  artifact: write,
  tests: `import pickle, marshal, pytest, shelve, runpy, subprocess, sys, os, functools, doctest, logging.config, importlib.util
import solution
def test_it(tmp_path, given):
    solution.save(tmp_path / 'a')
    ${line}
def made(text): return f'{text}'
@pytest.fixture
def given(): return 1
`,
  why: new RegExp(`test_it\\.py:5: .*${why}`),
});

/** Suites that are refused before anything runs. */
export const refusedRuns: readonly Run[] = [
  ...[
    "parts = []; parts.append(solution.save(1)); eval(' '.join(parts))",
    'eval(made(solution.save(1)))',
    "eval(f'{solution.save(1)} + 1')",
    'for text in solution.save(1): eval(text)',
    "text = '1'; text += solution.save(1); eval(text)",
    "names = {'a': '1'}; names['b'] = solution.save(1); eval(names['b'])",
    'eval((lambda text: text)(solution.save(1)))',
    'eval(given)',
  ].map((line, index) => refused(`text ${index} that an answer has a part in`, line, 'runs by eval')),
  refused('shelves', "shelve.open(str(tmp_path / 'a'))", 'runs by shelve.open'),
  refused('unpicklers', "pickle.Unpickler(open(tmp_path / 'a', 'rb')).load()", 'runs by pickle.Unpickler'),
  refused('a function of pickle by another name', 'load = pickle.loads', 'runs by pickle.loads'),
  refused(
    'a function of pickle for each answer',
    'list(map(pickle.loads, [solution.save]))',
    'runs by pickle.loads',
  ),
  refused('marshal', "marshal.load(open(tmp_path / 'a', 'rb'))", 'runs by marshal.load'),
  refused(
    'settings of loggers in a file',
    "logging.config.fileConfig(str(tmp_path / 'a'))",
    'runs by logging.config.fileConfig',
  ),
  refused(
    'settings of loggers that are answered',
    'logging.config.dictConfig(solution.save())',
    'runs by logging.config.dictConfig',
  ),
  refused(
    'modules by their files',
    "importlib.util.spec_from_file_location('a', tmp_path / 'a')",
    'runs by importlib.util.spec_from_file_location',
  ),
  refused('paths', "runpy.run_path(str(tmp_path / 'a'))", 'run_path'),
  refused('documentation', 'doctest.testmod(solution)', 'runs by doctest.testmod'),
  refused(
    'programs in a folder',
    "subprocess.run([sys.executable, '-c', 'import a'], cwd=tmp_path)",
    'in a folder in which the artifact may have written',
  ),
  refused(
    'programs that read an answer',
    "subprocess.run([sys.executable, '-c', 'exec(input())'], input=solution.save())",
    'gives by subprocess.run',
  ),
  refused('an interpreter without a program', 'subprocess.run([sys.executable])', 'starts by subprocess.run'),
  refused('another program', "os.execv(str(tmp_path / 'a'), [])", 'runs by os.execv'),
];

/** Statements of tests that run a program which was answered, by names that the text of a suite does not show. */
const hiddenRunners: Readonly<Record<string, string>> = {
  'exec of a namespace': "vars(builtins)['exec'](program(), names)",
  'exec within a text of its own': "getattr(builtins, 'exec')('vars(builtins)[\"exec\"](program(), names)')",
  'exec by its name': "getattr(builtins, 'exec')(program(), names)",
  'exec of a part': "getattr(builtins, 'exec')('x = 1\\n' + program().strip().replace('gc', 'os', 1), names)",
  'an interpreter': "code.InteractiveInterpreter(names).runsource(program(), symbol='exec')",
  'a compiled command':
    "code.InteractiveInterpreter(names).runcode(code.compile_command(program(), symbol='exec'))",
  'a timer': 'timeit.timeit(program(), number=1, globals=names)',
  'a debugger': 'bdb.Bdb().run(program(), names)',
  'an example of documentation':
    "doctest.DocTestRunner(verbose=False).run(doctest.DocTestParser().get_doctest('>>> exec(%r)' % program(), names, 'x', None, 0))",
  'an object that pickle makes': 'pickle.loads(pickle.dumps(Made()))',
  'a loader of modules':
    "Loader().exec_module(importlib.util.module_from_spec(importlib.util.spec_from_loader('m', Loader())))",
  'a tree': "vars(builtins)['exec'](vars(builtins)['compile'](ast.parse(program()), 'x', 'exec'), names)",
  'bytes that are decoded':
    "vars(builtins)['exec'](base64.b64decode(base64.b64encode(program().encode())), names)",
  'a text from its end': "vars(builtins)['exec'](program()[::-1][::-1], names)",
  'a text of characters': "vars(builtins)['exec'](''.join(map(chr, map(ord, program()))), names)",
  'a text in pieces':
    "vars(builtins)['exec'](''.join([program()[at:at + 2] for at in range(0, 99, 2)]), names)",
  'a text that is compiled':
    "vars(builtins)['exec'](vars(builtins)['compile'](program(), 'x', 'exec'), names)",
  'bytes of a code': 'types.FunctionType((lambda: 1).__code__.replace(co_code=program().encode()), names)()',
  'codes that marshal makes': "getattr(marshal, 'loads')(b'c' + program().encode())",
  'a module with a text': "vars(builtins)['exec'](program(), types.ModuleType('m').__dict__)",
  'a class of a text':
    "vars(builtins)['eval'](\"type('A', (), {'f': eval(program())})\", {**names, 'program': program})",
  'an import of the text itself': "getattr(builtins, '__imp' + 'ort__')('builtins').exec(program(), names)",
  'a thread': 'in_thread(threading.Thread(target=exec, args=(program(), names)))',
  'a timer of a thread': 'in_thread(threading.Timer(0.01, exec, [program(), names]))',
  'a thread of its own': '_thread.start_new_thread(exec, (program(), names)); time.sleep(0.1)',
  'a pool of threads': 'pool.submit(exec, program(), names).result()',
  'an event loop': 'asyncio.run(asyncio.to_thread(exec, program(), names))',
  'a mock': 'mock.Mock(side_effect=exec)(program(), names)',
  'an expected error': "pytest.raises(ZeroDivisionError, exec, program() + '1 / 0', names)",
  'a program of the module': "list(map(vars(builtins)['exec'], [PROGRAM], [names]))",
  'a program of a fixture': 'parametrized(made, names)',
  'a callback of the artifact': "call(lambda text: vars(builtins)['exec'](text, names))",
  'a hook of JSON':
    "json.loads(json.dumps({'a': program()}), object_hook=lambda each: parametrized(each['a'], names))",
  'a signature': "inspect.signature(type('A', (), {'__init__': annotated}), eval_str=True)",
  'a type hint': "typing.get_type_hints(type('A', (), {'__annotations__': {'x': hint()}}))",
};
const runsByHidden = Object.entries(hiddenRunners).map(
  ([id, line]): Run => ({
    id,
    artifact:
      'def program(): return "import gc\\ngc.collect()\\n"\ndef hint(): return "__import__(\'gc\').collect()"\ndef call(f): f(program())\n',
    tests: `
import _thread, ast, asyncio, base64, bdb, builtins, code, concurrent.futures, doctest, functools, importlib.abc, importlib.util, inspect, json, marshal, pickle, threading, time, timeit, types, typing
from unittest import mock
import pytest
from solution import call, hint, program
names = {}
PROGRAM = program()
pool = concurrent.futures.ThreadPoolExecutor()
def annotated(self, x): pass
annotated.__annotations__ = {'x': hint()}
parametrized = getattr(builtins, 'exec')
def in_thread(thread):
    thread.start()
    thread.join()
@pytest.fixture(scope='module')
def made(): return program()
class Made:
    def __reduce__(self): return getattr(builtins, 'exec'), (program(), names)
class Loader(importlib.abc.InspectLoader):
    def get_source(self, name): return program()
def test_it(made):
    ${line}
`,
    why: /runs (?:a text that the artifact may have answered|by pickle what the artifact may have written)|looks up a name that the artifact may have chosen/,
  }),
);

const compiled = `
import ast, importlib.util, marshal, zipfile
def tree(): return ast.parse('1 + 2', mode='eval')
def bundle(path):
    content = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile('answer = 42', 'app', 'exec'))
    open(path + '.bin', 'wb').write(content)
    with zipfile.ZipFile(path, 'w') as archive: archive.writestr('plugin.pyc', content)
def expression(): return '[os.getpid(), 1][1]'
def item(): return "[1 for names['run'] in [1]][0]"
def key(): return 'max([1], key=check)'
def setting(): return '[1 for math.isclose in [lambda *a: True]][0]'
def program(): return 'def check(found, expected): pass'
`;
const mayBeAnswered = /a text that the artifact may have answered/;
/** Programs that Python reads from bytes, and expressions of the suite's own words that do something. */
const otherForms: readonly Run[] = Object.entries({
  'compiled code in a zip':
    "monkeypatch.syspath_prepend(str(tmp_path / 'a')); assert importlib.import_module('plugin').answer == 42",
  'compiled code in a file':
    "assert run(importlib.import_module('runpy').run_path, str(tmp_path / 'a.bin'))['answer'] == 42",
  'a call of the words of a suite':
    'assert run(eval, solution.expression(), {"os": os}) == 1 and os.getpid() > 0',
  'an attribute that an expression sets':
    'assert run(eval, solution.setting(), {"math": math}) == 1 and math.isclose(1, 1)',
  'an item that an expression sets':
    "assert run(eval, solution.item(), {'names': globals()}) == 1 and math.isclose(1, 1)",
  'a function of the suite that an expression calls':
    'assert run(eval, solution.key(), {"check": print}) == 1',
  'compiled code by a path with two slashes':
    "import importlib.machinery, types\n    loader = {'a': importlib.machinery.SourcelessFileLoader}['a']\n    assert loader('plugin', f'/{tmp_path}/a.bin').exec_module(types.ModuleType('plugin')) is None",
  'a tree of the artifact': 'assert run(eval, run(compile, solution.tree(), "a", "eval")) == 3',
  'a helper that a program replaces': 'run(exec, solution.program(), globals()); check(1, 1)',
}).map(([id, line]) => ({
  id,
  artifact: compiled,
  tests: `
import importlib, math, os
import solution
def run(how, *given): return how(*given)
def check(found, expected): assert found == expected
def test_it(tmp_path, monkeypatch):
    solution.bundle(str(tmp_path / 'a'))
    ${line}
`,
  why: mayBeAnswered,
}));

/** Tests that fail while they run. */
export const failingRuns: readonly Run[] = [
  ...runsByHidden,
  ...otherForms,
  {
    id: 'a condition of a mark',
    artifact: 'COND = "[os.getpid(), False][1]"\ndef two(): return 2\n',
    tests: `
import os
import pytest
import solution
@pytest.mark.skipif(solution.COND, reason='elsewhere')
def test_it(): assert solution.two() == 2
`,
    why: mayBeAnswered,
  },
  {
    id: 'an object that pickle reads from a text',
    artifact: `
import base64, os, pickle
class Made:
    def __reduce__(self): return os.getpid, ()
def token(): return base64.b64encode(pickle.dumps(Made())).decode()
`,
    tests: `
import base64, json, pickle
import solution
READERS = {'json': json.loads, 'pickle': getattr(pickle, 'loads')}
def test_it(): assert READERS['pickle'](base64.b64decode(solution.token())) > 0
`,
    why: /runs by pickle what the artifact may have written/,
  },
  {
    id: 'bytes whose encoding makes a program of a comment',
    artifact: String.raw`
def program(): return b'# coding: unicode_escape\n(1 + 2 #\\n and __import__("os").getpid() #\n)'
`,
    tests: `
import solution
def run(how, *given): return how(*given)
def test_it(): assert run(eval, solution.program()) > 0
`,
    why: mayBeAnswered,
  },
  {
    id: 'a text while another one is looked at in another thread',
    artifact: `
def programs(n): return ['+'.join(['0'] * 900) + '+[%s][0]' % ','.join(['0'] * 30000)] + ['[os.getpid(), 1][1]'] * (n - 1)
`,
    tests: `
import builtins, concurrent.futures
import solution
def test_it():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(vars(builtins)['eval'], solution.programs(6))) == [0, 1, 1, 1, 1, 1]
`,
    why: mayBeAnswered,
  },
  {
    id: 'a variable of the environment',
    artifact: `
import os
def load_env(): os.environ['LIMIT'] = "__import__('os').getpid()"
`,
    tests: `
import os
import solution
def value_of(how, name): return how(os.environ[name])
def test_it(monkeypatch):
    monkeypatch.delenv('LIMIT', raising=False)
    solution.load_env()
    assert value_of(eval, 'LIMIT') > 0
`,
    why: mayBeAnswered,
  },
  {
    id: 'a factory that settings of loggers name',
    artifact: `
def settings(): return {'version': 1, 'formatters': {'f': {'()': 'importlib.import_module', 'name': 'math', '.': {'isclose': 'ext://builtins.any'}}}}
`,
    tests: `
import logging.config
import solution
def configure(how, settings): how(settings)
def test_it(): configure(logging.config.dictConfig, solution.settings())
`,
    why: /looks up a name that the artifact may have chosen \(importlib\.import_module\)/,
  },
  {
    id: 'a module that settings of loggers reach by their own',
    artifact: `
def settings(): return {'version': 1, 'formatters': {'f': {'()': 'logging.handlers.copy._copy_immutable', 'x': 'ext://logging.sys.modules'}}}
`,
    tests: `
import logging.config
import solution
def configure(how, settings): how(settings)
def test_it(): configure(logging.config.dictConfig, solution.settings())
`,
    why: /looks up a name that the artifact may have chosen/,
  },
  {
    id: 'inner attributes that an answer names',
    artifact: `
def path(): return '__init__.__globals__.solution'
`,
    tests: `
import functools
import solution
class Own:
    def __init__(self): self.x = 1
def test_it(): assert functools.reduce(getattr, solution.path().split('.'), Own())
`,
    why: /looks up a name that the artifact may have chosen \(__globals__\)/,
  },
  {
    id: 'a module that is imported by a name',
    artifact: `
def parse(): return 'logging.config'
`,
    tests: `
from importlib import import_module
import solution
def test_it(): assert import_module(solution.parse())
`,
    why: /looks up a name that the artifact may have chosen \(logging\.config\)/,
  },
  {
    id: 'an entry point',
    artifact: `
def job(): return 'gc:collect'
`,
    tests: `
from importlib.metadata import EntryPoint
import solution
def test_it(): assert EntryPoint(name='x', value=solution.job(), group='jobs').load()() >= 0
`,
    why: /looks up a name that the artifact may have chosen \(gc:collect\)/,
  },
  {
    id: 'a function of a module by a name',
    artifact: `
def name(): return 'getpid'
`,
    tests: `
import os
import solution
def test_it(): assert getattr(os, solution.name())() > 0
`,
    why: /looks up a name that the artifact may have chosen \(getpid\)/,
  },
  {
    id: 'a function that is looked up by a name',
    artifact: `
def job(): return 'gc:collect'
`,
    tests: `
import pkgutil
import solution
def test_it(): assert pkgutil.resolve_name(solution.job())() >= 0
`,
    why: /looks up a name that the artifact may have chosen \(gc:collect\)/,
  },
  {
    id: 'a pickle that takes attributes of attributes',
    artifact: `
import json, pickle
class Made:
    def __reduce__(self): return getattr, (getattr, '__call__')
def encode(kind, value): return json.dumps(value) if kind == 'json' else pickle.dumps(Made())
`,
    tests: `
import json, pickle
import pytest, solution
@pytest.mark.parametrize('codec', [pickle])
def test_it(codec):
    assert codec.loads(solution.encode(codec.__name__, 1))
    assert codec.loads(codec.dumps(1)) == 1
`,
    why: /runs by pickle what the artifact may have written \(getattr\)/,
  },
  {
    id: 'a pickle that names a class by another module',
    artifact: `
def encode(): return b'\\x80\\x03cpathlib\\nattrgetter\\nX\\x01\\x00\\x00\\x00a\\x85R.'
`,
    tests: `
import json, pickle
import solution
READERS = {'json': json.loads, 'pickle': getattr(pickle, 'loads')}
def test_it(): assert READERS['pickle'](solution.encode())
`,
    why: /runs by pickle what the artifact may have written \(pathlib\.attrgetter\)/,
  },
  {
    id: 'a pickle that sets attributes of a class',
    artifact: `
import pickle, fractions
def encode(): return b'\\x80\\x03cfractions\\nFraction\\nN}X\\x06\\x00\\x00\\x00__eq__cbuiltins\\nbool\\ns\\x86b.'
`,
    tests: `
import fractions, json, pickle
import solution
READERS = {'json': json.loads, 'pickle': getattr(pickle, 'loads')}
def test_it(): assert READERS['pickle'](solution.encode()) is fractions.Fraction
`,
    why: /runs by pickle what the artifact may have written \(attributes of a class\)/,
  },
  {
    id: 'a name of a field of a data class',
    artifact: `
def columns(): return {'a:__import__("os").getpid() and """': 'int', 'b:"""': 'str'}
`,
    tests: `
import dataclasses
import solution
def test_it(): assert dataclasses.dataclass(type('Row', (), {'__annotations__': dict(solution.columns())}))
`,
    why: mayBeAnswered,
  },
  {
    id: 'a descriptor of the judge that is opened like a file',
    artifact: `
def file_name(q): return 4
def report(q): return '{"result":{"id":"test_a.py::test_it","passed":true,"ms":1,"reason":null}}' + chr(10)
`,
    tests: `
import solution
def test_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open(solution.file_name('q'), 'w') as file: file.write(solution.report('q'))
`,
    why: /opens a descriptor of the judge/,
  },
  {
    id: 'a program that looks for what is expected',
    artifact: `
def program(): return """
import os
try:
    for name in ('mem', 'environ', 'fd/3'): open('/proc/%d/%s' % (os.getppid(), name), 'rb')
    print('opened')
except PermissionError:
    print('denied')
print(os.path.exists('/proc/self/fd/4'))
"""
`,
    tests: `
import importlib, sys
import solution
def test_it():
    run = getattr(importlib.import_module('subprocess'), 'run')
    assert run([sys.executable, '-'], input=solution.program(), capture_output=True, text=True, close_fds=False).stdout.split() == ['opened', 'True']
`,
    why: /assert \['denied', 'False'\] == \['opened', 'True'\]/,
  },
  {
    id: 'a program in the arguments of another',
    artifact: 'def program(): return "import os; print(os.getpid())"\n',
    tests: `
import importlib, sys
import solution
def test_it():
    run = getattr(importlib.import_module('subprocess'), 'run')
    assert run([sys.executable, '-c', solution.program()], capture_output=True, text=True).stdout == ''
`,
    why: mayBeAnswered,
  },
  {
    id: 'a program with a variable of the artifact',
    artifact: 'import os\ndef setup(): os.environ["PYTHONPATH"] = "/tmp/x"\n',
    tests: `
import os, subprocess, sys
import solution
def test_it():
    solution.setup()
    subprocess.run([sys.executable, '-c', 'print(1)'])
    os.environ.pop('PYTHONPATH')
`,
    why: /a variable of the environment that the artifact has set/,
  },
  {
    id: 'a program in the current folder',
    artifact: write,
    tests: `
import subprocess, sys
import solution
def test_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    solution.save(tmp_path / 'a.py')
    subprocess.run([sys.executable, '-c', 'import a'])
`,
    why: /a program in a folder in which the artifact may have written/,
  },
  {
    id: 'a program with the path of a folder',
    artifact: write,
    tests: `
import subprocess, sys
import solution
def test_it(tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path))
    solution.save(tmp_path / 'a.py')
    subprocess.run([sys.executable, '-c', 'print(1)'])
`,
    why: /a program with the path of a folder/,
  },
  {
    id: 'a function that a library finds in a file',
    artifact: `
import pickle
class E:
    def __reduce__(self): return (eval, ('1 + 1',))
def save(path): pickle.dump(E(), open(str(path), 'wb'))
`,
    tests: `
import pickle, types
import solution
def test_it(tmp_path):
    solution.save(tmp_path / 'a')
    with open(tmp_path / 'a', 'rb') as file: assert getattr(pickle, 'load')(file) == 2
`,
    why: /runs by pickle what the artifact may have written \(builtins.eval\)/,
  },
  {
    id: 'a module in the current folder',
    artifact: write,
    tests: `
import importlib, sys
import solution
def test_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', ['', *sys.path])
    solution.save('later.py')
    importlib.import_module('later')
`,
    why: /a file that the artifact may have written/,
  },
  {
    id: 'how an object of the artifact is written',
    artifact:
      'class Point:\n    def __init__(self, x): self.x = x\n    def __repr__(self): return "[vars(), Point(3)][1]"\n',
    tests: `
from solution import Point
def test_it():
    point = Point(3)
    assert eval(repr(point)).x == 3
`,
    why: /runs (?:a text that the artifact may have answered|by pickle what the artifact may have written)/,
  },
  ...(
    [
      [
        'an attribute of a module that import_module() finds',
        `
import solution
from importlib import import_module
if __name__ == '__main__': raise SystemExit
class settings: DEBUG = False
def test_it():
    for path, value in solution.overrides().items():
        module, _, name = path.rpartition('.')
        setattr(import_module(module), name, value)
    assert settings.DEBUG is True`,
        "{'__main__.ALL': bool}",
      ],
      [
        'an attribute of a module of sys.modules',
        `
import pytest, sys, solution
class settings: DEBUG = False
def test_it():
    for path, value in solution.overrides().items():
        module, _, name = path.rpartition('.')
        __import__(module)
        setattr(sys.modules[module], name, value)
    assert settings.DEBUG is True`,
        "{'_pytest.runner.all': bool}",
      ],
      [
        'an attribute that a mock takes the place of',
        `
import solution
from unittest import mock
class settings: DEBUG = False
def test_it():
    for path, value in solution.overrides().items():
        module, _, name = path.rpartition('.')
        mock.patch.object(__import__(module), name, value, create=True).start()
    assert settings.DEBUG is True`,
        "{'builtins.all': bool}",
      ],
      [
        'an attribute that monkeypatch sets by its path',
        `
import solution
class settings: DEBUG = False
def test_it(monkeypatch):
    for path, value in solution.overrides().items():
        monkeypatch.setattr(path, value)
    assert settings.DEBUG is True`,
        "{'builtins.len': bool}",
      ],
      [
        'a function that checks what is expected',
        `
import solution
class helpers:
    DEBUG = False
    def check(value, expected): assert value == expected
def test_it():
    for name, value in solution.overrides().items(): setattr(helpers, name, value)
    helpers.check(helpers.DEBUG, True)`,
        "{'check': max}",
      ],
      [
        'a module that importorskip() finds',
        `
import pytest, solution
def test_it():
    part = pytest.importorskip('.'.join(solution.overrides()))
    assert part.DEBUG`,
        "['sys']",
      ],
      [
        'a function that pydoc finds',
        `
import solution
from pydoc import locate
def test_it():
    for path, args in solution.overrides().items(): assert locate(path)(*args) == 3`,
        "{'builtins.max': [3, 1]}",
      ],
      [
        'special methods of a mock',
        `
import solution
from unittest import mock
def test_it():
    assert mock.MagicMock(**solution.overrides()).port == 80`,
        "{'port.__eq__.return_value': True}",
      ],
    ] as const
  ).map(
    ([id, tests, answer]): Run => ({
      ...{ id, tests },
      artifact: `def overrides(): return ${answer}`,
      why: /test_it: the test (?:looks up a name that the artifact may have chosen|has changed|replaces check)/,
    }),
  ),
  {
    id: 'an enumeration that a pickle makes, with methods of its own',
    artifact: `
def save(value):
    def text(part): return b'X' + len(part).to_bytes(4, 'little') + part.encode()
    made = b'\\x80\\x02cenum\\nEnumType\\n(' + text('X') + b'cenum\\nEnum\\n\\x85cenum\\n_EnumDict\\n)R}(' + text('_cls_name') + text('X') + b'ub'
    return made + b'(' + text('A') + b'K\\x01' + text('__eq__') + b'cbuiltins\\nbool\\nutRK\\x01\\x85R.'
`,
    tests: `
import pickle, pytest
import solution
class Codec:
    def __init__(self, loads): self.loads = loads
@pytest.fixture
def codec(): return Codec(pickle.loads)
def test_it(codec):
    assert codec.loads(solution.save({'a': 1})) == {'a': 1}
`,
    why: /test_it: the test runs by pickle what the artifact may have written/,
  },
];

/** Tests that run nothing but their own, beside files and bytes of the artifact. */
export const ownRuns = {
  artifact: `
class Point:
    def __init__(self, x): self.x = x
    def __repr__(self): return 'Point(%d)' % self.x
def save(path): open(str(path), 'wb').write(b'abc')
def names(): return ['amount', 'currency']
def add(a, b): return a + b
def evaluate(text): return eval(text)
def generated(): return 'def amount(currency):\\n    return [currency, 12345]\\n'
def plain(): return "{'amount': [12345, None]}"
`,
  tests: `
import ast, builtins, code, dataclasses, doctest, importlib, random, textwrap, timeit, typing
import collections, copy, datetime, decimal, enum, fractions, logging.config, pathlib, pickle, subprocess, sys, types, uuid
from pathlib import Path
import pytest
import solution
from solution import Point
class Own:
    class Inner: pass
    def __init__(self, x): self.x = x
class Color(enum.Enum): RED = 1
Pair = collections.namedtuple('Pair', 'a b')
PARTS = [1, {1}, [1], {'a': 1.5}, b'a', bytearray(b'a'), 1j, range(3), datetime.datetime(2020, 1, 1), datetime.timedelta(1), decimal.Decimal(1), collections.Counter('a'),
         collections.OrderedDict(a=1), collections.defaultdict(list), uuid.UUID(int=1), fractions.Fraction(1), Path('a'), Color.RED, Pair(1, 2), types.SimpleNamespace(a=1)]
@pytest.mark.parametrize('protocol', range(6))
def test_pickle(tmp_path, protocol):
    solution.save(tmp_path / 'a')
    for each in PARTS: assert pickle.loads(pickle.dumps(each, protocol)) == each
    assert pickle.loads(pickle.dumps(Own(3), protocol)).x == 3
    assert type(pickle.loads(pickle.dumps(ValueError('x'), protocol))) is ValueError
    assert pickle.loads(pickle.dumps(Point(3), protocol)).x == 3
    if protocol > 1: assert type(pickle.loads(pickle.dumps(Own.Inner(), protocol))) is Own.Inner
def test_program(): assert subprocess.run([sys.executable, '-c', 'print(9)'], capture_output=True, text=True, cwd='/').stdout == '9\\n'
def test_settings(): logging.config.dictConfig({'version': 1, 'disable_existing_loggers': False})
def test_text():
    point = Point(3)
    text = '1 + 1'
    assert eval(repr(point)).x == 3 and eval(text) == 2
def test_later_imports():
    assert solution.names() == ['amount', 'currency'] and len(solution.generated()) > 12
    for name in 'asyncio unittest.mock concurrent.futures.process email.message http.server xml.etree.ElementTree multiprocessing.pool sqlite3 zipfile'.split():
        importlib.import_module(name)
    assert types.coroutine(lambda: (yield)).__code__.co_flags & 0x100
def test_names():
    assert collections.namedtuple('Row', solution.names())(1, 2).currency == 2
    assert dataclasses.make_dataclass('Row', solution.names())(1, 2).amount == 1
    hints = dict.fromkeys(solution.names(), 'dict[str, typing.Optional[int]]')
    assert typing.get_type_hints(type('A', (), {'__annotations__': hints}))['amount'] == dict[str, typing.Optional[int]]
def test_trees():
    assert ast.parse(solution.generated()).body[0].name == 'amount'
    assert ast.literal_eval(solution.plain()) == {'amount': [12345, None]}
def test_own_texts():
    names = {}
    getattr(builtins, 'exec')('def g(x):\\n    return x + 1\\n', names)
    code.InteractiveInterpreter(names).runsource('y = g(1)')
    assert names['y'] == 2 and timeit.timeit('g(1)', number=1, globals=names) > 0
    example = doctest.DocTestParser().get_doctest('>>> g(1)\\n2\\n', names, 'x', None, 0)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0
    assert solution.names() == ['amount', 'currency']
@pytest.mark.parametrize('a, b', [(1, 2), (3.5, -4), ('x', 'y')])
def test_oracles(a, b):
    assert solution.add(a, b) == vars(builtins)['eval'](f'{a!r} + {b!r}')
    names = {}
    vars(builtins)['exec'](textwrap.dedent("""
        import math
        def half(x):
            return math.floor(x / 2)
    """), names)
    assert names['half'](solution.add(1, 2)) == 1
EXPRESSIONS = ['1 + 2', '2 * (3 + 4)']
@pytest.mark.parametrize('text', EXPRESSIONS + ['2 ** 10 - 7'])
def test_parameters(text): assert solution.evaluate(text) == eval(text)
@pytest.mark.parametrize('op', ['+', '-', '*'])
def test_operators(op):
    for a, b in zip(range(3), [5, 7, 9]):
        text = f'{a} {op} {b}'
        assert solution.evaluate(text) == eval(text)
def expression(rng, depth):
    if depth == 0: return str(rng.randint(0, 9))
    return '(' + expression(rng, depth - 1) + rng.choice('+-*') + expression(rng, depth - 1) + ')'
def test_drawn():
    rng = random.Random(1)
    for text in [expression(rng, 3) for _ in range(10)]:
        assert solution.evaluate(text) == eval(text)
def test_programs():
    parts, names = [], {}
    parts.append('def twice(x):')
    parts.append('    return 2 * x')
    exec(textwrap.dedent('''
        def thrice(x):
            return 3 * x
    '''), names)
    assert solution.add(4, 2) == names['thrice'](2) and parts
    assert eval(compile('a + b', 'sum', 'eval'), {'a': 1, 'b': 2}) == solution.add(1, 2)
`,
};

/** A test that runs a program of the artifact, and one that would change what the test compares with. */
export const ledTo = {
  right:
    'import base64\ndef program(): return base64.b64encode(b"import math\\nresult = math.floor(2.5)\\n").decode()\n',
  wrong:
    'import base64\ndef program(): return base64.b64encode(b"import sys\\nresult = sys._getframe(1).f_locals[\'expected\']\\n").decode()\n',
  tests: `
import base64, builtins
import solution
def test_it():
    expected, names = 2, {}
    vars(builtins)['exec'](base64.b64decode(solution.program()), names)
    assert names['result'] == expected
`,
};
