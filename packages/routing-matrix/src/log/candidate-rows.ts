import type { DecisionCandidate, DecisionRecord } from '../records.ts';
import { createScorer, type Scorer, scaleSchema } from '../scoring/criteria.ts';
import type { JsonValue, LogRecord } from '../store.ts';

/*
 * Candidates are most of a log. A decision stores each one as a row of figures, and once what its criteria are relative to: the
 * criteria follow from both. Decisions without a scale store their candidates whole.
 */

type Cells = readonly [
  platformId: unknown,
  tier: unknown,
  trust: unknown,
  score: unknown,
  priceMsat: unknown,
  latencyMs: unknown,
  inFlight: unknown,
  ageMs: unknown,
  probability: unknown,
  observations: unknown,
];

/** Returns the candidate as a row. */
const rowOf = (candidate: DecisionCandidate): Cells => [
  candidate.platformId,
  candidate.tier,
  candidate.trust,
  candidate.score,
  candidate.priceMsat,
  candidate.latencyMs,
  candidate.inFlight,
  candidate.ageMs,
  candidate.probability,
  candidate.criteria.exploration.raw,
];

/** Returns the candidates of a decision as they are stored. */
export function storedCandidates({
  scale,
  candidates,
}: DecisionRecord): readonly (Cells | DecisionCandidate)[] {
  const complete = candidates.every(({ criteria }) => criteria.exploration.raw !== null);
  return scale !== undefined && complete ? candidates.map(rowOf) : candidates;
}

/** Tells whether a stored candidate is a row. */
export const isRow = (given: unknown): given is Cells => Array.isArray(given) && given.length === 10;

const figure = (cell: unknown): number => (typeof cell === 'number' ? cell : Number.NaN);
const figureOrNull = (cell: unknown): number | null => (cell === null ? null : figure(cell));

/** Returns the candidate of a row, whose members are to be validated. */
export function candidateOf(row: Cells, scorer: Scorer) {
  const [platformId, tier, trust, score, priceMsat, latencyMs, inFlight, ageMs, probability, observations] =
    row;
  const criteria = scorer.criteria({
    trust: figure(trust),
    costMsat: figureOrNull(priceMsat),
    latencyMs: figureOrNull(latencyMs),
    inFlight: figure(inFlight),
    observations: figure(observations),
  });
  return { platformId, tier, trust, score, priceMsat, latencyMs, inFlight, ageMs, probability, criteria };
}

/** Returns the data of a stored record with candidates in place of rows, to be validated. */
export function withoutRows(data: LogRecord['data']): Readonly<Record<string, unknown>> {
  const { candidates } = data;
  const scale = scaleSchema.safeParse(data.scale);
  if (!scale.success || !Array.isArray(candidates)) return data;
  const scorer = createScorer(scale.data);
  return {
    ...data,
    candidates: candidates.map((each: JsonValue) => (isRow(each) ? candidateOf(each, scorer) : each)),
  };
}
