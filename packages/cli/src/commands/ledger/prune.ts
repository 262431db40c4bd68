import { sql } from 'kysely';
import { CliError } from '../../errors.ts';
import { counted, moment } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath, openLedger } from '../../workspace.ts';

/** `bonafide ledger prune --before <day>`: removes the text of messages before a day, and nothing else. */
export async function ledgerPrune(
  options: LedgerCommandOptions & { readonly before: number; readonly yes: boolean },
  io: CliIo,
  print: Printer,
): Promise<void> {
  if (!options.yes) {
    throw new CliError(
      'USAGE',
      `This removes the text of every message before ${moment(options.before)} permanently; counts, outcomes and assessments stay. Say --yes to do it.`,
    );
  }
  await using open = await openLedger(databasePath(options, io.env), options.agent, 'write');
  const { pruned } = await open.ledger.prune({ before: options.before });
  const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`.execute(open.db);
  const logKept = rows[0]?.busy === 1;
  if (options.json) print.json({ pruned, before: options.before, logKept });
  else print.line(`Removed the text of ${counted(pruned, 'message')}.`);
  if (logKept) {
    print.message('Another process is reading: the write-ahead log keeps old text until it has finished.');
  }
}
