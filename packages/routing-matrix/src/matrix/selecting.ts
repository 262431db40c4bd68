import { RoutingError } from '../errors.ts';
import { decodeRecord } from '../log/record-codec.ts';
import { operatorOf, type PlatformRef, platformId } from '../platform.ts';
import { recordId } from '../record-id.ts';
import type { DecisionRecord } from '../records.ts';
import {
  decisionsQuerySchema,
  parseInput,
  platformsOf,
  selectOptionsSchema,
  taskSchema,
} from '../schemas.ts';
import { decide, lastResortReason } from '../selection/decide.ts';
import type { StoredRecord } from '../store.ts';
import type { MatrixContext } from './context.ts';
import type { RoutingMatrix, SelectOptions } from './matrix.ts';

/** Creates the operations that choose platforms and show earlier choices. */
export function createSelecting(context: MatrixContext): Pick<RoutingMatrix, 'select' | 'decisions'> {
  const { log, store, config, strategy, alerts, emitter, clock, newId, logger } = context;

  /** Returns the earlier decision for this job. */
  async function firstDecision({ id, taskType }: DecisionRecord): Promise<DecisionRecord> {
    const first = await log.get(id);
    if (first?.kind === 'decision' && first.taskType === taskType) return first;
    throw new RoutingError(
      'INVALID_INPUT',
      `jobId '${id}' was used for another task type. Use a unique id per job.`,
    );
  }

  function noteScarcity({ taskType, candidates: logged, degraded, picks }: DecisionRecord): void {
    const minimum = config.minActivePlatforms;
    // Of a long list only the most probable ones are logged: when those are of few operators, so is the work.
    const candidates = new Set(logged.map(({ platformId: id }) => operatorOf(id))).size;
    alerts.note({
      key: `few-platforms:${taskType}`,
      alert: candidates < minimum ? { type: 'few-platforms', taskType, candidates, minimum } : null,
    });
    const suspended = degraded && picks.every(({ reason }) => reason.startsWith(lastResortReason));
    alerts.note({
      key: `all-suspended:${taskType}`,
      alert: suspended ? { type: 'all-suspended', taskType } : null,
    });
  }

  return {
    async select(task, options = {}) {
      const { jobId, session, ...features } = parseInput(taskSchema, task, 'select');
      const { n, exclude, besides, similarity, ...given } = parseInput(
        selectOptionsSchema,
        options,
        'select',
      );
      const excluded = platformsOf(exclude, 'select.exclude');
      const asked = platformsOf(besides, 'select.besides');
      const ignored = excluded.ignored + asked.ignored;
      if (ignored > 0) logger.warn({ ignored }, 'Ignored items of select that cannot be platforms');
      const random = given.random ?? context.random;
      return context.upToDate(async (current) => {
        const decision = frozen(
          decide(current, {
            id: recordId('decision', jobId ?? newId()),
            jobId,
            session,
            task: features,
            n,
            similarity: similarity === undefined ? null : checkedSimilarity(similarity),
            besides: asked.platforms,
            exclude: new Set(excluded.platforms.map(platformId)),
            strategy,
            now: clock(),
            random,
          }),
        );
        const { appended } = await context.append(current, decision);
        if (!appended) return firstDecision(decision);
        emitter.emit('decision', decision);
        noteScarcity(decision);
        return decision;
      });
    },

    async decisions(query = {}) {
      const { taskType, limit, cursor } = parseInput(decisionsQuerySchema, query, 'decisions');
      return context.inTurn(async () => {
        const page = await log.asking(() =>
          store.latest({
            kind: 'decision',
            limit,
            ...(taskType === undefined ? {} : { taskType }),
            ...(cursor === undefined ? {} : { cursor }),
          }),
        );
        return { items: page.items.flatMap(asDecision), nextCursor: page.nextCursor };
      });
    },
  };
}

/** Freezes a decision: the strategy, listeners and the caller get the same one. Its platforms and criteria are frozen. */
function frozen(decision: DecisionRecord): DecisionRecord {
  const { picks, candidates, excluded, scale } = decision;
  for (const list of [picks, candidates, excluded]) {
    for (const each of list) Object.freeze(each);
    Object.freeze(list);
  }
  Object.freeze(scale);
  return Object.freeze(decision);
}

/** Returns a similarity that throws `INVALID_INPUT` when the host's function fails or leaves 0..1. */
function checkedSimilarity(similarity: NonNullable<SelectOptions['similarity']>) {
  return (a: PlatformRef, b: PlatformRef): number => {
    let given: number;
    try {
      given = similarity(a, b);
    } catch (cause) {
      throw new RoutingError('INVALID_INPUT', 'select.similarity threw; see cause.', { cause });
    }
    if (given >= 0 && given <= 1) return given;
    throw new RoutingError('INVALID_INPUT', `select.similarity returned ${String(given)}, not 0 to 1.`);
  };
}

/** Returns the decision, or nothing for a record that is quarantined. */
function asDecision(stored: StoredRecord): DecisionRecord[] {
  try {
    const record = decodeRecord(stored);
    return record.kind === 'decision' ? [record] : [];
  } catch {
    return [];
  }
}
