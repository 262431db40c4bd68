import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryPaymentStore, type PaymentMethod, type Wallet } from '../src/index.ts';
import { type CashuWallet, createCashuMethod } from './methods/cashu.ts';
import { createX402Method, type X402Account } from './methods/x402.ts';
import { client, eventually, keys, person, quick, relay } from './world.ts';

/** A job whose provider demands a payment in a tag of its own. */
async function demanding(method: PaymentMethod, tag: readonly [string, string], bidMsat = 5_000) {
  const at = await relay();
  const { signer, pubkey } = await person(keys.provider);
  const wallet = { pay: vi.fn<Wallet['pay']>(), lookup: vi.fn<Wallet['lookup']>() };
  const payments = { wallet, store: createMemoryPaymentStore(), methods: [method] };
  const asking = await client([at.url], { payments, config: quick });
  const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat });
  at.publish(
    await signer.signEvent({
      kind: 7000,
      created_at: Math.floor(Date.now() / 1_000),
      content: '',
      tags: [['status', 'payment-required'], [...tag], ['e', job.jobId], ['p', job.job.request.pubkey]],
    }),
  );
  return { asking, job, wallet };
}

describe('a payment method for ecash (Cashu)', () => {
  const cashu = (states: readonly ('none' | 'unspent' | 'spent')[]) => {
    const left = [...states];
    const sendOnce = vi.fn<CashuWallet['sendOnce']>(async () => {});
    const decode: CashuWallet['decode'] = (text) =>
      text.startsWith('creqA') ? { amountSat: 4, expiresAt: Date.now() + 60_000 } : null;
    const wallet: CashuWallet = {
      decode,
      sendOnce,
      state: async () => (left.length > 1 ? (left.shift() ?? 'none') : (left[0] ?? 'none')),
    };
    return { sendOnce, method: createCashuMethod(wallet) };
  };

  it('pays a request once, and waits until the mint says that it is spent (JOB-23)', async () => {
    const { method, sendOnce } = cashu(['unspent', 'spent']);
    const { asking, job, wallet } = await demanding(method, ['cashu', 'creqA1']);
    await eventually(() => expect(job.state).toBe('paid'));
    expect(await asking.payment(job.jobId)).toMatchObject({
      method: 'cashu',
      status: 'settled',
      amountMsat: 4_000,
    });
    expect(sendOnce).toHaveBeenCalledTimes(1);
    expect(wallet.pay).not.toHaveBeenCalled();
  });

  it('declines what exceeds the bid (JOB-23)', async () => {
    const { method, sendOnce } = cashu(['none']);
    const { job } = await demanding(method, ['cashu', 'creqA1'], 3_000);
    await expect(job.result).rejects.toMatchObject({ code: 'PAYMENT_DECLINED', message: 'Above the bid.' });
    expect(sendOnce).not.toHaveBeenCalled();
  });
});

describe('a payment method for stablecoins (x402)', () => {
  /** A resource that takes payments, and a contract that takes each nonce once. */
  const shop = async (answer: (call: number) => number) => {
    const nonces: string[] = [];
    let calls = 0;
    const server = createServer((request, response) => {
      calls += 1;
      const status = answer(calls);
      const nonce = String(request.headers['x-payment']);
      if (status !== 402 && !nonces.includes(nonce)) nonces.push(nonce);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const requirements = {
      scheme: 'exact',
      network: 'base',
      asset: 'usdc',
      maxAmountRequired: '4',
      payTo: '0xabc',
      resource: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      maxTimeoutSeconds: 60,
    };
    const account: X402Account = {
      msatPerUnit: { 'base:usdc': 1_000 },
      authorize: async (_, nonce) => nonce,
      isUsed: async (_, nonce) => nonces.includes(nonce),
      post: async (url, headers) => fetch(url, { method: 'POST', headers }),
    };
    const tag = ['x402', Buffer.from(JSON.stringify(requirements)).toString('base64')] as const;
    return { method: createX402Method(account), tag, nonces, calls: () => calls };
  };

  it('pays the resource with a nonce that is the id of the payment (JOB-23)', async () => {
    const { method, tag, nonces } = await shop(() => 200);
    const { asking, job, wallet } = await demanding(method, tag);
    await eventually(() => expect(job.state).toBe('paid'));
    const payment = await asking.payment(job.jobId);
    expect(payment).toMatchObject({ method: 'x402', status: 'settled', amountMsat: 4_000 });
    expect(nonces).toEqual([`0x${payment?.paymentHash}`]);
    expect(wallet.pay).not.toHaveBeenCalled();
  });

  it('is settled by the contract when the resource answers with an error after it took the payment (JOB-19, JOB-23)', async () => {
    const { method, tag, nonces, calls } = await shop(() => 500);
    const { job } = await demanding(method, tag);
    await eventually(() => expect(job.state).toBe('paid'));
    expect(nonces).toHaveLength(1);
    expect(calls()).toBe(1);
  });

  it('is declined when the resource refuses (JOB-23)', async () => {
    const { method, tag } = await shop(() => 402);
    const { job } = await demanding(method, tag);
    await expect(job.result).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
  });
});

describe('the guide to payment methods', () => {
  it('shows the code that is tested here (JOB-23)', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
    const guide = read('../../../docs/guides/payment-methods.md');
    for (const file of ['cashu', 'x402']) expect(guide).toContain(read(`./methods/${file}.ts`).trim());
  });
});
