import { until } from '@bonafide/internal/testing';
import { vi } from 'vitest';
import { buildJobRequest, parseFeedback } from '../src/codec/index.ts';
import {
  createMemoryProviderStore,
  decodeInvoice,
  type Invoices,
  type ProviderOptions,
  type ProviderStore,
} from '../src/index.ts';
import { invoice } from './invoice.ts';
import { eventually, keys, type manualTime, person, provider, relay } from './world.ts';

export const quickly = { paymentPollMs: 20, publishTimeoutMs: 240_000, publishRetryDelaysMs: [20, 50] };

/** A wallet that makes invoices, and knows which are paid. */
export function till() {
  const paid = new Set<string>();
  let made = 0;
  let isReachable = true;
  const isPaid = vi.fn<Invoices['isPaid']>(async (paymentHash) => {
    if (!isReachable) throw new Error('unreachable');
    return paid.has(paymentHash);
  });
  const create = vi.fn<Invoices['create']>(async ({ amountMsat }) => {
    made += 1;
    const bolt11 = invoice({ name: `till ${made}`, amountMsat, expirySeconds: 600 });
    return { bolt11, paymentHash: decodeInvoice(bolt11)?.paymentHash ?? '' };
  });
  return {
    invoices: { create, isPaid } satisfies Invoices,
    paid,
    pay: (bolt11: string) => paid.add(decodeInvoice(bolt11)?.paymentHash ?? ''),
    reach: (now: boolean) => {
      isReachable = now;
    },
  };
}

/** Lets a second pass, and what it causes. */
export async function tick(time: ReturnType<typeof manualTime>) {
  time.advance(1_000);
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Opens a paid provider beside a relay, with what a customer needs to ask it, and to see what it says. */
export async function shop(options: Partial<ProviderOptions> & { readonly invoices: Invoices }) {
  const at = await relay();
  const { pubkey } = await person(keys.provider);
  const store: ProviderStore = options.store ?? createMemoryProviderStore();
  const worked = vi.fn(options.handler ?? (() => 'done'));
  const requests = () => at.received.filter(({ text }) => text.startsWith('["REQ"')).length;
  const open = async () => {
    const before = requests();
    const opened = await provider([at.url], worked, {
      ...{ price: () => 4_000, config: quickly },
      ...{ ...options, store, handler: worked },
    });
    // A relay gives only some of many requests that were published in one second before somebody listened.
    await until(() => requests() > before);
    return opened;
  };
  const ask = async (secret: string = keys.customer, more: object = {}) => {
    const { signer } = await person(secret);
    const template = buildJobRequest({
      kind: 5000,
      provider: pubkey,
      inputs: [{ data: `${Math.random()}` }],
      bidMsat: 5_000,
      createdAt: Date.now(),
      ...more,
    });
    const request = await signer.signEvent(template);
    at.publish(request);
    return request;
  };
  const said = (requestId: string) =>
    at.events({ '#e': [requestId], kinds: [7000] }).flatMap((event) => {
      const parsed = parseFeedback(event);
      return parsed.ok ? [parsed.feedback] : [];
    });
  const demand = (requestId: string) =>
    eventually(() => {
      const found = said(requestId).find(({ status }) => status === 'payment-required');
      if (!found?.bolt11) throw new Error('no demand yet');
      return found.bolt11;
    });
  const results = (requestId: string) => at.events({ '#e': [requestId], kinds: [6000] });
  return { at, store, worked, open, ask, said, demand, results };
}
