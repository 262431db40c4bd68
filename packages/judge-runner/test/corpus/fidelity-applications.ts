import type { FidelityCase } from './fidelity-case.ts';

/** Command lines, accounts, texts and plug-ins: correct programs with ordinary tests. */
export const fidelityApplications: readonly FidelityCase[] = [
  {
    id: 'cli',
    artifact: `
import argparse, sys, json, csv, io, logging, os, pathlib, warnings
log = logging.getLogger('tool')
def build_parser():
    p = argparse.ArgumentParser(prog='tool')
    sub = p.add_subparsers(dest='cmd', required=True)
    a = sub.add_parser('sum'); a.add_argument('n', nargs='+', type=int); a.add_argument('--json', action='store_true')
    b = sub.add_parser('cat'); b.add_argument('path')
    c = sub.add_parser('env'); c.add_argument('name')
    return p
def main(argv=None):
    ns = build_parser().parse_args(argv)
    if ns.cmd == 'sum':
        t = sum(ns.n)
        print(json.dumps({'sum': t}) if ns.json else t)
    elif ns.cmd == 'cat':
        try: sys.stdout.write(pathlib.Path(ns.path).read_text())
        except FileNotFoundError as e:
            print('tool: %s: no such file' % ns.path, file=sys.stderr); return 2
    elif ns.cmd == 'env': print(os.environ.get(ns.name, ''))
    log.info('ran %s', ns.cmd)
    return 0
def read_csv(f): return [dict(r) for r in csv.DictReader(f)]
def write_csv(f, rows):
    w = csv.DictWriter(f, fieldnames=list(rows[0]), lineterminator='\\n'); w.writeheader(); w.writerows(rows)
def save(path, data):
    path = pathlib.Path(path); path.parent.mkdir(parents=True, exist_ok=True); path.write_text(json.dumps(data)); return path
def old(): warnings.warn('use new()', DeprecationWarning, stacklevel=2); return 1
def ask(): return input('name? ').strip().title()
def process(stream=None): return sum(int(l) for l in (stream or sys.stdin))
`,
    tests: `
import io, json, logging, sys
import pytest
import solution
from solution import main, read_csv, write_csv, save, old, ask, process, build_parser

def test_sum(capsys):
    assert main(['sum', '1', '2']) == 0
    assert capsys.readouterr().out == '3\\n'
def test_json(capsys):
    main(['sum', '4', '--json'])
    assert json.loads(capsys.readouterr().out) == {'sum': 4}
def test_usage(capsys):
    with pytest.raises(SystemExit) as e: main(['nope'])
    assert e.value.code == 2
    assert 'invalid choice' in capsys.readouterr().err
def test_argv(monkeypatch, capsys):
    monkeypatch.setattr(sys, 'argv', ['tool', 'sum', '9'])
    main()
    assert capsys.readouterr().out.strip() == '9'
def test_env(monkeypatch, capsys):
    monkeypatch.setenv('WHO', 'me')
    main(['env', 'WHO'])
    out, err = capsys.readouterr()
    assert out == 'me\\n' and err == ''
def test_cat(tmp_path, capsys):
    f = tmp_path / 'x.txt'
    f.write_text('hello')
    assert main(['cat', str(f)]) == 0
    assert capsys.readouterr().out == 'hello'
def test_missing(tmp_path, capsys):
    assert main(['cat', str(tmp_path / 'no')]) == 2
    assert 'no such file' in capsys.readouterr().err
def test_log(caplog):
    with caplog.at_level(logging.INFO, logger='tool'): main(['sum', '1'])
    assert caplog.records[-1].getMessage() == 'ran sum'
    assert caplog.record_tuples[-1] == ('tool', logging.INFO, 'ran sum')
def test_read(): assert read_csv(io.StringIO('a,b\\n1,2\\n')) == [{'a': '1', 'b': '2'}]
def test_write():
    f = io.StringIO()
    write_csv(f, [{'a': 1, 'b': 2}])
    assert f.getvalue() == 'a,b\\n1,2\\n'
def test_save(tmp_path):
    p = save(tmp_path / 'deep' / 'x.json', [1])
    assert p == tmp_path / 'deep' / 'x.json' and p.exists() and json.loads(p.read_text()) == [1]
def test_deprecated():
    with pytest.warns(DeprecationWarning, match='new'): assert old() == 1
def test_deprecated_call():
    with pytest.deprecated_call(): old()
def test_ask(monkeypatch):
    monkeypatch.setattr('builtins.input', lambda prompt: ' ann ')
    assert ask() == 'Ann'
def test_stdin(monkeypatch):
    monkeypatch.setattr('sys.stdin', io.StringIO('1\\n2\\n'))
    assert process() == 3
def test_stream(): assert process(io.StringIO('4\\n5')) == 9
def test_stream_list(): assert process(['1', '2']) == 3
def test_parser():
    ns = build_parser().parse_args(['sum', '1', '2'])
    assert ns.n == [1, 2] and ns.json is False
def test_patch_module(monkeypatch, capsys):
    monkeypatch.setattr(solution, 'sum', lambda xs: 42, raising=False)
    main(['sum', '1'])
    assert capsys.readouterr().out == '42\\n'
`,
  },
  {
    id: 'bank',
    needs: { objects: ['Money'], remoteEq: true },
    artifact: `
from __future__ import annotations
import abc, decimal, datetime, uuid, typing, itertools, functools
from decimal import Decimal
class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        self.balance, self.amount = balance, amount
        super().__init__(f'balance {balance} is less than {amount}')
@functools.total_ordering
class Money:
    __slots__ = ('amount', 'currency')
    def __init__(self, amount, currency='EUR'): self.amount = Decimal(str(amount)); self.currency = currency
    def __eq__(self, o): return isinstance(o, Money) and (self.amount, self.currency) == (o.amount, o.currency)
    def __lt__(self, o):
        if self.currency != o.currency: raise ValueError('currencies differ')
        return self.amount < o.amount
    def __add__(self, o):
        if not isinstance(o, Money): return NotImplemented
        if self.currency != o.currency: raise ValueError('currencies differ')
        return Money(self.amount + o.amount, self.currency)
    def __mul__(self, k): return Money(self.amount * k, self.currency)
    __rmul__ = __mul__
    def __neg__(self): return Money(-self.amount, self.currency)
    def __bool__(self): return bool(self.amount)
    def __hash__(self): return hash((self.amount, self.currency))
    def __str__(self): return f'{self.amount:.2f} {self.currency}'
    def __repr__(self): return f'Money({self.amount!s}, {self.currency!r})'
    def __format__(self, spec): return format(str(self), spec)
class Account(abc.ABC):
    _ids = itertools.count(1)
    rate = Decimal('0')
    def __init__(self, owner, balance=0): self.id = next(self._ids); self.owner = owner; self._balance = Decimal(balance); self.history = []
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, v):
        if v < 0: raise ValueError('negative')
        self._balance = Decimal(v)
    def deposit(self, n):
        if n <= 0: raise ValueError('amount must be positive')
        self._balance += n; self.history.append(('deposit', n)); return self
    def withdraw(self, n):
        if n > self._balance: raise InsufficientFunds(self._balance, n)
        self._balance -= n; self.history.append(('withdraw', n)); return self
    @abc.abstractmethod
    def interest(self): ...
    @classmethod
    def open(cls, owner): return cls(owner)
    @staticmethod
    def valid(owner): return bool(owner.strip())
class Savings(Account):
    rate = Decimal('0.02')
    def interest(self): return self._balance * self.rate
class Checking(Account):
    def interest(self): return Decimal(0)
def transfer(a, b, n): a.withdraw(n); b.deposit(n)
`,
    tests: `
import decimal, unittest
from decimal import Decimal
import pytest
from solution import Account, Savings, Checking, Money, InsufficientFunds, transfer

class TestAccount(unittest.TestCase):
    def setUp(self):
        self.a = Savings('ann', 100)
        self.b = Checking('bob')
    def test_balance(self):
        self.assertEqual(self.a.balance, 100)
        self.assertIsInstance(self.a.balance, Decimal)
    def test_transfer(self):
        transfer(self.a, self.b, 30)
        self.assertEqual((self.a.balance, self.b.balance), (70, 30))
        self.assertListEqual(self.a.history, [('withdraw', 30)])
    def test_insufficient(self):
        with self.assertRaises(InsufficientFunds) as ctx: self.a.withdraw(500)
        self.assertEqual(ctx.exception.amount, 500)
        self.assertIn('less than', str(ctx.exception))
        self.assertRaisesRegex(InsufficientFunds, 'balance 100', self.a.withdraw, 101)
    def test_setter(self):
        self.a.balance = 5
        self.assertEqual(self.a.balance, 5)
        with self.assertRaises(ValueError): self.a.balance = -1
    def test_interest(self): self.assertAlmostEqual(self.a.interest(), Decimal('2.00'))
    def test_chain(self): self.assertEqual(self.a.deposit(1).deposit(2).balance, 103)
    def test_identity(self): self.assertIs(self.a.deposit(1), self.a)
    def test_ids(self): self.assertLess(self.a.id, self.b.id)
    def test_abstract(self):
        with self.assertRaises(TypeError): Account('x')
    def test_class(self):
        self.assertIsInstance(Savings.open('x'), Savings)
        self.assertIsInstance(Savings.open('x'), Account)
        self.assertTrue(Account.valid('x')); self.assertFalse(Savings.valid(' '))
        self.assertEqual(Savings.rate, Decimal('0.02'))
    def test_subtests(self):
        for n in (0, -1):
            with self.subTest(n=n):
                with self.assertRaises(ValueError): self.a.deposit(n)
    def test_private(self): self.assertEqual(self.a.__dict__['owner'] if False else self.a.owner, 'ann')

def test_money_eq(): assert Money(1) == Money('1') and Money(1) != Money(1, 'USD')
def test_money_add(): assert Money(1) + Money(2) == Money(3)
def test_money_sum(): assert sum([Money(1), Money(2)], Money(0)) == Money(3)
def test_money_mul(): assert Money(2) * 3 == Money(6) and 3 * Money(2) == Money(6)
def test_money_order(): assert Money(1) < Money(2) <= Money(2) and max(Money(1), Money(5)) == Money(5)
def test_money_sort(): assert sorted([Money(3), Money(1)]) == [Money(1), Money(3)]
def test_money_neg(): assert -Money(1) == Money(-1)
def test_money_bool(): assert Money(1) and not Money(0)
def test_money_hash(): assert len({Money(1), Money('1'), Money(2)}) == 2
def test_money_text(): assert str(Money(1)) == '1.00 EUR' and repr(Money(1)) == "Money(1, 'EUR')" and f'{Money(2)}' == '2.00 EUR'
def test_money_mix():
    with pytest.raises(ValueError): Money(1) + Money(1, 'USD')
    with pytest.raises(TypeError): Money(1) + 1
`,
  },
  {
    id: 'text',
    needs: { objects: ['Roman'], remoteEq: true },
    artifact: `
import re, textwrap, string, unicodedata, collections, itertools, html, base64, hashlib, struct, types
from typing import NamedTuple, Iterable
class Span(NamedTuple):
    start: int
    end: int
    label: str = 'x'
    @property
    def length(self): return self.end - self.start
    def shift(self, n): return self._replace(start=self.start + n, end=self.end + n)
def slugify(s): return re.sub(r'[^a-z0-9]+', '-', unicodedata.normalize('NFKD', s).encode('ascii', 'ignore').decode().lower()).strip('-')
def words(s): return collections.Counter(re.findall(r'\\w+', s.lower()))
def chunks(xs, n):
    it = iter(xs)
    while True:
        c = tuple(itertools.islice(it, n))
        if not c: return
        yield c
def spans(s, w): return [Span(m.start(), m.end()) for m in re.finditer(re.escape(w), s)]
def template(s, **k): return string.Template(s).safe_substitute(k)
def digest(b): return hashlib.sha256(b).digest()
def pack(*n): return struct.pack('>%dI' % len(n), *n)
class Roman(int):
    def __new__(cls, v):
        if isinstance(v, str):
            n, m = 0, dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000)
            for a, b in itertools.zip_longest(v, v[1:]): n += -m[a] if b and m[a] < m[b] else m[a]
            v = n
        return super().__new__(cls, v)
    def __str__(self):
        n, out = int(self), ''
        for v, s in ((1000,'M'),(900,'CM'),(500,'D'),(400,'CD'),(100,'C'),(90,'XC'),(50,'L'),(40,'XL'),(10,'X'),(9,'IX'),(5,'V'),(4,'IV'),(1,'I')):
            while n >= v: out += s; n -= v
        return out
class CaseInsensitiveDict(collections.abc.MutableMapping if hasattr(collections, 'abc') else dict):
    def __init__(self, d=(), **k): self._s = {}; self.update(d, **k)
    def __setitem__(self, k, v): self._s[k.lower()] = (k, v)
    def __getitem__(self, k): return self._s[k.lower()][1]
    def __delitem__(self, k): del self._s[k.lower()]
    def __iter__(self): return (k for k, _ in self._s.values())
    def __len__(self): return len(self._s)
    def __eq__(self, o): return dict((k.lower(), v) for k, v in self.items()) == dict((k.lower(), v) for k, v in o.items())
    def __repr__(self): return str(dict(self.items()))
class Trie:
    def __init__(self, ws=()):
        self.root = {}
        for w in ws: self.insert(w)
    def insert(self, w):
        n = self.root
        for c in w: n = n.setdefault(c, {})
        n['$'] = True
    def __contains__(self, w):
        n = self.root
        for c in w:
            if c not in n: return False
            n = n[c]
        return '$' in n
    def complete(self, p):
        n = self.root
        for c in p: n = n.get(c, {})
        def walk(n, acc):
            for k in sorted(n):
                if k == '$': yield acc
                else: yield from walk(n[k], acc + k)
        yield from walk(n, p)
DEFAULTS = types.MappingProxyType({'a': 1})
VERSION = (1, 2)
`,
    tests: `
import collections
import pytest
import solution as s
from solution import *
from solution import Span, slugify, words, chunks, spans, template, digest, pack, Roman, CaseInsensitiveDict, Trie, DEFAULTS, VERSION

@pytest.mark.parametrize('given, expected', [('Hello, World!', 'hello-world'), ('Crème Brûlée', 'creme-brulee'), ('', '')])
def test_slug(given, expected): assert slugify(given) == expected
def test_words():
    w = words('a b a')
    assert w == {'a': 2, 'b': 1} and w.most_common(1) == [('a', 2)] and w['zzz'] == 0
    assert w + collections.Counter('a') == collections.Counter({'a': 3, 'b': 1})
def test_chunks(): assert list(chunks(range(5), 2)) == [(0, 1), (2, 3), (4,)]
def test_chunks_gen():
    g = chunks('abc', 1)
    assert next(g) == ('a',)
    assert ''.join(x for (x,) in g) == 'bc'
    with pytest.raises(StopIteration): next(g)
def test_spans():
    [a, b] = spans('xaxa', 'a')
    assert a == (1, 2, 'x') and b.start == 3 and b.length == 1
    assert a.shift(2) == Span(3, 4) and a._asdict() == {'start': 1, 'end': 2, 'label': 'x'}
    start, end, *_ = b
    assert (start, end) == (3, 4)
def test_template(): assert template('hi $n $m', n='x') == 'hi x $m'
def test_digest(): assert digest(b'').hex().startswith('e3b0c442') and len(digest(b'x')) == 32
def test_pack(): assert pack(1, 2) == b'\\0\\0\\0\\1\\0\\0\\0\\2'
@pytest.mark.parametrize('r, n', [('IV', 4), ('MCMXCIV', 1994)])
def test_roman(r, n):
    assert Roman(r) == n and str(Roman(n)) == r and Roman(r) + 1 == n + 1 and int(Roman(r)) == n
def test_headers():
    h = CaseInsensitiveDict({'Content-Type': 'json'})
    assert h['content-type'] == 'json' and 'CONTENT-TYPE' in h
    h['ACCEPT'] = '*'
    assert len(h) == 2 and sorted(h) == ['ACCEPT', 'Content-Type']
    assert h.get('no') is None and dict(h)['ACCEPT'] == '*'
    del h['accept']
    assert list(h.items()) == [('Content-Type', 'json')]
    with pytest.raises(KeyError): h['zzz']
def test_trie():
    t = Trie(['car', 'cat', 'dog'])
    assert 'car' in t and 'ca' not in t
    assert list(t.complete('ca')) == ['car', 'cat']
    assert not list(t.complete('z'))
def test_defaults():
    assert DEFAULTS['a'] == 1 and dict(DEFAULTS) == {'a': 1}
    with pytest.raises(TypeError): DEFAULTS['b'] = 2
def test_version(): assert VERSION >= (1, 0) and s.VERSION[0] == 1 and '.'.join(map(str, VERSION)) == '1.2'
`,
  },
  {
    id: 'plugins',
    needs: { objects: ['Pipeline', 'Matrix'], remoteEq: true },
    artifact: `
import functools, inspect, operator, weakref, copy, json, pickle, contextlib
from typing import Protocol, Callable, Generic, TypeVar
T = TypeVar('T')
class Registry(Generic[T]):
    def __init__(self): self._items = {}
    def register(self, name=None):
        def deco(obj):
            key = name or obj.__name__
            if key in self._items: raise KeyError(f'duplicate: {key}')
            self._items[key] = obj
            return obj
        return deco
    def create(self, name, *a, **k): return self._items[name](*a, **k)
    def __contains__(self, n): return n in self._items
    def __call__(self, n): return self._items[n]
    @property
    def names(self): return tuple(sorted(self._items))
registry = Registry()
@registry.register('circle')
class Circle:
    def __init__(self, r): self.r = r
    def area(self): return 3.14159 * self.r ** 2
@registry.register()
def square(n): return n * n
class Observable:
    def __init__(self): self._subs = []; self._value = None
    def subscribe(self, fn): self._subs.append(fn); return lambda: self._subs.remove(fn)
    @property
    def value(self): return self._value
    @value.setter
    def value(self, v):
        old, self._value = self._value, v
        for s in list(self._subs): s(old, v)
class Pipeline:
    def __init__(self, *steps): self.steps = list(steps)
    def __or__(self, f): return Pipeline(*self.steps, f)
    def __call__(self, x): return functools.reduce(lambda a, f: f(a), self.steps, x)
    def __len__(self): return len(self.steps)
class Stack:
    def __init__(self, items=()): self._i = list(items)
    def push(self, x): self._i.append(x)
    def pop(self):
        if not self._i: raise IndexError('pop from empty stack')
        return self._i.pop()
    def peek(self): return self._i[-1]
    def __len__(self): return len(self._i)
    def __iter__(self): return reversed(self._i)
    def __bool__(self): return bool(self._i)
    def __enter__(self): return self
    def __exit__(self, *e): self._i.clear(); return False
    def __eq__(self, o): return isinstance(o, Stack) and self._i == o._i
    def __getitem__(self, k): return self._i[k]
    def __copy__(self): return Stack(self._i)
class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    def __matmul__(self, o): return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __eq__(self, o): return self.rows == o.rows
    def __getitem__(self, ij): i, j = ij; return self.rows[i][j]
    def __setitem__(self, ij, v): i, j = ij; self.rows[i][j] = v
    def transpose(self): return Matrix(zip(*self.rows))
    T = property(transpose)
@contextlib.contextmanager
def swapped(d, k, v):
    old = d[k]; d[k] = v
    try: yield d
    finally: d[k] = old
def compose(*fs): return lambda x: functools.reduce(lambda a, f: f(a), reversed(fs), x)
def curry(f):
    def inner(*a): return f(*a) if len(a) >= 2 else lambda *b: inner(*a, *b)
    return inner
def counter():
    n = 0
    def inc(by=1):
        nonlocal n; n += by; return n
    return inc
def accumulate():
    total = 0
    while True:
        x = yield total
        if x is None: return total
        total += x
`,
    tests: `
import copy
from unittest.mock import Mock, call, patch
import pytest
from solution import registry, Registry, Circle, Observable, Pipeline, Stack, Matrix, swapped, compose, curry, counter, accumulate

def test_registry():
    assert registry.names == ('circle', 'square') and 'circle' in registry
    assert registry.create('circle', 2).area() == pytest.approx(12.56636)
    assert isinstance(registry.create('circle', r=1), Circle)
    assert registry('square')(4) == 16
def test_register_own():
    r = Registry()
    @r.register('mine')
    def f(x): return x + 1
    assert r.create('mine', 1) == 2
    with pytest.raises(KeyError, match='duplicate'): r.register('mine')(f)
def test_observable():
    o, m = Observable(), Mock()
    stop = o.subscribe(m)
    o.value = 1
    o.value = 2
    assert m.call_args_list == [call(None, 1), call(1, 2)]
    stop()
    o.value = 3
    assert m.call_count == 2 and o.value == 3
def test_pipeline():
    p = Pipeline(str.strip) | str.upper | (lambda s: s + '!')
    assert p(' hi ') == 'HI!' and len(p) == 3
class TestStack:
    def test_lifo(self):
        s = Stack()
        for i in range(3): s.push(i)
        assert [s.pop(), s.pop(), s.peek()] == [2, 1, 0] and len(s) == 1
    def test_empty(self):
        s = Stack()
        assert not s
        with pytest.raises(IndexError) as e: s.pop()
        assert str(e.value) == 'pop from empty stack'
    def test_iter(self): assert list(Stack('abc')) == ['c', 'b', 'a']
    def test_with(self):
        with Stack([1]) as s: assert s.peek() == 1
        assert len(s) == 0
    def test_with_raises(self):
        with pytest.raises(RuntimeError):
            with Stack([1]) as s: raise RuntimeError
        assert not s
    def test_eq(self): assert Stack([1]) == Stack([1]) and Stack([1]) != Stack([2])
    def test_slice(self): assert Stack([1, 2, 3])[1:] == [2, 3] and Stack([1, 2])[-1] == 2
    def test_copy(self):
        a = Stack([1]); b = copy.copy(a); b.push(2)
        assert len(a) == 1 and len(b) == 2
    def test_object_identity(self):
        s, x = Stack(), object()
        s.push(x)
        assert s.pop() is x
class TestMatrix:
    def test_identity(self):
        m = Matrix([[1, 2], [3, 4]])
        assert m @ Matrix.identity(2) == m
    def test_shape(self): assert Matrix([[1, 2, 3]]).T.shape == (3, 1)
    def test_items(self):
        m = Matrix([[1]])
        m[0, 0] = 5
        assert m[0, 0] == 5
def test_swapped():
    d = {'a': 1}
    with swapped(d, 'a', 2) as e:
        assert d['a'] == 2
    assert d == {'a': 1}
def test_compose(): assert compose(lambda x: x + 1, lambda x: x * 2)(5) == 11
def test_curry(): assert curry(lambda a, b: a - b)(5)(3) == 2
def test_counter():
    c = counter()
    assert [c(), c(), c(by=3)] == [1, 2, 5]
    assert counter()() == 1
def test_send():
    g = accumulate()
    assert next(g) == 0 and g.send(3) == 3 and g.send(4) == 7
    with pytest.raises(StopIteration) as e: g.send(None)
    assert e.value.value == 7
def test_patch():
    with patch('solution.Circle.area', return_value=9):
        assert Circle(1).area() == 9
def test_patch_object():
    with patch.object(Stack, 'pop', lambda self: 'patched'): assert Stack([1]).pop() == 'patched'
`,
  },
];
