import { thresholdConditions } from '../alerts/conditions.ts';
import { RoutingError } from '../errors.ts';
import { type PlatformRef, platformId } from '../platform.ts';
import { recordId } from '../record-id.ts';
import type { BenchmarkRecord, DirectiveRecord, OutcomeRecord, PlatformRecord } from '../records.ts';
import {
  benchmarkInputSchema,
  directiveInputSchema,
  outcomeInputSchema,
  parseInput,
  platformsOf,
  registrationSchema,
  storableTaskTypes,
} from '../schemas.ts';
import type { MatrixState, PlatformState } from '../state/state.ts';
import type { Appended } from '../store.ts';
import { entryView } from '../views/entry.ts';
import type { MatrixContext } from './context.ts';
import type { Recorded, RoutingMatrix } from './matrix.ts';

type Recording = Pick<
  RoutingMatrix,
  'register' | 'recordBenchmark' | 'recordOutcome' | 'direct' | 'reconcile'
>;

/** Creates the operations that record what happened, what was ordered, and what the registry lists. */
export function createRecording(context: MatrixContext): Recording {
  const { log, alerts, clock, newId, logger, inTurn, upToDate, append, appendInBatch } = context;

  /** Returns the given time, but never one in the future: it would make what comes after it look old. */
  const timeOf = (at: number | undefined) => Math.min(at ?? Number.POSITIVE_INFINITY, clock());

  /** Returns the entry after evidence was recorded, new or repeated. */
  async function recorded(
    current: MatrixState,
    record: BenchmarkRecord | OutcomeRecord,
    { appended }: Appended,
  ): Promise<Recorded> {
    if (!appended) {
      const first = await log.get(record.id);
      // Without a record of its own it is contained in what the log was restored from.
      if (
        first !== null &&
        (first.kind !== record.kind || first.taskType !== record.taskType || !isOf(first, record.platform))
      ) {
        throw new RoutingError(
          'INVALID_INPUT',
          `'${record.id}' is in the log already, for another platform or task type: ids must be unique`,
        );
      }
    }
    const entry = entryView(current, record.taskType, record.platform, clock());
    if (entry === null) throw new RoutingError('LOG_CORRUPT', `Record '${record.id}' has no entry`);
    return { recorded: appended, entry };
  }

  return {
    async register(registration) {
      const { at, taskTypes: offered, ...rest } = parseInput(registrationSchema, registration, 'register');
      const { taskTypes, ignored } = storableTaskTypes(offered);
      const content = { ...rest, taskTypes };
      const id = platformId(content.platform);
      if (ignored > 0) logger.warn({ platform: id, ignored }, 'Ignored task types that cannot be stored');
      return inTurn(async (current) => {
        for (;;) {
          const known = current.platforms.get(id);
          if (
            known?.registration != null &&
            !leftRegistry(known) &&
            saysTheSame(known.registration, content)
          ) {
            return { recorded: false };
          }
          const { appended } = await append(current, {
            kind: 'platform',
            id: recordId('platform', `${id}#${(known?.registrations ?? 0) + 1}`),
            at: timeOf(at),
            taskType: null,
            ...content,
          });
          // Another process appended first: apply its record and compare again.
          if (appended) return { recorded: true };
        }
      });
    },

    async recordBenchmark(benchmark) {
      const { platform, taskType, attemptId, verdict, at } = parseInput(
        benchmarkInputSchema,
        benchmark,
        'recordBenchmark',
      );
      const { outcome, smokeFailed, ...measurements } = verdict;
      const record: BenchmarkRecord = {
        kind: 'benchmark',
        id: recordId('benchmark', attemptId),
        at: timeOf(at),
        taskType,
        platform,
        attemptId,
        outcome,
        smokeFailed,
        measurements,
      };
      return appendInBatch(record, (current, appended) => recorded(current, record, appended));
    },

    async recordOutcome(given) {
      const { at, ...content } = parseInput(outcomeInputSchema, given, 'recordOutcome');
      const record: OutcomeRecord = {
        kind: 'outcome',
        id: recordId('outcome', `${content.jobId}@${platformId(content.platform)}`),
        at: timeOf(at),
        ...content,
      };
      return appendInBatch(record, (current, appended) => {
        for (const condition of thresholdConditions(current, clock())) alerts.note(condition);
        return recorded(current, record, appended);
      });
    },

    async direct(directive) {
      const { id, at, ...content } = parseInput(directiveInputSchema, directive, 'direct');
      const record: DirectiveRecord = {
        kind: 'directive',
        id: recordId('directive', `${content.source}:${id ?? newId()}`),
        at: timeOf(at),
        ...content,
      };
      return appendInBatch(record, (_, { appended }) => ({ recorded: appended }));
    },

    async reconcile(known) {
      const { platforms, ignored } = platformsOf(known, 'reconcile');
      if (ignored > 0) logger.warn({ ignored }, 'Ignored items that cannot be platforms');
      const listed = new Set(platforms.map(platformId));
      return upToDate(async (current) => {
        const missing = [...current.platforms.values()].filter(
          (each) => each.registration !== null && !leftRegistry(each) && !listed.has(each.platformId),
        );
        const orders = missing.map(
          ({ platform, platformId: id }): DirectiveRecord => ({
            kind: 'directive',
            id: recordId('directive', `quarantine:${id}#${current.seq}`),
            at: clock(),
            taskType: null,
            platform,
            action: 'quarantine',
            untilAt: null,
            source: 'policy',
            violation: false,
            reason: 'The registry does not list it any more',
          }),
        );
        if (orders.length > 0) await log.append(current, orders);
        return missing.map(({ platform }) => platform);
      });
    },
  };
}

const isOf = (record: { readonly platform: PlatformRef }, platform: PlatformRef) =>
  platformId(record.platform) === platformId(platform);

/** Tells whether the registry did not list a platform the last time. */
const leftRegistry = ({ directives }: PlatformState) => directives.get('policy')?.quarantined === true;

type Description = Pick<PlatformRecord, 'name' | 'taskTypes' | 'priceMsat' | 'version'>;

function saysTheSame(known: Description, said: Description): boolean {
  return (
    known.name === said.name &&
    known.priceMsat === said.priceMsat &&
    known.version === said.version &&
    JSON.stringify(known.taskTypes) === JSON.stringify(said.taskTypes)
  );
}
