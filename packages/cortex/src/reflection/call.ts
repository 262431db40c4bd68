import { type Deadline, orAbort } from '@bonafide/internal';
import { type CostConfig, type CostDay, type CostSkip, exceededLimit, priceOf } from '../cost/cost.ts';
import { CortexError } from '../errors.ts';
import { estimateTokens } from '../tokens.ts';
import type { ReflectAnswer, Reflector, ReflectRequest, ReflectUsage } from './reflector.ts';

/** Cost of one cycle. Tokens are the reflector's counts where it reports them, else estimates. */
export interface CycleCost {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  money: number;
}

/** Measures of a call: the caps, the day's cost without this cycle, and this cycle's cost so far. */
export interface CostMeter {
  readonly config: CostConfig;
  readonly day: () => CostDay | undefined;
  readonly cost: CycleCost;
  /** True when strangers caused the calls, so that only their share may be used. */
  byStrangers: boolean;
  /** The limit that prevented a call; null without one. */
  prevented: Omit<CostSkip, 'at' | 'triggers'> | null;
}

/** Creates a meter without cost. `day` is read before each call: consultations run beside a cycle. */
export function createMeter(config: CostConfig, day: () => CostDay | undefined): CostMeter {
  const cost = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, money: 0 };
  return { config, day, cost, byStrangers: false, prevented: null };
}

/** An answer as plain data: `output` is its text, or a copy of its object. */
export interface Answer {
  readonly output: string | object;
  /** The same as text. */
  readonly text: string;
  readonly finishReason: string | undefined;
}

/** Tokens that providers add to a prompt, and that a model may spend on reasoning before it answers. */
const plausible = { overhead: 4_000, reasoning: 200_000 };

/**
 * Returns the token counts of an answer if they are possible for this prompt and text: whole numbers, not negative, at most
 * one token per byte besides what providers add. Null for other counts, which could empty or break the budget.
 */
function usageOf(usage: unknown, prompt: string, text: string): ReflectUsage | null {
  const { inputTokens, outputTokens } = (usage ?? {}) as Partial<Record<keyof ReflectUsage, unknown>>;
  const isPossible = (tokens: unknown, most: number): tokens is number =>
    Number.isSafeInteger(tokens) && (tokens as number) >= 0 && (tokens as number) <= most;
  const byteLength = (words: string) => new TextEncoder().encode(words).length;
  return isPossible(inputTokens, byteLength(prompt) + plausible.overhead) &&
    isPossible(outputTokens, byteLength(text) + plausible.reasoning)
    ? { inputTokens, outputTokens }
    : null;
}

function account(meter: CostMeter, prompt: string, text: string, reported?: unknown): void {
  const { cost, config } = meter;
  const usage = usageOf(reported, prompt, text);
  const inputTokens = usage?.inputTokens ?? estimateTokens(prompt);
  const outputTokens = usage?.outputTokens ?? estimateTokens(text);
  cost.calls += 1;
  cost.inputTokens += inputTokens;
  cost.outputTokens += outputTokens;
  cost.money += priceOf({ inputTokens, outputTokens }, config);
  if (usage === null) cost.estimated = true;
}

/** Copies an answer to plain data, so that nothing of the reflector runs later. Throws for what is not JSON. */
function plainAnswer(answer: ReflectAnswer): Answer {
  const output: unknown = answer?.output;
  const finishReason = typeof answer?.finishReason === 'string' ? answer.finishReason : undefined;
  if (typeof output === 'string') return { output, text: output, finishReason };
  if (typeof output !== 'object' || output === null) {
    throw new TypeError('A reflector must return { output: string | object }.');
  }
  const text: string | undefined = JSON.stringify(output);
  const copy: unknown = text === undefined ? null : JSON.parse(text);
  if (text === undefined || typeof copy !== 'object' || copy === null) {
    throw new TypeError('The output of a reflector must be an object that JSON can hold.');
  }
  return { output: copy, text, finishReason };
}

/** Checks the caps before a call. */
function requireBudget(meter: CostMeter, prompt: string): void {
  const { cost, config } = meter;
  const day = meter.day();
  const withThis = (before: Partial<Omit<CycleCost, 'estimated'>> = {}) => ({
    calls: (before.calls ?? 0) + cost.calls,
    inputTokens: (before.inputTokens ?? 0) + cost.inputTokens,
    outputTokens: (before.outputTokens ?? 0) + cost.outputTokens,
    money: (before.money ?? 0) + cost.money,
  });
  const spent = {
    cycleTokens: cost.inputTokens + cost.outputTokens,
    day: withThis(day),
    ofStrangers: meter.byStrangers ? withThis(day?.ofStrangers) : null,
  };
  const limit = exceededLimit(estimateTokens(prompt), spent, config);
  if (limit === null) return;
  meter.prevented = limit;
  throw new CortexError(
    'BUDGET_EXCEEDED',
    `The next call would exceed ${limit.limit}${limit.reserved ? ' for strangers' : ''}: ${limit.wanted} of ${limit.allowed}. Raise the budget, or wait for the next day.`,
  );
}

/**
 * Calls the reflector once, within the budget and the deadline. A call that fails is counted by its input.
 *
 * @throws CortexError `BUDGET_EXCEEDED`, `REFLECTOR_FAILED`, `TIMEOUT` or `ABORTED`.
 */
export async function callReflector(
  reflector: Reflector,
  request: Omit<ReflectRequest, 'signal'>,
  deadline: Deadline,
  meter: CostMeter,
): Promise<Answer> {
  const { signal } = deadline;
  const prompt = request.system + request.input;
  requireBudget(meter, prompt);
  let answer: ReflectAnswer;
  try {
    // Called inside a promise, so that a synchronous exception becomes a rejection.
    answer = await orAbort(
      Promise.resolve().then(() => reflector.reflect({ ...request, signal })),
      signal,
    );
  } catch (cause) {
    account(meter, prompt, '');
    if (deadline.timedOut) {
      const message = 'The reflector did not answer in time. Raise timeoutMs if it needs longer.';
      throw new CortexError('TIMEOUT', message, { cause });
    }
    if (signal.aborted) throw new CortexError('ABORTED', 'The cycle was aborted.', { cause });
    throw new CortexError('REFLECTOR_FAILED', 'The reflector failed. See cause.', { cause });
  }
  try {
    const plain = plainAnswer(answer);
    account(meter, prompt, plain.text, answer.usage);
    return plain;
  } catch (cause) {
    account(meter, prompt, '');
    throw new CortexError(
      'REFLECTOR_FAILED',
      'A reflector must return { output: string | object }, and the object must be JSON.',
      { cause },
    );
  }
}
