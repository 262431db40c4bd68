import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJudge, type DetectedSandbox, detectSandbox, type Judge, type Limits } from '../src/index.ts';
import { attackSuite, attacks, honest, honestSuite } from './fixtures.ts';

/** Enough for every honest program, and little enough not to wait for the others. */
const limits: Partial<Limits> = {
  wallMs: 20_000,
  cpuHardMs: 1200,
  memoryHardBytes: 256 * 1024 * 1024,
  memorySoftBytes: 128 * 1024 * 1024,
};

const kinds: Record<string, readonly string[]> = {
  r_membomb: ['oom'],
  r_memcatch: ['oom'],
  r_zipbomb: ['oom'],
  r_bigint: ['cpu'],
  r_loop_import: ['cpu'],
  r_loop_sigxcpu: ['cpu'],
  r_redos: ['cpu'],
  r_sleep: ['timeout'],
  r_disk: ['disk'],
  r_flood_out: ['output'],
  r_segv: ['crash'],
  c_syntax: ['crash'],
  c_crash_import: ['crash'],
};

let sandbox: DetectedSandbox;
let judge: Judge;

beforeAll(async () => {
  sandbox = await detectSandbox();
  judge = createJudge({ sandbox, limits });
});

afterAll(async () => {
  await judge?.close();
  await sandbox?.close();
});

describe.concurrent('attack corpus', () => {
  const suite = attackSuite();
  for (const { id, category, expect: allowed, artifact } of attacks()) {
    it(`JDG-15 ${category} ${id}`, async () => {
      const verdict = await judge.run({
        artifact,
        suite: id === 'r_sleep' ? { ...suite, limits: { wallMs: 1500 } } : suite,
      });
      const told = { outcome: verdict.outcome, kind: verdict.errorKind, summary: verdict.summary };
      expect(allowed, JSON.stringify(told)).toContain(verdict.outcome);
      if (kinds[id]) expect(kinds[id], JSON.stringify(told)).toContain(verdict.errorKind);
      if (category === 'fake') expect(verdict.outcome).not.toMatch(/SUCCESS|PARTIAL/);
      expect(verdict.tests).toHaveLength(suite.cases.length);
    });
  }
});

describe.concurrent('honest corpus', () => {
  for (const { id, artifact } of honest()) {
    it(`JDG-11 ${id} is never accused under STRICT`, async () => {
      const verdict = await judge.run({ artifact, suite: honestSuite });
      expect(verdict.outcome).not.toBe('SECURITY_VIOLATION');
      expect(verdict.violations).toEqual([]);
    });

    it(`JDG-11 ${id} succeeds under EXTENDED`, async () => {
      const verdict = await judge.run({ artifact, suite: { ...honestSuite, profile: 'EXTENDED' } });
      expect(verdict.outcome, JSON.stringify(verdict.tests)).toBe('SUCCESS');
    });
  }
});
