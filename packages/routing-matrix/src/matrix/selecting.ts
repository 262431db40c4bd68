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
import type { MatrixState } from '../state/state.ts';
import type { StoredRecord } from '../store.ts';
import type { MatrixContext } from './context.ts';
import type { RoutingMatrix, SelectOptions } from './matrix.ts';

/** Creates the operations that choose platforms and show earlier choices. */
export function createSelecting(context: MatrixContext): Pick<RoutingMatrix, 'select' | 'decisions'> {
  const { log, store, config, strategy, alerts, emitter, clock, newId, logger } = context;

  /** Returns the decision that was logged under an id, or null. It must be about the same job. */
  async function loggedDecision(
    id: string,
    { jobId, taskType }: DecisionRecord,
  ): Promise<DecisionRecord | null> {
    const logged = await log.get(id);
    if (logged === null) return null;
    if (logged.kind === 'decision' && logged.jobId === jobId && logged.taskType === taskType) return logged;
    throw new RoutingError(
      'INVALID_INPUT',
      `jobId '${jobId}' was used for another task type. Use a unique id per job.`,
    );
  }

  /**
   * Logs a decision once per job and returns what holds: the first choice of platforms. One without platforms has an id of its own,
   * so that it does not stand in the way of a later choice; it is logged once too, because a host may ask every second.
   */
  async function logOnce(
    current: MatrixState,
    decision: DecisionRecord,
  ): Promise<{ readonly holds: DecisionRecord; readonly isNew: boolean }> {
    const { jobId, id, picks } = decision;
    if (jobId !== null && picks.length === 0) {
      const chosen = await loggedDecision(id, decision);
      if (chosen !== null) return { holds: chosen, isNew: false };
      const empty = frozen({ ...decision, id: recordId('decision', `no-platform:${jobId}`) });
      const { appended } = await context.append(current, empty);
      if (!appended) await loggedDecision(empty.id, empty);
      return { holds: empty, isNew: appended };
    }
    const { appended } = await context.append(current, decision);
    if (appended) return { holds: decision, isNew: true };
    return { holds: (await loggedDecision(id, decision)) ?? decision, isNew: false };
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
        const { holds, isNew } = await logOnce(current, decision);
        if (isNew) {
          emitter.emit('decision', holds);
          noteScarcity(holds);
        }
        return holds;
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
