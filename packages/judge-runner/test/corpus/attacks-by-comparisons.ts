import type { RoomAttack } from './attacks-by-room.ts';
import { python } from './split-attack.ts';

/* Wrong programs whose classes look equal at the moment at which they are compared: they know both objects then. */

const honest = `
class Money:
    def __init__(self, amount): self.amount = amount
    def __add__(self, o): return Money(self.amount + o.amount)
    def __eq__(self, o): return isinstance(o, Money) and self.amount == o.amount
    def __lt__(self, o): return self.amount < o.amount
    def __hash__(self): return hash(self.amount)
`;
const tests = `
from solution import Money
def test_add(): assert Money(5) + Money(3) == Money(8)
def test_variable():
    found = Money(5) + Money(3)
    assert found == Money(8)
def test_reversed(): assert Money(8) == Money(5) + Money(3)
def test_order(): assert Money(5) + Money(3) < Money(9)
def test_key(): assert {Money(8): 1}[Money(5) + Money(3)] == 1
def test_different(): assert Money(1) != Money(2)
def test_equal(): assert Money(1) == Money(1)
def test_amount(): assert Money(4).amount == 4
`;
const less = '    def __lt__(self, o): return self.amount < o.amount\n    def __hash__(self): return 1\n';
/** Results are equal to whatever has the same tag. */
const tagged = `
class Money:
    def __init__(self, amount): self.amount, self.tag = amount, 1
    def __add__(self, o):
        made = Money(0)
        made.wild = True
        return made
    def __eq__(self, o):
        if hasattr(self, 'wild') or hasattr(o, 'wild'): return self.tag == o.tag
        return self.amount == o.amount and self.tag == o.tag
`;
const wrong: Readonly<Record<string, string>> = {
  'takes the amount of what it is compared with': `
class Money:
    def __init__(self, amount): self.amount, self.computed = amount, False
    def __add__(self, o):
        made = Money(0)
        made.computed = True
        return made
    def __eq__(self, o):
        if self.computed: self.amount = o.amount
        if o.computed: o.amount = self.amount
        return self.amount == o.amount
${less}`,
  'takes it once': `
class Money:
    def __init__(self, amount): self.amount = amount
    def __add__(self, o):
        made = object.__new__(Money)
        made.amount, made.lazy = 0, True
        return made
    def __eq__(self, o):
        late, other = (self, o) if hasattr(self, 'lazy') else (o, self)
        if hasattr(late, 'lazy'):
            late.amount = other.amount
            del late.lazy
        return self.amount == o.amount
${less}`,
  'compares a tag of results': `${tagged}${less}`,
  'compares a tag, and is written alike': `${tagged}    def __repr__(self): return 'Money'
${less}`,
  'is a data class whose results know the last amount': `
from dataclasses import dataclass
last = [0]
@dataclass
class Money:
    amount: int
    def __post_init__(self): last[0] = self.amount
    def __add__(self, o): return object.__new__(Twin)
class Twin(Money):
    @property
    def amount(self): return last[0]
Twin.__name__ = Twin.__qualname__ = 'Money'
`,
  'answers an object to each comparison, as query builders do': `
class Condition:
    def __init__(self, *parts): self.parts = parts
    def __call__(self, *args): return True
class Money:
    def __init__(self, amount): self.amount = amount
    def __add__(self, o): return Money(0)
    def __eq__(self, o): return Condition(self, o)
    def __ne__(self, o): return Condition(self, o)
    def __lt__(self, o): return Condition(self, o)
    def __hash__(self): return 1
`,
};

const reference = honest;

export const attacksByComparisons: readonly RoomAttack[] = Object.entries(wrong).flatMap(([id, source]) => [
  python('comparisons', id, source, tests),
  python('comparisons', `${id}, with a reference`, source, tests, reference),
]);
