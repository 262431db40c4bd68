import { describe, expect, it } from 'vitest';
import type { RoutingAlert } from '../src/index.ts';
import { dayMs, idOf, setUp, taskType } from './support/matrix.ts';
import { good, platform, start, verdict } from './support.ts';

describe('evaluating a platform', () => {
  it('RTM-1 knows a registered platform by task type, with nothing claimed', async () => {
    const { matrix } = setUp();
    await matrix.register({
      platform: platform(1),
      name: 'One\u202e',
      taskTypes: ['prose', 'code'],
      priceMsat: 900,
    });
    const entries = await matrix.entries();
    expect(entries.map((entry) => entry.taskType)).toEqual(['code', 'prose']);
    expect(entries[0]).toMatchObject({
      platformId: idOf(1),
      name: 'One',
      status: 'EVALUATING',
      trustScore: null,
      tier: 'none',
      score: null,
      successRate30d: null,
      cost: { medianMsat: null, listedMsat: 900 },
      posteriorMean: 0.5,
    });
    expect(await matrix.entry('code', platform(2))).toBeNull();
  });

  it('RTM-1 registers the same words once, and changed words again, also when they change back', async () => {
    const { matrix, store } = setUp();
    const register = (priceMsat: number) =>
      matrix.register({ platform: platform(1), taskTypes: ['code'], priceMsat });
    expect([await register(1), await register(1), await register(2), await register(1)]).toEqual([
      { recorded: true },
      { recorded: false },
      { recorded: true },
      { recorded: true },
    ]);
    expect(await store.readAfter(0, 10)).toHaveLength(3);
    expect((await matrix.entry('code', platform(1)))?.cost.listedMsat).toBe(1);
  });

  it('RTM-3 RTM-4 turns three good attempts into an active platform that starts at .60', async () => {
    const { matrix, benchmark } = setUp();
    expect((await benchmark(1)).entry).toMatchObject({ status: 'EVALUATING', attempts: 1, trustScore: null });
    await benchmark(1);
    const { entry } = await benchmark(1);
    expect(entry).toMatchObject({
      status: 'ACTIVE',
      trustScore: 0.6,
      score: 1,
      tier: 'tertiary',
      attempts: 0,
    });
    // Untried in production: third tier, whatever its trust.
    expect(await matrix.entry(taskType, platform(1))).toEqual(entry);
  });

  it('RTM-4 starts an exceptional one at .75, measured against what is usual', async () => {
    const { benchmark } = setUp({ config: { baselines: { code: { latencyMs: 1_000 } } } });
    await benchmark(1, good({ latencyMs: 300 }));
    await benchmark(1, good({ latencyMs: 499 }));
    expect((await benchmark(1, good({ latencyMs: 2_000 }))).entry.trustScore).toBe(0.75);
  });

  it('RTM-2 adapts what is usual to what was seen, and lets failures say nothing about it', async () => {
    const { matrix, benchmark } = setUp();
    for (let i = 0; i < 5; i += 1) await benchmark(9, verdict('FAILURE', 0, { latencyMs: 1 }));
    for (let i = 0; i < 5; i += 1) await benchmark(2, good({ latencyMs: 1_000 }));
    for (let i = 0; i < 3; i += 1) await benchmark(1, good({ latencyMs: 400 }));
    const one = await matrix.entry(taskType, platform(1));
    expect(one).toMatchObject({
      trustScore: 0.75,
      performanceTier: 'FAST',
      annotations: ['fast', 'reliable'],
    });
  });

  it('RTM-3 keeps a half-good one conditional and sends a bad one away', async () => {
    const { benchmark } = setUp();
    await benchmark(1, verdict('FAILURE', 0.4));
    await benchmark(1);
    expect((await benchmark(1, verdict('FAILURE', 0.4))).entry).toMatchObject({
      status: 'CONDITIONAL',
      trustScore: 0.45,
    });
    for (let i = 0; i < 2; i += 1) await benchmark(2, verdict('FAILURE', 0));
    const { entry } = await benchmark(2, verdict('ERROR', 0));
    expect(entry).toMatchObject({ status: 'REJECTED', trustScore: null, failedEvaluations: 1 });
    expect(entry.cooldownUntilAt).toBe(start + 30 * dayMs);
  });

  it('RTM-12 evaluates a rejected platform from the start, and only after its cooldown', async () => {
    const { clock, benchmark } = setUp();
    const reject = async () => {
      await benchmark(1, verdict('PARTIAL', 0.8));
      await benchmark(1, verdict('FAILURE', 0.3));
      return (await benchmark(1, verdict('FAILURE', 0.3))).entry;
    };
    expect((await reject()).cooldownUntilAt).toBe(start + dayMs);
    clock.advance(dayMs - 1);
    expect((await benchmark(1)).entry).toMatchObject({ status: 'REJECTED', attempts: 0 });
    clock.advance(1);
    expect((await benchmark(1)).entry).toMatchObject({ status: 'EVALUATING', attempts: 1 });
    await benchmark(1);
    expect((await benchmark(1)).entry).toMatchObject({ status: 'ACTIVE', trustScore: 0.6 });
  });

  it('RTM-4 adds less for each further benchmark, and starts over after a failed one', async () => {
    const { benchmark, qualify } = setUp();
    await qualify(1);
    const trust = async (judged = good()) => (await benchmark(1, judged)).entry.trustScore;
    expect([await trust(), await trust(), await trust()]).toEqual([0.75, 0.825, 0.8625]);
    expect(await trust(verdict('FAILURE', 0.8))).toBe(0.7625);
    expect(await trust()).toBe(0.83125);
  });

  it('RTM-5 blacklists the operator, in every task type and with every service, also later ones', async () => {
    const { matrix, benchmark, qualify } = setUp();
    const alerts: RoutingAlert[] = [];
    matrix.on('alert', (alert) => alerts.push(alert));
    await qualify(1);
    await matrix.register({ platform: platform(1, 'second'), taskTypes: ['prose'] });
    await benchmark(1, verdict('SECURITY_VIOLATION', 1), 'math');
    await matrix.register({ platform: platform(1, 'third'), taskTypes: ['code'] });
    const entries = await matrix.entries();
    expect(entries).toHaveLength(4);
    for (const entry of entries) {
      expect(entry).toMatchObject({ status: 'BLACKLISTED', trustScore: 0, tier: 'none' });
    }
    expect(alerts.map(({ type }) => type)).toEqual(['blacklisted', 'blacklisted', 'blacklisted']);
    // Nothing brings it back.
    await qualify(1);
    expect((await matrix.entry(taskType, platform(1)))?.status).toBe('BLACKLISTED');
    expect((await matrix.select({ taskType })).picks).toEqual([]);
  });
});
