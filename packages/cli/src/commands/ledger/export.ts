import { terminalJson } from '@bonafide/internal';
import type { ExportedAssessment } from '@bonafide/ledger-core';
import type { CliIo } from '../../io.ts';
import { openLedger, requirePeer } from '../../open-ledger.ts';
import type { LedgerCommandOptions } from '../../options.ts';
import type { Printer } from '../../print.ts';
import { databasePath } from '../../workspace.ts';

/** Options of `bonafide ledger export`. */
export interface LedgerExportOptions extends LedgerCommandOptions {
  readonly peer?: string;
  readonly since?: number;
  readonly source?: string;
  readonly evidence: boolean;
}

/**
 * `bonafide ledger export`: every assessment as a complete record, one JSON document a line; with
 * `--evidence`, what the infoScore of one peer rests on.
 */
export async function ledgerExport(options: LedgerExportOptions, io: CliIo, print: Printer): Promise<void> {
  await using open = await openLedger(databasePath(options, io.env), options.agent);
  const { ledger } = open;
  const peerId = options.peer === undefined ? undefined : (await requirePeer(ledger, options.peer)).peerId;
  if (options.evidence && peerId !== undefined) {
    print.json(await ledger.exportEvidence(peerId));
    return;
  }
  const { since, source } = options;
  const assessments: ExportedAssessment[] = [];
  for await (const record of ledger.exportAssessments({ peerId, since, source })) {
    if (options.json) assessments.push(record);
    else print.line(terminalJson(record));
  }
  if (options.json) print.json({ assessments });
}
