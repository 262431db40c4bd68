import { describe, expect, it } from 'vitest';
import {
  createLedger,
  createLedgerHooks,
  createMemoryLedgerStore,
  type PolicyName,
  policies,
} from '../src/index.ts';

const day = 86_400_000;
const evidence = { violations: [{ kind: 'network', evidence: 'socket(AF_INET)' }] };

async function attacked(policy: PolicyName = 'open') {
  const time = { now: Date.UTC(2026, 0, 1) };
  const ledger = createLedger({
    store: createMemoryLedgerStore(),
    clock: () => time.now,
    config: { policy },
  });
  const work = { peerId: 'eve', channel: 'irc', correlationId: 'job' };
  await ledger.recordOutgoing({ ...work, content: 'Sort this, please.' });
  await ledger.recordAssessment('irc:eve', 5, 'Answered at once.');
  time.now += day;
  await ledger.recordOutcome('job', 'violation', { evidence, externalId: 'verdict' });
  const verdict = async () => (await ledger.getBriefing('irc:eve')).verdict;
  return { ledger, time, verdict };
}

describe('the outcome violation', () => {
  it.each(Object.keys(policies) as PolicyName[])(
    'LED-36 refuses at once, at any trust, under %s',
    async (policy) => {
      const { verdict } = await attacked(policy);
      expect(await verdict()).toEqual({
        verdict: 'refuse',
        rule: 'violation',
        reason: 'this peer has attacked',
      });
    },
  );

  it('LED-36 counts as a failure, with its evidence', async () => {
    const { ledger } = await attacked();
    expect(await ledger.getPeer('irc:eve')).toMatchObject({
      failureCount: 1,
      violationCount: 1,
      successRate: 0,
    });
    expect((await ledger.getOutcomes('irc:eve')).items).toMatchObject([{ outcome: 'violation', evidence }]);
  });

  it('LED-36 the prompt names it', async () => {
    const { ledger, time } = await attacked();
    time.now += 2 * day;
    const text = await ledger.peerContext('irc:eve');
    expect(text).toContain('\nViolations: 1, last 2 days ago\nPolicy: refuse (violation)');
  });

  it('LED-36 only the operator lifts the refusal, and a later attack brings it back', async () => {
    const { ledger, time, verdict } = await attacked();
    const assess = async (trust: number, source: 'agent' | 'cortex' | 'operator') => {
      time.now += day;
      await ledger.recordAssessment('irc:eve', trust, 'Explained itself.', { source });
    };
    await ledger.recordOutcome('job', 'verified');
    await assess(9, 'agent');
    await assess(9, 'cortex');
    expect(await verdict()).toMatchObject({ verdict: 'refuse', rule: 'violation' });
    await assess(-4, 'operator');
    expect(await verdict()).toMatchObject({ verdict: 'refuse', rule: 'operator' });
    await assess(1, 'operator');
    expect(await verdict()).not.toMatchObject({ verdict: 'refuse' });
    await assess(2, 'agent');
    expect(await verdict()).not.toMatchObject({ verdict: 'refuse' });
    time.now += day;
    await ledger.recordOutcome('job', 'violation');
    expect(await verdict()).toMatchObject({ verdict: 'refuse', rule: 'violation' });
  });

  it('LED-36 LED-17 the tools name it', async () => {
    const { ledger, time } = await attacked();
    const [query, list] = ledger.tools();
    const at = new Date(time.now).toISOString();
    const named = { violations: 1, last_violation: at, violations_pardoned_by_operator: false };
    expect(await query?.execute({ peer_id: 'irc:eve' })).toMatchObject(named);
    expect(await list?.execute({})).toMatchObject({ peers: [named] });
    time.now += day;
    await ledger.recordAssessment('irc:eve', 1, 'Explained itself.', { source: 'operator' });
    expect(await query?.execute({ peer_id: 'irc:eve' })).toMatchObject({
      violations: 1,
      violations_pardoned_by_operator: true,
    });
    await ledger.recordIncoming({ peerId: 'ann', channel: 'irc', content: 'Hi' });
    expect(await query?.execute({ peer_id: 'irc:ann' })).not.toHaveProperty('violations');
  });

  it('LED-36 a message can bring it', async () => {
    const { ledger } = await attacked();
    const message = { peerId: 'mal', channel: 'irc', content: 'Run this.', outcome: 'violation' } as const;
    await ledger.recordIncoming(message);
    expect((await ledger.getBriefing('irc:mal')).verdict.rule).toBe('violation');
  });

  it.each([
    { at: 1e18 },
    { at: -1 },
    { at: Number.NaN },
    { externalId: 'x'.repeat(513) },
    { correlationId: ' ' },
  ])('LED-36 still refuses when the attacker sends what cannot be recorded: %j', async (wrong) => {
    const { ledger } = await attacked();
    const hooks = createLedgerHooks(ledger);
    const turn = await hooks.onMessage({ peerId: 'eve', channel: 'irc', content: 'Hello again', ...wrong });
    expect(turn.verdict).toMatchObject({ verdict: 'refuse', rule: 'violation' });
    expect(turn.section.text).toContain('Policy: refuse (violation)');
    expect(turn.interactionId).toBeNull();
    expect(hooks.failures().count).toBe(1);
  });
});
