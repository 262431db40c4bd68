import { composeId, sanitizeRemoteText } from '@bonafide/internal';
import * as z from 'zod';
import { parseJson } from '../json.ts';
import { serviceNoteName } from '../notes.ts';
import type { PlatformRef } from '../platform.ts';
import type { FinishedWork } from '../ports.ts';
import type { DelegationContext } from './context.ts';

/** Number of pieces of work that are kept per platform. */
const keptWorks = 200;

const workSchema = z.object({
  key: z.string(),
  at: z.number(),
  outcome: z.enum(['SUCCESS', 'PARTIAL', 'FAILURE', 'ERROR', 'SECURITY_VIOLATION', 'INFRA']),
  latencyMs: z.number().nullable(),
  isTrial: z.boolean(),
  /** True when an answer arrived; null when unknown. */
  isAnswered: z.boolean().nullable().default(null),
});

const noteSchema = z.object({ works: z.array(workSchema), suspendedUntilAt: z.number().nullable() });

/** One piece of finished work, as the measure of a service level. */
export type ServedWork = z.infer<typeof workSchema>;

/** Suspension of a platform that breaks its service level. */
export interface Suspension {
  /** End of the suspension, ms since epoch. */
  readonly untilAt: number;
  readonly reason: string;
}

/** Input of {@link ServiceLevel}, beside the works. */
export interface ServiceLevelContext {
  readonly platform: PlatformRef;
  readonly taskType: string;
  readonly now: number;
  /** End of the latest suspension, ms since epoch; null when there was none. */
  readonly suspendedUntilAt: number | null;
  /** The agreement on the platform's card, its field `sla`, as the platform wrote it; null without one. */
  readonly agreement: unknown;
}

/** Decides from a platform's latest works, oldest first, whether it is suspended. Null leaves a running suspension as it is. */
export type ServiceLevel = (works: readonly ServedWork[], context: ServiceLevelContext) => Suspension | null;

/** Adds a piece of work to the measure of a platform, and suspends it in the matrix when its service level demands it. */
export async function followServiceLevel(context: DelegationContext, work: FinishedWork): Promise<void> {
  const { serviceLevel, store, matrix, source, clock, logger } = context;
  if (serviceLevel === undefined || work.outcome === 'INFRA') return;
  const { platform, taskType } = work;
  const name = serviceNoteName(platform);
  const listed = await source.get(platform.pubkey, platform.d);
  const agreement = listed?.card.fields?.sla ?? null;
  const suspensionFor = (
    works: readonly ServedWork[],
    suspendedUntilAt: number | null,
  ): Suspension | null => {
    try {
      const suspension = serviceLevel(works, {
        platform,
        taskType,
        now: clock(),
        suspendedUntilAt,
        agreement,
      });
      return suspension === null || Number.isSafeInteger(suspension.untilAt) ? suspension : null;
    } catch (error) {
      // The works are kept: the next one asks again.
      logger.error({ err: error, taskType }, 'Service level not followed: the option `serviceLevel` threw');
      return null;
    }
  };
  for (;;) {
    const note = await store.note(name);
    const parsed = noteSchema.safeParse(note === null ? null : parseJson(note.value));
    const known = parsed.success ? parsed.data : { works: [], suspendedUntilAt: null };
    const { key, at, outcome, latencyMs, isTrial, isAnswered } = work;
    const others = known.works.filter((each) => each.key !== key);
    const works = [...others, { key, at, outcome, latencyMs, isTrial, isAnswered }]
      .sort((a, b) => a.at - b.at)
      .slice(-keptWorks);
    const suspension = suspensionFor(works, known.suspendedUntilAt);
    const revision = (note?.revision ?? 0) + 1;
    if (suspension !== null && suspension.untilAt !== known.suspendedUntilAt) {
      await matrix.direct({
        id: composeId('service', platform.pubkey, platform.d, `${suspension.untilAt}`),
        platform,
        action: 'suspend',
        source: 'policy',
        untilAt: suspension.untilAt,
        reason: sanitizeRemoteText(suspension.reason, 1_000) || 'It broke its service level.',
      });
    }
    const value = JSON.stringify({ works, suspendedUntilAt: suspension?.untilAt ?? known.suspendedUntilAt });
    if (await store.putNote(name, { revision, value })) return;
  }
}
