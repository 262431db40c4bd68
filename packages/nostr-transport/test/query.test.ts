import { until } from '@bonafide/internal/testing';
import { describe, expect, it } from 'vitest';
import { isQueryDone } from '../src/reading/query.ts';
import { makeEvent, nowSeconds } from './support/events.ts';
import { makeRelay, makeTestRelay, makeTransport, sentTo } from './support/transports.ts';

describe('NET-1 queries', () => {
  it('NET-1 gives what several relays have, newest first, each once, and closes what it opened', async () => {
    const old = await makeEvent({ created_at: nowSeconds() - 100 });
    const recent = await makeEvent();
    const [one, two] = [await makeTestRelay(), await makeTestRelay()];
    for (const event of [old, recent]) one.publish(event);
    two.publish(recent);
    const transport = makeTransport();
    expect(await transport.query([one.url, two.url], [{ kinds: [1] }])).toEqual([recent, old]);
    for (const relay of [one, two]) {
      await until(() => sentTo(relay, 'CLOSE').length === sentTo(relay, 'REQ').length);
    }
  });

  it('NET-1 waits for a silent relay as long as it was told to, and no longer', async () => {
    const event = await makeEvent();
    const good = await makeTestRelay();
    good.publish(event);
    const silent = await makeTestRelay({ faults: { stall: 'messages' } });
    const transport = makeTransport();
    const both = [good.url, silent.url];
    expect(await transport.query(both, [{}], { timeoutMs: 10_000 })).toEqual([event]);
    expect(await transport.query(both, [{}], { timeoutMs: 240_000, graceMs: 50 })).toEqual([event]);
    expect(await transport.query([silent.url], [{}], { timeoutMs: 50 })).toEqual([]);
  });

  it('NET-1 does not wait for a relay that is down when another has answered, but does when none has', async () => {
    const event = await makeEvent();
    const good = await makeTestRelay();
    good.publish(event);
    const down = await makeRelay();
    await down.close();
    const transport = makeTransport();
    expect(await transport.query([good.url, down.url], [{}], { timeoutMs: 240_000 })).toEqual([event]);

    const waiting = makeTransport().query([down.url], [{}], { timeoutMs: 240_000 });
    const back = await makeTestRelay({ port: down.port });
    back.publish(event);
    expect(await waiting).toEqual([event]);
  });

  it('NET-1 X-8 rejects with the reason when aborted, before and during', async () => {
    const silent = await makeTestRelay({ faults: { stall: 'messages' } });
    const transport = makeTransport();
    const before = AbortSignal.abort(new Error('too late'));
    await expect(transport.query([silent.url], [{}], { signal: before })).rejects.toThrow('too late');
    const stop = new AbortController();
    const during = transport.query([silent.url], [{}], { signal: stop.signal, timeoutMs: 240_000 });
    stop.abort(new Error('enough'));
    await expect(during).rejects.toThrow('enough');
  });

  it('NET-1 is over at once where there is nothing to ask', async () => {
    const transport = makeTransport();
    expect(await transport.query([], [{}])).toEqual([]);
    expect(await transport.query(['wss://10.0.0.1'], [{}])).toEqual([]);
    expect(await transport.query(['ws://127.0.0.1:9'], [{ ids: [] }])).toEqual([]);
    await expect(transport.query([], [{ kinds: ['1' as never] }])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it.each([
    ['relays', 'wss://relay.example', [{}], 'relays: must be a list of addresses'],
    ['filters', ['wss://relay.example'], { kinds: [1] }, 'Filters are a list'],
    ['filters', ['wss://relay.example'], undefined, 'Filters are a list'],
  ])('NET-1 X-4 says that %s are a list', async (_, relays, filters, message) => {
    const transport = makeTransport();
    const wrong = { code: 'INVALID_INPUT', message: expect.stringContaining(message) };
    await expect(transport.query(relays as never, filters as never)).rejects.toMatchObject(wrong);
    expect(() => transport.subscribe(relays as never, filters as never, { onEvent() {} })).toThrow(message);
  });

  it('NET-1 decides when it is done', () => {
    expect(isQueryDone(['reading', 'read'])).toBe(false);
    expect(isQueryDone(['read', 'unreachable'])).toBe(true);
    expect(isQueryDone(['unreachable', 'unreachable'])).toBe(false);
    expect(isQueryDone(['unreachable', 'closed'])).toBe(false);
    expect(isQueryDone(['closed', 'closed'])).toBe(true);
  });
});
