import { createHash } from 'node:crypto';
import type { PaymentMethod, PaymentOutcome, Wallet } from '@bonafide/nip90-jobs';
import type { Life } from './life.ts';

const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');

/** An invoice of a stranger. */
export interface SimulatedInvoice {
  readonly paymentHash: string;
  readonly preimage: string;
  readonly amountMsat: number;
  readonly requestId: string;
  readonly expiresAt: number;
  /** True for one that came with an answer. */
  readonly isAfterwards: boolean;
}

/** The money of the world: who asked for how much, and what moved. */
export interface Money {
  readonly invoices: ReadonlyMap<string, SimulatedInvoice>;
  /** Payment hashes in the order in which they were paid. */
  readonly paid: readonly string[];
  invoice(requestId: string, amountMsat: number, isAfterwards?: boolean): SimulatedInvoice;
  /** The agent's wallet, as a process reaches it. */
  method(life: Life): PaymentMethod;
  onPaid(listener: (invoice: SimulatedInvoice) => void): void;
}

export function createMoney(clock: () => number, random: () => number): Money {
  const invoices = new Map<string, SimulatedInvoice>();
  const paid: string[] = [];
  const listeners: ((invoice: SimulatedInvoice) => void)[] = [];

  const settled = (hash: string): PaymentOutcome => ({
    status: 'settled',
    preimage: invoices.get(hash)?.preimage ?? null,
    feesMsat: 1,
  });

  const wallet = {
    async pay(hash: string): Promise<PaymentOutcome> {
      const invoice = invoices.get(hash);
      if (invoice === undefined || invoice.expiresAt < clock())
        return { status: 'failed', reason: 'no route' };
      if (!paid.includes(hash)) {
        if (random() < 0.1) return { status: 'failed', reason: 'no route' };
        paid.push(hash);
        for (const listener of listeners) listener(invoice);
      }
      return random() < 0.1 ? { status: 'in-flight' } : settled(hash);
    },
    async lookup(hash: string): Promise<PaymentOutcome | { readonly status: 'unknown' }> {
      return paid.includes(hash) ? settled(hash) : { status: 'unknown' };
    },
  };

  return {
    invoices,
    paid,
    invoice(requestId, amountMsat, isAfterwards = false) {
      const preimage = Array.from({ length: 64 }, () => Math.floor(random() * 16).toString(16)).join('');
      const invoice = {
        paymentHash: sha256(preimage),
        preimage,
        amountMsat,
        requestId,
        expiresAt: clock() + 120_000,
        isAfterwards,
      };
      invoices.set(invoice.paymentHash, invoice);
      return invoice;
    },
    method(life) {
      const reached = life.outside(wallet);
      return {
        name: 'simulated',
        async quote({ event }, { maxMsat }) {
          const [, , hash = ''] = event?.tags.find(([name]) => name === 'amount') ?? [];
          const invoice = invoices.get(hash);
          if (invoice === undefined) return null;
          const { paymentHash, amountMsat, expiresAt } = invoice;
          if (maxMsat === null || amountMsat > maxMsat) return { ok: false, message: 'Above the bid.' };
          return { ok: true, quote: { paymentHash, instructions: paymentHash, amountMsat, expiresAt } };
        },
        pay: ({ instructions }) => reached.pay(instructions),
        lookup: (hash) => reached.lookup(hash),
      };
    },
    onPaid: (listener) => void listeners.push(listener),
  };
}

/** A Lightning wallet that nothing reaches: the simulation pays by its own method. */
export const noWallet: Wallet = {
  pay: async () => ({ status: 'failed', reason: 'not simulated' }),
  lookup: async () => ({ status: 'unknown' }),
};
