import { seededRandom } from '@bonafide/internal';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  type DirectiveAction,
  type DirectiveSource,
  type ExclusionReason,
} from '../src/index.ts';
import { directiveActionSchema } from '../src/schemas.ts';
import { good, manualClock, platform, start } from './support.ts';

const taskType = 'code';
const idOf = (n: number) => `${platform(n).pubkey}:main`;

async function setUp() {
  const clock = manualClock();
  const store = createMemoryRoutingStore();
  const open = () => createRoutingMatrix({ store, clock, random: seededRandom(3) });
  const matrix = open();
  for (const n of [1, 2, 3, 4]) {
    await matrix.register({ platform: platform(n), taskTypes: [taskType, 'prose'] });
    for (const type of [taskType, 'prose']) {
      for (let i = 0; i < 3; i += 1) {
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType: type,
          attemptId: `${n} ${type} ${i}`,
          verdict: good(),
        });
      }
    }
  }
  const give = (
    source: DirectiveSource,
    action: DirectiveAction,
    more: { n?: number; taskType?: string; untilAt?: number; violation?: boolean; id?: string } = {},
  ) => {
    const { n = 1, ...rest } = more;
    return matrix.direct({ platform: platform(n), source, action, reason: 'r', ...rest });
  };
  /** Why a platform gets no work of a type; `null` when it may. */
  const reasonFor = async (n = 1, type = taskType): Promise<ExclusionReason | null> => {
    const { excluded } = await matrix.select({ taskType: type, valueMsat: 1 });
    return excluded.find(({ platformId }) => platformId === idOf(n))?.reason ?? null;
  };
  return { clock, open, matrix, give, reasonFor };
}

describe('directives', () => {
  const cases: readonly (readonly [DirectiveAction, DirectiveAction, ExclusionReason])[] = [
    ['deny', 'allow', 'denied'],
    ['refuse', 'allow', 'refused'],
    ['suspend', 'resume', 'suspended'],
    ['quarantine', 'readmit', 'quarantined'],
    ['remove', 'readmit', 'removed'],
  ];

  it.each(cases)('RTM-25 RTM-8 only its own source lifts %s', async (action, lifting, reason) => {
    for (const [source, other] of [
      ['operator', 'policy'],
      ['policy', 'operator'],
    ] as const) {
      const { give, reasonFor } = await setUp();
      await give(source, action, { violation: true });
      expect(await reasonFor()).toBe(reason);
      await give(other, lifting);
      expect(await reasonFor()).toBe(reason);
      await give(source, lifting);
      expect(await reasonFor()).not.toBe(reason);
    }
  });

  it('RTM-25 of two refusals the one without a trial holds, in any order', async () => {
    for (const sources of [
      ['operator', 'policy'],
      ['policy', 'operator'],
    ] as const) {
      const { clock, give, reasonFor } = await setUp();
      for (const source of sources) await give(source, 'refuse');
      clock.advance(2 * 86_400_000);
      expect(await reasonFor()).toBe('refused');
      await give('operator', 'allow');
      expect(await reasonFor()).toBeNull();
    }
  });

  it('RTM-8 of two suspensions the longer one holds, and neither source shortens the other', async () => {
    const { clock, give, reasonFor } = await setUp();
    await give('operator', 'suspend', { untilAt: start + 10_000 });
    await give('policy', 'suspend', { untilAt: start + 1_000 });
    clock.advance(5_000);
    expect(await reasonFor()).toBe('suspended');
    await give('policy', 'suspend', { untilAt: start + 20_000 });
    clock.advance(10_000);
    expect(await reasonFor()).toBe('suspended');
    await give('operator', 'suspend', { untilAt: start + 30_000 });
    await give('operator', 'resume');
    clock.advance(4_000);
    expect(await reasonFor()).toBe('suspended');
    clock.advance(1_000);
    expect(await reasonFor()).toBeNull();
  });

  it('RTM-8b RTM-8 a shorter suspension of the same source does not shorten the first', async () => {
    const { clock, give, reasonFor } = await setUp();
    await give('policy', 'suspend', { untilAt: start + 10_000 });
    await give('policy', 'suspend', { untilAt: start + 1_000 });
    clock.advance(5_000);
    expect(await reasonFor()).toBe('suspended');
  });

  it('RTM-8 an operator’s pin outranks that of a policy, which does not end it', async () => {
    const { matrix, give } = await setUp();
    const first = async () => (await matrix.select({ taskType, valueMsat: 1 })).picks[0]?.platformId;
    await give('operator', 'pin', { n: 1 });
    await give('policy', 'pin', { n: 2, taskType });
    expect(await first()).toBe(idOf(1));
    await give('policy', 'unpin', { n: 1 });
    expect(await first()).toBe(idOf(1));
    await give('operator', 'unpin', { n: 1 });
    expect(await first()).toBe(idOf(2));
  });

  it('RTM-8 lifting for every task type lifts each; lifting for one leaves the others', async () => {
    const { give, reasonFor } = await setUp();
    await give('operator', 'deny', { taskType });
    await give('operator', 'deny', { taskType: 'prose' });
    await give('operator', 'allow', { taskType: 'prose' });
    expect([await reasonFor(1), await reasonFor(1, 'prose')]).toEqual(['denied', null]);
    await give('operator', 'deny', { taskType: 'prose' });
    await give('operator', 'allow');
    expect([await reasonFor(1), await reasonFor(1, 'prose')]).toEqual([null, null]);
  });

  it('RTM-20 registering again ends the quarantine of a recovery, but not the one of an operator', async () => {
    const { matrix, give, reasonFor } = await setUp();
    await matrix.reconcile([3, 4].map((n) => platform(n)));
    await give('operator', 'quarantine');
    for (const n of [1, 2]) {
      expect(await reasonFor(n)).toBe('quarantined');
      await matrix.register({ platform: platform(n), taskTypes: [taskType, 'prose'] });
    }
    expect([await reasonFor(1), await reasonFor(2)]).toEqual(['quarantined', null]);
  });

  it('RTM-12 what an operator removed stays removed in task types that it offers later', async () => {
    const { matrix, give } = await setUp();
    await give('operator', 'remove');
    await matrix.register({ platform: platform(1), taskTypes: [taskType, 'prose', 'poems'] });
    expect((await matrix.entry('poems', platform(1)))?.status).toBe('REMOVED');
    await give('operator', 'readmit');
    expect((await matrix.entry('poems', platform(1)))?.status).toBe('EVALUATING');
  });

  it('RTM-12 a policy admits no rejected platform to another evaluation: that takes the operator', async () => {
    const { matrix, give } = await setUp();
    for (let i = 0; i < 3; i += 1) {
      await matrix.recordBenchmark({
        platform: platform(9),
        taskType,
        attemptId: `bad ${i}`,
        verdict: { outcome: 'FAILURE', passRate: 0 },
      });
    }
    const due = async () => (await matrix.dueProbes()).some(({ platformId }) => platformId === idOf(9));
    await give('policy', 'readmit', { n: 9 });
    expect(await due()).toBe(false);
    await give('operator', 'readmit', { n: 9 });
    expect(await due()).toBe(true);
  });

  it('RTM-25 an id that a policy used before does not swallow an operator’s directive', async () => {
    const { give, reasonFor } = await setUp();
    await give('policy', 'refuse', { id: 'x' });
    expect(await give('operator', 'deny', { id: 'x' })).toEqual({ recorded: true });
    expect(await reasonFor()).toBe('denied');
  });

  it('RTM-25 the entry says which directives hold', async () => {
    const { matrix, give, open } = await setUp();
    await give('policy', 'refuse');
    await give('operator', 'suspend', { taskType, untilAt: start + 1_000 });
    await give('operator', 'deny', { taskType: 'prose' });
    const expected = [
      { source: 'operator', action: 'suspend', untilAt: start + 1_000 },
      { source: 'policy', action: 'refuse', untilAt: null },
    ];
    expect((await matrix.entry(taskType, platform(1)))?.directives).toEqual(expected);
    expect((await open().entry(taskType, platform(1)))?.directives).toEqual(expected);
  });

  it('RTM-12 RTM-25 a policy’s readmission does not end what the matrix decided itself', async () => {
    const { matrix } = await setUp();
    await matrix.recordOutcome({
      jobId: 'damage',
      platform: platform(1),
      taskType,
      outcome: 'ERROR',
      measurements: { errorKind: 'disk' },
    });
    const status = async () => (await matrix.entry(taskType, platform(1)))?.status;
    const decided = await status();
    expect(['SUSPENDED', 'REDUCED']).toContain(decided);
    await matrix.direct({ platform: platform(1), action: 'readmit', source: 'policy', reason: 'Again' });
    expect(await status()).toBe(decided);
    await matrix.direct({ platform: platform(1), action: 'readmit', source: 'operator', reason: 'Again' });
    expect(await status()).not.toBe(decided);
  });

  it('RTM-25 no sequence of a policy’s directives lifts what an operator ordered', async () => {
    const policyAction = fc.constantFrom(...directiveActionSchema.options);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cases),
        fc.array(fc.record({ action: policyAction, typed: fc.boolean(), soon: fc.boolean() }), {
          maxLength: 8,
        }),
        async ([action], words) => {
          const { give, open } = await setUp();
          await give('operator', action);
          for (const word of words) {
            await give('policy', word.action, {
              ...(word.typed ? { taskType } : {}),
              ...(word.soon ? { untilAt: start + 1 } : {}),
            });
          }
          const reopened = open();
          const decision = await reopened.select({ taskType, valueMsat: 1 }, { n: 4 });
          expect(decision.picks.map(({ platformId }) => platformId)).not.toContain(idOf(1));
        },
      ),
      { numRuns: 60 },
    );
  });
});
