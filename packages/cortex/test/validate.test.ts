import { describe, expect, it } from 'vitest';
import { labelPeers } from '../src/facts/facts.ts';
import { type PeerFacts, reflectionFrameSchema, validateAnswer } from '../src/index.ts';
import { peerFacts } from './facts.ts';

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

  it('X-10 accepts the full id, the short id, and the short id with three dots', () => {
    for (const peerId of [a, 'aaaaaaaa…aaaa', ' aaaaaaaa...aaaa ']) {
      expect(validate({ assessments: [assess({ peerId })] }).assessments[0]?.peerId).toBe(a);
    }
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

  it('X-10 drops a short id that fits two peers of the cycle', () => {
    const twins = labelPeers([
      peerFacts(`aaaaaaaa1${'0'.repeat(51)}aaaa`),
      peerFacts(`aaaaaaaa2${'0'.repeat(51)}aaaa`),
    ]);
    const answer = { assessments: [assess({ peerId: 'aaaaaaaa…aaaa' })] };
    expect(validate(answer, twins).dropped[0]?.reason).toBe('peer_ambiguous');
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

  it('CTX-18 says that directives are not acted upon', () => {
    expect(reasons({ directives: [{ peerId: a, kind: 'follow_up' }] })).toEqual(['not_supported']);
  });

  it('CTX-11 cuts what is too long', () => {
    const { assessments, dropped } = validate({
      assessments: [assess({ rationale: 'x'.repeat(9_999) }), assess({ trust: 'y'.repeat(9_999) })],
    });
    expect(assessments[0]?.rationale.length).toBeLessThanOrEqual(1_000);
    expect(dropped[0]?.item.length).toBeLessThanOrEqual(300);
  });
});
