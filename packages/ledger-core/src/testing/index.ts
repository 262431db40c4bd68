/**
 * The tests that a ledger store must pass, for whoever writes one.
 * @packageDocumentation
 */
import { afterEach, describe, expect, it } from 'vitest';
import { outcomeResult, outcomes } from '../outcome.ts';
import type { Assessment, Peer } from '../records.ts';
import type { HistoryQuery, InteractionWrite, LedgerStore, OutcomeWrite, Position } from '../store.ts';
import { createMemoryLedgerStore } from '../stores/memory.ts';

/** An empty store with what the tests need around it. */
export interface LedgerStoreFixture {
  readonly store: LedgerStore;
  /**
   * A store of another agent in the same place (LED-24). Without it the tests of the scopes are skipped: give it for
   * every store that several agents can share.
   */
  readonly forAgent?: (agentId: string) => LedgerStore;
  /** Removes what the fixture made. */
  readonly close?: () => Promise<void> | void;
}

/**
 * Registers the conformance tests of a `LedgerStore` with vitest. `makeStore` makes a fresh, empty store for every
 * test: the store itself, or a fixture when there is something to close or several agents share it.
 *
 * @example
 * testLedgerStore('my store', () => createMyLedgerStore());
 */
export function testLedgerStore(
  name: string,
  makeStore: () => LedgerStore | LedgerStoreFixture | Promise<LedgerStore | LedgerStoreFixture>,
): void {
  const opened: LedgerStoreFixture[] = [];

  async function fixture(): Promise<LedgerStoreFixture> {
    const made = await makeStore();
    const fresh = 'store' in made ? made : { store: made };
    opened.push(fresh);
    return fresh;
  }

  const open = async () => (await fixture()).store;

  describe(`ledger store: ${name}`, () => {
    afterEach(async () => {
      for (const { close } of opened.splice(0)) await close?.();
    });

    it('LED-1 creates the peer with its first interaction and counts both directions', async () => {
      const store = await open();
      expect(await store.getPeer('telegram:bob')).toBeNull();
      const first = message('1', { at: 1000, peer: { alias: 'Bob' } });
      expect(await store.recordInteraction(first)).toEqual({ interactionId: '1', recorded: true });
      await store.recordInteraction(message('2', { at: 5000, direction: 'out' }));
      expect(await store.getPeer('telegram:bob')).toEqual({
        peer: {
          peerId: 'telegram:bob',
          nativeId: 'bob',
          channel: 'telegram',
          alias: 'Bob',
          firstSeenAt: 1000,
          lastSeenAt: 5000,
          interactionCount: 2,
          assessmentCount: 0,
          successCount: 0,
          failureCount: 0,
          openCount: 0,
        },
        latest: null,
      });
    });

    it('LED-1 widens first and last seen whatever order the messages come in', async () => {
      const store = await open();
      for (const at of [5000, 1000, 9000, 3000]) await store.recordInteraction(message(`${at}`, { at }));
      expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
        firstSeenAt: 1000,
        lastSeenAt: 9000,
        interactionCount: 4,
      });
    });

    it('LED-1 keeps the newest alias that a message brought', async () => {
      const store = await open();
      const aliasAfter = async (id: string, at: number, alias: string | null) => {
        await store.recordInteraction(message(id, { at, peer: { alias } }));
        return (await store.getPeer('telegram:bob'))?.peer.alias;
      };
      expect(await aliasAfter('1', 1000, null)).toBeNull();
      expect(await aliasAfter('2', 500, 'Bobby')).toBe('Bobby');
      expect(await aliasAfter('3', 2000, 'Robert')).toBe('Robert');
      expect(await aliasAfter('4', 1500, 'Old Bob')).toBe('Robert');
      expect(await aliasAfter('5', 3000, null)).toBe('Robert');
    });

    it('LED-2 gives back every field of an interaction as it was written', async () => {
      const store = await open();
      const text = 'line\nline — 🙂 “quotes” \' " ; DROP TABLE ledger_peers; \u202e \u{10ffff}';
      const full = message('1', {
        at: 1_790_000_000_000,
        content: text,
        contentLength: 90_000,
        redacted: true,
        correlationId: 'job-1',
        externalId: 'event-1',
        evidence: { id: 'event-1', tags: [['p', text]], created_at: 1 },
        metrics: { latencyMs: 12.5, costMsat: 9_007_199_254_740_991, score: -0.5, note: 'x' },
      });
      await store.recordInteraction(full);
      await store.recordInteraction(message('0', { at: 0, direction: 'out', content: '' }));
      expect(await store.listInteractions(newest())).toEqual([
        { ...full.interaction, peerId: 'telegram:bob', channel: 'telegram', outcome: null, pruned: false },
        {
          interactionId: '0',
          peerId: 'telegram:bob',
          direction: 'out',
          channel: 'telegram',
          content: '',
          contentLength: 0,
          redacted: false,
          pruned: false,
          correlationId: null,
          externalId: null,
          evidence: null,
          outcome: null,
          metrics: null,
          createdAt: 0,
        },
      ]);
    });

    it('LED-2 records an externalId once per peer', async () => {
      const store = await open();
      await store.recordInteraction(message('1', { at: 1000, externalId: 'event' }));
      const before = await store.getPeer('telegram:bob');
      const repeat = message('2', {
        at: 9000,
        externalId: 'event',
        correlationId: 'job',
        peer: { alias: 'Mallory' },
      });
      expect(await store.recordInteraction({ ...repeat, outcome: outcomeOf('o', 'job', 'paid') })).toEqual({
        interactionId: '1',
        recorded: false,
      });
      expect(await store.getPeer('telegram:bob')).toEqual(before);
      expect(await store.listInteractions(newest())).toHaveLength(1);
      expect(await store.listOutcomes(newest())).toEqual([]);

      const other = message('3', { externalId: 'event', peer: { peerId: 'telegram:eve', nativeId: 'eve' } });
      expect(await store.recordInteraction(other)).toEqual({ interactionId: '3', recorded: true });
      expect(await store.recordInteraction(message('4', {}))).toMatchObject({ recorded: true });
      expect(await store.recordInteraction(message('5', {}))).toMatchObject({ recorded: true });
    });

    it('LED-22 writes a message and what follows from it, or nothing', async () => {
      const store = await open();
      await store.recordInteraction(message('1', { at: 1000, correlationId: 'job' }));
      await store.recordOutcome({ ...outcomeOf('o', 'job', 'requested'), peerId: 'telegram:bob' });
      const before = await everything(store);

      await expect(store.recordInteraction(message('1', { at: 9000 }))).rejects.toThrow();
      await expect(
        store.recordInteraction({
          ...message('2', { at: 9000, peer: { peerId: 'telegram:eve', nativeId: 'eve' } }),
          outcome: outcomeOf('o', 'job', 'paid'),
        }),
      ).rejects.toThrow();
      await expect(
        store.recordOutcome({ ...outcomeOf('o', 'job', 'paid'), peerId: 'telegram:bob' }),
      ).rejects.toThrow();
      expect(await everything(store)).toEqual(before);
    });

    it('LED-9 lists a history both ways, in pages that hold still while rows come in', async () => {
      const store = await open();
      // Two rows of one time each, so that the id decides too.
      for (let n = 0; n < 10; n++) {
        await store.recordInteraction(message(`i${n}`, { at: Math.floor(n / 2) * 1000 }));
      }
      const descending = ['i9', 'i8', 'i7', 'i6', 'i5', 'i4', 'i3', 'i2', 'i1', 'i0'];
      let arrived = 0;
      const arrive = async () => {
        const n = arrived++;
        await store.recordInteraction(message(`late${n}`, { at: 90_000 + n }));
      };
      expect(await pages(store, 'newest', 3, arrive)).toEqual(descending);
      const ascending = await pages(store, 'oldest', 4, async () => {});
      expect(ascending.slice(0, 10)).toEqual(descending.toReversed());
      expect(ascending).toHaveLength(10 + arrived);
    });

    it('LED-9 counts the last outcome of each piece of work', async () => {
      const store = await open();
      await store.recordInteraction(message('1', { correlationId: 'a' }));
      await store.recordInteraction(message('2', { correlationId: 'b' }));
      await store.recordInteraction(message('3', { correlationId: 'c' }));
      const counts = async () => {
        const peer = (await store.getPeer('telegram:bob'))?.peer;
        return [peer?.successCount, peer?.failureCount, peer?.openCount, peer?.interactionCount];
      };
      const report = (id: string, work: string, outcome: Outcome, createdAt: number) =>
        store.recordOutcome({ ...outcomeOf(id, work, outcome), createdAt });
      expect(await report('o1', 'a', 'requested', 100)).toMatchObject({
        kind: 'recorded',
        event: { outcomeId: 'o1', peerId: 'telegram:bob', correlationId: 'a', outcome: 'requested' },
      });
      expect(await counts()).toEqual([0, 0, 1, 3]);
      await report('o2', 'a', 'paid', 200);
      await report('o3', 'b', 'timeout', 200);
      await report('o4', 'c', 'verified', 200);
      expect(await counts()).toEqual([2, 1, 0, 3]);
      await report('o5', 'c', 'disputed', 300);
      expect(await counts()).toEqual([1, 2, 0, 3]);
      await report('o6', 'c', 'verified', 250);
      expect(await counts()).toEqual([1, 2, 0, 3]);
      await report('o7', 'c', 'verified', 300);
      expect(await counts()).toEqual([2, 1, 0, 3]);
      expect((await store.listOutcomes(newest())).map((row) => row.outcomeId)).toEqual([
        'o7',
        'o5',
        'o6',
        'o4',
        'o3',
        'o2',
        'o1',
      ]);
    });

    it('LED-2 shows with each interaction the last outcome of its work', async () => {
      const store = await open();
      await store.recordInteraction(message('1', { at: 1, correlationId: 'a' }));
      await store.recordInteraction(message('2', { at: 2, correlationId: 'a', metrics: { latencyMs: 7 } }));
      await store.recordInteraction(message('3', { at: 3, correlationId: 'b' }));
      await store.recordInteraction({
        ...message('4', { at: 4, correlationId: 'd' }),
        outcome: outcomeOf('o0', 'd', 'delivered'),
      });
      await store.recordOutcome({
        ...outcomeOf('o1', 'a', 'delivered'),
        createdAt: 5,
        metrics: { score: 0.5 },
      });
      await store.recordOutcome({
        ...outcomeOf('o2', 'a', 'verified'),
        createdAt: 6,
        metrics: { score: 1 },
      });
      const rows = await store.listInteractions(oldest());
      expect(rows.map((row) => [row.outcome, row.metrics])).toEqual([
        ['verified', { score: 1 }],
        ['verified', { latencyMs: 7 }],
        [null, null],
        ['delivered', null],
      ]);
      expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({ successCount: 1, openCount: 1 });
    });

    it('LED-9 finds whose work a correlationId is, or says why not', async () => {
      const store = await open();
      await store.recordInteraction(message('1', { correlationId: 'job' }));
      const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
      await store.recordInteraction(message('2', { correlationId: 'job', peer: eve }));
      const report = (write: Partial<OutcomeWrite>) =>
        store.recordOutcome({ ...outcomeOf('o', 'job', 'paid'), ...write });
      expect(await report({})).toEqual({ kind: 'ambiguous', peerIds: ['telegram:bob', 'telegram:eve'] });
      expect(await report({ correlationId: 'other' })).toEqual({ kind: 'unknown' });
      expect(await report({ peerId: 'telegram:nobody' })).toEqual({ kind: 'unknown' });
      expect(await report({ peerId: 'telegram:eve' })).toMatchObject({ kind: 'recorded' });
      expect((await store.getPeer('telegram:eve'))?.peer.successCount).toBe(1);
      expect((await store.getPeer('telegram:bob'))?.peer.successCount).toBe(0);
    });

    it('LED-2 records an outcome of one externalId once per peer', async () => {
      const store = await open();
      await store.recordInteraction(message('1', { correlationId: 'job' }));
      const first = await store.recordOutcome({ ...outcomeOf('o1', 'job', 'paid'), externalId: 'receipt' });
      const before = await everything(store);
      const again = await store.recordOutcome({
        ...outcomeOf('o2', 'job', 'rejected'),
        externalId: 'receipt',
      });
      expect(again).toEqual({ kind: 'repeated', event: 'event' in first ? first.event : null });
      expect(await everything(store)).toEqual(before);
    });

    it('LED-3 appends assessments to a time series of which the newest is the latest', async () => {
      const store = await open();
      expect(await store.recordAssessment('telegram:bob', () => assessment('a'))).toBeNull();
      await store.recordInteraction(message('1', {}));
      const seen: (readonly [number, string | undefined])[] = [];
      const assess = (id: string, createdAt: number, trust: number) =>
        store.recordAssessment('telegram:bob', (peer, latest) => {
          seen.push([peer.assessmentCount, latest?.assessmentId]);
          return assessment(id, { createdAt, trust, assessor: id === 'a2' ? 'model/1' : null });
        });
      expect(await assess('a1', 1000, -10)).toEqual(assessment('a1', { createdAt: 1000, trust: -10 }));
      await assess('a2', 3000, 10);
      await assess('a3', 2000, 0);
      await assess('a4', 3000, 5);
      expect(seen).toEqual([
        [0, undefined],
        [1, 'a1'],
        [2, 'a2'],
        [3, 'a2'],
      ]);
      const series = [
        assessment('a1', { createdAt: 1000, trust: -10 }),
        assessment('a3', { createdAt: 2000, trust: 0 }),
        assessment('a2', { createdAt: 3000, trust: 10, assessor: 'model/1' }),
        assessment('a4', { createdAt: 3000, trust: 5 }),
      ];
      expect(await store.listAssessments(oldest())).toEqual(series);
      expect(await store.listAssessments({ ...newest(), limit: 2 })).toEqual([series[3], series[2]]);
      expect(await store.listAssessments({ ...newest(), after: { value: 3000, id: 'a2' } })).toEqual([
        series[1],
        series[0],
      ]);
      const peer = await store.getPeer('telegram:bob');
      expect(peer?.latest).toEqual(series[3]);
      expect(peer?.peer).toMatchObject({ assessmentCount: 4, interactionCount: 1 });
    });

    it('LED-4 refuses scores out of range and a blank rationale, and writes nothing then', async () => {
      const store = await open();
      await store.recordInteraction(message('1', {}));
      const before = await everything(store);
      const wrong: readonly Partial<Assessment>[] = [
        { trust: 11 },
        { trust: -11 },
        { trust: 0.5 },
        { infoScore: 11 },
        { infoScore: -1 },
        { rationale: '' },
        { rationale: ' \n\t ' },
      ];
      for (const fields of wrong) {
        const written = store.recordAssessment('telegram:bob', () => assessment('a', fields));
        await expect(written, JSON.stringify(fields)).rejects.toThrow();
      }
      const failing = store.recordAssessment('telegram:bob', () => {
        throw new Error('no opinion');
      });
      await expect(failing).rejects.toThrow('no opinion');
      expect(await everything(store)).toEqual(before);
      expect(await store.recordAssessment('telegram:bob', () => assessment('a'))).not.toBeNull();
    });

    it('LED-9 lists peers in every order and by every condition', async () => {
      const store = await open();
      const names = ['ann', 'bob', 'cat', 'dan', 'eve'];
      for (const [n, nativeId] of names.entries()) {
        const peer = { peerId: `telegram:${nativeId}`, nativeId };
        for (let count = 0; count <= n % 3; count++) {
          const at = count === 0 ? 5000 - n * 1000 : 6000 + Math.floor(n / 2);
          await store.recordInteraction(message(`${nativeId}-${count}`, { at, peer }));
        }
      }
      const signal = { peerId: 'signal:bob', nativeId: 'bob', channel: 'signal' };
      await store.recordInteraction(message('s', { at: 5000, peer: signal }));
      await store.recordAssessment('telegram:cat', (peer) => assessment('a1', peer, -1));
      await store.recordAssessment('telegram:dan', (peer) => assessment('a2', peer, -5));
      await store.recordAssessment('telegram:dan', (peer) =>
        assessment('a3', { ...peer, createdAt: 9000 }, 0),
      );

      const list = async (query: Partial<Parameters<LedgerStore['listPeers']>[0]>) =>
        (await store.listPeers({ orderBy: 'lastSeenAt', limit: 10, ...query })).map(
          ({ peer }) => peer.peerId,
        );
      const byLastSeen = [
        'telegram:eve',
        'telegram:cat',
        'telegram:bob',
        'telegram:ann',
        'signal:bob',
        'telegram:dan',
      ];
      expect(await list({})).toEqual(byLastSeen);
      expect(await list({ limit: 2 })).toEqual(byLastSeen.slice(0, 2));
      expect(await list({ after: { value: 6000, id: 'telegram:bob' } })).toEqual(byLastSeen.slice(3));
      expect(await list({ after: { value: 5000, id: 'telegram:ann' } })).toEqual(byLastSeen.slice(4));
      expect(await list({ orderBy: 'firstSeenAt' })).toEqual([
        'telegram:ann',
        'signal:bob',
        'telegram:bob',
        'telegram:cat',
        'telegram:dan',
        'telegram:eve',
      ]);
      expect(await list({ orderBy: 'interactionCount' })).toEqual([
        'telegram:cat',
        'telegram:eve',
        'telegram:bob',
        'telegram:dan',
        'telegram:ann',
        'signal:bob',
      ]);
      expect(await list({ nativeId: 'bob' })).toEqual(['telegram:bob', 'signal:bob']);
      expect(await list({ nativeId: 'bo' })).toEqual([]);
      expect(await list({ peerIdPrefix: 'signal:' })).toEqual(['signal:bob']);
      expect(await list({ peerIdPrefix: 'telegram:%' })).toEqual([]);
      expect(await list({ trustBelow: 0 })).toEqual(['telegram:cat']);
      expect(await list({ trustBelow: 1 })).toEqual(['telegram:cat', 'telegram:dan']);
      const [first] = await store.listPeers({ orderBy: 'lastSeenAt', limit: 1, trustBelow: 0 });
      expect(first).toEqual(await store.getPeer('telegram:cat'));
    });

    it('LED-9 counts the whole journal', async () => {
      const store = await open();
      expect(await store.getTotals()).toEqual({
        peers: 0,
        interactions: 0,
        assessments: 0,
        positiveAssessments: 0,
        trustDistribution: [],
      });
      for (const nativeId of ['ann', 'bob', 'cat', 'dan']) {
        const peer = { peerId: `telegram:${nativeId}`, nativeId };
        await store.recordInteraction(message(`${nativeId}1`, { peer }));
        await store.recordInteraction(message(`${nativeId}2`, { peer }));
      }
      await store.recordAssessment('telegram:ann', (peer) => assessment('a1', peer, 5));
      await store.recordAssessment('telegram:bob', (peer) => assessment('a2', peer, -3));
      await store.recordAssessment('telegram:cat', (peer) => assessment('a3', peer, 9));
      await store.recordAssessment('telegram:cat', (peer) => assessment('a4', peer, 5));
      expect(await store.getTotals()).toEqual({
        peers: 4,
        interactions: 8,
        assessments: 4,
        positiveAssessments: 3,
        trustDistribution: [
          { trust: -3, peers: 1 },
          { trust: 5, peers: 2 },
        ],
      });
    });

    it('LED-26 lists the assessments of everybody in order of time', async () => {
      const store = await open();
      const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
      await store.recordInteraction(message('1', {}));
      await store.recordInteraction(message('2', { peer: eve }));
      for (const [n, peerId] of ['telegram:bob', 'telegram:eve', 'telegram:bob', 'telegram:eve'].entries()) {
        await store.recordAssessment(peerId, () =>
          assessment(`a${n}`, { peerId, createdAt: Math.floor(n / 2) * 1000 }),
        );
      }
      const ids = async (query: Omit<HistoryQuery, 'peerId'>) =>
        (await store.listAssessments({ ...query, peerId: null })).map((row) => row.assessmentId);
      expect(await ids({ order: 'oldest', limit: 10 })).toEqual(['a0', 'a1', 'a2', 'a3']);
      expect(await ids({ order: 'newest', limit: 3 })).toEqual(['a3', 'a2', 'a1']);
      const after = { value: 0, id: 'a0' };
      expect(await ids({ order: 'oldest', limit: 2, after })).toEqual(['a1', 'a2']);
    });

    it('LED-27 removes old text and evidence, and nothing else', async () => {
      const store = await open();
      const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
      const evidence = { id: 'e', content: 'secret' };
      const metrics = { latencyMs: 5 };
      // More than an adapter does in one step.
      for (let n = 0; n < 600; n++) {
        const fields = { at: n, externalId: `e${n}`, correlationId: 'job', content: 'secret', evidence };
        await store.recordInteraction(message(`i${n}`.padStart(5, '0'), { ...fields, metrics }));
      }
      await store.recordInteraction(message('x1', { at: 10, content: 'old', peer: eve }));
      await store.recordInteraction(message('x2', { at: 550, content: 'new', peer: eve }));
      await store.recordOutcome({ ...outcomeOf('o', 'job', 'paid'), peerId: 'telegram:bob' });
      await store.recordAssessment('telegram:bob', () => assessment('a'));
      const all: HistoryQuery = { ...oldest(), limit: 2000 };
      const rows = await store.listInteractions(all);
      const before = await everything(store);

      expect(await store.prune(550)).toBe(551);
      expect(await store.prune(550)).toBe(0);
      expect(await store.listInteractions(all)).toEqual(
        rows.map((row) =>
          row.createdAt < 550 ? { ...row, content: '', evidence: null, pruned: true } : row,
        ),
      );
      expect((await store.listInteractions(oldest('telegram:eve'))).map(({ content }) => content)).toEqual([
        '',
        'new',
      ]);
      const after = await everything(store);
      expect(after.peers).toEqual(before.peers);
      expect(after.totals).toEqual(before.totals);
      expect(after.histories.map(({ outcomes: o, assessments: a }) => [o, a])).toEqual(
        before.histories.map(({ outcomes: o, assessments: a }) => [o, a]),
      );
      expect(await store.recordInteraction(message('again', { at: 1, externalId: 'e1' }))).toMatchObject({
        recorded: false,
      });
      expect(await store.prune(2000)).toBe(51);
    });

    it('LED-23 loses nothing when writes run side by side', async () => {
      const store = await open();
      const side = Array.from({ length: 20 }, (_, n) => n);
      const repeats = await Promise.all(
        side.map((n) =>
          store.recordInteraction(
            message(`i${n}`, { at: n, externalId: `e${n % 10}`, correlationId: 'job' }),
          ),
        ),
      );
      expect(repeats.filter(({ recorded }) => recorded)).toHaveLength(10);
      await Promise.all(
        side.map((n) =>
          store.recordOutcome({ ...outcomeOf(`o${n}`, 'job', n % 2 ? 'paid' : 'timeout'), createdAt: n }),
        ),
      );
      await Promise.all(
        side.map((n) =>
          store.recordAssessment('telegram:bob', (peer) =>
            assessment(`a${n}`, { createdAt: n, infoScore: Math.min(10, peer.assessmentCount) }),
          ),
        ),
      );
      expect((await store.getPeer('telegram:bob'))?.peer).toMatchObject({
        interactionCount: 10,
        successCount: 1,
        failureCount: 0,
        openCount: 0,
        assessmentCount: 20,
      });
      const scores = (await store.listAssessments(oldest())).map(({ infoScore }) => infoScore);
      expect(scores.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...Array(10).fill(10)]);
    });

    it('X-2 answers as the memory store does, whatever happened before', async () => {
      const store = await open();
      const reference = createMemoryLedgerStore();
      const random = mulberry32(4711);
      const pick = (below: number) => Math.floor(random() * below);
      for (let n = 0; n < 200; n++) {
        const id = `${n}`.padStart(4, '0');
        const nativeId = `peer${pick(4)}`;
        const peerId = `telegram:${nativeId}`;
        const common = {
          correlationId: `job${pick(6)}`,
          externalId: pick(3) ? null : `event${pick(20)}`,
          metrics: pick(2) ? { score: pick(10) } : null,
          createdAt: pick(50),
        };
        const outcome = outcomes[pick(outcomes.length)] ?? 'paid';
        const event = { outcomeId: id, outcome, result: outcomeResult(outcome), ...common };
        const act = [
          (to: LedgerStore) =>
            to.recordInteraction({
              ...message(id, { at: common.createdAt, ...common, peer: { peerId, nativeId } }),
              outcome: n % 5 ? null : event,
            }),
          (to: LedgerStore) => to.recordOutcome({ ...event, peerId: n % 2 ? peerId : null }),
          (to: LedgerStore) =>
            to.recordAssessment(peerId, (peer, latest) =>
              assessment(id, {
                peerId,
                createdAt: common.createdAt,
                infoScore: Math.min(10, peer.interactionCount),
                trust: Math.max(-10, (latest?.trust ?? 0) - 1),
              }),
            ),
        ][pick(3)];
        expect(await act?.(store)).toEqual(await act?.(reference));
      }
      expect(await everything(store)).toEqual(await everything(reference));
    });

    it('LED-24 keeps the agents that share a database apart', async ({ skip }) => {
      const { store, forAgent } = await fixture();
      if (!forAgent) return skip('this store is not shared');
      const other = forAgent('another-agent');
      expect(other.agentId).toBe('another-agent');
      expect(other.agentId).not.toBe(store.agentId);

      const fill = async (side: LedgerStore, trust: number, outcome: Outcome) => {
        const first = message('1', { content: outcome, externalId: 'e', correlationId: 'job' });
        await side.recordInteraction(first);
        await side.recordOutcome({ ...outcomeOf('o', 'job', outcome), peerId: 'telegram:bob' });
        await side.recordAssessment('telegram:bob', () => assessment('a', { trust }));
      };
      await fill(store, 5, 'paid');
      const before = await everything(store);
      // The same ids on the other side: neither may be in the other's way.
      await fill(other, -5, 'timeout');
      expect((await other.getPeer('telegram:bob'))?.latest?.trust).toBe(-5);

      const eve = { peerId: 'telegram:eve', nativeId: 'eve' };
      await other.recordInteraction(message('2', { correlationId: 'secret', peer: eve }));
      await other.recordInteraction(message('3', { at: 9000, peer: { alias: 'Changed' } }));
      await other.recordOutcome({ ...outcomeOf('o2', 'job', 'paid'), createdAt: 9000 });
      await other.recordAssessment('telegram:bob', () => assessment('a2', { createdAt: 9000, trust: -9 }));
      expect(await everything(store)).toEqual(before);
      expect(await store.getPeer('telegram:eve')).toBeNull();
      expect(await store.recordAssessment('telegram:eve', () => assessment('a3'))).toBeNull();
      expect(await store.recordOutcome(outcomeOf('o3', 'secret', 'paid'))).toEqual({ kind: 'unknown' });
      const ofAll = await store.listAssessments({ peerId: null, order: 'oldest', limit: 100 });
      expect(ofAll.map((row) => row.assessmentId)).toEqual(['a']);
      await other.prune(100_000);
      expect(await everything(store)).toEqual(before);
    });
  });
}

type Outcome = (typeof outcomes)[number];

const bob = { peerId: 'telegram:bob', nativeId: 'bob', channel: 'telegram', alias: null };

function message(
  interactionId: string,
  fields: Partial<Omit<InteractionWrite['interaction'], 'createdAt'>> & {
    readonly at?: number;
    readonly peer?: Partial<InteractionWrite['peer']>;
  },
): InteractionWrite {
  const content = fields.content ?? `message ${interactionId}`;
  return {
    peer: { ...bob, ...fields.peer },
    interaction: {
      interactionId,
      direction: fields.direction ?? 'in',
      content,
      contentLength: fields.contentLength ?? content.length,
      redacted: fields.redacted ?? false,
      correlationId: fields.correlationId ?? null,
      externalId: fields.externalId ?? null,
      evidence: fields.evidence ?? null,
      metrics: fields.metrics ?? null,
      createdAt: fields.at ?? 1000,
    },
    outcome: null,
  };
}

function outcomeOf(outcomeId: string, correlationId: string, outcome: Outcome): OutcomeWrite {
  return {
    outcomeId,
    peerId: null,
    correlationId,
    outcome,
    result: outcomeResult(outcome),
    metrics: null,
    externalId: null,
    createdAt: 2000,
  };
}

function assessment(
  assessmentId: string,
  { peerId = 'telegram:bob', ...fields }: Partial<Assessment & Peer> = {},
  trust = fields.trust ?? 1,
): Assessment {
  return {
    assessmentId,
    peerId,
    infoScore: fields.infoScore ?? 1,
    trust,
    rationale: fields.rationale ?? 'Delivered what was asked for.',
    source: fields.source ?? 'agent',
    assessor: fields.assessor ?? null,
    createdAt: fields.createdAt ?? 2000,
  };
}

const newest = (peerId = 'telegram:bob'): HistoryQuery => ({ peerId, order: 'newest', limit: 1000 });
const oldest = (peerId = 'telegram:bob'): HistoryQuery => ({ peerId, order: 'oldest', limit: 1000 });

async function pages(
  store: LedgerStore,
  order: HistoryQuery['order'],
  limit: number,
  between: () => Promise<void>,
): Promise<string[]> {
  const ids: string[] = [];
  let after: Position | undefined;
  for (;;) {
    const rows = await store.listInteractions({ peerId: 'telegram:bob', order, limit, after });
    ids.push(...rows.map((row) => row.interactionId));
    const last = rows.at(-1);
    if (!last || rows.length < limit) return ids;
    after = { value: last.createdAt, id: last.interactionId };
    await between();
  }
}

/** All that a store says. */
async function everything(store: LedgerStore) {
  const peers = await store.listPeers({ orderBy: 'firstSeenAt', limit: 1000 });
  const histories = [];
  for (const { peer } of peers) {
    histories.push({
      interactions: await store.listInteractions(newest(peer.peerId)),
      outcomes: await store.listOutcomes(oldest(peer.peerId)),
      assessments: await store.listAssessments(oldest(peer.peerId)),
    });
  }
  return { peers, histories, totals: await store.getTotals() };
}

/** Small seeded generator, so that every run tries the same history. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
