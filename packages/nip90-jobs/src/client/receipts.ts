import type { NostrEvent, Signer, Transport } from '@bonafide/nostr-transport';
import { buildSealedReceipt } from '../codec/sealed-receipt.ts';
import { JobError } from '../errors.ts';
import { isFinal, type Job } from '../job.ts';
import type { Payment } from '../payment/payment-store.ts';
import type { CreateReceipt, ReceiptOutcome } from '../receipt.ts';

/** Judgment of a job: the members of a receipt that the client does not know. */
export type Judgment = Pick<ReceiptOutcome, 'outcome' | 'difficulty' | 'evidence'>;

/** A receipt, and the relays that accepted it. */
export interface SentReceipt {
  /** The signed receipt. The provider gets it encrypted. */
  readonly receipt: NostrEvent;
  /** Relays that accepted it; empty when none did: send it again later. */
  readonly deliveredTo: readonly string[];
}

/** Time limit per relay, in ms. */
const publishTimeoutMs = 10_000;

/** Creates a function that signs a receipt for an ended job and sends it to the provider, encrypted (NIP-44). */
export function createReceiptSender(options: {
  readonly transport: Transport;
  readonly signer: Signer;
  readonly createReceipt: CreateReceipt | undefined;
  readonly clock: () => number;
}): (job: Job, payment: Payment | null, judgment: Judgment) => Promise<SentReceipt> {
  const { transport, signer, createReceipt, clock } = options;

  return async (job, payment, { outcome, difficulty, evidence }) => {
    const { jobId, kind, providerRelays, deliveredTo, relays } = job;
    // The provider of an open job is the one that answered.
    const provider = job.provider ?? job.resultEvent?.pubkey ?? null;
    if (createReceipt === undefined)
      throw new JobError('INVALID_CONFIG', 'Receipts need `createReceipt`. Pass it to createJobClient.');
    if (!isFinal(job.state) || provider === null)
      throw new JobError('INVALID_INPUT', `Job ${jobId} has no outcome of a provider yet.`);
    const at = clock();
    const receipt = await createReceipt(
      {
        jobId,
        provider,
        outcome,
        completedAt: at,
        capability: String(kind),
        ...(payment?.status === 'settled' ? { valueMsat: payment.amountMsat } : {}),
        ...(difficulty === undefined ? {} : { difficulty }),
        ...(evidence === undefined ? {} : { evidence }),
      },
      signer,
    );
    const ciphertext = await signer.nip44Encrypt(provider, JSON.stringify(receipt));
    const sealed = buildSealedReceipt({ requestId: jobId, provider, ciphertext, createdAt: at });
    const everywhere = [...new Set([...deliveredTo, ...providerRelays, ...relays])];
    const outcomes = await transport.publish(await signer.signEvent(sealed), everywhere, {
      timeoutMs: publishTimeoutMs,
    });
    const accepted = outcomes.filter(({ status }) => status === 'accepted').map(({ relay }) => relay);
    return { receipt, deliveredTo: accepted };
  };
}
