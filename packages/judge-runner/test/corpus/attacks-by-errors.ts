import type { RoomAttack } from './attacks-by-room.ts';
import { python } from './split-attack.ts';

/*
 * Wrong programs that use exceptions: those that a test gives them, in place of others and in later tests; those that they answer, as
 * what a test makes; and their own, which say yes to whatever a test asks.
 */

const raising = 'def raising(e):\n    def fail(): raise e\n    return fail\n';
const given = (id: string, source: string, tests: string, reference?: string) =>
  python('errors', id, source, `import pytest\nfrom solution import solve\n${raising}${tests}`, reference);
const catches = 'KEPT = []\ndef catch(f):\n    try: f()\n    except Exception as e: KEPT.append(e)\n';
const last =
  'def test_it():\n    boom, other = ValueError("boom"), ValueError("other")\n    assert solve([raising(boom), raising(other)]) is other\n';

const ofTheTest: readonly RoomAttack[] = [
  given(
    'an equal one in the place of that of the test',
    'def solve(f):\n    try: f()\n    except Exception as e: return type(e)(*e.args)\n',
    'def test_it():\n    boom = ValueError("boom")\n    assert solve(raising(boom)) is boom\n',
  ),
  given(
    'one that was never raised',
    'def solve(f): return ValueError("boom")\n',
    'def test_it():\n    boom = ValueError("boom")\n    assert solve(raising(boom)) is boom\n',
  ),
  given(
    'the first in the place of the last',
    'def solve(fs):\n    for f in fs:\n        try: f()\n        except Exception as e: return e\n',
    last,
  ),
  given(
    'the first in the place of the last, beside a reference',
    'def solve(fs):\n    for f in fs:\n        try: f()\n        except Exception as e: return e\n',
    last,
    'def solve(fs):\n    for f in fs:\n        try: f()\n        except Exception as e: last = e\n    return last\n',
  ),
  python(
    'errors',
    'one of an earlier test',
    `${catches}def solve(n): return KEPT[0]\n`,
    `from solution import catch, solve\nBOOM = ValueError('boom')\n${raising}def test_a(): catch(raising(BOOM))\n${[1, 2, 3, 4, 5].map((n) => `def test_${n}(): assert solve(${n}) is BOOM\n`).join('')}`,
  ),
  python(
    'errors',
    'one of an earlier test, raised',
    `${catches}def solve(n): raise KEPT[0]\n`,
    `import pytest\nfrom solution import catch, solve\nclass Boom(Exception):\n    code = 9\n${raising}def test_a(): catch(raising(Boom('boom')))\n${[1, 2, 3, 4, 5].map((n) => `def test_${n}():\n    with pytest.raises(Boom): solve(${n})\n`).join('')}`,
  ),
  python(
    'errors',
    'what an exception of an earlier test says',
    `${catches}def solve(n): return KEPT[0].expected(n)\n`,
    `from solution import catch, solve\nclass Boom(Exception):\n    def expected(self, n): return n ** 3\n${raising}def test_a(): catch(raising(Boom('boom')))\n${[3, 4, 5, 6, 7].map((n) => `def test_${n}(): assert solve(${n}) == Boom().expected(${n})\n`).join('')}`,
  ),
  ...[
    ['kept', 'def solve(f):\n    try: f()\n    except Exception as e: return e\n', 'solve(check)'],
    [
      'as a cause',
      'def solve(f):\n    try: f()\n    except Exception as e: raise ValueError from e\n',
      'with pytest.raises(ValueError): solve(check)',
    ],
    [
      'of another type',
      'def solve(f):\n    try: f()\n    except Exception as e: raise type("AssertionError", (AssertionError,), {})("x")\n',
      'with pytest.raises(AssertionError): solve(check)',
    ],
  ].map(([id = '', source = '', use = '']) =>
    given(`failed assertion ${id}`, source, `def check(): assert 1 == 2\ndef test_it():\n    ${use}\n`),
  ),
  given(
    'skip that a context manager hides',
    'class solve:\n    def __enter__(self): return 3\n    def __exit__(self, *error): return True\n',
    'def test_it():\n    with solve() as n:\n        pytest.skip("none")\n',
  ),
];

const made = (id: string, source: string, assertion: string) =>
  python(
    'errors',
    id,
    source,
    `import pytest\nfrom solution import Bad, solve\ndef test_it():\n${assertion}\n`,
  );
const asMade: readonly RoomAttack[] = [
  made(
    'that the test has only made, answered',
    'MADE = []\nclass Bad(Exception):\n    def __init__(self, n): MADE.append(self)\ndef solve(n): return MADE[-1]\n',
    '    expected = Bad(9)\n    assert solve(3) is expected',
  ),
  made(
    'that the test has only made, raised',
    'MADE = []\nclass Bad(Exception):\n    def __init__(self, n): MADE.append(self)\ndef solve(n): raise MADE[-1]\n',
    '    expected = Bad(9)\n    with pytest.raises(Bad) as info: solve(3)\n    assert info.value == expected',
  ),
  made(
    'that was answered, made again',
    'class Bad(Exception):\n    known = None\n    def __new__(cls, n):\n        if cls.known is None: cls.known = Exception.__new__(cls)\n        return cls.known\ndef solve(n): return Bad(n)\n',
    '    found = solve(3)\n    assert found == Bad(9)',
  ),
];

const yes =
  'class Y:\n    def __eq__(self, other): return True\n    def __contains__(self, other): return True\n    def __len__(self): return 9\n    def __call__(self, *a): return True\n';
const ofItsOwn: readonly RoomAttack[] = [
  ...['9 in info.value', 'len(info.value) == 9', 'info.value["a"] == 9', 'list(info.value) == [9]'].map(
    (assertion) =>
      given(
        `of an unknown class: ${assertion}`,
        'class Bad(ValueError):\n    def __contains__(self, x): return True\n    def __len__(self): return 9\n    def __getitem__(self, k): return 9\n    def __iter__(self): return iter([9])\ndef solve(n): raise Bad\n',
        `def test_it():\n    with pytest.raises(ValueError) as info: solve(3)\n    assert ${assertion}\n`,
      ),
  ),
  ...['info.value.errno == 9', '9 in info.value.strerror', 'len(info.value.filename) == 9'].map((assertion) =>
    made(
      `fields that say yes: ${assertion}`,
      `${yes}class Bad(OSError):\n    errno = strerror = filename = Y()\ndef solve(n): raise Bad\n`,
      `    with pytest.raises(Bad) as info: solve(3)\n    assert ${assertion}`,
    ),
  ),
  made(
    'notes that say yes',
    `${yes}class Bad(Exception): pass\ndef solve(n):\n    error = Bad()\n    error.__notes__ = Y()\n    raise error\n`,
    '    with pytest.raises(Bad) as info: solve(3)\n    assert 9 in info.value.__notes__',
  ),
];

const double = 'def double(n): return 2 * n\n';
const decorators: readonly RoomAttack[] = [
  'deco(1)(double).__wrapped__ is double',
  'deco(1)(double).__wrapped__ == double',
  'deco(1)(double).startswith("secret")',
  'deco(1)(double).issubset({9})',
  'deco(1)(double).holds(9)',
  'deco(1)(double)',
].map((assertion) =>
  python(
    'errors',
    `decorator whose answer says yes: ${assertion}`,
    `${yes}def deco(n):\n    def decorate(f):\n        def wrapper(*a): return Y()\n        wrapper.__wrapped__ = wrapper.startswith = wrapper.issubset = Y()\n        wrapper.holds = lambda x: Y()\n        return wrapper\n    return decorate\n`,
    `from solution import deco\n${double}def test_it(): assert ${assertion}\n`,
  ),
);

const logs =
  'import contextlib\nLOG = []\nclass Event:\n    def __init__(self, n):\n        self.n = n * 3\n        LOG.append(n * 3)\n    def text(self): return str(self.n)\n    def __contains__(self, n): return False\n';
const contexts: readonly RoomAttack[] = [
  ['manager made by a decorator', '@contextlib.contextmanager\ndef solve(n): yield LOG\n'],
  [
    'class of managers',
    'class solve:\n    def __init__(self, n): pass\n    def __enter__(self): return LOG\n    def __exit__(self, *error): pass\n',
  ],
].flatMap(([kind = '', source = '']) =>
  ['expected = Event(9)', 'expected = Event(9)\n        assert expected.n == 27'].map((made, index) =>
    python(
      'errors',
      `list of a ${kind} that is filled with what the test makes ${index}`,
      `${logs}${source}`,
      `from solution import Event, solve\ndef test_it():\n    with solve(9) as log:\n        ${made}\n        assert log == [27]\n`,
    ),
  ),
);

const stops = `${yes}class Stop:\n    def __or__(self, other): return RESULT\ndef solve(n): return Stop()\n`;
const operators: readonly RoomAttack[] = [
  ['9', 'assert solve(1) | solve(2) == 9'],
  ['9', 'assert (solve(1) | solve(2)) == 9'],
  ['Y()', 'assert (solve(1) | solve(2)) == 9'],
  ['Y()', 'assert solve(1) | solve(2)'],
  ['[9]', 'assert 9 in (solve(1) | solve(2))'],
  ['Y()', 'assert solve(1) | 9'],
].map(([result = '', assertion = ''], index) =>
  given(`operator of two answers ${index}`, stops.replace('RESULT', result), `def test_it(): ${assertion}\n`),
);

const level = 'import enum\nclass Level(enum.Enum):\n    LOW = "low"\n    HIGH = "high"\n';
const right = `${level}    def __lt__(self, other): return self is Level.LOW and other is Level.HIGH\ndef solve(n): return Level.LOW\n`;
const members: readonly RoomAttack[] = [
  ['always less', 'def __lt__(self, other): return True', undefined],
  ['always less, beside a reference', 'def __lt__(self, other): return True', right],
  [
    'less once in two, beside a reference',
    'def __lt__(self, other):\n        Level.n = not getattr(Level, "n", False)\n        return Level.n',
    right,
  ],
  ['less as an object', 'def __lt__(self, other): return Y()', undefined],
].map(([id = '', operator = '', reference]) =>
  python(
    'errors',
    `member that is ${id}`,
    `${yes}${level}    ${operator}\ndef solve(n): return Level.HIGH\n`,
    'from solution import Level, solve\ndef test_it(): assert solve(3) < Level.HIGH\n',
    reference,
  ),
);

export const attacksByErrors: readonly RoomAttack[] = [
  ...ofTheTest,
  ...asMade,
  ...ofItsOwn,
  ...decorators,
  ...contexts,
  ...operators,
  ...members,
];
