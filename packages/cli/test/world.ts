import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger, type Ledger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { openSqlite } from '@bonafide/storage';
import { type CliIo, runCli } from '../src/index.ts';

/** What a command printed and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. `terminal` makes stdout and stderr terminals. */
export async function run(
  argv: readonly string[],
  options: { readonly env?: CliIo['env']; readonly terminal?: boolean; readonly columns?: number } = {},
): Promise<Ran> {
  const texts = { out: '', err: '' };
  const output = (name: 'out' | 'err') => ({
    isTTY: options.terminal === true,
    columns: options.columns,
    write: (text: string) => {
      texts[name] += text;
    },
  });
  const io = { stdout: output('out'), stderr: output('err'), env: options.env ?? {} };
  const code = await runCli(argv, io);
  return { code, ...texts };
}

/** A folder with a real ledger in it, and a clock that moves when told. */
export interface World extends AsyncDisposable {
  now: number;
  readonly workspace: string;
  readonly path: string;
  readonly ledger: Ledger;
  /** Lets go of the database; the folder stays. */
  close(): Promise<void>;
}

export async function createWorld(): Promise<World> {
  const workspace = mkdtempSync(join(tmpdir(), 'bonafide-cli-'));
  const path = join(workspace, 'ledger.db');
  const db = openSqlite({ path });
  await migrateLedger(db);
  const world: World = {
    now: Date.UTC(2026, 10, 20, 12),
    workspace,
    path,
    ledger: createLedger({ store: createKyselyLedgerStore(db), clock: () => world.now }),
    async close() {
      await world.ledger.close();
      await db.destroy();
    },
    async [Symbol.asyncDispose]() {
      await world.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
  return world;
}
