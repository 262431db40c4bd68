import { sanitizeRemoteText } from '@bonafide/internal';
import { evaluateSla, renderSlaStatus, slaStatusDocument } from '@bonafide/trust-score';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import type { Printer } from '../../print.ts';
import { type PolicyOptions, readPolicy } from '../trust/policy.ts';
import { readJson, safeLines } from '../trust/read.ts';

const moment = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
const measurements = z.array(
  z.object({ metric: z.string(), at: moment, value: z.number(), prober: z.string().optional() }),
);

/** `bonafide sla status <sla> <measurements>`: evaluates every promise. */
export async function slaStatus(
  paths: { readonly sla: string; readonly measurements: string },
  options: PolicyOptions & {
    readonly at?: number;
    readonly name?: string;
    readonly subject?: string;
    readonly json: boolean;
  },
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
  const samples = measured.data.map(({ prober, ...sample }) =>
    prober === undefined ? sample : { ...sample, prober },
  );
  const found = evaluateSla(sla.data, samples, options.at ?? Date.now(), {
    policy: await readPolicy(options),
    ...(options.subject === undefined ? {} : { subject: options.subject }),
  });
  if (options.json) print.json(slaStatusDocument(found));
  else {
    const text = renderSlaStatus(found, options.name === undefined ? {} : { name: options.name });
    for (const line of safeLines(text)) print.line(line);
    const { termViolations, ignoredMeasurements } = found;
    if (termViolations.length > 0)
      print.line(print.paint('yellow', 'Terms that you do not accept, and that were replaced:'));
    for (const { message } of termViolations) print.line(`  ${sanitizeRemoteText(message, 400)}`);
    if (ignoredMeasurements > 0)
      print.line(
        `${ignoredMeasurements} measurements of the agent itself or of unknown probers do not count.`,
      );
  }
  return found.overall !== 'breached';
}
