import { describe, expect, it } from 'vitest';
import { pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

/** Judges a program and returns the names of the tests that it passes. */
async function passed(source: string, tests: string): Promise<string[]> {
  const verdict = await judge.run({ artifact: python(source), suite: pytest(tests) });
  expect(verdict.errorKind).toBe(null);
  return verdict.tests.flatMap(({ id, status }) =>
    status === 'passed' ? [id.slice(id.lastIndexOf(':') + 1)] : [],
  );
}

describe('a program that is given classes of a test', () => {
  it('sees no values of a class that a function only names, and none that are private in that of an object (JDG-17)', async () => {
    const found = await passed(
      `
import inspect
def names(kind): return sorted(name for name in vars(kind) if not name.startswith('__'))
def names_of(part): return names(type(part))
def names_in(function): return names(inspect.signature(function).parameters['case'].annotation)
`,
      `
from solution import names, names_in, names_of
class Case:
    expected = 5
    _secret = 6
    def run(self): return 7
def check(case: Case): return case
def test_named(): assert names_in(check) == ['run']
def test_of_an_object(): assert names_of(Case()) == ['expected', 'run']
def test_given(): assert names(Case) == ['_secret', 'expected', 'run']
`,
    );
    expect(found).toEqual(['test_named', 'test_of_an_object', 'test_given']);
  });

  it('cannot change what the test has written in a class, nor answer for an object of it (JDG-17)', async () => {
    const found = await passed(
      `
def register(cls):
    for name in ('expected', 'total', '__eq__', '__getattr__', 'run'):
        try: setattr(cls, name, 7)
        except Exception: pass
    return None
def made(part):
    type(part).expected = type(part).total = 7
    return 7
`,
      `
from solution import made, register
class Case:
    expected = 5
    def run(self): return 6
class Row:
    def __init__(self): self.held = {'total': 5}
    def __getattr__(self, name): return self.held[name]
def test_written():
    register(Case)
    assert 7 == Case.expected
def test_read_by_an_object():
    register(Row)
    assert 7 == Row().total
def test_by_way_of_an_object():
    row = Row()
    assert made(row) == row.total
def test_method():
    register(Case)
    assert Case.run == 7 or Case().run() == 7
`,
    );
    expect(found).toEqual([]);
  });

  it('gains nothing by a class that it answers for the class of a test (JDG-17)', async () => {
    const found = await passed(
      `
class Yes:
    def __init__(self, *args): pass
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __hash__(self): return 1
    def __int__(self): return 3
    def __add__(self, other): return self
    def __getattr__(self, name): return Yes()
def record(cls): return Yes
def total(points): return Yes()
`,
      `
from solution import record, total
@record
class Point:
    def __init__(self, x): self.x = x
def test_plain(): assert total([Point(1)]) == 1
def test_made(): assert Point(1) == Point(1)
def test_part(): assert Point(1).x == 1
def test_order(): assert Point(1) < Point(2)
def test_number(): assert int(total([])) == 3
def test_sum(): assert total([]) + 1 == 4
def test_key(): assert {Point(1): 'a'}[Point(1)] == 'a'
`,
    );
    expect(found).toEqual([]);
  });
});
