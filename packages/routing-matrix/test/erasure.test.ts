import { seededRandom } from '@bonafide/internal';
import { expect, it } from 'vitest';
import { createMemoryRoutingStore, createRoutingMatrix } from '../src/index.ts';
import { good, key, manualClock, platform, start, verdict } from './support.ts';

it('a matrix over the log of an erased operator decides by the same numbers, and knows it as nobody (LED-33)', async () => {
  const store = createMemoryRoutingStore();
  const clock = manualClock();
  const open = () => createRoutingMatrix({ store, clock, random: seededRandom(1) });
  const matrix = open();
  for (const n of [0, 1, 2]) {
    await matrix.register({ platform: platform(n), name: `Shop ${n}`, taskTypes: ['code'] });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      clock.advance(60_000);
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType: 'code',
        attemptId: `${n}-${attempt}`,
        verdict: n === 1 ? verdict('PARTIAL', 0.85) : good(),
      });
    }
  }
  for (let job = 0; job < 10; job += 1) {
    clock.advance(60_000);
    const { picks } = await matrix.select({ taskType: 'code', jobId: `job-${job}` });
    for (const { platform: chosen } of picks)
      await matrix.recordOutcome({
        jobId: `job-${job}`,
        platform: chosen,
        taskType: 'code',
        outcome: job % 4 === 3 ? 'FAILURE' : 'SUCCESS',
      });
  }
  await matrix.direct({ platform: platform(1), action: 'deny', reason: 'Shop 1 asked to be forgotten' });
  const before = await matrix.entries();
  await matrix.close();

  expect((await store.erasePeer(key(1))).erased.records).toBeGreaterThan(4);
  expect(JSON.stringify(await store.readAfter(0, 1_000))).not.toMatch(new RegExp(`${key(1)}|Shop 1`, 'u'));
  await using again = open();
  const after = await again.entries();
  const numbers = (entries: typeof before) =>
    entries
      .map((entry) =>
        JSON.stringify(entry, (name, value) =>
          ['platform', 'platformId', 'name', 'reason', 'statusReason', 'explanation'].includes(name)
            ? undefined
            : value,
        ),
      )
      .sort();
  expect(numbers(after)).toEqual(numbers(before));
  expect(after.some(({ platform: { pubkey } }) => pubkey === key(1))).toBe(false);
  expect(after.filter(({ platform: { pubkey } }) => [key(0), key(2)].includes(pubkey))).toEqual(
    before.filter(({ platform: { pubkey } }) => pubkey !== key(1)),
  );
  // It comes back as a new one.
  await again.register({ platform: platform(1), name: 'Shop 1', taskTypes: ['code'], at: start });
  expect((await again.entries()).some(({ platform: { pubkey } }) => pubkey === key(1))).toBe(true);
});
