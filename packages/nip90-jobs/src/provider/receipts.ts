import { createRateLimit, isBonafideError } from '@bonafide/internal';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { readEvent } from '../codec/event.ts';
import { parseSealedReceipt } from '../codec/sealed-receipt.ts';
import type { VerifyReceipt } from '../receipt.ts';
import type { ProviderContext } from './provider-context.ts';

/** Receives the receipts of customers. */
export interface Receipts {
  /** Verifies an event and stores the receipt that it carries; returns false when it carries none for this provider. */
  take(event: NostrEvent): Promise<boolean>;
  /** Returns the stored receipts, oldest request first. */
  list(): AsyncGenerator<NostrEvent>;
}

/** Receipts per customer and minute that are verified. */
const receiptsPerMinute = 60;

/** Without `verify` no receipt is accepted. */
export function createReceipts(
  context: Pick<ProviderContext, 'jobs' | 'signer' | 'clock' | 'logger'>,
  options: {
    readonly verify: VerifyReceipt | undefined;
    readonly publicKey: () => string;
    readonly onReceipt: (receipt: {
      readonly requestId: string;
      readonly customer: string;
      readonly receipt: NostrEvent;
    }) => void;
  },
): Receipts {
  const { jobs, signer, clock, logger } = context;
  const { verify, publicKey, onReceipt } = options;
  const rateLimit = createRateLimit({ count: receiptsPerMinute, perMs: 60_000, clock });

  /** Decrypts the receipt; null for anything that is not a signed event. */
  const open = async (customer: string, ciphertext: string): Promise<NostrEvent | null> => {
    try {
      const read = readEvent(JSON.parse(await signer.nip44Decrypt(customer, ciphertext)));
      return read.ok ? read.event : null;
    } catch (error) {
      if (isBonafideError(error, 'CLOSED')) throw error;
      return null;
    }
  };

  return {
    async take(event) {
      const sealed = parseSealedReceipt(event);
      if (verify === undefined || sealed === null) return false;
      const { customer, requestId, ciphertext } = sealed;
      const provided = await jobs.get(requestId);
      // Only the customer of a request that was accepted here can state its outcome.
      if (provided?.customer !== customer || !rateLimit.take(customer)) return false;
      const receipt = await open(customer, ciphertext);
      if (receipt === null) return false;
      const verified = verify(receipt, { customer, provider: publicKey(), now: clock() });
      if (verified.status !== 'valid' || verified.outcome?.jobId !== requestId) {
        logger.warn({ requestId, customer, status: verified.status }, 'Receipt is not valid');
        return false;
      }
      const before = provided.receipt?.id;
      const stored = await jobs.apply(requestId, { type: 'receipt', receipt });
      if (stored.receipt?.id === receipt.id && before !== receipt.id)
        onReceipt({ requestId, customer, receipt });
      return true;
    },
    async *list() {
      for await (const { receipt } of jobs.list('receipts')) if (receipt !== null) yield receipt;
    },
  };
}
