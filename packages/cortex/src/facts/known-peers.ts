import type { LedgerPeer } from '../ledger-port.ts';
import type { Memory } from '../state/memory.ts';
import type { PeerFacts } from './facts.ts';

/**
 * Returns true for a peer for whom facts speak: finished work, or the operator, justifies a positive trust. Others are
 * strangers, who share a part of the budget. What a model thinks of a peer makes no difference. Pure.
 */
export function isKnown({ evidence }: Pick<PeerFacts, 'evidence'>): boolean {
  return evidence.center >= 1 && !evidence.violation;
}

/** The peers that are known, by the names under which hooks and ledger know them. In memory, without I/O. */
export interface KnownPeers {
  has(peerId: string): boolean;
  /** Learns from the ledger's counts, before a cycle has seen the peers. */
  learn(peers: readonly LedgerPeer[]): void;
  /** Learns that a hook uses another name for a peer of the ledger. */
  rename(observed: string, peerId: string): void;
}

/** Most names that are kept beside the state. */
const maxNames = 10_000;

/** Creates the set. What cycles found comes from the state and has the last word. */
export function createKnownPeers(memory: Memory): KnownPeers {
  const counted = new Set<string>();
  const names = new Map<string, string>();
  const dropOldest = (keys: {
    readonly size: number;
    keys(): Iterable<string>;
    delete(key: string): boolean;
  }) => {
    for (const oldest of keys.keys()) {
      if (keys.size <= maxNames) break;
      keys.delete(oldest);
    }
  };
  return {
    has(observed) {
      const peerId = names.get(observed) ?? observed;
      const { trusts } = memory.trusts.value;
      const mark = Object.hasOwn(trusts, peerId) ? trusts[peerId] : undefined;
      return mark === undefined ? counted.has(peerId) : mark.known;
    },
    learn(peers) {
      for (const { peerId, successCount = 0, failureCount = 0 } of peers) {
        if (successCount > 2 * failureCount) counted.add(peerId);
      }
      dropOldest(counted);
    },
    rename(observed, peerId) {
      names.delete(observed);
      names.set(observed, peerId);
      dropOldest(names);
    },
  };
}
