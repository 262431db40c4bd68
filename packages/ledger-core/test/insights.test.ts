import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Assessment,
  auditAssessments,
  computeAggregates,
  computeInfoScore,
  createLedger,
  createMemoryLedgerStore,
  discountInfoScore,
  type ExportedAssessment,
  infoScoreOfEvidence,
  type LedgerConfig,
  type LedgerStore,
  type OutcomeResult,
  reportAssessors,
} from '../src/index.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);

function setUp(config: LedgerConfig = {}) {
  const time = { now: start };
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => time.now, config });
  return { ledger, time };
}

const bob = { peerId: 'bob', channel: 'telegram' };

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('computeAggregates', () => {
  const outcome = (n: number, result: OutcomeResult, at: number, latencyMs?: number) => ({
    outcomeId: `o${n}`,
    correlationId: `w${n}`,
    result,
    metrics: latencyMs === undefined ? null : { latencyMs },
    createdAt: at,
  });

  it('LED-20 a success of now weighs twice a failure of a half-life ago', () => {
    const outcomes = [outcome(1, 'failure', 0), outcome(2, 'success', 30 * day)];
    const result = computeAggregates({ outcomes, interactions: [] }, { now: 30 * day });
    expect(result.successRate).toBeCloseTo(2 / 3, 10);
    expect(result.weight).toBeCloseTo(1.5, 10);
    expect(result.finished).toBe(2);
    const slow = computeAggregates({ outcomes, interactions: [] }, { now: 30 * day, halfLifeMs: 1e15 });
    expect(slow.successRate).toBeCloseTo(0.5, 6);
  });

  it('LED-20 of one piece of work the last outcome counts, and what is open does not', () => {
    const outcomes = [
      { ...outcome(2, 'failure', 20), correlationId: 'w1' },
      outcome(1, 'success', 10),
      outcome(3, 'open', 30),
    ];
    const result = computeAggregates({ outcomes, interactions: [] }, { now: 30 });
    expect(result).toMatchObject({ successRate: 0, finished: 1, trend: 'unknown', latencyMs: null });
    expect(computeAggregates({ outcomes: [], interactions: [] }, { now: 0 })).toMatchObject({
      successRate: null,
      finished: 0,
    });
  });

  it('LED-20 latency is measured, or the time from asking to the first answer, by decayed weight', () => {
    const ask = (n: number, at: number) => ({
      interactionId: `a${n}`,
      correlationId: `w${n}`,
      direction: 'out' as const,
      metrics: null,
      createdAt: at,
    });
    const reply = (n: number, at: number, latencyMs?: number) => ({
      ...ask(n, at),
      interactionId: `r${n}`,
      direction: 'in' as const,
      metrics: latencyMs === undefined ? null : { latencyMs },
    });
    const interactions = [
      ask(1, 0),
      reply(1, 100),
      { ...reply(1, 900), interactionId: 's' },
      ask(2, 0),
      reply(2, 5, 300),
    ];
    const outcomes = [outcome(3, 'success', 10, 1000)];
    const { latencyMs } = computeAggregates({ outcomes, interactions }, { now: 1000 });
    expect(latencyMs).toEqual({ p50: 300, p95: 1000, samples: 3 });
    const later = [...interactions, ask(4, 300 * day), reply(4, 300 * day + 7)];
    expect(computeAggregates({ outcomes, interactions: later }, { now: 300 * day }).latencyMs?.p50).toBe(7);
  });

  it('LED-20 the trend compares the newer half of the last N works with the older', () => {
    const trendOf = (results: string, trendLength?: number) =>
      computeAggregates(
        {
          outcomes: [...results].map((r, n) => outcome(n, r === '+' ? 'success' : 'failure', n)),
          interactions: [],
        },
        { now: 100, trendLength },
      ).trend;
    expect(trendOf('---')).toBe('unknown');
    expect(trendOf('--++')).toBe('improving');
    expect(trendOf('++++--')).toBe('declining');
    expect(trendOf('+-+-+-+-')).toBe('steady');
    expect(trendOf('----------++++', 4)).toBe('steady');
    // The oldest work turns out badly at last: that is the newest news.
    const outcomes = [0, 1, 2, 3].map((n) => outcome(n, 'success', n));
    const late = { ...outcome(9, 'failure', 50), correlationId: 'w0' };
    const { trend } = computeAggregates({ outcomes: [...outcomes, late], interactions: [] }, { now: 100 });
    expect(trend).toBe('declining');
  });

  it('LED-20 stays within its ranges whatever happened', () => {
    const rows = fc.array(
      fc.record({
        n: fc.nat(5),
        result: fc.constantFrom<OutcomeResult>('success', 'failure', 'open'),
        at: fc.nat(1_000_000_000),
        latency: fc.option(fc.nat(10_000), { nil: undefined }),
      }),
    );
    fc.assert(
      fc.property(rows, fc.nat(2_000_000_000), (list, now) => {
        const outcomes = list.map(({ n, result, at, latency }, index) => ({
          ...outcome(n, result, at, latency),
          outcomeId: `${index}`,
        }));
        const { successRate, latencyMs, weight, finished } = computeAggregates(
          { outcomes, interactions: [] },
          { now },
        );
        expect(finished).toBeLessThanOrEqual(6);
        expect(weight).toBeLessThanOrEqual(finished);
        if (successRate !== null) expect(successRate >= 0 && successRate <= 1 + 1e-9).toBe(true);
        if (latencyMs) expect(latencyMs.p50).toBeLessThanOrEqual(latencyMs.p95);
      }),
    );
  });

  it('LED-15 LED-20 the ledger shows the trend in the prompt block', async () => {
    const { ledger, time } = setUp();
    for (let n = 0; n < 6; n++) {
      time.now += day;
      await ledger.recordOutgoing({ ...bob, content: 'Please', correlationId: `w${n}` });
      time.now += 2000;
      await ledger.recordIncoming({ ...bob, content: 'Here', correlationId: `w${n}` });
      await ledger.recordOutcome(`w${n}`, n < 3 ? 'verified' : 'rejected');
    }
    expect(await ledger.peerContext('telegram:bob')).toContain('Success rate: 50% (declining)');
    expect(await ledger.getPeerAggregates('telegram:bob')).toMatchObject({
      trend: 'declining',
      finished: 6,
      latencyMs: { p50: 2000, p95: 2000, samples: 6 },
    });
    expect(await ledger.getPeerAggregates('eve')).toBeNull();
    await expect(ledger.getPeerAggregates('telegram:bob', { halfLifeMs: 0 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('getTrajectory', () => {
  it('LED-21 the ledger reads sizes in the one unit that all requests have', async () => {
    const { ledger, time } = setUp();
    const ask = (n: number, costMsat: number | undefined) => {
      time.now += hour;
      const metrics = costMsat === undefined ? null : { costMsat };
      return ledger.recordIncoming({ ...bob, content: 'please', correlationId: `w${n}`, metrics });
    };
    for (let n = 0; n < 5; n++) await ask(n, 1000);
    await ledger.recordIncoming({ ...bob, content: 'x'.repeat(900), correlationId: 'w0' });
    expect((await ledger.getTrajectory('telegram:bob'))?.verdict).toBe('insufficient');
    await ask(5, 8000);
    const found = await ledger.getTrajectory('telegram:bob');
    expect(found).toMatchObject({ verdict: 'suspected', alarms: [{ kind: 'size-jump' }] });
    expect(found?.alarms[0]?.evidence.at(-1)).toMatchObject({
      correlationId: 'w5',
      metrics: { costMsat: 8000 },
    });
    await ask(6, undefined);
    expect((await ledger.getTrajectory('telegram:bob'))?.verdict).toBe('insufficient');
    expect(await ledger.getTrajectory('eve')).toBeNull();
  });
});

describe('exportAuditFindings', () => {
  it("LED-31 reads assessments as they are consumed, page by page, and a peer's outcomes only while they are needed", async () => {
    const memory = createMemoryLedgerStore();
    const asked = { assessments: 0, outcomes: 0 };
    const store: LedgerStore = {
      ...memory,
      listAssessments(query) {
        asked.assessments += 1;
        return memory.listAssessments(query);
      },
      listOutcomes(query) {
        asked.outcomes += 1;
        return memory.listOutcomes(query);
      },
    };
    let now = start;
    const ledger = createLedger({ store, clock: () => now });
    for (const peerId of ['ann', 'bob'])
      await ledger.recordIncoming({ peerId, channel: 'irc', content: 'hi' });
    for (let n = 0; n < 2_500; n += 1) {
      now += 1_000;
      await ledger.recordAssessment(n % 2 ? 'irc:ann' : 'irc:bob', 5, 'A pleasant person.');
    }
    asked.assessments = 0;
    for await (const { kind } of ledger.exportAuditFindings()) {
      expect(kind).toBe('no-observed-fact');
      break;
    }
    expect(asked).toEqual({ assessments: 1, outcomes: 1 });
    let count = 0;
    for await (const _finding of ledger.exportAuditFindings()) count += 1;
    expect(count).toBe(2_500 + 2_499);
    expect(asked).toEqual({ assessments: 1 + 4, outcomes: 1 + 2 });
    expect(await ledger.auditAssessments()).toHaveLength(count);
  });
});

describe('auditAssessments', () => {
  const row = (trust: number, rationale: string, fields: Partial<Assessment> = {}): Assessment => ({
    assessmentId: rationale,
    peerId: 'bob',
    infoScore: 3,
    trust,
    rationale,
    source: 'agent',
    assessor: null,
    createdAt: start,
    ...fields,
  });
  const kinds = (...rows: Assessment[]) => auditAssessments(rows).map(({ kind }) => kind);

  it("LED-20 finds nothing in the sources' own good rationales", () => {
    const good = [
      row(
        2,
        'First interaction. Information exchange — requested research summary. Clear task description, no issues.',
      ),
      row(4, 'Consistent requester. Clear task descriptions. Four successful interactions in 8 days.'),
      row(
        -3,
        'Collaboration request for dataset analysis. Agreed to deliver their portion within 2 hours. No delivery after 24 hours. Unresponsive to follow-up.',
      ),
      row(
        -6,
        'Claimed results were incorrect after delivery of complex data aggregation. Demanded redo. Previous 5 interactions were trivially small — possible reputation farming pattern.',
      ),
    ];
    expect(auditAssessments(good)).toEqual([]);
  });

  it('LED-20 flags a trust and a rationale, or outcomes, of opposite sign', () => {
    expect(kinds(row(-4, 'Delivered on time, accurate and reliable.'))).toEqual(['sign-disagreement']);
    expect(kinds(row(5, 'Never delivered, unresponsive, broke 2 promises.'))).toEqual(['sign-disagreement']);
    expect(kinds(row(0, 'Delivered on time, accurate and reliable.'))).toEqual([]);
    const outcomes = [1, 2, 3].map((n) => ({
      peerId: 'bob',
      correlationId: `w${n}`,
      result: 'failure' as const,
      createdAt: start - n,
    }));
    const requested = row(5, 'Requested 3 things.');
    expect(auditAssessments([requested], outcomes)).toMatchObject([
      { kind: 'sign-disagreement', finding: 'Trust is 5, 0 % of 3 works ended well' },
    ]);
    expect(auditAssessments([row(5, 'Requested 3 things.', { createdAt: start - 9 })], outcomes)).toEqual([]);
    expect(auditAssessments([row(5, 'Requested 3 things.', { peerId: 'eve' })], outcomes)).toEqual([]);
  });

  it('LED-20 flags repeated words and rationales without an observed fact', () => {
    const first = row(2, 'Delivered a summary.', { assessmentId: 'a1' });
    const again = row(2, 'delivered  a SUMMARY', { assessmentId: 'a2', peerId: 'eve' });
    expect(auditAssessments([first, again])).toMatchObject([
      {
        kind: 'repeated-text',
        assessment: { assessmentId: 'a2' },
        finding: 'The same words as in a1 about bob',
      },
    ]);
    expect(kinds(row(2, 'Seems nice and friendly.'))).toEqual(['no-observed-fact']);
  });

  it('LED-20 the ledger audits one peer or all', async () => {
    const { ledger } = setUp();
    await ledger.recordIncoming({ ...bob, content: 'hi' });
    await ledger.recordIncoming({ ...bob, peerId: 'eve', content: 'hi' });
    await ledger.recordAssessment('telegram:bob', 2, 'Seems nice.');
    await ledger.recordAssessment('telegram:eve', 2, 'Seems nice.');
    expect((await ledger.auditAssessments()).map(({ kind }) => kind)).toEqual([
      'no-observed-fact',
      'repeated-text',
      'no-observed-fact',
    ]);
    expect(await ledger.auditAssessments('telegram:bob')).toHaveLength(1);
    await expect(ledger.auditAssessments('mallory')).rejects.toMatchObject({ code: 'PEER_NOT_FOUND' });
  });

  it('LED-3 a change of model shows in the report', async () => {
    const { ledger, time } = setUp();
    await ledger.recordIncoming({ ...bob, content: 'hi' });
    for (const [trust, assessor] of [
      [2, 'old'],
      [4, 'old'],
      [-3, 'new'],
      [-3, 'new'],
      [-5, 'new'],
      [-5, 'new'],
    ] as const) {
      time.now += day;
      await ledger.recordAssessment('telegram:bob', trust, 'Delivered.', { assessor });
    }
    await ledger.recordAssessment('telegram:bob', -9, 'A bot.', { source: 'operator' });
    const report = await ledger.assessorReport();
    expect(report).toMatchObject([
      { assessor: 'old', assessments: 2, peers: 1, mean: 3, spread: 1, drift: null, firstAt: start + day },
      { assessor: 'new', assessments: 4, mean: -4, spread: 1, drift: -2, lastAt: start + 6 * day },
      { assessor: 'operator', mean: -9, spread: 0 },
    ]);
    expect(reportAssessors([])).toEqual([]);
  });
});

describe('overAssessed', () => {
  async function assess(at: readonly number[], between = true, source: 'agent' | 'operator' = 'agent') {
    const { ledger, time } = setUp();
    await ledger.recordIncoming({ ...bob, content: 'hi' });
    for (const offset of at) {
      time.now = start + offset;
      if (between) await ledger.recordIncoming({ ...bob, content: 'hi' });
      time.now += 1;
      await ledger.recordAssessment('telegram:bob', 1, 'Said hi.', { source });
    }
    return (await ledger.getSummary()).overAssessed;
  }

  it('LED-9 flags more than two assessments a day', async () => {
    expect(await assess([0, day, 2 * day])).toEqual([]);
    expect(await assess([0, hour, 24 * hour])).toEqual([]);
    expect(await assess([0, hour, 24 * hour - 1])).toHaveLength(1);
    expect(await assess([0, hour, 2 * hour])).toEqual([
      { peerId: 'telegram:bob', assessments: 3, spanMs: 2 * hour, reason: 'too-often' },
    ]);
    const eightInThreeDays = Array.from({ length: 8 }, (_, n) => n * 9 * hour);
    expect(await assess(eightInThreeDays)).toMatchObject([{ assessments: 8, reason: 'too-often' }]);
  });

  it('LED-9 flags assessments with nothing new between, never those of the operator', async () => {
    expect(await assess([0, 2 * day], false)).toMatchObject([{ assessments: 2, reason: 'nothing-new' }]);
    expect(await assess([0], false)).toEqual([]);
    expect(await assess([0, 1, 2, 3], false, 'operator')).toEqual([]);
    const { ledger, time } = setUp();
    await ledger.recordIncoming({ ...bob, content: 'hi' });
    await ledger.recordAssessment('telegram:bob', 1, 'Said hi.');
    time.now += 2 * day;
    await ledger.recordAssessment('telegram:bob', 1, 'Said nothing since.');
    time.now += day;
    await ledger.recordIncoming({ ...bob, content: 'hi again' });
    expect((await ledger.getSummary()).overAssessed).toMatchObject([{ reason: 'nothing-new' }]);
  });
});

describe('discountInfoScore', () => {
  const base = { interactionCount: 100, timeSpanMs: 400 * day, assessmentCount: 5 };
  const messages = (count: number, at: (n: number) => number, contentLength = 80) =>
    Array.from({ length: count }, (_, n) => ({ at: at(n), contentLength }));
  // Gaps as people leave them.
  const human = (n: number) => (n + Math.sin(n * 12.9898) * 0.4) * 4 * day;

  it('LED-7 takes nothing off what people write at their own pace', () => {
    expect(discountInfoScore(base, messages(100, human))).toEqual({ score: 10, base: 10, discounts: [] });
  });

  it('LED-7 bursts, clockwork and triviality count for less, and it says so', () => {
    const bursts = discountInfoScore(
      base,
      messages(100, (n) => Math.floor(n / 20) * 80 * day + (n % 20) * 1000),
    );
    expect(bursts).toMatchObject({
      base: 10,
      score: 4,
      discounts: [{ kind: 'burst', factor: 0.05, reason: '100 messages in 5 bursts' }],
    });
    const clockwork = discountInfoScore(
      base,
      messages(100, (n) => n * 4 * day),
    );
    expect(clockwork).toMatchObject({ score: 9, discounts: [{ kind: 'regular', factor: 0.5 }] });
    const trivial = discountInfoScore(base, messages(100, human, 2));
    expect(trivial).toMatchObject({
      score: 9,
      discounts: [
        { kind: 'trivial', factor: 0.5, reason: '100 of 100 messages are shorter than 12 characters' },
      ],
    });
  });

  it('LED-7 needs some messages to say anything', () => {
    expect(
      discountInfoScore(
        base,
        messages(7, () => 0, 1),
      ).discounts,
    ).toEqual([]);
    expect(
      discountInfoScore(
        base,
        messages(8, () => 0, 1),
      ).discounts,
    ).not.toEqual([]);
  });

  it('LED-7 leaves what the first message told', () => {
    const eight = { interactionCount: 8, timeSpanMs: 0, assessmentCount: 0 };
    const result = discountInfoScore(
      eight,
      messages(8, () => 0, 1),
    );
    expect(result).toMatchObject({ score: 1, base: 2, discounts: [{ factor: 0.125 }, { factor: 0.5 }] });
  });

  it('LED-7 never raises a score, never below what the first message tells, and is deterministic', () => {
    const input = fc.record({
      interactionCount: fc.nat(500),
      timeSpanMs: fc.nat(1000).map((days) => days * day),
      assessmentCount: fc.nat(20),
    });
    const list = fc.array(fc.record({ at: fc.nat(1_000_000_000), contentLength: fc.nat(40) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(input, list, (each, rows) => {
        const inOrder = rows.toSorted((one, other) => one.at - other.at);
        const result = discountInfoScore(each, inOrder);
        expect(result.base).toBe(computeInfoScore(each));
        expect(result.score).toBeLessThanOrEqual(result.base);
        expect(result.score).toBeGreaterThanOrEqual(
          Math.min(
            result.base,
            computeInfoScore({ ...each, interactionCount: Math.min(1, each.interactionCount) }),
          ),
        );
        expect(discountInfoScore(each, inOrder)).toEqual(result);
        for (const { factor } of result.discounts) expect(factor > 0 && factor < 1).toBe(true);
      }),
    );
  });

  it('LED-7 is off by default; switched on, every score of the ledger has it', async () => {
    const scores = [];
    for (const infoDiscount of [false, true, { trivialLength: 1 }]) {
      const { ledger, time } = setUp({ infoDiscount });
      for (let n = 0; n < 40; n++) {
        time.now = start + human(n + 1);
        await ledger.recordIncoming({ ...bob, content: 'ok' });
      }
      const assessment = await ledger.recordAssessment('telegram:bob', 1, 'Said ok 40 times.');
      const infoScoreNow = (await ledger.getPeer('telegram:bob'))?.infoScoreNow;
      expect((await ledger.listPeers()).items[0]?.infoScoreNow).toBe(infoScoreNow);
      expect((await ledger.getPeerAssessmentSummary('telegram:bob'))?.infoScoreNow).toBe(infoScoreNow);
      expect(assessment.infoScore).toBe(infoScoreNow);
      scores.push(infoScoreNow);
    }
    expect(scores).toEqual([8, 6, 8]);
  });
});

describe('exportAssessments', () => {
  it('LED-26 yields complete records of everybody, oldest first, however many there are', async () => {
    const { ledger, time } = setUp();
    for (const peerId of ['bob', 'eve']) await ledger.recordIncoming({ ...bob, peerId, content: 'hi' });
    for (let n = 0; n < 2100; n++) {
      time.now += 1000;
      await ledger.recordAssessment(n % 2 ? 'telegram:bob' : 'telegram:eve', (n % 21) - 10, `Reason ${n}`);
    }
    const records = await all(ledger.exportAssessments({ source: 'npub1alpha' }));
    expect(records).toHaveLength(2100);
    expect(records[3]).toEqual({
      source: 'npub1alpha',
      target: 'telegram:bob',
      trust: -7,
      infoScore: 1,
      rationale: 'Reason 3',
      at: start + 4000,
    });
    expect(records.map(({ at }) => at)).toEqual(records.map(({ at }) => at).toSorted((a, b) => a - b));
    const since = await all(ledger.exportAssessments({ peerId: 'telegram:bob', since: start + 2_098_000 }));
    expect(since.map(({ rationale }) => rationale)).toEqual(['Reason 2097', 'Reason 2099']);
    expect(since[0]?.source).toBe('self');
    await expect(all(ledger.exportAssessments({ peerId: 'mallory' }))).rejects.toMatchObject({
      code: 'PEER_NOT_FOUND',
    });
  });

  it('LED-26 the type makes a trust score without its rationale impossible', () => {
    // @ts-expect-error: there is no record without a rationale.
    const bare: ExportedAssessment = { source: 'a', target: 'b', trust: 3, infoScore: 2, at: start };
    // @ts-expect-error: nor without the infoScore.
    const half: ExportedAssessment = { source: 'a', target: 'b', trust: 3, rationale: 'r', at: start };
    expect([bare, half]).toHaveLength(2);
  });

  it('LED-2 evidence lets a third party recompute the infoScore', async () => {
    const { ledger, time } = setUp();
    for (let n = 0; n < 20; n++) {
      time.now = start + n * 2 * day;
      const evidence = { id: `e${n}`, created_at: time.now / 1000, sig: 'ff', content: 'hi' };
      await ledger.recordIncoming({ ...bob, content: 'hi', externalId: `e${n}`, evidence });
    }
    await ledger.recordAssessment('telegram:bob', 2, 'Said hi 20 times.');
    const bundle = await ledger.exportEvidence('telegram:bob');
    if (!bundle) throw new Error('No bundle');
    expect(bundle).toMatchObject({
      target: 'telegram:bob',
      claimed: { interactionCount: 20, timeSpanMs: 38 * day, assessmentCount: 1 },
      unsigned: 0,
      events: { length: 20 },
    });
    expect(infoScoreOfEvidence(bundle)).toBe(bundle.claimed.infoScore);
    // Who shows an event twice, or one without a time, gains nothing.
    const padded = { ...bundle, events: [...bundle.events, ...structuredClone(bundle.events), { id: 'x' }] };
    expect(infoScoreOfEvidence(padded)).toBe(bundle.claimed.infoScore);
    expect(infoScoreOfEvidence({ ...bundle, events: bundle.events.slice(0, 2) })).toBeLessThan(
      bundle.claimed.infoScore,
    );
    await ledger.recordIncoming({ ...bob, content: 'unsigned' });
    expect((await ledger.exportEvidence('telegram:bob'))?.unsigned).toBe(1);
    expect(await ledger.exportEvidence('eve')).toBeNull();
  });
});

describe('prune', () => {
  it('LED-27 removes text, and no score, count, time or prompt moves', async () => {
    const { ledger, time } = setUp();
    for (let n = 0; n < 20; n++) {
      time.now = start + n * day;
      await ledger.recordIncoming({ ...bob, content: `secret ${n}`, correlationId: `w${n}` });
    }
    await ledger.recordOutcome('w3', 'paid');
    await ledger.recordAssessment('telegram:bob', 2, 'Paid once.');
    const told = async () => [
      await ledger.getPeer('telegram:bob'),
      await ledger.peerContext('telegram:bob'),
      await ledger.getAssessments('telegram:bob'),
      (await ledger.getOutcomes('telegram:bob')).items,
    ];
    const before = await told();
    expect(await ledger.prune({ before: start + 10 * day })).toEqual({ pruned: 10 });
    expect(await told()).toEqual(before);
    const { items } = await ledger.getConversation('telegram:bob');
    expect(items.filter(({ content }) => content.includes('secret'))).toHaveLength(10);
    expect(items[3]).toMatchObject({ pruned: true, content: '', contentLength: 8, outcome: 'paid' });
    expect(await ledger.tools()[0]?.execute({ peer_id: 'telegram:bob' })).toMatchObject({ known: true });
    // @ts-expect-error: assessments are never pruned, so there is no such option.
    await expect(ledger.prune({ before: 1, keepAssessments: false })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
