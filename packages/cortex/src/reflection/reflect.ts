import { type Deadline, sha256Hex } from '@bonafide/internal';
import * as z from 'zod';
import { maxOutputLength } from '../audit/cycle-record.ts';
import { CortexError } from '../errors.ts';
import { type CostMeter, callReflector } from './call.ts';
import type { CycleFacts } from './cycle-facts.ts';
import { type ParsedAnswer, type ParseStep, parseAnswer } from './parse.ts';
import { systemText, triageText } from './reflection-input.ts';
import type { Reflector } from './reflector.ts';
import { reflectionOutputSchema } from './schemas.ts';

/** Data about one reflection, available during it and after a failure. */
export interface ReflectTrace {
  inputDigest: string | null;
  output: string | null;
  outputLength: number;
  finishReason: string | null;
  parse: ParseStep | null;
}

/** Creates an empty trace. */
export function newTrace(): ReflectTrace {
  return { inputDigest: null, output: null, outputLength: 0, finishReason: null, parse: null };
}

/** The facts of a cycle with their text. */
export interface ReflectQuestion {
  readonly facts: CycleFacts;
  readonly input: string;
  readonly marker: string;
}

/** Schema of a triage: whether a whole reflection is worth its cost. */
export const triageSchema = z.object({ reflect: z.boolean(), reason: z.string().default('') });

/**
 * Asks a cheap reflector whether a whole reflection is worth its cost. An answer that cannot be used counts as yes.
 *
 * @throws CortexError `BUDGET_EXCEEDED`, `TIMEOUT` or `ABORTED`.
 */
export async function askTriage(
  reflector: Reflector,
  question: ReflectQuestion,
  deadline: Deadline,
  meter: CostMeter,
): Promise<z.output<typeof triageSchema>> {
  const system = triageText(question.facts.agentName, question.marker);
  const { facts, input } = question;
  const request = { depth: 'triage', system, input, facts, schema: triageSchema } as const;
  try {
    const { output } = await callReflector(reflector, request, deadline, meter);
    return triageSchema.parse(typeof output === 'string' ? JSON.parse(output) : output);
  } catch (error) {
    if (error instanceof CortexError && error.code !== 'REFLECTOR_FAILED') throw error;
    return { reflect: true, reason: 'the triage failed' };
  }
}

/**
 * Asks the reflector. After an unreadable answer it asks a second time and names the problem.
 *
 * @throws CortexError `BUDGET_EXCEEDED`, `REFLECTOR_FAILED`, `TIMEOUT`, `ABORTED` or `OUTPUT_UNUSABLE`.
 */
export async function askReflector(
  reflector: Reflector,
  question: ReflectQuestion,
  {
    deadline,
    meter,
    trace,
  }: { readonly deadline: Deadline; readonly meter: CostMeter; readonly trace: ReflectTrace },
): Promise<Extract<ParsedAnswer, { ok: true }>> {
  const { facts, marker } = question;
  const system = systemText(facts.agentName, marker);
  trace.inputDigest = sha256Hex(`${system}\n${question.input}`);

  let input = question.input;
  let problem = '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const request = { depth: 'deep', system, input, facts, schema: reflectionOutputSchema } as const;
    const answer = await callReflector(reflector, request, deadline, meter);
    const { text } = answer;
    trace.output = text.slice(0, maxOutputLength);
    trace.outputLength = text.length;
    trace.finishReason = answer.finishReason ?? null;
    const parsed = parseAnswer(answer.output, answer.finishReason);
    if (parsed.ok) {
      trace.parse = parsed.step;
      return parsed;
    }
    problem = parsed.problem;
    input = `${question.input}\n\nYour answer before this one could not be used: ${problem}\nAnswer again with the JSON alone.`;
  }
  throw new CortexError('OUTPUT_UNUSABLE', `Two answers of the reflector could not be parsed. ${problem}`);
}
