import { type BoxFault, forging } from './box-fault.ts';

/** Faults around exceptions and assertions of a test, and programs that hide or exchange them. */
export const faultsOfErrors: readonly BoxFault[] = [
  {
    id: 'hidden plainly',
    tests: `
import asyncio
from solution import Bus
def test_publish():
    async def main():
        bus = Bus()
        async def check(msg): assert msg == 'hello'
        bus.subscribe(check)
        await bus.publish('hello')
    asyncio.run(main())
`,
    right: `
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        for f in self.s: await f(m)
`,
    wrong: `
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        for f in self.s:
            try: await f('wrong')
            except AssertionError as e: pass
`,
  },
  {
    id: 'hidden in a group',
    tests: `
import asyncio
from solution import Bus
def test_it():
    async def main():
        bus = Bus()
        async def check(m): assert m == 'hello'
        bus.subscribe(check)
        await bus.publish('hello')
    asyncio.run(main())
`,
    right: `
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        for f in self.s: await f(m)

`,
    wrong: `
import asyncio
class Bus:
    def __init__(self): self.s = []
    def subscribe(self, f): self.s.append(f)
    async def publish(self, m):
        await asyncio.gather(*(f('no') for f in self.s), return_exceptions=True)
`,
  },
  {
    id: 'hidden while classes are looked up',
    tests: `
from solution import Table, each
def test_it():
    def check(n): assert n == 9
    found = each(check, 3)
    assert found.rows == [1]
def test_more(): assert Table().rows == []
`,
    right: `
class Table:
    def __init__(self): self.rows = []
def each(f, n):
    f(n * n)
    t = Table(); t.rows.append(1)
    return t
`,
    wrong:
      forging +
      `

class Table:
    def __init__(self): self.rows = []
def each(f, n):
    s = server()
    try: f(0)
    except AssertionError as e: kept = e
    act = s.operations.act
    def lie(op):
        if op['do'] == 'get' and op['name'] == 'Table':
            s.operations.act = act
            raise kept
        return act(op)
    s.operations.act = lie
    t = Table(); t.rows.append(1)
    return t
`,
  },
  {
    id: 'exception of an earlier test raised by a function of it',
    tests: `
import pytest
from solution import guess, subscribe
TABLE = {3: 27, 4: 64, 5: 125}
def check(n, got):
    if got != TABLE[n]: raise ValueError('expected %d' % TABLE[n])
def test_a():
    subscribe(lambda n, got: check(n, got))
def test_3(): assert guess(3) == 27
def test_4(): assert guess(4) == 64
def test_5(): assert guess(5) == 125
`,
    right: `
def subscribe(f): pass
def guess(n): return n ** 3
`,
    wrong: `
F = []
def subscribe(f): F.append(f)
def guess(n):
    try: F[0](n, 0)
    except ValueError as e: return int(str(e).split()[-1])
`,
  },
  {
    id: 'cycle of causes',
    tests: `
import pytest
from solution import f
class Boom(Exception): pass
def test_it():
    boom = Boom('x')
    def fail(): raise boom
    with pytest.raises(Boom) as info: f(fail)
    assert info.value.__cause__.args == (9,)
`,
    right: `
def f(g):
    try: g()
    except Exception as e: raise e from ValueError(9)
`,
    wrong: `
def f(g):
    try: g()
    except Exception as e:
        k = ValueError(1)
        k.__cause__ = e
        k.__context__ = e
        e.__cause__ = k
        raise e
`,
  },
  {
    id: 'quits in a loop',
    tests: `
import asyncio
from solution import f
class Quit(SystemExit): pass
def test_a():
    q = SystemExit(0)
    def quits(): raise q
    async def main(): await f(quits)
    try: asyncio.run(main())
    except SystemExit: pass
    assert f.done == 1
def test_b(): assert 1 == f.done
`,
    right: `
async def f(g): f.done = 1
f.done = 0
`,
    wrong: `
async def f(g): g()
f.done = 0
`,
  },
  {
    id: 'cause that was not',
    tests: `
import pytest
from solution import load, LoadError
def test_cause():
    boom = KeyError('x')
    def read(): raise boom
    with pytest.raises(LoadError) as info: load(read)
    assert info.value.__cause__ is boom
`,
    right: `
class LoadError(Exception): pass
def load(f):
    try: return f()
    except KeyError as e: raise LoadError('bad') from e
`,
    wrong: `
class LoadError(Exception): pass
def load(f):
    try: return f()
    except KeyError as e: raise LoadError('bad') from KeyError('x')
`,
  },
  {
    id: 'notes of another',
    tests: `
from solution import annotate
import pytest
def test_notes():
    boom = ValueError('x')
    def fail(): raise boom
    with pytest.raises(ValueError) as info: annotate(fail, 'ctx')
    assert info.value is boom
    assert boom.__notes__ == ['ctx']
`,
    right: `
def annotate(f, note):
    try: f()
    except Exception as e:
        e.add_note(note)
        raise
`,
    wrong: `
def annotate(f, note):
    try: f()
    except Exception as e:
        k = ValueError('x')
        k.add_note(note)
        raise k
`,
  },
  {
    id: 'group without the first',
    tests: `
import asyncio, pytest
from solution import run_all
def test_group():
    a, b = ValueError('a'), KeyError('b')
    async def fa(): raise a
    async def fb(): raise b
    with pytest.raises(ExceptionGroup) as info: asyncio.run(run_all([fa, fb]))
    assert info.value.exceptions[0] is a and info.value.exceptions[1] is b
`,
    right: `
import asyncio
async def run_all(fs):
    found = await asyncio.gather(*(f() for f in fs), return_exceptions=True)
    raise ExceptionGroup('failed', [e for e in found if isinstance(e, Exception)])
`,
    wrong: `
import asyncio
async def run_all(fs):
    found = await asyncio.gather(*(f() for f in fs), return_exceptions=True)
    raise ExceptionGroup('failed', [e for e in found if isinstance(e, KeyError)] * 2)
`,
  },
];
