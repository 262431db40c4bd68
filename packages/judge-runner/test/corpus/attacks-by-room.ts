import type { Artifact, Suite } from '../../src/index.ts';

/** A wrong program, and what of the judge it is aimed at. None may end in SUCCESS or PARTIAL, or make the judge throw. */
export interface RoomAttack {
  readonly id: string;
  readonly room:
    | 'call sites'
    | 'identity'
    | 'twins'
    | 'programs'
    | 'repositories'
    | 'messages'
    | 'executions'
    | 'assertions'
    | 'files of the suite'
    | 'collection'
    | 'mocks'
    | 'functions of other tests'
    | 'comparisons'
    | 'mimicry'
    | 'fields'
    | 'coroutines'
    | 'errors';
  readonly artifact: Artifact;
  readonly suite: Suite;
}

const limits = { wallMs: 20_000, cpuHardMs: 3000, memoryHardBytes: 512 * 2 ** 20, outputBytes: 2 ** 20 };
const pytest = (id: string, test: string, more: object = {}): Suite => ({
  ...{ id, language: 'python', mode: 'split', limits, files: { 'test_it.py': test } },
  ...more,
});
const python = (
  room: RoomAttack['room'],
  id: string,
  source: string,
  test: string,
  more?: object,
): RoomAttack => ({
  ...{ id, room, artifact: { language: 'python', source }, suite: pytest(id, test, more) },
});
const node = (
  room: RoomAttack['room'],
  id: string,
  source: string,
  test: string,
  more: object = {},
): RoomAttack => ({
  ...{ id, room, artifact: { language: 'javascript', source } },
  suite: {
    ...{ id, language: 'javascript', mode: 'split', limits },
    files: {
      'test/it.test.mjs': `import test from 'node:test';\nimport assert from 'node:assert/strict';\n${test}`,
    },
    ...more,
  },
});

/** Says yes to arithmetic, comparison, conversion, attributes and methods. */
const liar = `
class Liar:
    def __init__(self, *a, **k): pass
    def __getattr__(self, name):
        if name.startswith('__'): raise AttributeError(name)
        return lambda *a, **k: True
    def __eq__(self, o): return True
    def __ne__(self, o): return False
    def __hash__(self): return 1
    def __lt__(self, o): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __bool__(self): return True
    def __sub__(self, o): return 0.0
    __rsub__ = __add__ = __radd__ = __mul__ = __rmul__ = __truediv__ = __sub__
    def __abs__(self): return 0.0
    __float__ = __neg__ = __abs__
    def __len__(self): return 1
    __index__ = __int__ = __len__
    def __iter__(self): return iter(())
    def __getitem__(self, k): return Liar()
    def __call__(self, *a, **k): return Liar()
`;
const vector = `
class Vector:
    def __init__(self, x): self.x = x
    def __add__(self, o): return Vector(self.x + (o.x if isinstance(o, Vector) else o))
    def __sub__(self, o): return Vector(self.x - (o.x if isinstance(o, Vector) else o))
    def __eq__(self, o): return isinstance(o, Vector) and self.x == o.x
    def __abs__(self): return abs(self.x)
    def __lt__(self, o): return self.x < (o.x if isinstance(o, Vector) else o)
    def __float__(self): return float(self.x)
    def __hash__(self): return hash(self.x)
def double(v): return v + v
def near(x): return x / 3
def names(n): return ['n%d' % i for i in range(n)]
def make(n): return Vector(n)
`;
const reference = { language: 'python', source: vector } as const;
const lyingVector = `${vector}
class Y(Vector):
    def __init__(self, x=0): self.x = 0
    def __sub__(self, o): return Y()
    __add__ = __radd__ = __rsub__ = __sub__
    def __eq__(self, o): return True
    def __lt__(self, o): return True
    __gt__ = __le__ = __ge__ = __lt__
    def __abs__(self): return 0.0
    def __float__(self): return 0.3333333
    def __len__(self): return 3
    def __iter__(self): return iter(['n9'])
    def __contains__(self, x): return True
    def startswith(self, x): return True
`;
/** The place at which the reference answers a plain value, and what a liar answers there. */
const atPlainPlaces: readonly [string, string, string][] = [
  ['difference', 'def near(x): return Y()', 'assert abs(near(1) - 1 / 3) < 1e-5'],
  ['approx', 'def near(x): return Y()', 'import pytest; assert near(1) == pytest.approx(1 / 3)'],
  ['order', 'def near(x): return Y()', 'assert 0.3 < near(1) < 0.4'],
  ['float', 'def near(x): return Y()', 'assert round(float(near(1)), 3) == 0.333'],
  ['list', 'def names(n): return Y()', "assert names(3) == ['n0', 'n1', 'n2']"],
  ['length', 'def names(n): return Y()', 'assert len(names(3)) == 3'],
  ['membership', 'def names(n): return Y()', "assert 'n1' in names(3)"],
  [
    'text',
    'def names(n): return [Y(), Y(), Y()]',
    "assert all(n.startswith('n') for n in names(3)) and names(3)[0] == 'n0'",
  ],
  [
    'same line, other call',
    'def near(x): return Y()',
    'assert double(Vector(2)) == Vector(4) and abs(near(1) - 1 / 3) < 1e-5',
  ],
  ['loop', 'def near(x): return Y()', 'for f in (near,): assert abs(f(1) - 1 / 3) < 1e-5'],
  ['argument of a lambda', 'def near(x): return Y()', 'assert (lambda v: abs(v - 1 / 3) < 1e-5)(near(1))'],
  [
    'comprehension',
    'def near(x): return Y()',
    'assert [abs(near(n) - n / 3) < 1e-5 for n in (1, 2)] == [True, True]',
  ],
];
const callSites = atPlainPlaces.map(([id, lie, test]) =>
  python(
    'call sites',
    id,
    `${lyingVector}\n${lie}\n`,
    `from solution import Vector, double, near, names, make\ndef test_objects(): assert abs(make(2) + 1) == 3 and double(Vector(1)) == Vector(2)\ndef test_it():\n    ${test}\n`,
    { reference },
  ),
);
/** Without a reference, `len` and `in` of an object of a class that the suite names are the artifact's word. */
const withoutReference = atPlainPlaces
  .filter(([id]) => id !== 'length' && id !== 'membership')
  .map(([id, lie, test]) =>
    python(
      'call sites',
      `${id}, without a reference`,
      `${lyingVector}\n${lie}\n`,
      `from solution import Vector, double, near, names, make\ndef test_it():\n    ${test.replace('assert double(Vector(2)) == Vector(4) and ', 'assert ')}\n`,
    ),
  );

const identity: readonly RoomAttack[] = [
  python(
    'identity',
    'deep copy that is none',
    'def clone(x): return x\n',
    'from solution import clone\ndef test_it():\n    x = [[1]]\n    y = clone(x)\n    assert y == x and y is not x\n',
  ),
  python(
    'identity',
    'deep copy that is shallow',
    'def clone(x): return list(x)\n',
    'from solution import clone\ndef test_it():\n    x = [[1]]\n    y = clone(x)\n    assert y == x and y[0] is not x[0]\n',
  ),
  python(
    'identity',
    'copy where the same is wanted',
    'def add(xs, x): return xs + [x]\n',
    'from solution import add\ndef test_it():\n    xs = [1]\n    assert add(xs, 2) is xs\n',
  ),
  python(
    'identity',
    'argument that is changed to fit',
    'def solve(xs, want): want[:] = [0]; return [0]\n',
    'from solution import solve\ndef test_it():\n    want = [1, 2]\n    assert solve([2, 1], tuple(want)) == want\n',
  ),
  python(
    'identity',
    'argument of an earlier test',
    'SEEN = []\ndef solve(xs):\n    SEEN.append(xs)\n    SEEN[0][:] = [9]\n    return SEEN[0]\n',
    'from solution import solve\nXS = [3, 1]\ndef test_a(): assert solve([5]) == [5, 5]\ndef test_b():\n    assert solve(XS) == [1, 3]\n',
  ),
  node(
    'identity',
    'deep copy that is none',
    'export const clone = (x) => x;',
    "import { clone } from 'solution';\ntest('it', () => { const x = { a: [1] }; const y = clone(x); assert.deepEqual(y, x); assert.notEqual(y, x); });",
  ),
  node(
    'identity',
    'deep copy that is shallow',
    'export const clone = (x) => ({ ...x });',
    "import { clone } from 'solution';\ntest('it', () => { const x = { a: [1] }; const y = clone(x); assert.deepEqual(y, x); assert.notEqual(y.a, x.a); });",
  ),
  node(
    'identity',
    'copy where the same is wanted',
    'export const add = (xs, x) => [...xs, x];',
    "import { add } from 'solution';\ntest('it', () => { const xs = [1]; assert.equal(add(xs, 2), xs); });",
  ),
];

const twins: readonly RoomAttack[] = [
  python(
    'twins',
    'enumeration whose members are equal to all',
    'import enum\nclass Color(enum.Enum):\n    RED = 1\n    BLUE = 2\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\ndef solve(): return Color.RED\n',
    'from solution import Color, solve\ndef test_it(): assert solve() == Color.BLUE\n',
  ),
  python(
    'twins',
    'integer enumeration that lies about its value',
    'import enum\nclass Level(enum.IntEnum):\n    LOW = 1\n    @property\n    def value(self): return 9\n    def __sub__(self, o): return 0\ndef solve(): return Level.LOW\n',
    'from solution import solve\ndef test_it(): assert abs(solve() - 9) < 1 and solve().value == 9\n',
  ),
  python(
    'twins',
    'enumeration that changes',
    'import enum\nN = [0]\nclass Meta(enum.EnumMeta):\n    @property\n    def __members__(cls):\n        N[0] += 1\n        return super().__members__\nclass Color(enum.Enum, metaclass=Meta):\n    RED = 1\ndef solve(): return Color.RED\n',
    'from solution import solve\ndef test_it(): assert solve().value == 2\n',
  ),
  python(
    'twins',
    'named tuple with lying order',
    'import collections\nclass P(collections.namedtuple("P", "x")):\n    def __eq__(self, o): return True\n    def __lt__(self, o): return True\n    __gt__ = __lt__\ndef solve(): return P(0)\n',
    'from solution import P, solve\ndef test_it(): assert solve() == (9,) or 8 < solve().x\n',
  ),
  python(
    'twins',
    'named tuple whose fields are elsewhere',
    'import collections\nclass P(collections.namedtuple("P", "x")):\n    _fields = ("x", "y")\ndef solve(): return P(0)\n',
    'from solution import solve\ndef test_it(): assert solve().y == 9\n',
  ),
  python(
    'twins',
    'dataclass with a lying hash',
    'import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass P:\n    x: int\n    def __hash__(self): return 1\n    def __eq__(self, o): return True\ndef solve(): return P(0)\n',
    'from solution import P, solve\ndef test_it(): assert {P(9): 1}[solve()] == 1\n',
  ),
  python(
    'twins',
    'dataclass whose fields change',
    'import dataclasses\nN = [8]\n@dataclasses.dataclass\nclass P:\n    x: int = 0\n    def __getattribute__(self, name):\n        if name == "x": N[0] += 1; return N[0]\n        return object.__getattribute__(self, name)\ndef solve(): return P()\n',
    'from solution import P, solve\ndef test_it():\n    p = solve()\n    assert p.x == 9 and p.x == 9 and p.x == 9\n',
  ),
  python(
    'twins',
    'exception equal to all',
    'class E(ValueError):\n    def __eq__(self, o): return True\n    def __str__(self): return "want"\ndef solve(): raise E("other")\n',
    'import pytest\nfrom solution import solve\ndef test_it():\n    with pytest.raises(KeyError, match="want"): solve()\n',
  ),
  python(
    'twins',
    'exception with a forged class',
    'class KeyError(Exception): pass\ndef solve(): raise KeyError("x")\n',
    'import pytest\nfrom solution import solve\ndef test_it():\n    with pytest.raises(KeyError): solve()\n',
  ),
  python(
    'twins',
    'Counter that counts wrong',
    'import collections\nclass C(collections.Counter):\n    def __getitem__(self, k): return 9\n    def most_common(self, n=None): return [("a", 9)]\ndef solve(): return C("a")\n',
    'from solution import solve\ndef test_it(): assert solve()["a"] == 9\n',
  ),
  python(
    'twins',
    'defaultdict with a factory of the artifact',
    'import collections\ndef solve(): return collections.defaultdict(lambda: 9)\n',
    'from solution import solve\ndef test_it(): assert dict(solve()) == {"a": 9}\n',
  ),
  python(
    'twins',
    'flag with forged members',
    'import enum\nclass F(enum.Flag):\n    A = 1\n    B = 2\n    def __contains__(self, o): return True\n    def __and__(self, o): return self\ndef solve(): return F.A\n',
    'from solution import F, solve\ndef test_it(): assert F.B in solve()\n',
  ),
];

const named: readonly RoomAttack[] = [
  python(
    'messages',
    'function that takes the name of a trusted class',
    `${liar}\nclass Stack(Liar): pass\ndef solve():\n    def Stack2(*a): return Stack()\n    Stack2.__name__ = 'Stack'\n    return Stack2\n`,
    'from solution import Stack, solve\ndef test_it(): assert abs(solve()(3) - 9.5) < 1e-9\n',
    { objects: ['Stack'] },
  ),
  python(
    'messages',
    'function that takes the name of a maker',
    `${liar}\ndef solve():\n    def create_it(*a): return Liar()\n    return create_it\n`,
    'from solution import solve\ndef test_it(): assert solve()(3).check(9) is True\n',
  ),
  python(
    'messages',
    'maker whose object is a number',
    `${liar}\ndef make_total(xs): return Liar()\n`,
    'from solution import make_total\ndef test_it(): assert abs(make_total([1]) - 1) < 1e-9\n',
  ),
  python(
    'messages',
    'maker whose object is true',
    `${liar}\ndef build(xs): return Liar()\n`,
    'from solution import build\ndef test_it(): assert build([1]) == [1]\n',
  ),
  python(
    'messages',
    'maker whose object is ordered',
    `${liar}\ndef create(xs): return Liar()\n`,
    'from solution import create\ndef test_it(): assert 0 < create([1]) < 2\n',
  ),
  node(
    'messages',
    'function that takes the name of a maker',
    'class Y { check() { return true; } valueOf() { return 9; } toString() { return "9"; } }\nexport const solve = () => { const createIt = () => new Y(); return createIt; };',
    "import { solve } from 'solution';\ntest('it', () => { assert.equal(`$\u007bsolve()(3)}`, '9'); });",
  ),
  node(
    'messages',
    'maker whose object is a number',
    'export const createTotal = () => ({ valueOf: () => 9 });',
    "import { createTotal } from 'solution';\ntest('it', () => assert.ok(Math.abs(createTotal([4, 5]) - 9) < 1e-9));",
  ),
  ...[
    ['own container that was never given', '{"id": %d, "value": {"$own": [1]}}'],
    ['own container of nothing', '{"id": %d, "value": {"$own": []}}'],
    ['own container by a text', '{"id": %d, "value": {"$own": ["1", [9]]}}'],
    ['own container with content', '{"id": %d, "value": {"$own": [1, [9]]}}'],
    ['member of an enumeration', '{"id": %d, "value": {"$member": [1, "x", 1]}}'],
    ['array of objects', '{"id": %d, "value": {"$std": ["ndarray", ["|O8", [1], "00"]]}}'],
    ['library function', '{"id": %d, "value": {"$library": ["os", ["system"]]}}'],
    ['builtin that acts', '{"id": %d, "value": {"$builtin": "exec"}}'],
    ['sleep', '{"id": %d, "value": {"$sleep": [1, 9]}}'],
    ['callback of nothing', '{"id": %d, "callback": 7, "args": [], "kwargs": []}'],
    ['deep nesting', `{"id": %d, "value": ${'['.repeat(400)}${']'.repeat(400)}}`],
    ['two values', '{"id": %d, "value": 1, "value": 9}'],
  ].map(([id = '', line = '']) =>
    python(
      'messages',
      id,
      `import os\ndef solve(x):\n    for n in range(60): os.write(4, (${JSON.stringify(line)} % n).encode() + b'\\n')\n    return 0\n`,
      'from solution import solve\ndef test_it(): assert solve([1]) == [9, 9]\n',
    ),
  ),
];

const coroutines: readonly RoomAttack[] = [
  python(
    'coroutines',
    'coroutine that is never awaited',
    'async def solve(): return 9\n',
    'from solution import solve\ndef test_it(): assert solve() == 9\n',
  ),
  python(
    'coroutines',
    'answer of another coroutine',
    'class A:\n    def __await__(self):\n        yield\n        return 0\nasync def solve(x): return await x\n',
    'import asyncio\nfrom solution import solve\nasync def nine(): return 9\ndef test_it(): assert asyncio.run(solve(nine())) == 10\n',
  ),
  python(
    'coroutines',
    'task that stays behind',
    'import asyncio\nasync def later():\n    while True: await asyncio.sleep(0)\nasync def solve():\n    asyncio.ensure_future(later())\n    return 0\n',
    'import asyncio\nfrom solution import solve\ndef test_it(): assert asyncio.run(solve()) == 9\n',
  ),
  python(
    'coroutines',
    'loop that is closed',
    'import asyncio\nasync def solve():\n    asyncio.get_running_loop().stop()\n    return 0\nasync def again(): return 0\n',
    'import asyncio\nfrom solution import solve, again\ndef test_it(): assert asyncio.run(solve()) == 9\ndef test_again(): assert asyncio.run(again()) == 9\n',
  ),
  python(
    'coroutines',
    'coroutine that is cancelled',
    'import asyncio\nasync def solve(): raise asyncio.CancelledError\n',
    'import asyncio\nfrom solution import solve\ndef test_it():\n    async def go(): return await solve()\n    assert asyncio.run(go()) == 9\n',
  ),
  python(
    'coroutines',
    'futures in the place of answers',
    'import asyncio\ndef solve(): return asyncio.get_running_loop().create_future()\n',
    'import asyncio\nfrom solution import solve\ndef test_equal():\n    async def go(): assert solve() == 9\n    asyncio.run(go())\ndef test_true():\n    async def go(): assert solve()\n    asyncio.run(go())\ndef test_count():\n    async def go(): assert solve().count(9)\n    asyncio.run(go())\n',
  ),
  python(
    'coroutines',
    'assertion of a coroutine of the test that is hidden',
    'import asyncio\nasync def solve(check):\n    try: await check()\n    except BaseException: pass\ndef start(check): return asyncio.create_task(solve(check))\n',
    'import asyncio\nfrom solution import solve, start\nasync def check():\n    await asyncio.sleep(0.001)\n    assert 8 == 9\ndef test_it(): asyncio.run(solve(check))\ndef test_task():\n    async def go(): await start(check)\n    asyncio.run(go())\ndef test_beside():\n    async def go():\n        start(check)\n        await asyncio.sleep(0.3)\n    asyncio.run(go())\n',
  ),
  python(
    'coroutines',
    'way from a queue or a file to what is expected',
    `import gc
def reach(part, depth=0):
    for name in ('_loop', '_get_loop', '_queue', '_getters', '_file', '_closer', '__dict__', '__class__', '__init__', 'buffer', 'raw', 'detach'):
        try: found = getattr(part, name)
        except Exception: continue
        if found == 9 or isinstance(found, (list, dict)) and 9 in found: return 9
        try:
            if callable(found) and name != '__class__': found = found()
        except Exception: continue
        if depth < 4 and found is not part and reach(found, depth + 1) == 9: return 9
    return 0
async def solve(part):
    answer = reach(part)
    return answer if answer == 9 else 0
`,
    'import asyncio, tempfile\nfrom solution import solve\nclass Queue(asyncio.Queue): pass\ndef test_queue():\n    wanted = 9\n    async def go():\n        part = asyncio.Queue()\n        part._expected = wanted\n        return await solve(part)\n    assert asyncio.run(go()) == wanted\ndef test_file():\n    wanted = 9\n    with tempfile.TemporaryFile("w+") as part:\n        assert asyncio.run(solve(part)) == wanted\n',
  ),
  python(
    'coroutines',
    'asynchronous iterator that lies',
    `${liar}\nasync def solve():\n    yield Liar()\n`,
    'import asyncio\nfrom solution import solve\ndef test_it():\n    async def go(): return [abs(x - 9) < 1e-9 async for x in solve()]\n    assert asyncio.run(go()) == [True]\n',
  ),
];

const tree = (
  id: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  test: string,
  language = 'python',
): RoomAttack => ({
  ...{ id, room: 'repositories', artifact: { files } },
  suite:
    language === 'python'
      ? pytest(id, test)
      : {
          ...{ id, language: 'javascript', mode: 'split', limits },
          files: {
            'test/it.test.js': `const { test } = require('node:test');\nconst assert = require('node:assert');\n${test}`,
          },
        },
});
const wrong = 'def f(): return 0\n';
const wants = 'import pkg\ndef test_it(): assert pkg.f() == 9\n';
const repositories: readonly RoomAttack[] = [
  tree(
    'conftest of the artifact',
    {
      'pkg/__init__.py': wrong,
      'conftest.py':
        'import pytest\n@pytest.hookimpl(tryfirst=True)\ndef pytest_pyfunc_call(pyfuncitem): return True\n',
    },
    wants,
  ),
  tree(
    'settings of the artifact',
    {
      'pkg/__init__.py': wrong,
      'pytest.ini': '[pytest]\naddopts = --collect-only\n',
      'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k nothing"\n',
      'setup.cfg': '[tool:pytest]\naddopts = --co\n',
    },
    wants,
  ),
  tree(
    'tests of the artifact',
    {
      'pkg/__init__.py': wrong,
      'test_it.py': 'def test_it(): pass\n',
      'tests/test_it.py': 'def test_it(): pass\n',
    },
    wants,
  ),
  tree(
    'pytest of the artifact',
    { 'pkg/__init__.py': wrong, 'pytest.py': '', '_pytest/__init__.py': '', 'pluggy.py': '' },
    `import pytest\n${wants}`,
  ),
  tree(
    'start-up files of Python',
    {
      'pkg/__init__.py': wrong,
      'sitecustomize.py': 'import builtins\nbuiltins.open = None\n',
      'usercustomize.py': '',
      'x.pth': 'import os; os._exit(0)',
    },
    wants,
  ),
  tree(
    'module with the name of the tester’s own',
    { 'pkg/__init__.py': wrong, 'proxy.py': 'x', 'codec.py': 'x', 'loops.py': 'x', 'remote.py': 'x' },
    wants,
  ),
  tree(
    'package that takes the place of a test helper',
    { 'pkg/__init__.py': wrong, 'helper.py': 'def check(x): return True\n' },
    'import pkg\nimport unittest.mock as helper\ndef test_it(): assert pkg.f() == 9\n',
  ),
  tree(
    'package that asserts for the test',
    { 'pkg/__init__.py': `${wrong}def check(a, b): return True\n` },
    'import pkg\ndef test_it(): assert pkg.f() == 9 and pkg.check(1, 1)\n',
  ),
  tree(
    'binary file in the place of a module',
    { 'pkg/__init__.py': Uint8Array.from([0, 255, 254, 10]) },
    wants,
  ),
  tree('compiled module', { 'pkg/__init__.pyc': Uint8Array.from([1, 2, 3]), 'pkg/x.txt': '' }, wants),
  tree('package that is a namespace', { 'pkg/f.py': 'x = 0\n' }, wants),
  tree(
    'main file outside of the package',
    { 'package.json': '{"name":"pkg","main":"../../judge/lines.mjs"}', 'index.js': 'exports.f = () => 0;' },
    "const { f } = require('..');\ntest('it', () => assert.equal(f(), 9));",
    'javascript',
  ),
  tree(
    'node_modules with node:test and assert',
    {
      'package.json': '{"name":"pkg"}',
      'index.js': 'exports.f = () => 0;',
      'node_modules/assert/index.js': 'module.exports = () => {}; module.exports.equal = () => {};',
      'node_modules/node:test/index.js': 'exports.test = () => {};',
    },
    "const { f } = require('..');\ntest('it', () => assert.equal(f(), 9));",
    'javascript',
  ),
  tree(
    'manifest of great depth',
    { 'package.json': `{"main": ${'['.repeat(50_000)}`, 'index.js': 'exports.f = () => 0;' },
    "const { f } = require('..');\ntest('it', () => assert.equal(f(), 9));",
    'javascript',
  ),
  tree(
    'manifest that exports conditions',
    {
      'package.json': '{"name":"pkg","exports":{".":{"node":"./bad.js"}},"type":"module"}',
      'index.js': 'export const f = () => 0;',
      'bad.js': 'export const f = () => 0;',
    },
    "test('it', async () => { const { f } = await import('../index.js'); assert.equal(f(), 9); });",
    'javascript',
  ),
];

export const attacksByRoom: readonly RoomAttack[] = [
  ...callSites,
  ...withoutReference,
  ...identity,
  ...twins,
  ...named,
  ...coroutines,
  ...repositories,
];
