import {
  type DescribeStoreOptions,
  describeStore,
  type OpenStore,
  type StoreGroups,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { Job } from '../job.ts';
import type { JobStore } from '../store.ts';
import { advance, type JobEvent } from '../transition.ts';
import { sampleEvent, sampleId, sampleJob } from './samples.ts';

const at = 1_700_000_001_000;
const feedbackOf = (job: Job, number: number) => ({
  jobId: job.jobId,
  eventId: sampleId(number),
  receivedAt: at,
  event: sampleEvent(number, { kind: 7000 }),
});

/** Applies an event to the job in the store. */
async function step(store: JobStore, job: Job, event: JobEvent): Promise<Job> {
  const next = advance(job, event);
  expect(await store.update({ ...next, feedback: null })).toBe(true);
  return next.job;
}

const groups = {
  creating: {
    'returns a stored job as it was': async (store) => {
      const job = sampleJob(10, { idempotencyKey: "a 'key'", provider: null, message: 'ünïcode' });
      expect(await store.create(job)).toEqual({ job, created: true });
      expect(await store.get(job.jobId)).toEqual(job);
      expect(await store.getByKey("a 'key'")).toEqual(job);
    },
    'knows nothing of what was not stored': async (store) => {
      expect(await store.get(sampleId(10))).toBeNull();
      expect(await store.getByKey('none')).toBeNull();
      expect(await store.history(sampleId(10))).toEqual({ transitions: [], feedback: [] });
    },
    'keeps the first job of an idempotency key': async (store) => {
      const first = sampleJob(10, { idempotencyKey: 'k' });
      await store.create(first);
      expect(await store.create(sampleJob(11, { idempotencyKey: 'k' }))).toEqual({
        job: first,
        created: false,
      });
      expect(await store.get(sampleId(11))).toBeNull();
    },
    'keeps the first job of an id': async (store) => {
      const first = sampleJob(10);
      await store.create(first);
      expect(await store.create({ ...first, builtAt: 5 })).toEqual({ job: first, created: false });
    },
    'creates once when many ask at the same time': async (store) => {
      const tries = Array.from({ length: 10 }, (_, number) =>
        store.create(sampleJob(10 + number, { idempotencyKey: 'k' })),
      );
      const outcomes = await Promise.all(tries);
      expect(outcomes.filter(({ created }) => created)).toHaveLength(1);
      expect(new Set(outcomes.map(({ job }) => job.jobId)).size).toBe(1);
    },
    'lets many jobs be without a key': async (store) => {
      expect((await store.create(sampleJob(10))).created).toBe(true);
      expect((await store.create(sampleJob(11))).created).toBe(true);
    },
  },
  updating: {
    'stores every step with time and event, in order': async (store) => {
      let job = (await store.create(sampleJob(10))).job;
      job = await step(store, job, { type: 'sending', at });
      job = await step(store, job, { type: 'accepted', at: at + 1, relays: ['wss://one.example'] });
      job = await step(store, job, { type: 'processing', at: at + 2, eventId: sampleId(20) });
      job = await step(store, job, {
        type: 'result',
        at: at + 3,
        event: sampleEvent(21, { kind: 6000 }),
        content: 'in clear \u0000 ✓',
        matchedBy: 'window',
        recovered: true,
      });
      expect(await store.get(job.jobId)).toEqual(job);
      expect((await store.history(job.jobId)).transitions).toEqual([
        { jobId: job.jobId, sequence: 1, from: 'built', to: 'delivering', at, eventId: null },
        { jobId: job.jobId, sequence: 2, from: 'delivering', to: 'delivered', at: at + 1, eventId: null },
        {
          jobId: job.jobId,
          sequence: 3,
          from: 'delivered',
          to: 'processing',
          at: at + 2,
          eventId: sampleId(20),
        },
        {
          jobId: job.jobId,
          sequence: 4,
          from: 'processing',
          to: 'completed',
          at: at + 3,
          eventId: sampleId(21),
        },
      ]);
    },
    'keeps how a job ended': async (store) => {
      const ends: JobEvent[] = [
        { type: 'failed', at, reason: 'payment-declined', message: 'too dear', eventId: sampleId(9) },
        { type: 'timeout', at, timeoutClass: 'silence', message: 'quiet' },
        { type: 'cancelled', at, message: 'changed my mind' },
      ];
      for (const [number, end] of ends.entries()) {
        const created = await store.create(sampleJob(30 + number));
        const ended = await step(store, created.job, end);
        expect(await store.get(ended.jobId)).toEqual(ended);
      }
    },
    'refuses a write over another one': async (store) => {
      const { job } = await store.create(sampleJob(10));
      const mine = advance(job, { type: 'sending', at });
      await step(store, job, { type: 'cancelled', at, message: '' });
      expect(await store.update({ ...mine, feedback: feedbackOf(job, 20) })).toBe(false);
      expect((await store.get(job.jobId))?.state).toBe('cancelled');
      expect((await store.history(job.jobId)).transitions).toHaveLength(1);
      expect((await store.history(job.jobId)).feedback).toEqual([]);
    },
    'of two writes at the same time takes one, whole': async (store) => {
      const { job } = await store.create(sampleJob(10));
      const one = advance(job, { type: 'processing', at, eventId: sampleId(20) });
      const two = advance(job, { type: 'partial', at, eventId: sampleId(21) });
      const outcomes = await Promise.all([
        store.update({ ...one, feedback: feedbackOf(job, 20) }),
        store.update({ ...two, feedback: feedbackOf(job, 21) }),
      ]);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const [kept] = (await store.history(job.jobId)).feedback;
      const [taken] = (await store.history(job.jobId)).transitions;
      expect((await store.history(job.jobId)).feedback).toHaveLength(1);
      expect(taken?.eventId).toBe(kept?.eventId);
    },
    'completes a paid job whose result arrives after its end': async (store) => {
      const { job } = await store.create(sampleJob(10));
      const ended = await step(store, job, {
        type: 'timeout',
        at,
        timeoutClass: 'processing',
        message: 'late',
      });
      const paid = await step(store, ended, { type: 'late-paid', at: at + 1 });
      expect((await store.list({ claimable: true })).items).toEqual([paid]);
      const event = sampleEvent(21, { kind: 6000 });
      const completed = await step(store, paid, { type: 'late-result', at: at + 2, event, recovered: true });
      expect(await store.get(job.jobId)).toEqual(completed);
      expect(completed).toMatchObject({ state: 'completed', timeoutClass: null, message: '' });
      expect((await store.list({ claimable: true })).items).toEqual([]);
    },
    'does not know jobs that were never created': async (store) => {
      expect(
        await store.update({ job: sampleJob(10, { revision: 2 }), transition: null, feedback: null }),
      ).toBe(false);
    },
    'keeps feedback in order, each event once': async (store) => {
      let { job } = await store.create(sampleJob(10));
      for (const number of [23, 22, 21]) {
        const next = advance(job, { type: 'partial', at, eventId: sampleId(number) });
        expect(await store.update({ ...next, feedback: feedbackOf(job, number) })).toBe(true);
        job = next.job;
      }
      const again = advance(job, { type: 'partial', at, eventId: sampleId(22) });
      expect(await store.update({ ...again, feedback: feedbackOf(job, 22) })).toBe(false);
      expect((await store.history(job.jobId)).feedback).toEqual(
        [23, 22, 21].map((number) => feedbackOf(job, number)),
      );
      expect(await store.get(job.jobId)).toEqual(job);
    },
  },
  listing: {
    'gives pages, newest first, without gap or repetition': async (store) => {
      // Three of each time, so that pages end between jobs of the same one.
      for (let number = 0; number < 9; number += 1) {
        await store.create(sampleJob(10 + number, { builtAt: 1_000 + Math.floor(number / 3) }));
      }
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<JobStore['list']>> = await store.list({
          limit: 2,
          ...(cursor ? { cursor } : {}),
        });
        expect(page.items.length).toBeLessThanOrEqual(2);
        seen.push(...page.items.map(({ jobId }) => jobId));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(Array.from({ length: 9 }, (_, number) => sampleId(18 - number)));
    },
    'finds what is open, over, in a state or of a provider': async (store) => {
      const { job } = await store.create(sampleJob(10));
      await store.create(sampleJob(11, { provider: sampleId(7) }));
      await store.create(sampleJob(12, { provider: null }));
      await step(store, job, { type: 'cancelled', at, message: '' });
      const ids = async (query: Parameters<JobStore['list']>[0]) =>
        (await store.list(query)).items.map(({ jobId }) => jobId);
      expect(await ids({ open: true })).toEqual([sampleId(12), sampleId(11)]);
      expect(await ids({ open: false })).toEqual([sampleId(10)]);
      expect(await ids({ state: 'built' })).toEqual([sampleId(12), sampleId(11)]);
      expect(await ids({ provider: sampleId(7) })).toEqual([sampleId(11)]);
    },
    'rejects an invalid limit or cursor': async (store) => {
      await expect(store.list({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(store.list({ limit: 501 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(store.list({ cursor: "' or 1=1" })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  },
  sharing: {
    'gives a job without a holder to one of two clients': async (store, { reopen }) => {
      const clients = { a: store, b: (await reopen?.()) ?? store };
      const { job } = await store.create(sampleJob(10));
      const claims = await Promise.all(
        Object.entries(clients).map(([holder, each]) =>
          each.update({ ...advance(job, { type: 'claimed', at, holder }), feedback: null }),
        ),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      const kept = (await store.get(job.jobId))?.holder ?? '';
      expect(['a', 'b']).toContain(kept);
      expect((await store.list({ notHeldBy: kept })).items).toEqual([]);
      expect((await store.list({ notHeldBy: 'c' })).items).toHaveLength(1);
    },
    'creates one job of a key, whichever of two clients asks first': async (store, { reopen }, skip) => {
      if (reopen === undefined) return skip('this store cannot be opened a second time');
      const both = [store, await reopen()];
      const outcomes = await Promise.all(
        both.flatMap((each, side) =>
          [0, 1, 2].map((n) => each.create(sampleJob(10 + 3 * side + n, { idempotencyKey: `k${n}` }))),
        ),
      );
      expect(outcomes.filter(({ created }) => created)).toHaveLength(3);
      for (const n of [0, 1, 2]) {
        const found = await Promise.all(both.map((each) => each.getByKey(`k${n}`)));
        expect(found[0]).not.toBeNull();
        expect(found[1]).toEqual(found[0]);
      }
    },
    'knows which holders are alive': async (store, { reopen }) => {
      const other = (await reopen?.()) ?? store;
      expect(await store.lease('a', { now: 100, until: 200 })).toEqual(['a']);
      expect([...(await other.lease('b', { now: 150, until: 250 }))].sort()).toEqual(['a', 'b']);
      expect(await other.lease('b', { now: 200, until: 300 })).toEqual(['b']);
      expect(await store.lease('b', { now: 250, until: 250 })).toEqual([]);
    },
  },
  pruning: {
    'deletes old jobs with their history, and keeps open and claimable ones': async (store) => {
      const ended = await step(store, (await store.create(sampleJob(10, { idempotencyKey: 'k' }))).job, {
        type: 'cancelled',
        at,
        message: '',
      });
      await step(store, (await store.create(sampleJob(11))).job, {
        type: 'cancelled',
        at: at + 5,
        message: '',
      });
      await store.create(sampleJob(12));
      const paid = await step(store, (await store.create(sampleJob(13))).job, {
        type: 'timeout',
        at,
        timeoutClass: 'processing',
        message: '',
      });
      await step(store, paid, { type: 'late-paid', at });
      expect(await store.prune({ before: at + 5 })).toBe(1);
      expect(await store.get(ended.jobId)).toBeNull();
      expect(await store.getByKey('k')).toBeNull();
      expect((await store.history(ended.jobId)).transitions).toEqual([]);
      const left = (await store.list()).items.map(({ jobId }) => jobId);
      expect(left).toEqual([sampleId(13), sampleId(12), sampleId(11)]);
      expect(await store.prune({ before: at + 5 })).toBe(0);
    },
  },
  erasing: {
    'erases a provider from ended jobs, and keeps open and claimable ones': async (store, _, skip) => {
      if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
      const end = { type: 'cancelled', at, message: '' } as const;
      const [peer, other] = [sampleId(2), sampleId(4)];
      await step(store, (await store.create(sampleJob(10, { idempotencyKey: 'k' }))).job, end);
      await store.create(sampleJob(11));
      const unanswered = { type: 'timeout', at, timeoutClass: 'processing', message: '' } as const;
      const lost = await step(store, (await store.create(sampleJob(12))).job, unanswered);
      await step(store, lost, { type: 'late-paid', at });
      await step(store, (await store.create(sampleJob(13, { provider: other }))).job, end);
      await step(store, (await store.create(sampleJob(14, { provider: null }))).job, {
        type: 'result',
        at,
        event: sampleEvent(21, { kind: 6000, pubkey: peer }),
        content: null,
        matchedBy: 'request-id',
        recovered: false,
      });
      const counts = { erased: { jobs: 2, feedback: 0 }, kept: { jobs: 2, feedback: 0 } };
      expect(await store.erasePeer(peer, { preview: true })).toEqual(counts);
      expect(await store.getByKey('k')).not.toBeNull();
      expect(await store.erasePeer(peer)).toEqual(counts);
      expect((await store.list()).items.map(({ jobId }) => jobId)).toEqual([13, 12, 11].map(sampleId));
      expect(await store.getByKey('k')).toBeNull();
      expect((await store.history(sampleId(10))).transitions).toEqual([]);
      expect(await store.erasePeer(peer)).toEqual({ ...counts, erased: { jobs: 0, feedback: 0 } });
    },
    'erases the feedback of a provider on ended jobs of others only': async (store, _, skip) => {
      if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
      const [peer, other] = [sampleId(2), sampleId(4)];
      // A text with the key, as another provider may write it, is not an event of the peer.
      const quoting = sampleEvent(32, { kind: 7000, pubkey: other, content: `"pubkey":"${peer}"` });
      for (const number of [10, 11]) {
        let { job } = await store.create(sampleJob(number, { provider: null }));
        for (const event of [sampleEvent(31, { kind: 7000, pubkey: peer }), quoting]) {
          const next = advance(job, { type: 'partial', at, eventId: event.id });
          const feedback = { jobId: job.jobId, eventId: event.id, receivedAt: at, event };
          expect(await store.update({ ...next, feedback })).toBe(true);
          ({ job } = next);
        }
        if (number === 10) await step(store, job, { type: 'cancelled', at, message: '' });
      }
      const counts = { erased: { jobs: 0, feedback: 1 }, kept: { jobs: 0, feedback: 1 } };
      expect(await store.erasePeer(peer)).toEqual(counts);
      const events = async (number: number) =>
        (await store.history(sampleId(number))).feedback.map(({ eventId }) => eventId);
      expect(await events(10)).toEqual([sampleId(32)]);
      expect(await events(11)).toEqual([sampleId(31), sampleId(32)]);
    },
  },
  agents: {
    'keeps the jobs of agents that share a database apart': async (store, { forAgent }, skip) => {
      if (forAgent === undefined) return skip('agents cannot share this store');
      const other = await forAgent('another-agent');
      const mine = sampleJob(10, { idempotencyKey: 'k' });
      const theirs = sampleJob(11, { idempotencyKey: 'k' });
      await store.create(mine);
      expect(await other.create(theirs)).toEqual({ job: theirs, created: true });
      expect(await other.getByKey('k')).toEqual(theirs);
      expect(await store.getByKey('k')).toEqual(mine);
      expect(await other.get(mine.jobId)).toBeNull();
      expect((await other.list({ open: true })).items).toEqual([theirs]);
      const cancelled = advance(mine, { type: 'cancelled', at, message: '' });
      expect(await other.update({ ...cancelled, feedback: null })).toBe(false);
      expect(await store.update({ ...cancelled, feedback: feedbackOf(mine, 20) })).toBe(true);
      expect(await other.history(mine.jobId)).toEqual({ transitions: [], feedback: [] });
      expect(await other.prune({ before: at + 1 })).toBe(0);
      const erased = await other.erasePeer?.(sampleId(2));
      if (erased !== undefined)
        expect(erased).toEqual({ erased: { jobs: 0, feedback: 0 }, kept: { jobs: 1, feedback: 0 } });
      expect(await store.get(mine.jobId)).toEqual(cancelled.job);
    },
  },
  lasting: {
    'finds everything again after a restart': async (store, opened, skip) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      const { job } = await store.create(sampleJob(10, { idempotencyKey: 'k' }));
      const next = advance(job, { type: 'partial', at, eventId: sampleId(20) });
      await store.update({ ...next, feedback: feedbackOf(job, 20) });
      const again = await opened.reopen();
      expect(await again.getByKey('k')).toEqual(next.job);
      expect((await again.history(job.jobId)).feedback).toEqual([feedbackOf(job, 20)]);
      expect((await again.history(job.jobId)).transitions).toHaveLength(1);
    },
  },
} satisfies StoreGroups<JobStore>;

/** Runs the conformance suite of {@link JobStore} against an adapter. */
export function testJobStore(
  name: string,
  open: OpenStore<JobStore>,
  options?: DescribeStoreOptions<keyof typeof groups>,
): void {
  describeStore(name, open, groups, options);
}
