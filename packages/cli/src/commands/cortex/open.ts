import { dirname, join, resolve } from 'node:path';
import { type Cortex, createCortex, createRuleReflector } from '@bonafide/cortex';
import { cortexMigrations, createKyselyCortexState } from '@bonafide/cortex/kysely';
import { createDisposerStack } from '@bonafide/internal';
import type { Ledger } from '@bonafide/ledger-core';
import { type AgentSchema, openDatabase } from '../../databases.ts';
import type { CliIo } from '../../io.ts';
import { openLedger } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { databasePath, isPostgres, workspaceFiles } from '../../workspace.ts';

/** Tables of the cortex. */
const schema: AgentSchema = {
  name: 'cortex',
  migrations: cortexMigrations,
  missing: 'There is no state of a cortex',
};

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
  const beside = isPostgres(ledgerPath) ? ledgerPath : join(dirname(ledgerPath), workspaceFiles.agent);
  const path = options.state === undefined ? beside : resolve(options.state);
  await using stack = createDisposerStack();
  const { ledger } = stack.use(await openLedger(ledgerPath, options.agent, mode));
  const db = stack.adopt(await openDatabase(path, schema, mode), (one) => one.destroy());
  const state = createKyselyCortexState(db, { agentId: options.agent });
  const cortex = stack.use(createCortex({ ledger, state, reflector: createRuleReflector() }));
  await cortex.refresh();
  const open = stack.move();
  return { cortex, ledger, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
