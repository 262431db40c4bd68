import { describe, expect, it } from 'vitest';
import { createEventBuffer } from '../src/observe/event-buffer.ts';
import { createHooks } from '../src/observe/hooks.ts';

function observed(capacity = 100) {
  const buffer = createEventBuffer(capacity);
  const failures: unknown[] = [];
  let calls = 0;
  const hooks = createHooks({
    buffer,
    clock: () => 42,
    onObserved: () => {
      calls += 1;
    },
    onFailure: (error) => failures.push(error),
  });
  return { buffer, hooks, failures, calls: () => calls };
}

describe('hooks', () => {
  it('CTX-1 keep metadata and no text', () => {
    const { buffer, hooks } = observed();
    hooks.onMessage({ peerId: 'p', channel: 'nostr', content: 'a secret' });
    hooks.afterSend({ peerId: 'p', content: 'an answer', at: 7 });
    hooks.afterLlm({ inputTokens: 10, outputTokens: 5 });
    hooks.afterTool({ name: 'query_peer', peerId: 'p' });
    const events = buffer.snapshot();
    expect(events).toEqual([
      {
        kind: 'message',
        direction: 'in',
        peerId: 'p',
        channel: 'nostr',
        correlationId: null,
        size: 8,
        at: 42,
      },
      { kind: 'message', direction: 'out', peerId: 'p', channel: null, correlationId: null, size: 9, at: 7 },
      { kind: 'llm', inputTokens: 10, outputTokens: 5, at: 42 },
      { kind: 'tool', name: 'query_peer', peerId: 'p', at: 42 },
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('CTX-1 never throw, never change what they are given, return nothing', () => {
    const { hooks, failures } = observed();
    const trap = {
      get peerId(): string {
        throw new Error('trap');
      },
    };
    const frozen = Object.freeze({ peerId: 'p', content: 'c' });
    expect(hooks.onMessage(frozen)).toBeUndefined();
    for (const wrong of [trap, {}, null, undefined, 7, { peerId: '' }]) {
      expect(() => hooks.onMessage(wrong as never)).not.toThrow();
      expect(() => hooks.afterTool(wrong as never)).not.toThrow();
      expect(() => hooks.afterLlm(wrong as never)).not.toThrow();
    }
    expect(failures.length).toBeGreaterThan(5);
  });

  it('CTX-1 CTX-5 keep no text of any length that a peer chose, and no time that a peer claimed far from now', () => {
    const { buffer, hooks, failures } = observed();
    const long = 'x'.repeat(2_000);
    hooks.onMessage({
      peerId: 'p',
      channel: long,
      correlationId: long,
      at: -1e12,
      size: Number.POSITIVE_INFINITY,
    });
    hooks.onMessage({ peerId: 'p', at: 1e300 });
    hooks.onMessage({ peerId: 'p', at: Number.NaN });
    hooks.onMessage({ peerId: 'p', at: '1' as never });
    hooks.afterTool({ name: long, peerId: long });
    hooks.onMessage({ peerId: long });
    expect(failures).toHaveLength(1);
    const events = buffer.snapshot();
    expect(JSON.stringify(events).length).toBeLessThan(1_000);
    expect(events[0]).toMatchObject({ channel: null, correlationId: null, size: 0, at: 42 - 3_600_000 });
    expect(events.slice(1, 4).map(({ at }) => at)).toEqual([42 + 300_000, 42, 42]);
  });

  it('CTX-1 a listener that throws is counted and harms nobody', () => {
    const failures: unknown[] = [];
    const hooks = createHooks({
      buffer: createEventBuffer(10),
      clock: () => 0,
      onObserved: () => {
        throw new Error('boom');
      },
      onFailure: (error) => failures.push(error),
    });
    expect(() => hooks.onMessage({ peerId: 'p' })).not.toThrow();
    expect(failures).toHaveLength(1);
  });
});

describe('the event buffer', () => {
  it('CTX-1 is bounded: the oldest is dropped and counted', () => {
    const { buffer, hooks } = observed(3);
    for (let n = 0; n < 10; n += 1) hooks.onMessage({ peerId: `p${n}` });
    hooks.afterLlm({});
    expect([buffer.size, buffer.interactions, buffer.dropped]).toEqual([3, 2, 8]);
    expect(buffer.snapshot().map((event) => ('peerId' in event ? event.peerId : event.kind))).toEqual([
      'p8',
      'p9',
      'llm',
    ]);
  });

  it('CTX-1 CTX-24 takes another capacity: a smaller one drops the oldest, a larger one holds more', () => {
    const { buffer, hooks } = observed(5);
    for (let n = 0; n < 7; n += 1) hooks.onMessage({ peerId: `p${n}` });
    buffer.resize(2);
    expect([buffer.size, buffer.dropped]).toEqual([2, 5]);
    buffer.resize(4);
    for (let n = 7; n < 9; n += 1) hooks.onMessage({ peerId: `p${n}` });
    expect([buffer.size, buffer.dropped, buffer.interactions]).toEqual([4, 5, 4]);
    expect(buffer.snapshot().map((event) => ('peerId' in event ? event.peerId : ''))).toEqual([
      'p5',
      'p6',
      'p7',
      'p8',
    ]);
  });

  it('CTX-7 gives a failed cycle its events back in front of those that came since', () => {
    const { buffer, hooks } = observed(3);
    for (const peerId of ['a', 'b']) hooks.onMessage({ peerId });
    const taken = buffer.snapshot();
    expect(buffer.size).toBe(0);
    for (const peerId of ['c', 'd']) hooks.onMessage({ peerId });
    buffer.giveBack(taken);
    expect(buffer.snapshot().map((event) => ('peerId' in event ? event.peerId : ''))).toEqual([
      'b',
      'c',
      'd',
    ]);
    expect(buffer.dropped).toBe(1);
  });
});
