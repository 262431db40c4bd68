import * as z from 'zod';
import type { JsonValue } from '../card/content.ts';
import { DiscoveryError } from '../errors.ts';
import { readInput } from '../valid.ts';
import type { RegistryEntry } from './entry.ts';
import { changeStatus, changeTrust } from './entry-changes.ts';
import type { EntryWriter } from './entry-writer.ts';
import { parseIdentifier, parsePubkey } from './platform-key.ts';

/** Access to platforms that must exist. */
export interface KnownPlatforms {
  /** Returns the entry. @throws DiscoveryError `UNKNOWN_PLATFORM`, `INVALID_INPUT`, `STORE_FAILED` */
  get(pubkey: string, d: string): Promise<RegistryEntry>;
  /**
   * Changes the entry and returns it. @throws DiscoveryError as `get`, and `TRANSITION_REFUSED` if `step`
   * refuses
   */
  change(
    pubkey: string,
    d: string,
    step: (current: RegistryEntry) => ReturnType<typeof changeStatus>,
  ): Promise<RegistryEntry>;
}

/** Creates the access to platforms. @param assertOpen - throws `CLOSED` after the registry was closed */
export function createKnownPlatforms(writer: EntryWriter, assertOpen: () => void): KnownPlatforms {
  const change: KnownPlatforms['change'] = async (pubkey, d, step) => {
    assertOpen();
    const key = parsePubkey(pubkey);
    const canonicalD = parseIdentifier(d);
    const result = await writer.exclusive(() =>
      writer.update<{ readonly refused: string } | { readonly unknown: true }>(key, canonicalD, (current) =>
        current === null ? { unknown: true as const } : step(current),
      ),
    );
    if ('refused' in result) throw new DiscoveryError('TRANSITION_REFUSED', `${result.refused}.`);
    if ('unknown' in result || result.after === null) {
      throw new DiscoveryError(
        'UNKNOWN_PLATFORM',
        `The registry has no card '${d}' of ${key}. Run sync() first.`,
      );
    }
    return result.after;
  };
  return { change, get: (pubkey, d) => change(pubkey, d, () => null) };
}

const trustSchema = z.number().min(0).max(1).nullable();
const evidenceSchema = z.json();
const targetSchema = z.enum(['evaluating', 'partner', 'rejected', 'unresponsive']);

/** The methods that change the status and the trust of a platform. */
export interface StatusCommands {
  /** Changes the status of a platform. @throws DiscoveryError `UNKNOWN_PLATFORM`, `TRANSITION_REFUSED` */
  transition(
    pubkey: string,
    d: string,
    to: 'evaluating' | 'partner' | 'rejected' | 'unresponsive',
    evidence?: JsonValue,
  ): Promise<RegistryEntry>;
  /**
   * Sets the display copy of the routing matrix's trust, 0..1; `null` removes it.
   *
   * @throws DiscoveryError `UNKNOWN_PLATFORM`
   */
  setTrust(
    pubkey: string,
    d: string,
    trustScore: number | null,
    evidence?: JsonValue,
  ): Promise<RegistryEntry>;
}

/** Creates the methods that change the status and the trust of a platform. */
export function createStatusCommands(known: KnownPlatforms, clock: () => number): StatusCommands {
  return {
    async transition(pubkey, d, to, evidence) {
      readInput(targetSchema, to, 'to');
      const given = evidenceOf(evidence);
      return known.change(pubkey, d, (current) =>
        changeStatus(current, { type: to }, { now: clock(), evidence: given }),
      );
    },

    async setTrust(pubkey, d, trustScore, evidence) {
      readInput(trustSchema, trustScore, 'trustScore');
      const given = evidenceOf(evidence);
      return known.change(pubkey, d, (current) =>
        changeTrust(current, trustScore, { now: clock(), evidence: given }),
      );
    },
  };
}

const evidenceOf = (evidence: unknown): JsonValue => readInput(evidenceSchema, evidence ?? null, 'evidence');
