import {
  canonicalJson,
  hasMethods,
  isPreview,
  isStorableId,
  maxIdentifierChars,
  parseOrThrow,
  sha256Hex,
} from '@bonafide/internal';
import * as z from 'zod';
import { type DelegationConfig, kindOf } from './config.ts';
import { DelegationError } from './errors.ts';
import type { JsonValue } from './json.ts';
import type { Accept, Criticality, Order, StoredOrder } from './order.ts';

/** Accepts text that every database stores losslessly: no NUL, no lone surrogate. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), 'Not well-formed text');
/** The id of an order: part of the keys of its requests. */
const id = text(256).refine(isStorableId, 'Not a text without control characters');
const taskType = text(128).min(1);
const msat = z.int().min(0);

const inputSchema = z.strictObject({
  data: z.string(),
  type: z.enum(['text', 'url', 'event', 'job']).optional(),
  relay: z.string().optional(),
  marker: z.string().optional(),
});

const orderSchema = z
  .strictObject({
    id,
    taskType,
    inputs: z.array(inputSchema).max(1_000),
    params: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
    output: z.string().optional(),
    kind: z.int().min(5000).max(5999).optional(),
    suite: z.json().optional(),
    language: z.string().min(1).default('python'),
    accept: z
      .union([
        z.string().min(1),
        z.custom<Accept>((given) => typeof given === 'function', 'Not a function or a name'),
      ])
      .optional(),
    valueMsat: msat,
    maxMsat: msat.optional(),
    // The last time that a Date holds.
    deadlineAt: z.int().min(0).max(8_640_000_000_000_000).optional(),
    criticality: z.enum(['background', 'normal', 'important', 'critical']).default('background'),
    replicas: z.literal([1, 2, 3, 5]).optional(),
  })
  .refine(
    ({ suite, accept }) => suite === undefined || accept === undefined,
    'Give a suite or accept, not both',
  );

const replicasOf: Readonly<Record<Criticality, number>> = {
  background: 1,
  normal: 2,
  important: 3,
  critical: 5,
};

/** Number of answers that must be accepted or agree: a majority from three on. */
const neededOf = (replicas: number) => (replicas < 3 ? 1 : Math.floor(replicas / 2) + 1);

const invalid = (message: string, options?: { readonly cause: unknown }) =>
  new DelegationError('INVALID_INPUT', message, options);

/** An order with its defaults, and what is not stored. */
export interface ParsedOrder {
  readonly order: StoredOrder;
  /** The caller's function; null without one. */
  readonly accept: Accept | null;
}

/**
 * Validates an order and applies defaults.
 *
 * @throws DelegationError `INVALID_INPUT`, naming the field
 */
export function parseOrder(given: Order, config: DelegationConfig): ParsedOrder {
  const parsed = parseOrThrow(orderSchema, given, 'order', invalid);
  const { accept, suite, output, maxMsat, deadlineAt, kind, replicas, criticality, ...rest } = parsed;
  const count = replicas ?? replicasOf[criticality];
  return {
    order: {
      ...rest,
      criticality,
      kind: kind ?? kindOf(config, rest.taskType),
      output: output ?? null,
      check: suite !== undefined ? 'suite' : accept !== undefined ? 'accept' : 'none',
      suite: (suite ?? null) as JsonValue,
      accept: typeof accept === 'string' ? accept : null,
      maxMsat: maxMsat ?? rest.valueMsat,
      deadlineAt: deadlineAt ?? null,
      replicas: count,
      needed: neededOf(count),
      attempts: config.attempts,
      acceptPartial: config.acceptPartial,
      trial: null,
    },
    accept: typeof accept === 'function' ? accept : null,
  };
}

/**
 * Returns a hash over the content of an order. Settings of the process that first saw it, which may have changed since, are not
 * part of it.
 *
 * @param kind - the kind that the caller gave; null for the one of the settings
 */
export function fingerprintOf(order: StoredOrder, kind: number | null = null): string {
  const { attempts: _attempts, acceptPartial: _partial, kind: _kind, ...content } = order;
  return sha256Hex(canonicalJson(kind === null ? content : { ...content, kind }));
}

/** A platform whose key and identifier can be stored and recorded everywhere. */
export const platformSchema = z.object({
  pubkey: text(256).refine((key) => isStorableId(key) && !key.includes(':'), 'Not a key'),
  d: text(maxIdentifierChars),
});

/** Validates a platform. @throws DelegationError `INVALID_INPUT` */
export function parsePlatform(given: unknown): { readonly pubkey: string; readonly d: string } {
  return parseOrThrow(platformSchema, given, 'platform', invalid);
}

/** Returns true for a platform whose key and identifier can be stored and recorded everywhere. */
export const isPlatform = (given: unknown): boolean => platformSchema.safeParse(given).success;

/** Validates a task type. @throws DelegationError `INVALID_INPUT` */
export const parseTaskType = (given: unknown): string => parseOrThrow(taskType, given, 'taskType', invalid);

/** Accepts the id of a stored order. That of a trial is composed, and may be longer than one that a caller chooses. */
const storedId = z.string().refine(isStorableId, 'Not an id of an order');

/** Validates the id of a stored order. @throws DelegationError `INVALID_INPUT` */
export const parseOrderId = (given: unknown): string => parseOrThrow(storedId, given, 'id', invalid);

/** Validates the reason of a cancellation. @throws DelegationError `INVALID_INPUT` */
export const parseReason = (given: unknown): string => parseOrThrow(text(1_000), given, 'reason', invalid);

const cancellationSchema = z.strictObject({ at: z.number().min(0), reason: text(1_000) });

/** Validates the options of `cancelOrder`. @throws DelegationError `INVALID_INPUT` */
export const parseCancellation = (given: unknown): z.infer<typeof cancellationSchema> =>
  parseOrThrow(cancellationSchema, given, 'options', invalid);

/** Validates a store that orders are read from. @throws DelegationError `INVALID_INPUT` */
export const parseStore = (given: unknown): unknown =>
  parseOrThrow(z.custom(hasMethods('get', 'update'), 'Expected a delegation store'), given, 'store', invalid);

const waitSchema = z
  .strictObject({
    signal: z.custom<AbortSignal>((given) => given instanceof AbortSignal, 'Not an AbortSignal').optional(),
  })
  .default({});

/** Validates the options of a call that waits. @throws DelegationError `INVALID_INPUT` */
export const parseWaitOptions = (given: unknown): z.infer<typeof waitSchema> =>
  parseOrThrow(waitSchema, given, 'options', invalid);

/** Returns whether the options of `erasePeer` ask for a preview. @throws DelegationError `INVALID_INPUT` */
export const requirePreview = (given: unknown): boolean =>
  isPreview(given, (message, cause) => new DelegationError('INVALID_INPUT', message, cause));

const pruneSchema = z.strictObject({
  before: z.int().min(0),
  limit: z.int().min(1).max(10_000).default(500),
});

/** Validates the options of `prune`. @throws DelegationError `INVALID_INPUT` */
export function parsePrune(given: unknown): z.infer<typeof pruneSchema> {
  return parseOrThrow(pruneSchema, given, 'prune', invalid);
}

const pageSchema = z.strictObject({
  status: z.enum(['open', 'delivered', 'failed', 'cancelled']).optional(),
  settled: z.boolean().optional(),
  taskType: z.string().optional(),
  trialOf: z.string().optional(),
  trialOperator: z.string().optional(),
  limit: z.int().min(1).max(500).default(100),
  cursor: z.string().optional(),
});

/** Validates a query of orders. @throws DelegationError `INVALID_INPUT` */
export function parseOrderQuery(given: unknown): z.infer<typeof pageSchema> {
  return parseOrThrow(pageSchema, given, 'query', invalid);
}
