import type { Assessment, Interaction, OutcomeEvent } from './records.ts';
import type { Position } from './store.ts';

/** Where a message stands in its peer's history. */
export const positionOfInteraction = (row: Pick<Interaction, 'createdAt' | 'interactionId'>): Position => ({
  value: row.createdAt,
  id: row.interactionId,
});

/** Where an outcome stands among its peer's. */
export const positionOfOutcome = (row: OutcomeEvent): Position => ({
  value: row.createdAt,
  id: row.outcomeId,
});

/** Where an assessment stands in the series. */
export const positionOfAssessment = (row: Assessment): Position => ({
  value: row.createdAt,
  id: row.assessmentId,
});
