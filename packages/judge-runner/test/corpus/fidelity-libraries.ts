import type { FidelityCase } from './fidelity-case.ts';

/** Functional helpers, texts, command lines, caches, intervals and validators, tested as well-known libraries test theirs. */
export const fidelityLibraries: readonly FidelityCase[] = [
  {
    id: 'functional-helpers',
    artifact: `
import functools, operator
class curry:
    """Gathers arguments until there are enough of them."""
    def __init__(self, func, *args, **kwargs):
        if not callable(func): raise TypeError('Input must be callable')
        self.func, self.args, self.keywords = func, args, kwargs
        self.__name__ = getattr(func, '__name__', 'curry')
    def __call__(self, *args, **kwargs):
        args, kwargs = self.args + args, {**self.keywords, **kwargs}
        try: return self.func(*args, **kwargs)
        except TypeError:
            if len(args) + len(kwargs) >= self.func.__code__.co_argcount: raise
            return curry(self.func, *args, **kwargs)
    def bind(self, *args): return curry(self.func, *self.args, *args)
    def __eq__(self, other):
        return isinstance(other, curry) and (self.func, self.args, self.keywords) == (other.func, other.args, other.keywords)
    def __hash__(self): return hash((self.func, self.args))
@curry
def add(x, y): return x + y
def compose(*funcs):
    def composed(value):
        for f in reversed(funcs): value = f(value)
        return value
    return composed
def pipe(data, *funcs):
    for f in funcs: data = f(data)
    return data
def juxt(*funcs): return lambda *a: tuple(f(*a) for f in funcs)
def complement(f): return lambda *a: not f(*a)
def groupby(key, seq):
    if not callable(key): key = operator.itemgetter(key)
    found = {}
    for item in seq: found.setdefault(key(item), []).append(item)
    return found
def valmap(f, d, factory=dict):
    made = factory()
    made.update((k, f(v)) for k, v in d.items())
    return made
def get_in(keys, coll, default=None, no_default=False):
    try: return functools.reduce(operator.getitem, keys, coll)
    except (KeyError, IndexError, TypeError):
        if no_default: raise
        return default
def assoc_in(d, keys, value):
    head, *rest = keys
    return {**d, head: assoc_in(d.get(head, {}), rest, value) if rest else value}
def memoize(f, cache=None):
    cache = {} if cache is None else cache
    def wrapped(*args):
        if args not in cache: cache[args] = f(*args)
        return cache[args]
    wrapped.__doc__ = f.__doc__
    return wrapped
def sliding_window(n, seq):
    seq = list(seq)
    return zip(*(seq[i:] for i in range(n)))
def unique(seq, key=lambda x: x):
    seen = set()
    for item in seq:
        if key(item) not in seen:
            seen.add(key(item))
            yield item
def frequencies(seq):
    d = {}
    for item in seq: d[item] = d.get(item, 0) + 1
    return d
`,
    breaks: ['for i in range(n)))', 'for i in range(n + 1)))'],
    needs: { objects: ['curry'] },
    tests: `
import operator
from collections import OrderedDict
import pytest
from solution import (add, assoc_in, complement, compose, curry, frequencies, get_in, groupby, juxt, memoize, pipe,
                      sliding_window, unique, valmap)

def iseven(n): return n % 2 == 0
def inc(x): return x + 1
def double(x): return 2 * x

def test_groupby():
    assert groupby(iseven, [1, 2, 3, 4]) == {True: [2, 4], False: [1, 3]}
def test_groupby_non_callable():
    assert groupby(0, [(1, 2), (1, 3), (2, 2)]) == {1: [(1, 2), (1, 3)], 2: [(2, 2)]}
def test_compose():
    assert compose()(0) == 0
    assert compose(inc)(0) == 1
    assert compose(double, inc)(0) == 2
    assert compose(str, inc, double)(1) == '3'
def test_pipe():
    assert pipe(1, inc) == 2
    assert pipe(1, inc, inc, double) == 6
def test_juxt():
    assert juxt(inc, double)(5) == (6, 10)
def test_complement():
    assert complement(lambda: False)()
    assert not complement(iseven)(2)
def test_curry():
    def mul(x, y, z): return x * y * z
    cmul = curry(mul)
    assert cmul(1)(2)(3) == 6
    assert cmul(2, 3)(4) == 24
    assert cmul(1, y=2)(z=5) == 10
def test_curry_attributes():
    assert add.func(1, 2) == 3
    c = curry(inc, 1)
    assert c.args == (1,) and c.keywords == {}
    assert c.__name__ == 'inc'
def test_curry_comparable():
    f1, f2 = curry(inc, 1), curry(inc, 1)
    assert f1 == f2 and not f1 != f2
    assert hash(f1) == hash(f2)
    assert f1 != curry(inc, 2)
    assert f1 != inc
def test_curry_bind():
    assert curry(lambda a, b: (a, b)).bind(1)(2) == (1, 2)
def test_curry_raises():
    with pytest.raises(TypeError, match='must be callable'):
        curry({1: 2})
def test_add(): assert list(map(add(1), [1, 2, 3])) == [2, 3, 4]
def test_memoize():
    fn_calls = [0]
    def f(x, y):
        """ A docstring """
        fn_calls[0] += 1
        return x + y
    mf = memoize(f)
    assert mf(2, 3) is mf(2, 3)
    assert fn_calls == [1]
    assert mf.__doc__ == f.__doc__
def test_memoize_cache():
    cache = {}
    mf = memoize(inc, cache=cache)
    assert mf(3) == 4
    assert cache == {(3,): 4}
def test_valmap():
    assert valmap(inc, {1: 1, 2: 2}) == {1: 2, 2: 3}
    assert isinstance(valmap(inc, {1: 1}, factory=OrderedDict), OrderedDict)
def test_get_in():
    assert get_in(['a', 0, 'b'], {'a': [{'b': 1}]}) == 1
    assert get_in(['x'], {}, 'no') == 'no'
    with pytest.raises(KeyError):
        get_in(['x'], {}, no_default=True)
def test_assoc_in():
    d = {'a': {'b': 1}}
    assert assoc_in(d, ['a', 'c'], 2) == {'a': {'b': 1, 'c': 2}}
    assert d == {'a': {'b': 1}}
def test_sliding_window():
    assert list(sliding_window(2, [1, 2, 3, 4])) == [(1, 2), (2, 3), (3, 4)]
    assert list(sliding_window(3, [1, 2])) == []
def test_unique():
    assert tuple(unique((1, 2, 1, 3))) == (1, 2, 3)
    assert tuple(unique((1, 2, 3), key=iseven)) == (1, 2)
def test_frequencies():
    assert frequencies('aab') == {'a': 2, 'b': 1}
    assert sorted(frequencies([1, 1]).items(), key=operator.itemgetter(0)) == [(1, 2)]
`,
  },
  {
    id: 'words-and-slugs',
    artifact: `
import re, unicodedata
PLURALS = [(r'(?i)(ax|test)is$', r'\\1es'), (r'(?i)(bu|mis|gas|s)s$', r'\\1ses'), (r'(?i)([^aeiouy]|qu)y$', r'\\1ies'),
           (r'(?i)(x|ch|ss|sh)$', r'\\1es'), (r'(?i)s$', 's'), (r'$', 's')]
IRREGULAR = {'person': 'people', 'man': 'men', 'child': 'children'}
UNCOUNTABLE = {'equipment', 'fish', 'rice'}
def pluralize(word):
    if not word or word.lower() in UNCOUNTABLE: return word
    for one, many in IRREGULAR.items():
        if word.lower().endswith(one): return word[:-len(one)] + (many.capitalize() if word[-len(one)].isupper() else many)
    for pattern, replacement in PLURALS:
        if re.search(pattern, word): return re.sub(pattern, replacement, word, count=1)
    return word
def camelize(text, uppercase_first_letter=True):
    if uppercase_first_letter: return re.sub(r'(?:^|_)(.)', lambda m: m.group(1).upper(), text)
    return text[0].lower() + camelize(text)[1:]
def underscore(word):
    word = re.sub(r'([A-Z]+)([A-Z][a-z])', r'\\1_\\2', word)
    word = re.sub(r'([a-z\\d])([A-Z])', r'\\1_\\2', word)
    return word.replace('-', '_').lower()
def ordinal(n):
    n = abs(int(n))
    if n % 100 in (11, 12, 13): return 'th'
    return {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')
def ordinalize(n): return '%s%s' % (n, ordinal(n))
def titleize(word): return re.sub(r"\\b('?\\w)", lambda m: m.group(1).capitalize(), underscore(word).replace('_', ' '))
def slugify(text, separator='-', max_length=0, word_boundary=False, stopwords=(), lowercase=True, replacements=()):
    for old, new in replacements: text = text.replace(old, new)
    text = unicodedata.normalize('NFKD', text).encode('ascii', 'ignore').decode()
    if lowercase: text = text.lower()
    words = [w for w in re.findall(r'[A-Za-z0-9]+', text.replace("'", '')) if w not in stopwords]
    slug = '-'.join(words)
    if max_length and len(slug) > max_length:
        if word_boundary:
            while len('-'.join(words)) > max_length and len(words) > 1: words.pop()
            slug = '-'.join(words)[:max_length]
        else: slug = slug[:max_length].strip('-')
    return slug.replace('-', separator)
class UniqueSlugify:
    def __init__(self, **options): self.options, self.uids = options, set()
    def __call__(self, text):
        slug, n = slugify(text, **self.options), 1
        found = slug
        while found in self.uids: found, n = '%s-%d' % (slug, n), n + 1
        self.uids.add(found)
        return found
`,
    breaks: ["if n % 100 in (11, 12, 13): return 'th'", "if n % 100 in (12, 13): return 'th'"],
    tests: `
import unittest
import pytest
import solution as inflection
from solution import UniqueSlugify, slugify

SINGULAR_TO_PLURAL = (
    ('search', 'searches'), ('fix', 'fixes'), ('process', 'processes'), ('query', 'queries'), ('ability', 'abilities'),
    ('person', 'people'), ('salesperson', 'salespeople'), ('man', 'men'), ('child', 'children'), ('test', 'tests'),
    ('fish', 'fish'), ('Person', 'People'), ('', ''), ('axis', 'axes'),
)
ORDINALS = {'-1': '-1st', 0: '0th', 1: '1st', 2: '2nd', 3: '3rd', 4: '4th', 11: '11th', 12: '12th', 13: '13th', 21: '21st', 111: '111th', 1000: '1000th'}

@pytest.mark.parametrize('singular, plural', SINGULAR_TO_PLURAL)
def test_pluralize_singular(singular, plural):
    assert plural == inflection.pluralize(singular)

def test_uncountability():
    for word in inflection.UNCOUNTABLE:
        assert word == inflection.pluralize(word)

@pytest.mark.parametrize('number, ordinalized', ORDINALS.items())
def test_ordinalize(number, ordinalized):
    assert ordinalized == inflection.ordinalize(number)

@pytest.mark.parametrize(('camel', 'under'), (('Product', 'product'), ('SpecialGuest', 'special_guest'), ('HTMLTidy', 'html_tidy'), ('Area51Controller', 'area51_controller')))
def test_underscore(camel, under):
    assert under == inflection.underscore(camel)

def test_camelize():
    assert inflection.camelize('special_guest') == 'SpecialGuest'
    assert inflection.camelize('Capital_Letter', False) == 'capitalLetter'

def test_titleize():
    assert inflection.titleize('active_record') == 'Active Record'
    assert inflection.titleize('ActiveRecord') == 'Active Record'

class TestSlugify(unittest.TestCase):
    def test_extraneous_separators(self):
        txt = 'This is a test ---'
        r = slugify(txt)
        self.assertEqual(r, 'this-is-a-test')
    def test_accented_text(self):
        r = slugify("C'est déjà l'été.")
        self.assertEqual(r, 'cest-deja-lete')
    def test_max_length(self):
        txt = 'jaja---lol-méméméoo--a'
        self.assertEqual(slugify(txt, max_length=9), 'jaja-lol')
        self.assertEqual(slugify('one two three', max_length=9, word_boundary=True), 'one-two')
    def test_separator(self):
        self.assertEqual(slugify('a b', separator='.'), 'a.b')
    def test_stopwords(self):
        self.assertEqual(slugify('the quick brown fox', stopwords=['the', 'fox']), 'quick-brown')
    def test_replacements(self):
        self.assertEqual(slugify('10 | 20 %', replacements=[['|', 'or'], ['%', 'percent']]), '10-or-20-percent')
    def test_unique(self):
        slug = UniqueSlugify()
        self.assertEqual([slug('a b'), slug('A B'), slug('a-b')], ['a-b', 'a-b-1', 'a-b-2'])
        self.assertSetEqual(slug.uids, {'a-b', 'a-b-1', 'a-b-2'})
    def test_lowercase(self):
        self.assertEqual(slugify('This Is', lowercase=False), 'This-Is')
`,
  },
  {
    id: 'commands-and-runners',
    artifact: `
import contextlib, io, sys, traceback
class UsageError(Exception):
    exit_code = 2
    def __init__(self, message, ctx=None):
        super().__init__(message)
        self.message, self.ctx = message, ctx
class Context:
    def __init__(self, command, parent=None, obj=None): self.command, self.parent, self.obj, self.meta = command, parent, obj, {}
    def find_root(self): return self if self.parent is None else self.parent.find_root()
class Option:
    def __init__(self, *names, default=None, is_flag=False, type=str, multiple=False, help=None):
        self.names, self.default, self.is_flag, self.type, self.multiple, self.help = names, default, is_flag, type, multiple, help
        self.name = max(names, key=len).lstrip('-').replace('-', '_')
class Command:
    def __init__(self, name, callback, params=()): self.name, self.callback, self.params = name, callback, list(params)
    def parse(self, args):
        values, rest = {p.name: ([] if p.multiple else p.default) for p in self.params}, []
        known = {name: p for p in self.params for name in p.names}
        args = list(args)
        while args:
            arg = args.pop(0)
            if arg in known:
                p = known[arg]
                if p.is_flag: values[p.name] = True; continue
                if not args: raise UsageError('Option %r requires an argument.' % arg)
                try: value = p.type(args.pop(0))
                except ValueError: raise UsageError('Invalid value for %r' % arg) from None
                if p.multiple: values[p.name].append(value)
                else: values[p.name] = value
            elif arg.startswith('-'): raise UsageError('No such option: %s' % arg)
            else: rest.append(arg)
        return values, rest
    def invoke(self, args, ctx=None):
        values, rest = self.parse(args)
        return self.callback(*rest, **values)
class Group(Command):
    def __init__(self, name): super().__init__(name, None); self.commands = {}
    def command(self, *params, name=None):
        def decorate(f):
            made = Command(name or f.__name__.replace('_', '-'), f, params)
            self.commands[made.name] = made
            return made
        return decorate
    def invoke(self, args, ctx=None):
        if not args or args[0] not in self.commands: raise UsageError('No such command %r.' % (args[0] if args else ''))
        return self.commands[args[0]].invoke(args[1:])
class Result:
    def __init__(self, output, exit_code, exception, value): self.output, self.exit_code, self.exception, self.return_value = output, exit_code, exception, value
    def __repr__(self): return '<Result %s>' % (repr(self.exception) if self.exception else 'okay')
class Runner:
    def __init__(self, env=None): self.env = env or {}
    def invoke(self, command, args=(), input=''):
        out, code, error, value = io.StringIO(), 0, None, None
        stdin, sys.stdin = sys.stdin, io.StringIO(input)
        try:
            with contextlib.redirect_stdout(out):
                try: value = command.invoke(list(args))
                except UsageError as e: code, error = e.exit_code, e; print('Error: ' + e.message)
                except SystemExit as e: code, error = e.code or 0, e
                except Exception as e: code, error = 1, e
        finally: sys.stdin = stdin
        return Result(out.getvalue(), code, error, value)
def echo(message='', nl=True): sys.stdout.write('%s%s' % (message, '\\n' if nl else ''))
def prompt(text, default=None):
    echo(text + ': ', nl=False)
    return sys.stdin.readline().strip() or default
def style(text, fg=None, bold=False):
    codes = {'red': 31, 'green': 32}
    return ''.join(['\\033[%dm' % codes[fg] if fg else '', '\\033[1m' if bold else '', text, '\\033[0m' if fg or bold else ''])
def unstyle(text):
    import re
    return re.sub('\\033\\\\[\\\\d+m', '', text)
`,
    breaks: ['if p.is_flag: values[p.name] = True; continue', 'if p.is_flag: values[p.name] = 1; continue'],
    tests: `
import pytest
import solution as cli
from solution import Command, Context, Group, Option, Runner, UsageError

@pytest.fixture
def runner():
    return Runner()

def test_basic(runner):
    def main(name, count):
        for _ in range(count): cli.echo('Hello ' + name)
    result = runner.invoke(Command('main', main, [Option('--count', '-c', default=1, type=int)]), ['Bob', '-c', '2'])
    assert not result.exception
    assert result.exit_code == 0
    assert result.output == 'Hello Bob\\nHello Bob\\n'
    assert result.output.splitlines() == ['Hello Bob'] * 2
def test_return_value(runner):
    assert runner.invoke(Command('x', lambda: 42)).return_value == 42
def test_flag(runner):
    cmd = Command('x', lambda verbose: cli.echo(repr(verbose)), [Option('-v', '--verbose', is_flag=True, default=False)])
    assert runner.invoke(cmd, ['-v']).output == 'True\\n'
    assert runner.invoke(cmd).output == 'False\\n'
def test_multiple(runner):
    cmd = Command('x', lambda tag: cli.echo('|'.join(tag)), [Option('--tag', multiple=True)])
    assert 'a|b' in runner.invoke(cmd, ['--tag', 'a', '--tag', 'b']).output
@pytest.mark.parametrize(('args', 'message'), [
    (['--nope'], 'No such option: --nope'), (['--n'], "Option '--n' requires an argument."), (['--n', 'x'], "Invalid value for '--n'"),
])
def test_usage_errors(runner, args, message):
    result = runner.invoke(Command('x', lambda n: n, [Option('--n', type=int)]), args)
    assert result.exit_code == 2
    assert message in result.output
    assert isinstance(result.exception, UsageError)
    assert result.exception.message == message
def test_exception(runner):
    def bad(): raise ZeroDivisionError('no')
    result = runner.invoke(Command('bad', bad))
    assert result.exit_code == 1
    assert type(result.exception) is ZeroDivisionError
    assert repr(result) == "<Result ZeroDivisionError('no')>"
def test_exit(runner):
    def leave(): raise SystemExit(3)
    assert runner.invoke(Command('leave', leave)).exit_code == 3
def test_prompt(runner):
    def ask(): cli.echo('Hi ' + cli.prompt('Name', default='nobody'))
    assert runner.invoke(Command('ask', ask), input='Eve\\n').output == 'Name: Hi Eve\\n'
    assert runner.invoke(Command('ask', ask)).output == 'Name: Hi nobody\\n'
class TestGroup:
    @pytest.fixture(autouse=True)
    def setup(self, runner):
        self.runner = runner
        self.group = Group('tool')
        @self.group.command(Option('--force', is_flag=True, default=False))
        def remove_all(path, force):
            cli.echo('%s %s' % (path, force))
        self.remove = remove_all
    def test_names(self):
        assert list(self.group.commands) == ['remove-all']
        assert self.remove.name == 'remove-all'
        assert self.group.commands['remove-all'] is self.remove
    def test_invoke(self):
        assert self.runner.invoke(self.group, ['remove-all', '/tmp', '--force']).output == '/tmp True\\n'
    def test_unknown(self):
        result = self.runner.invoke(self.group, ['nope'])
        assert result.exit_code == 2 and "No such command 'nope'." in result.output
def test_direct():
    with pytest.raises(UsageError) as info:
        Command('x', print).parse(['--y'])
    assert info.value.exit_code == 2 and info.value.ctx is None
def test_option_name():
    assert Option('-f', '--force-all').name == 'force_all'
def test_context():
    root = Context(Command('root', None), obj={'a': 1})
    child = Context(None, parent=Context(None, parent=root))
    assert child.find_root() is root
    assert child.find_root().obj == {'a': 1}
    child.meta['x'] = 1
    assert child.meta == {'x': 1} and root.meta == {}
def test_style():
    assert cli.style('x', fg='red') == '\\x1b[31mx\\x1b[0m'
    assert cli.unstyle(cli.style('x', fg='green', bold=True)) == 'x'
def test_echo(capsys):
    cli.echo('a', nl=False)
    cli.echo(5)
    assert capsys.readouterr().out == 'a5\\n'
`,
  },
  {
    id: 'caches',
    artifact: `
import collections, functools, threading, time
class Cache(collections.abc.MutableMapping):
    def __init__(self, maxsize, getsizeof=None):
        self._maxsize, self._getsizeof, self._data, self._currsize = maxsize, getsizeof or (lambda v: 1), collections.OrderedDict(), 0
    maxsize = property(lambda self: self._maxsize)
    currsize = property(lambda self: self._currsize)
    def __getitem__(self, key):
        try: return self._data[key]
        except KeyError: return self.__missing__(key)
    def __missing__(self, key): raise KeyError(key)
    def __setitem__(self, key, value):
        size = self._getsizeof(value)
        if size > self._maxsize: raise ValueError('value too large')
        if key in self._data: self.__delitem__(key)
        while self._currsize + size > self._maxsize: self.popitem()
        self._data[key] = value
        self._currsize += size
    def __delitem__(self, key): self._currsize -= self._getsizeof(self._data.pop(key))
    def __contains__(self, key): return key in self._data
    def __iter__(self): return iter(self._data)
    def __len__(self): return len(self._data)
    def __repr__(self): return '%s(%r, maxsize=%r, currsize=%r)' % (type(self).__name__, dict(self._data), self._maxsize, self._currsize)
class FIFOCache(Cache):
    def popitem(self):
        key = next(iter(self._data))
        return key, self.pop(key)
class LRUCache(FIFOCache):
    def __getitem__(self, key):
        value = super().__getitem__(key)
        self._data.move_to_end(key)
        return value
def keys(*args, **kwargs): return args + tuple(sorted(kwargs.items()))
def cached(cache, key=keys, lock=None):
    def decorate(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            k = key(*args, **kwargs)
            try:
                if lock is None: return cache[k]
                with lock: return cache[k]
            except KeyError: pass
            value = func(*args, **kwargs)
            try:
                if lock is None: cache[k] = value
                else:
                    with lock: cache[k] = value
            except ValueError: pass
            return value
        wrapper.cache, wrapper.cache_key = cache, key
        return wrapper
    return decorate
class once:
    """A method that is calculated once for each object."""
    def __init__(self, func): self.func = func
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, kind=None):
        if obj is None: return self
        obj.__dict__[self.name] = self.func(obj)
        return obj.__dict__[self.name]
class Counter:
    def __init__(self): self.calls = 0
    @once
    def value(self): self.calls += 1; return 42
class BoundedBuffer:
    def __init__(self, size): self._items, self._size, self._changed = collections.deque(), size, threading.Condition()
    def put(self, item, timeout=10):
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._items) < self._size, timeout): raise TimeoutError('full')
            self._items.append(item)
            self._changed.notify_all()
    def get(self, timeout=10):
        with self._changed:
            if not self._changed.wait_for(lambda: self._items, timeout): raise TimeoutError('empty')
            item = self._items.popleft()
            self._changed.notify_all()
            return item
    def __len__(self): return len(self._items)
`,
    breaks: ['self._data.move_to_end(key)', 'pass'],
    tests: `
import threading
import unittest
from unittest import mock
import solution
from solution import BoundedBuffer, Cache, Counter, FIFOCache, LRUCache, cached

class CacheTestMixin:
    Cache = None
    def test_defaults(self):
        cache = self.Cache(maxsize=1)
        self.assertEqual(0, len(cache))
        self.assertEqual(1, cache.maxsize)
        self.assertEqual(0, cache.currsize)
        self.assertTrue(repr(cache).startswith(cache.__class__.__name__))
    def test_insert(self):
        cache = self.Cache(maxsize=2)
        cache.update({1: 1, 2: 2})
        self.assertEqual(2, len(cache))
        self.assertEqual(1, cache[1])
        cache[3] = 3
        self.assertEqual(2, len(cache))
        self.assertEqual(3, cache[3])
        self.assertTrue(1 in cache or 2 in cache)
    def test_delete(self):
        cache = self.Cache(maxsize=3)
        cache.update({1: 1, 2: 2, 3: 3})
        del cache[2]
        self.assertNotIn(2, cache)
        self.assertEqual(sorted(cache), [1, 3])
        with self.assertRaises(KeyError):
            del cache[2]
    def test_pop(self):
        cache = self.Cache(maxsize=2)
        cache.update({1: 1, 2: 2})
        self.assertEqual(2, cache.pop(2))
        self.assertEqual(5, cache.pop(4, 5))
        with self.assertRaises(KeyError):
            cache.pop(2)
    def test_getsizeof(self):
        cache = self.Cache(maxsize=3, getsizeof=lambda x: x)
        cache.update({1: 1, 2: 2})
        self.assertEqual(3, cache.currsize)
        with self.assertRaises(ValueError):
            cache[3] = 4
        cache[4] = 3
        self.assertEqual({4: 3}, dict(cache))
    def test_equal(self):
        cache = self.Cache(maxsize=2)
        cache[1] = 1
        self.assertEqual(cache, {1: 1})
        self.assertNotEqual(cache, {1: 2})

class FIFOCacheTest(unittest.TestCase, CacheTestMixin):
    Cache = FIFOCache
    def test_fifo(self):
        cache = FIFOCache(maxsize=2)
        cache[1] = 1
        cache[2] = 2
        cache[1]
        cache[3] = 3
        self.assertNotIn(1, cache)

class LRUCacheTest(unittest.TestCase, CacheTestMixin):
    Cache = LRUCache
    def test_lru(self):
        cache = LRUCache(maxsize=2)
        cache[1] = 1
        cache[2] = 2
        cache[1]
        cache[3] = 3
        self.assertEqual([1, 3], sorted(cache))
    def test_popitem(self):
        cache = LRUCache(maxsize=2)
        cache['a'] = 1
        self.assertEqual(('a', 1), cache.popitem())

class DecoratorTest(unittest.TestCase):
    def test_dict(self):
        cache = {}
        wrapper = cached(cache)(lambda x: [x])
        self.assertEqual([0], wrapper(0))
        self.assertEqual({(0,): [0]}, cache)
    def test_lru(self):
        func = mock.Mock(side_effect=lambda x: x + 1, __name__='func')
        wrapper = cached(LRUCache(maxsize=2))(func)
        self.assertEqual([1, 2, 1], [wrapper(0), wrapper(1), wrapper(0)])
        self.assertEqual(2, func.call_count)
        self.assertEqual(2, len(wrapper.cache))
    def test_lock(self):
        class CountedLock:
            count = 0
            def __enter__(self): CountedLock.count += 1
            def __exit__(self, *exc): pass
        wrapper = cached({}, lock=CountedLock())(lambda x: x)
        wrapper(1)
        wrapper(1)
        self.assertEqual(3, CountedLock.count)
    def test_key(self):
        self.assertEqual((1, ('a', 2)), solution.keys(1, a=2))
    def test_once(self):
        c = Counter()
        self.assertEqual([42, 42, 1], [c.value, c.value, c.calls])

class BufferTest(unittest.TestCase):
    def test_order(self):
        buffer = BoundedBuffer(3)
        for n in range(3): buffer.put(n)
        self.assertEqual([0, 1, 2], [buffer.get() for _ in range(3)])
    def test_full(self):
        buffer = BoundedBuffer(1)
        buffer.put(1)
        with self.assertRaises(TimeoutError): buffer.put(2, timeout=0)
        self.assertEqual(1, len(buffer))
    def test_waits_for_a_producer(self):
        buffer, got = BoundedBuffer(1), []
        consumer = threading.Thread(target=lambda: got.append(buffer.get()))
        consumer.start()
        buffer.put('x')
        consumer.join(timeout=10)
        self.assertEqual(['x'], got)
    def test_many_threads(self):
        buffer, got = BoundedBuffer(2), []
        def produce():
            for n in range(6): buffer.put(n)
        def consume():
            for _ in range(6): got.append(buffer.get())
        threads = [threading.Thread(target=each) for each in (consume, produce)]
        for each in threads: each.start()
        for each in threads: each.join(10)
        self.assertEqual([0, 1, 2, 3, 4, 5], got)
`,
  },
  {
    id: 'intervals',
    needsReference: true,
    artifact: `
import functools
inf = float('inf')
class Interval:
    def __init__(self, *parts):
        merged = []
        for low, high in sorted(p for p in parts if p[0] < p[1]):
            if merged and low <= merged[-1][1]: merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
            else: merged.append((low, high))
        self._parts = merged
    @property
    def empty(self): return not self._parts
    @property
    def lower(self): return self._parts[0][0] if self._parts else inf
    @property
    def upper(self): return self._parts[-1][1] if self._parts else -inf
    @property
    def enclosure(self): return Interval((self.lower, self.upper))
    def __len__(self): return len(self._parts)
    def __iter__(self): return (Interval(p) for p in self._parts)
    def __getitem__(self, at): return Interval(self._parts[at])
    def __bool__(self): raise ValueError('The truth value of an interval is ambiguous.')
    def __contains__(self, item):
        if isinstance(item, Interval): return (item - self).empty
        return any(low <= item < high for low, high in self._parts)
    def __and__(self, other):
        return Interval(*[(max(a, c), min(b, d)) for a, b in self._parts for c, d in other._parts])
    def __or__(self, other): return Interval(*self._parts, *other._parts)
    def __invert__(self):
        edges = [-inf, *[e for p in self._parts for e in p], inf]
        return Interval(*zip(edges[::2], edges[1::2]))
    def __sub__(self, other): return self & ~other
    def __eq__(self, other): return self._parts == other._parts if isinstance(other, Interval) else NotImplemented
    def __hash__(self): return hash(tuple(self._parts))
    def __lt__(self, other):
        if isinstance(other, Interval): return self.upper <= other.lower
        return self.upper <= other
    def __gt__(self, other):
        if isinstance(other, Interval): return self.lower >= other.upper
        return self.lower > other
    def overlaps(self, other): return not (self & other).empty
    def shift(self, by): return Interval(*[(a + by, b + by) for a, b in self._parts])
    def __repr__(self): return ' | '.join('[%s,%s)' % p for p in self._parts) or '()'
def closedopen(low, high): return Interval((low, high))
def singleton(n): return Interval((n, n + 1))
def parse(text):
    if text == '()': return Interval()
    return functools.reduce(Interval.__or__, [Interval(tuple(float(x) for x in p.strip()[1:-1].split(','))) for p in text.split('|')])
class IntervalDict:
    def __init__(self): self._items = []
    def __setitem__(self, where, value):
        self._items = [(i - where, v) for i, v in self._items if not (i - where).empty] + [(where, value)]
    def __getitem__(self, at):
        for i, v in self._items:
            if at in i: return v
        raise KeyError(at)
    def get(self, at, default=None):
        try: return self[at]
        except KeyError: return default
    def __len__(self): return len(self._items)
    def domain(self): return functools.reduce(Interval.__or__, [i for i, _ in self._items], Interval())
`,
    breaks: ['(max(a, c), min(b, d))', '(max(a, c), max(b, d))'],
    tests: `
import pytest
import solution as P
from solution import Interval, IntervalDict

class TestIntervalCreation:
    def test_bounds(self):
        i = P.closedopen(0, 2)
        assert i.lower == 0 and i.upper == 2
        assert not i.empty
    def test_empty(self):
        assert Interval().empty
        assert P.closedopen(3, 3).empty
        assert Interval().lower == P.inf and Interval().upper == -P.inf
    def test_merge(self):
        assert Interval((0, 2), (1, 3)) == P.closedopen(0, 3)
        assert Interval((0, 1), (2, 3)) == Interval((2, 3), (0, 1))
    def test_repr(self):
        assert repr(Interval((0, 1), (2, 3))) == '[0,1) | [2,3)'
        assert repr(Interval()) == '()'
    def test_bool(self):
        with pytest.raises(ValueError):
            bool(P.closedopen(0, 1))

class TestIntervalComparison:
    def test_equality(self):
        assert P.closedopen(0, 1) == P.closedopen(0, 1)
        assert P.closedopen(0, 1) != P.closedopen(0, 2)
        assert P.singleton(0) == P.closedopen(0, 1)
    def test_with_other_types(self):
        assert P.closedopen(0, 1) != 1
        assert not P.closedopen(0, 1) == 'x'
    def test_inequalities(self):
        assert P.closedopen(0, 1) < P.closedopen(1, 2)
        assert P.closedopen(1, 2) > P.closedopen(0, 1)
        assert not P.closedopen(0, 2) < P.closedopen(1, 3)
    def test_with_values(self):
        i = Interval((0, 1))
        assert i < 4
        assert i > -4
        assert not i > 0.5
    def test_hash(self):
        assert hash(P.closedopen(0, 1)) == hash(P.closedopen(0, 1))
        assert len({P.closedopen(0, 1), P.singleton(0), P.singleton(1)}) == 2

class TestIntervalContainment:
    def test_values(self):
        assert 1 in P.closedopen(0, 2)
        assert 2 not in P.closedopen(0, 2)
        assert 1.5 not in Interval((0, 1), (2, 3))
    def test_intervals(self):
        assert P.closedopen(1, 2) in P.closedopen(0, 3)
        assert Interval() in P.closedopen(0, 3)
        assert P.closedopen(1, 4) not in P.closedopen(0, 3)
    def test_overlaps(self):
        assert P.closedopen(0, 2).overlaps(P.closedopen(1, 3))
        assert not P.closedopen(0, 1).overlaps(P.closedopen(1, 3))

class TestIntervalOperations:
    def test_intersection(self):
        assert P.closedopen(0, 2) & P.closedopen(1, 3) == P.closedopen(1, 2)
        assert (P.closedopen(0, 1) & P.closedopen(2, 3)).empty
    def test_union(self):
        assert P.closedopen(0, 2) | P.closedopen(1, 3) == P.closedopen(0, 3)
        assert len(P.closedopen(0, 1) | P.closedopen(2, 3)) == 2
    def test_complement(self):
        assert ~P.closedopen(0, 1) == Interval((-P.inf, 0), (1, P.inf))
        assert ~~P.closedopen(0, 1) == P.closedopen(0, 1)
    def test_difference(self):
        assert P.closedopen(0, 4) - P.closedopen(1, 2) == Interval((0, 1), (2, 4))
    def test_iteration(self):
        i = P.closedopen(0, 1) | P.closedopen(2, 3)
        assert list(i) == [P.closedopen(0, 1), P.closedopen(2, 3)]
        assert i[0] == P.closedopen(0, 1)
        assert i.enclosure == P.closedopen(0, 3)
    def test_shift(self):
        assert P.singleton(1).shift(2) == P.singleton(3)

@pytest.mark.parametrize('text, want', [('[0,1)', P.closedopen(0, 1)), ('[0,1) | [2,3)', Interval((0, 1), (2, 3))), ('()', Interval())])
def test_parse(text, want):
    assert P.parse(text) == want

def test_dict():
    d = IntervalDict()
    d[P.closedopen(0, 3)] = 'a'
    d[P.closedopen(2, 5)] = 'b'
    assert d[1] == 'a' and d[2] == 'b' and d.get(7) is None
    assert len(d) == 2
    assert d.domain() == P.closedopen(0, 5)
    with pytest.raises(KeyError):
        d[9]
`,
  },
  {
    id: 'validators-and-errors',
    needsReference: true,
    artifact: `
import re
class Invalid(ValueError):
    def __init__(self, message, path=(), value=None):
        super().__init__(message)
        self.message, self.path, self.value = message, list(path), value
    def __str__(self): return self.message + (' @ ' + '.'.join(map(str, self.path)) if self.path else '')
class MultipleInvalid(Invalid):
    def __init__(self, errors): super().__init__(errors[0].message, errors[0].path); self.errors = list(errors)
class _And:
    def __init__(self, *validators): self.validators = validators
    def __call__(self, value):
        for v in self.validators: value = v(value)
        return value
    def __repr__(self): return '<all_of %d validators>' % len(self.validators)
def all_of(*validators): return _And(*validators)
def any_of(*validators):
    def validate(value):
        errors = []
        for v in validators:
            try: return v(value)
            except Invalid as e: errors.append(e)
        raise errors[-1]
    return validate
def instance_of(kind):
    def validate(value):
        if not isinstance(value, kind): raise Invalid('expected %s' % kind.__name__, value=value)
        return value
    return validate
def in_range(low=None, high=None):
    def validate(value):
        if low is not None and value < low: raise Invalid('value must be at least %r' % low, value=value)
        if high is not None and value > high: raise Invalid('value must be at most %r' % high, value=value)
        return value
    return validate
def matches(pattern):
    found = re.compile(pattern)
    def validate(value):
        if not found.fullmatch(value): raise Invalid('does not match %s' % pattern)
        return value
    return validate
def coerce(kind):
    def validate(value):
        try: return kind(value)
        except (TypeError, ValueError) as e: raise Invalid('expected %s' % kind.__name__) from e
    return validate
class Required:
    def __init__(self, name, default=None): self.name, self.default = name, default
    def __eq__(self, other): return type(other) is type(self) and self.name == other.name
    def __hash__(self): return hash(self.name)
    def __lt__(self, other): return self.name < other.name
    def __repr__(self): return '%s(%r)' % (type(self).__name__, self.name)
class Optional(Required): pass
class Schema:
    def __init__(self, fields, extra=False): self.fields, self.extra = fields, extra
    def __call__(self, data):
        errors, made = [], {}
        for key, validator in self.fields.items():
            if key.name in data:
                try: made[key.name] = validator(data[key.name])
                except Invalid as e: errors.append(Invalid(e.message, [key.name, *e.path], e.value))
            elif type(key) is Required: errors.append(Invalid('required key not provided', [key.name]))
            elif key.default is not None: made[key.name] = key.default
        for name in data.keys() - {k.name for k in self.fields}:
            if self.extra: made[name] = data[name]
            else: errors.append(Invalid('extra keys not allowed', [name]))
        if errors: raise MultipleInvalid(errors) if len(errors) > 1 else errors[0]
        return made
    def extend(self, fields): return Schema({**self.fields, **fields}, self.extra)
    def __eq__(self, other): return isinstance(other, Schema) and self.fields == other.fields
    def __str__(self): return str(sorted(self.fields))
`,
    breaks: ['if low is not None and value < low', 'if low is not None and value <= low'],
    tests: `
import pytest
from solution import (Invalid, MultipleInvalid, Optional, Required, Schema, all_of, any_of, coerce, in_range, instance_of, matches)

@pytest.fixture
def user():
    return Schema({Required('name'): instance_of(str), Optional('age', default=18): all_of(coerce(int), in_range(0, 150))})

class TestInstanceOf:
    def test_success(self):
        """
        Nothing happens if types match.
        """
        assert instance_of(int)(42) == 42
    def test_fail(self):
        """
        Raises Invalid on wrong types.
        """
        with pytest.raises(Invalid) as e:
            instance_of(int)('42')
        assert ('expected int',) == e.value.args
        assert e.value.value == '42'

class TestRange:
    @pytest.mark.parametrize('value', [3, 4, 5])
    def test_inside(self, value): assert in_range(3, 5)(value) == value
    @pytest.mark.parametrize('value', [2, 6])
    def test_outside(self, value):
        with pytest.raises(Invalid, match='value must be at'): in_range(3, 5)(value)

class TestCombined:
    def test_all(self):
        v = all_of(instance_of(int), in_range(low=0))
        assert v(3) == 3
        with pytest.raises(Invalid, match='at least 0'): v(-1)
    def test_repr(self): assert repr(all_of(instance_of(int))) == '<all_of 1 validators>'
    def test_any(self):
        v = any_of(coerce(int), matches('[a-z]+'))
        assert v('12') == 12 and v('abc') == 'abc'
        with pytest.raises(Invalid, match='does not match'): v('A!')
    def test_own_validator(self):
        def even(v):
            if v % 2: raise ValueError('odd')
            return v
        assert all_of(even)(2) == 2
        with pytest.raises(ValueError, match='odd'): all_of(even)(3)
    def test_cause(self):
        with pytest.raises(Invalid) as info: coerce(int)('x')
        assert isinstance(info.value.__cause__, ValueError)

class TestSchema:
    def test_valid(self, user): assert user({'name': 'Eve', 'age': '30'}) == {'name': 'Eve', 'age': 30}
    def test_default(self, user): assert user({'name': 'Eve'}) == {'name': 'Eve', 'age': 18}
    def test_path(self, user):
        with pytest.raises(Invalid) as info: user({'name': 5})
        assert info.value.path == ['name']
        assert str(info.value) == 'expected str @ name'
    def test_many(self, user):
        with pytest.raises(MultipleInvalid) as info: user({'age': -1})
        assert len(info.value.errors) == 2
        assert [str(e) for e in info.value.errors] == ['required key not provided @ name', 'value must be at least 0 @ age']
        assert {e.message for e in info.value.errors} == {'required key not provided', 'value must be at least 0'}
    def test_extra(self, user):
        with pytest.raises(Invalid, match='extra keys'): user({'name': 'x', 'z': 1})
        assert Schema({}, extra=True)({'z': 1}) == {'z': 1}
    def test_nested(self):
        s = Schema({Required('inner'): Schema({Required('n'): instance_of(int)})})
        with pytest.raises(Invalid) as info: s({'inner': {'n': 'x'}})
        assert info.value.path == ['inner', 'n']
    def test_extend(self, user):
        more = user.extend({Required('email'): matches(r'.+@.+')})
        assert more({'name': 'a', 'email': 'a@b'})['email'] == 'a@b'
        assert more != user

class TestMarkers:
    def test_equal(self):
        assert Required('a') == Required('a')
        assert Required('a') != Required('b')
        assert Required('a') != Optional('a')
        assert Required('a') != 'a'
    def test_sorted(self): assert sorted([Required('b'), Optional('a')]) == [Optional('a'), Required('b')]
    def test_lookup(self):
        fields = {Required('a'): 1}
        assert fields[Required('a')] == 1
        assert Required('b') not in fields
    def test_repr(self): assert repr(Optional('x')) == "Optional('x')"
`,
  },
];
