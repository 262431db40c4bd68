import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createJudge,
  type DetectedSandbox,
  detectSandbox,
  type Judge,
  type Limits,
  type Suite,
  type VectorSuite,
  type Verdict,
} from '../src/index.ts';
import { leftOver, telltaleBytes } from './left-over.ts';
import { type Attack, escapes, exhausting, forgeries, inJavascript } from './own-attacks.ts';
import { isFull } from './proof.ts';

const limits: Partial<Limits> = {
  memoryHardBytes: 256 * 2 ** 20,
  diskBytes: telltaleBytes,
  outputBytes: 2 ** 20,
  pids: 30,
};

let sandbox: DetectedSandbox;
let judge: Judge;
beforeAll(async () => {
  sandbox = await detectSandbox();
  judge = createJudge({ sandbox, limits, concurrency: 3 });
});
afterAll(async () => {
  await judge?.close();
  expect(await leftOver(sandbox)).toEqual([]);
  await sandbox?.close();
});

const inputs = [
  [3, 1, 2],
  [2, 1],
  [5, 5, 4, 1],
];
const sorted = inputs.map((xs) => xs.toSorted((a, b) => a - b));
/** What never ends waits for these limits; the others must not meet them before the one that they are about. */
const limitsOf = ({ expect: allowed }: Attack) => ({
  wallMs: allowed.includes('ERROR timeout') ? 1500 : 240_000,
  cpuHardMs: allowed.includes('ERROR cpu') ? 3000 : 60_000,
});
const vectors = (attack: Attack): VectorSuite => ({
  ...{ id: 'attacks', mode: 'vectors', entryPoint: 'solve', language: attack.language ?? 'python' },
  limits: limitsOf(attack),
  cases: inputs.map((xs, index) => ({
    id: `case-${index}`,
    layer: 'correctness',
    args: [xs],
    expect: sorted[index] ?? [],
  })),
});
const split = (attack: Attack): Suite => {
  const pairs = JSON.stringify(inputs.map((xs, index) => [xs, sorted[index]]));
  const own = { id: 'attacks', mode: 'split', limits: limitsOf(attack) } as const;
  if (attack.language === 'javascript')
    return {
      ...{ ...own, language: 'javascript' },
      files: {
        'it.test.mjs': `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { solve } from 'solution';\nfor (const [xs, ys] of ${pairs}) test(JSON.stringify(xs), async () => assert.deepEqual(await solve(xs), ys));`,
      },
    };
  return {
    ...{ ...own, language: 'python' },
    files: {
      'test_it.py': `import pytest, solution\n@pytest.mark.parametrize('xs, ys', ${pairs})\ndef test_it(xs, ys): assert solution.solve(xs) == ys`,
    },
  };
};

const told = ({ outcome, errorKind }: Verdict) => (errorKind === null ? outcome : `${outcome} ${errorKind}`);
const check = async (attack: Attack, suite: Suite) => {
  const { source, language = 'python', expect: allowed } = attack;
  const verdict = await judge.run({ artifact: { language, source }, suite });
  expect(
    allowed,
    JSON.stringify([verdict.summary, verdict.stderr.slice(-300), verdict.violations]),
  ).toContain(told(verdict));
};

describe.concurrent('attacks of our own', () => {
  // Each in one of the two modes, in turn; in both with BONAFIDE_PROOF=full.
  for (const [index, attack] of [...forgeries, ...inJavascript].entries()) {
    const language = attack.language ?? 'python';
    if (isFull || index % 2 === 0)
      it(`JDG-4 JDG-15 vectors, ${language}: ${attack.id}`, () => check(attack, vectors(attack)));
    if (isFull || index % 2 === 1)
      it(`JDG-4 JDG-15 split, ${language}: ${attack.id}`, () => check(attack, split(attack)));
  }
  for (const attack of [...escapes, ...exhausting])
    it(`JDG-11 JDG-15 vectors: ${attack.id}`, () => check(attack, vectors(attack)));
});
