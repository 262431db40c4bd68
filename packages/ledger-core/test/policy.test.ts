import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluatePolicy, type PeerAssessmentSummary, type Policy, policies } from '../src/index.ts';

const dayMs = 86_400_000;
const asOf = 1000 * dayMs;

function summary(
  trust: number | null,
  infoScoreNow: number,
  more: {
    readonly ageDays?: number;
    readonly source?: 'agent' | 'cortex' | 'operator';
    readonly successRate?: number;
    readonly channel?: string;
    readonly asOf?: undefined;
  } = {},
): PeerAssessmentSummary {
  return {
    channel: more.channel ?? 'nostr',
    infoScoreNow,
    latest:
      trust === null
        ? null
        : {
            infoScore: infoScoreNow,
            trust,
            rationale: 'because',
            createdAt: asOf - (more.ageDays ?? 1) * dayMs,
            source: more.source ?? 'agent',
          },
    trajectory: [],
    counts: { interactions: 5, assessments: trust === null ? 0 : 1, successes: 0, failures: 0, open: 0 },
    successRate: more.successRate ?? null,
    ...('asOf' in more ? {} : { asOf }),
  };
}

const decide = (...args: Parameters<typeof summary>) => {
  const { verdict, rule } = evaluatePolicy(summary(...args));
  return `${verdict}: ${rule}`;
};

describe('evaluatePolicy', () => {
  it('LED-19 refuses trust of -3 or less with some information', () => {
    expect(decide(-3, 2)).toBe('refuse: known-bad');
    expect(decide(-10, 10)).toBe('refuse: known-bad');
    expect(decide(-3, 1)).toBe('caution: negative-trust');
    expect(decide(-2, 9)).toBe('caution: negative-trust');
  });

  it('LED-19 lets the operator refuse whatever is known', () => {
    expect(decide(-3, 0, { source: 'operator' })).toBe('refuse: operator');
    expect(decide(-2, 0, { source: 'operator' })).toBe('caution: negative-trust');
    expect(decide(-3, 0, { source: 'cortex' })).toBe('caution: negative-trust');
  });

  it('LED-19 is careful with strangers, little known peers and old judgments', () => {
    expect(evaluatePolicy(null)).toEqual({
      verdict: 'caution',
      rule: 'first-contact',
      reason: 'first contact',
    });
    const untouched = { ...summary(null, 0), counts: { ...summary(null, 0).counts, interactions: 0 } };
    expect(evaluatePolicy(untouched).rule).toBe('first-contact');
    expect(decide(null, 1)).toBe('caution: little-known');
    expect(decide(9, 1)).toBe('caution: little-known');
    expect(decide(null, 2)).toBe('accept: default');
    expect(decide(8, 8, { ageDays: 180 })).toBe('prioritise: proven');
    expect(decide(8, 8, { ageDays: 181 })).toBe('caution: stale-assessment');
    expect(decide(8, 8, { ageDays: 181, asOf: undefined })).toBe('prioritise: proven');
  });

  it('LED-19 prioritises who is known and reliable', () => {
    expect(decide(4, 4)).toBe('prioritise: proven');
    expect(decide(3, 10)).toBe('accept: default');
    expect(decide(10, 3)).toBe('accept: default');
  });

  it('LED-19 names the reason of a refusal with its numbers', () => {
    expect(evaluatePolicy(summary(-5, 4)).reason).toBe('bad experience with this peer (trust -5, info 4/10)');
  });

  it('LED-19 strict refuses whoever was never assessed, also on the second message', () => {
    expect(evaluatePolicy(null, policies.strict).verdict).toBe('refuse');
    expect(evaluatePolicy(summary(null, 5), policies.strict)).toMatchObject({
      verdict: 'refuse',
      rule: 'stranger',
    });
    expect(evaluatePolicy(summary(0, 2), policies.strict).verdict).toBe('accept');
    expect(evaluatePolicy(summary(-4, 2), policies.strict).rule).toBe('known-bad');
  });

  it('LED-19 ladder wants a good history before it accepts', () => {
    const on = (...args: Parameters<typeof summary>) =>
      evaluatePolicy(summary(...args), policies.ladder).rule;
    expect(on(null, 5)).toBe('not-assessed');
    expect(on(0, 5)).toBe('unproven');
    expect(on(2, 2)).toBe('short-history');
    expect(on(2, 5, { successRate: 0.4 })).toBe('fails-often');
    expect(on(2, 5, { successRate: 0.5 })).toBe('default');
    expect(on(2, 3)).toBe('default');
    expect(on(4, 4)).toBe('proven');
  });

  it('LED-19 takes the first rule that applies, and accepts when none does', () => {
    const policy: Policy = {
      rules: [
        { rule: 'off-channel', when: { channel: ['telegram'] }, verdict: 'refuse', reason: 'not here' },
        { rule: 'mid', when: { trust: { above: 1, below: 3 } }, verdict: 'caution', reason: 'so so' },
        { rule: 'everyone', when: {}, verdict: 'prioritise', reason: 'all are welcome' },
      ],
    };
    expect(evaluatePolicy(summary(2, 5, { channel: 'telegram' }), policy).rule).toBe('off-channel');
    expect(evaluatePolicy(summary(2, 5), policy).rule).toBe('mid');
    expect(evaluatePolicy(summary(1, 5), policy).rule).toBe('everyone');
    expect(evaluatePolicy(summary(3, 5), policy).rule).toBe('everyone');
    expect(evaluatePolicy(null, { rules: [] })).toMatchObject({ verdict: 'accept', rule: 'default' });
  });

  it('takes the name of a ready-made policy, and refuses one that is none, with a typed error (LED-19)', () => {
    expect(evaluatePolicy(null, 'strict')).toEqual(evaluatePolicy(null, policies.strict));
    const hostile: readonly unknown[] = [
      'lenient',
      'constructor',
      {},
      null,
      { rules: 'open' },
      // A rule whose misspelled condition is dropped would refuse everybody.
      { rules: [{ rule: 'x', when: { trsut: { below: -3 } }, verdict: 'refuse', reason: 'r' }] },
      { rules: [{ rule: 'x', when: {}, verdict: 'deny', reason: 'r' }] },
    ];
    for (const policy of hostile)
      expect(() => evaluatePolicy(null, policy as Policy)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT' }),
      );
  });

  it('LED-19 is pure: it changes nothing and answers the same again', () => {
    const summaries = fc.record({
      trust: fc.option(fc.integer({ min: -10, max: 10 })),
      infoScore: fc.integer({ min: 0, max: 10 }),
      ageDays: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(summaries, fc.constantFrom(...Object.values<Policy>(policies)), (fields, policy) => {
        const frozen = deepFreeze(summary(fields.trust, fields.infoScore, { ageDays: fields.ageDays }));
        const verdict = evaluatePolicy(frozen, deepFreeze(structuredClone(policy)));
        expect(evaluatePolicy(frozen, policy)).toEqual(verdict);
        if (fields.trust !== null && fields.trust <= -3 && fields.infoScore >= 2) {
          expect(verdict.verdict).toBe('refuse');
        }
        if (fields.trust === null || fields.trust < 4) expect(verdict.verdict).not.toBe('prioritise');
      }),
    );
  });
});

function deepFreeze<Value>(value: Value): Value {
  for (const part of Object.values(value ?? {})) if (typeof part === 'object') deepFreeze(part);
  return Object.freeze(value);
}
