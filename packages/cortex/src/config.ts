import * as z from 'zod';
import { CortexError } from './errors.ts';
import { defaultGateConfig } from './gate.ts';

const ms = (least: number) =>
  z
    .number()
    .int()
    .min(least)
    .max(2 ** 31 - 1);
const enabled = z.boolean().default(true);

/** Every setting of the cortex with its default and range (CTX-24). Unknown names are refused, since they are typing errors. */
export const cortexConfigSchema = z.strictObject({
  /** Name by which the reflector is told whose cortex it is. */
  agentName: z.string().min(1).max(80).default('this agent'),
  /** Time between timer cycles, in ms. */
  scheduleMs: ms(1).default(1_800_000),
  triggers: z
    .strictObject({
      timer: z.strictObject({ enabled }).prefault({}),
      count: z
        .strictObject({
          enabled,
          /** Messages since the last cycle. */
          interactions: z.number().int().min(1).max(1_000).default(5),
        })
        .prefault({}),
    })
    .prefault({}),
  /** Events kept in memory until the next cycle; beyond it the oldest are dropped and counted. */
  maxEvents: z.number().int().min(1_000).max(1_000_000).default(10_000),
  /** Interactions per peer that a cycle looks at. */
  interactionsPerPeer: z.number().int().min(1).max(100).default(10),
  /** Peers per cycle; null = all that were active. Those left over come next time. */
  peersPerCycle: z.number().int().min(1).nullable().default(null),
  /** Upper bound on the input's tokens, soul and beliefs included. */
  maxContextTokens: z.number().int().min(1_000).default(8_000),
  /** How long one cycle may think, in ms. */
  timeoutMs: ms(1).default(60_000),
  /** Largest change of trust per cycle and peer. */
  maxTrustDelta: z.number().int().min(0).max(20).default(defaultGateConfig.maxTrustDelta),
  /** `'clamp'` leaves only `maxTrustDelta`; see `gateAssessment`. */
  guards: z.enum(['all', 'clamp']).default('all'),
  /** How long after a change of trust no rise is made, in ms. */
  cooldownMs: ms(0).default(defaultGateConfig.cooldownMs),
  /** Rise allowed within 24 hours, by the height from which it starts, in ascending order of `from`. */
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
  /** Most beliefs held at once. */
  maxBeliefs: z.number().int().min(0).max(200).default(20),
  /** How long a belief lives without being reaffirmed, in ms. */
  beliefTtlMs: z.number().int().min(60_000).default(7_200_000),
  /** Most tokens of the belief section in a prompt. */
  maxBeliefTokens: z.number().int().min(50).default(400),
  /** Cycles kept in the history. */
  historySize: z.number().int().min(1).max(10_000).default(50),
});

/** The settings in force. */
export type CortexConfig = z.output<typeof cortexConfigSchema>;

/** Settings as a caller gives them: all optional. */
export type CortexConfigInput = z.input<typeof cortexConfigSchema>;

/** Fills in the defaults. Throws `CONFIG_INVALID`, naming what is wrong. */
export function parseConfig(input: CortexConfigInput = {}): CortexConfig {
  const parsed = cortexConfigSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new CortexError(
    'CONFIG_INVALID',
    `The cortex's settings are wrong:\n${z.prettifyError(parsed.error)}`,
    {
      cause: parsed.error,
    },
  );
}

/** The settings with `patch` laid over them; of `triggers`, what the patch leaves out stays. */
export function patchConfig(current: CortexConfig, patch: CortexConfigInput): CortexConfig {
  const { triggers, ...rest } = patch;
  return parseConfig({
    ...current,
    ...rest,
    triggers: {
      timer: { ...current.triggers.timer, ...triggers?.timer },
      count: { ...current.triggers.count, ...triggers?.count },
    },
  });
}
