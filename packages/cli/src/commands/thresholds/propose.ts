import { isBonafideError, sanitizeRemoteText } from '@bonafide/internal';
import type { JudgedWork, ProposalResult } from '@bonafide/self-correction';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import { readJson, safeLines } from '../trust/read.ts';
import type { ThresholdOptions } from './options.ts';
import { withCorrection } from './session.ts';

const outcomesSchema = z.array(
  z.object({
    id: z.string().min(1).max(200),
    platform: z.string().min(1).max(200),
    outcome: z.string().min(1).max(100),
    at: z.number().min(0),
  }),
);

async function readOutcomes(path: string): Promise<readonly JudgedWork[]> {
  const parsed = outcomesSchema.safeParse(await readJson(path));
  if (parsed.success) return parsed.data;
  throw new CliError(
    'USAGE',
    `${sanitizeRemoteText(path, 200)} is not an array of { id, platform, outcome, at }, with times in ms.`,
  );
}

/** Prints a proposal: what it changes, why, and what was or would be done. */
function printResult(result: ProposalResult, print: Printer): void {
  const { action, title, limits, conditions, branch, pull, diff, body } = result;
  print.line(`${print.paint('bold', action)}: ${sanitizeRemoteText(title, 300)}`);
  if (branch !== null) print.line(`  branch ${sanitizeRemoteText(branch, 200)}`);
  if (pull?.url != null) print.line(`  ${sanitizeRemoteText(pull.url, 500)}`);
  for (const { holds, detail } of [...limits, ...conditions])
    print.line(`  ${holds ? 'yes' : 'no '} ${sanitizeRemoteText(detail, 300)}`);
  for (const line of safeLines(diff)) print.line(line);
  if (action === 'dry run') for (const line of safeLines(body)) print.line(line);
}

/** `bonafide thresholds propose <task>`: proposes a change that the agent's outcomes suggest. Returns false without one. */
export async function thresholdsPropose(
  task: string,
  options: ThresholdOptions & {
    readonly dryRun: boolean;
    readonly autoMerge: boolean;
    readonly outcomes?: string;
  },
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const { dryRun } = options;
  const given = options.outcomes === undefined ? null : await readOutcomes(options.outcomes);
  return withCorrection(
    options,
    io,
    async ({ correction, outcomesOf }) => {
      // A failure of our own judge or network says nothing about the threshold.
      const history = (given ?? (await outcomesOf(task))).filter(({ outcome }) => outcome !== 'INFRA');
      const input = await correction.suggest(task, history);
      if (input === null) {
        const current = await correction.current(task);
        if (options.json) print.json({ action: 'none', outcomes: history.length, ...current });
        else
          print.message(
            `No pattern in ${history.length} outcomes of '${sanitizeRemoteText(task, 100)}': the threshold stays at ${current.threshold.toFixed(2)}.`,
          );
        return false;
      }
      const result = dryRun ? await correction.preview(input) : await correction.propose(input);
      if (options.json) print.json(result);
      else printResult(result, print);
      return result.action !== 'refused' && result.action !== 'declined';
    },
    { isReading: dryRun },
  );
}

/** `bonafide thresholds rollback <task>`: proposes the value before the last merged change. */
export async function thresholdsRollback(
  task: string,
  options: ThresholdOptions & { readonly because: string },
  io: CliIo,
  print: Printer,
): Promise<void> {
  const pull = await withCorrection(
    options,
    io,
    async ({ correction }) => {
      try {
        return await correction.rollback(task, options.because);
      } catch (error) {
        // Nothing was merged: that is about the task, not a fault of the program.
        if (isBonafideError(error, 'INVALID_INPUT'))
          throw new CliError('USAGE', error.message, { cause: error });
        throw error;
      }
    },
    { isReading: false },
  );
  if (options.json) print.json(pull);
  else
    print.line(
      `Proposed: ${sanitizeRemoteText(pull.title, 300)}, on ${sanitizeRemoteText(pull.branch, 200)}. A person merges it.`,
    );
}

/** `bonafide thresholds withdraw <task>`: closes the open proposal. Returns false without one. */
export async function thresholdsWithdraw(
  task: string,
  options: ThresholdOptions & { readonly because: string },
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const pull = await withCorrection(
    options,
    io,
    ({ correction }) => correction.withdraw(task, options.because),
    { isReading: false },
  );
  if (options.json) print.json({ withdrawn: pull });
  else if (pull === null) print.message('There is no open proposal of this task.');
  else print.line(`Withdrawn: ${sanitizeRemoteText(pull.title, 300)}`);
  return pull !== null;
}
