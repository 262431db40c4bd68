import * as z from 'zod';

const strangersSchema = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  money: z.number(),
  consultations: z.number(),
});

/** Nothing spent. */
export const noCost = { calls: 0, inputTokens: 0, outputTokens: 0, money: 0, consultations: 0 };

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
  /** The part of it that strangers caused. */
  ofStrangers: strangersSchema.default(noCost),
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
  'event_cycles_per_hour',
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
  /** True when strangers had used up their share, and the rest is reserved for known peers. */
  reserved: z.boolean().default(false),
});

/** A prevented call, with the limit and the amounts. */
export type CostSkip = Readonly<z.output<typeof skipSchema>>;

const skipsKept = 50;

/** Appends a prevented call to the state. Pure. */
export function withSkip<Stored extends { readonly skips: readonly CostSkip[] }>(
  stored: Stored,
  skip: CostSkip,
): Stored & { skips: CostSkip[] } {
  return { ...stored, skips: [...stored.skips, skip].slice(-skipsKept) };
}

/** Settings of the caps. */
export interface CostConfig {
  /** Share of the caps of a day that may go to strangers, 0…1. */
  readonly strangersShare: number;
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

/** Returns the cost that a call with `inputTokens` is expected to have. Pure. */
export function expectedCost(
  inputTokens: number,
  config: Pick<CostConfig, 'prices'>,
): Omit<Cost, 'consultations'> {
  const outputTokens = expectedOutput;
  return { calls: 0, inputTokens, outputTokens, money: priceOf({ inputTokens, outputTokens }, config) };
}

/** The part of a day's cost that a cap applies to. */
type Spent = Omit<CostDay, 'day' | 'consultations' | 'ofStrangers'>;

type Checks = readonly (readonly [CostLimit, number, number])[];

/** Returns a whole number of calls of a share, at least one of a share above 0. */
export const callsOf = (callsPerDay: number, share: number): number => Math.ceil(callsPerDay * share);

/** Returns the limit that the next call with `inputTokens` would exceed; null when it may be made. Pure. */
export function exceededLimit(
  inputTokens: number,
  spent: { readonly cycleTokens: number; readonly day: Spent; readonly ofStrangers: Spent | null },
  config: CostConfig,
): Omit<CostSkip, 'at' | 'triggers'> | null {
  const { day, ofStrangers, cycleTokens } = spent;
  const { outputTokens, money } = expectedCost(inputTokens, config);
  const tokens = inputTokens + outputTokens;
  const checksOf = (part: Spent, share: number): Checks => [
    ['calls_per_day', part.calls + 1, callsOf(config.callsPerDay, share)],
    ['tokens_per_day', part.inputTokens + part.outputTokens + tokens, config.tokensPerDay * share],
    ['money_per_day', part.money + money, (config.moneyPerDay ?? Number.POSITIVE_INFINITY) * share],
  ];
  const exceeds = ([, wanted, allowed]: Checks[number]) => wanted > allowed;
  const whole: Checks = [
    ['tokens_per_cycle', cycleTokens + tokens, config.tokensPerCycle],
    ...checksOf(day, 1),
  ];
  const share = config.strangersShare;
  const found = whole.find(exceeds);
  const reserved =
    ofStrangers === null || share === 1 ? undefined : checksOf(ofStrangers, share).find(exceeds);
  const exceeded = found ?? reserved;
  if (exceeded === undefined) return null;
  const [limit, wanted, allowed] = exceeded;
  return { limit, wanted, allowed, reserved: found === undefined };
}

const daysKept = 30;

/** The cost of a cycle or of a consultation. */
export type Cost = CostDay['ofStrangers'];

const sumOf = (a: Cost, b: Cost): Cost => ({
  calls: a.calls + b.calls,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  money: a.money + b.money,
  consultations: a.consultations + b.consultations,
});

/** Adds a cost to its day, and to the part of strangers when they caused it. Pure. */
export function addCost(
  days: readonly CostDay[],
  at: number,
  cost: Cost,
  { byStrangers }: { readonly byStrangers: boolean },
): CostDay[] {
  const day = dayOf(at);
  const before = days.find((each) => each.day === day);
  const ofStrangers = before?.ofStrangers ?? noCost;
  const sum: CostDay = {
    day,
    ...sumOf(before ?? noCost, cost),
    ofStrangers: byStrangers ? sumOf(ofStrangers, cost) : ofStrangers,
  };
  // In order of the days, not of the calls: a consultation may end after midnight.
  const others = days.filter((each) => each.day !== day);
  return [...others, sum].sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-daysKept);
}
