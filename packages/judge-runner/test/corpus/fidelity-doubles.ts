import type { FidelityCase } from './fidelity-case.ts';

/** Mocks, decorators, injected objects, captured output and command lines: correct programs with ordinary tests. */
export const fidelityDoubles: readonly FidelityCase[] = [
  {
    id: 'mocks',
    artifact: `
import smtplib, logging
log = logging.getLogger("app")
class Mailer:
    def __init__(self, transport, retries=2): self.transport, self.retries = transport, retries
    def send(self, to, body):
        for attempt in range(self.retries + 1):
            try: return self.transport.deliver(to, body=body)
            except ConnectionError as e:
                log.warning("attempt %d failed: %s", attempt + 1, e)
        raise RuntimeError("gave up")
def notify(users, send):
    return {u: send(u, subject="hi") for u in users}
def process(repo, ids):
    with repo.transaction() as t:
        for i in ids: t.delete(i)
    return repo.count
def each(items, callback, *, on_error=None):
    for i in items:
        try: callback(i)
        except ValueError as e:
            if on_error: on_error(i, e)
async def afetch(client, url):
    r = await client.get(url)
    return await r.json()
def external(): return smtplib.SMTP("h").noop()
def outer(x): return inner(x) + 1
def inner(x): return x * 10
`,
    tests: `
from unittest import mock
from unittest.mock import Mock, MagicMock, AsyncMock, call, patch, ANY, sentinel, create_autospec
import asyncio, pytest
import solution
from solution import Mailer, notify, process, each, afetch
def test_send():
    t = Mock(); t.deliver.return_value = "ok"
    assert Mailer(t).send("a@b", "hi") == "ok"
    t.deliver.assert_called_once_with("a@b", body="hi")
def test_retry(caplog):
    t = Mock(); t.deliver.side_effect = [ConnectionError("x"), "ok"]
    with caplog.at_level("WARNING"): assert Mailer(t).send("a", "b") == "ok"
    assert t.deliver.call_count == 2 and "attempt 1 failed: x" in caplog.text
    assert caplog.records[0].levelname == "WARNING" and caplog.records[0].name == "app"
def test_gave_up():
    t = MagicMock(); t.deliver.side_effect = ConnectionError
    with pytest.raises(RuntimeError, match="gave up"): Mailer(t, retries=1).send("a", "b")
    assert t.deliver.mock_calls == [call("a", body="b")] * 2
def test_notify():
    send = Mock(side_effect=lambda u, subject: len(u))
    assert notify(["a", "bb"], send) == {"a": 1, "bb": 2}
    send.assert_has_calls([call("a", subject="hi"), call("bb", subject="hi")])
    send.assert_any_call("a", subject=ANY)
def test_magic_context():
    repo = MagicMock(); repo.count = 5
    assert process(repo, [1, 2]) == 5
    t = repo.transaction.return_value.__enter__.return_value
    assert t.delete.call_args_list == [call(1), call(2)]
def test_each():
    cb = Mock(side_effect=[None, ValueError("bad"), None]); err = Mock()
    each([1, 2, 3], cb, on_error=err)
    assert cb.call_count == 3
    err.assert_called_once()
    i, e = err.call_args[0]
    assert i == 2 and isinstance(e, ValueError) and str(e) == "bad"
def test_async_mock():
    c = AsyncMock(); c.get.return_value.json.return_value = {"a": 1}
    assert asyncio.run(afetch(c, "u")) == {"a": 1}
    c.get.assert_awaited_once_with("u")
def test_patch():
    with patch("solution.inner") as m:
        m.return_value = 5
        assert solution.outer(3) == 6
        m.assert_called_once_with(3)
    assert solution.outer(3) == 31
@patch("solution.inner", return_value=1)
def test_patch_deco(m): assert solution.outer(9) == 2 and m.called
@patch.object(solution, "inner", new=lambda x: -x)
def test_patch_object(): assert solution.outer(3) == -2
def test_patch_smtp():
    with mock.patch("smtplib.SMTP") as smtp:
        smtp.return_value.noop.return_value = (250, b"ok")
        assert solution.external() == (250, b"ok")
        smtp.assert_called_once_with("h")
def test_sentinel():
    send = Mock(return_value=sentinel.done)
    assert notify(["x"], send) == {"x": sentinel.done}
def test_spec():
    class Transport:
        def deliver(self, to, body): ...
    t = create_autospec(Transport, instance=True); t.deliver.return_value = 1
    assert Mailer(t).send("a", "b") == 1
def test_wraps():
    m = Mock(wraps=lambda u, subject: u.upper())
    assert notify(["q"], m) == {"q": "Q"}
`,
  },
  {
    id: 'decorators-and-registries',
    artifact: `
import functools, time
def memo(f):
    @functools.wraps(f)
    def w(*a):
        if a not in w.cache: w.cache[a] = f(*a); w.misses += 1
        return w.cache[a]
    w.cache, w.misses = {}, 0
    return w
def repeat(n):
    def d(f):
        @functools.wraps(f)
        def w(*a, **k): return [f(*a, **k) for _ in range(n)]
        return w
    return d
def typed(**types):
    def d(f):
        def w(**k):
            for name, t in types.items():
                if not isinstance(k.get(name), t): raise TypeError(f"{name} must be {t.__name__}")
            return f(**k)
        return w
    return d
class Registry(dict):
    def register(self, name):
        def d(f): self[name] = f; return f
        return d
registry = Registry()
@registry.register("up")
def upper(s): return s.upper()
@memo
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
@functools.lru_cache(maxsize=None)
def slow(n): return n * n
def compose(*fs): return functools.reduce(lambda f, g: lambda x: f(g(x)), fs)
def pipe(x, *fs):
    for f in fs: x = f(x)
    return x
def curry(f, n):
    return f() if n == 0 else lambda x: curry(functools.partial(f, x), n - 1)
class Validated:
    def __set_name__(self, o, n): self.n = "_" + n
    def __get__(self, o, t=None): return self if o is None else getattr(o, self.n)
    def __set__(self, o, v):
        if v < 0: raise ValueError("neg")
        setattr(o, self.n, v)
class P: 
    x = Validated()
    def __init__(self, x): self.x = x
`,
    tests: `
import pytest
from solution import memo, repeat, typed, registry, fib, slow, compose, pipe, curry, P, Registry
def test_memo():
    calls = []
    @memo
    def f(x): calls.append(x); return x * 2
    assert f(2) == 4 and f(2) == 4 and calls == [2] and f.misses == 1
def test_wraps():
    @memo
    def named(x): "its doc"; return x
    assert named.__name__ == "named" and named.__doc__ == "its doc"
def test_repeat():
    @repeat(3)
    def f(x, y=1): return x + y
    assert f(1, y=2) == [3, 3, 3]
def test_typed():
    @typed(a=int)
    def f(a): return a
    assert f(a=1) == 1
    with pytest.raises(TypeError, match="a must be int"): f(a="x")
def test_registry(): assert registry["up"]("a") == "A" and "up" in registry and len(registry) == 1
def test_own_registry():
    r = Registry()
    @r.register("x")
    def f(): return 1
    assert r["x"]() == 1 and f() == 1 and list(r) == ["x"]

def test_fib(): assert fib(30) == 832040 and fib.cache[(2,)] == 1
def test_lru(): slow.cache_clear(); slow(2); slow(2); assert slow.cache_info().hits == 1
def test_compose(): assert compose(lambda x: x + 1, lambda x: x * 2)(5) == 11
def test_pipe(): assert pipe(3, str, list, len) == 1 and pipe("a", str.upper) == "A"
def test_curry(): assert curry(lambda a, b, c: a + b + c, 3)(1)(2)(3) == 6
def test_descriptor():
    p = P(3); p.x = 5; assert p.x == 5
    with pytest.raises(ValueError): p.x = -1
`,
  },
  {
    id: 'what-tests-inject',
    artifact: `
import io, sys, json, csv, logging
def load(fp): return json.load(fp)
def dump(obj, fp): json.dump(obj, fp, indent=1); fp.write("\\n")
def lines(fp): return [l.rstrip("\\n") for l in fp]
def copy(src, dst, size=4):
    n = 0
    while b := src.read(size): dst.write(b); n += len(b)
    return n
def report(rows, write=print):
    for r in rows: write("%s=%s" % r)
class Repo:
    def __init__(self, conn): self.conn = conn
    def all(self): return [dict(zip(("id", "name"), r)) for r in self.conn.execute("select id, name from u order by id")]
def clock_text(clock): return clock.now().isoformat()
def sort_by(xs, key=None, reverse=False): return sorted(xs, key=key, reverse=reverse)
def apply(f, *a, **k): return f(*a, **k)
def reduce(f, xs, init): 
    for x in xs: init = f(init, x)
    return init
def visit(node, visitor): return getattr(visitor, "visit_" + type(node).__name__.lower())(node)
def total(cart): return sum(i.price * i.qty for i in cart)
def dig(obj, *names):
    for n in names: obj = obj[n] if isinstance(n, int) or isinstance(obj, dict) else getattr(obj, n)
    return obj
def make_iter(x): return iter(x)
def group_by(xs, attr): 
    out = {}
    for x in xs: out.setdefault(getattr(x, attr), []).append(x)
    return out
def same(x): return x
def swap(t): a, b = t; return b, a
`,
    tests: `
import io, datetime, json, dataclasses, types, collections, pytest
import solution as s
def test_load(): assert s.load(io.StringIO('{"a": [1]}')) == {"a": [1]}
def test_dump(): f = io.StringIO(); s.dump({"a": 1}, f); assert f.getvalue() == '{\\n "a": 1\\n}\\n'
def test_lines(): assert s.lines(io.StringIO("a\\nb\\n")) == ["a", "b"]
def test_bytes(): d = io.BytesIO(); assert s.copy(io.BytesIO(b"hello world"), d) == 11 and d.getvalue() == b"hello world"
def test_write(): out = []; s.report([("a", 1)], write=out.append); assert out == ["a=1"]
def test_clock():
    class Clock:
        def now(self): return datetime.datetime(2020, 1, 1)
    assert s.clock_text(Clock()) == "2020-01-01T00:00:00"
def test_sort(): assert s.sort_by(["bb", "a"], key=len) == ["a", "bb"] and s.sort_by([1, 2], reverse=True) == [2, 1] and s.sort_by(["B", "a"], key=str.lower) == ["a", "B"]
def test_apply(): assert s.apply(lambda a, b=1: a + b, 1, b=5) == 6 and s.apply(max, 1, 3) == 3 and s.apply(dict, a=1) == {"a": 1}
def test_reduce(): assert s.reduce(lambda a, x: a + [x], [1, 2], []) == [1, 2]
def test_visit():
    class Num: pass
    class V:
        def visit_num(self, n): return "num"
    assert s.visit(Num(), V()) in ("num",) 
def test_total():
    @dataclasses.dataclass
    class Item: price: float; qty: int = 1
    assert s.total([Item(2, 3), Item(1.5)]) == 7.5
def test_dig():
    ns = types.SimpleNamespace(a={"b": [1, types.SimpleNamespace(c=5)]})
    assert s.dig(ns, "a", "b", 1, "c") == 5
def test_iter(): assert list(s.make_iter({"a": 1})) == ["a"]
def test_group():
    P = collections.namedtuple("P", "k v")
    assert s.group_by([P(1, 2), P(1, 3)], "k") == {1: [P(1, 2), P(1, 3)]}
def test_same(): o = object(); l = [1]; assert s.same(o) is o and s.same(l) is l and s.same(None) is None
def test_same_class():
    class A: pass
    a = A(); assert s.same(a) is a and s.same(A) is A
def test_swap(): assert s.swap((1, "a")) == ("a", 1) and s.swap([1, 2]) == (2, 1)
def test_sqlite():
    import sqlite3
    class Conn:
        def execute(self, q): return iter([(1, "a"), (2, "b")])
    assert s.Repo(Conn()).all() == [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]
`,
  },
  {
    id: 'output-logs-and-warnings',
    artifact: `
import logging, sys, warnings
logger = logging.getLogger(__name__)
def table(rows, file=None):
    for r in rows: print(*r, sep=" | ", file=file or sys.stdout)
def hello(name): print("Hello,", name, end="!"); print("warn", file=sys.stderr)
def old(): warnings.warn("old() is deprecated", DeprecationWarning, stacklevel=2); return 1
def work(n):
    logger.debug("start %s", n)
    if n < 0:
        logger.error("negative", extra={"n": n}); return None
    logger.info("done", )
    return n
def fail():
    try: 1 / 0
    except ZeroDivisionError: logger.exception("oops")
def raw(): sys.stdout.write("raw"); sys.stdout.flush(); return sys.stdout.isatty()
def progress(n):
    for i in range(n): print(i, end="\\r" if i < n - 1 else "\\n"); yield i
`,
    tests: `
import io, logging, sys, warnings, pytest, contextlib
import solution
from solution import table, hello, old, work, fail, raw, progress
def test_out(capsys):
    hello("x"); out, err = capsys.readouterr()
    assert out == "Hello, x!" and err == "warn\\n"
def test_twice(capsys):
    hello("a"); capsys.readouterr(); hello("b")
    assert capsys.readouterr().out.startswith("Hello, b")
def test_table(capsys): table([(1, 2), ("a", None)]); assert capsys.readouterr().out.splitlines() == ["1 | 2", "a | None"]
def test_file():
    f = io.StringIO(); table([(1, 2)], file=f); assert f.getvalue() == "1 | 2\\n"
def test_redirect():
    f = io.StringIO()
    with contextlib.redirect_stdout(f): hello("q")
    assert f.getvalue() == "Hello, q!"
def test_disabled(capsys):
    with capsys.disabled(): pass
    hello("z"); assert "z" in capsys.readouterr().out
def test_warns():
    with pytest.warns(DeprecationWarning, match="deprecated"): assert old() == 1
def test_deprecated():
    with pytest.deprecated_call(): old()
def test_record():
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always"); old()
    assert len(w) == 1 and issubclass(w[0].category, DeprecationWarning) and "old()" in str(w[0].message)
def test_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning): old()
@pytest.mark.filterwarnings("ignore")
def test_ignored(): assert old() == 1
def test_log(caplog):
    caplog.set_level(logging.DEBUG)
    assert work(1) == 1
    assert [r.getMessage() for r in caplog.records] == ["start 1", "done"]
    assert caplog.record_tuples[0] == ("solution", logging.DEBUG, "start 1")
def test_level(caplog):
    with caplog.at_level(logging.ERROR, logger="solution"): work(-1)
    assert caplog.messages == ["negative"]
def test_exception(caplog):
    fail(); assert "ZeroDivisionError" in caplog.text and caplog.records[-1].levelno == logging.ERROR
def test_clear(caplog):
    work(-1); caplog.clear(); assert caplog.records == []
def test_raw(capfd_or=None): assert True
def test_progress(capsys):
    assert list(progress(2)) == [0, 1]; assert capsys.readouterr().out == "0\\r1\\n"
def test_assert_logs():
    import unittest
    class T(unittest.TestCase):
        def runTest(self):
            with self.assertLogs("solution", "ERROR") as cm: work(-1)
            self.assertEqual(cm.output, ["ERROR:solution:negative"])
    r = unittest.TestResult(); T().run(r); assert r.wasSuccessful(), r.failures + r.errors
`,
  },
  {
    id: 'command-line-with-subcommands',
    artifact: `
import argparse, sys, json
def build_parser():
    p = argparse.ArgumentParser(prog="tool", description="A tool")
    p.add_argument("--verbose", "-v", action="count", default=0)
    p.add_argument("--version", action="version", version="tool 1.2")
    sub = p.add_subparsers(dest="cmd", required=True)
    a = sub.add_parser("add"); a.add_argument("nums", nargs="+", type=int)
    j = sub.add_parser("json"); j.add_argument("--key", required=True); j.add_argument("file", type=argparse.FileType("r"))
    return p
def main(argv=None, out=sys.stdout):
    ns = build_parser().parse_args(argv)
    if ns.cmd == "add":
        print(sum(ns.nums), file=out)
        if ns.verbose: print("verbose", ns.verbose, file=sys.stderr)
        return 0
    data = json.load(ns.file)
    if ns.key not in data: print("no such key:", ns.key, file=sys.stderr); return 2
    print(data[ns.key]); return 0
`,
    tests: `
import json, subprocess, sys, pytest
from solution import build_parser, main
def test_add(capsys): assert main(["add", "1", "2"]) == 0; assert capsys.readouterr().out in ("3\\n", "")
def test_verbose(capsys): main(["-vv", "add", "1"]); assert capsys.readouterr().err == "verbose 2\\n"
def test_version(capsys):
    with pytest.raises(SystemExit) as e: main(["--version"])
    assert e.value.code == 0 and capsys.readouterr().out == "tool 1.2\\n"
def test_bad(capsys):
    with pytest.raises(SystemExit) as e: main(["add", "x"])
    assert e.value.code == 2
    err = capsys.readouterr().err
    assert "usage: tool" in err and "invalid int value: 'x'" in err
def test_none(capsys):
    with pytest.raises(SystemExit): main([])
def test_json(tmp_path, capsys):
    f = tmp_path / "a.json"; f.write_text(json.dumps({"k": [1]}))
    assert main(["json", "--key", "k", str(f)]) == 0
    assert capsys.readouterr().out == "[1]\\n"
    assert main(["json", "--key", "z", str(f)]) == 2
def test_parser(): ns = build_parser().parse_args(["add", "4"]); assert ns.nums == [4] and ns.cmd == "add" and ns.verbose == 0
def test_vars(): assert vars(build_parser().parse_args(["-v", "add", "4"])) == {"nums": [4], "cmd": "add", "verbose": 1}
`,
  },
  {
    id: 'texts-and-patterns',
    artifact: `
import re, textwrap, unicodedata, string
def slug(s): return re.sub(r"[^a-z0-9]+", "-", unicodedata.normalize("NFKD", s).encode("ascii", "ignore").decode().lower()).strip("-")
def wrap(s, n): return textwrap.fill(textwrap.dedent(s).strip(), n)
def template(s, **k): return string.Template(s).safe_substitute(k)
EMAIL = re.compile(r"(?P<user>[\\w.]+)@(?P<host>[\\w.]+)")
def emails(s): return EMAIL.findall(s)
def first(s): return EMAIL.search(s)
def tokens(s): return [(m.lastgroup, m.group()) for m in re.finditer(r"(?P<num>\\d+)|(?P<op>[-+*/])|(?P<ws>\\s+)", s)]
def caesar(s, k): return "".join(chr((ord(c) - 97 + k) % 26 + 97) if c.islower() else c for c in s)
def rev(s): return s[::-1]
def is_pal(s): t = [c for c in s.lower() if c.isalnum()]; return t == t[::-1]
def encode(s): return s.encode("utf-16-le")
def chars(s): return {c: s.count(c) for c in s}
def pattern(): return EMAIL
def bytes_of(n): return bytearray(range(n))
def surrogate(): return "\\ud800"
`,
    tests: `
import re, pytest
from solution import *
def test_slug(): assert slug("Héllo, Wörld!") == "hello-world"
def test_wrap(): assert wrap("""
    a b c
    d""", 3) == "a b\\nc d" or True
def test_template(): assert template("hi $name $x", name="a") == "hi a $x"
def test_emails(): assert emails("a@b.c, d.e@f") == [("a", "b.c"), ("d.e", "f")]
def test_first():
    m = first("x a@b.c")
    assert m and m.group("user") == "a" and m["host"] == "b.c" and m.groupdict() == {"user": "a", "host": "b.c"} and m.span() == (2, 7)
def test_none(): assert first("none") is None
def test_tokens(): assert tokens("1 +2") == [("num", "1"), ("ws", " "), ("op", "+"), ("num", "2")]
def test_caesar(): assert caesar("abz", 1) == "bca" and caesar(caesar("hello", 5), -5) == "hello"
@pytest.mark.parametrize("s", ["", "a", "ab", "éß", "\\u1F600", "a\\nb", "\\0", "日本"])
def test_rev(s): assert rev(rev(s)) == s and len(rev(s)) == len(s)
def test_pal(): assert is_pal("A man, a plan, a canal: Panama") is True and is_pal("ab") is False
def test_encode(): assert encode("hi") == b"h\\0i\\0"
def test_chars(): assert chars("aab") == {"a": 2, "b": 1}
def test_pattern(): assert pattern().pattern.startswith("(?P<user>") and pattern().match("a@b").group(0) == "a@b" and pattern().groups == 2
def test_bytes(): assert bytes_of(3) == bytearray(b"\\0\\1\\2") and bytes(bytes_of(2)) == b"\\0\\1"
def test_surrogate(): assert surrogate() == "\\ud800"
def test_methods(): assert slug("A B").split("-") == ["a", "b"] and slug("A").upper() == "A" and slug("abc")[1:] == "bc" and "b" in slug("b")
`,
  },
];
