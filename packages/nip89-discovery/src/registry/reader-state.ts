import { boundKey } from '../card/bounded-key.ts';
import type { RelayRecord } from './relay-record.ts';
import { readRelayRecord } from './schemas.ts';
import type { DiscoveryStore } from './store.ts';
import { callStore } from './store-access.ts';

type StateStore = Pick<DiscoveryStore, 'getState' | 'putState'>;

/** Largest key, bytes. Addresses of relays may be long. */
const maxKeyBytes = 512;
const watermarkKey = (relay: string, filterKey: string) =>
  boundKey(`watermark ${relay} ${filterKey}`, maxKeyBytes);
const relayKey = (relay: string) => boundKey(`relay ${relay}`, maxKeyBytes);

/**
 * Returns up to which second `relay` was read for a filter, or `null` if it was never read.
 *
 * @throws DiscoveryError `STORE_FAILED`
 */
export async function readWatermark(
  store: StateStore,
  relay: string,
  filterKey: string,
): Promise<number | null> {
  const key = watermarkKey(relay, filterKey);
  const stored = (await callStore(() => store.getState([key]))).get(key);
  // An unreadable watermark means reading again, which costs time but no data.
  return stored !== undefined && /^\d{1,15}$/u.test(stored) ? Number(stored) : null;
}

/** Stores up to which second `relay` was read for a filter. @throws DiscoveryError `STORE_FAILED` */
export async function writeWatermark(
  store: StateStore,
  relay: string,
  filterKey: string,
  seconds: number,
): Promise<void> {
  const value = String(Math.max(0, Math.floor(seconds)));
  await callStore(() => store.putState(new Map([[watermarkKey(relay, filterKey), value]])));
}

/** Returns the stored records of the given relays. @throws DiscoveryError `STORE_FAILED` */
export async function readRelayRecords(
  store: StateStore,
  relays: readonly string[],
): Promise<readonly RelayRecord[]> {
  const stored = await callStore(() => store.getState(relays.map(relayKey)));
  return relays.flatMap((relay) => {
    const text = stored.get(relayKey(relay));
    return text === undefined ? [] : [readRelayRecord(text, relay)];
  });
}

/** Stores the records of relays. @throws DiscoveryError `STORE_FAILED` */
export async function writeRelayRecords(store: StateStore, records: readonly RelayRecord[]): Promise<void> {
  if (records.length === 0) return;
  const values = records.map((record) => [relayKey(record.relay), JSON.stringify(record)] as const);
  await callStore(() => store.putState(new Map(values)));
}
