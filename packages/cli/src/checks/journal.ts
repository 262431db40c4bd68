import { isBonafideError, sanitizeRemoteText } from '@bonafide/internal';
import type { HookFailures, TrustStep } from '@bonafide/ledger-core';
import { counted, moment, signed } from '../format.ts';
import { openLedger } from '../open-ledger.ts';
import { type Check, fail, ok, warn } from './check.ts';

const dayMs = 86_400_000;
/** Failures older than this are shown without a warning. */
const recentDays = 30;
/** One assessment that moves trust further than this is worth a look. */
const longStep = 5;

/** Checks the failures of the agent's hooks. */
export function checkHooks(failures: readonly HookFailures[], now: number): Check {
  const count = failures.reduce((sum, failure) => sum + failure.count, 0);
  const last = failures.toSorted((one, other) => one.lastAt - other.lastAt).at(-1);
  if (last === undefined) return ok('Hooks', 'none ever failed');
  const code = sanitizeRemoteText(last.lastCode, 60);
  const detail = `${counted(count, 'failure')} so far, last ${moment(last.lastAt)} in ${sanitizeRemoteText(last.hook, 40)} (${code})`;
  if (last.lastAt < now - recentDays * dayMs) return ok('Hooks', detail);
  return warn('Hooks', detail, `Look for "The ledger hook" in the agent's log; it says what failed`);
}

/** Checks the largest change of trust by the agent's own tool, which is disabled while a cortex assesses. */
export function checkTrustStep(step: TrustStep | null, handle = step?.peerId ?? ''): Check {
  const name = 'Inline assessment';
  if (step === null) return ok(name, `the agent itself assessed no peer in the last ${recentDays} days`);
  const length = Math.abs(step.to - step.from);
  const which = `from ${signed(step.from)} to ${signed(step.to)}, ${sanitizeRemoteText(handle, 60)}, ${moment(step.at)}`;
  const detail = `one assessment moved trust by at most ${length} in the last ${recentDays} days (${which})`;
  if (length <= longStep) return ok(name, detail);
  return warn(name, detail, "Set maxTrustStep in the ledger's configuration to limit how far one moves it");
}

/** Checks the journal's records about the agent. The schema must be up to date. */
export async function checkJournal(path: string, agentId: string): Promise<readonly Check[]> {
  const now = Date.now();
  try {
    await using open = await openLedger(path, agentId);
    const failures = (await open.ledger.getHookFailures()) ?? [];
    const step = await open.ledger.getLargestTrustStep({ since: now - recentDays * dayMs });
    const peer = step && (await open.ledger.getPeer(step.peerId));
    return [checkHooks(failures, now), checkTrustStep(step, peer?.handle)];
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return [fail('Journal', error.message, null)];
  }
}
