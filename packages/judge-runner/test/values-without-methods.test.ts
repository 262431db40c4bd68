import { describe, expect, it } from 'vitest';
import { failures, pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const tests = `
from solution import item, tree, Inventory
def test_attribute(): assert item("apple").name == "apple"
def test_text(): assert str(tree("1 + x")) == "(+ 1 x)"
def test_value(): assert dict(item("pear")) == {"name": "pear"}
def test_entered():
    held = Inventory(3)
    with held.transaction() as tx:
        tx.remove(1)
    assert held.n == 2
`;
const source = `
class Item(dict):
    __getattr__ = dict.__getitem__
class Tree(list):
    def __str__(self): return '(%s)' % ' '.join(map(str, self))
class Tx:
    def __init__(self, held): self.held = held
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def remove(self, n): self.held.n -= n
class Inventory:
    def __init__(self, n): self.n = n
    def transaction(self): return Tx(self)
def item(name): return Item(name=name)
def tree(text):
    one, sign, other = text.split()
    return Tree([sign, one, other])
`;
const advice = /name its class in `objects`, or add a reference/u;

describe('an answer of a subclass of a container with methods of its own', () => {
  it('that fails a test without a reference is refused, and the reason says what helps (JDG-17, JDG-21)', async () => {
    const { tests: found } = await judge.run({ artifact: python(source), suite: pytest(tests) });
    const failed = found.filter(({ status }) => status !== 'passed');
    expect(failed.map(({ id }) => id.slice(id.lastIndexOf(':') + 1))).toEqual([
      'test_attribute',
      'test_text',
      'test_entered',
    ]);
    for (const { refused, reason } of failed) {
      expect(refused).toBe(true);
      expect(reason).toMatch(advice);
    }
  });

  it.each([
    ['a reference', pytest(tests, source)],
    ['`objects`', { ...pytest(tests), objects: ['Item', 'Tree', 'Tx', 'Inventory'] }],
  ] as const)('passes with %s (JDG-18, JDG-21)', async (_, suite) => {
    expect(failures(await judge.run({ artifact: python(source), suite }))).toEqual([]);
  });

  it('is accused as before where its class has no methods of its own (JDG-17)', async () => {
    const plain = source.replace('__getattr__ = dict.__getitem__', 'pass');
    const { tests: found } = await judge.run({ artifact: python(plain), suite: pytest(tests) });
    const [attribute] = found.filter(({ id }) => id.endsWith('test_attribute'));
    expect(attribute?.status).toBe('failed');
    expect(attribute?.refused).toBe(undefined);
  });
});

describe('a named tuple that converts what it is given, where the reference keeps it', () => {
  const compared = `
from solution import Rule, parse
def test_equal(): assert parse("weekly mon") == Rule("weekly", days=["mon"])
def test_unequal(): assert parse("weekly mon") != Rule("weekly", days=["tue"])
`;
  const reference = `
from dataclasses import dataclass, field
@dataclass
class Rule:
    freq: str
    days: list = field(default_factory=list)
def parse(text): return Rule(text.split()[0], text.split()[1:])
`;
  const converting = `
from collections import namedtuple
class Rule(namedtuple('Rule', 'freq days')):
    def __new__(cls, freq, days=()): return super().__new__(cls, freq, tuple(days))
def parse(text): return Rule(text.split()[0], text.split()[1:])
`;
  const failedOf = async (program: string) =>
    failures(await judge.run({ artifact: python(program), suite: pytest(compared, reference) })).map((each) =>
      each.slice(0, each.indexOf(':')),
    );

  it('is equal to what its class makes of the same (JDG-21)', async () => {
    expect(await failedOf(converting)).toEqual([]);
  });

  it.each([
    [
      'converts nothing',
      converting.replace('tuple(days))', 'days)').replace('[1:])', '[1:] and tuple(text.split()[1:]))'),
      'test_equal',
    ],
    ['answers something else', converting.replace('text.split()[1:])', '["tue"])'), 'test_equal'],
    ['answers what is unequal', converting.replace('text.split()[1:])', '["tue"])'), 'test_unequal'],
  ])('gains nothing where it %s (JDG-17)', async (_, program, test) => {
    expect(await failedOf(program)).toContain(test);
  });
});
