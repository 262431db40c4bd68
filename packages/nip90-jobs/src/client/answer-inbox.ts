import type { Signer, Transport } from '@bonafide/nostr-transport';
import { type JobFeedback, parseFeedback } from '../codec/index.ts';
import type { Job } from '../job.ts';
import type { JobStore } from '../store.ts';
import type { ActiveJobs } from './active-jobs.ts';
import { createAnswerReceiver } from './answer-receiver.ts';
import { createAnswerSubscriptions } from './answer-subscriptions.ts';
import type { ClientEnvironment, JobNotifications } from './client-context.ts';
import { createAnswerDecrypter, type DecryptAnswer } from './decrypt-answer.ts';

/** Receives, finds and reads the answers to the jobs of a client. */
export interface AnswerInbox {
  readonly decryptAnswer: DecryptAnswer;
  /** Listens for answers to a job. */
  add(job: Job): void;
  remove(jobId: string): void;
  /** Queries the relays for stored answers. Returns false when no relay was read completely. */
  recover(jobs: readonly Job[], signal?: AbortSignal): Promise<boolean>;
  /** Returns the stored feedback of a job, decrypted. */
  readFeedback(jobId: string): Promise<JobFeedback[]>;
  close(): void;
}

export function createAnswerInbox(
  environment: ClientEnvironment,
  options: {
    readonly transport: Transport;
    readonly signer: Signer;
    readonly store: JobStore;
    readonly relays: readonly string[];
    readonly active: ActiveJobs;
    readonly notify: JobNotifications;
    readonly nip04Decrypt: ((sender: string, ciphertext: string) => Promise<string>) | undefined;
    /** The client's public key. */
    readonly customer: () => string;
  },
): AnswerInbox {
  const { transport, signer, store, nip04Decrypt, customer } = options;
  const decryptAnswer = createAnswerDecrypter({ signer, nip04Decrypt });
  const receiver = createAnswerReceiver({ ...environment, ...options, decryptAnswer });
  const subscriptions = createAnswerSubscriptions({
    ...environment,
    transport,
    customer,
    onEvent: receiver.receive,
    onRejected: receiver.rejected,
  });
  return {
    decryptAnswer,
    add: subscriptions.add,
    remove: subscriptions.remove,
    recover: receiver.recover,
    async readFeedback(jobId) {
      const said: JobFeedback[] = [];
      for (const { event } of (await store.history(jobId)).feedback) {
        const parsed = parseFeedback(event);
        if (!parsed.ok) continue;
        const { reference } = parsed.feedback;
        const content = reference?.url ?? (await decryptAnswer(event.pubkey, parsed.feedback)) ?? '';
        said.push({ ...parsed.feedback, content });
      }
      return said;
    },
    close: subscriptions.close,
  };
}
