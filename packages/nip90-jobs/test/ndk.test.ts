import NDK, {
  NDKDVMJobResult,
  NDKDVMRequest,
  NDKEvent,
  type NDKFilter,
  type NDKKind,
  NDKPrivateKeySigner,
  NDKSubscriptionCacheUsage,
} from '@nostr-dev-kit/ndk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { client, eventually, keys, person, provider, relay } from './world.ts';

/** Somebody who uses NDK, another implementation of NIP-90. */
async function ndk(url: string, secret: string): Promise<NDK> {
  const created = new NDK({
    explicitRelayUrls: [url],
    signer: new NDKPrivateKeySigner(secret),
    enableOutboxModel: false,
  });
  await created.connect(2_000);
  onTestFinished(() => {
    for (const one of created.pool.relays.values()) one.disconnect();
  });
  return created;
}

/** What NDK hears that answers or asks, as it comes. */
function heard(of: NDK, filter: NDKFilter): NDKEvent[] {
  const events: NDKEvent[] = [];
  const subscription = of.subscribe(filter, {
    closeOnEose: false,
    cacheUsage: NDKSubscriptionCacheUsage.ONLY_RELAY,
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => subscription.stop());
  return events;
}

describe('NDK', () => {
  it('JOB-18 asks us: we read its request and it reads what we say and answer', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], async (request, { partial }) => {
      await partial('half');
      return `${request.inputs[0]?.data}/${request.inputs[0]?.type} ${request.params.lang} ${request.output?.mime} ${request.bidMsat}`;
    });
    const customer = await ndk(at.url, keys.customer);
    const request = new NDKDVMRequest(customer);
    request.kind = 5000 as NDKKind;
    request.addInput('https://example.com', 'url');
    request.addParam('lang', 'en');
    request.output = 'text/plain';
    request.bid = 1_000;
    request.dvm = customer.getUser({ pubkey });
    await request.sign();
    const answers = heard(customer, { kinds: [6000, 7000] as NDKKind[], '#e': [request.id] });
    await request.publish();
    await eventually(() => expect(answers.some(({ kind }) => kind === 6000)).toBe(true));
    const answer = answers.find(({ kind }) => kind === 6000);
    const result = NDKDVMJobResult.from(answer ?? new NDKEvent());
    expect(result.result).toBe('https://example.com/url en text/plain 1000');
    expect(result.status).toBe('success');
    expect(result.jobRequestId).toBe(request.id);
    expect(result.jobRequest?.id).toBe(request.id);
    const statuses = answers.filter(({ kind }) => kind === 7000).map((event) => event.tagValue('status'));
    expect(statuses.toSorted()).toEqual(['partial', 'processing']);
  });

  it('JOB-18 is asked by us: it reads our request and we read what it says and answers', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    const worker = await ndk(at.url, keys.provider);
    const requests = heard(worker, { kinds: [5000 as NDKKind], '#p': [pubkey] });
    const asking = await client([at.url]);
    const job = await asking.requestJob({
      kind: 5000,
      provider: pubkey,
      inputs: [{ data: 'double 21' }],
      params: { lang: 'en' },
      bidMsat: 1_000,
    });
    await eventually(() => expect(requests).toHaveLength(1));
    const request = NDKDVMRequest.from(requests[0] ?? new NDKEvent());
    expect(request.tags.filter(([name]) => name === 'i')).toEqual([['i', 'double 21', 'text']]);
    expect(request.getParam('lang')).toBe('en');
    expect(request.bid).toBe(1_000);
    await request.createFeedback('processing').publish();
    await eventually(() => expect(job.state).toBe('processing'));
    const result = new NDKDVMJobResult(worker);
    result.kind = 6000 as NDKKind;
    result.jobRequest = request;
    result.status = 'success';
    result.setAmount(500);
    result.content = '42';
    await result.publish();
    expect(await job.result).toMatchObject({
      content: '42',
      status: 'success',
      amountMsat: 500,
      provider: pubkey,
    });
  });

  it('JOB-18 JOB-4 asks us in secret, and can read the secret answer', async () => {
    const at = await relay();
    const { pubkey } = await person(keys.provider);
    await provider([at.url], (request) => `${request.inputs[0]?.data} ${request.params.lang}`);
    const customer = await ndk(at.url, keys.customer);
    const request = new NDKDVMRequest(customer);
    request.kind = 5000 as NDKKind;
    request.addInput('secret', 'text');
    request.addParam('lang', 'en');
    request.dvm = customer.getUser({ pubkey });
    await request.encryption(customer.getUser({ pubkey }));
    expect(request.tags.map(([name]) => name)).not.toContain('i');
    await request.sign();
    const answers = heard(customer, { kinds: [6000, 7000] as NDKKind[], '#e': [request.id] });
    await request.publish();
    await eventually(() => expect(answers.some(({ kind }) => kind === 6000)).toBe(true));
    expect(JSON.stringify(at.events({}))).not.toContain('"secret"');
    const answer = answers.find(({ kind }) => kind === 6000);
    await answer?.decrypt(customer.getUser({ pubkey }));
    expect(answer?.content).toBe('secret en');
  });
});
