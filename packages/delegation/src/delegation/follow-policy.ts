import { type PlatformRef, platformId } from '../platform.ts';
import type { DelegationContext } from './context.ts';

/**
 * Turns what the journal's policy says about a platform into a directive of the matrix, when it has changed. Only a refusal that
 * came from here is lifted, so that an operator's directive stays.
 */
export async function followPolicy(context: DelegationContext, platform: PlatformRef): Promise<void> {
  const { journal, matrix, store } = context;
  if (journal.getBriefing === undefined) return;
  const { verdict } = await journal.getBriefing(platform.pubkey);
  const isRefused = verdict.verdict === 'refuse';
  const name = `policy:${platformId(platform)}`;
  const known = await store.note(name);
  if ((known?.value.startsWith('refused') ?? false) === isRefused) return;
  const revision = (known?.revision ?? 0) + 1;
  await matrix.direct({
    id: `${name}#${revision}:${isRefused ? 'refuse' : 'allow'}`,
    platform,
    action: isRefused ? 'refuse' : 'allow',
    source: 'policy',
    violation: isRefused && verdict.rule === 'violation',
    reason: verdict.reason.slice(0, 1_000) || verdict.rule,
  });
  await store.putNote(name, { revision, value: `${isRefused ? 'refused' : 'allowed'}: ${verdict.rule}` });
}
