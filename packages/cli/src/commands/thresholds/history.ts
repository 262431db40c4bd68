import { sanitizeRemoteText } from '@bonafide/internal';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import type { ThresholdOptions } from './options.ts';
import { withCorrection } from './session.ts';

/** `bonafide thresholds history <task>`: the merged and open changes of a threshold. Returns false without any. */
export async function thresholdsHistory(
  task: string,
  options: ThresholdOptions,
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const { current, pulls, log } = await withCorrection(
    options,
    io,
    async ({ correction, auditLog }) => ({
      current: await correction.current(task),
      pulls: await correction.history(task),
      log: await auditLog(task),
    }),
    { isReading: true },
  );
  if (options.json) {
    print.json({ task, ...current, history: pulls, log });
    return pulls.length > 0;
  }
  print.line(`${print.paint('bold', sanitizeRemoteText(task, 100))}: ${current.threshold.toFixed(2)}`);
  if (pulls.length === 0) {
    print.message('No change was proposed.');
    return false;
  }
  print.table(
    [
      { title: 'Proposal' },
      { title: 'State' },
      { title: 'From', align: 'right' },
      { title: 'To', align: 'right' },
      { title: 'Rolls back' },
      { title: 'Branch' },
    ],
    pulls.map(({ pull, marker }) => [
      sanitizeRemoteText(pull.id, 20),
      pull.mergeScheduled ? 'scheduled' : pull.state,
      marker.from.toFixed(2),
      marker.to.toFixed(2),
      sanitizeRemoteText(marker.rollbackOf ?? '', 20),
      sanitizeRemoteText(pull.branch, 200),
    ]),
  );
  return true;
}
