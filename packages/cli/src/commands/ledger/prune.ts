import { emptyLog } from '../../databases.ts';
import { CliError } from '../../errors.ts';
import { counted, moment } from '../../format.ts';
import { openLedger } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { type CommandIo, whileSaying } from '../../progress.ts';
import { databasePath } from '../../workspace.ts';

/** `bonafide ledger prune --before <day>`: removes the text of messages before a day, and nothing else. */
export async function ledgerPrune(
  options: LedgerCommandOptions & { readonly before: number; readonly yes: boolean },
  io: CommandIo,
  print: Printer,
): Promise<void> {
  if (!options.yes) {
    throw new CliError(
      'USAGE',
      `This removes the text of every message before ${moment(options.before)} permanently; counts, outcomes and assessments stay. Say --yes to do it.`,
    );
  }
  const path = databasePath(options, io.env);
  await using open = await openLedger(path, options.agent, 'write');
  const { pruned } = await whileSaying(io, 'Removing text', () =>
    open.ledger.prune({ before: options.before }),
  );
  const logKept = await emptyLog(open.db, path);
  if (options.json) print.json({ pruned, before: options.before, logKept });
  else print.line(`Removed the text of ${counted(pruned, 'message')}.`);
  if (logKept) {
    print.message('Another process is reading: the write-ahead log keeps old text until it has finished.');
  }
}
