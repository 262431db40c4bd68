import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createJudge,
  type DetectedSandbox,
  defaultLimits,
  detectSandbox,
  JudgeError,
  type Limits,
  type PytestSuite,
  type Sandbox,
  type VectorSuite,
} from '../src/index.ts';
import { leftOver, telltaleBytes } from './left-over.ts';
import { isFull } from './proof.ts';

const limits: Limits = { ...defaultLimits, diskBytes: telltaleBytes };

let sandbox: DetectedSandbox;
beforeAll(async () => {
  sandbox = await detectSandbox();
});
afterAll(() => sandbox?.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const artifact = { language: 'python', source: 'while True: pass' } as const;
const vectors: VectorSuite = {
  ...{ id: 'abort', language: 'python', mode: 'vectors', entryPoint: 'solve', limits },
  cases: [{ id: 'only', layer: 'correctness', args: [], expect: true }],
};
const split: PytestSuite = {
  ...{ id: 'abort', language: 'python', mode: 'split', limits },
  files: { 'test_it.py': 'import solution\ndef test_it(): assert solution.solve()' },
  tests: [{ id: 'test_it.py::test_it', layer: 'correctness' }],
};

describe('a run that is aborted', () => {
  it('JDG-16 X-8 at any moment of its box being made leaves no process and no cgroup', async () => {
    // Once; three times with BONAFIDE_PROOF=full.
    const rounds = isFull ? 3 : 1;
    for (let round = 0; round < rounds; round += 1) {
      for (let afterMs = 0; afterMs <= 60; afterMs += 1.5) {
        const controller = new AbortController();
        const opening = sandbox.open({ artifact, profile: 'STRICT', limits, signal: controller.signal });
        const ended = opening.then(
          (box) => box.close(),
          (reason: unknown) => reason,
        );
        await pause(afterMs);
        controller.abort('enough');
        await ended;
        expect(await leftOver(sandbox), `aborted after ${afterMs} ms`).toEqual([]);
      }
    }
  });

  it('JDG-16 X-8 among others that are aborted leaves nothing either, and the judge goes on', async () => {
    const judge = createJudge({ sandbox, concurrency: 8 });
    const good = { language: 'python', source: 'def solve(): return True' } as const;
    expect((await judge.run({ artifact: good, suite: vectors })).outcome).toBe('SUCCESS');
    for (let round = 0; round < 4; round += 1) {
      const runs = Array.from({ length: 8 }, async (_, index) => {
        const controller = new AbortController();
        const running = judge.run({
          artifact,
          suite: index % 3 === 2 ? split : vectors,
          signal: controller.signal,
        });
        const ended = running.then(
          (verdict) => verdict.outcome,
          (reason: unknown) => reason,
        );
        await pause((index * 37 + round * 23) % 160);
        controller.abort(index);
        return ended;
      });
      expect(await Promise.all(runs)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(await leftOver(sandbox)).toEqual([]);
    }
    expect((await judge.run({ artifact: good, suite: vectors })).outcome).toBe('SUCCESS');
    await judge.close();
  });

  it('JDG-16 X-8 that waits for what another run finds out ends at once, and the other goes on', async () => {
    const slow: PytestSuite = {
      ...split,
      files: { 'test_it.py': 'import solution\ndef test_it(): assert solution.solve()' },
      reference: { language: 'python', source: 'def solve(): return True' },
    };
    // The reference is held in its box until the test lets it go.
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let holding = () => {};
    const isHeld = new Promise<void>((resolve) => {
      holding = resolve;
    });
    const holdingSandbox: Sandbox = {
      name: 'holding',
      async open(spec) {
        if (spec.artifact !== null && 'source' in spec.artifact && spec.artifact.source.endsWith('True')) {
          holding();
          await held;
        }
        return sandbox.open(spec);
      },
      close: async () => {},
    };
    const judge = createJudge({ sandbox: holdingSandbox, concurrency: 3 });
    const run = (signal?: AbortSignal) =>
      judge.run({
        artifact: { language: 'python', source: 'def solve(): return 1' },
        suite: slow,
        ...(signal ? { signal } : {}),
      });
    const [first, second] = [new AbortController(), new AbortController()];
    const began = run(first.signal).catch((reason: unknown) => reason);
    await isHeld;
    const waiting = run(second.signal).catch((reason: unknown) => reason);
    const other = run();
    await pause(20);
    second.abort('enough');
    // The first has not ended, and still waits for its box.
    expect(await waiting).toBe('enough');
    // A typed reason is no less another run's.
    first.abort(new JudgeError('CLOSED', 'The caller has closed'));
    letGo();
    expect(await began).toMatchObject({ code: 'CLOSED' });
    expect((await other).outcome).toBe('SUCCESS');
    await judge.close();
  });

  it('X-8 one box that cannot be made does not leave the other behind', async () => {
    let opened = 0;
    let closed = 0;
    const broken: Sandbox = {
      name: 'broken',
      async open(spec) {
        const ours = spec.limits.wallMs === 240_000;
        if (spec.artifact !== null && ours) throw new JudgeError('INFRA', 'no room');
        const box = await sandbox.open(spec);
        if (spec.artifact !== null) return box;
        opened += 1;
        const close = async () => {
          closed += 1;
          return box.close();
        };
        return { ...box, close };
      },
      close: async () => {},
    };
    const judge = createJudge({ sandbox: broken });
    const run = judge.run({ artifact, suite: split, limits: { wallMs: 240_000 } });
    // Boxes of known programs can be made, so that the limits of this suite are at fault.
    await expect(run).rejects.toMatchObject({ code: 'SUITE_INVALID', cause: { code: 'INFRA' } });
    await judge.close();
    expect([opened > 0, closed]).toEqual([true, opened]);
    expect(await leftOver(sandbox)).toEqual([]);
  });
});
