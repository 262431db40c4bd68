import type { CheckResult, DelegationStore } from '@bonafide/delegation';
import { isBonafideError, sanitizeRemoteText } from '@bonafide/internal';
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
import { withOrders } from '../work/store.ts';

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

type Tests = Pick<CheckResult, 'passed' | 'tests'>;

const notCounted: Tests = { passed: null, tests: null };

/**
 * Reads the numbers of tests of works from the orders that they were given by: the matrix knows only a rate, in which a failed layer of
 * tests counts as 0. Works of an agent without orders have none.
 */
async function testsOf(
  works: readonly Work[],
  options: FailuresOptions,
  io: CommandIo,
): Promise<ReadonlyMap<Work, Tests>> {
  const read = async (store: DelegationStore) => {
    const found = new Map<Work, Tests>();
    for (const work of works) {
      const id = workId(work);
      // The id of an order, or that of a choice: the order, its round and the draw.
      const record = await store.get(work.kind === 'benchmark' ? id : id.replace(/#\d+\.\d+$/u, ''));
      const replica = record?.state.replicas.find(
        ({ platform, decisionId }) =>
          platformId(platform) === platformId(work.platform) &&
          (work.kind === 'benchmark' || decisionId === id),
      );
      if (replica?.check) found.set(work, replica.check);
    }
    return found;
  };
  try {
    return await withOrders(options, io, read);
  } catch (error) {
    if (isBonafideError(error, 'NOT_MIGRATED') || isBonafideError(error, 'DATABASE_NOT_FOUND'))
      return new Map();
    throw error;
  }
}

/** Says what went wrong in a few words. */
function causeOf({ outcome, measurements }: Work, { passed: good, tests }: Tests): string {
  if (outcome === 'INFRA') return "this agent's own judge or network failed";
  const { errorKind, passRate } = measurements;
  const rate = passRate === null ? [] : [`${Math.round(passRate * 100)} % of the tests passed`];
  const passed = tests === null ? rate : [`${good ?? 0} of ${tests} tests passed`];
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
    const tests = await testsOf(works, options, io);
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
          passed: tests.get(work)?.passed ?? null,
          tests: tests.get(work)?.tests ?? null,
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
        causeOf(work, tests.get(work) ?? notCounted),
      ]),
    );
    if (works.length === limit) print.message(`The newest ${limit}. Give --limit for more.`);
  });
}
