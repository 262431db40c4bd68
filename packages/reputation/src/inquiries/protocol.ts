import * as z from 'zod';
import { parseObject } from '../formats/document.ts';

const protocol = z.literal('bonafide.inquiry/1');
const key = z.string().regex(/^[0-9a-f]{64}$/u);
/** Random id of a question, which its answer repeats. */
const id = z.string().regex(/^[0-9a-f]{32}$/u);

/** Most assessments in one answer. */
export const maxAssessments = 20;

const question = z.strictObject({ protocol, type: z.literal('question'), id, subject: key });
const answer = z.strictObject({
  protocol,
  type: z.literal('answer'),
  id,
  /** `unknown`: the peer has no assessment of the subject. */
  status: z.enum(['answered', 'refused', 'unknown']),
  /** Signed labels, verified one by one. */
  assessments: z.array(z.unknown()).max(maxAssessments),
});

/** A message of the inquiry protocol, which is sent as the text of a private message. */
const messageSchema = z.discriminatedUnion('type', [question, answer]);

export type InquiryMessage = z.output<typeof messageSchema>;
export type Question = z.output<typeof question>;
export type Answer = z.output<typeof answer>;

/** Name and version of the protocol. */
export const inquiryProtocol = protocol.value;

/** Parses a message; null for other text. `malformed` when it claims to be of the protocol and is not. */
export function parseInquiry(text: string): InquiryMessage | 'malformed' | null {
  const value = parseObject(text);
  if (value === null || value.protocol !== inquiryProtocol) return null;
  const parsed = messageSchema.safeParse(value);
  return parsed.success ? parsed.data : 'malformed';
}
