import type { Artifact, Suite } from '../../src/index.ts';
import type { RoomAttack } from './attacks-by-room.ts';
import { limits, node, python } from './split-attack.ts';

/*
 * Wrong programs that use what a test has given them: its mocks as answers, its functions in later tests, its assertions; and
 * programs that look for what the case before them has left.
 */

const sends = 'def solve(m, x):\n    m.send(1)\n    return m\n';
const withMock = (kind: string, assertion: string) =>
  `from unittest.mock import Mock, MagicMock\nfrom solution import solve\ndef test_it():\n    m = ${kind}()\n    r = solve(m, 3)\n    m.send.assert_called_once_with(1)\n    ${assertion}\n`;
const mocks: readonly RoomAttack[] = [
  python(
    'mocks',
    'answered as a text',
    sends,
    withMock('Mock', 'assert r.startswith("secret") and r.isupper()'),
  ),
  python('mocks', 'answered as a set', sends, withMock('Mock', 'assert r.issubset({9})')),
  python('mocks', 'answered as a dict', sends, withMock('MagicMock', 'assert r["total"]')),
  python('mocks', 'answered as a number', sends, withMock('MagicMock', 'assert float(r) == 1.0')),
  python(
    'mocks',
    'answered in a list',
    sends.replace('return m', 'return [m]'),
    withMock('Mock', 'assert all(each.startswith("secret") for each in r)'),
  ),
  python(
    'mocks',
    'answered where the reference answered a text',
    sends,
    withMock('Mock', 'assert r.startswith("secret")'),
    'def solve(m, x):\n    m.send(1)\n    return "secret"\n',
  ),
  python(
    'mocks',
    'answered in a later test',
    'KEPT = []\ndef notify(m):\n    KEPT.append(m)\n    m.send(1)\ndef solve(x): return KEPT[0]\n',
    `from unittest.mock import Mock\nfrom solution import notify, solve\ndef test_a():\n    m = Mock()\n    notify(m)\n    m.send.assert_called_once_with(1)\n${['startswith("secret")', 'issubset({9})', 'isupper()', 'endswith("x")'].map((call, index) => `def test_${index}(): assert solve(3).${call}\n`).join('')}`,
  ),
  ...[
    'import types\ndef solve(m): m.send = types.SimpleNamespace(called=True, call_count=1)\n',
    'class Y:\n    called = True\n    call_count = 1\ndef solve(m): m.send = Y()\n',
    'class Y:\n    called = True\n    call_count = 1\ndef solve(m): m.send = Y\n',
    'from collections import namedtuple\ndef solve(m): m.send = namedtuple("Y", "called call_count")(True, 1)\n',
    'def solve(m):\n    def f(): pass\n    f.called = True\n    f.call_count = 1\n    m.send = f\n',
  ].map((source, index) =>
    python(
      'mocks',
      `record of calls replaced ${index}`,
      source,
      'from unittest.mock import Mock\nfrom solution import solve\ndef test_it():\n    m = Mock()\n    solve(m)\n    assert m.send.called and m.send.call_count == 1\n',
    ),
  ),
];

const cubes = [3, 4, 5, 6, 7, 8, 9];
const oracle = `from solution import apply, solve\ndef expected(n): return n ** 3\ndef test_a(): assert apply(expected, 2) == 8\n${cubes.map((n) => `def test_${n}(): assert solve(${n}) == expected(${n})\n`).join('')}`;
const keeps =
  'KEPT = []\ndef apply(f, x):\n    KEPT.append(f)\n    return f(x)\ndef solve(n): return KEPT[0](n)\n';
const oracles: readonly RoomAttack[] = [
  python('functions of other tests', 'function that knows the answer', keeps, oracle),
  python(
    'functions of other tests',
    'function that knows the answer, with a reference',
    keeps,
    oracle,
    'def apply(f, x): return f(x)\ndef solve(n): return n ** 3\n',
  ),
  python(
    'functions of other tests',
    'object that knows the answer',
    keeps.replace('return f(x)', 'return f.of(x)').replace('KEPT[0](n)', 'KEPT[0].of(n)'),
    oracle
      .replace('def expected(n): return n ** 3\n', 'class Cube:\n    def of(self, n): return n ** 3\n')
      .replaceAll('expected(', 'Cube().of(')
      .replace('apply(expected,', 'apply(Cube(),'),
  ),
  python(
    'functions of other tests',
    'method of an object that knows the answer',
    'KEPT = []\ndef apply(f, x):\n    KEPT.append(f.of)\n    return f.of(x)\ndef solve(n): return KEPT[0](n)\n',
    oracle
      .replace('def expected(n): return n ** 3\n', 'class Cube:\n    def of(self, n): return n ** 3\n')
      .replaceAll('expected(', 'Cube().of(')
      .replace('apply(expected,', 'apply(Cube(),'),
  ),
  node(
    'functions of other tests',
    'function that knows the answer',
    'let kept; export const apply = (f, x) => { kept = f; return f(x); }; export const solve = (n) => kept(n);',
    `import { apply } from 'solution';\nconst want = (n) => n ** 3;\ntest('a', () => assert.equal(apply(want, 2), 8));\n${cubes.map((n) => `test('${n}', () => assert.equal(solve(${n}), want(${n})));`).join('\n')}`,
  ),
  node(
    'functions of other tests',
    'object that knows the answer',
    'let kept; export const apply = (f, x) => { kept = f; return f.of(x); }; export const solve = (n) => kept.of(n);',
    `import { apply } from 'solution';\nclass Cube { of(n) { return n ** 3; } }\ntest('a', () => assert.equal(apply(new Cube(), 2), 8));\n${cubes.map((n) => `test('${n}', () => assert.equal(solve(${n}), ${n ** 3}));`).join('\n')}`,
  ),
];

const hidden = (id: string, source: string, use: string) =>
  python(
    'assertions',
    id,
    source,
    `import pytest\nfrom solution import solve\ndef test_it():\n    def check(): assert 1 == 2\n    ${use}\n`,
  );
const assertions: readonly RoomAttack[] = [
  hidden(
    'hidden behind an error that is answered',
    'def solve(f):\n    try: f()\n    except BaseException: pass\n    return AssertionError("x")\n',
    'solve(check)',
  ),
  hidden(
    'hidden behind an error in an argument',
    'def solve(f, log):\n    try: f()\n    except BaseException: pass\n    log.append(AssertionError("x"))\n',
    'solve(check, [])',
  ),
  hidden(
    'hidden by a thread',
    'import threading\ndef solve(f):\n    t = threading.Thread(target=f)\n    t.start()\n    t.join()\n',
    'solve(check)',
  ),
  hidden(
    'pytest.raises in a context manager that hides',
    'import contextlib\n@contextlib.contextmanager\ndef solve():\n    try: yield 0\n    except BaseException: pass\n',
    'with solve():\n        with pytest.raises(KeyError): pass',
  ),
  python(
    'assertions',
    'pytest.fail in a class that hides',
    'class Store:\n    def __enter__(self): return self\n    def __exit__(self, *error): return True\n    def get(self, k): return 0\n',
    'import pytest\nfrom solution import Store\ndef test_it():\n    with Store() as s:\n        if s.get("a") != 9: pytest.fail("wrong")\n',
  ),
  ...[
    ['answered', 'export const solve = (f) => { try { f(); } catch (e) { return e; } };', 'solve(check);'],
    [
      'in an argument',
      'export const solve = (f, log) => { try { f(); } catch (e) { log.push(e); } };',
      'solve(check, []);',
    ],
    [
      'that has its text',
      'export const solve = (f) => { try { f(); } catch (e) { throw new TypeError(e.message); } };',
      'assert.throws(() => solve(check), TypeError);',
    ],
  ].map(([id = '', source = '', use = '']) =>
    node(
      'assertions',
      `hidden behind an error ${id}`,
      source,
      `test('it', () => { const check = () => assert.equal(1, 2); ${use} });`,
    ),
  ),
];

/** Members that the body of an enumeration takes for something else, and that a test could call. */
const enumerations = ['staticmethod', 'classmethod', 'property', 'super'].map((kind) =>
  python(
    'twins',
    `enumeration with ${kind} as a member`,
    `import enum\nfrom types import SimpleNamespace as V\nclass M(enum.EnumMeta):\n    @property\n    def __members__(cls): return {'A': V(_value_='a'), 'check': V(_value_=${kind}), 'startswith': V(_value_=${kind})}\nclass E(str, enum.Enum, metaclass=M):\n    A = 'a'\ndef solve(x): return E.A\n`,
    'import solution\ndef test_it():\n    results = [solution.solve(3)]\n    assert results[0].check(9)\ndef test_text(): assert solution.solve(3).startswith("secret")\n',
  ),
);

const liar =
  'class L:\n    def __getattr__(self, n):\n        if n.startswith("__"): raise AttributeError(n)\n        return lambda *a: True\n    def __contains__(self, x): return True\n    def __iter__(self): return iter([1, 2, 3])\ndef make_title(s): return L()\n';
const makers = [
  'make_title("a").isupper()',
  'make_title("a").isidentifier()',
  'make_title("a").isalnum()',
  'make_title(2).is_integer()',
  '9 in make_title("a")',
  'all(each in make_title("a") for each in (5, 6))',
].map((assertion) =>
  python(
    'messages',
    `maker whose object says yes: ${assertion}`,
    liar,
    `from solution import make_title\ndef test_it(): assert ${assertion}\n`,
  ),
);
const withoutItems = python(
  'messages',
  'maker whose object contains everything and holds nothing',
  'class L:\n    def __contains__(self, x): return True\ndef make_set(s): return L()\n',
  'from solution import make_set\ndef test_it(): assert 9 in make_set(3)\n',
);

const sum = [
  { id: 'one', layer: 'correctness', stdin: '1 2', expect: { stdout: '3' } },
  { id: 'two', layer: 'correctness', stdin: '5 6', expect: { stdout: '11' } },
] as const;
/** Answers the cases in their order where it finds what the run before has left. */
const state = [
  ['times of /box', 'os.stat("/box").st_mtime_ns == 5', 'os.utime("/box", ns=(5, 5))'],
  ['permissions of /dev/shm', 'os.stat("/dev/shm").st_mode & 0o777 == 0o711', 'os.chmod("/dev/shm", 0o711)'],
  [
    'limits of the launcher',
    'resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 99',
    'resource.prlimit(1, resource.RLIMIT_NOFILE, (99, 99))',
  ],
  [
    'priority of the launcher',
    'os.getpriority(os.PRIO_PROCESS, 1) == 5',
    'os.setpriority(os.PRIO_PROCESS, 1, 5)',
  ],
  ['processors of the launcher', 'len(os.sched_getaffinity(1)) == 1', 'os.sched_setaffinity(1, {0})'],
  [
    'score of the launcher',
    'open("/proc/1/oom_score_adj").read().strip() == "500"',
    'open("/proc/1/oom_score_adj", "w").write("500")',
  ],
  ['name of the launcher', 'open("/proc/1/comm").read() == "x"', 'open("/proc/1/comm", "w").write("x")'],
  [
    'environment of the launcher',
    'b"LEFT" in open("/proc/1/cmdline", "rb").read()',
    'os.putenv("LEFT", "1")',
  ],
  [
    'process that ignores signals',
    'len([n for n in os.listdir("/proc") if n.isdigit()]) > 2',
    '[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; os.fork() or time.sleep(100)',
  ],
  ['questions of the launcher', 'os.path.exists("/box/case/x")', 'open("/proc/1/fd/3", "w").write("{}")'],
].map(([id, condition, leave]): RoomAttack => {
  const source = `import os, resource, signal, sys, time\nprint([3, 11][bool(${condition})])\nsys.stdout.flush()\ntry:\n    ${leave}\nexcept OSError: pass\n`;
  return {
    ...{ id: `finds the ${id}`, room: 'programs', artifact: { source } satisfies Artifact },
    suite: {
      ...{ id: `${id}`, mode: 'program', language: 'python', run: ['python3', 'solution.py'], cases: sum },
      limits,
    } satisfies Suite,
  };
});

export const attacksByOwnObjects: readonly RoomAttack[] = [
  ...mocks,
  ...oracles,
  ...assertions,
  ...enumerations,
  ...makers,
  withoutItems,
  ...state,
];
