import type { Assessment, Interaction, OutcomeEvent } from './records.ts';
import type { Position } from './store.ts';

/** Where a message stands in its peer's history. */
export const placeOfInteraction = (row: Pick<Interaction, 'createdAt' | 'interactionId'>): Position => ({
  value: row.createdAt,
  id: row.interactionId,
});

/** Where an outcome stands among its peer's. */
export const placeOfOutcome = (row: OutcomeEvent): Position => ({ value: row.createdAt, id: row.outcomeId });

/** Where an assessment stands in the series. */
export const placeOfAssessment = (row: Assessment): Position => ({
  value: row.createdAt,
  id: row.assessmentId,
});
