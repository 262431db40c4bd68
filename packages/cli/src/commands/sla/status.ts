import { evaluateSla, renderSlaStatus, slaStatusDocument } from '@bonafide/trust-score';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import type { Printer } from '../../print.ts';
import { readJson, safeLines } from '../trust/read.ts';

const moment = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
const measurements = z.array(z.object({ metric: z.string(), at: moment, value: z.number() }));

/** `bonafide sla status <sla> <measurements>`: evaluates every promise. */
export async function slaStatus(
  paths: { readonly sla: string; readonly measurements: string },
  options: { readonly at?: number; readonly name?: string; readonly json: boolean },
  print: Printer,
): Promise<boolean> {
  const sla = z.record(z.string(), z.unknown()).safeParse(await readJson(paths.sla));
  if (!sla.success) throw new CliError('USAGE', 'An SLA is a JSON object with guarantees.');
  const measured = measurements.safeParse(await readJson(paths.measurements));
  if (!measured.success)
    throw new CliError(
      'USAGE',
      `Measurements are [{ metric, at, value }, …]:\n${z.prettifyError(measured.error)}`,
    );
  const found = evaluateSla(sla.data, measured.data, options.at ?? Date.now());
  if (options.json) print.json(slaStatusDocument(found));
  else {
    const text = renderSlaStatus(found, options.name === undefined ? {} : { name: options.name });
    for (const line of safeLines(text)) print.line(line);
  }
  return found.overall !== 'breached';
}
