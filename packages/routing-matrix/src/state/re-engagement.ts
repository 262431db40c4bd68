import type { EntryState, PlatformState } from './state.ts';

/**
 * Tells whether a rejected platform may be evaluated again: after its first failed evaluation when the cooldown ended;
 * after the second then or as soon as its description changed; after the third when both are true; from the fourth on
 * when the cooldown ended and its version changed significantly. An operator's word admits it at once, and three
 * straight failures always wait for the end.
 */
export function mayBeEvaluated(entry: EntryState, platform: PlatformState | undefined, at: number): boolean {
  if (entry.readmitted) return true;
  const elapsed = at >= (entry.cooldownUntilAt ?? 0);
  const registration = platform?.registration ?? null;
  const changed = registration !== null && registration.at > (entry.rejectedAt ?? 0);
  if (entry.straightFailures && entry.failedEvaluations <= 2) return elapsed;
  switch (entry.failedEvaluations) {
    case 0:
    case 1:
      return elapsed;
    case 2:
      return elapsed || changed;
    case 3:
      return elapsed && changed;
    default:
      return elapsed && changed && isSignificant(entry.rejectedVersion, registration?.version ?? null);
  }
}

/** Tells whether a version is significantly newer: another major version, or another text without a version number. */
function isSignificant(before: string | null, after: string | null): boolean {
  if (after === null || after === before) return false;
  const major = (version: string | null) => /^v?(\d+)\./u.exec(version ?? '')?.[1] ?? null;
  const [old, fresh] = [major(before), major(after)];
  return old === null || fresh === null || old !== fresh;
}
