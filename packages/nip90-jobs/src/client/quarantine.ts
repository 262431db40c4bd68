import { readPublicKey } from '../codec/index.ts';
import { JobError } from '../errors.ts';
import type { JobStore } from '../store.ts';

/** Jobs of a provider that are looked at, newest first. */
const recoverAnswers = 50;

/**
 * Until when a provider should not be asked again, ms since epoch (JOB-8): so long after its last job ended in silence.
 * Null when it may be: who answered a job that was asked for later is well again.
 *
 * @throws {JobError} `INVALID_INPUT` when `provider` is no public key
 */
export async function quarantinedUntil(
  store: Pick<JobStore, 'list'>,
  provider: string,
  { quarantineMs, now }: { readonly quarantineMs: number; readonly now: number },
): Promise<number | null> {
  const key = readPublicKey(provider);
  if (key === null) throw new JobError('INVALID_INPUT', `'${provider}' is no public key.`);
  const { items } = await store.list({ provider: key, open: false, limit: recoverAnswers });
  const last = items.find(({ state, timeoutClass }) => state === 'completed' || timeoutClass === 'silence');
  if (last?.timeoutClass !== 'silence' || last.endedAt === null) return null;
  const until = last.endedAt + quarantineMs;
  return until > now ? until : null;
}
