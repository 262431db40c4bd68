import { composeId } from '@bonafide/internal';
import {
  type DescribeStoreOptions,
  describeStore,
  type OpenStore,
  type StoreGroups,
} from '@bonafide/storage/testing';
import { expect } from 'vitest';
import { finishedWork, isSettled } from '../flow/finished.ts';
import type { OrderState, Replica } from '../order.ts';
import type { DelegationStore, OrderRecord } from '../store.ts';

const at = 1_700_000_000_000;

function sample(id: string, rest: Partial<OrderRecord> = {}, state: Partial<OrderState> = {}): OrderRecord {
  return {
    id,
    fingerprint: 'f'.repeat(64),
    revision: 1,
    settled: false,
    createdAt: at,
    updatedAt: at,
    ...rest,
    state: {
      order: {
        id,
        taskType: 'code',
        kind: 5000,
        inputs: [{ data: 'näïve 🙂' }],
        params: { limit: 5 },
        output: null,
        check: 'suite',
        suite: { mode: 'vectors', deep: [1, null, { yes: true }] },
        language: 'python',
        accept: null,
        valueMsat: 1_000,
        maxMsat: 1_000,
        deadlineAt: null,
        criticality: 'background',
        replicas: 1,
        needed: 1,
        attempts: 3,
        acceptPartial: false,
        trial: null,
      },
      status: 'open',
      createdAt: at,
      decidedAt: null,
      rounds: 0,
      exhausted: false,
      replicas: [],
      exclusions: [],
      winners: [],
      verifiedBy: null,
      failure: null,
      ...state,
    },
  };
}

/** A trial of a platform. */
function trial(id: string, pubkey: string, createdAt: number): OrderRecord {
  const record = sample(id, { createdAt });
  const order = { ...record.state.order, trial: { platform: { pubkey, d: 'x' }, taskId: 't' } };
  return { ...record, state: { ...record.state, order } };
}

/** A replica that answered and was checked. */
function replica(number: number, pubkey: string): Replica {
  return {
    ...{ number, round: 1, platform: { pubkey, d: 'x' }, name: `Shop of ${pubkey}`, relays: ['wss://shop'] },
    ...{ reason: `${pubkey} is good`, trust: 0.5, probability: 1, decisionId: 'd', chosenAt: at },
    ...{ stage: 'checked', jobId: `job of ${pubkey}`, requestedAt: at, withdrawn: null, end: null },
    answer: {
      ...{ content: `words of ${pubkey}`, at, latencyMs: 5, externalId: `event of ${pubkey}` },
      ...{ evidence: { pubkey }, invoicedMsat: 7, isLate: false },
    },
    check: {
      ...{ outcome: 'SUCCESS', checkedBy: 'judge', passRate: 1, passed: 1, tests: 1, executionMs: 1 },
      ...{
        softLimitExceeded: false,
        errorKind: null,
        summary: `${pubkey} was right`,
        violations: [{ pubkey }],
      },
    },
    recorded: ['request', 'journal', 'matrix', 'reflection', 'review', 'receipt'],
    ...{ bidMsat: 9, invoicedMsat: 7, paidMsat: 7, feesMsat: 1, heldMsat: 0 },
  };
}

const ids = (records: readonly OrderRecord[]) => records.map(({ id }) => id);
const wake = (id: string, dueAt: number, priority = 0) => ({ queue: 'q', id, dueAt, priority });
const claiming = (now: number, token = 'me', limit = 10) => ({
  queue: 'q',
  now,
  limit,
  token,
  heldUntil: now + 1_000,
});
const done = (id: string, dueAt: number | null = null, token = 'me') => ({
  queue: 'q',
  id,
  token,
  dueAt,
  failures: 0,
  lastError: '',
});

const groups = {
  orders: {
    'returns a stored order as it was': async (store) => {
      const record = sample("it's; --");
      expect(await store.create(record)).toEqual({ record, created: true });
      expect(await store.get("it's; --")).toEqual(record);
      expect(await store.get('none')).toBeNull();
    },
    'keeps the first order of an id, also among many at the same time': async (store) => {
      const tries = Array.from({ length: 10 }, (_, number) =>
        store.create(sample('a', { createdAt: at + number })),
      );
      const results = await Promise.all(tries);
      const [first] = results.filter(({ created }) => created);
      expect(results.filter(({ created }) => created)).toHaveLength(1);
      expect(results.every(({ record }) => record.createdAt === first?.record.createdAt)).toBe(true);
    },
    'writes an order once per revision': async (store) => {
      await store.create(sample('a'));
      const second = sample('a', { revision: 2, settled: true, updatedAt: at + 5 }, { status: 'delivered' });
      expect(await store.update(second)).toBe(true);
      expect(await store.update(second)).toBe(false);
      expect(await store.update(sample('a', { revision: 4 }))).toBe(false);
      expect(await store.update(sample('b', { revision: 2 }))).toBe(false);
      expect(await store.get('a')).toEqual(second);
    },
    'of many writers at the same time lets one write': async (store) => {
      await store.create(sample('a'));
      const writes = Array.from({ length: 10 }, (_, number) =>
        store.update(sample('a', { revision: 2, updatedAt: number })),
      );
      expect((await Promise.all(writes)).filter(Boolean)).toHaveLength(1);
    },
    'lists the newest first, page by page, and by status, type and platform': async (store) => {
      await store.create(sample('a'));
      await store.create(sample('b', { createdAt: at + 2, settled: true }, { status: 'delivered' }));
      await store.create(sample('c'));
      await store.create(trial('d', 'p', at + 1));
      await store.create(trial('e', 'r', at));
      const first = await store.list({ limit: 2 });
      expect(ids(first.items)).toEqual(['b', 'd']);
      const rest = await store.list({ limit: 10, cursor: first.nextCursor ?? '' });
      expect(ids(rest.items)).toEqual(['e', 'c', 'a']);
      expect(rest.nextCursor).toBeNull();
      expect(ids((await store.list({ status: 'delivered' })).items)).toEqual(['b']);
      expect(ids((await store.list({ settled: false })).items)).toEqual(['d', 'e', 'c', 'a']);
      expect(ids((await store.list({ trialOf: 'p:x' })).items)).toEqual(['d']);
      expect(ids((await store.list({ trialOf: '*' })).items)).toEqual(['d', 'e']);
      expect(ids((await store.list({ taskType: 'prose' })).items)).toEqual([]);
    },
    'keeps its conditions on every page': async (store) => {
      for (let n = 0; n < 6; n += 1)
        await store.create(
          sample(
            `o${n}`,
            { createdAt: at + n, settled: n % 2 === 0 },
            n % 2 === 0 ? { status: 'delivered' } : {},
          ),
        );
      const found: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await store.list({
          status: 'delivered',
          limit: 1,
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...ids(page.items));
        cursor = page.nextCursor;
      }
      expect(found).toEqual(['o4', 'o2', 'o0']);
    },
    'compares ids and names exactly: case, accents and spaces count': async (store) => {
      const names = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'a%', 'a_'];
      for (const name of names) {
        expect((await store.create(sample(name))).created, name).toBe(true);
        expect(await store.putNote(name, { revision: 1, value: name }), name).toBe(true);
        await store.wakes.put(wake(name, at));
      }
      for (const name of names) {
        expect((await store.get(name))?.id).toBe(name);
        expect((await store.note(name))?.value).toBe(name);
      }
      const { claimed } = await store.wakes.claim(claiming(at, 'me', 100));
      expect(claimed.map(({ id }) => id).sort()).toEqual(names.toSorted());
    },
    'keeps long answers as they are': async (store) => {
      const content = `${'näïve 🙂 '.repeat(40_000)}end`;
      const asked = replica(1, 'p');
      const answer = asked.answer && { ...asked.answer, content };
      await store.create(sample('a', {}, { replicas: [{ ...asked, answer }] }));
      expect((await store.get('a'))?.state.replicas[0]?.answer?.content).toBe(content);
    },
    'rejects an invalid limit or cursor': async (store) => {
      await expect(store.list({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
      await expect(store.list({ cursor: 'x' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
    'hands out copies': async (store) => {
      const given = sample('a');
      await store.create(given);
      (given.state as { rounds: number }).rounds = 7;
      const read = await store.get('a');
      (read?.state as { rounds: number }).rounds = 8;
      expect((await store.get('a'))?.state.rounds).toBe(0);
    },
  },
  notes: {
    'lists the trials of an operator, under every name of its services': async (store) => {
      await store.create(trial('a', 'p', at));
      await store.create(trial('b', 'q', at + 1));
      await store.create(sample('c'));
      expect(ids((await store.list({ trialOperator: 'p' })).items)).toEqual(['a']);
      expect((await store.list({ trialOperator: 'p:x' })).items).toEqual([]);
      const d = '☠'.repeat(1_024);
      const long = trial('d', 'r', at + 2);
      const order = { ...long.state.order, trial: { platform: { pubkey: 'r', d }, taskId: 't' } };
      await store.create({ ...long, state: { ...long.state, order } });
      expect(ids((await store.list({ trialOf: `r:${d}` })).items)).toEqual(['d']);
    },
    'deletes settled orders that are old, the oldest first, and never trials': async (store) => {
      for (const [id, updatedAt] of [
        ['a', at],
        ['b', at + 1],
        ['c', at + 2],
        ['d', at + 3],
      ] as const)
        await store.create(sample(id, { updatedAt, settled: id !== 'b' }));
      await store.create({ ...trial('t', 'p', at), settled: true });
      expect(await store.prune({ before: at + 3, limit: 1 })).toBe(1);
      expect(await store.get('a')).toBeNull();
      expect(await store.prune({ before: at + 3 })).toBe(1);
      expect(await store.prune({ before: at + 3 })).toBe(0);
      expect(ids((await store.list()).items).sort()).toEqual(['b', 'd', 't']);
    },
    'keeps a note per name, once per revision': async (store) => {
      expect(await store.note('n')).toBeNull();
      expect(await store.putNote('n', { revision: 2, value: 'x' })).toBe(false);
      expect(await store.putNote('n', { revision: 1, value: 'a' })).toBe(true);
      expect(await store.putNote('n', { revision: 1, value: 'b' })).toBe(false);
      expect(await store.putNote('n', { revision: 2, value: 'c' })).toBe(true);
      expect(await store.note('n')).toEqual({ revision: 2, value: 'c' });
    },
  },
  wakes: {
    'gives a due wake to one claimer': async ({ wakes }) => {
      await wakes.put(wake('a', at));
      await wakes.put(wake('b', at + 100));
      const { claimed } = await wakes.claim(claiming(at));
      expect(claimed).toEqual([{ id: 'a', token: 'me', failures: 0 }]);
      expect((await wakes.claim(claiming(at, 'other'))).claimed).toEqual([]);
    },
    'never gives a wake to two of many claimers at the same time': async ({ wakes }) => {
      await Promise.all(Array.from({ length: 30 }, (_, n) => wakes.put(wake(`w${n}`, at))));
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, n) => wakes.claim(claiming(at, `t${n}`, 5))),
      );
      const claimed = claims.flatMap(({ claimed: each }) => each.map(({ id }) => id));
      expect(new Set(claimed).size).toBe(claimed.length);
      const rest = (await wakes.claim(claiming(at, 'last', 100))).claimed.length;
      expect(claimed.length + rest).toBe(30);
    },
    'gives no more wakes than the limit': async ({ wakes }) => {
      for (let n = 0; n < 12; n += 1) await wakes.put(wake(`w${n}`, at));
      const counts: number[] = [];
      for (let n = 0; n < 3; n += 1)
        counts.push((await wakes.claim(claiming(at, `t${n}`, 5))).claimed.length);
      expect(counts).toEqual([5, 5, 2]);
    },
    'moves a wake forward and never back': async ({ wakes }) => {
      await wakes.put(wake('a', at));
      await wakes.put(wake('a', at + 500));
      expect((await wakes.claim(claiming(at))).claimed).toHaveLength(1);
      await wakes.finish(done('a', at + 900));
      await wakes.put(wake('a', at + 300));
      expect((await wakes.list({ queue: 'q' })).map(({ dueAt }) => dueAt)).toEqual([at + 300]);
    },
    'keeps what was woken while it was handled': async ({ wakes }) => {
      await wakes.put(wake('a', at));
      await wakes.claim(claiming(at));
      await wakes.put(wake('a', at + 10));
      expect((await wakes.claim(claiming(at + 20, 'other'))).claimed).toEqual([]);
      await wakes.finish(done('a'));
      expect((await wakes.claim(claiming(at + 20, 'other'))).claimed).toHaveLength(1);
    },
    'removes what was handled and not woken again': async ({ wakes }) => {
      await wakes.put(wake('a', at));
      await wakes.claim(claiming(at));
      await wakes.finish(done('a'));
      expect(await wakes.list()).toEqual([]);
    },
    'gives a wake again when its holder has not renewed, and ignores the first one then': async ({
      wakes,
    }) => {
      await wakes.put(wake('a', at));
      await wakes.claim(claiming(at));
      await wakes.renew('me', at + 2_000);
      expect((await wakes.claim(claiming(at + 1_500, 'other'))).claimed).toEqual([]);
      expect((await wakes.claim(claiming(at + 2_000, 'other'))).claimed).toHaveLength(1);
      await wakes.finish(done('a'));
      await wakes.finish({ ...done('a', at), failures: 5 });
      expect(await wakes.list()).toMatchObject([
        { id: 'a', dueAt: null, failures: 0, heldUntil: at + 3_000 },
      ]);
      await wakes.finish(done('a', null, 'other'));
      expect(await wakes.list()).toEqual([]);
    },
    'prolongs only the claims of a token': async ({ wakes }) => {
      await wakes.put(wake('a', at - 1));
      await wakes.put(wake('b', at));
      await wakes.claim(claiming(at, 'me', 1));
      await wakes.claim(claiming(at, 'other', 1));
      await wakes.renew('me', at + 5_000);
      const { claimed } = await wakes.claim(claiming(at + 1_000, 'third'));
      expect(claimed.map(({ id }) => id)).toEqual(['b']);
    },
    'ends the claims of a queue': async ({ wakes }) => {
      await wakes.put(wake('a', at));
      await wakes.put({ ...wake('b', at), queue: 'other' });
      await wakes.claim(claiming(at));
      await wakes.claim({ ...claiming(at), queue: 'other' });
      await wakes.release('q');
      expect((await wakes.claim({ ...claiming(at, 'other'), queue: 'other' })).claimed).toEqual([]);
      expect((await wakes.claim(claiming(at, 'other'))).claimed).toHaveLength(1);
    },
    'gives urgent wakes first, then old ones, and says when the next is due': async ({ wakes }) => {
      await wakes.put(wake('a', at));
      await wakes.put(wake('b', at - 10));
      await wakes.put(wake('c', at, 5));
      await wakes.put(wake('d', at + 700));
      const order: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const { claimed } = await wakes.claim(claiming(at, 'me', 1));
        order.push(...claimed.map(({ id }) => id));
        await wakes.finish(done(claimed[0]?.id ?? ''));
      }
      expect(order).toEqual(['c', 'b', 'a']);
      expect(await wakes.claim(claiming(at))).toEqual({ claimed: [], nextDueAt: at + 700 });
    },
    'keeps failures for the next claim and for the list': async ({ wakes }) => {
      await wakes.put(wake('a', at));
      await wakes.claim(claiming(at));
      await wakes.finish({ ...done('a', at + 50), failures: 3, lastError: "it's broken" });
      expect(await wakes.list()).toMatchObject([
        { queue: 'q', id: 'a', dueAt: at + 50, failures: 3, lastError: "it's broken", heldUntil: null },
      ]);
      expect((await wakes.claim(claiming(at + 50))).claimed).toMatchObject([{ failures: 3 }]);
    },
    'keeps queues apart': async ({ wakes }) => {
      await wakes.put({ ...wake('a', at), queue: 'other' });
      expect((await wakes.claim(claiming(at))).claimed).toEqual([]);
      expect(await wakes.list({ queue: 'other' })).toHaveLength(1);
      await wakes.put(wake('b', at));
      expect(await wakes.list({ queue: 'q' })).toHaveLength(1);
      expect(await wakes.list()).toHaveLength(2);
      expect(await wakes.list({ limit: 1 })).toHaveLength(1);
    },
  },
  erasing: {
    'erases an operator from settled orders, its trials and its notes, and keeps what is open': async (
      store,
      _,
      skip,
    ) => {
      if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
      const [peer, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
      const delivered: Partial<OrderState> = {
        ...{ status: 'delivered', decidedAt: at, rounds: 1, winners: [1], verifiedBy: 'judge' },
        replicas: [replica(1, peer), replica(2, other)],
        exclusions: [{ platformId: `${peer}:y`, reason: `${peer} is slow` }],
      };
      await store.create(sample('done', { settled: true }, delivered));
      await store.create(sample('open', {}, { replicas: [replica(1, peer)] }));
      await store.create(
        sample(
          'of others',
          { settled: true },
          { ...delivered, replicas: [replica(1, other)], exclusions: [] },
        ),
      );
      await store.create({ ...trial('tried', peer, at), settled: true });
      await store.create(trial('on trial', peer, at));
      await store.create({ ...trial('other tried', other, at), settled: true });
      const note = (value: object) => ({ revision: 1, value: JSON.stringify(value) });
      const duty = { kind: 'qualify', taskType: 'code', pubkey: peer, d: 'x' };
      const progress = { duty, startedAt: at, endedAt: null, code: null, message: '' };
      await store.putNote(`policy:${peer}:x`, { revision: 1, value: 'refused: r' });
      await store.putNote(`policy:${other}:x`, { revision: 1, value: 'refused: r' });
      await store.putNote(`service:${peer}:y`, note({ works: [] }));
      await store.putNote(`qualify:code:${peer}:x`, note(progress));
      const ended = { ...progress, duty: { ...duty, kind: 'benchmark' }, endedAt: at };
      await store.putNote(`benchmark:code:${peer}:x`, note(ended));
      await store.wakes.put({ ...wake(`benchmark:code:${peer}:x`, at), queue: 'upkeep' });
      await store.putNote('trial-money', note([{ id: `trial:code:${peer}:x:t`, at, msat: 5 }]));

      const counts = { erased: { orders: 2, notes: 4 }, kept: { orders: 2, notes: 1 } };
      expect(await store.erasePeer(peer, { preview: true })).toEqual(counts);
      expect(await store.get('tried')).not.toBeNull();
      expect(await store.erasePeer(peer)).toEqual(counts);
      const { items } = await store.list({ settled: true });
      expect(ids(items).sort()).toEqual(['done', 'of others', 'other tried']);
      expect(JSON.stringify(items)).not.toContain(peer);
      expect((await store.get('of others'))?.revision).toBe(1);
      // Money and the end stay, so that the order is neither repeated nor paid again.
      const done = await store.get('done');
      expect(done).toMatchObject({
        revision: 2,
        settled: true,
        state: { status: 'delivered', winners: [1] },
      });
      expect(done?.state.replicas[0]).toMatchObject({ paidMsat: 7, feesMsat: 1, answer: { content: null } });
      expect(done?.state.replicas[1]).toEqual(replica(2, other));
      expect(done !== null && isSettled(done.state)).toBe(true);
      const [first] = done?.state.replicas ?? [];
      expect(done && first && finishedWork(done.state, first)?.outcome).toBe('SUCCESS');
      const left = [`policy:${peer}:x`, `service:${peer}:y`, `benchmark:code:${peer}:x`];
      for (const name of left) expect(await store.note(name), name).toBeNull();
      expect(await store.note(`policy:${other}:x`)).not.toBeNull();
      expect(await store.note(`qualify:code:${peer}:x`)).not.toBeNull();
      const money = await store.note('trial-money');
      expect(JSON.parse(money?.value ?? '')).toMatchObject([{ at, msat: 5 }]);
      expect(money?.value).not.toContain(peer);
      expect(await store.wakes.list()).toEqual([]);
      expect(await store.erasePeer(peer)).toEqual({ ...counts, erased: { orders: 0, notes: 0 } });
      await expect(store.erasePeer('%')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    },
    'erases what has a name that is too long, and keeps the money of open trials': async (store, _, skip) => {
      if (store.erasePeer === undefined) return skip('this store cannot erase a peer');
      const peer = 'ab'.repeat(32);
      const d = '☠'.repeat(300);
      const asked = { ...replica(1, peer), platform: { pubkey: peer, d } };
      await store.create(
        sample('done', { settled: true }, { status: 'delivered', decidedAt: at, replicas: [asked] }),
      );
      const open = trial(`trial:code:${peer}:x:t`, peer, at);
      await store.create(open);
      const value = JSON.stringify([{ id: open.id, at, msat: 5 }]);
      await store.putNote('trial-money', { revision: 1, value });
      await store.putNote(composeId('policy', peer, d), { revision: 1, value: 'refused: r' });
      expect(await store.erasePeer(peer)).toEqual({
        erased: { orders: 1, notes: 1 },
        kept: { orders: 1, notes: 0 },
      });
      expect(await store.note(composeId('policy', peer, d))).toBeNull();
      expect(await store.note('trial-money')).toEqual({ revision: 1, value });
    },
  },
  sharing: {
    'two instances keep one order of an id, and one of two writes of a revision': async (
      store,
      { reopen },
      skip,
    ) => {
      if (reopen === undefined) return skip('this store cannot be opened a second time');
      const both = [store, await reopen()];
      const created = await Promise.all(
        both.flatMap((each, side) =>
          ['a', 'b', 'c'].map((id) => each.create(sample(id, { createdAt: at + side }))),
        ),
      );
      expect(created.filter((each) => each.created)).toHaveLength(3);
      for (const id of ['a', 'b', 'c']) {
        const same = created.filter(({ record }) => record.id === id).map(({ record }) => record.createdAt);
        expect(new Set(same).size).toBe(1);
      }
      for (let revision = 2; revision <= 6; revision += 1) {
        const writes = await Promise.all(
          both.map((each, side) => each.update(sample('a', { revision, updatedAt: at + side }))),
        );
        expect(writes.filter(Boolean)).toHaveLength(1);
        const kept = await Promise.all(both.map((each) => each.get('a')));
        expect(kept.map((order) => order?.updatedAt)).toEqual(Array(2).fill(at + writes.indexOf(true)));
      }
    },
    'two instances lose no change of a note': async (store, { reopen }, skip) => {
      if (reopen === undefined) return skip('this store cannot be opened a second time');
      const both = [store, await reopen()];
      const add = async (each: DelegationStore) => {
        for (;;) {
          const read = await each.note('count');
          const value = String(Number(read?.value ?? 0) + 1);
          if (await each.putNote('count', { revision: (read?.revision ?? 0) + 1, value })) return;
        }
      };
      await Promise.all(both.flatMap((each) => Array.from({ length: 5 }, () => add(each))));
      expect(await store.note('count')).toEqual({ revision: 10, value: '10' });
    },
    'two instances share the wakes of a queue, each handled by one of them': async (
      store,
      { reopen },
      skip,
    ) => {
      if (reopen === undefined) return skip('this store cannot be opened a second time');
      const both = [store, await reopen()];
      const names = Array.from({ length: 20 }, (_, n) => `w${n}`);
      await Promise.all(both.flatMap(({ wakes }) => names.map((id) => wakes.put(wake(id, at)))));
      const handled: string[] = [];
      const work = async ({ wakes }: DelegationStore, token: string) => {
        for (;;) {
          const { claimed } = await wakes.claim(claiming(at, token, 3));
          if (claimed.length === 0) return;
          for (const { id } of claimed) {
            handled.push(id);
            await wakes.finish(done(id, null, token));
          }
        }
      };
      await Promise.all(both.map((each, side) => work(each, `t${side}`)));
      expect(handled.toSorted()).toEqual(names.toSorted());
      expect(await store.wakes.list()).toEqual([]);
    },
    'an instance takes over what another one has claimed and not renewed, and the first one changes nothing':
      async (store, { reopen }, skip) => {
        if (reopen === undefined) return skip('this store cannot be opened a second time');
        const other = await reopen();
        await store.wakes.put(wake('a', at));
        expect((await store.wakes.claim(claiming(at, 'dead'))).claimed).toHaveLength(1);
        expect((await other.wakes.claim(claiming(at + 999, 'heir'))).claimed).toEqual([]);
        expect((await other.wakes.claim(claiming(at + 1_000, 'heir'))).claimed).toHaveLength(1);
        await store.wakes.renew('dead', at + 900_000);
        await store.wakes.finish(done('a', null, 'dead'));
        expect(await other.wakes.list()).toMatchObject([{ id: 'a', heldUntil: at + 2_000 }]);
        await other.wakes.finish(done('a', null, 'heir'));
        expect(await store.wakes.list()).toEqual([]);
      },
  },
  persistence: {
    'finds everything again after a restart': async (store, opened, skip) => {
      if (opened.reopen === undefined) return skip('nothing outlives the object');
      await store.create(sample('a'));
      await store.putNote('n', { revision: 1, value: 'a' });
      await store.wakes.put(wake('w', at));
      const again = await opened.reopen();
      expect(await again.get('a')).toEqual(await store.get('a'));
      expect(await again.note('n')).toEqual({ revision: 1, value: 'a' });
      expect((await again.wakes.claim(claiming(at))).claimed).toHaveLength(1);
      expect((await store.wakes.claim(claiming(at, 'other'))).claimed).toEqual([]);
      expect(await again.update(sample('a', { revision: 2 }))).toBe(true);
      expect(await store.update(sample('a', { revision: 2 }))).toBe(false);
    },
    'keeps agents apart': async (store, opened, skip) => {
      if (opened.forAgent === undefined) return skip('one agent per store');
      const other = await opened.forAgent('other');
      await store.create(sample('a'));
      await store.putNote('n', { revision: 1, value: 'a' });
      await store.wakes.put(wake('w', at));
      expect(await other.get('a')).toBeNull();
      expect(await other.note('n')).toBeNull();
      expect((await other.wakes.claim(claiming(at))).claimed).toEqual([]);
      expect((await other.list()).items).toEqual([]);
      expect((await other.create(sample('a'))).created).toBe(true);
    },
  },
} as const satisfies StoreGroups<DelegationStore>;

/** The conformance tests of stores, by capability and title. */
export const delegationStoreTests: StoreGroups<DelegationStore> = groups;

/** Capabilities that {@link testDelegationStore} tests. */
export type DelegationStoreGroup = keyof typeof groups;

/**
 * Defines the conformance suite of stores. `open` returns an empty store for each test.
 *
 * ```ts
 * testDelegationStore('my adapter', () => ({ store: createMyStore() }));
 * ```
 */
export function testDelegationStore(
  name: string,
  open: OpenStore<DelegationStore>,
  options: DescribeStoreOptions<DelegationStoreGroup> = {},
): void {
  describeStore(`delegation store: ${name}`, open, groups, options);
}
