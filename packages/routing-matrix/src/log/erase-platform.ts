import { requirePublicKey, sha256Hex } from '@bonafide/internal';
import { RoutingError } from '../errors.ts';
import { rewriteSnapshot } from '../recovery/snapshot.ts';
import type { JsonValue, LogRecord } from '../store.ts';

/** Returns a key as hex. @throws RoutingError `INVALID_INPUT` */
export const requireOperatorKey = (peer: string): string =>
  requirePublicKey(peer, (message) => new RoutingError('INVALID_INPUT', message));

/** Replaces a platform's identity in a value; the same identity always becomes the same one. */
function anonymized(value: JsonValue, pubkey: string, tombstone: string): JsonValue {
  const identifier = (d: string) => (d === '' ? '' : sha256Hex(`${tombstone}:${d}`).slice(0, 16));
  const visit = (one: JsonValue): JsonValue => {
    if (typeof one === 'string')
      return one.startsWith(`${pubkey}:`)
        ? `${tombstone}:${identifier(one.slice(pubkey.length + 1))}`
        : one.replaceAll(pubkey, tombstone);
    if (typeof one !== 'object' || one === null) return one;
    if (Array.isArray(one)) return one.map(visit);
    const copy = Object.fromEntries(
      Object.entries(one).map(([name, member]) => [
        name.startsWith(`${pubkey}:`) ? String(visit(name)) : name,
        visit(member),
      ]),
    );
    const { pubkey: key, d, platform } = one as { readonly [key: string]: JsonValue };
    if (key === pubkey && typeof d === 'string') copy.d = identifier(d);
    const isAbout =
      typeof platform === 'object' && platform !== null && 'pubkey' in platform && platform.pubkey === pubkey;
    // Names and reasons are text of the platform or about it.
    if (isAbout && 'name' in copy) copy.name = null;
    if (isAbout && 'reason' in copy) copy.reason = 'Erased.';
    return copy;
  };
  return visit(value);
}

/**
 * Returns the record without the identity of an operator, or null when it does not contain it. Every number stays, so that a fold
 * over the log gives the same state under another name. Pure.
 */
export function eraseFromRecord<Record extends LogRecord & { readonly seq: number }>(
  record: Record,
  pubkey: string,
  tombstone: string,
): Record | null {
  const isNamed = record.id.includes(pubkey);
  if (!isNamed && !JSON.stringify(record.data).includes(pubkey)) return null;
  const erase = (value: JsonValue) => anonymized(value, pubkey, tombstone);
  const { snapshot } = record.data;
  // A snapshot is text with a checksum.
  const rewritten =
    record.kind === 'base' && typeof snapshot === 'string' ? rewriteSnapshot(snapshot, erase) : null;
  return {
    ...record,
    id: isNamed ? `erased:${record.seq}` : record.id,
    data: (rewritten === null
      ? erase(record.data)
      : { ...record.data, snapshot: rewritten }) as Record['data'],
  };
}
