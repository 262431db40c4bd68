import { normalizeRelayUrl } from '../address/relay-url.ts';
import type { Signer } from '../signers/signer.ts';
import type { RelayStatus } from '../transport.ts';
import { isRelayList, requireInput } from '../valid.ts';
import { type Connection, type ConnectionContext, createConnection } from './relay-connection.ts';

/** The connection of a relay, or the reason why there is none. */
export type Reached =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly status: 'refused' | 'unreachable'; readonly message: string };

/** A pool with one connection per relay, created on demand. */
export interface RelayPool {
  /**
   * Returns the connection of a relay.
   *
   * @param relay - An address from {@link canonicalRelayUrls}.
   */
  reach(relay: string): Reached;
  status(): RelayStatus[];
  /** Resolves when every socket is closed. */
  close(): Promise<void>;
}

/** The number of refused addresses kept for {@link RelayPool.status}. */
const maxRefusals = 256;

/**
 * Creates a pool.
 *
 * @param options.signerFor - Returns the signer for NIP-42 at a relay, null for none.
 */
export function createRelayPool(options: {
  readonly shared: Omit<ConnectionContext, 'signer'>;
  readonly signerFor: (relay: string) => Signer | null;
  readonly maxConnections: number;
}): RelayPool {
  const { shared, maxConnections } = options;
  const connections = new Map<string, Connection>();
  const refusals = new Map<string, string>();

  /** Closes one unused connection; returns false if all are used. */
  function evict(): boolean {
    for (const [relay, connection] of connections) {
      if (!connection.isDormant()) continue;
      connections.delete(relay);
      void connection.close();
      return true;
    }
    return false;
  }

  return {
    reach(relay) {
      const known = connections.get(relay);
      if (known !== undefined) return { ok: true, connection: known };
      const assessment = shared.guard.assess(relay);
      if (!assessment.ok) {
        if (refusals.size < maxRefusals) refusals.set(relay, assessment.message);
        return { ok: false, status: 'refused', message: assessment.message };
      }
      if (connections.size >= maxConnections && !evict()) {
        return {
          ok: false,
          status: 'unreachable',
          message: `the limit of ${maxConnections} connections is reached`,
        };
      }
      const connection = createConnection(relay, { ...shared, signer: options.signerFor(relay) });
      connections.set(relay, connection);
      return { ok: true, connection };
    },
    status() {
      const refused = [...refusals].map(
        ([relay, lastError]): RelayStatus => ({
          relay,
          state: 'refused',
          connectedAt: null,
          lastError,
          counters: { events: 0, duplicates: 0, rejected: {}, reconnects: 0, publishes: 0 },
        }),
      );
      return [...[...connections.values()].map((connection) => connection.status()), ...refused];
    },
    async close() {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

/** Returns the normalized address; a malformed address is returned unchanged, and the guard refuses it. */
export function canonicalRelayUrl(relay: string): string {
  try {
    return normalizeRelayUrl(relay);
  } catch {
    return relay;
  }
}

/** Returns the normalized addresses without duplicates. */
export function canonicalRelayUrls(relays: readonly string[]): readonly string[] {
  requireInput(relays, isRelayList, 'relays');
  return [...new Set(relays.map(canonicalRelayUrl))];
}
