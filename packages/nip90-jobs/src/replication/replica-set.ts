import type { JobSpec } from '../client/client-options.ts';
import type { JobClient } from '../client/job-client.ts';
import type { JobHandle } from '../client/job-handle.ts';

/** Whom to ask, and where they read. */
export interface Replica {
  /** 64 hex digits or an npub. */
  readonly provider: string;
  readonly providerRelays?: readonly string[];
}

/** A provider that was asked. */
export interface Asked {
  readonly provider: string;
  readonly job: JobHandle;
}

/**
 * Those who were asked for the same work. With a key every place has a key of its own, so that the jobs in the store tell
 * an heir who sat where, whomever it would ask today; nobody is asked twice.
 */
export interface ReplicaSet {
  readonly asked: readonly Asked[];
  /** Finds those whom an earlier process has asked, in the order in which their jobs ended, open ones last. */
  adopt(): Promise<readonly Asked[]>;
  /** Gives the next place to a provider. */
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
