import {
  type DescribeStoreOptions,
  describeStore,
  type OpenStore,
  type StoreGroups,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import { advanceProvided, type ProvidedEvent } from '../provider/provided-job.ts';
import type { ProvidedQuery, ProviderStore } from '../provider/provider-store.ts';
import { sampleEvent, sampleId, sampleProvided } from './samples.ts';

const at = 1_700_000_002_000;
const answerOf = (number: number, kind = 6000) => sampleEvent(number, { kind, content: 'done \u0000 ✓' });
const chargeOf = (number: number) => ({
  amountMsat: 5,
  bolt11: 'lnbc1',
  paymentHash: sampleId(number),
  expiresAt: at,
});

/** Events after which a payment is owed: paid, and cancelled before the answer. */
const owed: readonly ProvidedEvent[] = [
  { type: 'charged', charge: chargeOf(31) },
  { type: 'paid', at },
  { type: 'dropped', at },
];

/** Applies events to request `number` in the store. */
async function step(store: ProviderStore, number: number, ...events: ProvidedEvent[]) {
  for (const event of events) {
    const job = await store.get(sampleId(number));
    if (job === null) throw new Error(`Request ${number} is not stored.`);
    expect(await store.update(advanceProvided(job, event))).toBe(true);
  }
}

const idsOf = async (store: ProviderStore, query: ProvidedQuery) =>
  (await store.list(query)).items.map(({ requestId }) => requestId);

const groups = {
  taking: {
    'takes a request once': async (store) => {
      const job = sampleProvided(10);
      expect(await store.get(job.requestId)).toBeNull();
      expect(await store.take(job)).toBe(true);
      expect(await store.take({ ...job, receivedAt: 5 })).toBe(false);
      expect(await store.get(job.requestId)).toEqual(job);
    },
    'takes a request once when it comes many times at once': async (store) => {
      const taken = await Promise.all(Array.from({ length: 10 }, () => store.take(sampleProvided(10))));
      expect(taken.filter(Boolean)).toHaveLength(1);
    },
  },
  writing: {
    'stores every field': async (store) => {
      await store.take(sampleProvided(10));
      await step(
        store,
        10,
        { type: 'claimed', holder: 'a' },
        { type: 'charged', charge: chargeOf(30) },
        { type: 'paid', at },
        { type: 'begun' },
        { type: 'partial', at },
        { type: 'answered', answer: answerOf(20), at: at + 1 },
        { type: 'published', at: at + 2 },
        { type: 'receipt', receipt: answerOf(21) },
      );
      expect(await store.get(sampleId(10))).toEqual({
        ...sampleProvided(10),
        revision: 9,
        partialAt: at,
        holder: 'a',
        charge: chargeOf(30),
        paidAt: at,
        attempts: 1,
        answer: answerOf(20),
        answeredAt: at + 1,
        publishedAt: at + 2,
        receipt: answerOf(21),
      });
      await store.take(sampleProvided(11));
      await step(
        store,
        11,
        { type: 'charged', charge: chargeOf(31) },
        { type: 'dropped', at },
        { type: 'unpaid', at: at + 1 },
      );
      expect(await store.get(sampleId(11))).toMatchObject({ droppedAt: at, unpaidAt: at + 1 });
    },
    'of two answers at the same time keeps one': async (store) => {
      const job = sampleProvided(10);
      await store.take(job);
      const writes = await Promise.all(
        [20, 21, 22].map((number) =>
          store.update(advanceProvided(job, { type: 'answered', answer: answerOf(number), at })),
        ),
      );
      expect(writes.filter(Boolean)).toHaveLength(1);
      expect((await store.get(job.requestId))?.revision).toBe(2);
    },
    'writes nothing that was not taken': async (store) => {
      expect(await store.update(advanceProvided(sampleProvided(10), { type: 'begun' }))).toBe(false);
      expect(await store.get(sampleId(10))).toBeNull();
    },
  },
  listing: {
    'lists what is unfinished, oldest first': async (store) => {
      for (const number of [10, 11, 12, 13, 14, 15])
        await store.take(sampleProvided(number, { receivedAt: 2_000 - number }));
      await step(store, 10, { type: 'answered', answer: answerOf(20), at });
      await step(store, 11, { type: 'answered', answer: answerOf(21), at }, { type: 'published', at });
      await step(store, 12, { type: 'dropped', at });
      // Cancelled and answered, but the wallet has not decided about the invoice.
      await step(store, 14, { type: 'charged', charge: chargeOf(34) }, { type: 'dropped', at });
      await step(
        store,
        15,
        { type: 'charged', charge: chargeOf(35) },
        { type: 'dropped', at },
        { type: 'unpaid', at },
      );
      expect(await idsOf(store, 'unfinished')).toEqual([14, 13, 10].map(sampleId));
    },
    'lists payments without delivery until they are refunded': async (store) => {
      for (const number of [10, 11, 12, 13]) {
        await store.take(sampleProvided(number, { receivedAt: number }));
        await step(store, number, { type: 'charged', charge: chargeOf(20 + number) }, { type: 'paid', at });
      }
      await step(store, 10, { type: 'answered', answer: answerOf(20), at });
      await step(store, 11, { type: 'answered', answer: answerOf(21, 7000), at });
      await step(store, 12, { type: 'dropped', at });
      expect(await idsOf(store, 'owed')).toEqual([11, 12].map(sampleId));
      await step(store, 12, { type: 'refunded', at });
      expect(await idsOf(store, 'owed')).toEqual([sampleId(11)]);
    },
    'gives pages without gap or repetition': async (store) => {
      for (let number = 0; number < 7; number += 1)
        await store.take(sampleProvided(10 + number, { receivedAt: 1_000 + Math.floor(number / 3) }));
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<ProviderStore['list']>> = await store.list('unfinished', {
          limit: 2,
          ...(cursor ? { cursor } : {}),
        });
        seen.push(...page.items.map(({ requestId }) => requestId));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(Array.from({ length: 7 }, (_, number) => sampleId(10 + number)));
      await expect(store.list('owed', { cursor: 'x' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
    'lists receipts': async (store) => {
      await store.take(sampleProvided(10));
      await store.take(sampleProvided(11));
      await step(store, 11, { type: 'receipt', receipt: answerOf(21) });
      expect(await idsOf(store, 'receipts')).toEqual([sampleId(11)]);
    },
  },
  sharing: {
    'gives a request to one of two processes': async (store, { reopen }) => {
      const other = (await reopen?.()) ?? store;
      const job = sampleProvided(10);
      const taken = await Promise.all([store, other].map((each) => each.take(job)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const claims = await Promise.all(
        Object.entries({ a: store, b: other }).map(([holder, each]) =>
          each.update(advanceProvided(job, { type: 'claimed', holder })),
        ),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      const holder = claims[0] ? 'a' : 'b';
      expect(await store.get(job.requestId)).toMatchObject({ holder, revision: 2 });
      expect(await other.get(job.requestId)).toMatchObject({ holder, revision: 2 });
    },
    'knows which holders are alive': async (store, { reopen }) => {
      const other = (await reopen?.()) ?? store;
      expect(await store.lease('a', { now: 100, until: 200 })).toEqual(['a']);
      expect(await other.lease('b', { now: 200, until: 300 })).toEqual(['b']);
    },
  },
  pruning: {
    'deletes old requests, and keeps unfinished and owed ones': async (store) => {
      for (const number of [10, 11, 12, 13]) await store.take(sampleProvided(number));
      const done = [
        { type: 'answered', answer: answerOf(20), at },
        { type: 'published', at },
      ] as const;
      await step(store, 10, ...done);
      await step(store, 11, ...owed);
      await step(store, 12, { type: 'answered', answer: answerOf(21), at });
      expect(await store.prune({ before: at })).toBe(0);
      expect(await store.prune({ before: at + 1 })).toBe(1);
      expect(await store.get(sampleId(10))).toBeNull();
      expect(await store.get(sampleId(12))).not.toBeNull();
    },
  },
  erasing: {
    'erases the finished requests of a customer, and keeps unfinished and owed ones': async (
      store,
      _,
      skip,
    ) => {
      if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
      const done = [
        { type: 'answered', answer: answerOf(20), at },
        { type: 'published', at },
        { type: 'receipt', receipt: answerOf(21) },
      ] as const;
      for (const number of [10, 11, 12]) await store.take(sampleProvided(number));
      await store.take(sampleProvided(13, { customer: sampleId(4) }));
      await step(store, 10, ...done);
      await step(store, 11, ...owed);
      await step(store, 13, ...done);
      const counts = { erased: { requests: 1 }, kept: { requests: 2 } };
      expect(await store.erasePeer(sampleId(3), { preview: true })).toEqual(counts);
      expect(await store.get(sampleId(10))).not.toBeNull();
      expect(await store.erasePeer(sampleId(3))).toEqual(counts);
      expect(await store.get(sampleId(10))).toBeNull();
      expect(await idsOf(store, 'owed')).toEqual([sampleId(11)]);
      expect(await idsOf(store, 'receipts')).toEqual([sampleId(13)]);
    },
  },
  agents: {
    'lets each of the agents that share a database answer the same request': async (store, opened, skip) => {
      if (opened.forAgent === undefined) return skip('agents cannot share this store');
      const other = await opened.forAgent('another-agent');
      const job = sampleProvided(10);
      expect(await store.take(job)).toBe(true);
      expect(await other.get(job.requestId)).toBeNull();
      expect(await idsOf(other, 'unfinished')).toEqual([]);
      expect(await other.update(advanceProvided(job, { type: 'begun' }))).toBe(false);
      expect(await other.take(job)).toBe(true);
      await step(
        other,
        10,
        { type: 'receipt', receipt: answerOf(21) },
        { type: 'answered', answer: answerOf(20), at },
        { type: 'published', at },
      );
      expect(await store.get(job.requestId)).toEqual(job);
      expect(await idsOf(store, 'receipts')).toEqual([]);
      await store.setWatermark('wss://one.example', 100);
      expect(await other.watermark('wss://one.example')).toBeNull();
      await other.setWatermark('wss://one.example', 5);
      expect(await store.watermark('wss://one.example')).toBe(100);
      const erased = await store.erasePeer?.(sampleId(3));
      if (erased !== undefined) expect(erased).toEqual({ erased: { requests: 0 }, kept: { requests: 1 } });
      expect(await store.prune({ before: at + 1 })).toBe(0);
      expect(await other.prune({ before: at + 1 })).toBe(1);
      expect(await store.get(job.requestId)).toEqual(job);
    },
  },
  lasting: {
    'remembers per relay and filter how far was read, and never goes back': async (store) => {
      expect(await store.watermark('wss://one.example')).toBeNull();
      await store.setWatermark('wss://one.example', 100);
      await store.setWatermark('wss://one.example', 90);
      await store.setWatermark('wss://two.example', 5);
      expect(await store.watermark('wss://one.example')).toBe(100);
      await store.setWatermark('wss://one.example', 110);
      expect(await store.watermark('wss://one.example')).toBe(110);
      expect(await store.watermark('wss://two.example')).toBe(5);
    },
    'finds everything again after a restart': async (store, opened, skip) => {
      if (opened.reopen === undefined) return skip('data does not outlive the object');
      await store.take(sampleProvided(10));
      await step(store, 10, { type: 'answered', answer: answerOf(20), at });
      await store.setWatermark('wss://one.example', 100);
      const again = await opened.reopen();
      expect(await idsOf(again, 'unfinished')).toEqual([sampleId(10)]);
      expect(await again.take(sampleProvided(10))).toBe(false);
      expect(await again.watermark('wss://one.example')).toBe(100);
    },
  },
} satisfies StoreGroups<ProviderStore>;

/** Runs the conformance suite of {@link ProviderStore} against an adapter. */
export function testProviderStore(
  name: string,
  open: OpenStore<ProviderStore>,
  options?: DescribeStoreOptions<keyof typeof groups>,
): void {
  describeStore(name, open, groups, options);
}
