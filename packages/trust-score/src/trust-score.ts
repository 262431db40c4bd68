import { parseInput, requireRange, TrustScoreError } from './errors.ts';
import {
  attestationFreshnessScore,
  type EndorsementOptions,
  endorsementScore,
  successRateScore,
  testCoverageScore,
  uptimeScore,
} from './factors.ts';
import { type Check, callable, flag, nullable, optional, optionsOf, reading, record } from './input.ts';
import { type TrustEvidence, trustEvidenceSchema } from './schemas.ts';
import { capByCoverage } from './uptime-monitor.ts';

/** Changes whenever the same inputs would give another number. */
export const algorithmVersion = '1.0.0';

/** The five factors, in the order in which they are added up. */
export const factorNames = [
  'testCoverage',
  'uptime',
  'successRate',
  'endorsements',
  'attestationFreshness',
] as const;

/** Name of a factor. */
export type FactorName = (typeof factorNames)[number];

/** Weight of each factor. The weights sum to 1. */
export type FactorWeights = Readonly<Record<FactorName, number>>;

/** The weights of the STEWARD trust model. */
export const defaultWeights: FactorWeights = {
  testCoverage: 0.3,
  uptime: 0.2,
  successRate: 0.25,
  endorsements: 0.15,
  attestationFreshness: 0.1,
};

/** The origin of a factor's value. */
export interface Provenance {
  /** The function that made it. */
  readonly formula: string;
  /** Arguments of the formula. */
  readonly inputs: Readonly<Record<string, number | string>>;
  /** Address of the evidence: a CI run, a monitor, a ledger. */
  readonly source?: string;
}

/** One factor of a score. */
export interface FactorScore {
  /** 0…1. */
  readonly value: number;
  /** True when there was nothing to measure: the value says nothing then. */
  readonly insufficientData: boolean;
  /** Null when the value was given as a bare number. */
  readonly provenance: Provenance | null;
}

/** The five factors of a score. */
export type TrustFactors = Readonly<Record<FactorName, FactorScore>>;

/** The five factors as a caller may give them: numbers, or numbers with what is known about them. */
export type TrustFactorsInput = Readonly<
  Record<FactorName, number | (Pick<FactorScore, 'value'> & Partial<FactorScore>)>
>;

/** A trust score with everything that it was made of. */
export interface TrustScore {
  /** 0…1, rounded to 12 decimals so that a sum which is .8 is not .7999…. */
  readonly value: number;
  /** Value × weight of each factor. They sum to `value`. */
  readonly contributions: Readonly<Record<FactorName, number>>;
  readonly factors: TrustFactors;
  readonly weights: FactorWeights;
  /** Origin of each factor; null when the factor was given as a bare number. */
  readonly provenance: Readonly<Record<FactorName, Provenance | null>>;
  /** Factors without any observation, as a newcomer has them. */
  readonly insufficientData: readonly FactorName[];
  readonly algorithmVersion: string;
  /** ms since epoch. */
  readonly computedAt: number;
}

/** Options of {@link computeTrustScore}. */
export interface TrustScoreOptions {
  /** @default defaultWeights */
  readonly weights?: FactorWeights;
  /**
   * ms since epoch.
   * @default Date.now
   */
  readonly clock?: () => number;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const scoreOptions: Check = optionsOf({
  // `checkWeights` checks their members.
  weights: optional(record({})),
  clock: optional(callable),
});
const givenFactor: Check = record({
  insufficientData: optional(flag),
  provenance: nullable(record({})),
});

/** Returns one factor of what a caller gave. Throws `INVALID_INPUT` when it is missing, `OUT_OF_RANGE` when it is not 0…1. */
function factorOf(factors: TrustFactorsInput, name: FactorName): FactorScore {
  const given = isObject(factors) ? factors[name] : undefined;
  if (given === undefined || given === null) {
    throw new TrustScoreError('INVALID_INPUT', `The factor ${name} is missing`);
  }
  if (typeof given === 'object') givenFactor(name, given);
  const {
    value,
    insufficientData = false,
    provenance = null,
  } = typeof given === 'object' ? given : { value: given };
  requireRange(name, value, 0, 1);
  return { value, insufficientData, provenance };
}

function mapFactors<T>(make: (name: FactorName) => T): Readonly<Record<FactorName, T>> {
  return {
    testCoverage: make('testCoverage'),
    uptime: make('uptime'),
    successRate: make('successRate'),
    endorsements: make('endorsements'),
    attestationFreshness: make('attestationFreshness'),
  };
}

/** Throws `WEIGHTS_INVALID` unless every weight is 0 or more and they sum to 1 within 1e-9. */
export function checkWeights(weights: FactorWeights): void {
  const values = reading('weights', () =>
    factorNames.map((name) => (isObject(weights) ? weights[name] : NaN)),
  );
  if (!values.every((weight) => typeof weight === 'number' && weight >= 0))
    throw new TrustScoreError(
      'WEIGHTS_INVALID',
      `Weights are numbers of 0 or more: ${factorNames.join(', ')}`,
    );
  const sum = values.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) <= 1e-9) return;
  throw new TrustScoreError('WEIGHTS_INVALID', `Weights are 0 or more and sum to 1; these sum to ${sum}`);
}

/**
 * Computes the five factors from raw counts, each with its provenance.
 *
 * @throws `INVALID_INPUT` when a field is missing, of the wrong type or out of range.
 */
export function scoreFactors(evidence: TrustEvidence, options: EndorsementOptions = {}): TrustFactors {
  const { testCoverage, uptime, successRate, endorsements, attestationFreshness } = parseInput(
    trustEvidenceSchema,
    'evidence',
    evidence,
  );
  const { rejected = 0 } = successRate;
  const { gamingMultiplier, ...endorsed } = endorsements;
  const { validityHours = 24 } = attestationFreshness;
  const factor = (
    value: number,
    formula: string,
    inputs: Provenance['inputs'],
    insufficientData = false,
  ): FactorScore => ({ value, insufficientData, provenance: { formula, inputs } });
  return {
    testCoverage: factor(
      testCoverageScore(testCoverage.passing, testCoverage.total),
      'testCoverageScore',
      testCoverage,
      testCoverage.total === 0,
    ),
    uptime: factor(
      capByCoverage(uptimeScore(uptime.periodHours, uptime.downtimeHours), uptime.coverage ?? 1),
      'uptimeScore',
      {
        periodHours: uptime.periodHours,
        downtimeHours: uptime.downtimeHours,
        ...(uptime.coverage === undefined ? {} : { coverage: uptime.coverage }),
      },
    ),
    successRate: factor(
      successRateScore(successRate.successful, successRate.failed, { rejected }),
      'successRateScore',
      { ...successRate, rejected },
      successRate.successful + successRate.failed === 0,
    ),
    endorsements: factor(
      endorsementScore(endorsements.total, endorsements.unique, endorsements.endorserTrustAvg, options) *
        (gamingMultiplier ?? 1),
      'endorsementScore',
      {
        ...endorsed,
        ...(gamingMultiplier === undefined ? {} : { gamingMultiplier }),
        endorsementCurve: options.endorsementCurve ?? 'log',
        endorsementBase: options.endorsementBase ?? 'total',
      },
      endorsements.total === 0,
    ),
    attestationFreshness: factor(
      attestationFreshnessScore(attestationFreshness.hours, validityHours),
      'attestationFreshnessScore',
      { ...attestationFreshness, validityHours },
    ),
  };
}

/**
 * Computes the multi-factor trust score: the weighted sum of five factors, with all its parts. Factors are
 * numbers, or the result of {@link scoreFactors}, which carries their provenance.
 *
 * @throws `OUT_OF_RANGE` when a factor is not 0…1, `INVALID_INPUT` when one is missing, `WEIGHTS_INVALID`.
 */
export function computeTrustScore(factors: TrustFactorsInput, options: TrustScoreOptions = {}): TrustScore {
  scoreOptions('options', options);
  const weights = options.weights ?? defaultWeights;
  checkWeights(weights);
  const known = reading('factors', () => mapFactors((name) => factorOf(factors, name)));
  const contributions = mapFactors((name) => known[name].value * weights[name]);
  const sum = factorNames.reduce((total, name) => total + contributions[name], 0);
  return {
    value: Math.min(1, Math.round(sum * 1e12) / 1e12),
    contributions,
    factors: known,
    weights: { ...weights },
    provenance: mapFactors((name) => known[name].provenance),
    insufficientData: factorNames.filter((name) => known[name].insufficientData),
    algorithmVersion,
    computedAt: (options.clock ?? Date.now)(),
  };
}
