import type { Filter } from '../event/event.ts';
import type { KnownEvent, Reconciliation } from '../relay/nip77-negentropy.ts';
import type { Connection } from '../relay/relay-connection.ts';

/** A second of a filter that holds more events than the relay sends at once. */
export interface CrowdedSecond {
  readonly filter: Filter;
  readonly second: number;
  /** Ids of its events that were read. */
  readonly read: readonly string[];
}

/** What one request brought. */
export interface SmallReading {
  /** Ids of all events that the relay sent, rejected ones included. */
  readonly ids: ReadonlySet<string>;
  /** True if the relay may have more of them. */
  readonly isCrowded: boolean;
}

/** Ids in one request. */
const idsAtOnce = 500;
/** Requests of parts of a filter, of one reading. */
const maxParts = 64;

/**
 * Reads what a relay has beyond a page of a crowded second: by NIP-77 the ids that are missing, which are then requested. Where a
 * relay does not offer that, the lists of the filter are halved until their parts fit in a page. Returns the seconds of which events
 * may still be missing. A relay that does not send what it lists ends its own reading.
 *
 * @param read - Requests one filter; null when the relay refuses it or the reading ends.
 */
export async function readCrowdedSeconds(
  connection: Pick<Connection, 'reconcile'>,
  crowded: readonly CrowdedSecond[],
  read: (filter: Filter) => Promise<SmallReading | null>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  let canCompare = true;
  let parts = 0;

  async function readIds(filter: Filter, ids: readonly string[]): Promise<boolean> {
    const unsent = new Set(ids);
    while (unsent.size > 0) {
      const before = unsent.size;
      const answer = await read({ ...filter, ids: [...unsent].slice(0, idsAtOnce) });
      for (const id of answer?.ids ?? []) unsent.delete(id);
      // Other events than the listed ones do not make up for them.
      if (unsent.size === before) return false;
    }
    return true;
  }

  async function readParts(filter: Filter): Promise<boolean> {
    let isWhole = true;
    const halves = halvesOf(filter);
    for (const half of halves) {
      parts += 1;
      if (parts > maxParts || signal.aborted) return false;
      const answer = await read(half);
      if (answer === null) return false;
      if (answer.isCrowded && !(await readParts(half))) isWhole = false;
    }
    return isWhole && halves.length > 0;
  }

  const left = new Set<number>();
  for (const { filter, second, read: ids } of crowded) {
    const { limit: _, ...conditions } = filter;
    const within: Filter = { ...conditions, since: second, until: second };
    const known: KnownEvent[] = ids.map((id) => ({ id, created_at: second }));
    const compared: Reconciliation | null = canCompare
      ? await connection.reconcile(within, known, signal)
      : null;
    // One that fails to compare is not waited for again.
    canCompare = compared?.ok ?? false;
    const isWhole = compared?.ok ? await readIds(within, compared.missing) : await readParts(within);
    if (!isWhole) left.add(second);
  }
  return [...left];
}

/** Returns two filters that together match what `filter` matches, or none if it has no list to divide. */
function halvesOf(filter: Filter): readonly Filter[] {
  const lists = Object.entries(filter).filter(([, value]) => Array.isArray(value) && value.length > 1);
  const [longest] = lists.sort(([, a], [, b]) => (b as unknown[]).length - (a as unknown[]).length);
  if (longest === undefined) return [];
  const [key, values] = longest as [string, readonly unknown[]];
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)].map((half) => ({ ...filter, [key]: half }));
}
