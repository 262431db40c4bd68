import {
  noCounts,
  noObjects,
  noTexts,
  spoil,
  spoilRecord,
  unrefused,
  type WrongCall,
} from '@bonafide/internal/testing';
import { expect, it } from 'vitest';
import * as reputation from '../src/index.ts';
import { createKyselyReviewStore } from '../src/stores/kysely.ts';
import { keyOf, sign, signer, start, statement } from './support.ts';

const missing = (values: readonly unknown[]) => [undefined, ...values];
const noNumbers = [null, '5', 10n, true, {}, [], Number.NaN, Symbol('x')];
const noLists = [null, 5, 'x', {}, true];
const noKeys = missing([...noTexts, '', 'x', 'a'.repeat(63), Object.create(null)]);
const noRelays = missing([...noLists, [], [5]]);
const noSignals = [...noObjects, {}];
const waiting = spoil({}, { signal: noSignals });
const reading = spoil({}, { signal: noSignals, timeoutMs: [0, ...noNumbers] });
const logger = [...noObjects, {}];
const clock = noObjects;

const [agent, other] = [await keyOf(1), await keyOf(2)];
const input = await statement({ subject: other });
const event = await sign(1, reputation.buildReview(input, { createdAt: start }));
const parsed = reputation.parseReview(event, { verifier: null });
const review = parsed.ok ? parsed.review : null;
const noReviews = missing([
  ...noLists,
  ...spoilRecord(review ?? {}, {
    subject: missing(noTexts),
    trustScore: missing([2, ...noNumbers]),
    receipts: noLists,
    strengths: noLists,
    createdAt: noNumbers,
  }).map((one) => [one]),
]);
const own = { peer: other, trust: 5, infoScore: 5, rationale: 'x' };
const store = reputation.createMemoryReviewStore();
/** Never connected. */
const transport = {
  publish: async () => [],
  query: async () => [],
  subscribe: () => ({ close() {} }),
} as never;
const noPorts = missing([...noObjects, {}]);
const parts = { transport, signer: signer(1), store, relays: ['wss://a.example'] };
const inbox = { transport, signer: signer(1), relays: parts.relays, inboxRelays: parts.relays };
const formats = { kinds: [...noObjects, { x: 1 }, { review: '1' }], namespace: [...noTexts, ''] };

const pure: readonly WrongCall[] = [
  [
    'the review of buildReview',
    missing(spoil(input, { subject: noKeys, trustScore: [2, '1', Number.NaN], metrics: [{ a: '1' }, []] })),
    (given) => reputation.buildReview(given),
  ],
  [
    'the options of buildReview',
    spoil({}, { ...formats, format: [...noTexts, 'x', 'constructor'], createdAt: noNumbers }),
    (given) => reputation.buildReview(input, given),
  ],
  [
    'the options of parseReview',
    spoil({}, { ...formats, now: noNumbers, verifier: [5, 'x', {}] }),
    (given) => reputation.parseReview(event, given),
  ],
  [
    'the assessment of buildAssessmentLabel',
    missing(
      spoilRecord(
        { target: other, trust: 1, infoScore: 1, rationale: 'x', at: start },
        { target: noKeys, trust: missing([11, 0.5, ...noNumbers]), rationale: noTexts, at: noNumbers },
      ),
    ),
    (given) => reputation.buildAssessmentLabel(given),
  ],
  [
    'the options of buildAssessmentLabel',
    spoil({}, { namespace: [...noTexts, ''], relay: [...noTexts, 'x'] }),
    (given) =>
      reputation.buildAssessmentLabel(
        { target: other, trust: 1, infoScore: 1, rationale: 'x', at: start },
        given,
      ),
  ],
  [
    'buildObjection',
    missing(
      spoilRecord(
        { review: event, claim: 'x' },
        {
          review: missing(
            spoilRecord(event, { id: noTexts, tags: [...noLists, [5], [[5]]], kind: noCounts }),
          ),
          claim: missing([...noTexts, ' ']),
          evidence: [...noLists, [5]],
          createdAt: noNumbers,
        },
      ),
    ),
    (given) => reputation.buildObjection(given),
  ],
  [
    'the input of decidePublication',
    missing(
      spoilRecord(
        { event: 'benchmark', completedAt: start, previousPublished: null, current: 1, now: start },
        {
          event: missing([...noTexts, 'x']),
          current: missing([2, ...noNumbers]),
          disputed: [null, 1, 'false'],
        },
      ),
    ),
    (given) => reputation.decidePublication(given),
  ],
  [
    'the rules of decidePublication',
    spoil({}, { coolingOffMs: [-1, ...noNumbers], minimumChange: [2, ...noNumbers] }),
    (given) =>
      reputation.decidePublication(
        { event: 'benchmark', completedAt: start, previousPublished: null, current: 1, now: start },
        given,
      ),
  ],
  ['completeReview', missing([...noObjects, {}]), (given) => reputation.completeReview(given)],
  [
    'the review of checkReceipts',
    missing(
      spoilRecord(
        { receipts: [], reviewer: agent, subject: other },
        { receipts: noLists, reviewer: noTexts },
      ),
    ),
    (given) => reputation.checkReceipts(given),
  ],
  [
    'the options of checkReceipts',
    spoil({}, { now: noNumbers }),
    (given) => reputation.checkReceipts({ receipts: [], reviewer: agent, subject: other }, given),
  ],
  [
    'weighReviews',
    missing(
      spoilRecord(
        { observer: agent, subject: other, reviews: [], own: [], now: start },
        {
          observer: noKeys,
          task: noTexts,
          reviews: noReviews,
          own: missing([...noLists, [null], [{ ...own, trust: '5' }], [{ ...own, peer: 5 }]]),
          now: missing(noNumbers),
        },
      ),
    ),
    (given) => reputation.weighReviews(given),
  ],
  [
    'buildAssertion',
    missing(
      spoilRecord(
        { subject: other, trustScore: 0.5, own, opinions: [{}] },
        {
          subject: noKeys,
          trustScore: missing([2, ...noNumbers]),
          own: [undefined, 5, 'x'],
          opinions: noLists,
        },
      ),
    ),
    (given) => reputation.buildAssertion(given),
  ],
  [
    'the options of buildAssertion',
    spoil({}, { createdAt: noNumbers }),
    (given) =>
      reputation.buildAssertion({ subject: other, trustScore: 0.5, own, opinions: [{}] } as never, given),
  ],
  [
    'the options of parseAssertion',
    spoil({}, { verifier: [5, 'x', {}] }),
    (given) => reputation.parseAssertion({}, given),
  ],
];

const factories: readonly WrongCall[] = [
  [
    'createReputation',
    missing(
      spoil(parts, {
        transport: noPorts,
        signer: noPorts,
        store: noPorts,
        relays: noRelays,
        ledger: [...noObjects, {}],
        config: spoil({}, { consent: ['x'], formats: [[], ['x']], pollMs: noCounts }),
        clock,
        logger,
      }),
    ),
    (given) => reputation.createReputation(given),
  ],
  [
    'createInquiries',
    missing(
      spoil(inbox, {
        transport: noPorts,
        signer: noPorts,
        relays: noRelays,
        inboxRelays: noRelays,
        assessmentOf: noObjects,
        policy: noObjects,
        isPartner: noObjects,
        maxPerPeer: noCounts,
        maxInAll: noCounts,
        perMs: [0, ...noNumbers],
        maxAgeMs: [0, ...noNumbers],
        clock,
        random: noObjects,
        logger,
      }),
    ),
    (given) => reputation.createInquiries(given),
  ],
  [
    'createAssertionPublisher',
    missing(
      spoil(
        { transport, relays: parts.relays, agent, services: { a: signer(2) } },
        {
          transport: noPorts,
          relays: noRelays,
          agent: noKeys,
          services: missing([...noObjects, { a: {} }, { a: null }]),
          clock,
        },
      ),
    ),
    (given) => reputation.createAssertionPublisher(given),
  ],
  ['the database of createKyselyReviewStore', noPorts, (given) => createKyselyReviewStore(given)],
  [
    'createKyselyReviewStore',
    spoil({}, { agentId: [...noTexts, '', 'a\0b', 'x'.repeat(100_000)] }),
    (given) => createKyselyReviewStore({} as never, given),
  ],
];

const one = reputation.createReputation(parts);
const inquiries = reputation.createInquiries(inbox);
const noReviewKeys = missing([...noTexts, '', 'x'.repeat(201)]);
const decision = { outcome: 'upheld', reason: 'x', arbitrator: 'x' } as const;
const publisher = await reputation.createAssertionPublisher({
  transport,
  relays: parts.relays,
  agent,
  services: { a: signer(2) },
});

const methods: readonly WrongCall[] = [
  [
    'offer',
    missing(
      spoilRecord(
        { key: 'k', event: 'benchmark', completedAt: start, review: input },
        {
          key: noReviewKeys,
          event: missing([...noTexts, 'x']),
          completedAt: missing(noNumbers),
          review: missing(spoil(input, { subject: noKeys, alert: ['x', 5] })),
        },
      ),
    ),
    (given) => one.offer(given),
  ],
  ['preview', noReviewKeys, (given) => one.preview(given)],
  ['publish', noReviewKeys, (given) => one.publish(given)],
  ['the options of publish', waiting, (given) => one.publish('k', given)],
  ['withdraw', noReviewKeys, (given) => one.withdraw(given, 'x')],
  ['the options of withdraw', waiting, (given) => one.withdraw('k', 'x', given)],
  ['publishDue', waiting, (given) => one.publishDue(given)],
  ['get', noReviewKeys, (given) => one.get(given)],
  [
    'list',
    spoil({}, { state: [...noTexts, 'x'], subject: ['x', 5], limit: [0, ...noCounts], cursor: [5, 'x'] }),
    (given) => one.list(given),
  ],
  ['about', noKeys, (given) => one.about(given)],
  ['the options of about', reading, (given) => one.about(other, given)],
  ['by', noKeys, (given) => one.by(given)],
  ['the options of by', reading, (given) => one.by(other, given)],
  [
    'watch',
    missing(spoil({}, { subject: ['x', 5], reviewer: ['x', 5] })),
    (given) => one.watch(given, { onReview() {} }),
  ],
  [
    'the handlers of watch',
    missing(
      spoil(
        { onReview() {} },
        {
          onReview: missing(noObjects),
          onRejected: noObjects,
          onEose: noObjects,
          signal: noSignals,
          watermarks: [...noObjects, {}],
        },
      ),
    ),
    (given) => one.watch({}, given),
  ],
  ['standing', noKeys, (given) => one.standing(given)],
  [
    'the options of standing',
    [...reading, ...spoil({}, { task: noTexts, heard: noReviews.slice(1) })],
    (given) => one.standing(other, given),
  ],
  ['readObjections', waiting, (given) => one.readObjections(given)],
  ['decideDispute', noReviewKeys, (given) => one.decideDispute(given, decision)],
  [
    'the decision of decideDispute',
    missing(
      spoil(decision, { outcome: ['x', 5], reason: missing(noTexts), arbitrator: missing([...noTexts, '']) }),
    ),
    (given) => one.decideDispute('k', given),
  ],
  ['the options of decideDispute', waiting, (given) => one.decideDispute('k', decision, given)],
  ['object', missing([...noObjects, {}]), (given) => one.object(given, 'x')],
  [
    'the options of object',
    spoil({}, { evidence: [...noLists, [5]], signal: noSignals }),
    (given) => one.object(event, 'x', given),
  ],
  ['on', missing([...noTexts, 'x', '__proto__']), (given) => one.on(given, () => {})],
  ['ask', noKeys, (given) => inquiries.ask(given, [])],
  ['the peers of ask', missing([...noLists, ['x'], [5]]), (given) => inquiries.ask(other, given)],
  [
    'the options of ask',
    spoil({}, { timeoutMs: [0, 1e10, ...noNumbers], signal: noSignals }),
    (given) => inquiries.ask(other, [], given),
  ],
  [
    'handle',
    missing(
      spoilRecord(
        { sender: other, content: 'x', createdAt: start },
        { sender: noKeys, content: noTexts, createdAt: noNumbers },
      ),
    ),
    (given) => inquiries.handle(given),
  ],
  ['the options of an assertion', waiting, (given) => publisher.publish('a', {} as never, given)],
  [
    'the options of erasePeer',
    spoil({}, { preview: [null, 1, 'true'] }),
    (given) => store.erasePeer(other, given),
  ],
];

it.each([
  ['pure functions', pure, 'INVALID_INPUT'],
  ['options', factories, 'INVALID_CONFIG'],
  ['methods', methods, 'INVALID_INPUT'],
] as const)('X-3 X-4 wrong input is refused with a code: %s', async (_part, calls, code) => {
  expect(await unrefused(calls, code)).toEqual([]);
});

it('X-3 X-4 events of others that cannot be read are rejected with a reason', () => {
  for (const [name] of Object.entries(event)) {
    const unreadable = Object.defineProperty({ ...event }, name, {
      get() {
        throw new Error('this property throws');
      },
    });
    expect(reputation.parseReview(unreadable)).toMatchObject({ ok: false, reason: 'malformed' });
    expect(reputation.parseAssertion(unreadable)).toMatchObject({ ok: false, reason: 'malformed' });
  }
});
