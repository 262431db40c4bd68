import { parseOrThrow } from '@bonafide/internal';
import * as z from 'zod';
import { CortexError } from './errors.ts';
import { defaultGateConfig, trustGuards } from './guards/gate.ts';

const ms = (least: number) =>
  z
    .number()
    .int()
    .min(least)
    .max(2 ** 31 - 1);
const enabled = z.boolean().default(true);
const amount = z.number().min(0);

/** All settings of the cortex with defaults and ranges. Unknown names are rejected. */
export const cortexConfigSchema = z.strictObject({
  /** The agent's name in the reflector's instructions. */
  agentName: z.string().min(1).max(80).default('this agent'),
  /** Interval of the timer trigger in ms. */
  scheduleMs: ms(1).default(1_800_000),
  triggers: z
    .strictObject({
      /**
       * Cycles per hour that events may start: messages, size jumps, new peers and commitments together. Further ones wait for
       * the timer.
       */
      perHour: z.number().min(1).max(10_000).default(20),
      timer: z.strictObject({ enabled }).prefault({}),
      count: z
        .strictObject({
          enabled,
          /** Number of messages since the last cycle that fires the count trigger. */
          interactions: z.number().int().min(1).max(1_000).default(5),
        })
        .prefault({}),
      newPeer: z
        .strictObject({
          enabled: z.boolean().default(false),
          /** Cycles per hour that new peers may cause, so that a swarm of them cannot buy reflections. */
          perHour: z.number().min(0).max(1_000).default(2),
        })
        .prefault({}),
      promise: z.strictObject({ enabled }).prefault({}),
      pattern: z.strictObject({ enabled }).prefault({}),
      /** Lets timer and count fire later while cycles find nothing, and earlier while they find something. */
      tuning: z.strictObject({ enabled: z.boolean().default(false) }).prefault({}),
    })
    .prefault({}),
  /** Capacity of the event buffer. Beyond it the oldest events are dropped and counted. */
  maxEvents: z.number().int().min(1_000).max(1_000_000).default(10_000),
  /** Number of a peer's newest interactions in the input of a cycle. */
  interactionsPerPeer: z.number().int().min(1).max(100).default(10),
  /** Peers per cycle; null for all active peers. Remaining peers wait for the next cycle. */
  peersPerCycle: z.number().int().min(1).nullable().default(null),
  /** Upper limit of the input in tokens, soul and beliefs included. */
  maxContextTokens: z.number().int().min(1_000).default(8_000),
  /** Time limit of one cycle in ms. */
  timeoutMs: ms(1).default(60_000),
  /** Largest change of trust per cycle and peer. */
  maxTrustDelta: z.number().int().min(0).max(20).default(defaultGateConfig.maxTrustDelta),
  /** `'all'`, `'clamp'` (`maxTrustDelta` alone), or the names of the guards that act besides it; see `gateAssessment`. */
  guards: z.union([z.enum(['all', 'clamp']), z.array(z.enum(trustGuards)).readonly()]).default('all'),
  /** Time after a change of trust in which no rise is allowed, in ms. */
  cooldownMs: ms(0).default(defaultGateConfig.cooldownMs),
  /** Allowed rise within 24 hours by starting trust, in ascending order of `from`. */
  dailyRise: z
    .array(
      z
        .strictObject({ from: z.number().int().min(-10).max(10), max: z.number().int().min(0).max(20) })
        .readonly(),
    )
    .min(1)
    .refine((tiers) => tiers.every((tier, i) => tier.from > (tiers[i - 1]?.from ?? -11)), {
      error: '`from` must ascend',
    })
    .readonly()
    .default(defaultGateConfig.dailyRise),
  /** Largest number of beliefs. */
  maxBeliefs: z.number().int().min(0).max(200).default(20),
  /** Time to live of a belief without reaffirmation, in ms. */
  beliefTtlMs: z.number().int().min(60_000).default(7_200_000),
  /** Upper limit of the belief section in tokens. */
  maxBeliefTokens: z.number().int().min(50).default(400),
  /** Caps of the cost. A call that would exceed one is not made, and recorded with the limit. */
  budget: z
    .strictObject({
      /**
       * Share of calls, tokens, money, consultations and cycles started by events that may go to strangers: peers without
       * finished work, or other facts, that speak for them.
       */
      strangersShare: z.number().min(0).max(1).default(0.5),
      tokensPerCycle: amount.default(20_000),
      callsPerDay: amount.default(200),
      tokensPerDay: amount.default(1_000_000),
      /** In the currency of `prices`; null for no limit. */
      moneyPerDay: amount.nullable().default(null),
      /** Prices per million tokens. */
      prices: z.strictObject({ input: amount.default(0), output: amount.default(0) }).prefault({}),
    })
    .prefault({}),
  consultation: z
    .strictObject({
      /** Time limit of a consultation in ms. */
      timeoutMs: ms(1).default(20_000),
      callsPerDay: amount.default(100),
      /** Reply that the agent may give to the peer meanwhile. */
      holdingReply: z.string().min(1).max(500).default('Let me check that. I will answer shortly.'),
    })
    .prefault({}),
  /** Time after which a directive expires, in ms. */
  directiveTtlMs: ms(1).default(86_400_000),
  /** Largest number of directives in the queue. */
  maxDirectives: z.number().int().min(1).max(1_000).default(100),
  /** Largest number of lessons. The oldest are dropped first. */
  maxLessons: z.number().int().min(0).max(200).default(20),
  /** Number of cycles in the history. */
  historySize: z.number().int().min(1).max(10_000).default(50),
});

/** Validated settings with defaults applied. */
export type CortexConfig = z.output<typeof cortexConfigSchema>;

/** Settings as a caller passes them; every field is optional. */
export type CortexConfigInput = z.input<typeof cortexConfigSchema>;

/**
 * Validates settings and applies defaults.
 *
 * @throws CortexError `INVALID_CONFIG`, naming the field.
 */
export function parseConfig(input: CortexConfigInput = {}): CortexConfig {
  return parseOrThrow(
    cortexConfigSchema,
    input,
    'config',
    (message, options) => new CortexError('INVALID_CONFIG', message, options),
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges a patch, of which a getter may throw. */
function readMerged(current: CortexConfig, patch: unknown): unknown {
  try {
    return merge(current, patch);
  } catch (cause) {
    throw new CortexError('INVALID_CONFIG', 'config: cannot be read, because a property of it throws.', {
      cause,
    });
  }
}

/** Merges objects; other values of `change` replace those of `before`. */
function merge(before: unknown, change: unknown): unknown {
  if (change === undefined) return before;
  if (!isRecord(before) || !isRecord(change)) return change;
  const changes = Object.entries(change).map(([name, value]) => [name, merge(before[name], value)]);
  return { ...before, ...Object.fromEntries(changes) };
}

/**
 * Merges `patch` into the settings. Fields that the patch omits keep their value, nested ones too.
 *
 * @throws CortexError `INVALID_CONFIG`, naming the field.
 */
export function patchConfig(current: CortexConfig, patch: CortexConfigInput): CortexConfig {
  return parseConfig((isRecord(patch) ? readMerged(current, patch) : (patch ?? null)) as CortexConfigInput);
}
