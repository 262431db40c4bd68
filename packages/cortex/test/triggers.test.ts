import { describe, expect, it } from 'vitest';
import { evaluateTriggers, parseConfig } from '../src/index.ts';

const config = parseConfig();
const half = config.scheduleMs;
const state = { lastCycleAt: 0, interactions: 0, peersWaiting: 0 };

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
});
