import type { WrongParts } from '../wrong-parts.ts';

/** Asynchronous generators of tests and of programs, which are sent to, thrown into and closed. */
export const asyncGenerators: readonly WrongParts[] = [
  {
    id: 'asynchronous generators of both sides',
    artifact: `
import asyncio, inspect
async def atake(n, it):
    out = []
    for _ in range(n): out.append(await anext(it))
    return out
async def first(it):
    try:
        async for x in it: return x
    finally: await it.aclose()
async def close(it): await it.aclose()
async def talk(g, xs):
    out = [await g.asend(None)]
    for x in xs: out.append(await g.asend(x))
    return out
async def poke(g):
    return [await anext(g), await g.athrow(ValueError('x'))]
async def ticks(log):
    try:
        yield 1
        yield 2
    finally: log.append('closed')
async def echo():
    got = yield 'ready'
    while True:
        try: got = yield got * 2
        except ValueError as e: got = yield 'caught %s' % e
async def doubled(it):
    async for x in it: yield x * 2
async def peek(it):
    async for x in it: return x
def collect(it):
    async def main(): return [x async for x in it]
    return asyncio.run(main())
def is_agen(x): return inspect.isasyncgen(x)
def first_sync(it):
    async def main():
        async for x in it: return x
    return asyncio.run(main())
`,
    tests: `
import asyncio, inspect
from contextlib import aclosing
from collections.abc import AsyncIterator, AsyncGenerator, AsyncIterable
import pytest
import solution as s
def test_atake_leaves_rest():
    async def numbers():
        for i in range(5): yield i
    async def main():
        g = numbers()
        assert await s.atake(2, g) == [0, 1]
        assert await anext(g) == 2
    asyncio.run(main())
def test_first_closes():
    log = []
    async def numbers():
        try:
            for i in range(5): yield i
        finally: log.append('closed')
    async def main():
        g = numbers()
        assert await s.first(g) == 0
        assert log == ['closed']
        with pytest.raises(StopAsyncIteration): await anext(g)
    asyncio.run(main())
def test_close_unbegun():
    async def numbers(): yield 1
    async def main():
        g = numbers()
        await s.close(g)
        with pytest.raises(StopAsyncIteration): await anext(g)
    asyncio.run(main())
def test_asend():
    async def echo():
        got = yield 'ready'
        while True: got = yield got * 2
    async def main():
        assert await s.talk(echo(), [1, 2]) == ['ready', 2, 4]
    asyncio.run(main())
def test_athrow():
    async def careful():
        while True:
            try: yield 'ok'
            except ValueError as e: yield 'caught %s' % e
    async def main():
        assert await s.poke(careful()) == ['ok', 'caught x']
    asyncio.run(main())
def test_athrow_out():
    async def plain(): yield 'ok'
    async def main():
        with pytest.raises(ValueError): await s.poke(plain())
    asyncio.run(main())
def test_gen_fails():
    async def bad():
        yield 1
        raise KeyError('k')
    async def main():
        with pytest.raises(KeyError): await s.atake(5, bad())
    asyncio.run(main())
def test_aclose():
    log = []
    async def main():
        t = s.ticks(log)
        assert await anext(t) == 1
        await t.aclose()
        assert log == ['closed']
        with pytest.raises(StopAsyncIteration): await anext(t)
    asyncio.run(main())
def test_aclosing():
    log = []
    async def main():
        async with aclosing(s.ticks(log)) as t:
            async for x in t: break
    asyncio.run(main())
    assert log == ['closed']
def test_talks():
    async def main():
        t = s.echo()
        assert await t.asend(None) == 'ready'
        assert await t.asend(3) == 6
        assert await t.athrow(ValueError('no')) == 'caught no'
        with pytest.raises(KeyError): await t.athrow(KeyError('x'))
    asyncio.run(main())
def test_kinds():
    assert isinstance(s.ticks([]), AsyncIterator)
    assert isinstance(s.ticks([]), AsyncGenerator)
    assert inspect.isasyncgen(s.ticks([]))
def test_mapped():
    async def numbers():
        for i in range(3): yield i
    async def main():
        assert [x async for x in s.doubled(numbers())] == [0, 2, 4]
    asyncio.run(main())
def test_dropped():
    log = []
    async def numbers():
        try:
            for i in range(5): yield i
        finally: log.append('closed')
    async def main():
        g = numbers()
        assert await s.peek(g) == 0
        assert log == []
        assert await anext(g) == 1
        await g.aclose()
    asyncio.run(main())
def test_sync_run():
    async def numbers():
        for i in range(3): yield i
    assert s.collect(numbers()) == [0, 1, 2]
def test_kind_given():
    async def numbers(): yield 1
    assert s.is_agen(numbers())
def test_sync_break():
    log = []
    async def numbers():
        try:
            for i in range(5): yield i
        finally: log.append('closed')
    g = numbers()
    assert s.first_sync(g) == 0
    assert log == ['closed']
def test_loop_closes():
    log = []
    async def numbers():
        try:
            for i in range(5): yield i
        finally: log.append('closed')
    async def main():
        g = numbers()
        assert await s.peek(g) == 0
        assert log == []
        return g
    asyncio.run(main())
    assert log == ['closed']
`,
    wrong: [
      [
        'anext(it))\n    return out',
        'anext(it))\n    await it.aclose()\n    return out',
        'test_atake_leaves_rest',
      ],
      ['finally: await it.aclose()', 'finally: pass', 'test_first_closes'],
      ['finally: await it.aclose()', 'finally: it.aclose()', 'test_first_closes'],
      ['async def close(it): await it.aclose()', 'async def close(it): pass', 'test_close_unbegun'],
      ['out.append(await g.asend(x))', 'out.append(await anext(g))', 'test_asend'],
      ["await g.athrow(ValueError('x'))", 'await anext(g)', 'test_athrow'],
      ["await g.athrow(ValueError('x'))", 'await anext(g)', 'test_athrow_out'],
      ["finally: log.append('closed')", 'finally: pass', 'test_aclose'],
      ["finally: log.append('closed')", 'finally: pass', 'test_aclosing'],
      ["got = yield 'caught %s' % e", 'raise', 'test_talks'],
      ['async for x in it: yield x * 2', 'yield 0', 'test_mapped'],
      [
        'async def peek(it):\n    async for x in it: return x',
        'async def peek(it):\n    async for x in it:\n        await it.aclose()\n        return x',
        'test_dropped',
      ],
      [
        'async for x in it: return x\n    return asyncio.run(main())',
        'async for x in it: return x\n    return asyncio.new_event_loop().run_until_complete(main())',
        'test_sync_break',
      ],
      [
        'async def ticks(log):\n    try:\n        yield 1\n        yield 2',
        `
class ticks:
    def __init__(self, log): pass
    def __aiter__(self): return self
async def inner(log):
    try: yield 1`,
        'test_kinds',
      ],
    ],
  },
];
