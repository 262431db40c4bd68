import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { directiveKinds, type PeerFacts, reflectionFrameSchema, validateAnswer } from '../src/index.ts';
import { peerFacts } from './world/facts.ts';

const a = 'a'.repeat(64);
const b = 'b'.repeat(64);
const peers = [peerFacts(a, { interactions: 3 }), peerFacts(b)];
const validate = (answer: object, among: readonly PeerFacts[] = peers) =>
  validateAnswer(reflectionFrameSchema.parse(answer), among);
const assess = (more: object) => ({ peerId: a, trust: 2, rationale: 'kept 2 of 2', ...more });
const reasons = (answer: object) => validate(answer).dropped.map((item) => item.reason);

describe('validateAnswer', () => {
  it('CTX-11 takes what is right, whatever stands beside it', () => {
    const { assessments, dropped } = validate({
      assessments: [assess({ trust: 'high' }), assess({}), assess({ peerId: 'nobody' }), 42, null],
    });
    expect(assessments).toEqual([{ peerId: a, trust: 2, rationale: 'kept 2 of 2', evidence: [] }]);
    expect(dropped.map((item) => item.reason)).toEqual(['invalid', 'peer_unknown', 'invalid', 'invalid']);
  });

  it.each([
    ['a fraction', { trust: 1.5 }],
    ['more than 10', { trust: 11 }],
    ['less than -10', { trust: -11 }],
    ['a word', { trust: '3' }],
    ['nothing', { trust: null }],
    ['a blank rationale', { rationale: ' \n\t' }],
    ['no rationale', { rationale: undefined }],
  ])('CTX-11 drops %s', (_, wrong) => {
    expect(reasons({ assessments: [assess(wrong)] })).toEqual(['invalid']);
  });

  it('X-10 LED-29 accepts the handle and the full id, also with delimiters, and no abbreviation', () => {
    for (const peerId of [a, 'p-aaaaaaaa', ' ⟦p-aaaaaaaa⟧ ']) {
      expect(validate({ assessments: [assess({ peerId })] }).assessments[0]?.peerId).toBe(a);
    }
    for (const peerId of ['aaaaaaaa…aaaa', 'aaaaaaaa', 'p-aaaa'])
      expect(reasons({ assessments: [assess({ peerId })] })).toEqual(['peer_unknown']);
  });

  it("LED-29 a handle never takes over another peer's id", () => {
    const impostor = { ...peerFacts(b), label: a };
    const { assessments } = validate({ assessments: [assess({})] }, [peerFacts(a), impostor]);
    expect(assessments[0]?.peerId).toBe(a);
  });

  it('X-10 accepts an npub', () => {
    const key = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d';
    const peerId = 'npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6';
    expect(validate({ assessments: [assess({ peerId })] }, [peerFacts(key)]).assessments[0]?.peerId).toBe(
      key,
    );
    expect(reasons({ assessments: [assess({ peerId })] })).toEqual(['peer_unknown']);
    expect(reasons({ assessments: [assess({ peerId: 'npub1broken' })] })).toEqual(['peer_unknown']);
  });

  it('CTX-11 takes one assessment per peer and one belief per name', () => {
    const belief = { key: 'k', value: 'v', rationale: 'r' };
    const twice = validate({
      assessments: [assess({}), assess({ trust: 9 })],
      beliefs: [belief, belief, { ...belief, peerId: a }],
    });
    expect(twice.assessments.map((item) => item.trust)).toEqual([2]);
    expect(twice.beliefs).toHaveLength(2);
    expect(twice.dropped.map((item) => item.reason)).toEqual(['repeated', 'repeated']);
  });

  it("CTX-11 evidence must be in the peer's window", () => {
    expect(
      validate({ assessments: [assess({ evidence: ['1', '#2', 3] })] }).assessments[0]?.evidence,
    ).toEqual([`${a}-interaction-0`, `${a}-interaction-1`, `${a}-interaction-2`]);
    expect(reasons({ assessments: [assess({ evidence: ['1', '4'] })] })).toEqual(['evidence_unknown']);
  });

  it('CTX-16 drops a belief without kebab-case key, value or reason, or about a stranger', () => {
    const belief = { key: 'ok-key', value: 'v', rationale: 'r' };
    const wrong = [
      { key: 'Not Kebab' },
      { key: 'a--b' },
      { value: ' ' },
      { rationale: '' },
      { peerId: 'c'.repeat(64) },
    ];
    expect(reasons({ beliefs: wrong.map((more) => ({ ...belief, ...more })) })).toEqual([
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'peer_unknown',
    ]);
  });

  it('CTX-28 takes beliefs of the closed set only where the facts support them, and writes their text itself', () => {
    const record = peerFacts(a, { work: { successes: 3, failures: 1 } });
    const key = (name: string) => ({ key: name, value: 'Pay it at once', rationale: 'r', peerId: a });
    const { beliefs, dropped } = validate(
      { beliefs: ['work-record', 'reliable', 'attacked', 'my-own-words'].map(key) },
      [record],
    );
    expect(beliefs.map(({ key, kind, value }) => [key, kind, value])).toEqual([
      ['work-record', 'template', '3 of 4 pieces of work ended well'],
      ['my-own-words', 'note', 'Pay it at once'],
    ]);
    expect(dropped.map((item) => item.reason)).toEqual(['against_facts', 'against_facts']);
  });

  it('CTX-18 takes directives of the closed set with typed parameters, and keeps free text as a suggestion', () => {
    const { directives, dropped } = validate({
      directives: [
        { peerId: 'p-aaaaaaaa', kind: 'follow_up', params: { afterMinutes: 30 } },
        { peerId: a, action: 'ask_payment_first' },
        { peerId: a, kind: 'follow_up', params: { afterMinutes: 'send 50000 sats' } },
        { peerId: a, kind: 'decline_large_work', params: { note: 'obey' } },
        { peerId: a, kind: 'transfer_money' },
        { peerId: a, suggestion: 'Ask it for references.' },
        { peerId: 'nobody', kind: 'follow_up' },
        { peerId: a, kind: 'prioritise' },
      ],
    });
    expect(directives.map(({ kind, params, suggestion }) => [kind, params, suggestion])).toEqual([
      ['follow_up', { afterMinutes: 30 }, null],
      ['ask_payment_first', {}, null],
      ['suggestion', {}, 'Ask it for references.'],
    ]);
    expect(dropped.map((item) => item.reason)).toEqual([
      'invalid',
      'invalid',
      'kind_unknown',
      'peer_unknown',
      'against_facts',
    ]);
  });

  it('CTX-18 accepts kinds that the operator registered', () => {
    const directives = {
      ...directiveKinds,
      refund: { params: z.strictObject({ msat: z.int().positive() }) },
    };
    const frame = reflectionFrameSchema.parse({
      directives: [{ peerId: a, kind: 'refund', params: { msat: 5 } }],
    });
    expect(validateAnswer(frame, peers, { directives }).directives).toMatchObject([
      { kind: 'refund', params: { msat: 5 } },
    ]);
    expect(validateAnswer(frame, peers).dropped).toMatchObject([{ reason: 'kind_unknown' }]);
  });

  it('CTX-20 CTX-21 reads soul alignment, lessons and commitments, and drops what is out of range', () => {
    const { soulAlignment, lessons, commitments, dropped } = validate({
      soulAlignment: { score: 0.8, reasons: ['kept its word'] },
      lessons: ['Late peers stay late.', ' ', 7],
      commitments: [
        { peerId: a, what: 'figures', dueAt: '2026-11-20T12:00:00Z' },
        { peerId: a, what: 'figures', dueAt: 'soon' },
      ],
    });
    expect(soulAlignment).toEqual({ score: 0.8, reasons: ['kept its word'] });
    expect(lessons).toEqual(['Late peers stay late.']);
    expect(commitments).toEqual([{ peerId: a, what: 'figures', dueAt: Date.UTC(2026, 10, 20, 12) }]);
    expect(dropped.map((item) => item.kind)).toEqual(['commitment', 'lesson', 'lesson']);
    expect(validate({ soulAlignment: { score: 9 } }).dropped).toMatchObject([
      { kind: 'soul', reason: 'invalid' },
    ]);
  });

  it('CTX-11 cuts what is too long', () => {
    const { assessments, dropped } = validate({
      assessments: [assess({ rationale: 'x'.repeat(9_999) }), assess({ trust: 'y'.repeat(9_999) })],
    });
    expect(assessments[0]?.rationale.length).toBeLessThanOrEqual(1_000);
    expect(dropped[0]?.item.length).toBeLessThanOrEqual(300);
  });
});
