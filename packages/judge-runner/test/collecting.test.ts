import { describe, expect, it } from 'vitest';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const solution = `
import enum
class Order(enum.Enum):
    PRE = 'pre'
    POST = 'post'
class Codec:
    name = 'a'
    def enc(self, x): return x[::-1]
    def dec(self, x): return x[::-1]
class Hex(Codec):
    name = 'hex'
CODECS = {'a': Codec(), 'hex': Hex()}
ALL = [Codec, Hex]
def run(order): return Order(order).value
class Base:
    kinds = {}
    def __init_subclass__(cls, **kw): Base.kinds[cls.__name__] = cls
    def __init__(self, **kw): self.kw = kw
    def __add__(self, other): return [*self.kw, *other.kw]
`;
const tests = `
import pytest
import solution
from solution import Order, ALL, CODECS, Base, run
class Mine(Base, flag=True): pass
BOTH = Mine(a=1) + Mine(b=2)
NAMES = [each.name for each in Order]
@pytest.mark.parametrize('order', Order)
def test_one(order): assert run(order.value) == order.value
@pytest.mark.parametrize('text', ['ab', 'c'])
@pytest.mark.parametrize('kind', ALL)
def test_product(kind, text): assert kind().dec(kind().enc(text)) == text
@pytest.mark.parametrize('order', [*Order, 'pre'])
def test_mixed(order): assert run(order) == 'pre' or order is Order.POST
@pytest.mark.parametrize('order, value', [(each, each.value) for each in Order], ids=str)
def test_pairs(order, value): assert run(value) == value
@pytest.mark.parametrize('codec', list(CODECS))
def test_texts(codec): assert CODECS[codec].name == codec
@pytest.mark.parametrize('order', [Order.PRE, pytest.param(Order.POST, id='last')], ids=lambda o: o.value if isinstance(o, Order) else o)
def test_ids(order): assert run(order) == order.value
def test_names(): assert NAMES == ['PRE', 'POST'] and BOTH == ['a', 'b'] and 'Mine' in Base.kinds
`;

/** Judges a program without a reference and returns the names of the tests, with whether they passed. */
async function judged(source: string, suite: string): Promise<Record<string, boolean>> {
  const verdict = await judge.run({ artifact: python(source), suite: pytest(suite) });
  return Object.fromEntries(
    verdict.tests.map(({ id, status }) => [id.slice(id.lastIndexOf(':') + 1), status === 'passed']),
  );
}

it('a test that is repeated for what the artifact holds passes where all do, also those that the reference has not (JDG-17, JDG-18)', async () => {
  const source = (kinds: string, size: string) => `KINDS = ${kinds}\ndef size(kind): return ${size}\n`;
  const sizes = "{'a': 1, 'b': 2}[kind]";
  const suite = pytest(
    "import pytest, solution\n@pytest.mark.parametrize('kind', solution.KINDS)\ndef test_size(kind): assert solution.size(kind) > 0\n",
    source("['a', 'b']", sizes),
  );
  const failed = async (artifact: string) => failures(await judge.run({ artifact: python(artifact), suite }));
  expect(await failed(source("['a', 'b', 'c']", 'ord(kind)'))).toEqual([]);
  expect(await failed(source("['a', 'b', 'c']", sizes))).toEqual([expect.stringContaining("KeyError: 'c'")]);
  expect(await failed(source("['a']", sizes))).toHaveLength(1);
});

describe('a suite without a reference whose files use the artifact while tests are collected', () => {
  it('names one test for all that the artifact holds there (JDG-21)', async () => {
    expect(await judged(solution, tests)).toEqual({
      'test_one[each of Order]': true,
      // What is answered by classes that the files do not import.
      'test_product[each of ALL-ab]': false,
      'test_product[each of ALL-c]': false,
      'test_mixed[each of Order]': true,
      'test_mixed[pre]': true,
      'test_pairs[each of Order-each of Order]': true,
      'test_texts[each of CODECS]': true,
      'test_ids[value]': true,
      'test_ids[last]': true,
      test_names: true,
    });
  });

  it('fails such a test where one of them fails, where there is none, and for names that are taken (JDG-17)', async () => {
    const suite = `
import pytest
from solution import Order, run
@pytest.mark.parametrize('order', Order)
def test_one(order): assert run(order.value) == order.value
@pytest.mark.parametrize('order', [*Order, 'x'], ids=str)
def test_other(order): assert run(getattr(order, 'value', order)) == getattr(order, 'value', order)
`;
    const program = (members: string, run: string) =>
      `import enum\nclass Order(enum.Enum):\n${members}\n${run}\n`;
    const right = 'def run(value): return value';
    expect(await judged(program(' A = 1\n B = 2', right), suite)).toEqual({
      'test_one[each of Order]': true,
      'test_other[each of Order]': true,
      'test_other[x]': true,
    });
    const wrong = 'def run(value): return value if value == 1 else 7';
    expect(Object.values(await judged(program(' A = 1\n B = 2', wrong), suite))).toEqual([
      false,
      false,
      false,
    ]);
    expect(Object.values(await judged(program(' B = 2\n A = 1', wrong), suite))).toEqual([
      false,
      false,
      false,
    ]);
    expect(Object.values(await judged(program(' pass', right), suite))).toEqual([false, false, true]);
    const taken = ' A = 1\n def __str__(self): return "x"';
    expect((await judged(program(taken, wrong), suite))['test_other[x]']).toBe(false);
    const named = ' A = 1\n B = 2\n def __str__(self): return "each of Order"';
    expect(Object.values(await judged(program(named, wrong), suite))).toEqual([false, false, false]);
  });
});

describe('a suite whose tests are hidden by what does not work across two boxes', () => {
  it.each([
    [
      'a decorator of the artifact',
      'from solution import retry\n@retry\ndef test_a(): assert 1 == 1\n',
      /test_it\.py:3: leaves it to the artifact to run the test test_a\(\)/,
    ],
    [
      'a class of tests of the artifact',
      'from solution import Base, f\nclass TestX(Base):\n  def test_a(self): assert f() == 1\n',
      /test_it\.py:2: derives a class of tests from Base of the artifact/,
    ],
  ])('is refused with the place, and not for want of tests: %s (JDG-19, JDG-21)', async (_, suite, place) => {
    const source =
      'import unittest\nclass Base(unittest.TestCase): pass\ndef f(): return 1\ndef retry(f): return f\n';
    const refusal = judge.run({ artifact: python(source), suite: pytest(suite) });
    await expect(refusal).rejects.toMatchObject({ code: 'SUITE_UNSUPPORTED' });
    await expect(refusal).rejects.toThrow(place);
    const { usable, unsupported } = await judge.checkSuite(pytest(suite));
    expect([usable, unsupported.length]).toEqual([false, 1]);
  });
});
