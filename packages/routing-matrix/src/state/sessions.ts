import type { MatrixState } from './state.ts';

/** The platform that did the last job of a session. */
export interface SessionPlatform {
  readonly platformId: string;
  /** Lowest price of a job of size 1 for which it did one of the session, msat; `null` when its price was unknown. */
  readonly priceMsat: number | null;
}

/** Number of sessions whose platform is remembered. */
const rememberedSessions = 10_000;

const keyOf = (taskType: string, session: string) => JSON.stringify([taskType, session]);

/**
 * Returns the platform that got the last job of a session; `null` when none is remembered, and when one of its jobs had no outcome
 * for so long that it does not count as open any more: silence keeps no session.
 */
export function sessionPlatformOf(
  { sessions, platforms, config }: MatrixState,
  { taskType, session, now }: { readonly taskType: string; readonly session: string; readonly now: number },
): SessionPlatform | null {
  const found = sessions.get(keyOf(taskType, session));
  if (found === undefined) return null;
  for (const job of platforms.get(found.platformId)?.openJobs.values() ?? []) {
    if (job.session === session && job.taskType === taskType && job.at <= now - config.inFlightTtlMs)
      return null;
  }
  return found;
}

/** Forgets the platform of a session, unless a later job of the session went to another one. */
export function forgetSession(
  { sessions }: MatrixState,
  taskType: string,
  session: string,
  platformId: string,
): void {
  const key = keyOf(taskType, session);
  if (sessions.get(key)?.platformId === platformId) sessions.delete(key);
}

/** Remembers the platform that got a job of a session. */
export function rememberSession(
  { sessions }: MatrixState,
  taskType: string,
  session: string,
  { platformId, priceMsat }: SessionPlatform,
): void {
  const key = keyOf(taskType, session);
  const before = sessions.get(key);
  const known = before?.platformId === platformId ? before.priceMsat : null;
  const lowest = known !== null && priceMsat !== null ? Math.min(known, priceMsat) : (priceMsat ?? known);
  // Sessions that are in use stay: the oldest ones are at the beginning.
  sessions.delete(key);
  sessions.set(key, { platformId, priceMsat: lowest });
  const oldest = sessions.keys().next();
  if (sessions.size > rememberedSessions && !oldest.done) sessions.delete(oldest.value);
}
