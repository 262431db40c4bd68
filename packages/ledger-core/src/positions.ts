import type { Assessment, Interaction, OutcomeEvent } from './records.ts';
import type { Position } from './store.ts';

/** Returns the position of an interaction in its peer's history. */
export const positionOfInteraction = (row: Pick<Interaction, 'createdAt' | 'interactionId'>): Position => ({
  value: row.createdAt,
  id: row.interactionId,
});

/** Returns the position of an outcome in its peer's history. */
export const positionOfOutcome = (row: OutcomeEvent): Position => ({
  value: row.createdAt,
  id: row.outcomeId,
});

/** Returns the position of an assessment in the time series. */
export const positionOfAssessment = (row: Assessment): Position => ({
  value: row.createdAt,
  id: row.assessmentId,
});
