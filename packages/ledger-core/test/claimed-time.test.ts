import { measured } from '@bonafide/internal/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampClaimedTime, latestTime } from '../src/claimed-time.ts';
import {
  createLedger,
  createMemoryLedgerStore,
  type EvidenceBundle,
  infoScoreOfEvidence,
} from '../src/index.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);

function setUp() {
  const time = { now: start };
  const ledger = createLedger({ store: createMemoryLedgerStore(), clock: () => time.now });
  const record = (fields: object) =>
    ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi', ...fields });
  const timesOf = async () =>
    (await ledger.getConversation('irc:bob')).items.map(({ createdAt, receivedAt }) => [
      createdAt,
      receivedAt,
    ]);
  return { ledger, time, record, timesOf };
}

describe('times that a peer claims', () => {
  it('LED-32 are clamped to an hour before and five minutes after now, and stored beside the time of receipt', async () => {
    const { record, timesOf } = setUp();
    const claims = [0, start - 2 * hour, start - hour, start - 1, start, start + 300_000, start + 300_001];
    for (const at of [...claims, 8.64e15, Number.MAX_SAFE_INTEGER]) await record({ at });
    const accepted = [start - hour, start - hour, start - hour, start - 1, start];
    const ahead = Array(4).fill(start + 300_000);
    expect(await timesOf()).toEqual([...accepted, ...ahead].map((at) => [at, start]));
  });

  it('LED-32 cannot lengthen a history: one back-dated message and eighty now', async () => {
    const { ledger, record } = setUp();
    await record({ at: start - 400 * day });
    for (let n = 0; n < 80; n++) await record({});
    expect((await ledger.getPeer('irc:bob'))?.infoScoreNow).toBeLessThanOrEqual(3);
  });

  it('LED-32 are counted and told', async () => {
    const told: object[] = [];
    const found = await measured(async () => {
      const { ledger, record } = setUp();
      ledger.on('afterClamp', (event) => told.push(event));
      expect(await record({ at: 5, externalId: 'a' })).toMatchObject({ clamped: true });
      expect(await record({ at: 5, externalId: 'a' })).not.toHaveProperty('clamped');
      expect(await record({ at: start })).not.toHaveProperty('clamped');
    });
    expect(found['bonafide.ledger.clamped_times']).toBe(1);
    expect(told).toMatchObject([{ peerId: 'irc:bob', claimedAt: 5, createdAt: start - hour }]);
  });

  it('LED-32 are taken as they are when the host imports what it received earlier', async () => {
    const { record, timesOf } = setUp();
    await record({ at: start - 400 * day, backfill: true });
    await record({ at: latestTime, backfill: true });
    expect(await timesOf()).toEqual([
      [start - 400 * day, start],
      [latestTime, start],
    ]);
    await expect(record({ at: latestTime + 1, backfill: true })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('LED-32 nothing is stored beyond the year 9999, whatever the clock says', async () => {
    const { ledger, time, record, timesOf } = setUp();
    time.now = 9e15;
    await record({ correlationId: 'job' });
    expect((await timesOf())[0]?.[0]).toBe(latestTime);
    expect((await ledger.recordOutcome('job', 'paid', { at: latestTime + 1 })).createdAt).toBe(latestTime);
  });

  it('LED-32 stay within the window, and unchanged inside it', () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(latestTime), (claimed, received) => {
        const at = clampClaimedTime(claimed, received);
        expect(at).toBeGreaterThanOrEqual(Math.max(0, received - hour));
        expect(at).toBeLessThanOrEqual(Math.min(latestTime, received + 300_000));
        expect(clampClaimedTime(at, received)).toBe(at);
      }),
    );
  });

  it('LED-32 give a third party the same infoScore', async () => {
    const { ledger, time, record } = setUp();
    const event = (id: string, at: number) => ({ id, created_at: Math.floor(at / 1000) });
    for (let n = 0; n < 20; n++) {
      time.now += 6 * hour;
      // Every second message claims to be from last year.
      const at = n % 2 ? time.now - 365 * day : time.now;
      await record({ at, evidence: event(`e${n}`, at) });
    }
    const bundle = (await ledger.exportEvidence('irc:bob')) as EvidenceBundle;
    expect(infoScoreOfEvidence(bundle)).toBe(bundle.claimed.infoScore);
    expect(infoScoreOfEvidence({ ...bundle, receivedAt: undefined } as never)).toBeGreaterThan(
      bundle.claimed.infoScore,
    );

    await record({ at: start - 365 * day, backfill: true, evidence: event('old', start - 365 * day) });
    const imported = (await ledger.exportEvidence('irc:bob')) as EvidenceBundle;
    expect(infoScoreOfEvidence(imported)).toBe(imported.claimed.infoScore);
    expect(imported.claimed.infoScore).toBeGreaterThan(bundle.claimed.infoScore);
  });
});
