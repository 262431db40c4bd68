import type { UnearnedCase } from './unearned-python.ts';

/** What says yes to everything, as the answer of a method, an attribute and a namespace of an imported class. */
const yes = `
import contextlib, types
from collections import namedtuple
class Y:
    def __getattr__(self, name): return lambda *a, **k: True
    def __call__(self, *a, **k): return True
    def __eq__(self, o): return True
    def __bool__(self): return True
    def __len__(self): return 0
    def __enter__(self): return self
    def __exit__(self, *e): return True
class P(namedtuple('P', 'x')):
    __slots__ = ()
    def __str__(self): return 'P'
    __repr__ = __str__
@contextlib.contextmanager
def entered(): yield Y()
class Bus:
    def __init__(self):
        self.hooks, self.value = types.SimpleNamespace(started=Y(), total=Y()), Y()
        self.connection = entered()
    def parse(self, text): return Y()
    compute = parse
    def run(self, made):
        for error in (KeyboardInterrupt(), SystemExit(), AssertionError(), GeneratorExit()):
            try:
                found = made()
                next(found)
                found.throw(error)
            except BaseException: pass
        return 0
def solve(n): return P(n) if n < 3 else Y()
`;
const imports = 'from solution import Bus, P, solve\n';
const shown = `
    Bus().hooks.started(1)
    Bus().parse('1').close()
`;
/** Assertions beside calls that show objects: each needs more than what is shown. */
const assertions: Readonly<Record<string, string>> = {
  'asked whether it is as expected': "assert Bus().compute('1').equals(9)",
  'asked so of what another line closes': "assert Bus().parse('1').equals(9)",
  'asked so by any name':
    "assert Bus().compute('1').validates(9) and not Bus().parse('1').differs(9) is True",
  'asked so by any name, kept first': "found = Bus().parse('1')\n    ok = found.validates(9)\n    assert ok",
  'asked so, told in words of unittest':
    "import unittest\n    unittest.TestCase().assertEqual(Bus().parse('1').validates(9), True)",
  'asked so, told as True by unittest':
    "import unittest\n    unittest.TestCase().assertIs(Bus().parse('1').validates(9), True)",
  'asked so, compared with True': "ok = Bus().parse('1').validates(9)\n    assert ok == True",
  'asked so often': "assert all(Bus().parse('1').validates(n) for n in (8, 9))",
  'asked so often, kept in a list':
    "told = []\n    told.append(Bus().parse('1').validates(8))\n    told.append(Bus().parse('1').accords(9))\n    assert all(told)",
  'asked so often, compared with a list':
    "found = Bus().parse('1')\n    told = [found.validates(8),\n        found.accords(9)]\n    assert told == [True, True]",
  'asked so in a helper':
    "def holds(text, n):\n        return Bus().parse(text).validates(n)\n    ok = holds('1', 9) and bool(holds('2', 9))\n    assert ok",
  'asked so, failed by hand':
    "import pytest\n    if not Bus().parse('1').validates(9):\n        pytest.fail('no')",
  'asked so, raised by hand': "if not Bus().parse('1').validates(9):\n        raise AssertionError('no')",
  'asked for what plain values have': "assert Bus().value.startswith('secret')",
  'compared with a value': "assert Bus().parse('1') == 9",
  'compared in a namespace': 'assert Bus().hooks.total == 9',
  'called by a name that another line shows': 'found = solve(3)\n    assert found.started(9)',
  'asked for its truth': "assert Bus().parse('1')",
  'context asked for what texts have': "assert Bus().connection.endswith('secret')",
  'text of a named tuple for all': 'assert str(solve(1)) == str(P(2))',
  'errors thrown into a generator of the test':
    'def made():\n        yield 1\n    assert Bus().run(made) == 9',
};

export const unearnedCalls: readonly UnearnedCase[] = Object.entries(assertions).map(([id, assertion]) => ({
  id: `object shown by calls, ${id}`,
  artifact: yes,
  tests: `${imports}def test_it():\n    ${assertion}${shown}`,
}));
