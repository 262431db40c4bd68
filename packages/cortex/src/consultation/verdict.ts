import { truncate } from '@bonafide/internal';
import * as z from 'zod';
import { modelNote, noteGuide } from '../beliefs/model-note.ts';
import type { PeerFacts } from '../facts/facts.ts';

const text = z.string().trim();

/** Schema of a reflector's answer to a consultation. */
export const consultationSchema = z.object({
  verdict: z.enum(['approve', 'deny', 'conditional']),
  conditions: z.array(text.min(1)).max(10).default([]),
  reasoning: text.min(1),
  suggestedReply: text.nullish(),
});

/** The cortex's answer to a consultation. Its texts are words of a model unless `decidedBy` names another source: data. */
export interface Consultation {
  readonly verdict: 'approve' | 'deny' | 'conditional';
  readonly conditions: readonly string[];
  readonly reasoning: string;
  readonly suggestedReply: string | null;
  /** Source of the verdict: the reflector, the facts of the ledger, or the lack of an answer. */
  readonly decidedBy: 'reflector' | 'facts' | 'timeout' | 'budget' | 'failure';
}

const maxBytes = { condition: 200, reasoning: 600, reply: 400 };

/** Shortens the texts of an answer. */
export function fromAnswer(answer: z.output<typeof consultationSchema>): Consultation {
  return {
    verdict: answer.verdict,
    conditions: answer.conditions.map((condition) => truncate(condition, maxBytes.condition)),
    reasoning: truncate(answer.reasoning, maxBytes.reasoning),
    suggestedReply: answer.suggestedReply ? truncate(answer.suggestedReply, maxBytes.reply) : null,
    decidedBy: 'reflector',
  };
}

/** Returns the verdict without an answer: denial where money is at stake, else conditional. Pure. */
export function withoutAnswer(
  decidedBy: 'timeout' | 'budget' | 'failure',
  money: boolean,
  reason: string,
): Consultation {
  return {
    verdict: money ? 'deny' : 'conditional',
    conditions: money ? [] : ['Commit to nothing that cannot be taken back.'],
    reasoning: reason,
    suggestedReply: null,
    decidedBy,
  };
}

const knownBad = -3;

/** Returns the verdict that facts alone give, without asking: denial after an attack and of a peer known as bad. Pure. */
export function byFacts(peer: PeerFacts | null): Consultation | null {
  if (peer === null) return null;
  const { violation, center } = peer.evidence;
  if (!violation && center > knownBad) return null;
  const reasoning = violation
    ? 'The ledger records an attack by this peer.'
    : `Finished work and the operator justify a trust of ${center}.`;
  return { verdict: 'deny', conditions: [], reasoning, suggestedReply: null, decidedBy: 'facts' };
}

/** Limits an approval to what facts justify: money without any success on record needs conditions. Pure. */
export function limitedByFacts(answer: Consultation, peer: PeerFacts | null, money: boolean): Consultation {
  if (answer.verdict !== 'approve' || !money || (peer?.evidence.center ?? 0) >= 1) return answer;
  return {
    ...answer,
    verdict: 'conditional',
    conditions: [
      ...answer.conditions,
      'No finished work speaks for this peer yet. Pay after delivery, and a small amount.',
    ],
    decidedBy: 'facts',
  };
}

/** Renders a consultation for the main prompt: the verdict plainly, words of a model as delimited notes. */
export function renderConsultation(consultation: Consultation): string {
  const { verdict, conditions, reasoning, suggestedReply, decidedBy } = consultation;
  const quote = (words: string) => modelNote(words, 300);
  return [
    '## Consultation',
    noteGuide,
    `Verdict: ${verdict} (by ${decidedBy})`,
    ...conditions.map((condition) => `- condition: ${quote(condition)}`),
    `Reasoning: ${quote(reasoning)}`,
    ...(suggestedReply === null ? [] : [`Suggested reply: ${quote(suggestedReply)}`]),
  ].join('\n');
}
