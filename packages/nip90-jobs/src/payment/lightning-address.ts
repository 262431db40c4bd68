import * as z from 'zod';
import { JobError } from '../errors.ts';
import { callable, readConfig, readInput, signal as signalSchema } from '../option-schemas.ts';
import type { FetchReference } from '../references/fetch-reference.ts';
import type { LightningNetwork } from './invoice.ts';
import { createBolt11Method, type PaymentMethod } from './payment-method.ts';
import type { Wallet } from './wallet.ts';

const payParamsSchema = z.object({
  tag: z.literal('payRequest'),
  callback: z.string().max(2_000),
  minSendable: z.number().nonnegative(),
  maxSendable: z.number().positive(),
});
const argumentsSchema = z.object({
  address: z.string(),
  amountMsat: z.int().positive(),
  fetchReference: callable,
  signal: signalSchema,
});
const invoiceSchema = z.object({ pr: z.string().max(4_096) });
/** Returns the URL of a Lightning address (LUD-16), or null for other text. */
function lightningAddressUrl(address: string): string | null {
  const match = /^([a-z0-9._+-]{1,64})@([a-z0-9.-]{1,253}(?::\d{1,5})?)$/i.exec(address.trim());
  if (match === null) return null;
  const [, name = '', host = ''] = match;
  // A server of this machine has no certificate; whether it may be asked is decided by the fetcher's guard.
  const scheme = /^(localhost|127(\.\d+){3})(:|$)/i.test(host) ? 'http' : 'https';
  return `${scheme}://${host.toLowerCase()}/.well-known/lnurlp/${name.toLowerCase()}`;
}

/**
 * Requests an invoice over `amountMsat` from a Lightning address (LUD-16, LUD-06). Both requests use the guarded fetcher.
 *
 * @throws {JobError} `PAYMENT_DECLINED` when the server does not give an invoice; the codes of {@link FetchReference}
 */
export async function requestInvoice(
  address: string,
  amountMsat: number,
  fetchReference: FetchReference,
  signal: AbortSignal,
): Promise<string> {
  readInput(argumentsSchema, { address, amountMsat, fetchReference, signal }, '');
  const url = lightningAddressUrl(address);
  if (url === null) throw new JobError('PAYMENT_DECLINED', 'The Lightning address is not valid.');
  const { callback, minSendable, maxSendable } = await fetchJson(
    url,
    payParamsSchema,
    fetchReference,
    signal,
  );
  if (amountMsat < minSendable || amountMsat > maxSendable)
    throw new JobError(
      'PAYMENT_DECLINED',
      `The Lightning address takes ${minSendable} to ${maxSendable} msat, not ${amountMsat}.`,
    );
  const target = URL.parse(callback);
  if (target === null) throw new JobError('PAYMENT_DECLINED', 'The Lightning address has no valid callback.');
  target.searchParams.set('amount', String(amountMsat));
  const { pr } = await fetchJson(target.href, invoiceSchema, fetchReference, signal);
  return pr;
}

/**
 * Creates the method `lightning-address` (LUD-16): requests an invoice over exactly the demanded amount from the address,
 * through the guarded fetcher, and pays it with a Lightning wallet.
 */
export function createLightningAddressMethod(
  wallet: Wallet,
  fetchReference: FetchReference,
  network: LightningNetwork = 'bitcoin',
): PaymentMethod {
  readConfig(callable, fetchReference, 'fetchReference');
  const bolt11Method = createBolt11Method(wallet, network);
  return {
    ...bolt11Method,
    name: 'lightning-address',
    async quote(demand, options) {
      const { lightningAddress, amountMsat, bolt11 } = demand;
      if (lightningAddress === null || bolt11 !== null) return null;
      const { maxMsat, signal } = options;
      if (amountMsat === null)
        return { ok: false, message: 'The provider gave a Lightning address and no amount.' };
      // Checked before anything is fetched.
      if (maxMsat === null || amountMsat > maxMsat)
        return {
          ok: false,
          message: `The provider demands ${amountMsat} msat; ${maxMsat ?? 0} msat were offered.`,
        };
      try {
        const invoice = await requestInvoice(lightningAddress, amountMsat, fetchReference, signal);
        const quoted = await bolt11Method.quote({ ...demand, bolt11: invoice }, options);
        if (quoted?.ok && quoted.quote.amountMsat !== amountMsat)
          return {
            ok: false,
            message: `The invoice is over ${quoted.quote.amountMsat} msat, not ${amountMsat}.`,
          };
        return quoted;
      } catch (error) {
        if (!(error instanceof JobError)) throw error;
        return { ok: false, message: error.message };
      }
    },
  };
}

async function fetchJson<Value>(
  url: string,
  schema: z.ZodType<Value>,
  fetchReference: FetchReference,
  signal: AbortSignal,
): Promise<Value> {
  const bytes = await fetchReference(url, { mutable: true, signal });
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new JobError('PAYMENT_DECLINED', 'The Lightning address server gave no usable answer.', {
      cause: error,
    });
  }
}
