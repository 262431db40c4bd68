import { seededRandom, sha256Hex } from '@bonafide/internal';
import { expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix } from '../src/index.ts';
import { good, manualClock, platform } from './support.ts';

/** Returns a digest of the choices in a market with platforms that fall, directives, sessions and replicas. */
async function choices(strategy: 'learned' | 'tiered', platforms: number) {
  const clock = manualClock();
  const random = seededRandom(5);
  const matrix = createRoutingMatrix({
    store: createMemoryRoutingStore(),
    clock,
    random: seededRandom(6),
    newId: () => `id-${random()}`,
    strategy,
  });
  const types = ['code', 'prose'];
  for (let n = 1; n <= platforms; n += 1) {
    await matrix.register({
      platform: platform(n),
      taskTypes: types,
      priceMsat: 100 + Math.floor(900 * random()),
    });
    for (const taskType of types)
      for (let i = 0; i < 3; i += 1)
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType,
          attemptId: `${n} ${taskType} ${i}`,
          verdict: good({ latencyMs: 300 + Math.floor(900 * random()) }),
        });
  }
  const made: string[] = [];
  for (let job = 0; job < 400; job += 1) {
    clock.advance(Math.floor(120_000 * random()));
    const taskType = types[Math.floor(2 * random())] ?? 'code';
    const jobId = `job-${job}`;
    if (job % 50 === 49)
      await matrix.direct({
        platform: platform(1 + Math.floor(platforms * random())),
        action: job % 100 === 99 ? 'deny' : 'refuse',
        source: 'policy',
        reason: 'Unpaid',
      });
    const { picks, candidates } = await matrix.select(
      {
        taskType,
        jobId,
        session: job % 7 === 0 ? `session ${job % 3}` : null,
        valueMsat: Math.floor(8_000 * Math.exp(2 * random() - 1)),
        deadlineMs: 60_000,
        difficulty: random(),
      },
      { n: job % 10 === 0 ? 3 : 1 },
    );
    const shown = candidates.map((each) => `${each.platformId} ${each.probability.toFixed(6)}`);
    made.push(picks.map(({ platformId }) => platformId).join(), shown.join());
    for (const { platform: picked } of picks) {
      const n = Number(`0x${picked.pubkey}`);
      const succeeds = random() < (n % 3 === 0 && job > 200 ? 0.4 : 0.6 + 0.35 * ((n % 7) / 7));
      await matrix.recordOutcome({
        jobId,
        platform: picked,
        taskType,
        outcome: succeeds ? 'SUCCESS' : 'FAILURE',
        measurements: { latencyMs: 400 + Math.floor(400 * random()) },
      });
    }
  }
  await matrix.close();
  return sha256Hex(made.join('\n')).slice(0, 16);
}

// A mended or faster decision makes the same choices. Who changes them on purpose writes the new digest here, and raises the
// version of the strategy, so that its snapshots are not used.
it.each([
  ['learned', 16, '09541c043cccc483'],
  ['learned', 90, 'e2f4d6012d0ac24d'],
  ['tiered', 16, '2e9662718424dd08'],
] as const)(
  'RTM-23 RTM-24 the choices of %s among %i platforms stay the same',
  async (strategy, platforms, digest) => {
    expect(await choices(strategy, platforms)).toBe(digest);
  },
);
