import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import { openLedger } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath } from '../../workspace.ts';

/** Runs `bonafide ledger void <interaction>`: takes an interaction that was recorded by mistake out of every score. */
export async function ledgerVoid(
  interactionId: string,
  options: LedgerCommandOptions & { readonly because: string; readonly yes: boolean },
  io: CliIo,
  print: Printer,
): Promise<void> {
  if (!options.yes) {
    throw new CliError(
      'USAGE',
      'A voided interaction leaves counts, times and rates, and cannot be counted again. Pass --yes to void it.',
    );
  }
  await using open = await openLedger(databasePath(options, io.env), options.agent, 'write');
  const { voided } = await open.ledger.voidInteraction(interactionId, options.because);
  if (options.json) print.json({ interactionId, voided });
  else print.line(voided ? 'Voided.' : 'It was voided before. Nothing was changed.');
}
