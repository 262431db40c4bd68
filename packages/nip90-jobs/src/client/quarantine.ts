import { requirePublicKey } from '../codec/public-key.ts';
import type { JobStore } from '../store.ts';

/** Jobs of a provider that are looked at, newest first. */
const recoverAnswers = 50;

/**
 * Returns the time until which a provider should not be asked, ms since epoch: `quarantineMs` after its
 * latest job ended in silence. Null when it may be asked, because it answered a later job or the time has
 * passed.
 *
 * @throws {JobError} `INVALID_INPUT` for an invalid public key
 */
export async function quarantinedUntil(
  store: Pick<JobStore, 'list'>,
  provider: string,
  { quarantineMs, now }: { readonly quarantineMs: number; readonly now: number },
): Promise<number | null> {
  const key = requirePublicKey(provider);
  const { items } = await store.list({ provider: key, open: false, limit: recoverAnswers });
  const last = items.find(({ state, timeoutClass }) => state === 'completed' || timeoutClass === 'silence');
  if (last?.timeoutClass !== 'silence' || last.endedAt === null) return null;
  const until = last.endedAt + quarantineMs;
  return until > now ? until : null;
}
