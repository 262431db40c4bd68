import { requireFile } from '../../databases.ts';
import { readErasures } from '../../erasure-lists.ts';
import { type RepeatedErasures, repeatErasures } from '../../erasures.ts';
import { CliError } from '../../errors.ts';
import { counted } from '../../format.ts';
import { ledgerSchema } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import { databasesOf, storedIn } from '../../peer-stores.ts';
import type { Printer } from '../../print.ts';
import { type CommandIo, whileSaying } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';

/** Options of `bonafide ledger erase-again`. */
interface EraseAgainOptions extends LedgerCommandOptions {
  readonly madeAt?: number;
  readonly yes: boolean;
}

/**
 * Runs `bonafide ledger erase-again`: repeats the listed erasures in the databases of the workspace, or in a Postgres database, after
 * they were restored by other means than `bonafide restore`.
 */
export async function ledgerEraseAgain(
  options: EraseAgainOptions,
  io: CommandIo,
  print: Printer,
): Promise<void> {
  const path = databasePath(options, io.env);
  requireFile(path, ledgerSchema);
  const { all } = await readErasures(path);
  const listed = all.reduce((sum, { erasures }) => sum + erasures.length, 0);
  if (!options.yes)
    throw new CliError(
      'USAGE',
      `${counted(listed, 'erasure')} listed. Stop the agent, and pass --yes to repeat them. With --made-at, the time of the backup, peers that returned before it keep what other stores than the ledger recorded since then.`,
    );
  const erased: RepeatedErasures[] = [];
  for (const database of await databasesOf(path))
    erased.push(
      await whileSaying(io, 'Erasing', async () =>
        repeatErasures(database, await readErasures(database), { madeAt: options.madeAt ?? null }),
      ),
    );
  const peers = erased.reduce((sum, each) => sum + each.peers, 0);
  const stores = erased.flatMap((each) => each.stores);
  if (options.json) {
    print.json({ listed, erased: peers, stores });
    return;
  }
  print.line(
    `Erased ${counted(peers, 'peer')} of the ledger again, of ${counted(listed, 'erasure')} listed.`,
  );
  if (stores.length > 0) print.line(storedIn(stores, 'Erased again').trim());
}
