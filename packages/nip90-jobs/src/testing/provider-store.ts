import {
  type DescribeStoreOptions,
  describeStore,
  type OpenStore,
  type StoreGroups,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { ProviderStore } from '../store.ts';
import { sampleEvent, sampleId, sampleProvided } from './samples.ts';

const at = 1_700_000_002_000;
const answerOf = (number: number) => sampleEvent(number, { kind: 6000, content: 'done \u0000 ✓' });

const groups = {
  taking: {
    'takes a request once': async (store) => {
      const job = sampleProvided(10);
      expect(await store.getProvided(job.requestId)).toBeNull();
      expect(await store.take(job)).toBe(true);
      expect(await store.take({ ...job, receivedAt: 5 })).toBe(false);
      expect(await store.getProvided(job.requestId)).toEqual(job);
    },
    'takes a request once when it comes many times at once': async (store) => {
      const taken = await Promise.all(Array.from({ length: 10 }, () => store.take(sampleProvided(10))));
      expect(taken.filter(Boolean)).toHaveLength(1);
    },
  },
  answering: {
    'keeps the first answer': async (store) => {
      await store.take(sampleProvided(10));
      expect(await store.answer(sampleId(10), answerOf(20), at)).toEqual(answerOf(20));
      expect(await store.answer(sampleId(10), answerOf(21), at + 1)).toEqual(answerOf(20));
      expect(await store.getProvided(sampleId(10))).toMatchObject({
        answer: answerOf(20),
        answeredAt: at,
        publishedAt: null,
      });
    },
    'of two answers at the same time keeps one': async (store) => {
      await store.take(sampleProvided(10));
      const answers = await Promise.all(
        [20, 21, 22].map((number) => store.answer(sampleId(10), answerOf(number), at)),
      );
      expect(new Set(answers.map((answer) => answer?.id)).size).toBe(1);
    },
    'answers nothing that was not taken': async (store) => {
      expect(await store.answer(sampleId(10), answerOf(20), at)).toBeNull();
      await expect(store.published(sampleId(10), at)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    },
    'notes when the answer was published, once': async (store) => {
      await store.take(sampleProvided(10));
      await expect(store.published(sampleId(10), at)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
      await store.answer(sampleId(10), answerOf(20), at);
      await store.published(sampleId(10), at + 1);
      await store.published(sampleId(10), at + 2);
      expect(await store.getProvided(sampleId(10))).toMatchObject({ publishedAt: at + 1 });
    },
    'answers nothing that was dropped, and drops nothing that was answered': async (store) => {
      await store.take(sampleProvided(10));
      await store.drop(sampleId(10), at);
      expect(await store.answer(sampleId(10), answerOf(20), at)).toBeNull();
      expect(await store.getProvided(sampleId(10))).toMatchObject({ answer: null, droppedAt: at });
      await store.take(sampleProvided(11));
      await store.answer(sampleId(11), answerOf(21), at);
      await store.drop(sampleId(11), at);
      expect(await store.getProvided(sampleId(11))).toMatchObject({ answer: answerOf(21), droppedAt: null });
    },
  },
  charging: {
    'counts how often a handler was begun': async (store) => {
      await store.take(sampleProvided(10));
      await store.take(sampleProvided(11));
      expect(await store.begin(sampleId(10))).toBe(1);
      expect(await store.begin(sampleId(10))).toBe(2);
      expect(await store.begin(sampleId(11))).toBe(1);
      expect(await store.getProvided(sampleId(10))).toMatchObject({ attempts: 2 });
      await expect(store.begin(sampleId(12))).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    },
    'keeps the first invoice, and when it was first paid': async (store) => {
      const charge = { amountMsat: 5, bolt11: 'lnbc1', paymentHash: sampleId(30), expiresAt: at };
      expect(await store.charge(sampleId(10), charge)).toBeNull();
      await store.take(sampleProvided(10));
      expect(await store.charge(sampleId(10), charge)).toEqual(charge);
      expect(await store.charge(sampleId(10), { ...charge, amountMsat: 6 })).toEqual(charge);
      await store.paid(sampleId(10), at);
      await store.paid(sampleId(10), at + 1);
      expect(await store.getProvided(sampleId(10))).toMatchObject({ charge, paidAt: at });
    },
  },
  resuming: {
    'lists what is neither published nor dropped, oldest first': async (store) => {
      for (const number of [10, 11, 12, 13])
        await store.take(sampleProvided(number, { receivedAt: 2_000 - number }));
      await store.answer(sampleId(10), answerOf(20), at);
      await store.answer(sampleId(11), answerOf(21), at);
      await store.published(sampleId(11), at);
      await store.drop(sampleId(12), at);
      const unfinished = await store.listUnfinished();
      expect(unfinished.map(({ requestId }) => requestId)).toEqual([sampleId(13), sampleId(10)]);
      expect(unfinished[1]?.answer).toEqual(answerOf(20));
    },
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
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      await store.take(sampleProvided(10));
      await store.answer(sampleId(10), answerOf(20), at);
      await store.setWatermark('wss://one.example', 100);
      const again = await opened.reopen();
      expect(await again.listUnfinished()).toHaveLength(1);
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
