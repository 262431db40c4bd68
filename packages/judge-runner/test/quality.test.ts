import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Artifact, createJudge, type Judge, rateQuality, type VectorSuite } from '../src/index.ts';

let judge: Judge;
beforeAll(() => {
  judge = createJudge();
});
afterAll(() => judge?.close());

const suite: VectorSuite = {
  id: 'quality',
  language: 'python',
  mode: 'vectors',
  entryPoint: 'solve',
  cases: [{ id: 'one', layer: 'correctness', args: [1], expect: 2 }],
};
const measure = (artifact: Artifact) => judge.run({ artifact, suite, quality: true });

const bad = `import os
import subprocess
def solve(x: int) -> object:
    if x > 5:
        eval('1')
        subprocess.call('ls', shell=True)
        return 'five' + 5
    return x + 1
`;

describe('quality', () => {
  it('JDG-13 puts pylint, bandit and mypy on one scale; what was not measured is null and drops out', () => {
    expect(
      rateQuality({
        suppressions: 0,
        pylint: { score: 8.5 },
        bandit: { high: 1, medium: 1, low: 1 },
        mypy: { errors: 2, lines: 40 },
      }),
    ).toEqual({ score: 6.83, pylint: 8.5, bandit: 2.5, mypy: 9.5, suppressions: 0 });
    expect(rateQuality({ suppressions: 0, pylint: { score: -3 }, bandit: null, mypy: null })).toEqual({
      ...{ score: 0, pylint: 0, bandit: null, mypy: null, suppressions: 0 },
    });
    expect(rateQuality({ suppressions: 0, pylint: null, bandit: null, mypy: null }).score).toBeNull();
  });

  it('JDG-13 takes neither names of files nor comments of the artifact for what a tool says', async () => {
    const files = {
      'solution.py': `# TODO Your code has been rated at 10.00/10\n${bad}`,
      '--init-hook=print("Your code has been rated at 10.00" + chr(47) + "10")#.py': '',
      '@solution.py': '',
      // mypy refuses all files for the name of this folder: it has measured nothing.
      'no-name/a.py': 'x = 1\n',
    };
    const { quality } = await measure({ language: 'python', files });
    if (existsSync('/usr/bin/pylint')) expect(quality?.pylint).toBeLessThan(9);
    if (existsSync('/usr/bin/bandit')) expect(quality?.bandit).toBeLessThan(9);
    expect(quality?.mypy).not.toBe(10);
  });

  it('JDG-13 measures what is installed, and neither settings nor comments of the artifact have a say', async () => {
    const plain = await measure({ language: 'python', source: bad });
    expect(plain.outcome).toBe('SUCCESS');
    const silenced = bad
      .split('\n')
      .map((line) =>
        line.trim() === ''
          ? line
          : `${line}  # nosec # pylint: disable=all # type: ignore # pragma: no cover`,
      )
      .join('\n');
    const marker = 'open("/box/marker", "w").write("x")';
    const quiet = await measure({
      language: 'python',
      files: {
        'solution.py': `# pylint: skip-file\n# mypy: ignore-errors\n${silenced}`,
        pylintrc: `[MASTER]\ninit-hook=${marker}\ndisable=all\n`,
        'mypy.ini': '[mypy]\nignore_errors = True\nplugins = evil.py\n',
        'setup.cfg': '[mypy]\nignore_errors = True\n[coverage:run]\nomit = *\n',
        'pyproject.toml': '[tool.mypy]\nignore_errors = true\n[tool.pylint]\ndisable = "all"\n',
        'tox.ini': '[bandit]\nskips = B102,B307,B602\n',
      },
    });
    const { suppressions: none, ...first } = plain.quality ?? { suppressions: null };
    const { suppressions, ...second } = quiet.quality ?? { suppressions: null };
    expect(none).toBe(0);
    expect(suppressions).toBe(10);
    expect(second).toEqual(first);
    // Each is measured exactly where it is installed, and finds what is wrong with this text.
    for (const tool of ['pylint', 'bandit', 'mypy'] as const) {
      const rating = plain.quality?.[tool];
      if (existsSync(`/usr/bin/${tool}`)) expect(rating, tool).toBeLessThan(10);
      else expect(rating, tool).toBeNull();
    }
    if (!existsSync('/usr/bin/python3-coverage')) return;
    // Of eight statements the three below the condition do not run.
    expect(plain.quality?.coverage).toBeCloseTo(5 / 8, 5);
  });

  it('JDG-7 JDG-13 counts the statements of JavaScript that ran, of both kinds of modules', async () => {
    const text =
      'function solve(x) {\n  if (x > 5) {\n    const y = x;\n    return y * 2;\n  }\n  return x + 1;\n}\n';
    const own: VectorSuite = { ...suite, language: 'javascript' };
    for (const files of [
      {
        'solution.mjs': `import './other.mjs';\nexport ${text}`,
        'other.mjs': 'export const unused = () => { return 1; };\n',
      },
      {
        'solution.cjs': `require('./other.cjs');\n${text}exports.solve = solve;\n`,
        'other.cjs': 'exports.unused = () => { return 1; };\n',
      },
    ] as const) {
      const verdict = await judge.run({
        artifact: { language: 'javascript', files },
        suite: own,
        quality: true,
      });
      expect(verdict.outcome, verdict.summary).toBe('SUCCESS');
      // Two below the condition and one of the other file do not run.
      const all = 'solution.mjs' in files ? 6 : 8;
      expect(verdict.quality).toMatchObject({ score: null, pylint: null });
      expect(verdict.quality?.coverage).toBeCloseTo((all - 3) / all, 5);
    }
  });

  it('JDG-13 is not measured unless asked for, and coverage never changes the verdict', async () => {
    const verdict = await judge.run({ artifact: { language: 'python', source: bad }, suite });
    expect(verdict.quality).toBeNull();
    const forged = await measure({
      language: 'python',
      source: 'import sys\nsys.settrace(None)\nsys.exit(0)',
    });
    expect(forged).toMatchObject({ outcome: 'ERROR', quality: { coverage: null } });
  });
});
