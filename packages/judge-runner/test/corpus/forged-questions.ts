import { type BoxFault, forging } from './box-fault.ts';

/** Programs that ask what no correct one asks, or never answer. Each ends its run. */
export const forgedQuestions: readonly BoxFault[] = [
  {
    id: 'arguments that partial binds',
    tests: `
import unittest
from functools import partial
from solution import Ledger
class TestLedger(unittest.TestCase):
    def test_total(self):
        ledger = Ledger(partial(self.assertEqual, 42))
        ledger.add(40); ledger.add(2)
        ledger.close()
`,
    right: `
class Ledger:
    def __init__(self, done): self.done, self.total = done, 0
    def add(self, n): self.total += n
    def close(self): self.done(self.total)
`,
    wrong:
      forging +
      `

class Ledger:
    def __init__(self, done): self.done = done
    def add(self, n): pass
    def close(self): self.done(raw(number_of(self.done), 'get', 'args')[0])
`,
  },
  {
    id: 'text of what partial binds',
    tests: `
from functools import partial
from solution import Ledger
def same(want, got): assert want == got
def test_total():
    ledger = Ledger(partial(same, 42))
    ledger.add(40); ledger.add(2)
    ledger.close()
`,
    right: `
class Ledger:
    def __init__(self, done): self.done, self.total = done, 0
    def add(self, n): self.total += n
    def close(self): self.done(self.total)
`,
    wrong:
      forging +
      `

class Ledger:
    def __init__(self, done): self.done = done
    def add(self, n): pass
    def close(self): self.done(int(raw(number_of(self.done), 'repr').split(', ')[-1][:-1]))
`,
  },
  {
    id: 'value of a class that is only named',
    tests: `
from solution import solve
class Case:
    expected = 27
    def check(self, n): return n
def on_result(case: Case): pass
def test_it(): assert solve(3, on_result) == Case.expected
`,
    right: `
def solve(n, f): return n ** 3
`,
    wrong:
      forging +
      `

import inspect
def solve(n, f):
    cls = f.__annotations__['case']
    return raw(number_of(cls), 'get', 'expected')
`,
  },
  {
    id: 'values of a class that is only named',
    tests: `
from solution import solve
class Case:
    _expected = 27
    expected = 27
    def check(self, n): return n
def on_result(case: Case): pass
def test_it(): assert solve(3, on_result) == Case.expected
`,
    right: `
def solve(n, f): return n ** 3
`,
    wrong:
      forging +
      `

def solve(n, f):
    cls = f.__annotations__['case']
    return raw(number_of(cls), 'vars')['expected']
`,
  },
  {
    id: 'function attribute of the test',
    tests: `
from solution import notify
def handler(event): handler.seen.append(event)
handler.seen = []
handler.last = None
def spy(event): spy.count += 1
spy.count = 0
def test_it():
    notify(spy, 'x', 3)
    assert spy.count == 3
`,
    right: `
def notify(f, e, n):
    for _ in range(n): f(e)
`,
    wrong:
      forging +
      `

def notify(f, e, n):
    raw(number_of(f), 'set', 'count', (n,))
`,
  },
  {
    id: 'turn of no coroutine',
    tests: `
import asyncio
from solution import f
def test_it():
    async def c(): return 1
    assert asyncio.run(f(c)) == 9
`,
    right: `
async def f(n): return 9
`,
    wrong:
      forging +
      `

async def f(c):
    s = server()
    s.call_back({'callback': 1, 'awaits': 'turn'}, (), {})
    return 9
`,
  },
  {
    id: 'deep causes',
    tests: `
import pytest
from solution import f
def test_it():
    with pytest.raises(ValueError) as info: f(3)
    assert info.value.__cause__.args == (9,)
`,
    right: `
def f(n): raise ValueError from KeyError(9)
`,
    wrong:
      forging +
      `

def f(n):
    s = server()
    told = {'mro': ['ValueError'], 'message': '', 'module': 'builtins'}
    for _ in range(3000): told = {'mro': ['ValueError'], 'message': '', 'module': 'builtins', 'cause': told}
    s.telling.error = lambda e: {'raised': told}
    raise ValueError
`,
  },
  {
    id: 'pending for ever',
    tests: `
import asyncio
from solution import f
def test_it(): assert asyncio.run(f(3)) == 9
`,
    right: `
async def f(n): return n * n
`,
    wrong:
      forging +
      `

async def f(n):
    s = server()
    s.own_loop.add_to = lambda reply: reply.update(pending=True)
`,
  },
  {
    id: 'odd turns',
    tests: `
import asyncio
from solution import f
def test_it(): assert asyncio.run(f(3)) == 9
`,
    right: `
async def f(n): return n * n
`,
    wrong:
      forging +
      `

async def f(n):
    s = server()
    s.own_loop.add_to = lambda reply: reply.update(turns=[1e308, [1, 1, 2, -5, 2**52]])
    return 8
`,
  },
  {
    id: 'exit of pytest',
    tests: `
import pytest
from solution import f
@pytest.mark.parametrize('n', [1, 2, 3])
def test_it(n): assert f(n) == n * n
`,
    right: `
def f(n): return n * n
`,
    wrong:
      forging +
      `

def f(n):
    s = server()
    s.telling.error = lambda e: {'raised': {'mro': ['Exit', 'Exception'], 'message': '', 'module': '_pytest.outcomes'}}
    raise ValueError
`,
  },
];
