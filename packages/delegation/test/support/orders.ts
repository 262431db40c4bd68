import { resolveConfig } from '../../src/config.ts';
import type { ChosenPlatform, OrderEvent } from '../../src/flow/events.ts';
import { nextStep, type Step } from '../../src/flow/next-step.ts';
import type { CheckResult, Order, OrderState, StoredAnswer } from '../../src/order.ts';
import { parseOrder } from '../../src/schemas.ts';

export const start = 1_700_000_000_000;

/** A new order's state. */
export function newOrder(rest: Partial<Order> = {}, config: object = {}): OrderState {
  const { order } = parseOrder(
    { id: 'order', taskType: 'code', inputs: [{ data: 'Do it.' }], valueMsat: 1_000, ...rest },
    resolveConfig(config),
  );
  return {
    order,
    status: 'open',
    createdAt: start,
    decidedAt: null,
    rounds: 0,
    exhausted: false,
    replicas: [],
    exclusions: [],
    winners: [],
    verifiedBy: null,
    failure: null,
  };
}

/** A pick of platform `number`. */
export const pick = (number: number, bidMsat = 1_000): ChosenPlatform => ({
  platform: { pubkey: `p${number}`, d: 'x' },
  name: null,
  relays: [],
  reason: 'because',
  trust: 0.5,
  probability: 1,
  decisionId: null,
  bidMsat,
});

export const answer = (content: string, rest: Partial<StoredAnswer> = {}): StoredAnswer => ({
  content,
  at: start,
  latencyMs: 5,
  externalId: `event of ${content}`,
  evidence: {},
  invoicedMsat: null,
  isLate: false,
  ...rest,
});

export const check = (outcome: CheckResult['outcome']): CheckResult => ({
  outcome,
  checkedBy: 'judge',
  passRate: outcome === 'SUCCESS' ? 1 : 0.5,
  passed: 1,
  tests: 2,
  executionMs: 1,
  softLimitExceeded: false,
  errorKind: null,
  summary: outcome,
  violations: [],
});

/** Applies facts in order. */
export const after = (state: OrderState, ...events: readonly OrderEvent[]): OrderState =>
  events.reduce((current, event) => nextStep(current, event).state, state);

/** The fact that carries out a step, in a world where everything works. */
export function succeed(step: Step, at = start): OrderEvent {
  switch (step.type) {
    case 'choose':
      return {
        type: 'chosen',
        at,
        round: step.round,
        wanted: step.wanted,
        picks: Array.from({ length: step.wanted }, (_, index) => pick(step.round * 10 + index)),
        exclusions: [],
      };
    case 'request':
      return { type: 'requested', at, replica: step.replica, jobId: `job of ${step.key}` };
    case 'await':
      return { type: 'answered', at, replica: step.replica, answer: answer('42', { at }), paid: null };
    case 'withdraw':
      return { type: 'ended', at, replica: step.replica, reason: 'withdrawn', message: 'gone', paid: null };
    case 'pay':
      return { type: 'recorded', at, replica: step.replica, hasAnswer: true, targets: ['payment'] };
    case 'check':
      return { type: 'checked', at, replica: step.replica, check: check('SUCCESS') };
    case 'record':
      return { type: 'recorded', at, replica: step.replica, hasAnswer: true, targets: step.targets };
  }
}
