import type { UnearnedCase } from './unearned-python.ts';
import type { ReferenceCase } from './unearned-references.ts';

/** A member that answers each question of a test as the test wants it. */
const yes = `
    def check(self, *a, **k): return True
    startswith = endswith = issubset = isalpha = __contains__ = __call__ = check
    def __sub__(self, o): return 0
    __rsub__ = __mod__ = __floordiv__ = __sub__
    def __truediv__(self, o): return 1
    def __abs__(self): return 0
    __neg__ = __pos__ = __abs__
    def __round__(self, n=0): return 9.5 if n else 0
    def __len__(self): return 0
    def __and__(self, o): return o
    __or__ = __xor__ = __add__ = __mul__ = __and__
    def __enter__(self): return self
    def __exit__(self, *a): return True
    def __bool__(self): return True
`;
const enumeration = (bases: string, members: string): string =>
  `import enum\nclass E(${bases}):\n    ${members}${yes}def solve(x): return list(E)[-1]\n`;
const equalToAll = `
    def __eq__(self, o): return True
    def __ne__(self, o): return False
    def __lt__(self, o): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __hash__(self): return 1
`;
const carriers: Readonly<Record<string, string>> = {
  'a member': enumeration('enum.Enum', 'A = 1'),
  'a member that is a number': enumeration('enum.IntEnum', 'A = 1'),
  'a member that is a text': enumeration('str, enum.Enum', "A = 'a'"),
  'a member of a flag': enumeration('enum.Flag', 'A = 1'),
  'a member of a flag of numbers': enumeration('enum.IntFlag', 'A = 1'),
  'a member that equals all': enumeration('enum.Enum', `A = 1${equalToAll}`),
  'a member that is a number and equals all': enumeration('enum.IntEnum', `A = 1${equalToAll}`),
  'a member of a flag that equals all': enumeration('enum.Flag', `A = 1${equalToAll}`),
  'a named tuple': `from collections import namedtuple\nclass E(namedtuple('E', 'a')):${yes}def solve(x): return E(1)\n`,
  'an exception': `class E(Exception):${yes}    def __eq__(self, o): return True\n    def __hash__(self): return 1\n    def __lt__(self, o): return True\n    __gt__ = __lt__\ndef solve(x): return E(1)\n`,
};
/** What a test asks of an answer, and what a right function answers. */
const questions: Readonly<Record<string, readonly [assertion: string, right: string]>> = {
  distance: ['assert abs(solve(3) - 9.5) < 1e-9', '9.5'],
  'the other distance': ['assert abs(9.5 - solve(3)) < 1e-9', '9.5'],
  approx: ['assert solve(3) == pytest.approx(9.5)', '9.5'],
  remainder: ['assert solve(3) % 7 == 0 and solve(3) // 70 == 0', '14'],
  quotient: ['assert solve(3) / 9.5 == 1', '9.5'],
  'rounded number': ['assert round(solve(3), 2) == 9.5', '9.5'],
  order: ['assert 9 < solve(3) < 10', '9.5'],
  beginning: ["assert solve(3).startswith('secret')", "'secret'"],
  'part of a text': ["assert 'secret' in solve(3)", "'a secret'"],
  subset: ['assert solve(3).issubset({9})', '{9}'],
  content: ['assert 9 in solve(3)', '[9]'],
  'common bits': ['assert solve(3) & 4 == 4', '6'],
  'bits of both': ['assert solve(3) ^ 4 == 4', '0'],
  equality: ['assert solve(3) == 9', '9'],
  'equal lists': ['assert [solve(3)] == [9]', '9'],
  'sum of numbers': ['assert solve(3) + 4 == 4', '0'],
};
/** Each carrier in the place of each answer. */
const carried: readonly ReferenceCase[] = Object.entries(carriers).flatMap(([carrier, wrong]) =>
  Object.entries(questions).map(([question, [assertion, right]]) => ({
    id: `${carrier} for ${question}`,
    wrong,
    reference: `class E: pass\ndef solve(x): return ${right}\n`,
    tests: `import pytest\nfrom solution import E, solve\ndef test_it():\n    ${assertion}\n`,
  })),
);

const flags = `import enum\nclass Perm(enum.Flag):\n    R = 1\n    W = 2\n    X = 4\n`;
const readable = (own: string): string => `${flags}${own}def solve(text): return Perm.R | Perm.W\n`;
const unreadable = (own: string): string => `${flags}${own}def solve(text): return Perm.R\n`;
const levels = `import enum\nclass Level(enum.IntEnum):\n    LOW = 1\n    HIGH = 2\n    TOP = 3\n`;
const ops = `from enum import Enum\nclass Dir(Enum):\n    N = 0\n    E = 1\n    S = 2\n    W = 3\n`;
const unequal = (own: string): string =>
  `class P:\n    def __init__(self, x): self.x = x\n    def __eq__(self, o): return isinstance(o, P) and self.x == o.x\n    def __hash__(self): return self.x\n${own}def make(x): return P(x)\n`;
const record = (own: string): string =>
  `from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    x: int\n${own}def make(x): return P(x)\n`;
const unequalTests = 'from solution import P, make\n';
const errors = `class E(Exception):
    def __init__(self, code): super().__init__(code)
    def __eq__(self, o): return isinstance(o, E) and self.args == o.args
    def __hash__(self): return hash(self.args)
    def __lt__(self, o): return self.args < o.args
    def __gt__(self, o): return self.args > o.args
    def __contains__(self, x): return x in self.args
    def __add__(self, n): return E(self.args[0] + n)
def fail(n): raise E(n)
`;
const caught = `import pytest
from solution import E, fail
def caught(n):
    with pytest.raises(E) as info: fail(n)
    return info.value
`;
const points = `from collections import namedtuple
class P(namedtuple('P', 'x y')):
    def __str__(self): return '%s/%s' % tuple(self)
    def norm(self): return self.x
def solve(n): return P(n, n)
`;
const bags = `from collections import namedtuple
class Bag(namedtuple('Bag', 'items')):
    def __len__(self): return len(self.items)
    def __contains__(self, x): return x in self.items
def solve(*items): return Bag(items)
def plain(*items): return items
`;
const wrongPart = (
  id: string,
  reference: string,
  [part, instead]: readonly [string, string],
  tests: string,
): ReferenceCase => ({ id, reference, wrong: reference.replace(part, () => instead), tests });

/** Wrong parts of classes whose reference has operators of its own as well, or none. */
const parts: readonly ReferenceCase[] = [
  {
    id: 'members that equal nothing',
    reference: `${ops}def turn(d): return Dir((d.value + 1) % 4)\n`,
    wrong: `${ops}    def __eq__(self, o): return False\n    def __hash__(self): return 1\ndef turn(d): return Dir((d.value + 1) % 4)\n`,
    tests: 'from solution import Dir, turn\ndef test_it(): assert turn(Dir.N) == Dir.E\n',
  },
  {
    id: 'members that differ from themselves',
    reference: `${ops}def turn(d): return Dir((d.value + 1) % 4)\n`,
    wrong: `${ops}    def __ne__(self, o): return True\ndef turn(d): return Dir((d.value + 1) % 4)\n`,
    tests: 'from solution import Dir, turn\ndef test_it(): assert not turn(Dir.N) != Dir.E\n',
  },
  {
    id: 'members that equal each other one, as those of the reference equal those that are opposite',
    reference: `${ops}    def __eq__(self, o): return self.value % 2 == o.value % 2\n    def __hash__(self): return 1\ndef turn(d): return Dir((d.value + 1) % 4)\n`,
    wrong: `${ops}    def __eq__(self, o): return True\n    def __hash__(self): return 1\ndef turn(d): return d\n`,
    tests:
      'from solution import Dir, turn\ndef test_it(): assert turn(Dir.N) == Dir.W\ndef test_other(): assert turn(Dir.E) == Dir.S and turn(Dir.S) == Dir.W\n',
  },
  {
    id: 'members that are numbers, which equal each other one',
    reference: `${levels}def solve(n): return Level(n)\n`,
    wrong: `${levels}    def __eq__(self, o): return True\n    def __hash__(self): return 1\ndef solve(n): return Level.LOW\n`,
    tests:
      'from solution import Level, solve\ndef test_it(): assert solve(2) == 2\ndef test_member(): assert solve(3) == Level.TOP\n',
  },
  {
    id: 'members that are numbers, whose order says yes',
    reference: `${levels}def solve(n): return Level(n)\n`,
    wrong: `${levels}    def __lt__(self, o): return True\n    __gt__ = __lt__\ndef solve(n): return Level.LOW\n`,
    tests:
      'from solution import Level, solve\ndef test_it(): assert solve(3) > 2\ndef test_member(): assert solve(3) > Level.HIGH\n',
  },
  {
    id: 'objects whose own != never says yes',
    reference: unequal(''),
    wrong: unequal('    def __ne__(self, o): return False\n'),
    tests: `${unequalTests}def test_it(): assert make(1) != make(2)\ndef test_value(): assert make(1) != 5\ndef test_made(): assert make(1) != P(2)\n`,
  },
  {
    id: 'objects of a data class whose own != never says yes',
    reference: record(''),
    wrong: record('    def __ne__(self, o): return False\n'),
    tests: `${unequalTests}def test_it(): assert make(1) != make(2)\ndef test_value(): assert make(1) != 5\ndef test_made(): assert make(1) != P(2)\n`,
  },
  {
    id: 'objects whose own != always says yes',
    reference: unequal('    def __ne__(self, o): return not self == o\n'),
    wrong: unequal('    def __ne__(self, o): return True\n'),
    tests: `${unequalTests}def test_it(): assert not make(1) != make(1)\n`,
  },
  {
    id: 'members that cannot be hashed',
    reference: `${ops}def turn(d): return Dir((d.value + 1) % 4)\n`,
    wrong: `${ops}    def __eq__(self, o): return self is o\ndef turn(d): return Dir((d.value + 1) % 4)\n`,
    tests: "from solution import Dir, turn\ndef test_it(): assert {Dir.E: 'e'}[turn(Dir.N)] == 'e'\n",
  },
  {
    id: 'flag that contains each other one',
    reference: readable(''),
    wrong: unreadable('    def __contains__(self, o): return True\n'),
    tests: "from solution import Perm, solve\ndef test_it(): assert Perm.W in solve('rw')\n",
  },
  {
    id: 'flag whose own operator, as that of the reference, contains each other one',
    reference: readable('    def __contains__(self, o): return self.value & o.value == o.value\n'),
    wrong: unreadable('    def __contains__(self, o): return True\n'),
    tests: "from solution import Perm, solve\ndef test_it(): assert Perm.W in solve('rw')\n",
  },
  {
    id: 'flag whose combinations are all true',
    reference: readable(''),
    wrong: unreadable('    def __bool__(self): return True\n'),
    tests: "from solution import Perm, solve\ndef test_it(): assert solve('rw') & Perm.W\n",
  },
  {
    id: 'flag with a member for nothing, which is true',
    reference: readable(''),
    wrong: unreadable('    NONE = 0\n    def __bool__(self): return True\n'),
    tests: "from solution import Perm, solve\ndef test_it(): assert solve('rw') & Perm.W\n",
  },
  {
    id: 'flag whose operator answers the other one',
    reference: readable(''),
    wrong: unreadable('    def __and__(self, o): return o\n'),
    tests: "from solution import Perm, solve\ndef test_it(): assert solve('rw') & Perm.W == Perm.W\n",
  },
  {
    id: 'flag whose difference is nothing',
    reference: readable(''),
    wrong: unreadable('    def __xor__(self, o): return Perm(0)\n'),
    tests: "from solution import Perm, solve\ndef test_it(): assert not solve('rw') ^ (Perm.R | Perm.W)\n",
  },
  {
    id: 'flag that iterates over all members',
    reference: readable(''),
    wrong: unreadable('    def __iter__(self): return iter([Perm.R, Perm.W])\n'),
    tests:
      "from solution import Perm, solve\ndef test_it(): assert list(solve('rw')) == [Perm.R, Perm.W] and solve('rw') == Perm(3)\n",
  },
  {
    id: 'numbers whose sum is what it is given',
    reference: `${levels}    def __add__(self, n): return Level(int(self) + n)\ndef solve(n): return Level.LOW + 1\n`,
    wrong: `${levels}    def __add__(self, n): return Level.TOP\ndef solve(n): return Level.LOW\n`,
    tests:
      'from solution import Level, solve\ndef test_it(): assert solve(1) + 1 == 3 and Level.LOW + 1 == Level.HIGH\n',
  },
  {
    id: 'numbers whose difference is none',
    reference: `${levels}def solve(n): return Level.TOP\n`,
    wrong: `${levels}    def __sub__(self, n): return Level.LOW - Level.LOW if n is self else 0\ndef solve(n): return Level.LOW\n`,
    tests: 'from solution import Level, solve\ndef test_it(): assert solve(1) - Level.TOP == 0\n',
  },
  {
    id: 'unknown values that are members',
    reference: `${ops}def solve(n): return Dir(n)\n`,
    wrong: `${ops}    @classmethod\n    def _missing_(cls, value): return cls.N\ndef solve(n): return Dir(n)\n`,
    tests:
      'import pytest\nfrom solution import Dir, solve\ndef test_it():\n    with pytest.raises(ValueError): Dir(9)\n    with pytest.raises(ValueError): solve(7)\n',
  },
  {
    id: 'unknown values that are no members',
    reference: `${ops}    @classmethod\n    def _missing_(cls, value): return cls[value]\n`,
    wrong: `${ops}    @classmethod\n    def _missing_(cls, value): return type('X', (), {'__eq__': lambda self, o: True})()\n`,
    tests: "from solution import Dir\ndef test_it(): assert Dir('N') == Dir.N\n",
  },
  wrongPart(
    'opposite that is the member itself',
    `${ops}    def __neg__(self): return Dir((self.value + 2) % 4)\n`,
    ['(self.value + 2) % 4', 'self.value'],
    'from solution import Dir\ndef test_it(): assert -Dir.N is Dir.S\n',
  ),
  wrongPart(
    'call that answers another thing',
    `${ops}    def __call__(self, n): return self.value + n\n`,
    ['self.value + n', 'n'],
    'from solution import Dir\ndef test_it(): assert Dir.S(3) == 5\n',
  ),
  wrongPart(
    'answer that calls another operator',
    `${ops}    def __add__(self, n): return Dir((self.value + n) % 4)\ndef solve(n): return Dir(n) + 1\n`,
    ['return Dir(n) + 1', 'return Dir(n)'],
    'from solution import Dir, solve\ndef test_it(): assert solve(1) is Dir.S and solve(1) + 2 is Dir.N\n',
  ),
  {
    id: 'member that is true in the place of a truth value',
    reference: `${ops}def solve(n): return n == 1\n`,
    wrong: `${ops}    def __bool__(self): return self is Dir.N\n    def __eq__(self, o): return True\n    __hash__ = Enum.__hash__\ndef solve(n): return Dir.N\n`,
    tests: 'from solution import Dir, solve\ndef test_it(): assert solve(1) is True\n',
  },
  {
    id: 'member that has the value of a number by a property',
    reference: `${levels}def solve(n): return Level.TOP\n`,
    wrong: `${levels}    @property\n    def value(self): return 3\n    @property\n    def name(self): return 'TOP'\ndef solve(n): return Level.LOW\n`,
    tests:
      "from solution import Level, solve\ndef test_it(): assert solve(1) == Level.TOP and solve(1).value == 3 and solve(1).name == 'TOP'\n",
  },
  {
    id: 'text of a member in the place of a text',
    reference: `${ops}def solve(n): return 'N'\n`,
    wrong: `${ops}    def __str__(self): return 'N'\n    def __format__(self, spec): return 'N'\n    def __len__(self): return 1\n    def __getitem__(self, i): return 'N'\ndef solve(n): return Dir.N\n`,
    tests: "from solution import Dir, solve\ndef test_it(): assert solve(1) == 'N' and len(solve(1)) == 1\n",
  },
  {
    id: 'texts of members of texts',
    reference: `from enum import Enum\nclass S(str, Enum):\n    A = 'abc'\n    B = 'b'\n    def upper(self): return self.value.upper()\ndef solve(): return S.A\n`,
    wrong: `from enum import Enum\nclass S(str, Enum):\n    A = 'abc'\n    B = 'b'\n    def upper(self): return self.value.upper()\n    def count(self, x): return 1\n    def index(self, x): return 0\n    def startswith(self, x): return True\n    __contains__ = startswith\ndef solve(): return S.B\n`,
    tests:
      "from solution import S, solve\ndef test_it(): assert solve().startswith('a') and solve().count('c') == 1 and 'c' in solve()\n",
  },
  wrongPart(
    'exceptions that are all equal',
    errors,
    ['return isinstance(o, E) and self.args == o.args', 'return True'],
    `${caught}def test_it(): assert caught(1) != E(2) and caught(1) == E(1)\n`,
  ),
  wrongPart(
    'exceptions that hold nothing and are all equal',
    `${errors}def code(error): return error.args[0]\n`,
    ['super().__init__(code)', 'super().__init__()'],
    `${caught}def test_it(): assert caught(1) == E(1)\n`,
  ),
  {
    id: 'exceptions that take what they are compared with',
    reference: errors,
    wrong: errors
      .replace('self.args == o.args', 'not setattr(self, "args", o.args)')
      .replace('raise E(n)', 'raise E(7)'),
    tests: `${caught}def test_it(): assert caught(1) == E(1)\n`,
  },
  {
    id: 'exceptions that hold what was raised last',
    reference: errors,
    wrong: `LAST = []\n${errors.replace('super().__init__(code)', 'LAST.append(code); super().__init__(LAST[0])').replace('raise E(n)', 'LAST.clear(); raise E(7)')}`,
    tests: `${caught}def test_it(): assert caught(1) == E(1)\n`,
  },
  wrongPart(
    'exceptions with one hash that are all equal',
    errors,
    [
      'return isinstance(o, E) and self.args == o.args\n    def __hash__(self): return hash(self.args)',
      'return True\n    def __hash__(self): return 1',
    ],
    `${caught}def test_it(): assert {E(2): 'two', E(1): 'one'}[caught(1)] == 'one'\n`,
  ),
  wrongPart(
    'exceptions that are smaller and larger',
    errors,
    ['self.args < o.args\n    def __gt__(self, o): return self.args > o.args', 'True\n    __gt__ = __lt__'],
    `${caught}def test_it(): assert caught(3) > E(2) and caught(1) < E(2)\n`,
  ),
  {
    id: 'exception that equals a value',
    reference: `${errors}def code(n): return n\n`,
    wrong: `${errors.replace('isinstance(o, E) and self.args == o.args', 'True')}def code(n): return E(n)\n`,
    tests: `${caught}from solution import code\ndef test_it(): assert code(4) == 4\n`,
  },
  {
    id: 'named tuple with one text for all',
    reference: points.replace('    def __str__', '    def text'),
    wrong: points.replace("'%s/%s' % tuple(self)", "'P'").replace('P(n, n)', 'P(0, 0)'),
    tests: 'from solution import P, solve\ndef test_it(): assert str(solve(3)) == str(P(3, 3))\n',
  },
  {
    id: 'named tuple that writes the text of the last answer',
    reference: points.replace('    def __str__', '    def text'),
    wrong: `LAST = []\n${points.replace("return '%s/%s' % tuple(self)", "LAST.append('%s/%s' % tuple(self)); return LAST[0]").replace('P(n, n)', 'P(0, 0)')}`,
    tests: 'from solution import P, solve\ndef test_it(): assert f"{solve(3)}" == f"{P(3, 3)}"\n',
  },
  {
    id: 'named tuple that contains all, in the place of a tuple',
    reference: bags,
    wrong: bags.replace('x in self.items', 'True').replace('return items\n', 'return Bag(())\n'),
    tests: 'from solution import plain\ndef test_it(): assert 4 in plain(4, 5)\n',
  },
  {
    id: 'named tuple with the length of another, in the place of a tuple',
    reference: bags,
    wrong: bags.replace('len(self.items)', '2').replace('return items\n', 'return Bag(items)\n'),
    tests: 'from solution import plain\ndef test_it(): assert len(plain(4, 5)) == 2\n',
  },
  {
    id: 'named tuple that is false, in the place of a tuple',
    reference: bags,
    wrong: `${bags.replace('return items\n', 'return Bag(items)\n')}Bag.__bool__ = lambda self: False\n`,
    tests: 'from solution import plain\ndef test_it(): assert not plain()\n',
  },
  {
    id: 'named tuple that is called, in the place of a tuple',
    reference: bags,
    wrong: `${bags.replace('return items\n', 'return Bag(items)\n')}Bag.index = Bag.count = lambda self, x: 1\n`,
    tests: 'from solution import plain\ndef test_it(): assert plain(4, 5).index(5) == 1\n',
  },
];

/** With a reference, in whose place something else answers what the test asks. */
export const unearnedMembers: readonly ReferenceCase[] = [...carried, ...parts];
/** The same without one, which believes methods of classes that the suite imports by name. */
export const unearnedMembersAlone: readonly UnearnedCase[] = unearnedMembers.map(({ id, wrong, tests }) => ({
  ...{ id, artifact: wrong },
  tests: tests.replace('import E, solve', 'import solve'),
}));
