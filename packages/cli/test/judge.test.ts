import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    const { code, out, err } = await run(['judge', 'run', right, '--suite', suite]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^SUCCESS: 2 of 2 tests passed\.$/mu);
    expect(out).toMatch(/^correctness +1\/1 +0 +0$/mu);
    expect(out).toMatch(/time \d+ ms, CPU \d+ ms/u);
    expect(out).toMatch(/✓ namespaces: own user, pid, net/u);
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
    const tests = file('test_double.py', 'from right import double\ndef test_it(): assert double(2) == 4');
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
    const unreadable = await run(['judge', 'run', right, '--suite', tests]);
    expect(unreadable.code).toBe(1);
    expect(unreadable.err).toContain("No module named 'right'");
  });

  it('CLI-1 JDG-13 --quality prints what was measured', async () => {
    const { code, out } = await run(['judge', 'run', right, '--suite', suite, '--quality']);
    expect(code).toBe(0);
    expect(out).toMatch(/quality (?:[\d.]+\/10|not measured): pylint .+, bandit .+, mypy .+\n {2}coverage/u);
  }, 30_000);

  it('CLI-1 says what is wrong with the command line', async () => {
    expect(await run(['judge', 'run', right])).toMatchObject({ code: 2 });
    const missing = await run(['judge', 'run', join(folder, 'nothing.py'), '--suite', suite]);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.err).toContain('There is no artifact at');
  });
});
