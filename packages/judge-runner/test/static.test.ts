import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createJudge,
  type Judge,
  type StaticThresholds,
  type Suite,
  staticViolations,
} from '../src/index.ts';

let judge: Judge;
beforeAll(() => {
  judge = createJudge();
});
afterAll(() => judge?.close());

const run = (source: string, thresholds?: StaticThresholds) => {
  const suite: Suite = {
    id: 'static',
    language: 'python',
    mode: 'vectors',
    entryPoint: 'solve',
    cases: [{ id: 'only', layer: 'correctness', args: [], expect: true }],
    ...(thresholds ? { static: thresholds } : {}),
  };
  return judge.run({ artifact: { language: 'python', source }, suite });
};
const solve = '\ndef solve(): return True\n';

describe('static analysis', () => {
  it('JDG-12 the unmistakable is a violation that need not be run to be believed', async () => {
    const verdict = await run(`print('ran')\nif 1 > 2: open('//etc/./shadow')${solve}`);
    expect(verdict).toMatchObject({
      outcome: 'SECURITY_VIOLATION',
      violations: [{ kind: 'static', evidence: "Its text, solution.py line 2, open('/etc/shadow')." }],
      stdout: '',
    });
    expect(verdict.tests).toMatchObject([{ status: 'not-run' }]);
  });

  it('JDG-12 what may be innocent is a warning and changes nothing', async () => {
    const source = `import socket, subprocess, ctypes, base64, sys
exec(base64.b64decode('cGFzcw=='))
def frame(): return sys._getframe().f_back
class Yes:
    def __eq__(self, other): return True
note = 'do not read /etc/shadow'${solve}`;
    const verdict = await run(source);
    expect(verdict.outcome, JSON.stringify(verdict.violations)).toBe('SUCCESS');
    expect(verdict.violations).toEqual([]);
    expect(new Set(verdict.findings?.map((finding) => finding.rule))).toEqual(
      new Set([
        'network-import',
        'process-import',
        'native-import',
        'dynamic-code',
        'packed-code',
        'reflection',
        'constant-comparison',
      ]),
    );
  });

  it('JDG-12 a suite sets its own thresholds', async () => {
    const source = `import subprocess, socket${solve}`;
    expect((await run(source, { forbid: ['process-import'] })).outcome).toBe('SECURITY_VIOLATION');
    expect((await run(source, { maxWarnings: 1 })).outcome).toBe('SECURITY_VIOLATION');
    expect((await run(source, { maxWarnings: 2, forbid: ['reflection'] })).outcome).toBe('SUCCESS');
  });

  it('JDG-12 a text that breaks the parser is no violation', async () => {
    const nested = await run(`x = ${'('.repeat(150_000)}${solve}`);
    expect(nested.outcome).toBe('ERROR');
    expect(nested.violations).toEqual([]);
    const nul = await run(`x = 1\0${solve}`);
    expect([nul.outcome, nul.errorKind]).toEqual(['ERROR', 'crash']);
  });

  it('JDG-12 the decision is pure', () => {
    const finding = { rule: 'reflection', file: 'a.py', line: 1, detail: 'uses f_back' } as const;
    expect(staticViolations([finding])).toEqual([]);
    expect(staticViolations([finding], { maxWarnings: 0 })).toHaveLength(1);
    expect(staticViolations([{ ...finding, rule: 'secret-path' }])).toHaveLength(1);
  });
});
