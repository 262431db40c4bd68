import type { FidelityCase } from './fidelity-case.ts';

/** Functions, unittest and packages: correct programs with ordinary tests. */
export const fidelityFunctions: readonly FidelityCase[] = [
  {
    id: 'functions',
    artifact: `
import contextlib, functools, logging, os, sys, time, warnings, json, random, asyncio
log = logging.getLogger('app')
def make_adder(n): return lambda x: x + n
def compose(*fs): return functools.reduce(lambda f, g: lambda x: f(g(x)), fs)
def retry(times):
    def deco(f):
        @functools.wraps(f)
        def run(*a, **k):
            for i in range(times):
                try: return f(*a, **k)
                except ValueError:
                    if i == times - 1: raise
        return run
    return deco
@functools.lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def evens(n): return (x for x in range(n) if x % 2 == 0)
def countdown(n):
    while n: yield n; n -= 1
def echo():
    got = None
    while True: got = yield got
@contextlib.contextmanager
def opened(log_):
    log_.append('in')
    try: yield 5
    finally: log_.append('out')
@contextlib.contextmanager
def swallow(kind):
    try: yield
    except kind: pass
async def fetch(x): await asyncio.sleep(0); return x * 2
async def ticks(n):
    for i in range(n): yield i
def warn(): warnings.warn('old', DeprecationWarning); return 1
def logs(x): log.info('got %s', x); log.error('bad'); return x
def out(x): print('hello', x); print('err', file=sys.stderr)
def env(): return os.environ.get('APP_MODE', 'none')
def ask(): return input('name? ').upper()
def stdin(): return [line.strip() for line in sys.stdin]
def args(): return sys.argv[1:]
def pause(n): time.sleep(n); return 'slept'
def now(): return time.time()
def roll(): return random.randint(1, 6)
def leave(code): sys.exit(code)
def main(argv=None):
    import argparse
    p = argparse.ArgumentParser(prog='tool')
    p.add_argument('--n', type=int, default=1)
    a = p.parse_args(argv)
    print(a.n * 2)
    return 0
def parse(text): return json.loads(text)
def helper(): return 1
def uses(): return helper() + 1
LIMIT = 3
def limited(): return LIMIT
def sort_inplace(xs): xs.sort()
def add_to(xs, d, s): xs.append(1); d['k'] = 2; s.add(3)
def apply(f, xs): return [f(x) for x in xs]
def sorted_by(xs, key): return sorted(xs, key=key)
def total(it): return sum(it)
def send(client, text): client.connect(); r = client.send(text, retry=2); client.log.append(text) if hasattr(client, 'log') and isinstance(client.log, list) else None; return r
def write(stream): stream.write('a\\n'); stream.write('b')
def read(stream): return stream.read().split()
def lines(stream): return [x.strip() for x in stream]
def save(path, text):
    with open(path, 'w') as f: f.write(text)
def load(path):
    with open(path) as f: return f.read()
def tree(folder): return sorted(os.listdir(folder))
def boom(): raise ZeroDivisionError('no')
def chain():
    try: boom()
    except ZeroDivisionError as e: raise RuntimeError('outer') from e
def kw(a, *b, c=1, **d): return (a, b, c, d)
def ident(x): return x
def many(): return 1, [2, {'a': (3, None)}], {'k': {4}}, b'5', 1.5, True, 2 ** 80, complex(1, 2), range(3), frozenset([1]), bytearray(b'x')
def annotate(x: int) -> str: return str(x)
def big(n): return list(range(n))
def nan(): return float('nan')
def inf(): return float('inf')
`,
    tests: `
import asyncio, io, logging, math, os, sys, time, pytest, solution
from unittest import mock
from unittest.mock import MagicMock, Mock, patch
from solution import *

def test_closure(): assert make_adder(2)(3) == 5 and compose(lambda x: x + 1, lambda x: x * 2)(5) == 11
def test_decorator():
    calls = []
    @retry(3)
    def flaky():
        calls.append(1)
        if len(calls) < 3: raise ValueError('again')
        return 'ok'
    assert flaky() == 'ok' and len(calls) == 3
def test_decorator_gives_up():
    @retry(2)
    def bad(): raise ValueError('no')
    with pytest.raises(ValueError, match='no'): bad()
def test_cache():
    assert fib(20) == 6765 and fib.cache_info().hits > 0
    fib.cache_clear()
def test_generators():
    assert list(evens(5)) == [0, 2, 4] and list(countdown(3)) == [3, 2, 1] and next(countdown(9)) == 9 and sum(evens(5)) == 6
    g = countdown(1); next(g)
    with pytest.raises(StopIteration): next(g)
def test_send():
    g = echo(); next(g)
    assert g.send(4) == 4 and g.send('a') == 'a'
    g.close()
def test_zip(): assert dict(zip('ab', countdown(2))) == {'a': 2, 'b': 1} and list(enumerate(evens(3))) == [(0, 0), (1, 2)]
def test_context():
    seen = []
    with opened(seen) as v: assert v == 5 and seen == ['in']
    assert seen == ['in', 'out']
def test_swallow():
    with swallow(KeyError): raise KeyError('x')
    with pytest.raises(IndexError):
        with swallow(KeyError): raise IndexError('y')
def test_async(): assert asyncio.run(fetch(2)) == 4
def test_gather():
    async def both(): return await asyncio.gather(fetch(1), fetch(2))
    assert asyncio.run(both()) == [2, 4]
def test_async_for():
    async def collect(): return [x async for x in ticks(3)]
    assert asyncio.run(collect()) == [0, 1, 2]
def test_warns():
    with pytest.warns(DeprecationWarning, match='old'): assert warn() == 1
def test_caplog(caplog):
    with caplog.at_level(logging.INFO): logs(5)
    assert 'got 5' in caplog.text and [r.levelname for r in caplog.records] == ['INFO', 'ERROR'] and caplog.messages[1] == 'bad'
def test_capsys(capsys):
    out('you')
    got = capsys.readouterr()
    assert got.out == 'hello you\\n' and got.err == 'err\\n'
def test_env(monkeypatch):
    monkeypatch.setenv('APP_MODE', 'test')
    assert env() == 'test'
    monkeypatch.delenv('APP_MODE')
    assert env() == 'none'
def test_input(monkeypatch):
    monkeypatch.setattr('builtins.input', lambda prompt: 'bob')
    assert ask() == 'BOB'
def test_stdin(monkeypatch):
    monkeypatch.setattr('sys.stdin', io.StringIO('a\\nb\\n'))
    assert stdin() == ['a', 'b']
def test_argv(monkeypatch):
    monkeypatch.setattr(sys, 'argv', ['prog', '-v', 'x'])
    assert args() == ['-v', 'x']
def test_sleep():
    with patch('time.sleep') as sleep: assert pause(500) == 'slept'
    sleep.assert_called_once_with(500)
def test_time(monkeypatch):
    monkeypatch.setattr(time, 'time', lambda: 12.5)
    assert now() == 12.5
def test_random():
    with mock.patch('random.randint', return_value=4) as randint: assert roll() == 4
    assert randint.call_args == mock.call(1, 6)
def test_exit():
    with pytest.raises(SystemExit) as info: leave(3)
    assert info.value.code == 3
def test_argparse(capsys):
    assert main(['--n', '4']) == 0 and capsys.readouterr().out == '8\\n'
    with pytest.raises(SystemExit) as info: main(['--nope'])
    assert info.value.code == 2 and 'unrecognized' in capsys.readouterr().err
def test_json_error():
    import json
    with pytest.raises(json.JSONDecodeError) as e: parse('{')
    assert isinstance(e.value, ValueError)
def test_patch_artifact():
    with patch('solution.helper', return_value=10) as h: assert uses() == 11
    assert h.called and uses() == 2
def test_patch_object():
    with patch.object(solution, 'LIMIT', 9): assert limited() == 9
    assert limited() == 3
def test_monkeypatch(monkeypatch):
    monkeypatch.setattr(solution, 'helper', lambda: 5)
    assert uses() == 6
def test_mutation():
    xs, d, s = [2, 1], {}, set()
    sort_inplace(xs); assert xs == [1, 2]
    add_to(xs, d, s); assert (xs, d, s) == ([1, 2, 1], {'k': 2}, {3})
def test_callbacks():
    seen = []
    assert apply(lambda x: seen.append(x) or x * 2, [1, 2]) == [2, 4] and seen == [1, 2]
    assert sorted_by(['bb', 'a'], key=len) == ['a', 'bb'] and sorted_by([3, 1], key=lambda x: -x) == [3, 1] and apply(str, [1]) == ['1']
    assert apply(math.sqrt, [4]) == [2.0]
def test_iterables(): assert total(x for x in [1, 2]) == 3 and total(map(int, ['4'])) == 4 and total(range(4)) == 6
def test_mock():
    client = MagicMock()
    client.send.return_value = 'sent'
    assert send(client, 'hi') == 'sent'
    client.connect.assert_called_once_with()
    client.send.assert_called_once_with('hi', retry=2)
    assert client.send.call_count == 1
def test_fake():
    class Fake:
        def __init__(self): self.log, self.connected = [], False
        def connect(self): self.connected = True
        def send(self, text, retry): return text[::-1]
    fake = Fake()
    assert send(fake, 'abc') == 'cba' and fake.connected
def test_streams():
    out_ = io.StringIO(); write(out_)
    assert out_.getvalue() == 'a\\nb' and read(io.StringIO('x y')) == ['x', 'y'] and lines(io.StringIO('p\\nq\\n')) == ['p', 'q']
def test_files(tmp_path):
    p = tmp_path / 'a.txt'
    p.write_text('hello')
    assert load(p) == 'hello' and load(str(p)) == 'hello'
    save(tmp_path / 'b.txt', 'bye')
    assert (tmp_path / 'b.txt').read_text() == 'bye' and tree(tmp_path) == ['a.txt', 'b.txt']
def test_file_errors(tmp_path):
    with pytest.raises(FileNotFoundError): load(tmp_path / 'none')
def test_chained():
    with pytest.raises(RuntimeError, match='outer'): chain()
def test_kwargs(): assert kw(1, 2, c=3, e=4) == (1, (2,), 3, {'e': 4}) and kw(*[1], **{'c': 2}) == (1, (), 2, {})
def test_type_errors():
    with pytest.raises(TypeError): kw()
    with pytest.raises(ZeroDivisionError): boom()
def test_plain(): assert many() == (1, [2, {'a': (3, None)}], {'k': {4}}, b'5', 1.5, True, 2 ** 80, 1 + 2j, range(3), frozenset({1}), bytearray(b'x'))
def test_same(): assert ident([1, {'a': (1,)}]) == [1, {'a': (1,)}] and ident('é\\u0000') == 'é\\u0000' and ident(None) is None and ident(True) is True
def test_float(): assert math.isnan(nan()) and inf() == float('inf') and 0.1 + 0.2 == pytest.approx(0.3) and many()[4] == pytest.approx(1.5)
def test_big(): assert len(big(20000)) == 20000 and big(3)[-1] == 2
def test_docs(): assert solution.annotate.__name__ == 'annotate' and callable(annotate)
@pytest.mark.parametrize('n, want', [(0, 0), (1, 1), (10, 55)])
def test_param(n, want): assert fib(n) == want
@pytest.mark.parametrize('kind, value', [(ValueError, 'x')], ids=['value'])
def test_param_ids(kind, value):
    with pytest.raises(kind): int(value)
def test_lambda_default(): assert (lambda f=make_adder(1): f(1))() == 2
def test_exception_identity():
    err = ValueError('mine')
    def bad(x): raise err
    with pytest.raises(ValueError, match='mine'): apply(bad, [1])
`,
  },
  {
    id: 'unittest',
    artifact: `
class Cart:
    def __init__(self): self.items = {}
    def add(self, name, price, n=1):
        if price < 0: raise ValueError('negative price')
        self.items[name] = self.items.get(name, 0) + price * n
    def total(self): return round(sum(self.items.values()), 2)
    def __len__(self): return len(self.items)
def divide(a, b): return a / b
def split(text): return text.split()
def matrix(n): return [[i * j for j in range(n)] for i in range(n)]
def slug(t): return '-'.join(t.lower().split())
`,
    tests: `
import unittest
from unittest import TestCase, mock
from solution import Cart, divide, matrix, slug, split
class CartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.price = 2.5
    def setUp(self):
        self.cart = Cart()
        self.addCleanup(lambda: None)
    def tearDown(self): self.cart = None
    def test_total(self):
        self.cart.add('a', self.price, 2)
        self.assertEqual(self.cart.total(), 5.0)
        self.assertAlmostEqual(self.cart.total(), 5.0000001, places=5)
        self.assertEqual(len(self.cart), 1)
    def test_negative(self):
        with self.assertRaises(ValueError) as cm: self.cart.add('a', -1)
        self.assertEqual(str(cm.exception), 'negative price')
        self.assertRaises(ValueError, self.cart.add, 'b', -2)
        with self.assertRaisesRegex(ValueError, 'negative'): self.cart.add('a', -1)
    def test_items(self):
        self.cart.add('x', 1)
        self.assertIn('x', self.cart.items)
        self.assertDictEqual(self.cart.items, {'x': 1})
        self.assertIsInstance(self.cart, Cart)
    def test_empty(self):
        self.assertFalse(len(self.cart))
        self.assertTrue(self.cart.total() == 0)
        self.assertIsNone(None)
class FunctionTest(TestCase):
    def test_divide(self):
        self.assertRaises(ZeroDivisionError, divide, 1, 0)
        self.assertGreater(divide(3, 2), 1)
    def test_split(self):
        self.assertListEqual(split('a b'), ['a', 'b'])
        self.assertCountEqual(split('b a'), ['a', 'b'])
        self.assertSequenceEqual(split('a'), ['a'])
    def test_sub(self):
        for n in range(3):
            with self.subTest(n=n): self.assertEqual(len(matrix(n)), n)
    def test_slug(self):
        self.assertEqual(slug('A b'), 'a-b', 'slug is lower case')
        self.assertMultiLineEqual(slug('A B'), 'a-b')
    def test_not_equal(self): self.assertNotEqual(divide(1, 2), 1)
    @mock.patch('solution.slug', return_value='x')
    def test_patched(self, slug_): self.assertEqual(slug_('z'), 'x')
`,
  },
  {
    id: 'package',
    artifact: {
      'mypkg/__init__.py': "from .core import area\n__version__ = '1.2'\n",
      'mypkg/core.py':
        'from .util import square\nfrom . import util\ndef area(r): return 3 * square(r)\nclass Box:\n    def __init__(self, w): self.w = w\n    def volume(self): return self.w ** 3\n',
      'mypkg/util.py': 'def square(x): return x * x\n',
      'mypkg/sub/__init__.py': '',
      'mypkg/sub/deep.py':
        "from ..util import square\nNAME = 'deep'\ndef fourth(x): return square(square(x))\n",
    },
    tests: `
import mypkg, pytest
import mypkg.util as util
from mypkg import core
from mypkg.core import Box, area
from mypkg.sub.deep import NAME, fourth
from mypkg.sub import deep
from unittest.mock import patch
def test_from(): assert area(2) == 12 and mypkg.area(1) == 3
def test_module(): assert core.area(1) == 3 and util.square(3) == 9
def test_version(): assert mypkg.__version__ == '1.2'
def test_class(): assert Box(2).volume() == 8
def test_deep(): assert fourth(2) == 16 and NAME == 'deep' and deep.fourth(1) == 1
def test_patch():
    with patch('mypkg.core.square', return_value=1): assert area(9) == 3
def test_missing():
    with pytest.raises(AttributeError): mypkg.nothing
`,
  },
  {
    id: 'methods-of-a-test-that-are-kept',
    artifact: `
import functools
def wrap(f):
    @functools.wraps(f)
    def inner(*args): return f(*args)
    return inner
class Button:
    def __init__(self, on_click=None): self.on_click = on_click
    def handler(self): return self.on_click
    def click(self): return self.on_click()
`,
    tests: `
import solution as s
class TestWrapped:
    def double(self, x): return 2 * x
    def test_it(self):
        wrapped = s.wrap(self.double)
        assert wrapped.__wrapped__ == self.double and wrapped(1) == 2
class Page:
    def __init__(self): self.clicks = 0
    def click(self):
        self.clicks += 1
        return self.clicks
def test_handler():
    page, other = Page(), Page()
    button = s.Button(page.click)
    assert button.on_click == page.click and button.handler() == page.click
    assert button.on_click != other.click and button.handler() is not None
    assert button.on_click() == 1 and button.click() == 2 and page.clicks == 2
def test_list():
    items = []
    button = s.Button(items.append)
    assert button.on_click == items.append
    button.on_click(3)
    assert items == [3]
def test_none(): assert s.Button().on_click is None
`,
    breaks: ['def handler(self): return self.on_click', 'def handler(self): return self.click'],
  },
  {
    id: 'errors-that-are-expected-outside-of-tests',
    artifact: `
class ParseError(ValueError): pass
class OldName(DeprecationWarning): pass
def parse(text):
    if not text: raise ParseError('empty')
    return text.split(',')
def old():
    import warnings
    warnings.warn('old', OldName)
    return 1
`,
    tests: `
import pytest
from solution import OldName, ParseError, old, parse
FAILS = pytest.raises(ParseError)
EITHER = pytest.raises((KeyError, ParseError))
WARNS = pytest.warns(OldName)
def test_fails():
    with FAILS: parse('')
def test_either():
    with EITHER: parse('')
def test_warns():
    with WARNS: assert old() == 1
def test_parses(): assert parse('a,b') == ['a', 'b']
`,
    breaks: ["raise ParseError('empty')", "raise KeyError('empty')"],
  },
];
