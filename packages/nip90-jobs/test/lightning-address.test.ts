import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildJobResult } from '../src/codec/index.ts';
import { createMemoryPaymentStore, type Wallet } from '../src/index.ts';
import { invoice, secretOf } from './invoice.ts';
import { client, eventually, keys, person, provider, relay } from './world.ts';

describe('a provider that names a Lightning address', () => {
  const lnurl = async (answers: { amount?: number; invoice?: string }) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const { port } = server.address() as AddressInfo;
      const isCallback = (request.url ?? '').startsWith('/pay');
      response.end(
        JSON.stringify(
          isCallback
            ? { pr: answers.invoice ?? invoice({ amountMsat: answers.amount ?? 3_000 }) }
            : {
                tag: 'payRequest',
                callback: `http://127.0.0.1:${port}/pay`,
                minSendable: 1_000,
                maxSendable: 10_000,
              },
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { address: `bob@127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  };
  const demanding = async (address: string, amountMsat: number, allowLoopback: boolean) => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const wallet = {
      pay: vi.fn<Wallet['pay']>(async () => ({
        status: 'settled',
        preimage: secretOf('invoice').preimage,
        feesMsat: 0,
      })),
      lookup: async () => ({ status: 'unknown' }) as const,
    };
    const asking = await client([at.url], {
      payments: { wallet, store: createMemoryPaymentStore() },
      ...(allowLoopback ? { references: { addresses: { allowLoopback: true } } } : {}),
    });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 5_000 });
    at.publish(
      await signer.signEvent({
        kind: 7000,
        created_at: Math.floor(Date.now() / 1000),
        content: '',
        tags: [
          ['status', 'payment-required'],
          ['amount', String(amountMsat), address],
          ['e', job.jobId],
          ['p', job.job.request.pubkey],
        ],
      }),
    );
    return { job, wallet, asking };
  };

  it('is paid over exactly the amount, through the guarded fetcher (JOB-23)', async () => {
    const { address, asked } = await lnurl({ amount: 3_000 });
    const { job, wallet, asking } = await demanding(address, 3_000, true);
    await eventually(() => expect(job.state).toBe('paid'));
    expect(wallet.pay).toHaveBeenCalledTimes(1);
    expect(asked).toEqual(['/.well-known/lnurlp/bob', '/pay?amount=3000']);
    expect(await asking.payment(job.jobId)).toMatchObject({ method: 'lightning-address', status: 'settled' });
  });

  it.each([
    ['asks for more than was demanded', { amount: 4_000 }, 3_000, true, /over 4000/],
    ['wants more than the bid', {}, 6_000, true, /6000 msat/],
    ['takes other amounts only', {}, 500, true, /takes 1000 to 10000/],
    ['is on an internal host', {}, 3_000, false, /not permitted/],
  ] as const)('is declined when it %s (JOB-23)', async (_, answers, amountMsat, allowLoopback, message) => {
    const { address } = await lnurl(answers);
    const { job, wallet } = await demanding(address, amountMsat, allowLoopback);
    await expect(job.result).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      message: expect.stringMatching(message),
    });
    expect(wallet.pay).not.toHaveBeenCalled();
  });
});

describe('a result that asks for a payment', () => {
  it.each([
    ['amount', ['amount', '', invoice({ amountMsat: 3_000 })]],
    ['invoice', ['invoice', invoice({ amountMsat: 3_000 })]],
  ])('is paid when only its invoice names the amount, in the tag %s (JOB-23)', async (_, tag) => {
    const at = await relay();
    const { signer, pubkey } = await person(keys.provider);
    const wallet: Wallet = {
      pay: async () => ({ status: 'settled', preimage: secretOf('invoice').preimage, feesMsat: 0 }),
      lookup: async () => ({ status: 'unknown' }),
    };
    const asking = await client([at.url], { payments: { wallet, store: createMemoryPaymentStore() } });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 4_000 });
    const template = buildJobResult({ request: job.job.request, content: 'done', createdAt: Date.now() });
    at.publish(await signer.signEvent({ ...template, tags: [...template.tags, tag] }));
    await job.result;
    await expect(asking.pay(job.jobId, { maxMsat: 2_999 })).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
    });
    expect(await asking.pay(job.jobId)).toMatchObject({ status: 'settled', amountMsat: 3_000 });
  });

  it('is paid when the caller says so, within the bid, once (JOB-23)', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], () => ({
      content: 'done',
      amountMsat: 3_000,
      bolt11: invoice({ amountMsat: 3_000 }),
    }));
    const pay = vi.fn<Wallet['pay']>(async () => ({
      status: 'settled',
      preimage: secretOf('invoice').preimage,
      feesMsat: 0,
    }));
    const wallet: Wallet = { pay, lookup: async () => ({ status: 'unknown' }) };
    const asking = await client([at.url], { payments: { wallet, store: createMemoryPaymentStore() } });
    const job = await asking.requestJob({ kind: 5000, provider: pubkey, bidMsat: 2_000 });
    expect(await job.result).toMatchObject({ content: 'done', amountMsat: 3_000 });
    await expect(asking.pay(job.jobId)).rejects.toMatchObject({ code: 'PAYMENT_DECLINED' });
    expect(await asking.pay(job.jobId, { maxMsat: 3_000 })).toMatchObject({
      status: 'settled',
      amountMsat: 3_000,
    });
    expect(await asking.pay(job.jobId, { maxMsat: 3_000 })).toMatchObject({ status: 'settled' });
    expect(pay).toHaveBeenCalledTimes(1);
    expect(job.job.paidAt ?? (await asking.get(job.jobId))?.job.paidAt).not.toBeNull();
    await expect(asking.pay('00'.repeat(32))).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });
});
