import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Cortex, createCortex, createRuleReflector } from '@bonafide/cortex';
import { cortexMigrations, createKyselyCortexState } from '@bonafide/cortex/kysely';
import { createDisposerStack } from '@bonafide/internal';
import type { Ledger } from '@bonafide/ledger-core';
import { migrationStatus, openSqlite } from '@bonafide/storage';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { databasePath, openLedger } from '../../workspace.ts';

/** Options of every command of the cortex. */
export interface CortexCommandOptions extends LedgerCommandOptions {
  readonly state?: string;
}

/** The cortex of an agent, beside the agent's own process. */
export interface OpenCortex extends AsyncDisposable {
  readonly cortex: Cortex;
  readonly ledger: Ledger;
}

/**
 * Opens ledger and state of a cortex, also while the agent works. It reflects by rule and only on command.
 *
 * @throws `DATABASE_NOT_FOUND`, `NOT_MIGRATED`, or a `StorageError`
 */
export async function openCortex(
  options: CortexCommandOptions,
  io: CliIo,
  mode: 'read' | 'write' = 'read',
): Promise<OpenCortex> {
  const ledgerPath = databasePath(options, io.env);
  const path = options.state === undefined ? join(dirname(ledgerPath), 'agent.db') : resolve(options.state);
  await using stack = createDisposerStack();
  const { ledger } = stack.use(await openLedger(ledgerPath, options.agent, mode));
  if (!existsSync(path)) {
    throw new CliError(
      'DATABASE_NOT_FOUND',
      `There is no state of a cortex at ${path}. Name the agent's folder with --workspace <dir>, or the file with --state <file>.`,
    );
  }
  const db = stack.adopt(openSqlite<unknown>({ path, readonly: mode === 'read' }), (one) => one.destroy());
  const { pending, problem } = await migrationStatus(db, { name: 'cortex', migrations: cortexMigrations });
  if (problem !== null) throw problem;
  if (pending.length > 0) {
    throw new CliError(
      'NOT_MIGRATED',
      `${path} has no state of a cortex, or one of an older version. Start the agent once, which migrates it.`,
    );
  }
  const state = createKyselyCortexState(db, { agentId: options.agent });
  const cortex = stack.use(createCortex({ ledger, state, reflector: createRuleReflector() }));
  await cortex.refresh();
  const open = stack.move();
  return { cortex, ledger, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
