import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyTier,
  createSlaStatusHandler,
  evaluateSla,
  parseSla,
  renderSlaStatus,
  slaPromises,
  slaStatusDocument,
} from '../src/index.ts';
import { applied, daily, day, flat, published, reductionOf, start } from './published-agreement.ts';

/** The measurements of the source's example: success falls so that it reaches .90 in three days. */
const example = [
  ...flat('uptime', 0.992),
  ...flat('latency_p99', 4823),
  // Mean .97, falling by .0233 a day.
  ...daily('success_rate', [0.97 + 0.07 / 3, 0.97, 0.97 - 0.07 / 3]),
];

describe('agreements', () => {
  it("TRU-15 reads the source's document, fills in defaults, and says what is wrong with another", () => {
    const sla = parseSla(published);
    expect(sla.guarantees[1]).toMatchObject({
      metric: 'latency_p99',
      measurementWindow: 7 * day,
      breachThreshold: 7500,
      aggregate: 'mean',
      penalty: { amount: 0.05, recovery: { recoveryPeriodDays: 30 } },
    });
    expect(sla.guarantees[2]?.penalty).toMatchObject({
      duration: 7 * day,
      notice: day,
      scope: 'new_delegations_only',
    });
    expect(sla.disputeResolution).toMatchObject({ allowed: true, filingPeriodDays: 7, reviewPeriodDays: 7 });
    expect(sla.refreshIntervalSeconds).toBe(300);
    expect(parseSla(sla)).toEqual(sla);
    const wrong = (change: object) => () =>
      parseSla({ guarantees: [{ ...published.sla.guarantees[0], ...change }] });
    expect(wrong({ measurement_window: 'a month' })).toThrow(/30 days/);
    expect(wrong({ breach_threshold: 0.99 })).toThrow(/target/);
    expect(wrong({ penalty: { type: 'flogging' } })).toThrow(/penalty/);
    expect(wrong({ penalty: { type: 'trust_score_reduction', amount: 2 } })).toThrow(/amount/);
    expect(() => parseSla({ guarantees: [] })).toThrow(/guarantees/);
    expect(() => parseSla(null)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    const rest = { type: 'financial', amount: 100, currency: 'USD', distributed_to: 'affected_delegators' };
    expect(wrong({ penalty: rest })().guarantees[0]?.penalty).toMatchObject({ amount: 100 });
  });

  it("TRU-16 judges the source's example: compliant, compliant, at risk with three days left", () => {
    const status = evaluateSla(published, example, start);
    expect(status.overall).toBe('at_risk');
    const [uptime, latency, success] = status.guarantees;
    expect(uptime).toMatchObject({ status: 'compliant', daysUntilBreach: null, lastBreachAt: null });
    expect(uptime?.buffer).toBeCloseTo(0.002, 12);
    expect(latency).toMatchObject({ status: 'compliant', current: 4823, buffer: 177 });
    expect(success?.status).toBe('at_risk');
    expect(success?.current).toBeCloseTo(0.97, 12);
    expect(success?.buffer).toBeCloseTo(-0.01, 12);
    expect(success?.daysUntilBreach).toBeCloseTo(3, 6);
    expect(status).toMatchObject({ recentBreaches: [], penaltiesApplied: [], trustScoreImpact: 0 });
    expect(status.recommendation).toContain('success_rate gets worse and will be in breach in 3.0 days');
    expect(status.refreshAt - status.evaluatedAt).toBe(300_000);
  });

  it("TRU-16 judges the source's broken promise: uptime 85 %, latency 12 s", () => {
    const broken = [...flat('uptime', 0.85), ...flat('latency_p99', 12_000), ...flat('success_rate', 0.99)];
    const status = evaluateSla(published, broken, start);
    expect(status.overall).toBe('breached');
    expect(status.guarantees[0]).toMatchObject({
      status: 'breached',
      daysUntilBreach: 0,
      lastBreachAt: start,
    });
    expect(status.guarantees[1]).toMatchObject({ status: 'breached', buffer: -7000 });
    expect(status.recentBreaches.map(({ metric, endedAt }) => [metric, endedAt])).toEqual([
      ['uptime', null],
      ['latency_p99', null],
    ]);
  });

  it('TRU-16 walks day by day from compliant into breach and out of it again', () => {
    const values = [
      ...Array.from({ length: 5 }, () => 0.995),
      0.7,
      0.7,
      0.7,
      ...Array.from({ length: 12 }, () => 1),
    ];
    const short = { guarantees: [{ ...published.sla.guarantees[0], measurement_window: '5 days' }] };
    const all = daily('uptime', values);
    const walked = all.map(({ at }) => evaluateSla(short, all, at));
    expect(walked.map(({ overall }) => overall)).toEqual([
      ...Array.from({ length: 5 }, () => 'compliant'),
      ...Array.from({ length: 7 }, () => 'breached'),
      ...Array.from({ length: 8 }, () => 'compliant'),
    ]);
    const last = walked.at(-1);
    expect(last?.recentBreaches).toEqual([
      { metric: 'uptime', startedAt: all[5]?.at, endedAt: all[12]?.at, worst: expect.closeTo(0.818, 9) },
    ]);
    expect(last?.guarantees[0]?.lastBreachAt).toBe(all[12]?.at);
    // What is not known yet does not count.
    expect(walked[4]?.guarantees[0]?.measurements).toBe(5);
  });

  it('TRU-16 without measurements a promise is at risk, and lower is better only with a threshold above', () => {
    const status = evaluateSla(published, [], start);
    expect(status.overall).toBe('at_risk');
    expect(status.guarantees[0]).toMatchObject({ current: null, buffer: null, measurements: 0 });
    expect(status.recommendation).toContain('uptime is not measured');
    const ratio = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(ratio, ratio, ratio, (value, target, breach_threshold) => {
        fc.pre(target !== breach_threshold);
        const sla = { guarantees: [{ ...published.sla.guarantees[0], target, breach_threshold }] };
        const found = evaluateSla(sla, [{ metric: 'uptime', at: start, value }], start).guarantees[0];
        const better = breach_threshold > target ? value <= target : value >= target;
        const beyond = breach_threshold > target ? value > breach_threshold : value < breach_threshold;
        expect(found?.status).toBe(beyond ? 'breached' : better ? 'compliant' : 'at_risk');
        expect((found?.buffer ?? 0) >= 0).toBe(better);
      }),
    );
    expect(() =>
      evaluateSla(published, [{ metric: 'uptime', at: start, value: Number.NaN }], start),
    ).toThrow();
  });

  it('TRU-16 sums up a window by mean, last, max or p99', () => {
    const values = Array.from({ length: 200 }, (_, i) => ({
      metric: 'latency_p99',
      at: start - i,
      value: i + 1,
    }));
    const current = (aggregate: string) =>
      evaluateSla({ guarantees: [{ ...published.sla.guarantees[1], aggregate }] }, values, start)
        .guarantees[0]?.current;
    expect([current('mean'), current('last'), current('max'), current('p99')]).toEqual([100.5, 1, 200, 198]);
  });

  it('TRU-16 reads like a statement', () => {
    expect(
      renderSlaStatus(evaluateSla(published, example, start), { name: 'vibe-agency-orchestrator' }),
    ).toBe(
      `SLA status: vibe-agency-orchestrator, 2025-11-21 00:00Z
Overall: ⚠️  AT RISK

Guarantees:
  ✅ uptime: 99.2 % (target 99 %, buffer +0.2 %)
  ✅ latency_p99: 4823 ms (target 5000 ms, buffer +177 ms)
  ⚠️  success_rate: 97 % (target 98 %, buffer -1 %)
     - Status: AT RISK
     - Breach threshold: 90 %
     - Days until breach, if the trend continues: 3.0

Last 30 days:
  - No breaches
  - 0 penalties applied
  - Trust score impact: 0 %

Recommendation:
  success_rate gets worse and will be in breach in 3.0 days. Review recent failures.
`,
    );
    const broken = evaluateSla(published, flat('uptime', 0.85), start, {
      penalties: [applied(reductionOf(0.1))],
    });
    const text = renderSlaStatus(broken);
    expect(text).toContain('Overall: ❌ BREACHED');
    expect(text).toContain('latency_p99: not measured (target 5000 ms)');
    expect(text).toContain('  - uptime from 2025-10-23 00:00Z, going on');
    expect(text).toContain('1 penalty applied\n  - Trust score impact: -10 %');
  });

  it('TRU-16 serves the status as JSON, and asks anew after 300 seconds', async () => {
    let now = start;
    let asked = 0;
    const handler = createSlaStatusHandler({
      clock: () => now,
      status: () => {
        asked += 1;
        return evaluateSla(published, example, now);
      },
    });
    const get = async () => handler(new Request('http://agent.example/sla'));
    const response = await get();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(await response.json()).toMatchObject({
      sla_status: {
        overall_status: 'at_risk',
        guarantees: [
          { metric: 'uptime', last_breach: null },
          {},
          { status: 'at_risk', breach_threshold: 0.9 },
        ],
        recent_breaches: [],
        trust_score_impact: 0,
      },
    });
    now += 299_000;
    await get();
    expect(asked).toBe(1);
    now += 1_000;
    await get();
    expect(asked).toBe(2);
    const post = await handler(new Request('http://agent.example/sla', { method: 'POST' }));
    expect(post.status).toBe(405);
    expect(slaStatusDocument(evaluateSla(published, [], start))).toHaveProperty('sla_status.overall_status');
  });
});

describe('what tiers ask of an agreement', () => {
  const evidence = {
    uptime7d: 1,
    uptime30d: 1,
    uptime90d: 1,
    testCoverage: 1,
    endorsements: 100,
    successfulDelegations: 5_000,
  };
  const tierWith = (sla: Parameters<typeof classifyTier>[1]['sla'], score = 0.97) =>
    classifyTier(score, { ...evidence, sla: sla ?? null }).tier;
  const promise = (uptime: number, successRate: number, latencyP99Ms: number | null = null) => ({
    uptime,
    successRate,
    latencyP99Ms,
  });

  it('TRU-19 unverified needs none, the others .90/.80, .95/.90, and .99/.95 with a p99 below 5 s', () => {
    expect(tierWith(null)).toBe('unverified');
    expect(tierWith(promise(0.9, 0.8))).toBe('verified');
    expect(tierWith(promise(0.8999, 0.8))).toBe('unverified');
    expect(tierWith(promise(0.9, 0.7999))).toBe('unverified');
    expect(tierWith(promise(0.95, 0.9))).toBe('trusted');
    expect(tierWith(promise(0.99, 0.95, 4_999))).toBe('highly_trusted');
    expect(tierWith(promise(0.99, 0.95, 5_000))).toBe('trusted');
    expect(tierWith(promise(0.99, 0.95))).toBe('trusted');
    expect(tierWith(promise(0.99, 0.95, 100), 0.6)).toBe('verified');
  });

  it('TRU-19 reads the promises of an agreement, says which one is short, and can be told not to ask', () => {
    expect(slaPromises(published)).toEqual({ uptime: 0.99, successRate: 0.98, latencyP99Ms: 5_000 });
    const result = classifyTier(0.97, { ...evidence, sla: published });
    expect(result).toMatchObject({
      tier: 'trusted',
      failedRequirements: [
        { tier: 'highly_trusted', metric: 'sla.latencyP99Ms', above: 5_000, actual: 5_000 },
      ],
    });
    expect(classifyTier(0.97, { ...evidence, sla: null }, { requireSla: false }).tier).toBe('highly_trusted');
    expect(classifyTier(0.97, evidence, { requireSla: true }).failedRequirements[0]).toMatchObject({
      metric: 'sla',
    });
    expect(classifyTier(0.97, evidence).tier).toBe('highly_trusted');
  });
});
