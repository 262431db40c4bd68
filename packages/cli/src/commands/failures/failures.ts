import { sanitizeRemoteText } from '@bonafide/internal';
import {
  type BenchmarkRecord,
  decodeRecord,
  type OutcomeRecord,
  platformId,
  type RoutingStore,
} from '@bonafide/routing-matrix';
import { moment, npubOf, platformName } from '../../format.ts';
import type { Printer } from '../../print.ts';
import type { CommandIo } from '../../progress.ts';
import type { RouteOptions } from '../routes/options.ts';
import { requirePlatform } from '../routes/platform.ts';
import { withMatrix } from '../routes/session.ts';

/** Options of `bonafide failures`. */
export interface FailuresOptions extends RouteOptions {
  /** Ms since epoch. */
  readonly since?: number;
  readonly task?: string;
  readonly limit: number;
}

type Work = OutcomeRecord | BenchmarkRecord;

const pageSize = 500;

/** Returns the works of one kind that did not succeed since a time, newest first; at most `most` that `isWanted` accepts. */
async function failedOf(
  store: RoutingStore,
  kind: Work['kind'],
  { task, since = 0 }: Pick<FailuresOptions, 'task' | 'since'>,
  isWanted: (work: Work) => boolean,
  most: number,
): Promise<readonly Work[]> {
  const found: Work[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && found.length < most) {
    const page = await store.latest({
      kind,
      limit: pageSize,
      ...(task === undefined ? {} : { taskType: task }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const stored of page.items) {
      if (stored.at < since) continue;
      const record = readable(stored);
      if (record?.kind === kind && record.outcome !== 'SUCCESS' && isWanted(record)) found.push(record);
    }
    const oldest = page.items.at(-1);
    cursor = oldest === undefined || oldest.at < since ? null : page.nextCursor;
  }
  return found.slice(0, most);
}

/** Decodes a record; null for a quarantined one, which every view leaves out. */
function readable(stored: Parameters<typeof decodeRecord>[0]) {
  try {
    return decodeRecord(stored);
  } catch {
    return null;
  }
}

/** Says what went wrong in a few words. */
function causeOf({ outcome, measurements }: Work): string {
  if (outcome === 'INFRA') return "this agent's own judge or network failed";
  const { errorKind, passRate } = measurements;
  const passed = passRate === null ? [] : [`${Math.round(passRate * 100)} % of the tests passed`];
  return [...(errorKind === null ? [] : [sanitizeRemoteText(errorKind, 60)]), ...passed].join(', ');
}

const workId = (work: Work) => (work.kind === 'outcome' ? work.jobId : work.attemptId);

/** `bonafide failures [platform]`: trials and jobs that did not succeed, newest first. */
export async function failures(
  who: string | undefined,
  options: FailuresOptions,
  io: CommandIo,
  print: Printer,
): Promise<void> {
  await withMatrix(options, io, async ({ matrix, store }) => {
    const only = who === undefined ? null : platformId(await requirePlatform(matrix, who));
    const isWanted = ({ platform }: Work) => only === null || platformId(platform) === only;
    const { limit } = options;
    const works = [
      ...(await failedOf(store, 'outcome', options, isWanted, limit)),
      ...(await failedOf(store, 'benchmark', options, isWanted, limit)),
    ]
      .toSorted((one, other) => other.at - one.at)
      .slice(0, limit);
    const names = new Map((await matrix.entries()).map((entry) => [entry.platformId, entry.name]));
    const nameOf = (work: Work) => names.get(platformId(work.platform)) ?? null;
    if (options.json) {
      print.json({
        failures: works.map((work) => ({
          at: work.at,
          work: work.kind === 'outcome' ? 'job' : 'trial',
          id: workId(work),
          taskType: work.taskType,
          platform: work.platform,
          npub: npubOf(work.platform.pubkey),
          name: nameOf(work),
          outcome: work.outcome,
          measurements: work.measurements,
        })),
      });
      return;
    }
    if (works.length === 0) {
      print.message('No work has failed.');
      return;
    }
    print.table(
      [
        { title: 'Time' },
        { title: 'Platform', width: 36 },
        { title: 'Task', yields: 1 },
        { title: 'Job', width: 40 },
        { title: 'Outcome' },
        { title: 'Cause', atLeast: 24 },
      ],
      works.map((work) => [
        moment(work.at),
        platformName({ name: nameOf(work), platform: work.platform }),
        sanitizeRemoteText(work.taskType, 40),
        // The id of a trial is long and says nothing to a reader; --json has it.
        work.kind === 'outcome' ? sanitizeRemoteText(work.jobId, 80) : 'trial',
        work.outcome,
        causeOf(work),
      ]),
    );
    if (works.length === limit) print.message(`The newest ${limit}. Give --limit for more.`);
  });
}
