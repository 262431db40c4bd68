// Erases an operator from orders and notes. Pure: stores carry it out.
import { requirePublicKey, sha256Hex } from '@bonafide/internal';
import { DelegationError } from './errors.ts';
import { parseJson } from './json.ts';
import {
  policyNoteName,
  progressSchema,
  serviceNoteName,
  trialMoneyNoteName,
  trialMoneySchema,
  wrongAnswersNoteName,
} from './notes.ts';
import type { Replica } from './order.ts';
import type { PlatformRef } from './platform.ts';
import type { OrderRecord } from './store.ts';

/** The key of an operator, and the random one that replaces it. */
export interface Erasure {
  readonly pubkey: string;
  readonly tombstone: string;
}

/** Change of a row. `none`: it does not name the operator. `keep`: work depends on it. */
export type RowErasure<Row> =
  | { readonly action: 'none' | 'keep' | 'delete' }
  | { readonly action: 'replace'; readonly row: Row };

/** Begins the erasure of an operator, whose key becomes `tombstone`. @throws DelegationError `INVALID_INPUT` */
export function beginErasure(peer: string, tombstone: string): Erasure {
  const pubkey = requirePublicKey(peer, (message) => new DelegationError('INVALID_INPUT', message));
  return { pubkey, tombstone };
}

/** Returns the operator's platforms that an order names. */
export function platformsNamed({ state }: OrderRecord, { pubkey }: Erasure): readonly PlatformRef[] {
  const { order, replicas, exclusions } = state;
  const excluded = exclusions
    .filter(({ platformId }) => platformId.startsWith(`${pubkey}:`))
    .map(({ platformId }) => ({ pubkey, d: platformId.slice(pubkey.length + 1) }));
  const asked = replicas.map(({ platform }) => platform);
  const tried = order.trial === null ? [] : [order.trial.platform];
  return [...tried, ...asked, ...excluded].filter((platform) => platform.pubkey === pubkey);
}

/**
 * Erases the operator from a settled order: a trial is deleted; any other order stays, with its money and its end, so that its id is
 * not handed out again.
 */
export function eraseFromOrder(record: OrderRecord, erasure: Erasure): RowErasure<OrderRecord> {
  const { state, settled, revision } = record;
  const { pubkey } = erasure;
  if (platformsNamed(record, erasure).length === 0) return { action: 'none' };
  if (!settled) return { action: 'keep' };
  if (state.order.trial?.platform.pubkey === pubkey) return { action: 'delete' };
  const replicas = state.replicas.map((replica) =>
    replica.platform.pubkey === pubkey ? withoutIdentity(replica, erasure) : replica,
  );
  const exclusions = state.exclusions.filter(({ platformId }) => !platformId.startsWith(`${pubkey}:`));
  return {
    action: 'replace',
    row: { ...record, revision: revision + 1, state: { ...state, replicas, exclusions } },
  };
}

/** Returns the names of the notes about a platform. */
const platformNoteNames = (platform: PlatformRef): readonly string[] => [
  policyNoteName(platform),
  serviceNoteName(platform),
  wrongAnswersNoteName(platform),
];

const erasedText = 'Erased.';

/** Returns a replica without its platform, and without what that said and what was said about it. */
function withoutIdentity(replica: Replica, { tombstone }: Erasure): Replica {
  const { answer, end, check } = replica;
  return {
    ...replica,
    platform: { pubkey: tombstone, d: '' },
    name: null,
    relays: [],
    reason: erasedText,
    jobId: null,
    answer: answer && { ...answer, content: null, externalId: '', evidence: null },
    end: end && { ...end, message: erasedText },
    check: check && { ...check, errorKind: null, summary: erasedText, violations: [] },
  };
}

/**
 * Erases the operator from a note.
 *
 * @param context.platforms - The operator's platforms that orders name.
 * @param context.isKept - Returns true for an order that stays as it is.
 */
export function eraseFromNote(
  { name, value }: { readonly name: string; readonly value: string },
  { pubkey, tombstone }: Erasure,
  {
    platforms,
    isKept,
  }: { readonly platforms: readonly PlatformRef[]; readonly isKept: (orderId: string) => boolean },
): RowErasure<string> {
  const content = parseJson(value);
  if (name === trialMoneyNoteName) {
    const trials = trialMoneySchema.safeParse(content).data ?? [];
    const isAbout = (id: string) => id.includes(pubkey) && !isKept(id);
    if (!trials.some(({ id }) => isAbout(id))) return { action: 'none' };
    const anonymous = trials.map(({ id, ...money }) => ({
      ...money,
      id: isAbout(id) ? `erased:${sha256Hex(`${tombstone}:${id}`).slice(0, 16)}` : id,
    }));
    return { action: 'replace', row: JSON.stringify(anonymous) };
  }
  const progress = progressSchema.safeParse(content).data;
  if (progress !== undefined) {
    if (progress.duty.kind === 'keep-up' || progress.duty.pubkey !== pubkey) return { action: 'none' };
    return { action: progress.endedAt === null ? 'keep' : 'delete' };
  }
  // A long identifier makes the name a hash.
  const isAbout =
    name.split(':').includes(pubkey) ||
    platforms.some((platform) => platformNoteNames(platform).includes(name));
  return { action: isAbout ? 'delete' : 'none' };
}
