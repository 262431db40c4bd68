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
