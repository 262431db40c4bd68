import { byteLength, hasMethods, isBlank, isCallable, type Logger } from '@bonafide/internal';
import * as z from 'zod';
import { latestTime } from './claimed-time.ts';
import type { ErasureLog } from './ledger/erasure-log.ts';
import type { Ledger } from './ledger.ts';
import { outcomes } from './outcome.ts';
import { isOneLine } from './peer-id.ts';
import { type Policy, policies } from './policy.ts';
import { policySchema, sourceSchema } from './policy-schema.ts';
import { redactKeys } from './redaction.ts';
import type { LedgerStore } from './store.ts';
import { erasedChannel } from './stores/erased.ts';

/** An id that comes from outside: not blank, one line, at most 512 UTF-8 bytes, so that two fit into an index row. */
const id = z
  .string()
  .min(1, 'must not be empty')
  .max(512, 'must not be longer than 512 bytes')
  .refine((text) => byteLength(text) <= 512, { message: 'must not be longer than 512 bytes' })
  .refine((text) => text.trim() !== '' && isOneLine(text), {
    message: 'must be one line of text without control characters',
  })
  .refine((text) => !redactKeys(text).redacted, { message: 'must not contain a private key' });

/** A channel's name: one word without a colon, which separates it from the peer's id. */
const channel = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, dashes, slashes or underscores',
  )
  .refine((name) => name !== erasedChannel, { message: 'is reserved for erased peers' });

const time = z.int().min(0).max(latestTime, 'must not be after the year 9999');

/** Shape of `Metrics`. */
const metricsSchema = z
  .object({
    latencyMs: z.number().min(0).optional(),
    costMsat: z.int().min(0).optional(),
    score: z.number().optional(),
  })
  .catchall(z.union([z.number(), z.string().max(1000), z.boolean(), z.null()]));

/** Imported times are not clamped. */
const isStorableImport = ({ at, backfill }: { at?: number | null | undefined; backfill: boolean }) =>
  !backfill || (at ?? 0) <= latestTime;
const importMessage = { path: ['at'], message: 'must not be after the year 9999' };

/** Shape of `RecordInput`. Other fields are ignored, because hosts pass message objects of their own. */
export const recordSchema = z
  .object({
    peerId: id,
    channel,
    content: z.string(),
    alias: z.string().nullish(),
    correlationId: id.nullish(),
    externalId: id.nullish(),
    evidence: z.record(z.string(), z.unknown()).nullish(),
    outcome: z.enum(outcomes).nullish(),
    metrics: metricsSchema.nullish(),
    at: z.int().min(0).nullish(),
    backfill: z.boolean().default(false),
  })
  .refine(isStorableImport, importMessage);

/** Shape of an outcome and the work that it belongs to. */
export const outcomeSchema = z.object({ correlationId: id, outcome: z.enum(outcomes) });

/** Shape of the options of `recordOutcome`. */
export const outcomeOptionsSchema = z
  .strictObject({
    peerId: z.string().nullish(),
    metrics: metricsSchema.nullish(),
    externalId: id.nullish(),
    evidence: z.record(z.string(), z.unknown()).nullish(),
    at: z.int().min(0).nullish(),
    backfill: z.boolean().default(false),
  })
  .refine(isStorableImport, importMessage);

/** Shape of the options of `recordAssessment`. */
export const assessmentOptionsSchema = z.strictObject({
  source: sourceSchema.default('agent'),
  assessor: z.string().optional(),
});

/** Shape of the options of `tools`. */
export const toolsSchema = z.strictObject({
  assessor: z.string().optional(),
  search: z.boolean().default(false),
});

/** Shape of the failures that hooks add to the journal's tally. */
export const hookFailuresSchema = z.array(
  z.strictObject({
    hook: z.enum(['onMessage', 'afterSend', 'section']),
    count: z.int().min(1),
    lastCode: z.string(),
  }),
);

/** Sources that can assess in the agent's loop. */
export const assessorSchema = z.enum(['agent', 'cortex']);

const fn = <Fn extends (...args: never[]) => unknown>() =>
  z.custom<Fn>(isCallable, 'must be a function').optional();

/** An object with these methods. */
const withMethods = <Given extends object>(...names: readonly (keyof Given & string)[]) =>
  z.custom<Given>(hasMethods(...names), `must have the methods ${names.join(', ')}`);

const logger = withMethods<Logger>('debug', 'info', 'warn', 'error').optional();

/** Shape of `LedgerOptions`. The store and the configuration are checked on their own. */
export const ledgerOptionsSchema = z.strictObject({
  store: z.custom<LedgerStore>(),
  clock: fn<() => number>(),
  random: fn<() => number>(),
  ids: fn<() => string>(),
  config: z.unknown().optional(),
  erasures: withMethods<ErasureLog>('add').optional(),
  logger,
});

/** Shape of the ledger that hooks write to. */
export const hookedLedgerSchema = withMethods<Ledger>(
  ...(['on', 'getBriefing', 'getPeer', 'recordIncoming', 'recordOutgoing', 'noteHookFailures'] as const),
);

/** Shape of `LedgerHooksOptions`. */
export const hooksOptionsSchema = z.strictObject({
  logger,
  turnTimeoutMs: z
    .custom<number>(
      (given) => typeof given === 'number' && given > 0,
      'must be a number of milliseconds above 0',
    )
    .optional(),
  clock: fn<() => number>(),
});

/** Shape of `LedgerConfig`, with its defaults. */
export const configSchema = z.strictObject({
  maxMessageLength: z
    .int()
    .min(0)
    .nullish()
    .transform((length) => length ?? null),
  excludedSenders: z.array(z.string()).default(['stdin', 'system', 'cron']),
  localChannels: z
    .array(z.string())
    .default(['local', 'stdin', 'stdio', 'system', 'cron', 'cli', 'internal']),
  assessChannels: z
    .array(z.string())
    .nullish()
    .transform((channels) => channels ?? null),
  policy: z
    .union([z.enum(Object.keys(policies) as [keyof typeof policies]), policySchema])
    .default('open')
    .transform((policy) => (typeof policy === 'string' ? policies[policy] : (policy as Policy))),
  rubric: z.string().min(1).max(8_000).default('full'),
  maxTrustStep: z
    .int()
    .min(1)
    .max(20)
    .nullish()
    .transform((step) => step ?? null),
  infoDiscount: z
    .union([
      z.boolean(),
      z.strictObject({
        trivialLength: z.int().min(0).optional(),
        burstMs: z.int().min(0).optional(),
        leastMessages: z.int().min(2).optional(),
      }),
    ])
    .default(false)
    .transform((discount) => (discount === true ? {} : discount === false ? null : discount)),
});

/** Shape of the options of `getPeerAggregates`. */
export const aggregateSchema = z.strictObject({
  halfLifeMs: z.number().positive().optional(),
  trendLength: z.int().min(4).max(1000).optional(),
});

/** Shape of the options of `prune`. */
export const pruneSchema = z.strictObject({ before: time });

/** The reason of a correction. Without one it cannot be explained later. */
const reason = z.string('must give a reason').refine((text) => !isBlank(text), 'must give a reason');

/** Shape of the arguments of `voidInteraction`. */
export const voidSchema = z.object({ interactionId: z.string(), reason });

/** Shape of the options of `forgetPeer`. */
export const forgetSchema = z.strictObject({
  reason,
  keepVerdict: z.boolean().default(false),
  until: time.optional(),
});

/** Shape of the options of `exportAssessments`. */
export const exportSchema = z.strictObject({
  source: z.string().min(1).max(512).optional(),
  peerId: z.string().min(1).nullish(),
  since: time.default(0),
});

/** Shape of the options of a list: at most 1,000 items a page, 50 unless asked otherwise. */
export const pageSchema = z.strictObject({
  limit: z.int().min(1).max(1000).default(50),
  cursor: z.string().min(1).nullish(),
});

/** Shape of the options of `getOutcomes`. */
export const outcomePageSchema = pageSchema.extend({ only: z.enum(['counted', 'finished']).optional() });

/** Shape of the options of `getAssessments`. */
export const assessmentListSchema = z.strictObject({
  limit: z.int().min(1).default(Number.MAX_SAFE_INTEGER),
  source: sourceSchema.optional(),
});

/** Shape of the options of `getLargestTrustStep`. */
export const largestStepSchema = z.strictObject({
  source: sourceSchema.default('agent'),
  since: time.default(0),
});

/** Shape of the options of `searchInteractions`. */
export const searchSchema = pageSchema.extend({
  text: z.string().min(1).max(1_000),
  peerId: z.string().nullish(),
});

/** Shape of the options of `listPeers`. */
export const peerPageSchema = pageSchema.extend({
  orderBy: z.enum(['lastSeenAt', 'firstSeenAt', 'interactionCount']).default('lastSeenAt'),
});
