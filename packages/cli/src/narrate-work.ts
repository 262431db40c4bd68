import { type Delegation, finishedWorkOf, type StoredOrder } from '@bonafide/delegation';
import { sanitizeRemoteText } from '@bonafide/internal';
import type { LogEvent } from './event-log.ts';

/**
 * Prints a line for each piece of work that a delegation settles in this process: the platform, the order, the outcome of the judge,
 * and the cause of a failure. Trials begin with `try`, other orders with `hire`.
 *
 * @param labelOf - what is shown of an order; its id by default
 * @returns a function that ends it
 */
export function narrateWork(
  delegation: Pick<Delegation, 'on'>,
  say: LogEvent<'try' | 'hire'>,
  labelOf: (order: StoredOrder) => string = ({ id }) => sanitizeRemoteText(id, 80),
): () => void {
  return delegation.on('settled', ({ state }) => {
    const verb = state.order.trial === null ? 'hire' : 'try';
    const label = labelOf(state.order);
    const work = finishedWorkOf(state);
    if (work.length === 0) say(verb, 'none', label, 'no platform may be given this order');
    for (const { name, platform, outcome, passed, tests, summary } of work) {
      const who = sanitizeRemoteText(name ?? platform.pubkey.slice(0, 8), 24);
      const score = tests === null ? '' : `${passed ?? 0}/${tests} tests`;
      // The judge's own sentence about a failure repeats the score.
      const isRepeated = summary === `${passed} of ${tests} tests passed.`;
      const cause = isRepeated ? '' : sanitizeRemoteText(summary, 300);
      const details = outcome === 'SUCCESS' ? [score] : [cause === '' ? score : score.padEnd(11), cause];
      // Nothing can be said about the platform.
      const verdict = outcome === 'INFRA' ? 'NO VERDICT' : outcome;
      say(verb, who, label, verdict.padEnd(10), ...details.filter((text) => text !== ''));
    }
  });
}
