import { normalizeRelayUrl } from '../address/relay-url.ts';
import type { Signer } from '../signers/signer.ts';
import type { RelayStatus } from '../transport.ts';
import { type Connection, type ConnectionContext, createConnection } from './relay-connection.ts';

/** A relay's connection, or why there is none. */
export type Reached =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly status: 'refused' | 'unreachable'; readonly message: string };

/** One connection per relay, made when first asked for. */
export interface RelayPool {
  /** @param relay as {@link spellings} gives it */
  reach(relay: string): Reached;
  status(): RelayStatus[];
  /** Resolves when every socket is closed. */
  close(): Promise<void>;
}

/** How many refused addresses are remembered for {@link RelayPool.status}. */
const maxRefusals = 256;

/** @param options.signerFor who to be at a relay, null when it must not know */
export function createRelayPool(options: {
  readonly shared: Omit<ConnectionContext, 'signer'>;
  readonly signerFor: (relay: string) => Signer | null;
  readonly maxConnections: number;
}): RelayPool {
  const { shared, maxConnections } = options;
  const connections = new Map<string, Connection>();
  const refusals = new Map<string, string>();

  /** Makes room by forgetting a relay that nobody uses. */
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
          message: `${connections.size} relays are in use already`,
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

/** The one spelling of a relay's address; what cannot be read stays as it is, for the guard to refuse. */
export function spelling(relay: string): string {
  try {
    return normalizeRelayUrl(relay);
  } catch {
    return String(relay);
  }
}

/** Each relay once, in the spelling that all share. */
export function spellings(relays: readonly string[]): readonly string[] {
  return [...new Set(relays.map(spelling))];
}
