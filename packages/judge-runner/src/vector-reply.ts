import { sanitizeRemoteText } from '@bonafide/internal';
import * as z from 'zod';
import { ProtocolError, parseAnswer } from './answers.ts';
import { compareAnswer } from './compare.ts';
import type { VectorCase } from './suite.ts';
import { decodeValue, describeValue, type Value, ValueFormatError } from './value.ts';

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
      throw new ProtocolError(`an answer that is not a value (${error.message})`);
    throw error;
  }
}

/** An exception in one line, inert. */
export const describeRaised = ({ mro, message }: z.infer<typeof raised>): string => {
  const text = sanitizeRemoteText(message, 200);
  return `${sanitizeRemoteText(mro[0] ?? '', 80)}${text === '' ? '' : `: ${text}`}`;
};

/** Judges a reply to its case: a null reason is a pass. Also returns the answer for the transcript. */
export function judgeReply(
  test: VectorCase,
  reply: Reply,
): { readonly reason: string | null; readonly answer: string } {
  if ('raised' in reply) {
    const answer = `raised ${describeRaised(reply.raised)}`;
    if (test.raises !== undefined && reply.raised.mro.includes(test.raises)) return { reason: null, answer };
    return { reason: test.raises === undefined ? answer : `expected ${test.raises}, ${answer}`, answer };
  }
  if ('unplain' in reply) {
    const answer = `an answer that is ${sanitizeRemoteText(reply.unplain, 100)}`;
    return { reason: answer, answer };
  }
  if ('missing' in reply) {
    const answer = `${sanitizeRemoteText(reply.missing, 100)} is not defined`;
    return { reason: answer, answer };
  }
  if (!('value' in reply)) throw new ProtocolError('an answer to another kind of question');
  const value = decodeAnswer(reply.value);
  const answer = describeValue(value, describedLength);
  if (test.raises !== undefined)
    return { reason: `expected ${test.raises}, got ${describeValue(value)}`, answer };
  return { reason: compareAnswer(value, decodeValue(test.expect), test), answer };
}
