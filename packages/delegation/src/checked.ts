import { hasMethods, parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import * as orders from './all-orders.ts';
import { DelegationError } from './errors.ts';
import { finishedWorkOf as allFinished } from './finished-work.ts';
import * as accounts from './flow/accounts.ts';
import type { OrderEvent } from './flow/events.ts';
import * as finished from './flow/finished.ts';
import * as flow from './flow/next-step.ts';
import type { OrderState, Replica } from './order.ts';
import { platformId as idOf } from './platform.ts';
import { platformSchema } from './schemas.ts';
import type { OrderStore } from './store.ts';

/** Returns a function that checks its arguments. They are passed on as they are: a state that does not change stays the same object. */
const checked =
  <Arguments extends readonly unknown[], Result>(
    run: (...given: Arguments) => Result,
    what: string,
    schemas: Readonly<Record<string, z.ZodType>>,
  ): ((...given: Arguments) => Result) =>
  (...given) => {
    for (const [place, [name, schema]] of Object.entries(schemas).entries())
      parseOrThrow(
        schema,
        given[place],
        `${what}.${name}`,
        (message, options) => new DelegationError('INVALID_INPUT', message, options),
      );
    return run(...given);
  };

const at = z.number();
const msat = z.number().min(0);
const count = z.int().min(0);
const text = z.string().nullable();
const paid = z.looseObject({ paidMsat: msat, feesMsat: msat, heldMsat: msat, invoicedMsat: msat });
const exclusions = z.array(z.looseObject({}));
const answer = z.looseObject({ content: text, at });
const check = z.looseObject({
  outcome: z.enum(['SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR', 'SECURITY_VIOLATION', 'INFRA']),
  checkedBy: text,
  errorKind: text,
  summary: z.string(),
});
const endReason = z.string();
const platform = z.looseObject({ pubkey: z.string(), d: z.string() });
const targets = z.array(z.string());

const replica = z.looseObject({
  number: count,
  round: count,
  platform,
  name: text,
  relays: z.array(z.string()),
  stage: z.enum(['chosen', 'requested', 'answered', 'checked', 'ended']),
  chosenAt: at,
  requestedAt: at.nullable(),
  jobId: text,
  bidMsat: msat,
  paidMsat: msat,
  heldMsat: msat,
  feesMsat: msat,
  invoicedMsat: msat,
  answer: answer.nullable(),
  end: z.looseObject({ reason: endReason, at, message: z.string() }).nullable(),
  check: check.nullable(),
  recorded: targets,
}) as unknown as z.ZodType<Replica>;

const state = z.looseObject({
  order: z.looseObject({
    id: z.string(),
    taskType: z.string(),
    check: z.enum(['suite', 'accept', 'none']),
    maxMsat: msat,
    valueMsat: msat,
    deadlineAt: at.nullable(),
    replicas: count,
    needed: count,
    attempts: count,
    acceptPartial: z.boolean(),
    trial: z.looseObject({ taskId: z.string() }).nullable(),
  }),
  status: z.enum(['open', 'delivered', 'failed', 'cancelled']),
  createdAt: at,
  decidedAt: at.nullable(),
  rounds: count,
  exhausted: z.boolean(),
  replicas: z.array(replica),
  exclusions,
  winners: z.array(count),
  verifiedBy: z.enum(['judge', 'accept', 'agreement']).nullable(),
  failure: z.looseObject({}).nullable(),
}) as unknown as z.ZodType<OrderState>;

const ofReplica = { at, replica: count };
const event = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('chosen'),
    at,
    round: count,
    wanted: count,
    picks: z.array(z.looseObject({ platform, bidMsat: msat })),
    exclusions,
  }),
  z.looseObject({ type: z.literal('requested'), ...ofReplica, jobId: z.string() }),
  z.looseObject({ type: z.literal('answered'), ...ofReplica, answer, paid: paid.nullable() }),
  z.looseObject({
    type: z.literal('ended'),
    ...ofReplica,
    reason: endReason,
    message: z.string(),
    paid: paid.nullable(),
  }),
  z.looseObject({ type: z.literal('paid'), ...ofReplica, paid }),
  z.looseObject({ type: z.literal('checked'), ...ofReplica, check }),
  z.looseObject({ type: z.literal('recorded'), ...ofReplica, hasAnswer: z.boolean(), targets }),
  z.looseObject({ type: z.literal('cancelled'), at, reason: z.string() }),
  z.looseObject({ type: z.literal('woken'), at }),
]) as unknown as z.ZodType<OrderEvent>;

/** Returns `pubkey:d`. @throws DelegationError `INVALID_INPUT` */
export const platformId = checked(idOf, 'platformId', { platform: platformSchema });

/** Returns what a replica may still cost or has cost, msat, without fees. @throws DelegationError `INVALID_INPUT` */
export const committedMsat = checked(accounts.committedMsat, 'committedMsat', { state, replica });

/** Returns what is left of an order's budget, msat, ≥ 0. @throws DelegationError `INVALID_INPUT` */
export const remainingMsat = checked(accounts.remainingMsat, 'remainingMsat', { state });

/** Returns the end of a replica; null while it may change. @throws DelegationError `INVALID_INPUT` */
export const finishedWork = checked(finished.finishedWork, 'finishedWork', { state, replica });

/** Returns true when nothing is left to do for an order. @throws DelegationError `INVALID_INPUT` */
export const isSettled = checked(finished.isSettled, 'isSettled', { state });

/**
 * Returns what each platform did for an order, in the order of choice. Parts that have not ended are left out.
 *
 * @throws DelegationError `INVALID_INPUT`
 */
export const finishedWorkOf = checked(allFinished, 'finishedWorkOf', { state });

/**
 * Applies a fact to an order and returns the steps that are due. Pure: the same state and fact give the same result, and a fact
 * that is known already changes nothing.
 *
 * @throws DelegationError `INVALID_INPUT`
 */
export const nextStep = checked(flow.nextStep, 'nextStep', { state, event });

/** Returns the steps that are due at `now`. @throws DelegationError `INVALID_INPUT` */
export const stepsOf = checked(flow.stepsOf, 'stepsOf', { state, now: at });

/**
 * Reads every order of a query, newest first, page by page. `source` is a store or a delegation.
 *
 * @throws DelegationError `INVALID_INPUT`
 */
export const allOrders = checked(orders.allOrders, 'allOrders', {
  source: z.custom<Pick<OrderStore, 'list'>>(hasMethods('list'), 'Expected a store or a delegation'),
  query: z
    .strictObject({
      status: z.enum(['open', 'delivered', 'failed', 'cancelled']).optional(),
      settled: z.boolean().optional(),
      taskType: z.string().optional(),
      trialOf: z.string().optional(),
      trialOperator: z.string().optional(),
    })
    .default({}),
});
