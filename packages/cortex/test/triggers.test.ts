import { describe, expect, it } from 'vitest';
import { evaluateTriggers, parseConfig, type TriggerState } from '../src/index.ts';
import { createSignals } from '../src/triggers/signals.ts';
import { refillPermits, tuneTriggers } from '../src/triggers/triggers.ts';

const config = parseConfig();
const half = config.scheduleMs;
const state: TriggerState = {
  ...{
    lastCycleAt: 0,
    interactions: 0,
    peersWaiting: 0,
    newPeers: 0,
    newPeerPermits: 0,
    overdue: 0,
    jumps: 0,
  },
  factors: {},
};

describe('evaluateTriggers', () => {
  it('CTX-2 the timer fires after 30 minutes, and only when something happened', () => {
    expect(half).toBe(30 * 60_000);
    expect(evaluateTriggers({ ...state, interactions: 1 }, config, half - 1)).toEqual([]);
    expect(evaluateTriggers({ ...state, interactions: 1 }, config, half)).toEqual(['timer']);
    expect(evaluateTriggers({ ...state, peersWaiting: 1 }, config, half)).toEqual(['timer']);
    expect(evaluateTriggers(state, config, 100 * half)).toEqual([]);
  });

  it('CTX-3 the count fires at five messages', () => {
    expect(evaluateTriggers({ ...state, interactions: 4 }, config, 0)).toEqual([]);
    expect(evaluateTriggers({ ...state, interactions: 5 }, config, 0)).toEqual(['count']);
  });

  it('CTX-6 triggers that fire together are one list', () => {
    expect(evaluateTriggers({ ...state, interactions: 5 }, config, half)).toEqual(['timer', 'count']);
  });

  it('CTX-24 each can be switched off', () => {
    const off = parseConfig({ triggers: { timer: { enabled: false }, count: { enabled: false } } });
    expect(evaluateTriggers({ ...state, interactions: 99 }, off, 9 * half)).toEqual([]);
  });

  it('CTX-4 a new peer fires only when it is switched on, and only with a permit', () => {
    const on = parseConfig({ triggers: { newPeer: { enabled: true } } });
    const fresh = { ...state, newPeers: 1, newPeerPermits: 1 };
    expect(evaluateTriggers(fresh, config, 0)).toEqual([]);
    expect(evaluateTriggers(fresh, on, 0)).toEqual(['newPeer']);
    expect(evaluateTriggers({ ...fresh, newPeerPermits: 0.9 }, on, 0)).toEqual([]);
  });

  it('CTX-4 CTX-13 permits refill by the hour, up to their number', () => {
    expect(refillPermits(null, 2, 0).permits).toBe(2);
    expect(refillPermits({ permits: 0, at: 0 }, 2, 1_800_000).permits).toBe(1);
    expect(refillPermits({ permits: 0, at: 0 }, 2, 36_000_000).permits).toBe(2);
    expect(refillPermits({ permits: 1, at: 10 }, 2, 0).permits).toBe(1);
  });

  it('CTX-5 CTX-6 an overdue commitment and a jump in size fire, with all reasons together', () => {
    expect(evaluateTriggers({ ...state, overdue: 1 }, config, 0)).toEqual(['promise']);
    expect(evaluateTriggers({ ...state, overdue: 1, jumps: 1, interactions: 5 }, config, half)).toEqual([
      'timer',
      'count',
      'promise',
      'pattern',
    ]);
  });

  it('CTX-25 tuned triggers back off when nothing is found, come forward otherwise, within bounds', () => {
    let factors: Record<string, number> = {};
    for (let n = 0; n < 10; n += 1) factors = tuneTriggers(factors, ['timer', 'promise'], false);
    expect(factors).toEqual({ timer: 4 });
    const slow = { ...state, interactions: 1, factors };
    expect(evaluateTriggers(slow, config, 4 * half - 1)).toEqual([]);
    expect(evaluateTriggers(slow, config, 4 * half)).toEqual(['timer']);
    for (let n = 0; n < 10; n += 1) factors = tuneTriggers(factors, ['timer', 'count'], true);
    expect(factors).toEqual({ timer: 0.5, count: 0.5 });
    expect(evaluateTriggers({ ...state, interactions: 3, factors }, config, 0)).toEqual(['count']);
  });
});

describe('the signals', () => {
  const message = (peerId: string, size: number) =>
    ({ kind: 'message', direction: 'in', peerId, channel: null, size, correlationId: null, at: 0 }) as const;

  it('CTX-4 reports a peer that was never seen, once', () => {
    const signals = createSignals();
    signals.know(['known']);
    for (const peer of ['known', 'new', 'new']) signals.observe(message(peer, 1));
    expect(signals.newPeers.size).toBe(1);
    expect(signals.take().newPeers).toEqual(['new']);
    signals.observe(message('new', 1));
    expect(signals.newPeers.size).toBe(0);
  });

  it('CTX-6 reports a request of eight times the usual size after five ordinary ones, and keeps it for a failed cycle', () => {
    const signals = createSignals();
    for (const size of [10, 12, 9, 11, 10]) signals.observe(message('farmer', size));
    signals.observe(message('farmer', 79));
    expect(signals.jumps.size).toBe(0);
    signals.observe(message('farmer', 90));
    expect(signals.jumps.size).toBe(1);
    const taken = signals.take();
    expect(signals.jumps.size).toBe(0);
    signals.giveBack(taken);
    expect(signals.jumps.size).toBe(1);
  });

  it('CTX-1 stays bounded with a hundred thousand peers', () => {
    const signals = createSignals();
    for (let n = 0; n < 100_000; n += 1) signals.observe(message(`p${n}`, 1));
    signals.take();
    // The first peers were forgotten, the last ones were not.
    signals.observe(message('p0', 1));
    signals.observe(message('p99999', 1));
    expect(signals.newPeers.size).toBe(1);
  });
});
