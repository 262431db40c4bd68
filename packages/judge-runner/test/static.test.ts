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

  it('JDG-12 many findings of one rule hide none of another', async () => {
    const many = `${'eval("1")\n'.repeat(250)}import socket\n`;
    for (const [language, source] of [
      ['python', many],
      ['javascript', `${'eval("1");\n'.repeat(250)}import 'node:net';\n`],
    ] as const) {
      const suite: Suite = {
        ...{ id: 'many', language, mode: 'vectors', entryPoint: 'f', static: { forbid: ['network-import'] } },
        cases: [{ id: 'a', layer: 'correctness', args: [], expect: 1 }],
      };
      const verdict = await judge.run({ artifact: { source }, suite });
      expect([language, verdict.outcome]).toEqual([language, 'SECURITY_VIOLATION']);
    }
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

describe('static analysis of JavaScript', () => {
  const judged = (source: string, thresholds?: StaticThresholds) =>
    judge.run({
      artifact: { language: 'javascript', source },
      suite: {
        ...{ id: 'static', language: 'javascript', mode: 'vectors', entryPoint: 'solve' },
        cases: [{ id: 'only', layer: 'correctness', args: [], expect: true }],
        ...(thresholds ? { static: thresholds } : {}),
      },
    });
  const works = '\nexport const solve = () => true;\n';

  it('JDG-7 JDG-12 the unmistakable is a violation that need not be run to be believed', async () => {
    const verdict = await judged(
      `import fs from 'node:fs';\nconsole.log('ran');\nif (1 > 2) fs.promises.readFile('//etc/./shadow');${works}`,
    );
    expect(verdict).toMatchObject({
      outcome: 'SECURITY_VIOLATION',
      violations: [
        { kind: 'static', evidence: "Its text, solution.js line 3, fs.promises.readFile('/etc/shadow')." },
      ],
      stdout: '',
    });
  });

  it('JDG-7 JDG-12 what may be innocent is a warning, with the line, and changes nothing unless the suite forbids it', async () => {
    const never = (code: string) => `function never() { ${code} }${works}`;
    const cases: [string, string][] = [
      ["import { connect } from 'node:net'; void connect;", 'network-import'],
      [never('fetch("http://x")'), 'network-import'],
      [never("return import('child_process')"), 'process-import'],
      [never('process.exit(0)'), 'process-call'],
      [never("process.dlopen({}, 'x')"), 'native-import'],
      ["import test from 'node:test'; void test;", 'harness-import'],
      [never("eval('1')"), 'dynamic-code'],
      [never("new Function('return 1')"), 'dynamic-code'],
      [never("eval(Buffer.from('MQ==', 'base64').toString())"), 'packed-code'],
      [never("eval(atob('MQ=='))"), 'packed-code'],
      [never("import('a' + 'b')"), 'dynamic-import'],
      [never('Array.prototype.sort = 1'), 'reflection'],
      [never('({}).__proto__.x = 1'), 'reflection'],
      [`class A { valueOf() { return true; } }${works}`, 'constant-comparison'],
    ];
    const verdicts = await Promise.all(
      cases.map(([source]) => judged(source.includes('solve') ? source : `${source}${works}`)),
    );
    for (const [index, verdict] of verdicts.entries()) {
      expect([verdict.outcome, cases[index]?.[0]]).toEqual(['SUCCESS', cases[index]?.[0]]);
      expect(verdict.findings?.map((each) => each.rule)).toContain(cases[index]?.[1]);
      expect(verdict.findings?.every((each) => each.file === 'solution.js' && each.line === 1)).toBe(true);
    }
    const forbidden = await judged(`${never("eval('1')")}`, { forbid: ['dynamic-code'] });
    expect(forbidden.outcome).toBe('SECURITY_VIOLATION');
  });

  it('JDG-7 JDG-12 honest programs of both kinds are read without a finding, hostile texts end no judge', async () => {
    const honest = [
      `/* /etc/shadow */ import { readFileSync } from 'node:fs'; import assert from 'node:assert';\nexport const solve = () => { try { readFileSync('/etc/hostname'); } catch { /* not here */ } assert(true); return [3, 1].sort()[0] === 1; };`,
      'const path = require("path"); module.exports = { solve: () => path.join("a", "b") === "a/b" };',
      '#!/usr/bin/env node\nexport default class { static solve() { return true; } }',
    ];
    const texts = [
      `${'['.repeat(200_000)}`,
      `export const solve = () => ${'('.repeat(50_000)}true${')'.repeat(50_000)};`,
      `export const solve = () => true; const a = ${'!'.repeat(300_000)}1;`,
      '\u0000\ud800',
      `export const solve = () => true; /${'(a'.repeat(10_000)}/;`,
    ];
    const verdicts = await Promise.all([...honest, ...texts].map((source) => judged(source)));
    for (const verdict of verdicts.slice(0, honest.length))
      expect([verdict.outcome, verdict.findings]).toEqual(['SUCCESS', []]);
    for (const verdict of verdicts.slice(honest.length)) {
      expect(verdict.outcome).toMatch(/ERROR|FAILURE|SUCCESS/);
      expect(verdict.violations).toEqual([]);
    }
  });
});
