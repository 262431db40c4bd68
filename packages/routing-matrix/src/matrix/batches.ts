import type { RoutingRecord } from '../records.ts';
import type { MatrixState } from '../state/state.ts';
import type { Appended } from '../store.ts';

/** Largest number of records in one append. */
const largestBatch = 500;

/** Called for a record of a batch once it is durable. */
type Finish<Result> = (current: MatrixState, appended: Appended) => Promise<Result> | Result;

interface Item {
  readonly record: RoutingRecord;
  readonly finish: Finish<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends records that were called for one after the other in one call of the store (group commit). */
export interface Batches {
  /** Adds a record to the batch that waits, or to a new one. */
  add<Result>(record: RoutingRecord, finish: Finish<Result>): Promise<Result>;
  /** Ends the batch that waits: what is called now comes after it, and what is called later comes after that. */
  end(): void;
}

/** Creates the batches over a queue of turns and a log. */
export function createBatches(options: {
  readonly inTurn: (work: (current: MatrixState) => Promise<void>) => Promise<void>;
  readonly append: (current: MatrixState, records: readonly RoutingRecord[]) => Promise<readonly Appended[]>;
}): Batches {
  const { inTurn, append } = options;
  let waiting: Item[] | null = null;

  /** Appends the records of a batch; after a failure each alone, so that one that a store refuses stops no other. */
  async function appendAll(current: MatrixState, items: readonly Item[]): Promise<(Appended | Error)[]> {
    try {
      const appended = await append(
        current,
        items.map(({ record }) => record),
      );
      return [...appended];
    } catch (error) {
      if (items.length === 1) return [error as Error];
    }
    const results: (Appended | Error)[] = [];
    for (const item of items) results.push(...(await appendAll(current, [item])));
    return results;
  }

  function open(): Item[] {
    const items: Item[] = [];
    const settle: (() => void)[] = [];
    void inTurn(async (current) => {
      if (waiting === items) waiting = null;
      const results = await appendAll(current, items);
      for (const [index, { finish, resolve, reject }] of items.entries()) {
        try {
          const result = results[index] as Appended | Error;
          if (result instanceof Error) throw result;
          const finished = await finish(current, result);
          settle.push(() => resolve(finished));
        } catch (error) {
          settle.push(() => reject(error));
        }
      }
    }).then(
      () => {
        for (const each of settle) each();
      },
      (error: unknown) => {
        // The log could not be read: what is called from now on needs another batch.
        if (waiting === items) waiting = null;
        for (const { reject } of items) reject(error);
      },
    );
    return items;
  }

  return {
    add: <Result>(record: RoutingRecord, finish: Finish<Result>) =>
      new Promise<Result>((resolve, reject) => {
        if (waiting === null || waiting.length >= largestBatch) waiting = open();
        waiting.push({ record, finish, resolve: resolve as Item['resolve'], reject });
      }),

    end() {
      waiting = null;
    },
  };
}
