import { maxIdentifierChars } from '@bonafide/internal';
import type { PlatformRef } from '../platform.ts';
import type {
  DecisionCandidate,
  DecisionPick,
  DecisionRecord,
  OutcomeRecord,
  RoutingRecord,
  StoredMeasurements,
} from '../records.ts';
import { exclusionReasonSchema, outcomeSchema, tierSchema } from '../schemas.ts';
import { type CriteriaScale, type CriterionScore, createScorer, type Scorer } from '../scoring/criteria.ts';
import type { LogRecord } from '../store.ts';
import { candidateOf, isRow } from './candidate-rows.ts';

/**
 * Reads a record in the form in which this version writes it, without the schema: a log consists of outcomes and
 * decisions, and reading a million of them must take seconds. Returns `null` for every other kind and whenever anything is
 * unusual (a member is missing, out of range, or of an earlier version), which the schema decides. What is returned equals
 * what the schema returns.
 */
export function readUsualRecord(stored: LogRecord): RoutingRecord | null {
  const { id, kind, at, taskType, data } = stored;
  if (!isMembers(data) || !isId(id) || !isTime(at) || !isText(taskType, 128) || taskType === '') return null;
  if (kind === 'outcome') return readOutcome({ kind, id, at, taskType }, data);
  return kind === 'decision' ? readDecision({ kind, id, at, taskType }, data) : null;
}

type Columns<Kind> = {
  readonly kind: Kind;
  readonly id: string;
  readonly at: number;
  readonly taskType: string;
};
type Members = Readonly<Record<string, unknown>>;

const isMembers = (given: unknown): given is Members =>
  typeof given === 'object' && given !== null && !Array.isArray(given);
const isText = (given: unknown, max: number): given is string =>
  typeof given === 'string' && given.length <= max && !given.includes('\0') && given.isWellFormed();
const isId = (given: unknown): given is string => isText(given, 4_096) && given !== '';
const isTime = (given: unknown): given is number =>
  Number.isSafeInteger(given) && (given as number) >= 0 && (given as number) <= 8.64e15;
const isFiniteNumber = (given: unknown): given is number => Number.isFinite(given);
const isCount = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) >= 0;
const isUnit = (given: unknown): given is number => typeof given === 'number' && given >= 0 && given <= 1;
const isDuration = (given: unknown): given is number => isFiniteNumber(given) && given >= 0;
const isString = (given: unknown): given is string => typeof given === 'string';
const isBoolean = (given: unknown): given is boolean => typeof given === 'boolean';

const orNull =
  <Value>(is: (given: unknown) => given is Value) =>
  (given: unknown): given is Value | null =>
    given === null || is(given);
const isCountOrNull = orNull(isCount);
const isUnitOrNull = orNull(isUnit);
const isDurationOrNull = orNull(isDuration);
const isStringOrNull = orNull(isString);
const isBooleanOrNull = orNull(isBoolean);
const isIdOrNull = orNull(isId);
const isQuality = orNull((given): given is number => isDuration(given) && given <= 10);
const isErrorKind = orNull((given): given is string => isText(given, 64));
const isSize = orNull((given): given is number => isDuration(given) && given > 0 && given <= 1e6);
const isDeadline = orNull((given): given is number => isDuration(given) && given > 0);

const oneOf = <Name extends string>(names: readonly Name[]) => {
  const known: ReadonlySet<unknown> = new Set(names);
  return (given: unknown): given is Name => known.has(given);
};
const isOutcome = oneOf(outcomeSchema.options);
const isTier = oneOf(tierSchema.options);
const isExclusionReason = oneOf(exclusionReasonSchema.options);

function readPlatform(given: unknown): PlatformRef | null {
  if (!isMembers(given)) return null;
  const { pubkey, d } = given;
  const isKey = isText(pubkey, 256) && pubkey !== '' && !pubkey.includes(':');
  return isKey && isText(d, maxIdentifierChars) ? { pubkey, d } : null;
}

function readMeasurements(given: unknown): StoredMeasurements | null {
  if (!isMembers(given)) return null;
  const { passRate, latencyMs, executionMs, quality, softLimitExceeded } = given;
  const { memoryShare, coverage, errorKind, costMsat } = given;
  return isUnitOrNull(passRate) &&
    isDurationOrNull(latencyMs) &&
    isDurationOrNull(executionMs) &&
    isQuality(quality) &&
    isBooleanOrNull(softLimitExceeded) &&
    isDurationOrNull(memoryShare) &&
    isUnitOrNull(coverage) &&
    isErrorKind(errorKind) &&
    isCountOrNull(costMsat)
    ? {
        passRate,
        latencyMs,
        executionMs,
        quality,
        softLimitExceeded,
        memoryShare,
        coverage,
        errorKind,
        costMsat,
      }
    : null;
}

function readOutcome(columns: Columns<'outcome'>, data: Members): OutcomeRecord | null {
  const { jobId, outcome, valueMsat } = data;
  const platform = readPlatform(data.platform);
  const measurements = readMeasurements(data.measurements);
  return platform !== null &&
    measurements !== null &&
    isId(jobId) &&
    isOutcome(outcome) &&
    isCountOrNull(valueMsat)
    ? { ...columns, platform, jobId, outcome, valueMsat, measurements }
    : null;
}

function readPick(given: unknown): DecisionPick | null {
  if (!isMembers(given)) return null;
  const { platformId, name, tier, trust, probability, reason } = given;
  const platform = readPlatform(given.platform);
  return platform !== null &&
    isString(platformId) &&
    isStringOrNull(name) &&
    isTier(tier) &&
    isFiniteNumber(trust) &&
    isUnit(probability) &&
    isString(reason)
    ? { platform, platformId, name, tier, trust, probability, reason }
    : null;
}

function readCriterion(given: unknown): CriterionScore | null {
  if (!isMembers(given)) return null;
  const { raw, value, contribution } = given;
  return (raw === null || isFiniteNumber(raw)) && isFiniteNumber(value) && isFiniteNumber(contribution)
    ? { raw, value, contribution }
    : null;
}

function readCriteria(given: unknown): DecisionCandidate['criteria'] | null {
  if (!isMembers(given)) return null;
  const trust = readCriterion(given.trust);
  const cost = readCriterion(given.cost);
  const latency = readCriterion(given.latency);
  const load = readCriterion(given.load);
  const exploration = readCriterion(given.exploration);
  return trust !== null && cost !== null && latency !== null && load !== null && exploration !== null
    ? { trust, cost, latency, load, exploration }
    : null;
}

function readCandidate(given: unknown): DecisionCandidate | null {
  if (!isMembers(given)) return null;
  const { platformId, tier, trust, score, priceMsat, latencyMs, inFlight, ageMs, probability } = given;
  const criteria = readCriteria(given.criteria);
  return criteria !== null &&
    isString(platformId) &&
    isTier(tier) &&
    isFiniteNumber(trust) &&
    isFiniteNumber(score) &&
    isDurationOrNull(priceMsat) &&
    isDurationOrNull(latencyMs) &&
    isCount(inFlight) &&
    isDuration(ageMs) &&
    isUnit(probability)
    ? { platformId, tier, trust, score, priceMsat, latencyMs, inFlight, ageMs, probability, criteria }
    : null;
}

function readRow(given: unknown, scorer: Scorer): DecisionCandidate | null {
  if (!isRow(given)) return null;
  const [platformId, tier, trust, score, priceMsat, latencyMs, inFlight, ageMs, probability, observations] =
    given;
  return isString(platformId) &&
    isTier(tier) &&
    isFiniteNumber(trust) &&
    isFiniteNumber(score) &&
    isDurationOrNull(priceMsat) &&
    isDurationOrNull(latencyMs) &&
    isCount(inFlight) &&
    isDuration(ageMs) &&
    isUnit(probability) &&
    isDuration(observations)
    ? (candidateOf(given, scorer) as DecisionCandidate)
    : null;
}

/** Reads a scale; `null` when it cannot be read. */
function readScale(given: unknown): CriteriaScale | null {
  if (!isMembers(given) || !isMembers(given.weights)) return null;
  const { leastCostMsat, leastLatencyMs } = given;
  const { trust, cost, latency, load, exploration } = given.weights;
  return isDuration(trust) &&
    isDuration(cost) &&
    isDuration(latency) &&
    isDuration(load) &&
    isDuration(exploration) &&
    trust + cost + latency + load + exploration > 0 &&
    isDurationOrNull(leastCostMsat) &&
    isDurationOrNull(leastLatencyMs)
    ? { weights: { trust, cost, latency, load, exploration }, leastCostMsat, leastLatencyMs }
    : null;
}

function readExcluded(given: unknown): DecisionRecord['excluded'][number] | null {
  if (!isMembers(given)) return null;
  const { platformId, reason } = given;
  return isString(platformId) && isExclusionReason(reason) ? { platformId, reason } : null;
}

/** Reads every item of a list; `null` when one cannot be read. */
function readList<Item>(given: unknown, read: (item: unknown) => Item | null): Item[] | null {
  if (!Array.isArray(given)) return null;
  const items: Item[] = [];
  for (const each of given) {
    const item = read(each);
    if (item === null) return null;
    items.push(item);
  }
  return items;
}

function readDecision(columns: Columns<'decision'>, data: Members): DecisionRecord | null {
  const { jobId, valueMsat, size, deadlineMs, difficulty, strategy, strategyVersion } = data;
  const { session, degraded, wanted, candidateCount, shortlisted, excludedCount } = data;
  if (
    !isIdOrNull(jobId) ||
    !isIdOrNull(session) ||
    !isCountOrNull(valueMsat) ||
    !isSize(size) ||
    !isDeadline(deadlineMs) ||
    !isUnitOrNull(difficulty) ||
    !isString(strategy) ||
    !isString(strategyVersion) ||
    !isBoolean(degraded) ||
    !isCount(wanted) ||
    wanted < 1 ||
    !isCount(candidateCount) ||
    !isCountOrNull(shortlisted) ||
    !isCount(excludedCount)
  )
    return null;
  const picks = readList(data.picks, readPick);
  const scale = 'scale' in data ? readScale(data.scale) : undefined;
  if (scale === null) return null;
  const scorer = scale === undefined ? null : createScorer(scale);
  const candidates = readList(data.candidates, (each) =>
    scorer !== null && isRow(each) ? readRow(each, scorer) : readCandidate(each),
  );
  const excluded = readList(data.excluded, readExcluded);
  if (picks === null || candidates === null || excluded === null) return null;
  return {
    ...columns,
    jobId,
    session,
    valueMsat,
    size,
    deadlineMs,
    difficulty,
    strategy,
    strategyVersion,
    degraded,
    wanted,
    picks,
    candidates,
    candidateCount,
    ...(scale === undefined ? {} : { scale }),
    shortlisted,
    excluded,
    excludedCount,
  };
}
