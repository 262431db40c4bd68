/* Constructs of pytest that do not always work in two boxes, as `docs/split-pytest.md` lists them. */

import type { DocumentedCase } from './documented-case.ts';

export const limitsOfPytest: readonly DocumentedCase[] = [
  {
    construct: 'a method that texts have as well, of what a function answers',
    program: `class _S:
  def __init__(self, t): self.t = t
  def title(self): return self.t.title()
def parse(t): return _S(t)
`,
    tests: `from solution import parse
def test_a():
  assert parse("ab").title() == "Ab"
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a method of what a function answers',
    program: `class _S:
  def __init__(self, t): self.t = t
  def render(self): return self.t.title()
def parse(t): return _S(t)
`,
    tests: `from solution import parse
def test_a():
  assert parse("ab").render() == "Ab"
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'passes',
  },
  {
    construct: 'a method by a computed name of what a method answers',
    program: `class _Account:
  def __init__(self): self.sum = 0
  def deposit(self, n): self.sum += n
class Bank:
  def __init__(self): self.of = {'a': _Account()}
  def __getitem__(self, k): return self.of[k]
`,
    tests: `from solution import Bank
def test_a():
  account = Bank()["a"]
  getattr(account, "deposit")(5)
  assert account.sum == 5
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a method of what a named function answers',
    program: `class _S:
  def __init__(self, t): self.t = t
  def render(self): return self.t.title()
def parse(t): return _S(t)
`,
    tests: `from solution import parse
def test_a():
  assert parse("ab").render() == "Ab"
`,
    fields: { objects: ['parse'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'a method that texts have as well, of an object of a named class',
    program: `class Title:
  def __init__(self, t): self.t = t
  def title(self): return self.t.title()
def parse(t): return Title(t)
`,
    tests: `from solution import parse
def test_a():
  assert parse("ab").title() == "Ab"
`,
    fields: { objects: ['Title'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'an == that says more than what objects hold',
    program: `class Name:
  def __init__(self, text): self.text = text
  def __eq__(self, o): return isinstance(o, Name) and self.text.lower() == o.text.lower()
  def __hash__(self): return hash(self.text.lower())
`,
    tests: `from solution import Name
def test_eq(): assert Name("A") == Name("a")
`,
    without: 'fails',
    with: 'passes',
  },
  {
    construct: 'an == of a named class',
    program: `class Name:
  def __init__(self, text): self.text = text
  def __eq__(self, o): return isinstance(o, Name) and self.text.lower() == o.text.lower()
  def __hash__(self): return hash(self.text.lower())
`,
    tests: `from solution import Name
def test_eq(): assert Name("A") == Name("a")
`,
    fields: { objects: ['Name'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'an order that says something else',
    program: `class T:
  def __init__(s, p): s.p = p
  def __lt__(s, o): return s.p > o.p
class Q:
  def __init__(s): s.h = []
  def put(s, t): s.h.append(t)
  def pop(s): s.h.sort(); return s.h.pop(0)
`,
    tests: `from solution import T, Q
def test_a(): assert not T(1) < T(2) and T(2) < T(1)
def test_b():
  q = Q(); q.put(T(1)); q.put(T(5)); assert q.pop().p == 5
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'an expected object of a class that checks, made before the answer',
    program: `from dataclasses import dataclass
@dataclass
class M:
  a: int
  def __post_init__(s):
    if s.a < 0: raise ValueError("neg")
def add(x, y): return M(x.a + y.a)
`,
    tests: `from solution import M, add
def test_before():
  want = M(3)
  assert add(M(1), M(2)) == want
def test_after(): assert add(M(1), M(2)) == M(3)
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a comparison that makes a condition',
    program: `class Q:
  def __init__(self, f, k=None): self.f = f
  def __eq__(self, o): return Q(lambda r: r[self.f] == o)
  def __call__(self, r): return self.f(r)
  def __and__(self, o): return Q(lambda r: self(r) and o(r))
  __hash__ = None
def where(n): return Q(n)
def search(rs, q): return [r for r in rs if q(r)]
`,
    tests: `from solution import where, search
def test_a(): assert search([{"age": 3}, {"age": 4}], where("age") == 3) == [{"age": 3}]
`,
    without: 'fails',
    with: 'passes',
  },
  {
    construct: 'an == of an exception',
    program: `class E(Exception):
  def __init__(self, n): super().__init__(n); self.n = n
  def __eq__(self, o): return isinstance(o, E) and self.n == o.n
  __hash__ = None
def f(): return E(1)
`,
    tests: `from solution import E, f
def test_a(): assert f() == E(1)
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a decorator of the program on a test',
    program: `def retry(f): return f
`,
    tests: `from solution import retry
@retry
def test_a(): assert 1 == 1
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'a class of tests of the program',
    program: `import unittest
class Base(unittest.TestCase): pass
def f(): return 1
`,
    tests: `from solution import Base, f
class TestX(Base):
  def test_a(self): assert f() == 1
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a descriptor that is given no function',
    program: `class Const:
  def __init__(self, v): self.v = v
  def __get__(self, o, t=None): return self.v
`,
    tests: `from solution import Const
class A: x = Const(5)
def test_a(): assert A().x == 5
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'a descriptor that replaces itself',
    program: `class once:
  def __init__(self, v): self.v = v
  def __set_name__(self, o, n): self.n = n
  def __get__(self, o, t=None): setattr(t, self.n, self.v); return self.v
  def __set__(self, o, v): raise AttributeError
`,
    tests: `from solution import once
class A: x = once(4)
def test_a(): assert A().x == 4
`,
    without: 'refused',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'an async test',
    program: `async def f(): return 1
`,
    tests: `from solution import f
async def test_a(): assert await f() == 1
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a fixture of a plugin',
    program: `def f(): return 1
`,
    tests: `from solution import f
def test_a(mocker): assert f() == 1
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a package',
    program: `def f(): return 1
`,
    tests: `import numpy as np
from solution import f
def test_a(): assert np.array([f()]).sum() == 1
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'tests that are skipped or expected to fail',
    program: `def f(): return 1
`,
    tests: `import pytest
from solution import f
@pytest.mark.skip(reason="later")
def test_a(): assert f() == 1
@pytest.mark.xfail
def test_b(): assert f() == 2
@pytest.mark.xfail
def test_c(): assert f() == 1
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a file of the suite that the program reads',
    program: `def load(p): return open(p).read()
`,
    tests: `from pathlib import Path
from solution import load
DATA = Path(__file__).parent / "data"
def test_a(): assert load(DATA / "a.txt") == "hello"
`,
    files: { 'data/a.txt': 'hello' },
    without: 'fails',
    with: 'passes',
  },
  {
    construct: 'a shared file of the suite that the program reads',
    program: `def load(p): return open(p).read()
`,
    tests: `from pathlib import Path
from solution import load
DATA = Path(__file__).parent / "data"
def test_a(): assert load(DATA / "a.txt") == "hello"
`,
    files: { 'data/a.txt': 'hello' },
    fields: { shared: ['data'] },
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'a server of the test',
    program: `import urllib.request
def get(u): return urllib.request.urlopen(u).read()
`,
    tests: `import threading, http.server
from solution import get
def test_a():
  s = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
  threading.Thread(target=s.serve_forever, daemon=True).start()
  assert get(f"http://127.0.0.1:{s.server_port}/")
`,
    without: 'refused',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'the program in a process',
    program: `def main(): print("hi")
if __name__ == "__main__": main()
`,
    tests: `import subprocess, sys, solution
def test_a(): assert subprocess.run([sys.executable, "solution.py"], capture_output=True, text=True).stdout == "hi\\n"
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a connection of sqlite3 as an argument',
    program: `def add(conn, x): conn.execute("insert into t values (?)", (x,))
`,
    tests: `import sqlite3
from solution import add
def test_a():
  c = sqlite3.connect(":memory:"); c.execute("create table t (a)"); add(c, 3); assert c.execute("select a from t").fetchall() == [(3,)]
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a thread that a function answers',
    program: `import threading
def wait(e, out):
  def run(): e.wait(5); out.append(1)
  t = threading.Thread(target=run); t.start(); return t
`,
    tests: `import threading
from solution import wait
def test_a():
  e, out = threading.Event(), []
  t = wait(e, out); e.set(); t.join(5); assert out == [1]
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'objects that threads put into a list of the test',
    program: `import threading
class _Job:
  def __init__(self, n): self.n = n
  def square(self): return self.n ** 2
def load(out):
  def run():
    for n in range(3): out.append(_Job(n))
  threading.Timer(0.05, run).start()
`,
    tests: `import time
from solution import load
def test_a():
  out, end = [], time.monotonic() + 20
  load(out)
  while len(out) < 3 and time.monotonic() < end: time.sleep(0.01)
  assert [job.square() for job in out] == [0, 1, 4]
`,
    without: 'refused',
    with: 'passes',
  },
  {
    construct: 'the number of a thread',
    program: `import threading
class Worker:
  def run(self, job):
    thread = threading.Thread(target=job); thread.start(); self.ident = thread.ident; thread.join()
`,
    tests: `import threading
from solution import Worker
def test_a():
  seen, worker = [], Worker()
  worker.run(lambda: seen.append(threading.get_ident()))
  assert seen == [worker.ident]
`,
    without: 'fails',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'an answer of many levels',
    program: `def f(n): return 0 if n == 0 else 1 + f(n - 1)
def tree(n): return [] if n == 0 else [tree(n - 1)]
`,
    tests: `import pytest
from solution import f, tree
def test_a():
  with pytest.raises(RecursionError): f(10**6)
def test_b(): assert tree(20)
def test_c(): assert tree(200)
`,
    without: 'refused',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'the source of a function',
    program: `def f(): return 1
`,
    tests: `import inspect, solution
def test_a(): assert "return" in inspect.getsource(solution.f)
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'the signature of a function',
    program: `def f(a, b=1): "doc"
`,
    tests: `import inspect, solution
def test_a(): assert list(inspect.signature(solution.f).parameters) == ["a", "b"] and solution.f.__doc__ == "doc" and callable(solution.f)
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_INVALID',
  },
  {
    construct: 'a module that is loaded again',
    program: `X = 1
`,
    tests: `import importlib, solution
def test_a(): importlib.reload(solution); assert solution.X == 1
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'an answer that is run',
    program: `def expr(): return "1 + 2"
`,
    tests: `from solution import expr
def test_a(): assert eval(expr()) == 3
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'an answer that is unpickled',
    program: `import pickle
def dump(x): return pickle.dumps(x)
`,
    tests: `import pickle
from solution import dump
def test_a(): assert pickle.loads(dump(1)) == 1
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'examples in docstrings',
    program: `def f():
  """
  >>> f()
  1
  """
  return 1
`,
    tests: `import doctest, solution
def test_a(): assert doctest.testmod(solution).failed == 0
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'the memory of the process',
    program: `def f(): return 1
`,
    tests: `import tracemalloc
from solution import f
def test_a(): tracemalloc.start(); f(); assert tracemalloc.get_traced_memory()[1] < 10**6
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'no import of the program',
    program: `def f(): return 1
`,
    tests: `def test_a(): assert True
`,
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'a file of the suite in the place of the program',
    program: `def f(): return 1
`,
    tests: `from solution import f
def test_a(): assert f() == 1
`,
    files: { 'solution.py': 'def f(): return 1\n' },
    without: 'SUITE_UNSUPPORTED',
    with: 'SUITE_UNSUPPORTED',
  },
  {
    construct: 'a thread of the program that waits for the test while that only sleeps',
    program: `import threading
def begin(event, out):
  thread = threading.Thread(target=lambda: (event.wait(5), out.append(1)))
  thread.start()
  return thread.is_alive()
`,
    tests: `import threading, time
from solution import begin
def test_a():
  event, out = threading.Event(), []
  assert begin(event, out) is True
  event.set()
  for _ in range(100):
    if out: break
    time.sleep(0.01)
  assert out == [1]
`,
    without: 'passes',
    with: 'passes',
  },
  {
    construct: 'a thread that a named function answers',
    program: `import threading
def begin(out):
  thread = threading.Thread(target=out.append, args=(1,))
  thread.start()
  return thread
`,
    tests: `from solution import begin
def test_a():
  out = []
  begin(out).join(5)
  assert out == [1]
`,
    fields: { objects: ['begin'] },
    without: 'passes',
    with: 'passes',
  },
];
