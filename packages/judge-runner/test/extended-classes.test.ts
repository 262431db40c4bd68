import { describe, expect, it } from 'vitest';
import type { Suite } from '../src/index.ts';
import { failures, pytest, python } from './split-suites.ts';
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
    // The language compares numbers, also those of the artifact.
    expect(found).toEqual(['test_int']);
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

/** Descriptors and metaclasses as models and machines have them. */
const described = `
class Field:
    def __init__(self, default=None, **kw): self.default, self.checks, self.kw, self.name = default, [], kw, None
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, part, owner=None): return self if part is None else vars(part).get(self.name, self.default)
    def __set__(self, part, value):
        for check in self.checks:
            if not check(part, value): raise ValueError('%s: %r' % (self.name, value))
        vars(part)[self.name] = value
    def check(self, function): self.checks.append(function); return function
    def __or__(self, other): return Field(self.default or other.default)
    def __rshift__(self, n): self.default = n; return self
class lazy:
    def __init__(self, function): self.function = function; self.__name__ = function.__name__
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, part, owner=None):
        if part is None: return self
        found = vars(part)[self.name] = self.function(part)
        return found
class Hook:
    def __init__(self): self.all = []
    def __get__(self, part, owner=None): return self
    def __call__(self, *args): return [each(*args) for each in self.all]
    def add(self, function): self.all.append(function); return function
class Meta(type):
    def __new__(mcs, name, bases, space, table=None, **kw):
        made = super().__new__(mcs, name, bases, space)
        made.fields = [k for b in reversed(made.__mro__) for k, v in vars(b).items() if isinstance(v, Field)]
        if table: made.table = table
        return made
class Model(metaclass=Meta):
    table = 'models'
    def __init__(self, **kw):
        for name, value in kw.items(): setattr(self, name, value)
`;
const describedTests = `
import functools, pytest
from solution import Field, Hook, Model, lazy
class User(Model, table='users'):
    name = Field('x')
    age = Field() | Field(7)
    tall = Field() >> 4
    changed = Hook()
    @age.check
    def positive(self, value): return value > 0
    @lazy
    def label(self): return '%s!' % self.name
    @functools.lru_cache(maxsize=None)
    def costly(self, n): return (n, n)
class Admin(User, table='admins'):
    name = Field('root')
    level = Field(default=3)
SHARED = User(name='z')
@User.changed.add
def seen(n): return n + 1
def test_defaults():
    u = User()
    assert (u.name, u.age, u.tall) == ('x', 7, 4)
def test_checks():
    u = User(age=3)
    assert u.age == 3
    with pytest.raises(ValueError, match='age: -1'): u.age = -1
def test_table(): assert User.table == 'users' and Admin.table == 'admins'
def test_fields(): assert User.fields == ['name', 'age', 'tall'] and Admin.fields == ['name', 'age', 'tall', 'name', 'level']
def test_shared(): assert SHARED.name == 'z' and SHARED.label == 'z!'
def test_hook(): assert User().changed(4) == [5]
def test_cached():
    u = User()
    assert u.costly(2) is u.costly(2) and u.costly(2) == (2, 2)
def test_on_class(): assert isinstance(User.name, Field) and User.name.default == 'x'
`;
const decorators = `
import functools, types
class lazy:
    def __init__(self, function): self.function = function
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, part, owner=None):
        if part is None: return self
        key = '_lazy_' + self.name
        try: return getattr(part, key)
        except AttributeError: pass
        found = self.function(part)
        setattr(part, key, found)
        return found
class Counted:
    """Counts calls of a function or a method."""
    def __init__(self, function): functools.update_wrapper(self, function); self.function, self.calls = function, 0
    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.function(*args, **kwargs)
    def __get__(self, part, owner=None): return self if part is None else types.MethodType(self, part)
class Positive:
    def __set_name__(self, owner, name): self.name = '_' + name
    def __get__(self, part, owner=None): return self if part is None else getattr(part, self.name, 0)
    def __set__(self, part, value):
        if value < 0: raise ValueError('negative')
        setattr(part, self.name, value)
`;
const decoratorTests = `
import pytest
from solution import lazy, Counted, Positive
made = []
class Page:
    @lazy
    def text(self):
        made.append(1)
        return 'text'
    @Counted
    def double(self, n): return 2 * n
    size = Positive()
@Counted
def add(a, b=1): return a + b
def test_lazy():
    page = Page()
    assert (page.text, page.text) == ('text', 'text') and made == [1]
def test_counted():
    assert Page().double(3) == 6 and Page().double(n=4) == 8
    assert Page.double.calls == 2
def test_function():
    assert add(1) == 2 and add(1, b=2) == 3 and add.calls == 2 and add.__name__ == 'add'
def test_positive():
    page = Page()
    assert page.size == 0
    page.size = 5
    assert page.size == 5
    with pytest.raises(ValueError): page.size = -1
def test_two():
    a, b = Page(), Page()
    a.size, b.size = 1, 2
    assert (a.size, b.size) == (1, 2)
`;

describe('descriptors of a program', () => {
  const names = (tests: string) => [...tests.matchAll(/^def (test_\w+)/gm)].map(([, name]) => name);

  it('are used in the body of a class that extends one of its own (JDG-21)', async () => {
    expect(await passed(described, describedTests)).toEqual(names(describedTests));
    expect(await passed(described, describedTests, described)).toEqual(names(describedTests));
  });

  it('are asked where a class of the test holds them (JDG-21)', async () => {
    expect(await passed(decorators, decoratorTests, decorators)).toEqual(names(decoratorTests));
  });

  it('are asked without a reference where they have a __set__, or where the suite names their class (JDG-17, JDG-21)', async () => {
    const source = `
class Ten:
    def __get__(self, part, owner=None): return 10
class Ready:
    def __get__(self, part, owner=None): return part is not None
class Bounded:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, part, owner=None): return self if part is None else vars(part)[self.name]
    def __set__(self, part, value): vars(part)[self.name] = min(value, 10)
`;
    const tests = `
from solution import Bounded, Ready, Ten
class Case:
    ten, ready, size = Ten(), Ready(), Bounded()
class TestCase:
    size = Bounded()
    def test_own(self):
        self.size = 5
        assert self.size == 5
def test_value(): assert Case().ten == 10 and Case.ten == 10
def test_truth(): assert Case().ready
def test_no_truth(): assert not Case.ready
def test_assigned():
    case = Case()
    case.size = 15
    assert case.size == 10
`;
    const verdict = await judge.run({ artifact: python(source), suite: pytest(tests) });
    const found = failures(verdict);
    expect(found.map((each) => each.slice(0, each.indexOf(':')))).toEqual([
      'test_own',
      'test_value',
      'test_truth',
      'test_no_truth',
    ]);
    expect(found[0]).toContain('hold it in another class');
    expect(found[1]).toContain('name its class in `objects`, or add a reference');
    const others = tests.replace(/class TestCase:[\s\S]*?\ndef /u, 'def ');
    for (const settings of [{ objects: ['Ten', 'Ready'] }, { reference: python(source) }])
      expect(
        failures(
          await judge.run({ artifact: python(source), suite: { ...pytest(others), ...settings } as Suite }),
        ),
      ).toEqual([]);
  });

  it('gain nothing by what they answer, and are told of no class of tests (JDG-17)', async () => {
    const found = await passed(
      `
kept = []
class Yes:
    def __eq__(self, other): return True
    def __hash__(self): return 1
    def __int__(self): return 9
class Field:
    def __set_name__(self, owner, name): kept.append(owner)
    def __get__(self, part, owner=None):
        kept.append(part)
        return Yes()
    def __call__(self): return 9
def told(): return len(kept)
`,
      `
from solution import Field, told
class Case:
    size = Field()
    def __init__(self): self.expected = 9
class TestIt:
    size = Field()
    expected = 9
    def test_told(self): assert told() == 0 and self.size is TestIt.size
def test_value(): assert Case().size == 9
def test_number(): assert int(Case().size) == 9
def test_class(): assert Case.size == 9
def test_expected(): assert Case().size == Case().expected
`,
    );
    expect(found).toEqual(['test_told']);
    const money = (methods: string) => `
from dataclasses import dataclass
last = [None]
@dataclass
class Money:
    amount: int
${methods}
def price(amount=5):
    last[0] = Money(amount)
    return last[0]
`;
    const lying = money(`    def __get__(self, part, owner=None): return last[0]
    def __set_name__(self, owner, name): last[0] = Money(owner.limit)`);
    const expecting = `
from solution import Money, price
class Case:
    limit = 9
    expected = Money(9)
def test_class(): assert price() == Case.expected
def test_object(): assert price() == Case().expected
def test_part(): assert price().amount == Case.expected.amount
def test_set():
    case = Case()
    case.expected = Money(9)
    assert price() == case.expected
`;
    expect(await passed(lying, expecting)).toEqual([]);
    expect(await passed(lying, expecting.replaceAll('price()', 'price(9)'), money(''))).toEqual([
      'test_class',
      'test_object',
      'test_part',
      'test_set',
    ]);
    expect(
      await passed(lying, expecting.replace('limit = 9', 'limit = 5'), money('').replace('=5', '=9')),
    ).toEqual([]);
  });
});
