import * as z from 'zod';

/** Schema of the cost of one UTC day. */
export const costDaySchema = z.object({
  /** `2026-11-22` */
  day: z.string(),
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** In the currency of the configured prices. */
  money: z.number(),
  /** Calls of consultations, which have a separate budget. */
  consultations: z.number().default(0),
});

/** Cost of one UTC day. */
export type CostDay = Readonly<z.output<typeof costDaySchema>>;

/** Limits that can prevent a call of the reflector. */
export const costLimits = [
  'tokens_per_cycle',
  'calls_per_day',
  'tokens_per_day',
  'money_per_day',
  'consultations_per_day',
] as const;

/** A limit that prevented a call. */
export type CostLimit = (typeof costLimits)[number];

/** Schema of a prevented call. */
export const skipSchema = z.object({
  at: z.number(),
  triggers: z.array(z.string()),
  limit: z.enum(costLimits),
  /** Amount after the call, and the limit. */
  wanted: z.number(),
  allowed: z.number(),
});

/** A prevented call, with the limit and the amounts. */
export type CostSkip = Readonly<z.output<typeof skipSchema>>;

/** Settings of the caps. */
export interface CostConfig {
  readonly tokensPerCycle: number;
  readonly callsPerDay: number;
  readonly tokensPerDay: number;
  /** Null for no limit. */
  readonly moneyPerDay: number | null;
  /** Prices per million tokens. */
  readonly prices: { readonly input: number; readonly output: number };
}

/** Tokens of an answer, for the estimate before a call. */
const expectedOutput = 500;

/** Returns the name of the UTC day. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Returns the price of tokens. */
export function priceOf(
  tokens: { readonly inputTokens: number; readonly outputTokens: number },
  { prices }: Pick<CostConfig, 'prices'>,
): number {
  return (tokens.inputTokens * prices.input + tokens.outputTokens * prices.output) / 1_000_000;
}

/** Returns the limit that the next call with `inputTokens` would exceed; null when it may be made. Pure. */
export function exceededLimit(
  inputTokens: number,
  spent: { readonly cycleTokens: number; readonly day: CostDay | undefined },
  config: CostConfig,
): Omit<CostSkip, 'at' | 'triggers'> | null {
  const { day, cycleTokens } = spent;
  const tokens = inputTokens + expectedOutput;
  const price = priceOf({ inputTokens, outputTokens: expectedOutput }, config);
  const checks: readonly (readonly [CostLimit, number, number])[] = [
    ['tokens_per_cycle', cycleTokens + tokens, config.tokensPerCycle],
    ['calls_per_day', (day?.calls ?? 0) + 1, config.callsPerDay],
    ['tokens_per_day', (day?.inputTokens ?? 0) + (day?.outputTokens ?? 0) + tokens, config.tokensPerDay],
    ['money_per_day', (day?.money ?? 0) + price, config.moneyPerDay ?? Number.POSITIVE_INFINITY],
  ];
  const exceeded = checks.find(([, wanted, allowed]) => wanted > allowed);
  if (exceeded === undefined) return null;
  const [limit, wanted, allowed] = exceeded;
  return { limit, wanted, allowed };
}

const daysKept = 30;

/** Adds a cost to its day. Pure. */
export function addCost(days: readonly CostDay[], at: number, cost: Omit<CostDay, 'day'>): CostDay[] {
  const day = dayOf(at);
  const before = days.find((each) => each.day === day);
  const sum: CostDay = {
    day,
    calls: (before?.calls ?? 0) + cost.calls,
    inputTokens: (before?.inputTokens ?? 0) + cost.inputTokens,
    outputTokens: (before?.outputTokens ?? 0) + cost.outputTokens,
    money: (before?.money ?? 0) + cost.money,
    consultations: (before?.consultations ?? 0) + cost.consultations,
  };
  return [...days.filter((each) => each.day !== day), sum].slice(-daysKept);
}
