import { canonicalJson, hasMethods, isBonafideError } from '@bonafide/internal';
import * as z from 'zod';
import { copyDocument, parseDocument } from './document.ts';
import { parseInput, TrustScoreError } from './errors.ts';
import { finite, optional, optionsOf, reading, such, text } from './input.ts';
import {
  applicationDataKind,
  type EventSigner,
  eventId,
  type SignedEvent,
  signedEventSchema,
  signTemplate,
} from './signing/nostr-event.ts';
import { verifySchnorr } from './signing/schnorr.ts';

const publicKey = z.string().regex(/^[0-9a-f]{64}$/u, 'must be a public key of 64 lower-case hex digits');
const maxContent = 16_384;

/**
 * The outcome of one job, as its customer states it. Members that are not listed are kept and signed with the rest.
 */
export const receiptOutcomeSchema = z.looseObject({
  /** Id of the job, for example of the request event. A customer's later receipt for the same job replaces an earlier one. */
  jobId: z.string().min(1).max(200),
  /** Public key of the provider, 64 lower-case hex digits. */
  provider: publicKey,
  /** `success`, `partial` (some of it was right), `failure`, `timeout` (nothing came in time) or `violation` (an attack). */
  outcome: z.enum(['success', 'partial', 'failure', 'timeout', 'violation']),
  /** Time at which the outcome was known, ms since epoch. */
  completedAt: z.int().min(0).max(253_402_300_799_999),
  /** Capability that the job asked for, for example `5050` or `python-function`. */
  capability: z.string().min(1).max(200).optional(),
  /** Price that was paid or agreed, in millisatoshi. */
  valueMsat: z.int().min(0).optional(),
  /** Difficulty, more than 0; 1 is usual. */
  difficulty: z.number().positive().max(1_000).optional(),
  /** Digest or address of what supports the outcome, for example of a judge's verdict. */
  evidence: z.string().min(1).max(1_000).optional(),
});

/** The outcome of one job, as its customer states it. */
export type ReceiptOutcome = Readonly<z.output<typeof receiptOutcomeSchema>>;

/**
 * A customer's signature over the outcome of a job: a signed Nostr event, whose content is the outcome in canonical JSON.
 * Any Nostr library can verify it.
 */
export type Receipt = SignedEvent;

/** The result of {@link verifyReceipt}. */
export interface ReceiptVerification {
  /**
   * - `valid`: the customer signed exactly this outcome.
   * - `tampered`: the event or its content is not what was signed.
   * - `wrong_key`: the signature is not that of `pubkey`, or `pubkey` is not the expected customer.
   * - `wrong_provider`: the receipt is about another provider than expected.
   * - `self_signed`: customer and provider are the same key; such a receipt proves nothing.
   * - `future`: the outcome is dated later than `now`.
   * - `malformed`: not a receipt.
   */
  readonly status:
    | 'valid'
    | 'tampered'
    | 'wrong_key'
    | 'wrong_provider'
    | 'self_signed'
    | 'future'
    | 'malformed';
  /** Public key that signed; null when malformed. */
  readonly customer: string | null;
  /** The signed outcome; null unless the signature holds. */
  readonly outcome: ReceiptOutcome | null;
  /** Human-readable explanation. */
  readonly message: string;
}

/** Options of {@link verifyReceipt}. */
export interface VerifyReceiptOptions {
  /** Public key of the customer that must have signed, 64 lower-case hex digits. */
  readonly customer?: string;
  /** Public key of the provider that the receipt must be about, 64 lower-case hex digits. */
  readonly provider?: string;
  /** Receipts dated more than 10 minutes later are refused, ms since epoch. @default Date.now() */
  readonly now?: number;
}

const receiptOptions = optionsOf({
  customer: optional(text),
  provider: optional(text),
  now: optional(finite),
});
const receiptSigner = such('a signer', hasMethods('getPublicKey', 'signEvent'));

const clockSkewMs = 600_000;

/**
 * Signs the outcome of a job as its customer. Send the receipt to the provider, which can attach it to a
 * trust report.
 *
 * @throws `INVALID_INPUT` when a field is missing or wrong, when the signer is the provider itself, or when
 *   the signer signs a different event; errors of the signer pass through.
 */
export async function createReceipt(outcome: ReceiptOutcome, signer: EventSigner): Promise<Receipt> {
  const stated = parseInput(receiptOutcomeSchema, 'outcome', copyDocument(outcome));
  reading('signer', () => receiptSigner('signer', signer));
  const customer = await signer.getPublicKey();
  if (stated.provider === customer) {
    throw new TrustScoreError('INVALID_INPUT', 'A provider cannot sign a receipt for its own job.');
  }
  const content = canonicalJson(stated);
  if (content.length > maxContent) {
    throw new TrustScoreError('INVALID_INPUT', `A receipt has at most ${maxContent} characters.`);
  }
  const template = {
    kind: applicationDataKind,
    created_at: Math.floor(stated.completedAt / 1_000),
    tags: tagsOf(stated),
    content,
  };
  return signTemplate(template, signer, customer);
}

const tagsOf = ({ jobId, provider }: ReceiptOutcome): string[][] => [
  ['d', `bonafide.receipt:${jobId}`],
  ['p', provider],
];

function check(input: unknown, options: VerifyReceiptOptions): ReceiptVerification {
  const event = parseInput(signedEventSchema, 'receipt', copyDocument(input));
  const { pubkey: customer } = event;
  const result = (
    status: ReceiptVerification['status'],
    message: string,
    outcome: ReceiptOutcome | null = null,
  ) => ({ status, customer, outcome, message });
  if (eventId(event, customer) !== event.id)
    return result('tampered', 'The receipt was changed after it was signed.');
  if (!verifySchnorr(event.sig, event.id, customer))
    return result('wrong_key', `The signature is not that of ${customer}.`);

  const outcome = parseInput(
    receiptOutcomeSchema,
    'outcome',
    parseDocument(event.content, { maxText: maxContent }),
  );
  // One outcome has one form, so that a job cannot be counted twice in two spellings.
  if (
    event.kind !== applicationDataKind ||
    event.created_at !== Math.floor(outcome.completedAt / 1_000) ||
    canonicalJson(event.tags) !== canonicalJson(tagsOf(outcome)) ||
    event.content !== canonicalJson(outcome)
  )
    return result('malformed', 'The event is signed, but not in the form of a receipt.');
  if (options.customer !== undefined && options.customer !== customer)
    return result('wrong_key', `Signed by ${customer}, not by ${options.customer}.`, outcome);
  if (options.provider !== undefined && options.provider !== outcome.provider)
    return result('wrong_provider', `About ${outcome.provider}, not about ${options.provider}.`, outcome);
  if (outcome.provider === customer)
    return result('self_signed', 'The provider signed it itself, which proves nothing.', outcome);
  if (outcome.completedAt > (options.now ?? Date.now()) + clockSkewMs)
    return result(
      'future',
      `It is dated ${new Date(outcome.completedAt).toISOString()}, in the future.`,
      outcome,
    );
  return result('valid', `${customer} states: ${outcome.outcome}.`, outcome);
}

/**
 * Verifies that a receipt is what its customer signed, and that provider and customer differ. It does not tell whether the
 * customer is honest: who counts as a customer is a matter of the verifier's `TrustPolicy`. Never throws.
 */
export function verifyReceipt(receipt: unknown, options: VerifyReceiptOptions = {}): ReceiptVerification {
  receiptOptions('options', options);
  try {
    return check(receipt, options);
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return { status: 'malformed', customer: null, outcome: null, message: error.message };
  }
}
