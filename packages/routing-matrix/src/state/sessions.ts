import type { MatrixState } from './state.ts';

/** Number of sessions whose platform is remembered. */
const rememberedSessions = 10_000;

const keyOf = (taskType: string, session: string) => JSON.stringify([taskType, session]);

/** Returns the platform that got the last job of a session; `null` when none is remembered. */
export const sessionPlatformOf = (state: MatrixState, taskType: string, session: string): string | null =>
  state.sessions.get(keyOf(taskType, session)) ?? null;

/** Forgets the platform of a session, unless a later job of the session went to another one. */
export function forgetSession(
  { sessions }: MatrixState,
  taskType: string,
  session: string,
  platformId: string,
): void {
  const key = keyOf(taskType, session);
  if (sessions.get(key) === platformId) sessions.delete(key);
}

/** Remembers the platform that got a job of a session. */
export function rememberSession(
  { sessions }: MatrixState,
  taskType: string,
  session: string,
  platformId: string,
): void {
  const key = keyOf(taskType, session);
  // Sessions that are in use stay: the oldest ones are at the beginning.
  sessions.delete(key);
  sessions.set(key, platformId);
  const oldest = sessions.keys().next();
  if (sessions.size > rememberedSessions && !oldest.done) sessions.delete(oldest.value);
}
