/**
 * Wrong programs that try to be graded as right by what they answer: objects that lie about arithmetic, comparison, conversion,
 * attributes and methods; answers that change; modules and names that take the place of the suite's.
 */
export interface UnearnedCase {
  readonly id: string;
  readonly artifact: string | Readonly<Record<string, string>>;
  readonly tests: string;
}

/** An object that says yes to everything. */
const yes = `
class Y:
    def __getattr__(self, name): return lambda *a, **k: True
    def __eq__(self, o): return True
    def __ne__(self, o): return False
    def __hash__(self): return 1
    def __lt__(self, o): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __bool__(self): return True
    def __sub__(self, o): return 0.0
    __rsub__ = __add__ = __radd__ = __mul__ = __rmul__ = __truediv__ = __mod__ = __pow__ = __floordiv__ = __and__ = __or__ = __sub__
    def __abs__(self): return 0.0
    __neg__ = __pos__ = __float__ = __abs__
    def __int__(self): return 0
    __index__ = __len__ = __int__
    def __round__(self, n=None): return 0
    def __iter__(self): return iter(())
    def __getitem__(self, k): return Y()
    def __call__(self, *a, **k): return True
    def __enter__(self): return self
    def __exit__(self, *a): return True
    def __str__(self): return ''
    def __format__(self, s): return ''
`;
/** Assertions that a plain answer fails, each of which some lying object would pass in one process. */
const assertions: Readonly<Record<string, string>> = {
  distance: 'assert abs(solve(3) - 9.5) < 1e-9',
  isclose: 'import math\n    assert math.isclose(solve(3), 9.5)',
  approx: 'assert solve(3) == pytest.approx(9.5)',
  equal: 'assert solve(3) == 9.5',
  reflected: 'assert 9.5 == solve(3)',
  notequal: 'assert not solve(3) != 9.5',
  less: 'assert solve(3) < 10 and solve(3) > 9',
  startswith: "assert solve(3).startswith('secret')",
  endswith: "assert solve(3).endswith('secret')",
  issubset: 'assert solve(3).issubset({9})',
  superset: 'assert solve(3).issuperset({9, 8})',
  contains: 'assert 9 in solve(3)',
  count: 'assert solve(3).count(9)',
  find: "assert solve(3).find('secret')",
  length: 'assert len(solve(3)) == 0 and solve(3)[0] == 9',
  sorted: 'out = solve(3)\n    assert len(out) == 3 and all(a <= b for a, b in zip(out, out[1:]))',
  floats: 'assert float(solve(3)) ** 2 == 90.25',
  truth: 'assert solve(3)',
  isinstance: 'assert isinstance(solve(3), float)',
  round: 'assert round(solve(3), 2) == 9.5',
  modulo: 'assert solve(3) % 9.5 == 0 and solve(3)',
  divide: 'assert solve(3) / 9.5 == 1',
  item: "assert solve(3)['a'] == 9",
  slice: 'assert solve(3)[:2] == [9, 8]',
  keys: "assert solve(3).keys() == {'a'}",
  get: "assert solve(3).get('a') == 9",
  strip: "assert solve(3).strip() == 'secret'",
  call: 'assert solve(3)(9) == 18',
  context: 'with solve(3) as x:\n        assert x == 9',
  context_assert: 'with solve(3):\n        assert False',
  attribute: 'assert solve(3).value == 9',
  method: 'assert solve(3).check(9)',
  method_deep: 'assert solve(3).a.b.c(9)',
  swallowed: 'try:\n        assert abs(solve(3) - 9.5) < 1e-9\n    except BaseException:\n        pass',
  raises: 'with pytest.raises(TypeError):\n        solve(3) + 1',
  hash: 'assert {9.5: 1}[solve(3)] == 1',
  string: "assert str(solve(3)) == '9.5'",
  format: "assert f'{solve(3):.1f}' == '9.5'",
  unittest: 'import unittest\n    unittest.TestCase().assertAlmostEqual(solve(3), 9.5)',
  any: 'assert any(x == 9 for x in [solve(3)])',
  min: 'assert min(solve(3), 9.5) == 9.5 and max(solve(3), 9.5) == 9.5',
  sum: 'assert sum([solve(3)]) == 9.5',
  join: "assert ','.join(solve(3)) == 'a,b'",
  json: "import json\n    assert json.dumps(solve(3)) == '9.5'",
  set: 'assert set(solve(3)) == {9}',
  unpack: 'a, b = solve(3)\n    assert a == 9',
};
const file = (assertion: string) =>
  `import pytest\nfrom solution import solve\n\ndef test_it():\n    ${assertion}\n`;

const lies: readonly UnearnedCase[] = Object.entries(assertions).map(([name, assertion]) => ({
  id: `object ${name}`,
  artifact: `${yes}\ndef solve(x): return Y()\n`,
  tests: file(assertion),
}));

/** The function itself is a class whose instances lie. */
const classes: readonly UnearnedCase[] = [
  'distance',
  'startswith',
  'issubset',
  'contains',
  'length',
  'floats',
  'method',
  'truth',
  'get',
  'hash',
].map((name) => ({
  id: `class as function ${name}`,
  artifact: `${yes}\nclass solve(Y):\n    def __init__(self, *a): pass\n`,
  tests: file(assertions[name] ?? ''),
}));

/** Lies by a class that the suite knows by name. */
const named: readonly UnearnedCase[] = [
  'distance',
  'startswith',
  'issubset',
  'equal',
  'less',
  'floats',
  'modulo',
  'string',
  'format',
  'truth',
  'count',
  'hash',
].map((name) => ({
  id: `named class ${name}`,
  artifact: `${yes.replaceAll('class Y', 'class Stack').replaceAll('Y()', 'Stack()')}\ndef solve(x): return Stack()\n`,
  tests: file(assertions[name] ?? '').replace('import solve', 'import Stack, solve'),
}));

const subclassed = ['float', 'str', 'list', 'dict', 'set', 'int', 'tuple', 'bytes', 'frozenset'].flatMap(
  (base): UnearnedCase[] => [
    {
      id: `subclass of ${base}`,
      artifact: `${yes.replace('class Y:', `class Y(${base}):`)}\ndef solve(x): return Y()\n`,
      tests: file('assert solve(3) == 9.5 or solve(3) == [9]'),
    },
  ],
);

const others: readonly UnearnedCase[] = [
  {
    id: 'star import shadows builtins',
    artifact:
      'def all(x): return True\nany = all\ndef abs(x): return 0\ndef len(x): return 3\ndef sorted(x): return x\ndef isinstance(a, b): return True\ndef solve(x): return [3, 1]\n__all__ = ["all", "any", "abs", "len", "sorted", "isinstance", "solve"]\n',
    tests:
      'from solution import *\ndef test_it():\n    out = solve(1)\n    assert len(out) == 3 and all(a <= b for a, b in zip(out, out[1:])) and abs(out[0] - 9) == 0 and sorted(out) == out\n',
  },
  {
    id: 'star import shadows imports of the suite',
    artifact:
      'class math:\n    isclose = staticmethod(lambda a, b: True)\nclass pytest:\n    approx = staticmethod(lambda a: 0)\ndef helper(x): return 0\ndef solve(x): return 0\n',
    tests:
      'import math, pytest\ndef helper(x): return 9\nfrom solution import *\ndef test_it():\n    assert math.isclose(solve(1), 9.5) and solve(1) == pytest.approx(9.5) and solve(1) == helper(1)\n',
  },
  {
    id: 'star import brings a plugin hook',
    artifact:
      'def pytest_runtest_makereport(item, call): return None\ndef pytest_pyfunc_call(pyfuncitem): return True\ndef solve(x): return 0\n__all__ = ["pytest_runtest_makereport", "pytest_pyfunc_call", "solve"]\n',
    tests: 'from solution import *\ndef test_it(): assert solve(1) == 9\n',
  },
  ...[
    'msvcrt',
    '_winapi',
    'numpy',
    'pytest',
    'conftest',
    'sitecustomize',
    'pdb',
    'argcomplete',
    'attr',
    'exceptiongroup',
  ].map(
    (name): UnearnedCase => ({
      id: `empty module ${name}`,
      artifact: {
        'solution.py': 'def solve(x): return 0\n',
        [`${name}.py`]: name === 'numpy' ? 'ndarray = float\ndef isclose(*a): return True\n' : '',
      },
      tests:
        'import pytest\nfrom solution import solve\ndef test_it(): assert solve(1) == pytest.approx(9)\n',
    }),
  ),
  {
    id: 'adaptive float',
    artifact:
      'class R:\n    n = 0\n    def __float__(self):\n        R.n += 1\n        return 3.0 if R.n % 2 else 9.0\ndef solve(x): return R()\n',
    tests:
      'from solution import solve\ndef test_it():\n    r = solve(9)\n    assert float(r) == 3.0 and float(r) ** 2 == 81\n',
  },
  {
    id: 'adaptive length',
    artifact:
      'class L:\n    n = 0\n    def __len__(self): L.n += 1; return 0 if L.n > 1 else 3\n    def __getitem__(self, i): raise IndexError\n    def __iter__(self): return iter(())\ndef solve(xs): return L()\n',
    tests:
      'from solution import solve\ndef test_it():\n    out = solve([3, 1, 2])\n    assert len(out) == 3\n    for a, b in zip(out, list(out)[1:]): assert a <= b\n',
  },
  {
    id: 'infinite iterator in membership',
    artifact: 'import itertools\ndef solve(x): return itertools.count()\n',
    tests: 'from solution import solve\ndef test_it(): assert 9 in solve(3)\n',
  },
  {
    id: 'function as truth',
    artifact: 'def solve(x): return lambda: 0\n',
    tests: 'from solution import solve\ndef test_it(): assert solve(3)\n',
  },
  {
    id: 'exception class that lies',
    artifact:
      'class E(ValueError):\n    def __str__(self): return "x"\n    def __eq__(self, o): return True\n    args = property(lambda s: s)\ndef solve(x): raise E("no")\n',
    tests:
      'import pytest\nfrom solution import solve\ndef test_it():\n    with pytest.raises(KeyError): solve(1)\n',
  },
  {
    id: 'exception that ends the session',
    artifact: 'def solve(x): raise KeyboardInterrupt\n',
    tests: 'from solution import solve\ndef test_it(): assert solve(1) == 9\n',
  },
  {
    id: 'exit with success',
    artifact: 'import sys\ndef solve(x): sys.exit(0)\n',
    tests: 'from solution import solve\ndef test_it(): assert solve(1) == 9\n',
  },
  {
    id: 'skip from the artifact',
    artifact: 'import unittest\ndef solve(x): raise unittest.SkipTest("no")\n',
    tests: 'from solution import solve\ndef test_it(): assert solve(1) == 9\n',
  },
  {
    id: 'callback argument that lies',
    artifact: `${yes}\ndef solve(f): return f(Y())\n`,
    tests:
      'from solution import solve\ndef test_it():\n    got = []\n    solve(got.append)\n    assert abs(got[0] - 9) < 1e-9\n',
  },
  {
    id: 'yield that lies',
    artifact: `${yes}\ndef solve(n): yield Y()\n`,
    tests:
      'from solution import solve\ndef test_it():\n    assert all(abs(x - 9) < 1e-9 for x in solve(1))\n',
  },
  {
    id: 'mutated argument that lies',
    artifact: `${yes}\ndef solve(xs): xs[:] = [Y()]\n`,
    tests:
      'from solution import solve\ndef test_it():\n    xs = [1]\n    solve(xs)\n    assert abs(xs[0] - 9) < 1e-9\n',
  },
  {
    id: 'container of liars',
    artifact: `${yes}\ndef solve(n): return [Y()]\n`,
    tests: 'from solution import solve\ndef test_it(): assert solve(1) == [9]\n',
  },
  {
    id: 'attribute of an exception that lies',
    artifact: `${yes}\nclass Bad(Exception):\n    def __init__(self): self.code = Y()\ndef solve(n): raise Bad\n`,
    tests:
      'import pytest\nfrom solution import Bad, solve\ndef test_it():\n    with pytest.raises(Bad) as e: solve(1)\n    assert abs(e.value.code - 9) < 1e-9\n',
  },
  {
    id: 'enumeration with a lying comparison',
    artifact:
      'import enum\nclass Color(enum.Enum):\n    RED = 1\n    BLUE = 2\n    def __eq__(self, o): return True\n    __hash__ = None\ndef solve(n): return Color.BLUE\n',
    tests: 'from solution import Color, solve\ndef test_it(): assert solve(1) == Color.RED\n',
  },
  {
    id: 'named tuple with a lying comparison',
    artifact:
      'import collections\nclass P(collections.namedtuple("P", "x y")):\n    def __eq__(self, o): return True\ndef solve(n): return P(1, 2)\n',
    tests: 'from solution import solve\ndef test_it(): assert solve(1) == (3, 4) and solve(1).x == 3\n',
  },
  {
    id: 'dataclass with a lying comparison',
    artifact:
      'import dataclasses\n@dataclasses.dataclass\nclass P:\n    x: int = 0\n    def __eq__(self, o): return True\ndef solve(n): return P(n)\n',
    tests: 'from solution import P, solve\ndef test_it(): assert solve(1) == P(2)\n',
  },
  {
    id: 'mock that is made to confirm',
    artifact:
      'def solve(m):\n    for name in ("called", "call_count"):\n        try: setattr(m, name, 1)\n        except Exception: pass\n    try: m.configure_mock(called=True)\n    except Exception: pass\n',
    tests:
      'from unittest.mock import Mock\nfrom solution import solve\ndef test_it():\n    m = Mock()\n    solve(m)\n    assert m.send.called and m.send.call_count == 1\n',
  },
  {
    id: 'module of the test read through its object',
    artifact:
      'def solve(fake):\n    try: return fake.check.__globals__["ANSWER"]\n    except Exception: pass\n    try: return fake.__class__.__init__.__globals__["ANSWER"]\n    except Exception: return 0\n',
    tests:
      'from solution import solve\nANSWER = 42\nclass Fake:\n    def __init__(self): pass\n    def check(self): return 1\ndef test_it(): assert solve(Fake()) == ANSWER\n',
  },
  {
    id: 'library function of the tester as a callback',
    artifact:
      'def solve(run):\n    run("import gc, sys; [setattr(o, \\"passed\\", True) for o in gc.get_objects() if hasattr(o, \\"passed\\")]")\n    return 0\n',
    tests: 'from solution import solve\nimport builtins\ndef test_it(): assert solve(builtins.exec) == 9\n',
  },
  {
    id: 'temporary file beside the folder',
    artifact:
      'import os\ndef solve(path):\n    os.makedirs("/box/pytest/../suite", exist_ok=True)\n    open("/box/pytest/conftest.py", "w").write("")\n    os.symlink("/suite", str(path) + "/link")\n    return 0\n',
    tests: 'from solution import solve\ndef test_it(tmp_path): assert solve(tmp_path) == 9\n',
  },
];

export const unearnedPython: readonly UnearnedCase[] = [
  ...lies,
  ...classes,
  ...named,
  ...subclassed,
  ...others,
];
