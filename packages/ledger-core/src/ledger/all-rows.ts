import { LedgerError } from '../errors.ts';
import { positionOfAssessment, positionOfInteraction, positionOfOutcome } from '../positions.ts';
import type { Assessment, Interaction, OutcomeEvent } from '../records.ts';
import type { LedgerStore, Position } from '../store.ts';

/** Rows that are read at once, here and where only the newest are looked at. */
export const pageLength = 1_000;

/** Assessments of one peer or of all since a time, oldest first, page by page. */
export function allAssessments(
  store: LedgerStore,
  peerId: string | null,
  since = 0,
): AsyncGenerator<Assessment> {
  // No id sorts after this one: the place before the first row of `since`.
  const start = since > 0 ? { value: since - 1, id: '\u{10ffff}' } : undefined;
  return allRows(
    (after) => store.listAssessments({ peerId, order: 'oldest', limit: pageLength, after }),
    positionOfAssessment,
    start,
  );
}

/** A peer's messages, oldest first, page by page. */
export function allInteractions(store: LedgerStore, peerId: string): AsyncGenerator<Interaction> {
  return allRows(
    (after) => store.listInteractions({ peerId, order: 'oldest', limit: pageLength, after }),
    positionOfInteraction,
  );
}

/** A peer's outcomes, oldest first, page by page. */
export function allOutcomes(store: LedgerStore, peerId: string): AsyncGenerator<OutcomeEvent> {
  return allRows(
    (after) => store.listOutcomes({ peerId, order: 'oldest', limit: pageLength, after }),
    positionOfOutcome,
  );
}

async function* allRows<Row>(
  read: (after: Position | undefined) => Promise<readonly Row[]>,
  positionOf: (row: Row) => Position,
  start?: Position,
): AsyncGenerator<Row> {
  let after = start;
  for (;;) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    // Only an empty page is the end: a store may return fewer rows than it was asked for.
    if (!last) return;
    const next = positionOf(last);
    if (after && next.value === after.value && next.id === after.id) {
      throw new LedgerError('STORE_FAILED', 'The store returned the same page twice: it ignores `after`.');
    }
    after = next;
  }
}
