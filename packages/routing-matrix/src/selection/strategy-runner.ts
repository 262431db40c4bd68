import type { Logger } from '@bonafide/internal';
import { hasMethods, isCallable } from '@bonafide/internal';
import * as z from 'zod';
import { RoutingError } from '../errors.ts';
import type { RoutingAlert } from '../events.ts';
import type { RoutingRecord, TaskFeatures } from '../records.ts';
import { parseOptions } from '../schemas.ts';
import type { JsonValue } from '../store.ts';
import type {
  SelectionStrategy,
  StrategyCandidate,
  StrategyContext,
  StrategyShare,
  StrategyTask,
} from './strategy.ts';

/** Tolerance of the sum of a distribution. */
const sumTolerance = 1e-6;

/** A strategy of the host, kept as it is: it may be an instance of a class. */
export const strategySchema = z.custom<SelectionStrategy>(
  isStrategy,
  "A strategy needs a 'name' and a function 'distribution'; 'version' is a text, 'init', 'observe' and 'snapshot' are functions, 'judgesCandidates' is a boolean",
);

function isStrategy(given: unknown): boolean {
  if (!hasMethods('distribution')(given)) return false;
  const {
    name,
    version = '1',
    judgesCandidates = false,
    init,
    observe,
    snapshot,
  } = given as Partial<SelectionStrategy>;
  return (
    typeof name === 'string' &&
    typeof version === 'string' &&
    typeof judgesCandidates === 'boolean' &&
    [init, observe, snapshot].every((method) => method === undefined || isCallable(method))
  );
}

/** A strategy whose failures harm nothing else. */
export interface StrategyRunner {
  readonly name: string;
  readonly version: string;
  readonly judgesCandidates: boolean;
  /**
   * Starts the strategy from nothing, before the log is replayed.
   *
   * @throws RoutingError `STRATEGY_FAILED`
   */
  start(): void;
  /**
   * Starts the strategy from a state that {@link StrategyRunner.snapshot} returned.
   *
   * @returns False for a state that the strategy refuses: start it from nothing and replay the log.
   */
  restore(state: JsonValue | undefined): boolean;
  /** Returns the strategy's state; `undefined` for a strategy that learns but has no snapshots. */
  snapshot(): JsonValue | undefined;
  /** Hands a record to the strategy. Never throws: the first failure is logged and reported, all are counted. */
  observe(record: RoutingRecord, seq: number, features: TaskFeatures | null): void;
  /**
   * Returns a valid distribution.
   *
   * @throws RoutingError `STRATEGY_FAILED` when the strategy throws or returns an invalid distribution.
   */
  distribution(
    task: StrategyTask,
    candidates: readonly StrategyCandidate[],
    context: StrategyContext,
  ): readonly StrategyShare[];
}

/**
 * Wraps a strategy.
 *
 * @throws RoutingError `INVALID_CONFIG` for an object without name or distribution.
 */
export function runStrategy(
  strategy: SelectionStrategy,
  options: { readonly logger: Logger; readonly alert: (alert: RoutingAlert) => void },
): StrategyRunner {
  const { name, version } = parseOptions(strategySchema, strategy, 'options.strategy');
  let failures = 0;

  return {
    name,
    version: version ?? '1',
    judgesCandidates: strategy.judgesCandidates === true,

    start() {
      failures = 0;
      try {
        strategy.init?.();
      } catch (cause) {
        throw new RoutingError('STRATEGY_FAILED', `The strategy '${name}' failed in init(); see cause.`, {
          cause,
        });
      }
    },

    restore(state) {
      failures = 0;
      if (strategy.observe === undefined) return true;
      if (state === undefined || strategy.snapshot === undefined) return false;
      try {
        strategy.init?.(state);
        return true;
      } catch (error) {
        options.logger.warn(
          { strategy: name, err: error },
          'The strategy refused its snapshot; replaying the log',
        );
        return false;
      }
    },

    snapshot() {
      if (strategy.observe === undefined) return null;
      try {
        return strategy.snapshot?.();
      } catch (error) {
        options.logger.warn({ strategy: name, err: error }, 'The strategy failed in snapshot()');
        return undefined;
      }
    },

    observe(record, seq, features) {
      if (record.kind !== 'decision' && record.kind !== 'benchmark' && record.kind !== 'outcome') return;
      try {
        // The features of an outcome are those in the state.
        strategy.observe?.({ ...record, seq, features: features === null ? null : { ...features } });
      } catch (error) {
        failures += 1;
        if (failures > 1) return;
        const reason = error instanceof Error ? error.message : String(error);
        options.logger.error({ strategy: name, seq, error }, 'The strategy failed on a record of the log');
        options.alert({ type: 'strategy-failed', strategy: name, seq, reason });
      }
    },

    distribution(task, candidates, context) {
      // A copy: the strategy may keep it.
      const list = candidates.slice();
      let given: readonly (number | StrategyShare)[];
      try {
        given = strategy.distribution(task, list, context);
      } catch (cause) {
        throw new RoutingError('STRATEGY_FAILED', `The strategy '${name}' threw; see cause.`, { cause });
      }
      if (!isSameList(list, candidates)) {
        throw new RoutingError(
          'STRATEGY_FAILED',
          `The strategy '${name}' changed its list of candidates. Sort a copy, and return the shares in the given order.`,
        );
      }
      return checkDistribution(name, given, candidates.length);
    },
  };
}

/** Compares item by item, in a loop because it runs in every decision. */
function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

function checkDistribution(name: string, given: unknown, candidates: number): StrategyShare[] {
  const fail = (what: string) =>
    new RoutingError(
      'STRATEGY_FAILED',
      `The strategy '${name}' returned ${what}. It must return one finite probability ≥ 0 per candidate, with a sum of 1.`,
    );
  if (!Array.isArray(given)) throw fail('no list');
  if (given.length !== candidates) throw fail(`${given.length} shares for ${candidates} candidates`);
  let sum = 0;
  const shares: StrategyShare[] = [];
  for (let index = 0; index < candidates; index += 1) {
    const share: unknown = given[index];
    const stated = typeof share === 'object' && share !== null ? (share as Partial<StrategyShare>) : null;
    const probability: unknown = stated === null ? share : stated.probability;
    if (typeof probability !== 'number' || !Number.isFinite(probability) || probability < 0) {
      throw fail(`the probability ${String(probability)}`);
    }
    sum += probability;
    const reason = typeof stated?.reason === 'string' ? stated.reason : `chosen by ${name}`;
    shares.push({ probability, reason, degraded: stated?.degraded === true });
  }
  if (Math.abs(sum - 1) > sumTolerance) throw fail(`probabilities with the sum ${sum}`);
  return shares;
}
