import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { committedMsat, remainingMsat } from '../src/flow/accounts.ts';
import type { OrderEvent } from '../src/flow/events.ts';
import { finishedWork, isSettled } from '../src/flow/finished.ts';
import { nextStep, stepsOf } from '../src/flow/next-step.ts';
import type { Order, OrderState } from '../src/order.ts';
import { platformId } from '../src/platform.ts';
import { after, answer, check, newOrder, pick, start, succeed } from './support/orders.ts';

const chosen = (round: number, wanted: number, ...numbers: number[]): OrderEvent => ({
  type: 'chosen',
  at: start,
  round,
  wanted,
  picks: numbers.map((number) => pick(number)),
  exclusions: [],
});
const requested = (replica: number): OrderEvent => ({
  type: 'requested',
  at: start,
  replica,
  jobId: `job ${replica}`,
});
const answered = (replica: number, content = '42', at = start): OrderEvent => ({
  type: 'answered',
  at,
  replica,
  answer: answer(content, { at }),
  paid: null,
});
const ended = (replica: number, reason: 'timeout' | 'declined' = 'timeout'): OrderEvent => ({
  type: 'ended',
  at: start,
  replica,
  reason,
  message: reason,
  paid: null,
});
const checked = (replica: number, outcome: 'SUCCESS' | 'FAILURE' | 'PARTIAL'): OrderEvent => ({
  type: 'checked',
  at: start,
  replica,
  check: check(outcome),
});
const types = (state: OrderState, at = start) => stepsOf(state, at).map(({ type }) => type);
const suite = { suite: { mode: 'vectors' } } as const;

it('goes from the choice to the records, one fact at a time (DLG-2)', () => {
  let state = newOrder(suite);
  const seen: string[] = [];
  for (let steps = stepsOf(state, start); steps.length > 0; steps = stepsOf(state, start)) {
    const [step] = steps;
    if (step === undefined) break;
    seen.push(step.type);
    state = nextStep(state, succeed(step)).state;
  }
  expect(seen).toEqual(['choose', 'request', 'record', 'await', 'check', 'record']);
  expect(state).toMatchObject({ status: 'delivered', winners: [1], verifiedBy: 'judge' });
  expect(state.replicas[0]?.recorded).toEqual([
    'request',
    'journal',
    'matrix',
    'reflection',
    'review',
    'receipt',
  ]);
  expect(isSettled(state)).toBe(true);
});

it('keeps what was chosen, with its reason, before it is asked (DLG-2)', () => {
  const state = after(newOrder(suite), chosen(1, 1, 7));
  expect(state.replicas).toMatchObject([{ reason: 'because', stage: 'chosen', bidMsat: 1_000 }]);
  expect(types(state)).toEqual(['request']);
});

it.each([
  ['declines', ended(1, 'declined')],
  ['does not answer', ended(1)],
] as const)('tries another platform when one %s (DLG-3)', (_, event) => {
  const state = after(newOrder(suite), chosen(1, 1, 7), requested(1), event);
  const choice = stepsOf(state, start).find(({ type }) => type === 'choose');
  expect(choice).toMatchObject({ round: 2, wanted: 1, exclude: [{ pubkey: 'p7' }] });
});

it('tries another platform when work is not accepted, up to its attempts (DLG-3)', () => {
  const first = after(newOrder(suite, { attempts: 2 }), chosen(1, 1, 7), requested(1), answered(1));
  const second = after(first, checked(1, 'FAILURE'));
  expect(types(second)).toContain('choose');
  const last = after(second, chosen(2, 1, 8), requested(2), answered(2), checked(2, 'PARTIAL'));
  expect(last).toMatchObject({ status: 'failed', failure: { code: 'NO_PLATFORM' } });
  expect(last.exclusions).toEqual([
    { platformId: 'p7:x', reason: 'FAILURE' },
    { platformId: 'p8:x', reason: 'PARTIAL' },
  ]);
});

it('fails with every exclusion when nobody may be asked (DLG-3)', () => {
  const exclusions = [{ platformId: 'a:b', reason: 'refused' }];
  const state = after(newOrder(), {
    type: 'chosen',
    at: start,
    round: 1,
    wanted: 1,
    picks: [],
    exclusions,
  });
  expect(state).toMatchObject({ status: 'failed', failure: { code: 'NO_PLATFORM' }, exclusions });
});

it('journals a late answer, and judges it only while the order is open (DLG-3)', () => {
  const two = newOrder({ ...suite, criticality: 'normal' });
  const open = after(two, chosen(1, 2, 7, 8), requested(1), requested(2), ended(1));
  expect(types(after(open, answered(1)))).toContain('check');
  const over = after(open, answered(2), checked(2, 'SUCCESS'), {
    type: 'recorded',
    at: start,
    replica: 1,
    hasAnswer: false,
    targets: ['request', 'journal', 'matrix'],
  });
  expect(over.status).toBe('delivered');
  const late = after(over, answered(1));
  expect(late.replicas[0]).toMatchObject({ stage: 'checked', answer: { isLate: true } });
  const due = stepsOf(late, start).find((step) => step.type === 'record' && step.replica === 1);
  expect(due).toMatchObject({ targets: ['journal', 'reflection'] });
});

it('journals an answer that arrived while the silence before it was recorded (DLG-3, DLG-8)', () => {
  const silent = after(newOrder(suite), chosen(1, 1, 7), requested(1), ended(1));
  const record = stepsOf(silent, start).find(({ type }) => type === 'record');
  if (record?.type !== 'record') throw new Error('Nothing is recorded.');
  const recorded: OrderEvent = {
    type: 'recorded',
    at: start,
    replica: 1,
    hasAnswer: false,
    targets: record.targets,
  };
  expect(record.targets).toContain('journal');
  const judged = after(silent, answered(1), recorded, checked(1, 'SUCCESS'));
  const due = stepsOf(judged, start).find(({ type }) => type === 'record');
  expect(due).toMatchObject({ targets: ['journal', 'reflection', 'review', 'receipt'] });
  expect(judged.replicas[0]?.recorded).toEqual(['request', 'matrix']);
});

it.each([
  ['background', 1, 1],
  ['normal', 2, 1],
  ['important', 3, 2],
  ['critical', 5, 3],
] as const)('asks for %s work %i at once and needs %i (DLG-4)', (criticality, replicas, needed) => {
  const state = newOrder({ criticality, ...suite });
  expect(stepsOf(state, start)).toMatchObject([{ type: 'choose', wanted: replicas }]);
  const numbers = Array.from({ length: replicas }, (_, index) => index + 1);
  let running = after(state, chosen(1, replicas, ...numbers), ...numbers.map(requested));
  for (let n = 1; n < needed; n += 1) running = after(running, answered(n), checked(n, 'SUCCESS'));
  expect(running.status).toBe('open');
  running = after(running, answered(needed), checked(needed, 'SUCCESS'));
  expect(running.status).toBe('delivered');
  expect(types(running).filter((type) => type === 'withdraw')).toHaveLength(replicas - needed);
});

it("delivers the cheapest accepted answer, and the judge's verdict outranks agreement (DLG-4)", () => {
  const state = after(
    newOrder({ criticality: 'important', maxMsat: 3_000, ...suite }),
    chosen(1, 3, 1, 2, 3),
  );
  const paid = (paidMsat: number) => ({ paidMsat, feesMsat: 0, heldMsat: 0, invoicedMsat: paidMsat });
  const dear: OrderEvent = { ...answered(1, 'right'), paid: paid(900) } as OrderEvent;
  const cheap: OrderEvent = { ...answered(2, 'right too'), paid: paid(300) } as OrderEvent;
  const over = after(
    state,
    ...[1, 2, 3].map(requested),
    dear,
    cheap,
    answered(3, 'wrong'),
    checked(3, 'FAILURE'),
    checked(1, 'SUCCESS'),
    checked(2, 'SUCCESS'),
  );
  expect(over).toMatchObject({ status: 'delivered', winners: [2, 1], verifiedBy: 'judge' });
});

it('needs agreement when nobody checks, and tells dissent (DLG-4)', () => {
  const state = after(newOrder({ replicas: 3 }), chosen(1, 3, 1, 2, 3), ...[1, 2, 3].map(requested));
  const split = after(state, answered(1, 'a'), answered(2, 'b'));
  expect(split.status).toBe('open');
  const agreed = after(split, answered(3, 'a'));
  expect(agreed).toMatchObject({ status: 'delivered', winners: [1, 3], verifiedBy: 'agreement' });
  const outcomes = agreed.replicas.map((replica) => finishedWork(agreed, replica)?.outcome);
  expect(outcomes).toEqual(['SUCCESS', 'FAILURE', 'SUCCESS']);
  expect(after(split, answered(3, 'c'))).toMatchObject({
    status: 'failed',
    failure: { code: 'NO_CONSENSUS' },
  });
});

it('pays for an answer that asks for money once it is accepted or used, before its end is recorded (DLG-2, DLG-6)', () => {
  const asking = (replica: number, invoicedMsat: number): OrderEvent =>
    ({
      ...answered(replica),
      answer: answer('42', { invoicedMsat }),
    }) as OrderEvent;
  const asked = after(newOrder(suite), chosen(1, 1, 7), requested(1));
  const accepted = after(asked, asking(1, 900), checked(1, 'SUCCESS'));
  expect(stepsOf(accepted, start)).toMatchObject([{ type: 'record', targets: ['request'] }, { type: 'pay' }]);
  expect(isSettled(accepted)).toBe(false);
  const tried: OrderEvent = {
    type: 'recorded',
    at: start,
    replica: 1,
    hasAnswer: true,
    targets: ['request', 'payment'],
  };
  const paid = { paidMsat: 900, feesMsat: 1, heldMsat: 0, invoicedMsat: 900 };
  for (const known of [
    after(accepted, tried),
    after(accepted, { type: 'paid', at: start, replica: 1, paid }),
  ])
    expect(types(known)).not.toContain('pay');
  expect(types(after(accepted, tried))).toEqual(['record']);

  // What was rejected, or asks for nothing, or was paid before, is not paid.
  expect(types(after(asked, asking(1, 900), checked(1, 'FAILURE')))).not.toContain('pay');
  expect(types(after(asked, answered(1), checked(1, 'SUCCESS')))).not.toContain('pay');
  const before = after(asked, { ...asking(1, 900), paid } as OrderEvent, checked(1, 'SUCCESS'));
  expect(types(before)).not.toContain('pay');

  // Without a check, the answer that is delivered is paid.
  const three = after(newOrder({ replicas: 3 }), chosen(1, 3, 1, 2, 3), ...[1, 2, 3].map(requested));
  const agreed = after(three, asking(1, 300), { ...answered(2, 'b') } as OrderEvent, asking(3, 300));
  expect(agreed.status).toBe('delivered');
  const payable = stepsOf(agreed, start).flatMap((step) => (step.type === 'pay' ? [step.replica] : []));
  expect(payable).toEqual([1, 3]);
});

it('calls nothing a success that nobody checked (DLG-7)', () => {
  const state = after(newOrder(), chosen(1, 1, 1), requested(1), answered(1));
  expect(state).toMatchObject({ status: 'delivered', verifiedBy: null });
  const [replica] = state.replicas;
  expect(replica && finishedWork(state, replica)).toMatchObject({ outcome: 'INFRA', journal: 'delivered' });
});

it('says of an answer that came after the decision that it was not needed (DLG-4, DLG-7)', () => {
  const asked = after(
    newOrder({ ...suite, criticality: 'normal' }),
    chosen(1, 2, 1, 2),
    requested(1),
    requested(2),
  );
  const decided = after(asked, answered(1), checked(1, 'SUCCESS'));
  expect(decided.status).toBe('delivered');
  const state = after(decided, answered(2));
  const [, second] = state.replicas;
  expect(second && finishedWork(state, second)).toMatchObject({
    outcome: 'INFRA',
    summary: 'Not needed: the order was decided before it answered.',
  });
});

it('takes requests back at the deadline and asks nobody else (DLG-3)', () => {
  const deadlineAt = start + 1_000;
  const state = after(newOrder({ deadlineAt, ...suite }), chosen(1, 1, 1), requested(1));
  expect(nextStep(state, { type: 'woken', at: start }).wakeAt).toBe(deadlineAt);
  const late = after(state, { type: 'woken', at: deadlineAt });
  expect(late).toMatchObject({ status: 'failed', failure: { code: 'TIMEOUT' } });
  expect(types(late, deadlineAt)).toContain('withdraw');
});

it('takes a request back that was made after the order was cancelled (DLG-1)', () => {
  const cancelled = after(newOrder(suite), chosen(1, 1, 1), {
    type: 'cancelled',
    at: start,
    reason: 'no need',
  });
  expect(types(cancelled)).toEqual(['withdraw']);
  const gone = after(cancelled, {
    type: 'ended',
    at: start,
    replica: 1,
    reason: 'not-requested',
    message: '',
    paid: null,
  });
  const late = after(gone, requested(1));
  expect(late.replicas[0]).toMatchObject({ stage: 'requested', jobId: 'job 1' });
  expect(types(late)).toContain('withdraw');
});

/** Facts in any order, most of which do not fit. */
const anyEvent = fc.oneof(
  fc.record({
    type: fc.constant('chosen' as const),
    round: fc.nat(4),
    wanted: fc.nat(5),
    ids: fc.array(fc.nat(6)),
  }),
  fc.record({ type: fc.constantFrom('requested', 'answered', 'late') as never, replica: fc.nat(7) }),
  fc.record({ type: fc.constant('ended' as const), replica: fc.nat(7), paid: fc.nat(500) }),
  fc.record({
    type: fc.constant('checked' as const),
    replica: fc.nat(7),
    outcome: fc.constantFrom('SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR', 'SECURITY_VIOLATION'),
  }),
  fc.record({ type: fc.constant('recorded' as const), replica: fc.nat(7) }),
  fc.record({ type: fc.constant('cancelled' as const) }),
  fc.record({ type: fc.constant('woken' as const), ms: fc.nat(2_000) }),
);

// biome-ignore lint/suspicious/noExplicitAny: generated facts, of every shape above.
function factOf(given: any, state: OrderState): OrderEvent {
  const at = start;
  switch (given.type) {
    case 'chosen': {
      const step = stepsOf(state, start).find(({ type }) => type === 'choose');
      const share = step?.type === 'choose' ? Math.floor(step.budgetMsat / Math.max(1, step.wanted)) : 0;
      const wanted = step?.type === 'choose' ? step.wanted : given.wanted;
      const picks = [...new Set<number>(given.ids)].slice(0, wanted).map((id) => pick(id, share));
      return { type: 'chosen', at, round: given.round, wanted, picks, exclusions: [] };
    }
    case 'requested':
      return requested(given.replica);
    case 'answered':
    case 'late':
      return answered(given.replica, String(given.replica % 2));
    case 'ended': {
      const bid = state.replicas.find(({ number }) => number === given.replica)?.bidMsat ?? 0;
      const paidMsat = Math.min(bid, given.paid);
      const paid = { paidMsat, feesMsat: 0, heldMsat: 0, invoicedMsat: paidMsat };
      return { ...ended(given.replica), paid } as OrderEvent;
    }
    case 'checked':
      return { type: 'checked', at, replica: given.replica, check: check(given.outcome) };
    case 'recorded':
      return {
        type: 'recorded',
        at,
        replica: given.replica,
        hasAnswer: false,
        targets: ['request', 'matrix'],
      };
    case 'cancelled':
      return { type: 'cancelled', at, reason: 'no need' };
    default:
      return { type: 'woken', at: start + given.ms };
  }
}

const anyOrder = fc.record({
  criticality: fc.constantFrom('background', 'normal', 'important', 'critical'),
  maxMsat: fc.integer({ min: 1_000, max: 20_000 }),
  deadlineAt: fc.constantFrom(start + 500, start + 1_500),
  isChecked: fc.boolean(),
}) as fc.Arbitrary<{ criticality: 'normal'; maxMsat: number; deadlineAt: number; isChecked: boolean }>;

it('keeps its invariants under any facts in any order, and ignores what it knows (DLG-2, DLG-10)', async () => {
  await fc.assert(
    fc.property(anyOrder, fc.array(anyEvent, { maxLength: 40 }), ({ isChecked, ...rest }, given) => {
      let state = newOrder({ ...rest, ...(isChecked ? suite : {}) } as Partial<Order>);
      for (const each of given) {
        const event = factOf(each, state);
        const before = state;
        const next = nextStep(before, event);
        state = next.state;
        // Known facts change nothing.
        expect(nextStep(state, event).state).toEqual(state);
        const asked = state.replicas.map(({ platform }) => platformId(platform));
        expect(new Set(asked).size).toBe(asked.length);
        expect(
          state.replicas.reduce((sum, replica) => sum + committedMsat(state, replica), 0),
        ).toBeLessThanOrEqual(state.order.maxMsat);
        expect(remainingMsat(state)).toBeGreaterThanOrEqual(0);
        expect(state.rounds).toBeLessThanOrEqual(state.order.attempts);
        // A decision is final.
        if (before.status !== 'open') {
          expect(state.status).toBe(before.status);
          expect(state.winners).toEqual(before.winners);
        }
        if (state.status === 'open' && next.wakeAt === null) expect(next.steps).not.toEqual([]);
        if (state.status !== 'open') expect(next.steps.map(({ type }) => type)).not.toContain('choose');
      }
    }),
    { numRuns: 500 },
  );
});

it('always ends when every step succeeds, fails or times out (DLG-10)', async () => {
  await fc.assert(
    fc.property(anyOrder, fc.infiniteStream(fc.nat(9)), ({ isChecked, ...rest }, draws) => {
      let state = newOrder({ ...rest, ...(isChecked ? suite : {}) } as Partial<Order>);
      for (let n = 0; n < 200; n += 1) {
        const steps = stepsOf(state, start);
        const draw = draws.next().value ?? 0;
        const step = steps[draw % Math.max(1, steps.length)];
        if (step === undefined) break;
        const event =
          step.type === 'await' && draw > 6
            ? ended(step.replica)
            : step.type === 'check' && draw > 4
              ? { type: 'checked' as const, at: start, replica: step.replica, check: check('FAILURE') }
              : succeed(step);
        state = nextStep(state, event).state;
      }
      expect(isSettled(state)).toBe(true);
      expect(stepsOf(state, start)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
