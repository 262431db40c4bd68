import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger, type Ledger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { openSqlite } from '@bonafide/storage';
import { type Cortex, type CortexOptions, createCortex, createFileState } from '../../src/index.ts';
import type { LedgerPort } from '../../src/ledger-port.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Nostr-like ids that are easy to tell apart. */
export const peerId = (digit: string) => digit.repeat(64);

/** An answer with one assessment. */
export const trust = (id: string, value: number, more: object = {}) => ({
  assessments: [{ peerId: id, trust: value, rationale: `worth ${value}`, ...more }],
});

/** A real ledger in a SQLite file, a state directory beside it, and a clock that moves when told. */
export interface World extends AsyncDisposable {
  now: number;
  readonly directory: string;
  readonly ledger: Ledger;
  /** A new cortex over the same ledger and state, as after a restart. */
  cortex(options: Partial<CortexOptions> & Pick<CortexOptions, 'reflector'>): Cortex;
  /** One piece of work asked of a peer, answered, and finished. */
  work(peer: string, id: string, outcome: 'verified' | 'rejected' | 'disputed'): Promise<void>;
}

export async function createWorld(): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'bonafide-cortex-'));
  const db = openSqlite({ path: join(directory, 'ledger.db') });
  await migrateLedger(db);
  const clock = () => world.now;
  const ledger = createLedger({ store: createKyselyLedgerStore(db), clock });
  const open: Cortex[] = [];
  const world: World = {
    now: Date.UTC(2026, 10, 20, 12),
    directory,
    ledger,
    cortex(options) {
      // The real ledger is a LedgerPort as it stands: this line is the proof.
      const port: LedgerPort = ledger;
      const state = createFileState(join(directory, 'cortex'));
      const cortex = createCortex({ ledger: port, state, clock, ...options });
      open.push(cortex);
      return cortex;
    },
    async work(peer, id, outcome) {
      const about = { peerId: peer, channel: 'nostr', correlationId: id };
      await ledger.recordOutgoing({ ...about, content: `Please do ${id}`, outcome: 'requested' });
      world.now += 2_000;
      await ledger.recordIncoming({
        ...about,
        content: `Here is ${id}`,
        outcome: 'delivered',
        metrics: { latencyMs: 2_000 },
      });
      world.now += 1_000;
      await ledger.recordOutcome(id, outcome, { metrics: { latencyMs: 2_000 } });
      world.now += 1_000;
    },
    async [Symbol.asyncDispose]() {
      for (const cortex of open) await cortex.close();
      await ledger.close();
      await db.destroy();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return world;
}
