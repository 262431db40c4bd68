import type { EventTemplate, Signer } from '@bonafide/nostr-transport';
import {
  buildEncryptedJobRequest,
  buildJobRequest,
  fingerprintOf,
  type JobRequestSpec,
  readPublicKey,
} from '../codec/index.ts';
import { JobError } from '../errors.ts';
import { freshJob, type Job } from '../job.ts';
import { randomHex } from '../random-hex.ts';
import type { BlobStore } from '../references/blob-store.ts';
import { offloadEncryptedInputs, offloadInputs } from '../references/offload-inputs.ts';
import type { JobStore } from '../store.ts';
import type { JobSpec } from './client-options.ts';

type Asked = JobRequestSpec & Pick<JobSpec, 'encrypted'>;

/** Signs and stores jobs: the same key gives the same job. */
export interface JobSubmission {
  /** @throws {JobError} `INVALID_INPUT`, `INPUT_TOO_LARGE`, `REQUEST_TOO_LARGE`, `IDEMPOTENCY_CONFLICT` */
  submit(
    spec: JobSpec,
    options: {
      readonly idempotencyKey: string | null;
      readonly providerRelays: readonly string[];
      /** Id of the client that drives the job. */
      readonly holder: string;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<{ readonly job: Job; readonly created: boolean }>;
}

export function createJobSubmission(options: {
  readonly signer: Signer;
  readonly store: JobStore;
  readonly relays: readonly string[];
  readonly blobs: BlobStore | undefined;
  readonly clock: () => number;
  readonly random: () => number;
}): JobSubmission {
  const { signer, store, relays, blobs, clock, random } = options;

  const template = async ({ encrypted = false, ...asked }: Asked): Promise<EventTemplate> => {
    if (!encrypted) return buildJobRequest(asked);
    const secret = buildEncryptedJobRequest(asked);
    return secret.seal(await signer.nip44Encrypt(secret.provider, secret.plaintext));
  };

  /**
   * Two that ask for the same in the same second would be one and the same event; unless they bear the same key, the
   * later one is made to differ.
   */
  const create = async (
    asked: Asked,
    own: Pick<Job, 'idempotencyKey' | 'fingerprint' | 'providerRelays' | 'holder'>,
  ): Promise<{ readonly job: Job; readonly created: boolean }> => {
    for (let collisions = 0; ; collisions += 1) {
      const distinct: Partial<JobRequestSpec> = asked.d
        ? { createdAt: asked.createdAt + collisions * 1000 }
        : { d: collisions === 0 ? null : `${randomHex(random, 16)}-${collisions}` };
      const request = await signer.signEvent(await template({ ...asked, ...distinct }));
      const stored = await store.create({
        ...freshJob,
        ...own,
        request,
        jobId: request.id,
        kind: request.kind,
        provider: asked.provider ? readPublicKey(asked.provider) : null,
        relays: asked.relays ?? relays,
        builtAt: asked.createdAt,
      });
      const { idempotencyKey } = stored.job;
      if (stored.created || (idempotencyKey !== null && idempotencyKey === own.idempotencyKey)) return stored;
    }
  };

  /** Of an encrypted job; each ciphertext is another one, so that it is made once the job is known to be new. */
  const hideLargeInputs = async (asked: Asked, signal: AbortSignal | undefined): Promise<Asked> => {
    const provider = readPublicKey(asked.provider ?? '');
    if (blobs === undefined || !asked.encrypted || provider === null) return asked;
    const seal = (plaintext: string) => signer.nip44Encrypt(provider, plaintext);
    return offloadEncryptedInputs(asked, blobs, seal, signal);
  };

  return {
    async submit(spec, { idempotencyKey, providerRelays, holder, signal }) {
      if (idempotencyKey !== null && !/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(idempotencyKey)) {
        throw new JobError(
          'INVALID_INPUT',
          'An idempotency key has 1 to 500 characters and no control characters.',
        );
      }
      const clear: Asked = { ...spec, relays: spec.relays ?? relays, createdAt: clock() };
      const asked = blobs && !spec.encrypted ? await offloadInputs(clear, blobs, signal) : clear;
      const fingerprint = fingerprintOf(asked, asked.encrypted ?? false);
      const known = idempotencyKey === null ? null : await store.getByKey(idempotencyKey);
      const stored =
        known === null
          ? await create(await hideLargeInputs(asked, signal), {
              idempotencyKey,
              fingerprint,
              providerRelays,
              holder,
            })
          : { job: known, created: false };
      if (stored.job.fingerprint !== fingerprint) {
        throw new JobError(
          'IDEMPOTENCY_CONFLICT',
          `The key '${idempotencyKey}' was used for other work (job ${stored.job.jobId}). Give other work another key.`,
        );
      }
      return stored;
    },
  };
}
