import { composeId, sanitizeRemoteText } from '@bonafide/internal';
import { policyNoteName } from '../notes.ts';
import type { PlatformRef } from '../platform.ts';
import type { DelegationContext } from './context.ts';

/**
 * Turns what the journal's policy says about an operator into directives of the matrix, one for each of its services, when it has
 * changed. Only a refusal that came from here is lifted, so that an operator's directive stays.
 */
export async function followPolicy(
  context: DelegationContext,
  platform: PlatformRef,
  taskType: string,
): Promise<void> {
  const { journal, matrix, store } = context;
  if (journal.getBriefing === undefined) return;
  const { verdict } = await journal.getBriefing(platform.pubkey);
  const isRefused = verdict.verdict === 'refuse';
  const action = isRefused ? 'refuse' : 'allow';

  const follow = async ({ pubkey, d }: PlatformRef): Promise<boolean> => {
    const name = policyNoteName({ pubkey, d });
    const known = await store.note(name);
    if ((known?.value.startsWith('refused') ?? false) === isRefused) return false;
    const revision = (known?.revision ?? 0) + 1;
    await matrix.direct({
      id: composeId('policy', pubkey, d, `${revision}`, action),
      platform: { pubkey, d },
      action,
      source: 'policy',
      violation: isRefused && verdict.rule === 'violation',
      reason: sanitizeRemoteText(verdict.reason, 1_000) || sanitizeRemoteText(verdict.rule, 100) || action,
    });
    await store.putNote(name, { revision, value: `${isRefused ? 'refused' : 'allowed'}: ${verdict.rule}` });
    return true;
  };

  if (!(await follow(platform))) return;
  for (const entry of await matrix.entries({ taskType }))
    if (entry.platform.pubkey === platform.pubkey) await follow(entry.platform);
}
