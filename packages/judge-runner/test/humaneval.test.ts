import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadHumanEvalSuite, loadHumanEvalTask } from '../src/humaneval/index.ts';
import { createJudge, type Judge, type JudgeError, type Suite, type VectorCase } from '../src/index.ts';
import { humanEval } from './fixtures.ts';

/** Needs the solution itself to run, or fresh random numbers: for the mode with a trusted Python. */
const notVectors = new Map([
  ['HumanEval/33', 'sort_third()'],
  ['HumanEval/53', 'random.randint()'],
]);

const tasks = humanEval();
const loadable = tasks.filter((task) => !notVectors.has(task.task_id));

/** Replaces the function by one that has the right one at hand. */
const wrapped = (body: string) => (entry: string) =>
  `
_right, _calls = ${entry}, []
def ${entry}(*args):
    _calls.append(args)
    v = _right(*args)
${body}
`;

/** What goes wrong in each mutant. */
const mutants = {
  /** A little wrong, whatever the type of the answer. */
  'wrong result': wrapped(`    if v is None: return 0
    if isinstance(v, bool): return not v
    if isinstance(v, (int, float)): return v * 2 + 7
    if isinstance(v, str): return v + 'x'
    if isinstance(v, list): return v + [0]
    if isinstance(v, tuple): return v + (0,)
    if isinstance(v, dict): return {**v, 'x': 0}`),
  /** Right the first time, an exception ever after. */
  exception: wrapped(`    if len(_calls) > 1: raise RuntimeError('mutant')
    return v`),
  /** One too many, or the last one missing. */
  'off by one': wrapped(`    if v is None: return 1
    if isinstance(v, bool): return not v
    if isinstance(v, (int, float)): return v + 1
    if isinstance(v, dict): return dict(list(v.items())[:-1])
    return v[:-1]`),
  /** Right the first time, and the same for ever after. */
  stuck: wrapped(`    return _right(*_calls[0])`),
};

let judge: Judge;
beforeAll(() => {
  judge = createJudge();
});
afterAll(async () => {
  await judge?.close();
});

const load = (line: object): string => {
  try {
    loadHumanEvalTask(line);
    return 'loaded';
  } catch (error) {
    return `${(error as JudgeError).code} ${(error as JudgeError).message}`;
  }
};

describe('HumanEval loader', () => {
  it('JDG-14 loads every task that vectors can express, and names the construct in the others', () => {
    expect(loadable).toHaveLength(80);
    for (const task of tasks) {
      const construct = notVectors.get(task.task_id);
      if (construct === undefined) expect(load(task), task.task_id).toBe('loaded');
      else {
        expect(load(task)).toMatch(/^SUITE_UNSUPPORTED /);
        expect(load(task)).toContain(construct);
      }
    }
  });

  const cases = (body: string, before = '') =>
    loadHumanEvalTask({
      task_id: 't',
      entry_point: 'f',
      test: `${before}\ndef check(candidate):\n${body
        .split('\n')
        .map((line) => `    ${line}`)
        .join('\n')}\n`,
    }).cases.map(({ id: _id, layer: _layer, ...rest }) => rest);

  it('JDG-14 reads literals, arithmetic and text exactly as Python does', () => {
    expect(
      cases(`assert candidate(-7 // 2, -7 % 3, 2 ** 64, 0x_ff, 1_000, ~1) == 7 / 2
assert candidate("a\\tb" 'c', r'\\n', b'\\xff', "\\u00e9", 'ab' * 2 + "!") is None
assert candidate((1,), (), {1, 2}, {}, {1: [2.0], 'k': None}, [1] * 3) == -0.0
assert candidate(list(range(3)), [i * i for i in range(5) if i % 2 != 0 and i > 1], sum(x for x in [1, 2]))`),
    ).toEqual([
      { args: [-4, 2, { $int: '0x10000000000000000' }, 255, 1000, -2], expect: { $float: '3.5' } },
      { args: ['a\tbc', '\\n', { $bytes: 'ff' }, 'é', 'abab!'], expect: null, match: 'same' },
      {
        args: [
          { $tuple: [1] },
          { $tuple: [] },
          { $set: [1, 2] },
          { $dict: [] },
          {
            $dict: [
              [1, [{ $float: '2' }]],
              ['k', null],
            ],
          },
          [1, 1, 1],
        ],
        expect: { $float: '-0.0' },
      },
      { args: [[0, 1, 2], [9], 3], expect: true, match: 'truth' },
    ]);
  });

  it('JDG-14 reads truth, identity, tolerance, conversion, loops and conjunctions', () => {
    expect(
      cases(`assert candidate("x"), "message " + str(candidate("x"))
assert not candidate([]) # nothing
assert candidate(1) is True and [1] == candidate(2)
assert abs(candidate(3) - 0.5) <= 1e-6
assert sorted(candidate(4)) == sorted([3, 1])
for x, y in [(1, 2), (3, 4)]:
    z = x + y
    assert candidate(x) == z`),
    ).toEqual([
      { args: ['x'], expect: true, match: 'truth' },
      { args: [[]], expect: false, match: 'truth' },
      { args: [1], expect: true, match: 'same' },
      { args: [2], expect: [1] },
      { args: [3], expect: { $float: '0.5' }, tolerance: 1e-6 },
      { args: [4], as: 'sorted', expect: [1, 3] },
      { args: [1], expect: 3 },
      { args: [3], expect: 7 },
    ]);
    // Python: math.nextafter(1e-6, 0), since the assertion says less and a tolerance says at most.
    expect(cases('assert abs(1 - candidate(3)) < 1e-6')[0]?.tolerance).toBe(9.999999999999997e-7);
  });

  it('JDG-14 refuses what it cannot express exactly, by name', () => {
    const refused = (body: string, before?: string) => {
      try {
        return JSON.stringify(cases(body, before));
      } catch (error) {
        return (error as JudgeError).code === 'SUITE_UNSUPPORTED'
          ? (error as JudgeError).message
          : String(error);
      }
    };
    const examples: [string, string][] = [
      ['assert candidate(1) == f(1)', 'f()'],
      ['assert candidate(1) == candidate(2)', 'two answers'],
      ['assert candidate(1) != 2', "'!='"],
      ['assert candidate(1) in [1, 2]', "'in'"],
      ['assert 1 < candidate(1) < 3', 'chain'],
      ['assert candidate(x=1) == 2', 'keyword'],
      ['assert candidate(*[1]) == 2', 'unpacked'],
      ['assert candidate(f"{1}") == 2', 'f-string'],
      ['assert candidate(2.0 ** 0.5) == 2', "'**'"],
      ['assert candidate(1)[0] == 2', 'index'],
      ['assert math.isclose(candidate(1), 2)', 'does not compare'],
      ['try:\n    candidate(1)\nexcept ValueError:\n    pass', "'try'"],
      ['if True:\n    assert candidate(1) == 1', "'if'"],
      ['xs = [1]\nassert candidate(xs) == 1\nassert candidate(xs) == 1', "'xs' after"],
      ['xs = [1]\nassert candidate(xs) == sorted(xs)', "'xs' after"],
      ['xs = [[1]]\nfor x in xs:\n    assert candidate(x) == 1\nassert candidate(xs) == 1', "'xs' after"],
      ['pass', 'no answer'],
    ];
    for (const [body, construct] of examples) expect(refused(body), body).toContain(construct);
    expect(refused('assert candidate(1) == 1', 'import os\nos.remove("x")\n')).toContain(
      'outside of check()',
    );
  });

  it('JDG-3 the first case is the smoke test, and an edge comment starts the edge layer', () => {
    const suite = loadHumanEvalTask(tasks.find((task) => task.task_id === 'HumanEval/65') ?? {});
    expect(suite.cases.map((test) => test.layer)).toEqual([
      'smoke',
      'correctness',
      'correctness',
      'correctness',
      'edge',
    ]);
  });
});

/** Judges wrong programs for a task, those of vectors in one box: the ids of the tests that each of them fails. */
async function failedBy(suite: Suite, name: string, sources: readonly string[]) {
  if (suite.mode !== 'vectors') {
    const verdicts = await Promise.all(
      sources.map((source) => judge.run({ artifact: { language: 'python', source }, suite })),
    );
    return verdicts.map(({ tests }) => tests.filter(({ status }) => status === 'failed').map(({ id }) => id));
  }
  const files = Object.fromEntries(sources.map((source, index) => [`wrong_${index}.py`, source]));
  const all = sources.map(
    (_, index) => `import wrong_${index}\nf_${index} = getattr(wrong_${index}, '${name}', None)\n`,
  );
  const { tests, summary } = await judge.run({
    artifact: { language: 'python', files: { ...files, 'solution.py': all.join('') } },
    suite: {
      ...suite,
      cases: sources.flatMap((_, index) =>
        suite.cases.map(
          (test): VectorCase => ({
            ...test,
            id: `${index} ${test.id}`,
            fn: `f_${index}`,
            layer: 'correctness',
          }),
        ),
      ),
    },
  });
  expect(
    tests.filter(({ status }) => status === 'not-run'),
    summary,
  ).toEqual([]);
  return sources.map((_, index) =>
    tests.filter(({ id, status }) => id.startsWith(`${index} `) && status === 'failed').map(({ id }) => id),
  );
}

describe('HumanEval tasks', () => {
  let killed = 0;
  const liar = `
class Y:
    def __getattr__(self, name): return lambda *a, **k: True
    def __sub__(self, o): return 0.0
    def __eq__(self, o): return True
    def __bool__(self): return True
    def __hash__(self): return 0
    __rsub__ = __add__ = __radd__ = __mul__ = __rmul__ = __sub__
    def __abs__(self): return 0.0
    def __float__(self): return 0.0
    def __lt__(self, o): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __len__(self): return 0
    def __iter__(self): return iter(())
`;

  describe.concurrent('each', () => {
    for (const task of tasks) {
      it(`${task.task_id}: the canonical solution is SUCCESS, four mutants, identity, constants and lying objects are not (JDG-14, JDG-26)`, async () => {
        const suite = loadHumanEvalSuite(task);
        const name = task.entry_point;
        const source = task.prompt + task.canonical_solution;
        const right = await judge.run({ artifact: { language: 'python', source }, suite });
        expect(right.outcome, JSON.stringify(right.tests.filter((test) => test.reason))).toBe('SUCCESS');
        // Helpers of the prompt are the artifact's to break, and of no use to it.
        const helpers = [...task.prompt.matchAll(/^def (\w+)/gm)].map(([, helper]) => helper);
        const broken = helpers.map((helper) => `def ${helper}(*a): return a[0] if a else None\n`).join('');
        const zero = helpers.map((helper) => `def ${helper}(*a): return 0.0\n`).join('');
        const unearned = [
          broken,
          zero,
          `${zero}def ${name}(*a): return None\n`,
          `${liar}${zero}def ${name}(*a): return Y()\n`,
        ];
        const mutated = Object.values(mutants).map((mutate) => source + mutate(name));
        const failed = await failedBy(suite, name, [...mutated, ...unearned]);
        killed += failed.slice(0, mutated.length).filter((tests) => tests.length > 0).length;
        for (const [index, tests] of failed.entries())
          expect(tests.length, [...mutated, ...unearned][index]).toBeGreaterThan(0);
      });
    }
  });

  it('JDG-14 the mutant score over all tasks is 1', () => {
    const made = tasks.length * Object.keys(mutants).length;
    expect({ made, score: killed / made }).toEqual({ made: 328, score: 1 });
  });
});
