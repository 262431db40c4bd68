import * as z from 'zod';
import { platformId } from '../platform.ts';
import type { ObservedRecord, StrategyCandidate } from '../selection/strategy.ts';
import type { JsonValue } from '../store.ts';
import { rewardOf } from './utility.ts';

/** Strength of the trust from qualification, in works. */
const priorStrength = 3;

interface Count {
  good: number;
  all: number;
  /** Number of decisions until the last change. */
  at: number;
}

/** Successes and works of a platform in one task type, with the trust from its qualification as prior. */
export interface SuccessCount {
  readonly good: number;
  readonly all: number;
}

const snapshotSchema = z.object({
  decisions: z.number(),
  total: z.number(),
  counts: z.array(
    z.tuple([
      z.string(),
      z.array(z.tuple([z.string(), z.object({ good: z.number(), all: z.number(), at: z.number() })])),
    ]),
  ),
});

/** Counts of successes by task type and platform that fade with every decision. */
export class SuccessCounts {
  readonly #decay: number;
  #counts = new Map<string, Map<string, Count>>();
  #decisions = 0;
  #total = 0;

  /** @param decay - Factor on all counts for each decision, 0 < x ≤ 1. */
  constructor(decay: number) {
    this.#decay = decay;
  }

  /** The number of decisions, each faded by its age. */
  get total(): number {
    return this.#total;
  }

  /** Starts from nothing, or from what {@link toJSON} returned. */
  reset(snapshot?: JsonValue): void {
    const stored =
      snapshot === undefined || snapshot === null
        ? { decisions: 0, total: 0, counts: [] }
        : snapshotSchema.parse(snapshot);
    this.#decisions = stored.decisions;
    this.#total = stored.total;
    this.#counts = new Map(stored.counts.map(([taskType, counts]) => [taskType, new Map(counts)]));
  }

  observe(record: ObservedRecord): void {
    if (record.kind === 'decision') {
      this.#decisions += 1;
      this.#total = this.#total * this.#decay + 1;
      for (const { platformId: id, trust } of record.candidates) this.#ensure(record.taskType, id, trust);
      return;
    }
    const reward = record.kind === 'outcome' ? rewardOf(record, record.features) : null;
    const known = this.#counts.get(record.taskType)?.get(platformId(record.platform));
    // A platform that no decision considered has no prior yet.
    if (reward === null || known === undefined) return;
    const fade = this.#decay ** (this.#decisions - known.at);
    known.good = known.good * fade + reward;
    known.all = known.all * fade + 1;
    known.at = this.#decisions;
  }

  /** Returns the count of a candidate. */
  of(taskType: string, { platformId: id, trust }: StrategyCandidate): SuccessCount {
    const known = this.#counts.get(taskType)?.get(id);
    if (known === undefined) return { good: priorStrength * trust, all: priorStrength };
    const fade = this.#decay ** (this.#decisions - known.at);
    return { good: known.good * fade, all: known.all * fade };
  }

  toJSON(): JsonValue {
    return {
      decisions: this.#decisions,
      total: this.#total,
      counts: [...this.#counts].map(([taskType, counts]) => [
        taskType,
        [...counts].map(([id, count]) => [id, { ...count }]),
      ]),
    };
  }

  #ensure(taskType: string, id: string, trust: number): void {
    const counts = this.#counts.get(taskType) ?? new Map<string, Count>();
    this.#counts.set(taskType, counts);
    if (!counts.has(id))
      counts.set(id, { good: priorStrength * trust, all: priorStrength, at: this.#decisions });
  }
}
