import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'bonafide-judge-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const suite = file(
  'suite.json',
  JSON.stringify({
    id: 'double',
    language: 'python',
    mode: 'vectors',
    entryPoint: 'double',
    cases: [
      { id: 'number', layer: 'correctness', args: [2], expect: 4 },
      { id: 'text', layer: 'edge', args: ['ab'], expect: 'abab' },
    ],
  }),
);
const right = file('right.py', 'def double(x): return x + x');

describe('bonafide judge run', () => {
  it('CLI-1 JDG-1 prints outcome, layers, cost and protection, and exits with 0', async () => {
    const { code, out, err } = await run(['judge', 'run', right, '--suite', suite, '--verbose']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^SUCCESS: 2 of 2 tests passed\.$/mu);
    expect(out).toMatch(/^correctness +1\/1 +0 +0$/mu);
    expect(out).toMatch(/time \d+ ms, CPU \d+ ms/u);
    expect(out).toMatch(/✓ namespaces: own user, pid, net/u);
  });

  it('CLI-1 JDG-8 counts the layers of protection in one line unless it is to list them', async () => {
    const { out } = await run(['judge', 'run', right, '--suite', suite]);
    expect(out).toMatch(
      /^Protection: \d+ of \d+ layers active(?: \(without [^)]+\))?; --verbose lists them\.$/mu,
    );
    expect(out).not.toContain('namespaces:');
  });

  it('CLI-1 X-4 says that TypeScript is not taken, of an artifact and of tests', async () => {
    const tests = mkdtempSync(join(folder, 'typescript-'));
    writeFileSync(join(tests, 'sum.test.ts'), "import { test } from 'vitest';\n");
    for (const path of [tests, join(tests, 'sum.test.ts')]) {
      const refused = await run(['judge', 'run', right, '--suite', path]);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.err).toContain('Tests in TypeScript are not taken: build them first');
    }
    writeFileSync(
      join(tests, 'sum.test.mjs'),
      "import { test } from 'node:test';\nimport { sum } from 'solution';\ntest('sum', () => sum(1, 2));\n",
    );
    const artifact = file('sum.ts', 'export const sum = (a: number, b: number) => a + b;\n');
    const refused = await run(['judge', 'run', artifact, '--suite', tests]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toMatch(/TypeScript is not taken: .*Build it first.* \(ARTIFACT_INVALID\)/u);
  });

  it.each([
    [
      'calc.py',
      'test_calc.py',
      'from calc import add\ndef test_add(): assert add(1, 2) == 3\n',
      'def add(a, b): return a + b\n',
    ],
    [
      'sums.mjs',
      'sums.test.mjs',
      "import { test } from 'node:test'; import assert from 'node:assert'; import { add } from '../sums.mjs';\ntest('add', () => assert.equal(add(1, 2), 3));\n",
      'export const add = (a, b) => a + b;\n',
    ],
  ])('CLI-1 JDG-17 tests import a single file by its own name: %s', async (name, test, tests, source) => {
    const own = mkdtempSync(join(folder, 'own-'));
    writeFileSync(join(own, test), tests);
    const { code, out, err } = await run(['judge', 'run', file(name, source), '--suite', own]);
    expect({ code, err }, out).toEqual({ code: 0, err: '' });
  });

  it.each([
    [
      'python',
      'zz.py',
      'test_a.py',
      'from solution import f\ndef test_a(): assert f("zz") == "zz"\n',
      'def f(x): return x\n',
    ],
    [
      'javascript',
      'zz.mjs',
      'a.test.mjs',
      "import test from 'node:test'; import assert from 'node:assert'; import { f } from 'solution';\ntest('a', () => assert.equal(f('zz'), 'zz'));\n",
      'export const f = (x) => x;\n',
    ],
  ])(
    'CLI-1 JDG-17 a text of a test is no import of the file that has its name, in %s',
    async (_, name, test, tests, source) => {
      const own = mkdtempSync(join(folder, 'text-'));
      writeFileSync(join(own, test), tests);
      const { code, out, err } = await run(['judge', 'run', file(name, source), '--suite', own]);
      expect({ code, err }, out).toEqual({ code: 0, err: '' });
    },
  );

  it('CLI-1 JDG-17 names the tests that fail for the same reason once', async () => {
    const tests = file(
      'test_many.py',
      'import pytest\n@pytest.mark.parametrize("n", range(7))\ndef test_it(n):\n    import absent\n',
    );
    const { code, out } = await run(['judge', 'run', right, '--suite', tests]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^ {2}test_many\.py::test_it\[0\], (?:\S+, ){3}test_many\.py::test_it\[4\] and 2 more: \S/mu,
    );
  });

  it('CLI-1 JDG-19 names a file of a reference as its author does', async () => {
    const tests = file('test_double.py', 'from solution import double\ndef test_it(): double(2)\n');
    const { code, out } = await run(['judge', 'check', tests, '--reference', right]);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^ {2}${basename(right)}:1:\\d+ `, 'mu'));
  });

  it('CLI-1 JDG-1 judges several artifacts, with a line for each and all verdicts as JSON', async () => {
    const wrong = file('wrong.py', 'def double(x): return 3 * x');
    const unreadable = mkdtempSync(join(folder, 'other-'));
    writeFileSync(join(unreadable, 'note.py'), 'x = 1\n');
    const all = ['judge', 'run', right, wrong, unreadable, '--suite', suite];
    const { code, out, err } = await run(all);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^\S+right\.py +SUCCESS +2\/2 +\d+$/mu);
    expect(out).toMatch(/^\S+wrong\.py +\S+ +\d\/2 +\d+ +\S.*: /mu);
    expect(out).toMatch(/^\S+ +ARTIFACT_INVALID +The artifact must contain a solution\.py/mu);
    expect(out).toMatch(/^1 of 3 artifacts passed\./mu);
    const json = JSON.parse((await run([...all, '--json'])).out);
    expect(json).toMatchObject([
      { artifact: right, verdict: { outcome: 'SUCCESS' }, error: null },
      { artifact: wrong, error: null },
      { artifact: unreadable, verdict: null, error: { code: 'ARTIFACT_INVALID' } },
    ]);
    const missing = await run(['judge', 'run', right, join(folder, 'absent.py'), '--suite', suite]);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain('There is no artifact at');
  });

  it('CLI-1 JDG-18 counts failures that do not prove a fault, and shows one that does', async () => {
    const tests = file(
      'test_begin.py',
      'from solution import begin, double\n' +
        'def test_begin(): assert begin(2).total() == 2\n' +
        'def test_double(): assert double(2) == 4\n',
    );
    const begun =
      'class Run:\n  def __init__(self, n): self.n = n\n  def total(self): return self.n\ndef begin(n): return Run(n)\n';
    const correct = file('begin.py', `${begun}def double(x): return 2 * x\n`);
    const wrong = file('wrong-begin.py', `${begun}def double(x): return 3 * x\n`);
    const all = ['judge', 'run', correct, wrong, '--suite', tests];
    const { out } = await run(all);
    expect(out).toMatch(/^Artifact +Outcome +Passed +Doubtful +CPU, ms +First failure$/mu);
    expect(out).toMatch(/^\S+wrong-begin\.py +FAILURE +0\/2 +1 +\d+ +\S*test_double: /mu);
    expect(out).toMatch(/^Doubtful: failures of 2 artifacts .*: --reference <path>\.$/mu);
    const settled = await run([...all, '--reference', correct]);
    expect(settled.out).toMatch(/^\S+begin\.py +SUCCESS +2\/2 +\d+$/mu);
    expect(settled.out).not.toContain('oubtful');
  });

  it('CLI-1 JDG-1 limits the time of a run', async () => {
    const slow = file('slow.py', 'import time\ndef double(x): time.sleep(100)\n');
    const { code, out } = await run(['judge', 'run', slow, '--suite', suite, '--timeout-ms', '2000']);
    expect(code).toBe(1);
    expect(out).toMatch(/^ERROR: It did not finish in time\./mu);
    const none = await run(['judge', 'run', slow, '--suite', suite, '--timeout-ms', '0']);
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('Give a whole number from 1 to 86400000.');
  });

  it('CLI-1 X-4 says that a folder has no tests', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    const { code, err } = await run(['judge', 'run', right, '--suite', empty]);
    expect(code).toBe(2);
    expect(err).toContain('has no tests, such as test_a.py');
  });

  it('CLI-1 X-4 refuses a folder without tests, a file of another language and a misspelt option with the remedy', async () => {
    const notes = mkdtempSync(join(folder, 'notes-'));
    writeFileSync(join(notes, 'notes.txt'), 'no test');
    const without = await run(['judge', 'run', right, '--suite', notes]);
    expect(without).toMatchObject({ code: 2 });
    expect(without.err).toContain('has no tests, such as test_a.py');
    for (const name of ['main.c', 'main.mjs']) {
      const other = await run(['judge', 'run', file(name, ''), '--suite', suite]);
      expect(other).toMatchObject({ code: 2 });
      expect(other.err).toMatch(/The suite is for python, and the artifact \S+ is (?:c|javascript)\. Give /u);
      const reference = await run(['judge', 'check', suite, '--reference', file(name, '')]);
      expect(reference).toMatchObject({ code: 2 });
      expect(reference.err).toContain('the reference');
    }
    const misspelt = await run(['judge', 'run', right, '--suit', suite]);
    expect(misspelt).toMatchObject({ code: 2 });
    expect(misspelt.err).toMatch(/unknown option '--suit'\n\(Did you mean --suite\?\)/u);
    expect((await run(['judge', 'run', right])).err).toContain("required option '--suite <suite>'");
  });

  it('CLI-1 X-4 checks the folder of --out before it judges', async () => {
    const tests = mkdtempSync(join(folder, 'out-'));
    writeFileSync(
      join(tests, 'test_a.py'),
      'from solution import double\ndef test_a(): assert double(2) == 4\n',
    );
    const out = join(tests, 'missing', 'suite.json');
    const { code, err } = await run(['judge', 'check', tests, '--reference', right, '--out', out]);
    expect(code).toBe(2);
    expect(err).toMatch(/There is no folder \S+ for --out\. Create it: mkdir -p /u);
  });

  it('CLI-1 JDG-8 takes the backend by name: a container where one can be made, else the cause and the remedy', async () => {
    const container = ['judge', 'run', right, '--suite', suite, '--verbose', '--backend', 'container'];
    const { code, out, err } = await run(container);
    if (code === 0) {
      expect(out).toMatch(/^SUCCESS: 2 of 2 tests passed\.$/mu);
      expect(out).toMatch(/✓ namespaces: own user, pid, net/u);
    } else {
      expect(err).toMatch(/Nothing can be judged in containers on this machine\./u);
      expect(err).toMatch(/Remedy: /u);
    }
    const unknown = await run(['judge', 'run', right, '--suite', suite, '--backend', 'chroot']);
    expect(unknown.code).toBe(2);
    const confused = await run(['judge', 'run', right, '--suite', suite, '--engine', 'podman']);
    expect(confused).toMatchObject({ code: 2 });
    expect(confused.err).toContain('--backend container');
  });

  it('CLI-1 JDG-11 prints the evidence of a violation, safe for a terminal, and exits with 1', async () => {
    const bad = file('bad.py', 'import os\nopen("/root/.ssh/\\x1b[2J" + "id")\ndef double(x): return x');
    const { code, out } = await run(['judge', 'run', bad, '--suite', suite]);
    expect(code).toBe(1);
    expect(out).toMatch(/^SECURITY_VIOLATION: /mu);
    expect(out).toMatch(/^Evidence\n {2}It tried to open "\/root\/\.ssh\//mu);
    expect(out).not.toContain('\u001b');
  });

  it('CLI-1 JDG-5 takes a file of pytest as it is, and prints the verdict as one JSON document', async () => {
    const tests = file('test_double.py', 'from left import double\ndef test_it(): assert double(2) == 4');
    const renamed = file(
      'test_solution.py',
      'from solution import double\ndef test_it(): assert double(2) == 5',
    );
    const wrong = await run(['judge', 'run', right, '--suite', renamed, '--json']);
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.out)).toMatchObject({
      outcome: 'FAILURE',
      isolation: 'separate',
      tests: [{ id: 'test_solution.py::test_it', status: 'failed' }],
    });
    // The artifact is imported as `solution` or by its own name: anything else is missing, which is the artifact's failure.
    const incomplete = await run(['judge', 'run', right, '--suite', tests]);
    expect(incomplete.code).toBe(1);
    expect(incomplete.out).toMatch(/^FAILURE: /mu);
    expect(incomplete.out).toContain("No module named 'left'");
  });

  it('CLI-1 JDG-6 --fresh draws cases, and --seed draws them again', async () => {
    const drawing = file(
      'drawing.json',
      JSON.stringify({
        ...{ id: 'double', language: 'python', mode: 'vectors', entryPoint: 'double', cases: [] },
        generators: [{ id: 'any', layer: 'correctness', args: [{ int: [-9, 9] }] }],
        oracle: { language: 'python', source: 'def double(x): return 2 * x' },
      }),
    );
    const first = await run(['judge', 'run', right, '--suite', drawing, '--fresh', '4']);
    expect(first.code).toBe(0);
    const seed =
      /^ {2}4 cases drawn; --fresh 4 --seed ([0-9a-f]{32}) draws them again$/mu.exec(first.out)?.[1] ?? '';
    const again = ['judge', 'run', right, '--suite', drawing, '--seed', seed, '--fresh', '4', '--json'];
    const [second, third] = [await run(again), await run(again)];
    expect(JSON.parse(second.out).fresh).toEqual(JSON.parse(third.out).fresh);
    expect(JSON.parse(second.out).fresh).toMatchObject({ seed, cases: [{}, {}, {}, {}] });
    expect(await run(['judge', 'run', right, '--suite', drawing, '--fresh', 'many'])).toMatchObject({
      code: 2,
    });
  });

  it('CLI-1 JDG-7 takes a file of node:test as it is', async () => {
    const tests = file(
      'double.test.mjs',
      "import test from 'node:test';\nimport assert from 'node:assert';\nimport { double } from 'solution';\ntest('it', () => assert.equal(double(2), 4));",
    );
    const twice = file('twice.mjs', 'export const double = (x) => 2 * x;');
    const { code, out } = await run(['judge', 'run', twice, '--suite', tests]);
    expect(out).toMatch(/^SUCCESS: 1 of 1 tests passed\.$/mu);
    expect(code).toBe(0);
  });

  it('CLI-1 JDG-13 --quality prints what was measured', async () => {
    const { code, out } = await run(['judge', 'run', right, '--suite', suite, '--quality']);
    expect(code).toBe(0);
    expect(out).toMatch(/quality (?:[\d.]+\/10|not measured): pylint .+, bandit .+, mypy .+\n {2}coverage/u);
  });

  it('CLI-1 says what is wrong with the command line', async () => {
    expect(await run(['judge', 'run', right])).toMatchObject({ code: 2 });
    const missing = await run(['judge', 'run', join(folder, 'nothing.py'), '--suite', suite]);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.err).toContain('There is no artifact at');
    const noReference = await run(['judge', 'check', suite, '--reference', join(folder, 'nothing.py')]);
    expect(noReference).toMatchObject({ code: 2 });
    expect(noReference.err).toContain('There is no reference at');
    // Nothing is drawn without generators, and nothing is ignored in silence.
    const drawn = await run(['judge', 'run', right, '--suite', suite, '--fresh', '3']);
    expect(drawn).toMatchObject({ code: 2, out: '' });
    expect(drawn.err).toContain('has no generators');
    const text = await run(['judge', 'check', file('main.sh', 'echo 1')]);
    expect(text).toMatchObject({ code: 2 });
    expect(text.err).toMatch(/main\.sh is not JSON: .*Give a file or folder of pytest or node:test/u);
  });

  it.each([
    ['[]', 2, 'judge.json is not an object'],
    [Buffer.from([0, 255, 254]), 2, 'judge.json is no text'],
    ['{ "pythons": 1 }', 1, 'judge.json: This is not a valid suite'],
  ])(
    'CLI-1 JDG-14 names the file of wrong settings of a folder of tests: %s',
    async (settings, code, message) => {
      const own = mkdtempSync(join(folder, 'settings-'));
      writeFileSync(join(own, 'test_it.py'), 'def test_it(): pass\n');
      writeFileSync(join(own, 'judge.json'), settings);
      const result = await run(['judge', 'check', own]);
      expect(result.err).toContain(message);
      expect(result.code).toBe(code);
    },
  );
});

describe('tests that lean on classes of the artifact', () => {
  // Only the artifact knows what such a constructor makes of the amount.
  const money = (sum: string) => `
class Money:
    def __init__(self, amount): self.cents = amount * 100
    def __eq__(self, other): return isinstance(other, Money) and self.cents == other.cents
    def __lt__(self, other): return self.cents < other.cents
def add(a, b): return Money((${sum}) / 100)
`;
  const project = () => {
    const own = mkdtempSync(join(folder, 'money-'));
    mkdirSync(join(own, 'tests'));
    const inProject = (name: string, text: string) => {
      writeFileSync(join(own, name), text);
      return join(own, name);
    };
    inProject(
      'tests/test_money.py',
      'from solution import Money, add\ndef test_add(): assert add(Money(5), Money(3)) == Money(8)\ndef test_order(): assert Money(3) < Money(5)\n',
    );
    return {
      ...{ own, tests: join(own, 'tests') },
      correct: inProject('solution.py', money('a.cents + b.cents')),
      broken: inProject('broken.py', money('a.cents - b.cents')),
    };
  };

  it('JDG-18 JDG-21 are settled by a reference, which run takes as check does, and both say so', async () => {
    const { tests, correct, broken } = project();
    const check = await run(['judge', 'check', tests]);
    expect(check.code).toBe(0);
    expect(check.out).toContain('test_money.py:2 compares an object of Money by its own ==');
    expect(check.out).toMatch(/^Add a correct program, --reference <path>, or compare plain values/mu);
    const without = await run(['judge', 'run', correct, '--suite', tests]);
    expect(without.code).toBe(1);
    expect(without.out).toMatch(/^FAILURE: .* 2 that failed do not prove a fault: /mu);
    expect(without.out).toMatch(/^Judge again with a correct program, .*: --reference <path>$/mu);
    for (const [artifact, code, outcome] of [
      [correct, 0, 'SUCCESS: 2 of 2'],
      [broken, 1, 'FAILURE: 1 of 2'],
    ] as const) {
      const judged = await run(['judge', 'run', artifact, '--suite', tests, '--reference', correct]);
      expect(judged.out).toContain(outcome);
      expect(judged).toMatchObject({ code, err: '' });
    }
  });

  it('JDG-19 never import the artifact or the reference out of the folder of the tests', async () => {
    const { own, correct, broken } = project();
    const shadowed = await run(['judge', 'run', broken, '--suite', own]);
    expect(shadowed.code).toBe(1);
    expect(shadowed.err).toMatch(
      /imports nothing of the artifact: solution is the suite's own file solution\.py/u,
    );
    const judged = await run(['judge', 'run', broken, '--suite', own, '--reference', correct]);
    expect(judged.out).toContain('FAILURE: 1 of 2');
    expect(judged.err).toContain(`${correct} was left out of the suite`);
    expect(judged.err).toContain(`${broken} was left out of the suite`);
  });

  it.each([
    ['tests/test_it.py', 'tests', 'from solution import answer\ndef test_it(): assert answer() == "lilac"\n'],
    [
      'suite.json',
      'suite.json',
      '{"id": "it", "language": "python", "mode": "vectors", "entryPoint": "answer", "cases": [{ "id": "it", "layer": "correctness", "args": [], "expect": "lilac" }]}',
    ],
  ])(
    'JDG-17 JDG-22 are left out of a repository with %s, which could read there what is expected',
    async (name, path, text) => {
      const own = mkdtempSync(join(folder, 'reading-'));
      mkdirSync(join(own, 'tests'));
      writeFileSync(join(own, name), text);
      writeFileSync(
        join(own, 'solution.py'),
        'import glob\ndef answer(): return "lilac" if any("== \\"l" in open(each).read() or "t\\": \\"l" in open(each).read() for each in glob.glob("/artifact/**", recursive=True) if each.endswith(("it.py", "json"))) else None\n',
      );
      const judged = await run(['judge', 'run', own, '--suite', join(own, path)]);
      expect(judged.out).toContain('FAILURE: 0 of 1');
      expect(judged.err).toContain(`${join(own, path)} was left out of the artifact`);
    },
  );
});

describe('bonafide judge check', () => {
  it('JDG-18 prints failing tests, unsupported constructs and unnoticed changes, and exits with 1 unless usable', async () => {
    const tests = file(
      'test_usable.py',
      'from solution import double\ndef test_it(): assert double(2) == 4 and double("a") == "aa"',
    );
    const usable = await run(['judge', 'check', tests, '--reference', right, '--mutants', '3']);
    expect(usable.err).toBe('');
    expect(usable.code).toBe(0);
    expect(usable.out).toMatch(/^Usable: 1 test\.$/mu);
    expect(usable.out).toMatch(/^An artifact must have: solution\.$/mu);
    const acme = 'import acme\nfrom solution import double\ndef test_it(): assert double(2) == 4\n';
    const either = await run(['judge', 'check', file('test_acme.py', acme)]);
    expect(either.out).toMatch(
      /^An artifact must have: solution\.\nacme: an artifact must have it, unless you declare it in `python\.packages`\.$/mu,
    );
    expect(usable.out).toMatch(/^The tests notice every change of the reference that was tried \(\d\)\.$/mu);
    const wrong = file('wrong.py', 'def double(x): return x');
    const failing = await run(['judge', 'check', tests, '--reference', wrong, '--json']);
    expect(failing.code).toBe(1);
    expect(JSON.parse(failing.out)).toMatchObject({
      usable: false,
      failing: [{ id: 'test_usable.py::test_it' }],
    });
  });

  it('JDG-18 JDG-21 writes the suite without the tests that its reference fails', async () => {
    const tests = file(
      'test_some.py',
      'from solution import double\ndef test_it(): assert double(2) == 4\ndef test_other(): assert double(2) == 5\n',
    );
    const suite = join(folder, 'some.json');
    const checked = await run([
      'judge',
      'check',
      tests,
      '--reference',
      right,
      '--mutants',
      '0',
      '--out',
      suite,
    ]);
    expect(checked.code).toBe(1);
    expect(checked.err).toContain('is the suite of 1 test that the reference passes');
    const judged = await run(['judge', 'run', right, '--suite', suite, '--reference', right]);
    expect(judged.out).toMatch(/^SUCCESS: 1 of 1 tests passed\.$/mu);
    const none = file('none.py', 'def double(x): return 7\n');
    const refused = await run([
      'judge',
      'check',
      tests,
      '--reference',
      none,
      '--mutants',
      '0',
      '--out',
      suite,
    ]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('the reference passes no test')]);
    const without = await run(['judge', 'check', tests, '--out', suite]);
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('--reference <path>')]);
  });

  it('JDG-22 JDG-23 judges a package and a program from folders', async () => {
    const own = mkdtempSync(join(folder, 'program-'));
    writeFileSync(join(own, 'main.sh'), 'cat\n');
    const program = file(
      'program.json',
      JSON.stringify({
        ...{ id: 'cat', run: ['sh', 'main.sh'] },
        cases: [{ id: 'echo', layer: 'correctness', stdin: 'a b', expect: { stdout: 'a b' } }],
      }),
    );
    const { code, out, err } = await run(['judge', 'run', own, '--suite', program]);
    expect({ code, err }, out).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^SUCCESS: 1 of 1 tests passed\.$/mu);
    // One text has the name of its language, whatever the file is called.
    const single = await run(['judge', 'run', file('echo.sh', 'cat\n'), '--suite', program]);
    expect([single.code, single.err]).toEqual([0, '']);
  });

  it('JDG-19 JDG-22 takes the folder of a package that the tests import by its name', async () => {
    const own = mkdtempSync(join(folder, 'package-'));
    for (const name of ['sums', 'tests']) mkdirSync(join(own, name));
    writeFileSync(join(own, 'sums/__init__.py'), 'from .core import add\n');
    writeFileSync(join(own, 'sums/core.py'), 'def add(a, b): return a + b\n');
    writeFileSync(
      join(own, 'tests/test_sums.py'),
      'from sums import add\nfrom sums.core import add as same\ndef test_it(): assert add(1, 2) == same(1, 2) == 3\n',
    );
    const tests = join(own, 'tests');
    const leftOut = `${tests} was left out of the artifact, which could read there what is expected.\n`;
    for (const [path, said] of [
      [join(own, 'sums'), ''],
      [own, leftOut],
    ] as const) {
      const judged = await run(['judge', 'run', path, '--suite', tests]);
      expect([judged.code, judged.err], judged.out).toEqual([0, said]);
    }
  });
});

it('CLI-1 JDG-22 takes folders of tests with pictures and other bytes', async () => {
  const own = mkdtempSync(join(folder, 'bytes-'));
  writeFileSync(join(own, 'a.png'), Buffer.from([137, 80, 78, 71, 0, 255]));
  writeFileSync(
    join(own, 'test_it.py'),
    "from pathlib import Path\nfrom solution import size\ndef test_it(): assert size((Path(__file__).parent / 'a.png').read_bytes()) == 6\n",
  );
  const { code, out } = await run(['judge', 'run', file('size.py', 'size = len\n'), '--suite', own]);
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^SUCCESS: 1 of 1 tests passed\.$/mu),
  });
});

describe('bonafide judge env build', () => {
  it('CLI-1 builds what a folder of tests declares beside them, and run uses it (JDG-22)', async () => {
    const tests = join(folder, 'tests');
    mkdirSync(tests);
    chmodSync(folder, 0o755);
    const made = spawnSync('/usr/bin/python3', [
      '-c',
      'import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as made: made.writestr("tiny.py", "VALUE = 21\\n")',
      join(folder, 'tiny-1.0-py3-none-any.whl'),
    ]);
    expect(made.status).toBe(0);
    file(
      'tests/test_it.py',
      'import tiny\nfrom solution import f\ndef test_it(): assert f() == 2 * tiny.VALUE\n',
    );
    file(
      'tests/judge.json',
      JSON.stringify({ python: { packages: [join(folder, 'tiny-1.0-py3-none-any.whl')] } }),
    );
    const artifact = file('uses.py', 'import tiny\ndef f(): return tiny.VALUE + 21\n');
    // Boxes and downloads have other working folders.
    const store = ['--environments', relative('', join(folder, 'environments'))];
    const before = await run(['judge', 'run', artifact, '--suite', tests, ...store]);
    expect(before.code).not.toBe(0);
    expect(before.err).toContain(`bonafide judge env build ${tests} ${store.join(' ')} (`);
    const built = await run(['judge', 'env', 'build', tests, ...store]);
    expect(built.out).toMatch(/^tiny +1\.0 +file$/mu);
    const { code, out } = await run(['judge', 'run', artifact, '--suite', tests, ...store]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Environment [0-9a-f]{64}/mu),
    });
  });
});
