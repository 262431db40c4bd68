import { sanitizePromptText } from '@bonafide/internal';
import * as z from 'zod';
import { ProtocolError, parseAnswer } from './answers.ts';
import { compareAnswer } from './compare.ts';
import { artifactFolder } from './languages/python.ts';
import { inLayerOrder } from './layers.ts';
import type { Box } from './sandbox.ts';
import type { Artifact, VectorCase, VectorSuite } from './suite.ts';
import { skipped, type TestRun } from './test-run.ts';
import { decodeValue, describeValue, type Value, ValueFormatError } from './value.ts';
import type { TestResult, TranscriptEntry } from './verdict.ts';

/** Module name that is imported: `solution`, as in HumanEval. */
export const moduleName = 'solution';
const describedLength = 500;

const raised = z.strictObject({
  mro: z.array(z.string().max(200)).min(1).max(50),
  message: z.string().max(2000),
});
const id = z.int();
const replySchema = z.union([
  z.strictObject({ id, value: z.unknown() }),
  z.strictObject({ id, raised }),
  z.strictObject({ id, unplain: z.string().max(2000) }),
  z.strictObject({ id, missing: z.string().max(2000) }),
  z.strictObject({ id, loaded: z.literal(true) }),
]);
/** A worker's reply to one question. */
export type Reply = z.infer<typeof replySchema>;

/** Reads one line from the box as the reply to question `expected`. Every byte of it may be forged. */
export function parseReply(line: string, expected: number): Reply {
  const parsed = replySchema.safeParse(parseAnswer(line));
  if (!parsed.success) throw new ProtocolError('an answer that has no known shape');
  if (parsed.data.id !== expected) throw new ProtocolError('an answer to a question that was not asked');
  return parsed.data;
}

/**
 * Returns the value of a reply.
 * @throws ProtocolError when the value is malformed.
 */
export function decodeAnswer(json: unknown): Value {
  try {
    return decodeValue(json, { answers: true });
  } catch (error) {
    if (error instanceof ValueFormatError)
      throw new ProtocolError(`an answer that is no value (${error.message})`);
    throw error;
  }
}

/** An exception in one line, inert. */
export const describeRaised = ({ mro, message }: z.infer<typeof raised>): string => {
  const text = sanitizePromptText(message, 200);
  return `${sanitizePromptText(mro[0] ?? '', 80)}${text === '' ? '' : `: ${text}`}`;
};

function describeCall(suite: VectorSuite, test: VectorCase): string {
  const args = test.args.map((arg) => describeValue(decodeValue(arg), describedLength)).join(', ');
  const call = `${test.fn ?? suite.entryPoint ?? ''}(${args})`;
  const whole = test.as === undefined ? call : `${test.as}(${call})`;
  return whole.length > describedLength ? `${whole.slice(0, describedLength - 1)}…` : whole;
}

/** Judges a reply to its case: a null reason is a pass. Also returns the answer for the transcript. */
function judgeReply(
  test: VectorCase,
  reply: Reply,
): { readonly reason: string | null; readonly answer: string } {
  if ('raised' in reply) {
    const answer = `raised ${describeRaised(reply.raised)}`;
    if (test.raises !== undefined && reply.raised.mro.includes(test.raises)) return { reason: null, answer };
    return { reason: test.raises === undefined ? answer : `expected ${test.raises}, ${answer}`, answer };
  }
  if ('unplain' in reply) {
    const answer = `an answer that is ${sanitizePromptText(reply.unplain, 100)}`;
    return { reason: answer, answer };
  }
  if ('missing' in reply) {
    const answer = `${sanitizePromptText(reply.missing, 100)} is not defined`;
    return { reason: answer, answer };
  }
  if (!('value' in reply)) throw new ProtocolError('an answer to another kind of question');
  const value = decodeAnswer(reply.value);
  const answer = describeValue(value, describedLength);
  if (test.raises !== undefined)
    return { reason: `expected ${test.raises}, got ${describeValue(value)}`, answer };
  return { reason: compareAnswer(value, decodeValue(test.expect), test), answer };
}

/** The module that is loaded: of Python by its name, of JavaScript by its file. */
function entryOf(artifact: Artifact): { readonly load: string; readonly entry?: string } {
  if ('source' in artifact || artifact.entry === undefined) return { load: moduleName };
  const { entry } = artifact;
  if (!entry.endsWith('.py')) return { load: moduleName, entry };
  return { load: entry.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.') };
}

/**
 * Runs a suite in the `vectors` mode: one question at a time goes into the box, one answer comes out,
 * and here, outside, it is right or wrong. Never throws for anything that the artifact does.
 */
export async function runVectors(box: Box, suite: VectorSuite, artifact: Artifact): Promise<TestRun> {
  const cases = inLayerOrder(suite.cases);
  const done = new Map<string, TestResult>();
  const transcript: TranscriptEntry[] = [];
  let loadError: string | null = null;
  let protocolError: string | null = null;
  let complete = false;

  const ask = async (question: object, number: number): Promise<Reply | null> => {
    const line = await box.request(JSON.stringify({ ...question, id: number }));
    return line === null ? null : parseReply(line, number);
  };

  const askAll = async (): Promise<boolean> => {
    const loaded = await ask({ ...entryOf(artifact), folder: artifactFolder }, 0);
    if (loaded === null) return false;
    if ('raised' in loaded) {
      loadError = describeRaised(loaded.raised);
      return false;
    }
    for (const [index, test] of cases.entries()) {
      const question = {
        fn: test.fn ?? suite.entryPoint,
        args: test.args,
        ...(test.as === undefined ? {} : { as: test.as }),
      };
      const call = describeCall(suite, test);
      const startedAt = performance.now();
      const reply = await ask(question, index + 1);
      if (reply === null) {
        transcript.push({ id: test.id, call, answer: null });
        done.set(test.id, failed(test, null, 'no answer came'));
        return false;
      }
      const durationMs = performance.now() - startedAt;
      const { reason, answer } = judgeReply(test, reply);
      transcript.push({ id: test.id, call, answer });
      done.set(
        test.id,
        reason === null
          ? { id: test.id, layer: test.layer, status: 'passed', durationMs, reason: null }
          : failed(test, durationMs, reason),
      );
      // A failed smoke test rejects at once.
      if (reason !== null && test.layer === 'smoke') return true;
    }
    return true;
  };

  try {
    complete = await askAll();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    protocolError = error.message;
  }
  const tests = cases.map((test) => done.get(test.id) ?? skipped(test));
  return { tests, transcript, loadError, protocolError, complete };
}

function failed(test: VectorCase, durationMs: number | null, reason: string): TestResult {
  return { id: test.id, layer: test.layer, status: 'failed', durationMs, reason };
}
