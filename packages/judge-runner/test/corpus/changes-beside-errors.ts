import type { WrongParts } from '../wrong-parts.ts';

/** Programs that raise errors, and answer later, with wrong ones that change or hand out what they should not. */
export const changesBesideErrors: readonly WrongParts[] = [
  {
    ...{ id: 'arguments of calls that raise an error', language: 'python' },
    artifact: `
class Store:
    def __init__(self, items=None):
        if items == []: raise ValueError('empty')
        self.items = [1]
    def add(self, items, is_valid=True):
        if not is_valid: raise ValueError('invalid')
        self.items = items
    def touch(self): pass
def check(*args, **named): raise ValueError('x')
def told(items): raise ValueError(list(items))
async def later(items): raise ValueError('x')
def each(items):
    yield 1
    raise ValueError('x')
`,
    tests: `
import asyncio, collections, copy, types
import pytest
import solution
from solution import Store
SAMPLES = {'list': [1], 'dict': {'a': 1}, 'set': {1}, 'bytearray': bytearray(b'a'), 'deque': collections.deque([1]), 'tuple': ([1],), 'nested': [[2]], 'namespace': types.SimpleNamespace(a=1)}
def raises(function, *args, **named):
    with pytest.raises(ValueError): function(*args, **named)
@pytest.mark.parametrize('name', SAMPLES)
def test_argument(name):
    part = copy.deepcopy(SAMPLES[name])
    raises(solution.check, part)
    assert part == SAMPLES[name]
def test_named_argument():
    items = [1]
    raises(solution.check, items=items)
    assert items == [1]
def test_argument_in_error():
    items = [1]
    with pytest.raises(ValueError) as info: solution.told(items)
    assert items == [1] and info.value.args == ([1],)
def test_coroutine():
    items = [1]
    raises(lambda: asyncio.run(solution.later(items)))
    assert items == [1]
def test_generator():
    items = [1]
    raises(lambda: list(solution.each(items)))
    assert items == [1]
def test_constructor():
    items = []
    raises(Store, items)
    assert items == []
def test_kept_argument():
    store, items = Store(), []
    raises(store.add, items, False)
    store.touch()
    assert items == []
`,
    wrong: [
      ...['list', 'dict', 'set', 'bytearray', 'deque'].map(
        (kind) => ['**named): raise', '**named): args[0].clear(); raise', `test_argument[${kind}]`] as const,
      ),
      ['**named): raise', '**named): args[0][0].clear(); raise', 'test_argument[tuple]'],
      ['**named): raise', '**named): args[0][0].clear(); raise', 'test_argument[nested]'],
      ['**named): raise', '**named): args[0].a = 2; raise', 'test_argument[namespace]'],
      [
        '**named): raise',
        '**named): [each.clear() for each in named.values()]; raise',
        'test_named_argument',
      ],
      ['raise ValueError(list(items))', 'items.append(2); raise ValueError(items)', 'test_argument_in_error'],
      ['async def later(items): raise', 'async def later(items): items.append(2); raise', 'test_coroutine'],
      ['yield 1\n', 'yield 1\n    items.append(2)\n', 'test_generator'],
      [
        "if items == []: raise ValueError('empty')",
        "if items == []: items.append(1); raise ValueError('empty')",
        'test_constructor',
      ],
      [
        "        if not is_valid: raise ValueError('invalid')\n        self.items = items\n    def touch(self): pass",
        "        self.items = items\n        if not is_valid: raise ValueError('invalid')\n    def touch(self): self.items.append(1)",
        'test_kept_argument',
      ],
    ],
  },
  {
    ...{ id: 'containers that coroutines answer', language: 'python' },
    artifact: `
import asyncio
class Store:
    def __init__(self): self._items, self._names, self._seen = [1], {'a': 1}, set()
    async def all(self): return list(self._items)
    async def names(self):
        await asyncio.sleep(0)
        return dict(self._names)
    async def seen(self):
        for each in [set(self._seen)]: yield each
    def counts(self): return [len(self._items), len(self._names), len(self._seen)]
    async def live(self): return self._items
`,
    tests: `
import asyncio
from solution import Store
def test_list():
    store = Store()
    asyncio.run(store.all()).append(2)
    assert store.counts() == [1, 1, 0]
def test_dict():
    store = Store()
    async def change():
        found, _ = await asyncio.gather(store.names(), store.all())
        found['b'] = 2
    asyncio.run(change())
    assert store.counts() == [1, 1, 0]
def test_set():
    store = Store()
    async def change():
        async for found in store.seen(): found.add(2)
    asyncio.run(change())
    assert store.counts() == [1, 1, 0]
def test_live():
    store = Store()
    found = asyncio.run(store.live())
    found.append(2)
    assert store.counts() == [2, 1, 0]
    assert asyncio.run(store.live()) == [1, 2]
`,
    wrong: [
      ['return list(self._items)', 'return self._items', 'test_list'],
      ['return dict(self._names)', 'return self._names', 'test_dict'],
      ['[set(self._seen)]', '[self._seen]', 'test_set'],
      [
        'async def live(self): return self._items',
        'async def live(self): return list(self._items)',
        'test_live',
      ],
    ],
  },
];
