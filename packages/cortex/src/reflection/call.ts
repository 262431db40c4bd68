import { type Deadline, orAbort } from '@bonafide/internal';
import { type CostConfig, type CostDay, type CostSkip, exceededLimit, priceOf } from '../cost/cost.ts';
import { CortexError } from '../errors.ts';
import { estimateTokens } from '../tokens.ts';
import type { ReflectAnswer, Reflector, ReflectRequest } from './reflector.ts';

/** Cost of one cycle. Tokens are the reflector's counts where it reports them, else estimates. */
export interface CycleCost {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  money: number;
}

/** Measures of a call: the caps, the day's cost before this cycle, and this cycle's cost so far. */
export interface CostMeter {
  readonly config: CostConfig;
  readonly day: CostDay | undefined;
  readonly cost: CycleCost;
  /** The limit that prevented a call; null without one. */
  prevented: Omit<CostSkip, 'at' | 'triggers'> | null;
}

/** Creates a meter without cost. */
export function createMeter(config: CostConfig, day: CostDay | undefined): CostMeter {
  const cost = { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false, money: 0 };
  return { config, day, cost, prevented: null };
}

/** Returns an answer as text. */
export const asText = (output: string | object): string =>
  typeof output === 'string' ? output : JSON.stringify(output);

function account(meter: CostMeter, prompt: string, answer: ReflectAnswer): void {
  const { cost, config } = meter;
  const inputTokens = answer.usage?.inputTokens ?? estimateTokens(prompt);
  const outputTokens = answer.usage?.outputTokens ?? estimateTokens(asText(answer.output));
  cost.calls += 1;
  cost.inputTokens += inputTokens;
  cost.outputTokens += outputTokens;
  cost.money += priceOf({ inputTokens, outputTokens }, config);
  if (answer.usage === undefined) cost.estimated = true;
}

/** Checks the caps before a call. */
function requireBudget(meter: CostMeter, prompt: string): void {
  const { cost, day, config } = meter;
  const spent = {
    cycleTokens: cost.inputTokens + cost.outputTokens,
    day: day && {
      ...day,
      calls: day.calls + cost.calls,
      inputTokens: day.inputTokens + cost.inputTokens,
      outputTokens: day.outputTokens + cost.outputTokens,
      money: day.money + cost.money,
    },
  };
  const limit = exceededLimit(estimateTokens(prompt), spent, config);
  if (limit === null) return;
  meter.prevented = limit;
  throw new CortexError(
    'BUDGET_EXCEEDED',
    `The next call would exceed ${limit.limit}: ${limit.wanted} of ${limit.allowed}. Raise the budget, or wait for the next day.`,
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
): Promise<ReflectAnswer> {
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
    account(meter, prompt, { output: '' });
    if (deadline.timedOut) {
      const message = 'The reflector did not answer in time. Raise timeoutMs if it needs longer.';
      throw new CortexError('TIMEOUT', message, { cause });
    }
    if (signal.aborted) throw new CortexError('ABORTED', 'The cycle was aborted.', { cause });
    throw new CortexError('REFLECTOR_FAILED', 'The reflector failed. See cause.', { cause });
  }
  const output: unknown = answer?.output;
  if (typeof output !== 'string' && (typeof output !== 'object' || output === null)) {
    account(meter, prompt, { output: '' });
    throw new CortexError('REFLECTOR_FAILED', 'A reflector must return { output: string | object }.');
  }
  account(meter, prompt, answer);
  return answer;
}
