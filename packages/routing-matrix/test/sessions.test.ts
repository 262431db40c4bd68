import { seededRandom } from '@bonafide/internal';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRoutingStore,
  createRoutingMatrix,
  learnedStrategy,
  type Outcome,
  type SelectionStrategy,
} from '../src/index.ts';
import { good, manualClock, platform } from './support.ts';

const taskType = 'code';

const uniform: SelectionStrategy = {
  name: 'uniform',
  version: '1',
  distribution: (_, candidates) => candidates.map(() => 1 / candidates.length),
};

/** A matrix that spreads jobs without a session over all its platforms. */
async function setUp(platforms = 8, strategy: SelectionStrategy = uniform) {
  const clock = manualClock();
  const store = createMemoryRoutingStore();
  const open = () =>
    createRoutingMatrix({
      store,
      clock,
      random: seededRandom(4),
      strategy,
      config: { maxShare: 1 },
    });
  const matrix = open();
  for (let n = 1; n <= platforms; n += 1) {
    await matrix.register({ platform: platform(n), taskTypes: [taskType, 'prose'], priceMsat: 100 });
    for (const type of [taskType, 'prose'])
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType: type,
          attemptId: `${n} ${type} ${i}`,
          verdict: good(),
        });
  }
  let jobs = 0;
  const job = async (
    session: string | null,
    outcome: Outcome | null = 'SUCCESS',
    on = matrix,
    type = taskType,
  ) => {
    clock.advance(60_000);
    const jobId = `job-${++jobs}`;
    const { picks, candidates } = await on.select({ taskType: type, jobId, session, valueMsat: 1_000 });
    const [pick] = picks;
    if (pick === undefined) throw new Error('No platform was eligible');
    if (outcome !== null) await on.recordOutcome({ jobId, platform: pick.platform, taskType: type, outcome });
    return { ...pick, candidates };
  };
  return { clock, matrix, open, job };
}

describe('sessions', () => {
  it('RTM-8 keeps the jobs of a session at one platform, and says so, also after a restart', async () => {
    const { job, open } = await setUp();
    const first = await job('chat');
    for (let i = 0; i < 20; i += 1) {
      await job(null);
      const next = await job('chat');
      expect(next.platformId).toBe(first.platformId);
      expect(next).toMatchObject({ probability: 1, reason: 'it did the last job of the session' });
    }
    expect((await job('chat', 'SUCCESS', open())).platformId).toBe(first.platformId);
    // Without a session the jobs are spread: the test could not fail otherwise.
    const others = new Set<string>();
    for (let i = 0; i < 20; i += 1) others.add((await job(null, null)).platformId);
    expect(others.size).toBeGreaterThan(1);
  });

  it('RTM-8 a session is one of its task type, and of its name', async () => {
    const { job, matrix } = await setUp();
    const { platform: first } = await job('chat');
    await matrix.direct({ platform: first, action: 'deny', taskType: 'prose', reason: 'Not for prose' });
    const prose = await job('chat', 'SUCCESS', matrix, 'prose');
    expect(prose.platform).not.toEqual(first);
    expect((await job('chat')).platform).toEqual(first);
    expect((await job('prose","chat', 'SUCCESS', matrix, 'prose')).reason).not.toContain('session');
  });

  it.each(['FAILURE', 'ERROR'] as const)('RTM-8 a session leaves a platform after %s', async (outcome) => {
    const { job } = await setUp();
    await job('chat', outcome);
    expect((await job('chat')).reason).not.toContain('session');
    const second = await job('chat');
    expect(second.reason).toContain('session');
    await job('chat', 'INFRA');
    expect((await job('chat')).platformId).toBe(second.platformId);
  });

  it('RTM-8 excluding, denying or suspending the platform ends its turn, and the pinned one comes first', async () => {
    const { job, matrix } = await setUp();
    const { platform: first, platformId } = await job('chat');
    const { picks } = await matrix.select(
      { taskType, session: 'chat', valueMsat: 1_000 },
      { exclude: [first] },
    );
    expect(picks[0]?.platformId).not.toBe(platformId);
    const moved = await job('chat');
    expect(moved.platformId).toBe(picks[0]?.platformId);
    await matrix.direct({ platform: moved.platform, action: 'deny', reason: 'No' });
    const next = await job('chat');
    expect(next.platformId).not.toBe(moved.platformId);
    await matrix.direct({ platform: first, action: 'pin', reason: 'Mine' });
    expect((await job('chat')).reason).toBe('pinned by the operator');
  });

  it('RTM-8 a session leaves a platform that is degraded, or whose trust is below the threshold', async () => {
    for (const more of [1, 6]) {
      const { job, matrix } = await setUp();
      const { platform: first } = await job('chat');
      // Three timeouts reduce its allocation; more of them bring its trust below the threshold.
      for (let i = 0; i < 3 * more; i += 1)
        await matrix.recordOutcome({
          jobId: `elsewhere ${i}`,
          platform: first,
          taskType,
          outcome: 'ERROR',
          measurements: { errorKind: 'timeout' },
        });
      const entry = await matrix.entry(taskType, first);
      expect((entry?.trustScore ?? 1) < 0.5 || (entry?.allocation ?? 1) < 1).toBe(true);
      expect((await job('chat')).reason).not.toContain('session');
    }
  });

  it('RTM-8 RTM-25 many small jobs of a session do not license a large one', async () => {
    const { matrix, clock } = await setUp(4, learnedStrategy());
    let jobs = 0;
    const job = async (session: string | null, valueMsat: number, n: number | null = null) => {
      clock.advance(60_000);
      const jobId = `job-${++jobs}`;
      const exclude =
        n === null ? [] : [1, 2, 3, 4].filter((each) => each !== n).map((each) => platform(each));
      const decision = await matrix.select({ taskType, jobId, session, valueMsat }, { exclude });
      const [pick] = decision.picks;
      if (pick === undefined) throw new Error('No platform was eligible');
      await matrix.recordOutcome({ jobId, platform: pick.platform, taskType, outcome: 'SUCCESS' });
      return { ...pick, degraded: decision.degraded };
    };
    // Platform 2 has large jobs behind it, platform 1 small ones in a session.
    for (let i = 0; i < 40; i += 1) {
      await job(null, 100 + i, 3);
      await job('bait', 100, 1);
      if (i % 4 === 0) await job(null, 500_000, 2);
    }
    expect((await job('bait', 100)).reason).toBe('it did the last job of the session');
    const large = await job('bait', 900_000);
    expect(large).toMatchObject({ platform: platform(2), degraded: false });
    expect(large.reason).not.toContain('session');
  });

  it('RTM-8 a session leaves a platform that raises its price, and keeps one that lowers it', async () => {
    const { matrix, job } = await setUp();
    const { platform: first } = await job('chat');
    const ask = (priceMsat: number | null) =>
      matrix.register({ platform: first, taskTypes: [taskType, 'prose'], priceMsat });
    // Step by step is no other way: the lowest price counts.
    for (const [priceMsat, stays] of [
      [80, true],
      [115, true],
      [120, true],
      [125, false],
    ] as const) {
      await ask(priceMsat);
      expect((await job('chat')).reason.includes('session'), `${priceMsat}`).toBe(stays);
    }
  });

  it('RTM-8 a session leaves a platform of which nothing was heard', async () => {
    const { job, clock } = await setUp();
    await job('chat', null);
    clock.advance(8 * 60_000);
    expect((await job('chat', null)).reason).toContain('session');
    clock.advance(2 * 60_000);
    expect((await job('chat')).reason).not.toContain('session');
  });

  it('RTM-8 RTM-26 considers the platform of a session that is not on the shortlist', async () => {
    const { job, matrix } = await setUp(90);
    await matrix.direct({ platform: platform(90), action: 'pin', reason: 'For one job' });
    expect((await job('chat')).platform).toEqual(platform(90));
    await matrix.direct({ platform: platform(90), action: 'unpin', reason: 'Enough' });
    for (let i = 0; i < 70; i += 1) await job(null);
    expect((await job('chat')).platform).toEqual(platform(90));
  });
});
