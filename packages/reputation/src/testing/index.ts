/**
 * Conformance suite of review stores for vitest.
 * @packageDocumentation
 */
import {
  type DescribeStoreOptions,
  describeStore,
  type OpenedStore,
  type OpenStore,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import type { QueuedReview, ReviewStore } from '../store.ts';

const subject = 'ab'.repeat(32);

const review = (key: string, rest: Partial<QueuedReview> = {}): QueuedReview => ({
  key,
  revision: 1,
  state: 'queued',
  event: 'benchmark',
  completedAt: 1_700_000_000_000,
  opinion: `${subject}::code`,
  review: {
    subject,
    relay: null,
    trustScore: 0.1 + 0.2,
    task: 'code',
    service: null,
    summary: 'näïve 🙂 \u0000',
    strengths: ['fast'],
    weaknesses: [],
    metrics: { latency: 1.5 },
    recommendation: null,
    evidence: null,
    assessment: null,
    receipts: [],
    jobId: null,
    jobKind: null,
    role: 'customer',
    confidence: null,
    expiresAt: null,
    alert: null,
  },
  formats: ['review-set'],
  approvedAt: null,
  dueAt: null,
  reason: 'Offered.',
  events: [],
  attempts: 0,
  outcomes: [],
  publishedAt: null,
  objections: [],
  dispute: null,
  deletion: null,
  createdAt: 1_700_000_000_000,
  ...rest,
});

const event = (id: string) => ({
  id: id.repeat(32),
  pubkey: subject,
  created_at: 1,
  kind: 32_020,
  tags: [['p', subject]],
  content: '',
  sig: 'cd'.repeat(64),
});

const keysOf = (reviews: readonly QueuedReview[]) => reviews.map(({ key }) => key);

async function insertAll(store: ReviewStore, reviews: readonly QueuedReview[]): Promise<void> {
  for (const each of reviews) expect(await store.insert(each)).toBe(true);
}

const groups = {
  queue: {
    'keeps every field': async (store: ReviewStore) => {
      const full = review('a', {
        events: [event('01'), event('02')],
        outcomes: [
          { relay: 'wss://r', status: 'accepted', message: '', latencyMs: 3, eventId: event('01').id },
        ],
        objections: [{ eventId: event('03').id, at: 5, claim: 'No.' }],
        deletion: event('04'),
        publishedAt: 7,
        approvedAt: 6,
        attempts: 2,
        dueAt: 9,
      });
      expect(await store.insert(full)).toBe(true);
      expect(await store.get('a')).toEqual(full);
      expect(await store.get('b')).toBeNull();
    },
    'takes a key once, also many times at once': async (
      store: ReviewStore,
      { reopen }: OpenedStore<ReviewStore>,
    ) => {
      const both = [store, (await reopen?.()) ?? store] as const;
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          both[index % 2 === 0 ? 0 : 1].insert(review('a', { attempts: index })),
        ),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.insert(review('a', { attempts: 99 }))).toBe(false);
      expect((await store.get('a'))?.attempts).toBe(results.indexOf(true));
    },
    'writes each revision once': async (store: ReviewStore, { reopen }: OpenedStore<ReviewStore>) => {
      const both = [store, (await reopen?.()) ?? store] as const;
      await store.insert(review('a'));
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          both[index % 2 === 0 ? 0 : 1].update(review('a', { revision: 2, attempts: index })),
        ),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      expect((await both[1].get('a'))?.attempts).toBe(results.indexOf(true));
      expect(await store.update(review('a', { revision: 2 }))).toBe(false);
      expect(await store.update(review('a', { revision: 4 }))).toBe(false);
      expect(await store.update(review('a', { revision: 3, attempts: 50 }))).toBe(true);
      expect(await store.get('a')).toMatchObject({ revision: 3, attempts: 50 });
      expect(await store.update(review('b', { revision: 2 }))).toBe(false);
      expect(await store.get('b')).toBeNull();
    },
    'lists what is due, longest first': async (store: ReviewStore) => {
      await insertAll(store, [
        review('late', { dueAt: 30 }),
        review('never', { dueAt: null }),
        review('b', { dueAt: 10 }),
        review('a', { dueAt: 10 }),
        review('now', { dueAt: 20 }),
      ]);
      expect(keysOf(await store.due(20, 10))).toEqual(['a', 'b', 'now']);
      expect(keysOf(await store.due(20, 2))).toEqual(['a', 'b']);
      expect(await store.due(9, 10)).toEqual([]);
      await store.update(review('a', { revision: 2, dueAt: null }));
      expect(keysOf(await store.due(100, 10))).toEqual(['b', 'now', 'late']);
    },
    'hands out copies': async (store: ReviewStore) => {
      const given = review('a', { formats: ['review'] });
      await store.insert(given);
      (given.formats as string[]).push('label');
      const read = await store.get('a');
      (read as unknown as { formats: string[] }).formats.push('label');
      expect((await store.get('a'))?.formats).toEqual(['review']);
    },
  },
  lists: {
    'finds the last published review of an opinion': async (store: ReviewStore) => {
      await insertAll(store, [
        review('old', { state: 'published', completedAt: 10 }),
        review('new', { state: 'disputed', completedAt: 20 }),
        review('queued', { completedAt: 30 }),
        review('withdrawn', { state: 'withdrawn', completedAt: 40 }),
        review('other', { state: 'published', completedAt: 50, opinion: 'other' }),
      ]);
      expect((await store.lastPublished(`${subject}::code`))?.key).toBe('new');
      expect(await store.lastPublished('none')).toBeNull();
    },
    'finds a review by each of its events': async (store: ReviewStore) => {
      await store.insert(review('a'));
      await store.insert(review('b', { events: [event('05')] }));
      await store.update(review('a', { revision: 2, events: [event('01'), event('02')] }));
      await store.update(review('a', { revision: 3, events: [event('01'), event('02')], attempts: 1 }));
      expect((await store.findByEvent(event('01').id))?.attempts).toBe(1);
      expect((await store.findByEvent(event('02').id))?.key).toBe('a');
      expect((await store.findByEvent(event('05').id))?.key).toBe('b');
      expect(await store.findByEvent(event('09').id)).toBeNull();
    },
    'gives pages, newest first, without gap or repetition': async (store: ReviewStore) => {
      // U+FFFD sorts before U+1F600 by bytes, and after it by UTF-16 units.
      const names = ['a', 'B', 'é', '\ufffd', '😀', 'z'];
      await insertAll(
        store,
        names.flatMap((name) => [review(`1${name}`, { createdAt: 1 }), review(`2${name}`, { createdAt: 2 })]),
      );
      const byBytes = ['😀', '\ufffd', 'é', 'z', 'a', 'B'];
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.list({ limit: 5, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...keysOf(page.items));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual([...byBytes.map((name) => `2${name}`), ...byBytes.map((name) => `1${name}`)]);
    },
    'lists by state, subject and opinion': async (store: ReviewStore) => {
      const other = 'cd'.repeat(32);
      await insertAll(store, [
        review('a', { createdAt: 3 }),
        review('b', { createdAt: 2, state: 'published' }),
        review('c', {
          createdAt: 1,
          state: 'published',
          opinion: 'x',
          review: { ...review('c').review, subject: other },
        }),
      ]);
      const keys = async (query: object) => keysOf((await store.list({ limit: 10, ...query })).items);
      expect(await keys({ state: 'published' })).toEqual(['b', 'c']);
      expect(await keys({ subject })).toEqual(['a', 'b']);
      expect(await keys({ opinion: 'x' })).toEqual(['c']);
      expect(await keys({ state: 'published', subject })).toEqual(['b']);
    },
    'rejects an invalid limit or cursor': async (store: ReviewStore) => {
      for (const limit of [0, 501, 1.5])
        await expect(store.list({ limit })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(store.list({ limit: 1, cursor: 'x' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  },
  persistence: {
    'has the same queue after it is opened again': async (
      store: ReviewStore,
      opened: OpenedStore<ReviewStore>,
      skip: (reason: string) => never,
    ) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      await store.insert(review('a', { dueAt: 1, events: [event('01')] }));
      const again = await opened.reopen();
      expect(await again.get('a')).toEqual(await store.get('a'));
      expect(await again.update(review('a', { revision: 2, dueAt: 5 }))).toBe(true);
      expect(await store.update(review('a', { revision: 2 }))).toBe(false);
      expect(keysOf(await store.due(5, 10))).toEqual(['a']);
    },
    'keeps the queues of two agents apart': async (
      store: ReviewStore,
      opened: OpenedStore<ReviewStore>,
      skip: (reason: string) => never,
    ) => {
      if (opened.forAgent === undefined) return skip('one store, one agent');
      const other = await opened.forAgent('other');
      await store.insert(review('a', { dueAt: 1, state: 'published', events: [event('01')] }));
      expect(await other.get('a')).toBeNull();
      expect(await other.due(9, 10)).toEqual([]);
      expect(await other.findByEvent(event('01').id)).toBeNull();
      expect(await other.lastPublished(`${subject}::code`)).toBeNull();
      expect(await other.insert(review('a', { events: [event('01')] }))).toBe(true);
      expect((await other.list({ limit: 10 })).items).toHaveLength(1);
    },
  },
  erasing: {
    'erases the reviews of a subject, and keeps what is public or being sent': async (
      store: ReviewStore,
      _: OpenedStore<ReviewStore>,
      skip: (reason: string) => never,
    ) => {
      if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
      const states = ['queued', 'skipped', 'superseded', 'signed', 'published', 'disputed'] as const;
      const other = 'cd'.repeat(32);
      await insertAll(store, [
        ...states.map((state) => review(state, { state, dueAt: 1 })),
        review('deletion being sent', { state: 'withdrawn', dueAt: 1, events: [event('05')] }),
        review('deleted', { state: 'withdrawn', events: [event('06')] }),
        review('of another', { review: { ...review('x').review, subject: other } }),
      ]);
      const counts = { erased: { reviews: 4 }, kept: { reviews: 4 } };
      expect(await store.erasePeer(subject, { preview: true })).toEqual(counts);
      expect(await store.get('queued')).not.toBeNull();
      expect(await store.erasePeer(subject)).toEqual(counts);
      const left = (await store.list({ limit: 100 })).items;
      expect(keysOf(left).sort()).toEqual([
        'deletion being sent',
        'disputed',
        'of another',
        'published',
        'signed',
      ]);
      expect(await store.findByEvent(event('06').id)).toBeNull();
      expect((await store.findByEvent(event('05').id))?.key).toBe('deletion being sent');
      await expect(store.erasePeer('%')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
  },
} as const;

/** Capabilities that {@link testReviewStore} tests. */
export type ReviewStoreGroup = keyof typeof groups;

/**
 * Defines the conformance suite. `open` returns an empty store for each test.
 *
 * ```ts
 * testReviewStore('my adapter', () => ({ store: createMyStore() }));
 * ```
 */
export function testReviewStore(
  name: string,
  open: OpenStore<ReviewStore>,
  options: DescribeStoreOptions<ReviewStoreGroup> = {},
): void {
  describeStore(`review store: ${name}`, open, groups, options);
}
