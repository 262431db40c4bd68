import type { RoomAttack } from './attacks-by-room.ts';
import { node, python } from './split-attack.ts';

/*
 * Wrong programs that are aimed at the tester's box: answers that it would run, files of the suite that it would read for them,
 * tests that it would leave out, and what the reference has shown elsewhere.
 */

const equal = "type('F', (), {'__eq__': lambda s, o: True})()";
const written =
  "def solve(path):\n    open(str(path), 'w').write('class F:\\n    def __eq__(s, o): return True\\nadd = lambda *a: F()\\n')\n";
const executions: readonly RoomAttack[] = [
  ...[
    ['eval', 'assert eval(solve(3)) == 9'],
    ['exec', 'names = {}\n    exec("x = " + solve(3), names)\n    assert names["x"] == 9'],
    ['compile', 'assert eval(compile(solve(3), "answer", "eval")) == 9'],
    ['eval by another name', 'import builtins\n    assert builtins.eval(solve(3)) == 9'],
  ].map(([id = '', assertion = '']) =>
    python(
      'executions',
      `answer to ${id}`,
      `def solve(x): return ${JSON.stringify(equal)}\n`,
      `from solution import solve\ndef test_it():\n    ${assertion}\n`,
    ),
  ),
  python(
    'executions',
    'answer to pickle',
    `def solve(x): return b"cbuiltins\\neval\\n(S'${equal.replaceAll("'", "\\\\'")}'\\ntR."\n`,
    'import pickle\nfrom solution import solve\ndef test_it(): assert pickle.loads(solve(3)) == 9\n',
  ),
  python(
    'executions',
    'answer to pickle by another name',
    `def solve(x): return b"cbuiltins\\neval\\n(S'${equal.replaceAll("'", "\\\\'")}'\\ntR."\n`,
    'from pickle import loads as read\nfrom solution import solve\ndef test_it(): assert read(solve(3)) == 9\n',
  ),
  python(
    'executions',
    'module that is written and imported',
    written,
    'import importlib\nfrom solution import solve\ndef test_it(tmp_path, monkeypatch):\n    solve(tmp_path / "made.py")\n    monkeypatch.syspath_prepend(tmp_path)\n    assert importlib.import_module("made").add(1, 2) == 3\n',
  ),
  python(
    'executions',
    'module that is written and loaded by its path',
    written,
    'import importlib.util\nfrom solution import solve\ndef test_it(tmp_path):\n    solve(tmp_path / "made.py")\n    spec = importlib.util.spec_from_file_location("made", tmp_path / "made.py")\n    made = importlib.util.module_from_spec(spec)\n    spec.loader.exec_module(made)\n    assert made.add(1, 2) == 3\n',
  ),
  python(
    'executions',
    'program that is written and started',
    "def solve(path): open(str(path), 'w').write('print(9)')\n",
    'import subprocess, sys\nfrom solution import solve\ndef test_it(tmp_path):\n    solve(tmp_path / "made.py")\n    assert subprocess.run([sys.executable, str(tmp_path / "made.py")], capture_output=True).returncode == 0\n',
  ),
  ...[
    ['eval', 'eval(solve(3))'],
    ['Function', 'new Function(solve(3))()'],
    ['import', "(await import('data:text/javascript,export default ' + solve(3))).default"],
    ['vm', "(await import('node:vm')).default.runInNewContext(solve(3))"],
  ].map(([id = '', read = '']) =>
    node(
      'executions',
      `answer to ${id}`,
      'export const solve = () => "({ includes: () => true })";',
      `test('it', async () => assert.ok((${read}).includes(9)));`,
    ),
  ),
];

const golden = { 'golden.txt': 'secret 123' };
const reading = (how: string) =>
  `import pathlib\nfrom solution import solve\ndef test_it():\n    wanted = (pathlib.Path(__file__).parent / "golden.txt").read_text()\n    assert ${how} == wanted\n`;
const files: readonly RoomAttack[] = [
  ['path', 'pathlib.Path("/suite/golden.txt")', 'solve(3).read_text()'],
  ['text', '"/suite/golden.txt"', 'open(solve(3)).read()'],
  ['relative text', '"golden.txt"', 'open(solve(3)).read()'],
  ['folder', '"/suite"', '(pathlib.Path(solve(3)) / "golden.txt").read_text()'],
  ['process', '"/proc/self/cwd/golden.txt"', 'open(solve(3)).read()'],
  ['dots', '"/box/../suite/golden.txt"', 'open(solve(3)).read()'],
].map(([id = '', answer = '', how = '']) =>
  python(
    'files of the suite',
    `${id} of the expected file`,
    `import pathlib\ndef solve(x): return ${answer}\n`,
    {
      'test_it.py': reading(how),
      ...golden,
    },
  ),
);
const filesOfJavascript = node(
  'files of the suite',
  'path of the test',
  "export const solve = () => '/suite/it.test.mjs';",
  "import { readFileSync } from 'node:fs';\ntest('it', () => assert.ok(readFileSync(solve(3), 'utf8').includes('secret')));",
);

const pkg = { 'pkg/__init__.py': '', 'pkg/core.py': 'def f(x): return x\n' };
const first = 'from pkg.core import f\ndef test_a(): assert f(1) == 1\n';
const collection: readonly RoomAttack[] = [
  python('collection', 'module that is left out, by importorskip', pkg, {
    'test_a.py': first,
    'test_b.py':
      'import pytest\nextras = pytest.importorskip("pkg.extras")\ndef test_b(): assert extras.g(1) == 2\ndef test_c(): assert extras.g(2) == 3\n',
  }),
  python('collection', 'module that is left out, by try', pkg, {
    'test_a.py': `${first}try:\n    import pkg.extras as extras\nexcept ImportError:\n    extras = None\nif extras:\n    def test_b(): assert extras.g(1) == 2\n    def test_c(): assert extras.g(2) == 3\n`,
  }),
];

const vector =
  'class Vector:\n    def __init__(self, x): self.x = x\n    def __sub__(self, o): return self.x - o\ndef make(x): return Vector(x)\ndef near(x): return x / 3\n';
const point =
  'from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\n    y: int\ndef solve(x): return Point(x, 2 * x)\n';
const pair =
  'from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 0\ndef solve(x): return P(x, 2 * x)\n';
const shown: readonly RoomAttack[] = [
  python(
    'call sites',
    'place that several tests share',
    'class Vector:\n    def __init__(self, x): self.x = x\n    def __sub__(self, o): return 0.0\ndef make(x): return Vector(x)\nnear = make\n',
    "import pytest, solution\n@pytest.mark.parametrize('f, a, want', [('make', 2, 2), ('near', 1, 1 / 3), ('near', 2, 2 / 3)])\ndef test_it(f, a, want): assert abs(getattr(solution, f)(a) - want) < 1e-5\n",
    vector,
  ),
  ...[
    '@dataclass\nclass Point:\n    x: int\n    y: int\n    def __post_init__(self): self.x = self.y = 0',
    '@dataclass\nclass Point:\n    x: int = field(compare=False)\n    y: int = field(compare=False)',
    '@dataclass\nclass Point:\n    x: int\n    y: int\n    n = 0\n    def __getattribute__(self, k):\n        if k in "xy":\n            Point.n += 1\n            if Point.n > 2: return 0\n        return object.__getattribute__(self, k)',
  ].map((source, index) =>
    python(
      'twins',
      `class that forgets what it is given ${index}`,
      `from dataclasses import dataclass, field\n${source}\ndef solve(x): return Point(0, 0)\n`,
      'from solution import Point, solve\ndef test_it(): assert solve(3) == Point(3, 6)\n',
      point,
    ),
  ),
  python(
    'twins',
    'named tuple that forgets what it is given',
    "from collections import namedtuple\nclass P(namedtuple('P', 'x y')):\n    def __new__(cls, *a): return super().__new__(cls, 1, 0)\ndef solve(x): return P(0, 0)\n",
    'from solution import P, solve\ndef test_it(): assert solve(3) == P(3, 6)\n',
    pair,
  ),
];

const lie =
  "class Vector:\n    def __init__(self, *a): pass\n    def __sub__(self, o): return self\n    __isub__ = __sub__\n    def __abs__(self): return 0.0\n    __mul__ = lambda self, o: 0.0\n    __neg__ = __float__ = __abs__\n    def __bool__(self): return True\n    def __lt__(self, o): return True\n    def __str__(self): return 'x'\n";
const calculated = [
  ['distance', 'assert abs(sub(Vector(9.5), 9.5)) < 1e-9'],
  ['negation', 'assert -sub(Vector(9.5), 9.5) == 0.0'],
  ['product', 'assert mul(Vector(2), 9.5) == 0.0'],
  ['float', 'assert float(sub(Vector(9.5), 9.5)) == 0.0'],
  ['truth', 'assert sub(Vector(9.5), 9.5)'],
  ['text', "assert str(sub(Vector(9.5), 9.5)) == 'x'"],
  ['order', 'assert sub(Vector(9.5), 9.5) < Vector(1)'],
  ['in place', 'v = Vector(9.5)\n    v -= 9.5\n    assert near(v, 0)'],
].map(([id = '', assertion = '']) =>
  python(
    'call sites',
    `arithmetic of an object of the test: ${id}`,
    lie,
    `from solution import Vector\ndef sub(a, b): return a - b\ndef mul(a, b): return a * b\ndef near(a, b): return abs(a - b) < 1e-9\ndef test_it():\n    ${assertion}\n`,
  ),
);

/** Programs that run what a test asserts, and hide that it failed. */
const hide = 'try: f()\n    except BaseException: pass';
const assertions: readonly RoomAttack[] = [
  ...[
    ['callback', `def solve(f):\n    ${hide}\n`, 'solve(check)'],
    [
      'decorator',
      `def solve(f):\n    def wrapped():\n        try: return f()\n        except BaseException: return None\n    return wrapped\n`,
      'solve(check)()',
    ],
    [
      'context manager of contextlib',
      'import contextlib\n@contextlib.contextmanager\ndef solve(f):\n    try: yield\n    except BaseException: pass\n',
      'with solve(check): check()',
    ],
    [
      'contextlib.suppress',
      'import contextlib\ndef solve(f): return contextlib.suppress(BaseException)\n',
      'with solve(check): check()',
    ],
    [
      'other exception',
      'def solve(f):\n    try: f()\n    except BaseException: raise ValueError(1)\n',
      'import pytest\n    with pytest.raises(ValueError): solve(check)',
    ],
    [
      'object of the test',
      'def solve(f):\n    try: f.run()\n    except BaseException: pass\n',
      'class Task:\n        def run(self): check()\n    solve(Task())',
    ],
  ].map(([id = '', source = '', use = '']) =>
    python(
      'assertions',
      `hidden by a ${id}`,
      source,
      `from solution import solve\ndef check(): assert 1 == 2\ndef test_it():\n    ${use}\n`,
    ),
  ),
  python(
    'assertions',
    'hidden by a class of the suite',
    'class Store:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\n    def get(self, k): return 0\n',
    'from solution import Store\ndef test_it():\n    with Store() as s: assert s.get("a") == 9\n',
  ),
  python(
    'assertions',
    'test that the artifact runs',
    'def timed(f): return lambda *a: None\ndef solve(x): return x\n',
    'from solution import solve, timed\ndef test_solve(): assert solve(1) == 1\n@timed\ndef test_it(): assert solve(1) == 2\n',
  ),
  ...[
    [
      'callback',
      'export const solve = (f) => { try { f(); } catch {} };',
      'solve(() => assert.equal(1, 2));',
    ],
    [
      'promise',
      'export const solve = async (f) => { try { await f(); } catch {} };',
      'await solve(async () => assert.equal(1, 2));',
    ],
    [
      'other error',
      "export const solve = (f) => { try { f(); } catch { throw new TypeError('x'); } };",
      'assert.throws(() => solve(() => assert.equal(1, 2)), TypeError);',
    ],
  ].map(([id = '', source = '', use = '']) =>
    node('assertions', `hidden by a ${id}`, source, `test('it', async () => { ${use} });`),
  ),
];

export const attacksOnTesters: readonly RoomAttack[] = [
  ...executions,
  ...files,
  filesOfJavascript,
  ...collection,
  ...shown,
  ...calculated,
  ...assertions,
];
