import { describe, expect, it } from 'vitest';
import { attacksByFields, correctFields, suitesOfFields } from './corpus/attacks-by-fields.ts';
import { fidelityFields } from './corpus/fidelity-fields.ts';
import { partOf } from './proof.ts';
import { pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

describe('operators of own classes, without a reference', () => {
  it.each(Object.entries(suitesOfFields))(
    'of a correct program that keeps what it is given are believed: %s (JDG-21)',
    async (_id, tests) => {
      const verdict = await judge.run({ artifact: python(correctFields), suite: pytest(tests) });
      expect(verdict.tests.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason]]))).toEqual([]);
      expect(verdict.outcome).toBe('SUCCESS');
    },
  );

  it.each(partOf(attacksByFields, 40).map((each) => [each.id, each] as const))(
    'of a wrong program gain nothing: %s (JDG-17)',
    async (_id, { artifact, suite }) => {
      const { tests } = await judge.run({ artifact, suite });
      expect(tests.length).toBeGreaterThan(3);
      expect(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : []))).toEqual([]);
    },
  );

  it('that say another thing than the fields fail the test, which says so (JDG-17, JDG-21)', async () => {
    const source = `
class Name:
    def __init__(self, text): self.text = text
    def __eq__(self, other): return self.text.lower() == other.text.lower()
    def __lt__(self, other): return len(self.text) < len(other.text)
    def __hash__(self): return hash(self.text.lower())
def title(name): return Name(name.text.title())
`;
    const { tests, outcome } = await judge.run({
      artifact: python(source),
      suite: pytest(`
from solution import Name, title
def test_equal(): assert title(Name('ann')) == Name('Ann')
def test_case(): assert Name('ANN') != Name('bob')
def test_same_letters(): assert not title(Name('ann')) != Name('ANN')
def test_unequal(): assert title(Name('ann')) != Name('ANN')
def test_order(): assert Name('z') < Name('aa')
`),
    });
    expect(outcome).toBe('FAILURE');
    expect(tests.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed', 'failed', 'failed']);
    expect(tests[3]?.reason).toContain(
      "by the artifact's own !=, which says another thing than what they hold",
    );
    expect(tests[4]?.warnings).toMatchObject([{ line: 7 }]);
  });

  it('are asked for what they raise where the test waits for that (JDG-21)', async () => {
    const prices = fidelityFields.find((each) => each.id === 'prices-and-graphs');
    const { tests } = await judge.run({
      artifact: python(String(prices?.artifact)),
      suite: pytest(`
import pytest
from solution import Price
def test_raises():
    with pytest.raises(ValueError, match='mixed'): Price(1, 'EUR') < Price(1)
def test_raises_nothing():
    with pytest.raises(ValueError): Price(1) < Price(2)
def test_no_such_operator():
    with pytest.raises(TypeError): Price(1) < 2
`),
    });
    expect(tests.map(({ status }) => status)).toEqual(['passed', 'failed', 'failed']);
  });
});
