import { type Deadline, orAbort, sha256Hex } from '@bonafide/internal';
import { CortexError } from '../errors.ts';
import { estimateTokens } from '../tokens.ts';
import type { CycleFacts } from './cycle-facts.ts';
import { type ParsedAnswer, parseAnswer } from './parse.ts';
import { systemText } from './reflection-input.ts';
import type { ReflectAnswer, Reflector } from './reflector.ts';
import { reflectionOutputSchema } from './schemas.ts';

/** Cost of one cycle. Tokens are the reflector's counts where it reports them, else estimates. */
export interface ReflectCost {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
}

/** Data about one reflection, available during it and after a failure. */
export interface ReflectTrace {
  inputDigest: string | null;
  output: string | null;
  parse: 'object' | 'json' | 'fence' | 'repair' | null;
  readonly cost: ReflectCost;
}

/** Creates an empty trace. */
export function newTrace(): ReflectTrace {
  return {
    inputDigest: null,
    output: null,
    parse: null,
    cost: { calls: 0, inputTokens: 0, outputTokens: 0, estimated: false },
  };
}

const asText = (output: string | object): string =>
  typeof output === 'string' ? output : JSON.stringify(output);

function account(cost: ReflectCost, prompt: string, answer: ReflectAnswer): void {
  cost.calls += 1;
  cost.inputTokens += answer.usage?.inputTokens ?? estimateTokens(prompt);
  cost.outputTokens += answer.usage?.outputTokens ?? estimateTokens(asText(answer.output));
  if (answer.usage === undefined) cost.estimated = true;
}

/**
 * Asks the reflector. After an unreadable answer it asks a second time and names the problem.
 *
 * @throws CortexError `REFLECTOR_FAILED`, `TIMEOUT`, `ABORTED` or `OUTPUT_UNUSABLE`.
 */
export async function askReflector(
  reflector: Reflector,
  question: { readonly facts: CycleFacts; readonly input: string; readonly marker: string },
  deadline: Deadline,
  trace: ReflectTrace,
): Promise<Extract<ParsedAnswer, { ok: true }>> {
  const { facts, marker } = question;
  const { signal } = deadline;
  const system = systemText(facts.agentName, marker);
  trace.inputDigest = sha256Hex(`${system}\n${question.input}`);

  let input = question.input;
  let problem = '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const request = { system, input, facts, schema: reflectionOutputSchema, signal };
    let answer: ReflectAnswer;
    try {
      // Called inside a promise, so that a synchronous exception becomes a rejection.
      answer = await orAbort(
        Promise.resolve().then(() => reflector.reflect(request)),
        signal,
      );
    } catch (cause) {
      if (deadline.timedOut) {
        throw new CortexError(
          'TIMEOUT',
          'The reflector did not answer in time. Raise timeoutMs if it needs longer.',
          { cause },
        );
      }
      if (signal.aborted) throw new CortexError('ABORTED', 'The cycle was aborted.', { cause });
      throw new CortexError('REFLECTOR_FAILED', 'The reflector failed. See cause.', { cause });
    }
    const output: unknown = answer?.output;
    if (typeof output !== 'string' && (typeof output !== 'object' || output === null)) {
      throw new CortexError('REFLECTOR_FAILED', 'A reflector must return { output: string | object }.');
    }
    account(trace.cost, system + input, answer);
    trace.output = asText(output).slice(0, 20_000);
    const parsed = parseAnswer(output, answer.finishReason);
    if (parsed.ok) {
      trace.parse = parsed.step;
      return parsed;
    }
    problem = parsed.problem;
    input = `${question.input}\n\nYour answer before this one could not be used: ${problem}\nAnswer again with the JSON alone.`;
  }
  throw new CortexError('OUTPUT_UNUSABLE', `Two answers of the reflector could not be parsed. ${problem}`);
}
