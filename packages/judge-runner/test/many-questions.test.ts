import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pytest, python } from './split-suites.ts';
import { useJudge } from './use-judge.ts';

const judge = useJudge();

const holders = `
class Box:
    def __init__(self): self.items = []
    def count(self): return len(self.items)
class Holder:
    def __init__(self, items): self.items = items
    def count(self): return len(self.items)
`;

describe('a suite of many tests', () => {
  it('changes containers of objects in its last tests as in its first ones (JDG-21)', async () => {
    const { tests, outcome } = await judge.run({
      artifact: python(holders),
      suite: pytest(`
import pytest
from solution import Box, Holder
given = []
@pytest.fixture(scope='module')
def shared():
    box = Box()
    return box, box.items, Holder(given)
@pytest.mark.parametrize('number', range(70))
def test_read(number):
    box = Box()
    box.items.append(number)
    assert box.count() == 1
@pytest.mark.parametrize('number', range(70))
def test_given(number):
    items = [number]
    holder = Holder(items)
    items.append(number)
    assert holder.count() == 2
@pytest.mark.parametrize('number', range(2))
def test_shared(shared, number):
    box, items, holder = shared
    items.append(number)
    given.append(number)
    assert box.count() == holder.count() == number + 1
`),
    });
    expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(outcome).toBe('SUCCESS');
  });
});

const items = `
class Item:
    def __init__(self, rank): self.rank = int(rank) % 1000
    def __eq__(self, other): return isinstance(other, Item) and self.rank == other.rank
    def __lt__(self, other): return self.rank < other.rank
class Exact(Item):
    def __init__(self, rank): self.rank = rank
def items(n): return [Item(each * 7 % n) for each in range(n)]
def change(item, rank): item.rank = rank
`;

describe('objects that are ordered by their own operators', () => {
  it('are asked for what they hold once, as long as nothing can change it (JDG-17)', async () => {
    const { tests, transcript, outcome } = await judge.run({
      artifact: python(items),
      suite: pytest(`
from solution import Exact, Item, change, items
ORDER = list(range(20))
def test_answers(): assert [each.rank for each in sorted(items(20))] == ORDER
def test_made(): assert [each.rank for each in sorted([Item(each * 7 % 20) for each in range(20)])] == ORDER
def test_waiting(): assert [each.rank for each in sorted([Exact(each * 7 % 20) for each in range(20)])] == ORDER
def test_changed():
    one, two = items(2)
    assert one < two
    change(one, 5)
    assert two < one
    one.rank = 0
    assert one < two
`),
    });
    expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(outcome).toBe('SUCCESS');
    const asked = (name: string) => transcript.filter(({ id }) => id.endsWith(name)).length;
    // Some 65 comparisons of each kind, and 20 objects whose rank is read.
    for (const name of ['test_answers', 'test_made', 'test_waiting'])
      expect(asked(name), name).toBeLessThan(170);
  });
});

it('containers that a program does not hold any more are not looked at with each question (JDG-21)', () => {
  const script = `
import sys
sys.path.insert(0, sys.argv[1])
from containers import Owned
owned, kept = Owned(), []
owned.enter(1, ['a'], list)
kept.append(owned.enter(2, ['b'], list))
owned.noticed.changed(lambda part: None)
print(sorted(owned.noticed.held))
`;
  const folder = join(import.meta.dirname, '../python');
  const { stdout, stderr } = spawnSync('python3', ['-B', '-c', script, folder], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '[2]\n', stderr: '' });
});
