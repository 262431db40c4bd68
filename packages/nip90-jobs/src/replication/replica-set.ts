import type { JobSpec } from '../client/client-options.ts';
import type { JobClient } from '../client/job-client.ts';
import type { JobHandle } from '../client/job-handle.ts';

/** A provider to ask, and its relays. */
export interface Replica {
  /** 64 hex digits or an npub. */
  readonly provider: string;
  readonly providerRelays?: readonly string[];
}

/** A requested replica. */
export interface Asked {
  readonly provider: string;
  readonly job: JobHandle;
}

/**
 * The providers that were asked for the same work. With an idempotency key every slot has its own key, which
 * lets a restarted process recover which provider held which slot. Each provider is asked once.
 */
export interface ReplicaSet {
  readonly asked: readonly Asked[];
  /** Loads the replicas that an earlier process asked, in order of their jobs' end, open jobs last. */
  adopt(): Promise<readonly Asked[]>;
  /** Asks a provider for the next slot. */
  ask(replica: Replica): Promise<Asked>;
}

export function createReplicaSet(
  client: Pick<JobClient, 'requestJob' | 'getByKey'>,
  spec: Omit<JobSpec, 'provider'>,
  options: { readonly idempotencyKey: string | undefined; readonly signal: AbortSignal | undefined },
): ReplicaSet {
  const { idempotencyKey, signal } = options;
  const asked: Asked[] = [];

  const nextKey = () => (idempotencyKey === undefined ? null : `${idempotencyKey} #${asked.length + 1}`);

  const ask = async ({ provider, providerRelays }: Replica): Promise<Asked> => {
    const key = nextKey();
    const job = await client.requestJob(
      { ...spec, provider },
      {
        ...(key === null ? {} : { idempotencyKey: key }),
        ...(providerRelays ? { providerRelays } : {}),
        ...(signal ? { signal } : {}),
      },
    );
    const one = { provider, job };
    asked.push(one);
    return one;
  };

  return {
    asked,
    ask,
    async adopt() {
      for (;;) {
        const key = nextKey();
        const known = key === null ? null : await client.getByKey(key);
        if (known === null || known.job.provider === null) break;
        // Asked for once more, which sends nothing, and tells when the key was used for other work.
        await ask({ provider: known.job.provider });
      }
      const endOf = ({ job }: Asked) => job.job.endedAt ?? Number.POSITIVE_INFINITY;
      return asked.toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : endOf(a) > endOf(b) ? 1 : 0));
    },
  };
}
