import { describe, expect, it } from 'vitest';
import { pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Judges a program, with a reference if one is given, and returns the names of the tests that it passes. */
async function passed(source: string, tests: string, reference?: string): Promise<string[]> {
  const verdict = await judge.run({ artifact: python(source), suite: pytest(tests, reference) });
  return verdict.tests.flatMap(({ id, status }) =>
    status === 'passed' ? [id.slice(id.lastIndexOf(':') + 1)] : [],
  );
}

describe('a program whose classes a test extends', () => {
  it('cannot replace what the test has written in its class (JDG-17)', async () => {
    const found = await passed(
      `
class Base:
    def __init_subclass__(cls):
        for name in ('expected', 'check', 'LIMIT', 'CASES', 'describe'): setattr(cls, name, lambda self=None, *a: 7)
        cls.LIMIT, cls.CASES = 7, []
    def solve(self, x=0): return 7
`,
      `
from solution import Base
class Mine(Base):
    LIMIT = 9
    CASES = [(1, 1), (2, 4)]
    def expected(self): return 9
    def check(self):
        assert self.solve() == 9
        return True
    @classmethod
    def describe(cls): return 'mine'
def test_method(): assert Mine().solve() == Mine().expected()
def test_check(): assert Mine().check()
def test_value(): assert Mine().solve() == Mine.LIMIT
def test_cases():
    for x, y in Mine.CASES: assert Mine().solve(x) == y
def test_class_method(): assert Mine.describe() == 7
`,
    );
    expect(found).toEqual([]);
  });

  it('gains nothing by what its classes say of themselves (JDG-17)', async () => {
    const found = await passed(
      `
class Base:
    def __init__(self, x=0): self.x = x
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __gt__(self, other): return True
    def __hash__(self): return 1
    def __int__(self): return 3
    def __add__(self, other): return self
    def total(self): return self
    def twin(self): return type(self)(self.x)
`,
      `
from solution import Base
class Mine(Base):
    def double(self): return self + self
    def __eq__(self, other): return super().__eq__(other)
    __hash__ = Base.__hash__
class Plain(Base): pass
def test_equal(): assert Plain(1) == Plain(2)
def test_super(): assert Mine(1) == Mine(2)
def test_answer(): assert Plain(1).twin() == Plain(2)
def test_number(): assert Plain(1).total() == 3
def test_order(): assert Plain(2) < Plain(1)
def test_sum(): assert Plain(1) + 1 == 4
def test_int(): assert int(Plain(1).total()) == 3
def test_key(): assert {Plain(1): 'a'}[Plain(2)]
def test_in(): assert Plain(2) in [Plain(1).twin()]
`,
    );
    expect(found).toEqual([]);
  });

  it('cannot give its answers what the test expects, when that is made (JDG-17)', async () => {
    const lazy = `
from dataclasses import dataclass
KEPT = []
@dataclass
class Money:
    amount: int
    def __post_init__(self):
        for each in KEPT: each.amount = self.amount
    def add(self, other):
        KEPT.append(type(self)(0))
        return KEPT[-1]
class Box:
    last = None
    def __new__(cls, *args):
        if Box.last is None or not args: return object.__new__(cls)
        return Box.last
    def __init__(self, x=None): self.x = x
    def __eq__(self, other): return isinstance(other, Box) and self.x == other.x
    def grow(self):
        Box.last = object.__new__(type(self))
        Box.last.x = 0
        return Box.last
`;
    const tests = `
from dataclasses import dataclass
from solution import Box, Money
class Euro(Money): pass
@dataclass
class Coin(Money):
    face: str = 'head'
class Crate(Box): pass
class Loud(Box):
    def __init__(self, x=None):
        super().__init__(x)
def test_fields(): assert Euro(5).add(Euro(3)) == Euro(8)
def test_part():
    total = Euro(5).add(Euro(3))
    assert Euro(8).amount == total.amount
def test_data_class(): assert Coin(5).add(Coin(3)) == Coin(8)
def test_same(): assert Crate(5).grow() == Crate(6)
def test_is():
    grown = Crate(5).grow()
    assert grown is Crate(6)
def test_own_constructor(): assert Loud(5).grow() == Loud(6)
`;
    expect(await passed(lazy, tests)).toEqual([]);
    const right = `
from dataclasses import dataclass
@dataclass
class Money:
    amount: int
    def add(self, other): return type(self)(self.amount + other.amount)
class Box:
    def __init__(self, x=None): self.x = x
    def __eq__(self, other): return isinstance(other, Box) and self.x == other.x
    def grow(self): return type(self)(self.x + 1)
`;
    const { passing } = await judge.checkSuite(pytest(tests, right), { mutants: 0 });
    const judged = passing.map(({ id }) => id.slice(id.lastIndexOf(':') + 1));
    expect(judged).toEqual([
      'test_fields',
      'test_part',
      'test_data_class',
      'test_same',
      'test_own_constructor',
    ]);
    const without = tests.replace('def test_is()', 'def not_judged()');
    expect(await passed(right, without, right)).toEqual(judged);
    expect(await passed(lazy, without, right)).toEqual([]);
  });

  it('runs no test, and adds nothing to one (JDG-17)', async () => {
    const yes = `
import unittest
class Checks:
    def test_one(self): pass
    def assertEqual(self, one, other): pass
    def setup_method(self): pass
class Case(unittest.TestCase):
    def assertEqual(self, one, other): pass
def solve(): return 7
`;
    for (const body of [
      'class TestIt(Checks): pass',
      'class TestIt(Checks):\n    def test_it(self): self.assertEqual(solve(), 9)',
    ]) {
      const suite = pytest(
        `from solution import Checks, solve\n${body}\ndef test_other(): assert solve() == 7\n`,
      );
      const { unsupported } = await judge.checkSuite(suite);
      expect(unsupported.map(({ construct }) => construct)).toEqual([
        'derives a class of tests from Checks of the artifact',
      ]);
    }
    const found = await passed(
      yes,
      `
import unittest
import solution
known = {'checks': solution.Checks, 'case': solution.Case}
class TestIt(known['checks']):
    def test_it(self): self.assertEqual(solution.solve(), 9)
class ThatTest(known['checks'], unittest.TestCase):
    def test_it(self): self.assertEqual(solution.solve(), 9)
class OtherTest(known['case']):
    def test_it(self): self.assertEqual(solution.solve(), 9)
def test_it(): assert solution.solve() == 9
`,
    );
    expect(found).toEqual([]);
  });
});
