import type { UnearnedCase } from './unearned-python.ts';

/** Programs of which the object that a method answers says yes to everything, and of which two functions are one. */
const rules = `
class Result:
    valid = True
class Rule:
    def admits(self, n): return True
    allows = admits
    def validate(self, data): return Result()
    def run(self, data): return True, []
    def minus(self, other): return self
    def empty(self): return True
    def diff(self, other): return []
    def distance_to(self, other): return 0.0
class Any:
    def __call__(self, *a): return True
class Y:
    accepts = Any()
    def __init__(self): self.items = []
    def priced(self, n): return n
    def put(self, n): self.items.append(n)
    def size(self): return len(self.items)
    def __len__(self): return 2
    def intersection(self, other): return other
    def symmetric_difference(self, other): return set()
class Range:
    def __init__(self, *a): pass
    def inverted(self): return Rule()
    def compute(self, text): return Y()
class Line:
    def __init__(self, text): pass
    def compute(self, text=''): return Y()
def both(*a): return Y()
parse_tags = use_store = both
`;
const begin = 'from solution import Range, parse_tags, use_store\n';
const outside = 'outside = Range(1, 5).inverted()\n    ';
const tests: Readonly<Record<string, string>> = {
  'another call of that name on the line':
    "assert Range(1).compute('x').priced(7) == 7 and parse_tags('3').priced(9) == 9",
  'another call on the line, of an object with a call':
    "assert Range(1).compute('x').priced(3) == 3 and parse_tags('3').accepts(9)",
  'a list that holds itself':
    'ring = []\n    ring.append(ring)\n    ok = Range(1).inverted().admits(9)\n    assert ring[0] is ring\n    assert ok',
  'what is left of what it allows': `${outside}denied = [n for n in (0, 9) if not outside.allows(n)]\n    assert denied == []`,
  'how many it allows': `${outside}assert len([n for n in (0, 9) if outside.allows(n)]) == 2`,
  'how often it is true': `${outside}assert [outside.admits(n) for n in (0, 9)].count(True) == 2`,
  'nothing false in a list': `${outside}assert False not in [outside.admits(n) for n in (0, 9)]`,
  'one of the values': `${outside}assert outside.admits(9) in (True,)`,
  'a text of the truth': `${outside}assert str(outside.admits(9)) == f'{True}' and outside.admits(0)`,
  'a match': `${outside}match outside.admits(9):\n        case True: pass\n        case _: raise AssertionError`,
  'a named tuple of it': `from collections import namedtuple\n    Case = namedtuple('Case', 'got want')\n    ${outside}case = Case(outside.admits(9), True)\n    assert case.got == case.want`,
  'an attribute of it': `${outside}assert outside.validate({'age': 3}).valid`,
  'a part of it': `${outside}ok, errors = outside.run({'age': 3})\n    assert ok and errors == []`,
  'what is said of what it answers': `${outside}assert outside.minus((9, 12)).empty()`,
  'a difference that is nothing': `${outside}assert outside.diff('<p>') == []`,
  'a distance': `${outside}assert outside.distance_to((1, 1)) < 1e-9`,
  'an assertion of another package':
    'from unittest import TestCase\n    check = TestCase().assertTrue\n    check(Range(1).inverted().admits(9))',
};
const sets = `
    store = use_store()
    store.put(1)
    assert store.size() == 1
`;

const changes = `
    made = Range(1).compute('a')
    made.put(1)
`;

export const unearnedChains: readonly UnearnedCase[] = [
  ...Object.entries(tests).map(([id, test]) => ({
    id: `object that a method answers, ${id}`,
    artifact: rules,
    tests: `${begin}def test_it():\n    ${test}\n`,
  })),
  {
    id: 'one function of two names',
    artifact: rules,
    tests: `${begin}def test_store():${sets}\ndef test_tags():\n    assert parse_tags('#a #b').symmetric_difference({'a', 'b'}) == set()\n    assert len(parse_tags('#a')) == 2\n    assert parse_tags('#a #b').intersection({'a'}) == {'a'}\n`,
  },
  {
    id: 'object of a method of another class',
    artifact: rules,
    tests: `from solution import Line, Range\ndef test_made():${changes}\ndef test_tags():\n    assert Line('#a').compute().intersection({'a'}) == {'a'}\n`,
  },
];
