import { LedgerError } from '../errors.ts';
import { handleKeyName } from '../handle.ts';
import { parse } from '../parse.ts';
import { forgetSchema, voidSchema } from '../schemas.ts';
import type { LedgerStore } from '../store.ts';
import { cleanText } from '../stored-text.ts';
import { erasedChannel } from '../stores/erased.ts';
import { allInteractions, allOutcomes } from './all-rows.ts';
import { briefOn } from './briefing.ts';
import type { LedgerDependencies } from './dependencies.ts';
import { requireNamedPeer } from './find-peer.ts';
import { keptVerdictName } from './kept-verdict.ts';

/** Options of `forgetPeer`. */
export interface ForgetOptions {
  /** Reason of the erasure. Required, so that no peer is erased by accident; not stored. */
  readonly reason: string;
  /**
   * Keeps a refusal: if the policy refuses the peer now, it is also refused when it returns, until the operator assesses
   * it above −3. Stored under a keyed hash of the id. An erasure without this option removes a verdict that was kept
   * before.
   * @default false
   */
  readonly keepVerdict?: boolean;
  /** Erases only what was recorded until this time, ms since epoch: for repeating an erasure in a restored backup. */
  readonly until?: number;
}

/** Result of `forgetPeer`. */
export interface ForgottenPeer {
  /** The anonymous peer that keeps the counts. */
  readonly tombstoneId: string;
  readonly interactions: number;
  /** The verdict that was kept; null without one. */
  readonly keptVerdict: 'refuse' | null;
  /** Says where erased text stays, and how the operator removes it. Null when nothing stays in the files of the store. */
  readonly textStays: string | null;
}

/** Voids an interaction. Throws `INTERACTION_NOT_FOUND`, `INVALID_INPUT` without a reason. */
export async function voidInteraction(
  { store, now, ensureOpen }: LedgerDependencies,
  interactionId: string,
  reason: string,
): Promise<{ readonly voided: boolean }> {
  ensureOpen();
  const given = parse(voidSchema, { interactionId, reason }, '');
  const { kind } = await store.voidInteraction({ ...given, reason: cleanText(given.reason), at: now() });
  if (kind === 'unknown') {
    throw new LedgerError('INTERACTION_NOT_FOUND', 'The ledger has no interaction with this id.');
  }
  return { voided: kind === 'voided' };
}

/** Erases a peer. Throws `PEER_NOT_FOUND`, `INVALID_INPUT` without a reason. */
export async function forgetPeer(
  context: LedgerDependencies,
  who: string,
  options: ForgetOptions,
): Promise<ForgottenPeer> {
  const { store, erasures, handles } = context;
  const { keepVerdict, until } = parse(forgetSchema, options, 'options');
  const { peer } = await requireNamedPeer(context, who);
  const { peerId } = peer;
  const isRefused = keepVerdict && (await briefOn(context, peerId)).verdict.verdict === 'refuse';
  const verdict = {
    name: await keptVerdictName(context, peerId),
    write: { replace: isRefused ? 'refuse' : null },
  };
  const at = until ?? context.now();
  if (erasures) {
    const externalIds = await externalIdsOf(store, peerId);
    // The name of the verdict depends on the key, and a backup may be from before it was made.
    const key = { name: handleKeyName, write: { first: await handles.key() } };
    const keptValues = isRefused ? [key, verdict] : [verdict];
    await erasures.add({ agentId: store.agentId, peerId, externalIds, at, keptValues });
  }
  // Before the erasure: after a crash between the two, the peer is still refused for what is stored.
  await store.keepValue(verdict.name, verdict.write);
  const tombstoneId = `${erasedChannel}:${context.newId()}`;
  const tombstone = { peerId: tombstoneId, handle: await handles.of(tombstoneId) };
  const interactions = (await store.forgetPeer({ peerId, tombstone, until: until ?? null })) ?? 0;
  handles.drop(peerId);
  context.emit('afterForget', { peerId, tombstoneId });
  return {
    tombstoneId,
    interactions,
    keptVerdict: isRefused ? 'refuse' : null,
    textStays: store.erasedTextStays ?? null,
  };
}

async function externalIdsOf(store: LedgerStore, peerId: string): Promise<readonly string[]> {
  const ids = new Set<string>();
  for await (const { externalId } of allInteractions(store, peerId))
    if (externalId !== null) ids.add(externalId);
  for await (const { externalId } of allOutcomes(store, peerId)) if (externalId !== null) ids.add(externalId);
  return [...ids];
}
