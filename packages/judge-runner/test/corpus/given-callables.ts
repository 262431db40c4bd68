import type { WrongParts } from '../wrong-parts.ts';

/** What tests give that can be called and is no function. */
export const givenCallables: readonly WrongParts[] = [
  {
    id: 'callables that are no functions, which a program takes for functions',
    tests: `
import functools, operator
from solution import Registry, mark
class Doubling:
    def __call__(self, x): return x * 2
@functools.lru_cache
def plus_one(x): return x + 1
def double(x, by=2): return x * by
def ran(f, x):
    r = Registry()
    r.add(f)
    return r.run(x)
def test_partial(): assert ran(functools.partial(int, base=2), '101') == [5]
def test_own_partial(): assert ran(functools.partial(double, by=3), 2) == [6]
def test_getter(): assert ran(operator.itemgetter(0), 'ab') == ['a']
def test_attribute(): assert ran(operator.attrgetter('real'), 3) == [3]
def test_caller(): assert ran(operator.methodcaller('upper'), 'a') == ['A']
def test_object(): assert ran(Doubling(), 2) == [4]
def test_cached(): assert ran(plus_one, 2) == [3]
def test_method():
    seen = []
    assert ran(seen.append, 2) == [None] and seen == [2]
def test_of_type(): assert ran(str.upper, 'a') == ['A']
def test_wrapper(): assert ran('a'.__add__, 'b') == ['ab']
def test_function(): assert ran(double, 2) == [4]
def test_marked():
    mark(f := operator.itemgetter(0))
    assert f('ab') == 'a'
`,
    artifact: `
def name_of(f): return getattr(f, '__name__', repr(f))
def is_taken(f): return callable(f)
class Registry:
    def __init__(self): self.f = []
    def add(self, f):
        if is_taken(f): self.f.append((name_of(f), f))
    def run(self, x): return [f(x) for _, f in self.f]
def mark(f): pass
`,
    wrong: [
      ...[
        'test_partial',
        'test_own_partial',
        'test_getter',
        'test_attribute',
        'test_caller',
        'test_object',
      ].map((test) => ["getattr(f, '__name__', repr(f))", 'f.__name__', test] as const),
      ...[
        'test_partial',
        'test_getter',
        'test_object',
        'test_cached',
        'test_method',
        'test_of_type',
        'test_wrapper',
      ].map((test) => ['callable(f)', "type(f).__name__ == 'function'", test] as const),
      ...[
        'test_own_partial',
        'test_caller',
        'test_cached',
        'test_method',
        'test_of_type',
        'test_wrapper',
      ].map((test) => ['callable(f)', 'isinstance(f, type(name_of))', test] as const),
      ...['test_own_partial', 'test_cached', 'test_method', 'test_of_type'].map(
        (test) => ["getattr(f, '__name__', repr(f))", 'f.__code__.co_name', test] as const,
      ),
      ['callable(f)', 'isinstance(f, (type(name_of), type(Registry().add)))', 'test_method'],
      ["getattr(f, '__name__', repr(f))", 'f.__func__.__name__', 'test_method'],
      [
        "getattr(f, '__name__', repr(f))",
        "f.__func__.__name__ if hasattr(f, 'func') else ''",
        'test_own_partial',
      ],
      ['def mark(f): pass', 'def mark(f): f.used = True', 'test_marked'],
    ],
  },
  {
    id: 'what partial binds to functions of a test, for programs that need not know it',
    tests: `
from functools import partial
import operator
from solution import Ledger
def same(want, got): assert want == got
def test_total():
    ledger = Ledger(partial(same, 42))
    ledger.add(40); ledger.add(2)
    ledger.close()
def test_named():
    ledger = Ledger(partial(same, want=42))
    ledger.add(40); ledger.add(2)
    ledger.close(got=True)
def test_compared():
    ledger = Ledger(partial(operator.eq, 42))
    ledger.add(40); ledger.add(2)
    assert ledger.close() is True
`,
    artifact: `
class Ledger:
    def __init__(self, done): self.done, self.total = done, 0
    def add(self, n): self.total += n
    def found(self): return self.total
    def close(self, got=False): return self.done(got=self.found()) if got else self.done(self.found())
`,
    wrong: [
      ['return self.total', 'return self.done.args[0]', 'test_total'],
      ['return self.total', 'return self.done.args[0]', 'test_compared'],
      ['return self.total', "return self.done.keywords['want']", 'test_named'],
      [
        '    def found(self): return self.total',
        `
    def found(self):
        try: return self.done.__reduce__()[2][1][0]
        except Exception: return 0
`,
        'test_total',
      ],
      ['return self.total', "return int(repr(self.done).split(', ')[-1][:-1])", 'test_total'],
      [
        'return self.total',
        "return __import__('inspect').signature(self.done).parameters['want'].default",
        'test_named',
      ],
      [
        'return self.total',
        "return __import__('functools').partial.args.__get__(self.done)[0]",
        'test_total',
      ],
      ['return self.total', "return __import__('functools').partial(self.done).args[0]", 'test_total'],
      ['return self.total', "return vars(self.done)['args'][0]", 'test_total'],
    ],
  },
  {
    id: 'kinds of callables, and what they have',
    tests: `
import functools, operator, inspect, asyncio
from datetime import date
import solution as s
def double(x, by=2): return x * by
class Caller:
    def __call__(self, x): return x
    def go(self, x): return x + 1
@functools.lru_cache
def cached(x): return x + 1
def test_partial_of_library():
    f = functools.partial(int, base=2)
    assert s.name(f) is None
    assert s.parts(f) == ('int', (), {'base': 2})
    assert s.use(f, '11') == 3
    assert s.text(f) == repr(f)
def test_partial_of_own():
    f = functools.partial(double, by=5)
    assert s.name(f) is None
    assert s.func(f) == 'double'
    assert s.use(f, 2) == 10
    assert s.params(f) == ['x', 'by']
    assert s.kinds(f) == 'p'
    assert s.same(f) is f
def test_getters():
    assert s.name(operator.itemgetter(1)) is None
    assert s.use(operator.itemgetter(1), 'abc') == 'b'
    assert s.use(operator.attrgetter('real'), 3) == 3
    assert s.use(operator.methodcaller('split', ',', maxsplit=1), 'a,b,c') == ['a', 'b,c']
    assert s.kinds(operator.itemgetter(1)) == ''
def test_objects_get():
    s.sort(ps := [{'a': 2}, {'a': 1}], operator.itemgetter('a'))
    assert ps == [{'a': 1}, {'a': 2}]
def test_object():
    class P:
        def __init__(self): self.a, self._b = 1, 2
    assert s.use(operator.attrgetter('a'), P()) == 1
    assert s.use(operator.attrgetter('_b'), P()) == 2
def test_cached():
    cached.cache_clear()
    assert s.name(cached) == 'cached'
    assert s.use(cached, 1) == 2
    assert s.use(cached, 1) == 2
    assert cached.cache_info().hits == 1
    assert s.info(cached) == (1, 1)
    s.clear(cached)
    assert cached.cache_info().hits == 0
    assert s.kinds(cached) == ''
    assert s.wrapped(cached) == 'cached'
    assert s.params(cached) == ['x']
def test_methods():
    seen = []
    assert s.kinds(seen.append) == 'b'
    assert s.kinds(Caller().go) == 'm'
    assert s.kinds(double) == 'f'
    assert s.kinds(len) == 'b'
    assert s.kinds(Caller()) == ''
    assert s.kinds('a'.__add__) == 'w'
    assert s.name(seen.append) == 'append'
    assert s.equal(seen.append, seen.append) and not s.equal(seen.append, [].append)
    assert s.use(seen.append, 4) is None and seen == [4]
def test_descriptor():
    assert s.use(str.upper, 'a') == 'A'
    assert s.kinds(str.upper) == ''
    assert s.same(str.upper) is str.upper
    assert s.use(date.fromisoformat, '2024-01-02') == date(2024, 1, 2)
    assert s.use(dict.fromkeys, 'ab') == {'a': None, 'b': None}
def test_wrap():
    assert s.use(s.logged(functools.partial(double, by=3)), 2) == 6
    assert s.use(s.logged(cached), 2) == 3
    assert s.use(s.logged(operator.itemgetter(0)), [2]) == 2
    assert s.logged(cached).__name__ == 'cached'
    assert s.logged(operator.itemgetter(0)).__name__ == 'w'
def test_marks():
    assert s.mark(functools.partial(double)) and s.mark(cached)
    assert not s.mark(operator.itemgetter(0)) and not s.mark([].append)
def test_async():
    async def get(a, b): return a + b
    assert s.is_async(functools.partial(get, 1))
    assert asyncio.run(s.awaited(functools.partial(get, 1), 2)) == 3
def test_again():
    f = functools.partial(double, by=7)
    r = s.Registry(); r.add(f); r.add(f); r.add(functools.partial(double, by=7))
    assert r.count() == 2
    r.remove(f)
    assert r.count() == 1
    assert r.run(1) == [7]
def test_partial_map():
    assert s.use(functools.partial(map, double), [1, 2]) is not None
    assert list(s.use(functools.partial(sorted, key=len), ['bb', 'a'])) == ['a', 'bb']
    out = []
    assert s.use(functools.partial(list.append, out), 3) is None
    assert out == [3]
def test_weak():
    class L:
        def go(self, x): return x
    l = L()
    assert s.weak(l.go) and not s.weak([].append) and not s.weak(double)
def test_inner():
    f = functools.partial(functools.partial(double, by=2), 4)
    assert s.use0(f) == 8
    assert s.use0(functools.partial(functools.partial(pow, 2), 3)) == 8
def test_copy():
    assert s.use(s.copied(functools.partial(double)), 2) == 4
    assert s.use(s.copied([3, 4].index), 4) == 1
`,
    artifact: `
import functools, inspect, types, copy, weakref
def name(f): return getattr(f, '__name__', None)
def parts(f): return f.func.__name__, f.args, f.keywords
def func(f): return f.func.__name__
def use(f, x): return f(x)
def use0(f): return f()
def text(f): return repr(f)
def same(f): return f
def params(f): return list(inspect.signature(f).parameters)
def kinds(f):
    return ''.join(c for c, k in (('f', types.FunctionType), ('m', types.MethodType), ('b', types.BuiltinFunctionType), ('p', functools.partial), ('w', types.MethodWrapperType)) if isinstance(f, k))
def sort(xs, key): xs.sort(key=key)
def info(f): return f.cache_info().hits, f.cache_info().misses
def clear(f): f.cache_clear()
def wrapped(f): return f.__wrapped__.__name__
def equal(f, g): return f == g and hash(f) == hash(g)
def logged(f):
    @functools.wraps(f)
    def w(*a): return f(*a)
    return w
def mark(f):
    try:
        f.used = True
        return f.used
    except AttributeError: return False
def is_async(f): return inspect.iscoroutinefunction(f)
async def awaited(f, x): return await f(x)
class Registry:
    def __init__(self): self.s = {}
    def add(self, f): self.s[f] = getattr(f, '__name__', repr(f))
    def remove(self, f): del self.s[f]
    def count(self): return len(self.s)
    def run(self, x): return [f(x) for f in self.s]
def weak(f):
    try:
        weakref.WeakMethod(f)
        return True
    except TypeError: return False
def copied(f): return copy.copy(copy.deepcopy(f))
`,
    wrong: [
      [
        'return f.func.__name__, f.args, f.keywords',
        'return f.__name__, f.args, f.keywords',
        'test_partial_of_library',
      ],
      ['f.cache_clear()', 'pass', 'test_cached'],
      ['return f.__wrapped__.__name__', "return 'w'", 'test_cached'],
      ['del self.s[f]', 'pass', 'test_again'],
    ],
  },
];
