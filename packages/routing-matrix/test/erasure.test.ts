import { seededRandom } from '@bonafide/internal';
import { expect, it } from 'vitest';
import { createBackup, createMemoryRoutingStore, createRoutingMatrix, restoreBackup } from '../src/index.ts';
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

it('erasing an operator leaves a restored snapshot readable, without that operator (LED-33, RTM-20)', async () => {
  const lost = createMemoryRoutingStore();
  const clock = manualClock();
  const matrix = createRoutingMatrix({ store: lost, clock, random: seededRandom(1) });
  for (const n of [1, 2, 3]) {
    await matrix.register({ platform: platform(n), name: `Shop ${n}`, taskTypes: ['code'] });
    for (let attempt = 0; attempt < 3; attempt += 1)
      await matrix.recordBenchmark({
        platform: platform(n),
        taskType: 'code',
        attemptId: `${n}-${attempt}`,
        verdict: good(),
      });
  }
  for (let job = 0; job < 5; job += 1) {
    const { picks } = await matrix.select({ taskType: 'code', jobId: `job-${job}` });
    for (const { platform: chosen } of picks)
      await matrix.recordOutcome({
        jobId: `job-${job}`,
        platform: chosen,
        taskType: 'code',
        outcome: 'SUCCESS',
      });
  }
  const messages: string[] = [];
  const backup = createBackup({
    matrix,
    store: lost,
    sink: { send: async (each) => void messages.push(each) },
  });
  await backup.flush();
  await backup.close();
  const store = createMemoryRoutingStore();
  await restoreBackup(messages, store, { clock });
  const before = await createRoutingMatrix({ store, clock }).entries();
  expect(before).toHaveLength(3);

  expect((await store.erasePeer(key(1))).erased.records).toBe(1);
  expect(JSON.stringify(await store.readAfter(0, 10))).not.toMatch(new RegExp(`${key(1)}|Shop 1`, 'u'));
  const again = createRoutingMatrix({ store, clock });
  const after = await again.entries();
  expect(await again.quarantined()).toEqual([]);
  const trust = (entries: typeof before) => entries.map(({ trustScore }) => trustScore).sort();
  expect(trust(after)).toEqual(trust(before));
  expect(after.filter(({ platform: { pubkey } }) => [key(2), key(3)].includes(pubkey))).toEqual(
    before.filter(({ platform: { pubkey } }) => pubkey !== key(1)),
  );
});
