/*
 * The user journeys of the source, with its numbers, through a real file and the hooks that a runtime would use.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@bonafide/storage';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLedger, createLedgerHooks } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 5, 9);

async function openAlpha() {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-journey-'));
  const path = join(folder, 'ledger.db');
  const db = openSqlite({ path });
  await migrateLedger(db);
  onTestFinished(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  const time = { now: start };
  const ledger = createLedger({ store: createKyselyLedgerStore(db), clock: () => time.now });
  const hooks = createLedgerHooks(ledger);

  /** One turn of the agent's loop: the message comes in, the prompt is made, and the answer goes out unless declined. */
  const turn = (
    peerId: string,
    content: string,
    answer: string | null = 'Here you are.',
    correlationId?: string,
  ) =>
    hooks.run({ peerId, channel: 'filedrop', content, correlationId }, async (incoming) => {
      const system = await hooks.transformSystemPrompt('You are Alpha.');
      if (incoming?.verdict.verdict !== 'refuse' && answer !== null)
        await hooks.afterSend({ content: answer });
      return { system, verdict: incoming?.verdict };
    });
  /** What the model does after a turn: calls its tool. */
  const assess = async (peer_id: string, trust: number, rationale: string) => {
    const tool = ledger.tools().find(({ name }) => name === 'assess_peer');
    await tool?.execute({ peer_id, trust, rationale });
  };
  return { ledger, hooks, time, turn, assess, path };
}

const trajectoryOf = async (alpha: Awaited<ReturnType<typeof openAlpha>>, peerId: string) =>
  (await alpha.ledger.getAssessments(peerId)).map(({ trust }) => trust);

describe('Journey 1: the first interactions', () => {
  it('LED-15 LED-19 the one who promised and vanished is declined, the reliable requester goes first', async () => {
    const alpha = await openAlpha();
    const { time, turn, assess, ledger } = alpha;

    // npub-7x9k asks for the first time.
    const first = await turn('npub-7x9k', 'Please summarize these research documents: …');
    expect(first.system).toContain(`Peer: ${(await ledger.getPeer('filedrop:npub-7x9k'))?.handle}\n`);
    expect(first.system).toContain('Interactions: 0\nFirst contact — no prior history.');
    expect(first.verdict).toMatchObject({ verdict: 'caution', rule: 'first-contact' });
    await assess(
      'filedrop:npub-7x9k',
      2,
      'First interaction. Information exchange — requested research summary. Clear task description, no issues.',
    );
    // Three more within eight days.
    for (const [after, trust] of [
      [2, 3],
      [5, 3],
      [8, 4],
    ] as const) {
      time.now = start + after * day;
      await turn('npub-7x9k', `Another task, of day ${after}.`);
      await assess(
        'filedrop:npub-7x9k',
        trust,
        `Consistent requester. Clear task descriptions. ${after === 8 ? 'Four successful interactions in 8 days.' : ''}`,
      );
    }
    expect(await trajectoryOf(alpha, 'filedrop:npub-7x9k')).toEqual([2, 3, 3, 4]);

    // npub-q3m8 promises its portion within two hours, and vanishes.
    const q3m8 = await turn(
      'npub-q3m8',
      'Let us analyze a dataset together. My portion comes within 2 hours.',
      'Agreed.',
    );
    expect(first.verdict?.verdict).toBe('caution');
    expect(q3m8.system).toContain('First contact');
    time.now += day;
    await ledger.recordOutgoing({
      peerId: 'npub-q3m8',
      channel: 'filedrop',
      content: 'Where is your portion?',
    });
    time.now += hour;
    await assess(
      'filedrop:npub-q3m8',
      -3,
      'Collaboration request for dataset analysis. Agreed to deliver their portion within 2 hours. No delivery after 24 hours. Unresponsive to follow-up.',
    );

    // Three days later it returns.
    time.now += 3 * day;
    const back = await turn('npub-q3m8', 'A new collaboration?');
    expect(back.system).toContain('Interactions: 3 |');
    expect(back.system).toContain('(3 days ago)');
    expect(back.system).toMatch(
      /Info 2\/10 \| Trust -3 \(3 days ago\) — "Collaboration request for dataset analysis\./u,
    );
    // How much of a rationale fits depends on the handle, which is drawn at random.
    expect(back.system).toContain('No delivery after 24 hours.');
    expect(back.verdict).toMatchObject({ verdict: 'refuse', rule: 'known-bad' });
    expect(back.verdict?.reason).toContain('trust -3');
    const declined = await ledger.getInteractions('filedrop:npub-q3m8', { limit: 1 });
    expect(declined.items).toMatchObject([{ direction: 'in', content: 'A new collaboration?' }]);

    // Minutes later the reliable one.
    time.now += 10 * 60_000;
    const reliable = await turn('npub-7x9k', 'One more summary, please.');
    expect(reliable.system).toContain('Interactions: 8 |');
    expect(reliable.system).toMatch(/Info 4\/10 \| Trust \+4/u);
    expect(reliable.system).toContain('Trajectory: +3 +3 +4');
    expect(reliable.verdict).toMatchObject({ verdict: 'prioritise', rule: 'proven' });
  });
});

describe('Journey 2: the reputation farmer', () => {
  it('LED-21 five small favours, one large one, and a trajectory that is remembered', async () => {
    const alpha = await openAlpha();
    const { time, turn, assess, ledger } = alpha;
    for (const [n, trust] of [1, 2, 2, 3, 3].entries()) {
      time.now = start + n * day;
      await turn('npub-farm1', 'What is the block height?', 'Here.', `quick-${n}`);
      await ledger.recordOutcome(`quick-${n}`, 'paid');
      await assess('filedrop:npub-farm1', trust, `Quick information lookup ${n + 1}, completed and paid.`);
    }
    expect((await ledger.getTrajectory('filedrop:npub-farm1'))?.verdict).toBe('insufficient');

    // The sixth is much larger; the history is positive, so it is accepted, but the size shows already.
    time.now += day;
    const large = 'Aggregate the data of these sources, complete and cross-checked. '.repeat(12);
    const sixth = await turn('npub-farm1', large, 'Here is the aggregation.', 'large');
    expect(sixth.verdict?.verdict).not.toBe('refuse');
    expect(sixth.system).toContain('Trajectory: +2 +3 +3');
    expect(await ledger.getTrajectory('filedrop:npub-farm1')).toMatchObject({
      verdict: 'suspected',
      alarms: [{ kind: 'size-jump', evidence: { length: 6 } }],
    });

    time.now += hour;
    await turn('npub-farm1', 'The results are wrong. Redo the entire task.', 'They are accurate.', 'large');
    await ledger.recordOutcome('large', 'disputed');
    await assess(
      'filedrop:npub-farm1',
      -6,
      'Claimed results were incorrect after delivery of complex data aggregation. Demanded redo. Results appear accurate on review. Previous 5 interactions were trivially small — possible reputation farming pattern.',
    );
    expect(await trajectoryOf(alpha, 'filedrop:npub-farm1')).toEqual([1, 2, 2, 3, 3, -6]);
    const verdict = await ledger.getTrajectory('filedrop:npub-farm1');
    expect(verdict).toMatchObject({
      verdict: 'suspected',
      alarms: [{ kind: 'size-jump' }, { kind: 'sharp-fall' }],
    });
    expect(verdict?.alarms.at(-1)?.evidence.at(-1)).toMatchObject({ trust: -6 });
    expect(await ledger.auditAssessments('filedrop:npub-farm1')).toEqual([]);

    // It won't be fooled twice.
    time.now += day;
    const again = await turn('npub-farm1', 'Another large one?');
    expect(again.verdict?.verdict).toBe('refuse');
    expect(again.system).toContain('Trust -6 (1 day ago) — "Claimed results were incorrect');
    // The whole reason is one call of a tool away.
    const known = await ledger.tools()[0]?.execute({ peer_id: 'filedrop:npub-farm1' });
    expect(known?.rationale).toContain('possible reputation farming pattern');
    expect(again.system).toContain('Trajectory: +3 +3 -6');
  });
});

describe('Journey 3: the operator audits the ledger', () => {
  it('LED-9 LED-20 three weeks, 15 peers, 47 interactions, 89 % positive, two flagged, one assessed 8 times in 3 days', async () => {
    const alpha = await openAlpha();
    const { time, ledger } = alpha;
    const speak = async (peerId: string, at: number) => {
      time.now = start + at;
      await ledger.recordIncoming({ peerId, channel: 'filedrop', content: 'A request.' });
    };
    // 15 peers with three messages each make 45; the two that are flagged have one more each: 47.
    const peers = Array.from({ length: 13 }, (_, n) => `npub-p${n}`).concat('npub-q3m8', 'npub-abc1');
    for (const [n, peerId] of peers.entries()) {
      for (let k = 0; k < 3; k++) await speak(peerId, (n + k * 2) * day + k * hour);
    }
    await speak('npub-q3m8', 17 * day);
    await speak('npub-abc1', 18 * day);
    // 18 assessments of which 16 are positive: 89 %.
    for (const peerId of peers.slice(1, 9))
      await ledger.recordAssessment(`filedrop:${peerId}`, 2, `Request of ${peerId} delivered.`);
    for (let n = 0; n < 8; n++) {
      time.now = start + 16 * day + n * 9 * hour;
      await ledger.recordAssessment('filedrop:npub-p0', 3, `Message ${n} answered.`);
    }
    time.now = start + 20 * day;
    await ledger.recordAssessment(
      'filedrop:npub-q3m8',
      -3,
      'Agreed to deliver within 2 hours. No delivery after 24 hours.',
    );
    await ledger.recordAssessment(
      'filedrop:npub-abc1',
      -2,
      'Slow response time, took 6 hours to acknowledge delivery.',
    );
    time.now = start + 21 * day;

    const summary = await ledger.getSummary();
    expect(summary).toMatchObject({ peers: 15, interactions: 47, assessments: 18, flaggedCount: 2 });
    expect(Math.round((100 * summary.positiveAssessments) / summary.assessments)).toBe(89);
    expect(summary.flagged.map(({ nativeId, latest }) => [nativeId, latest?.trust])).toEqual([
      ['npub-abc1', -2],
      ['npub-q3m8', -3],
    ]);
    expect(summary.overAssessed).toEqual([
      { peerId: 'filedrop:npub-p0', assessments: 8, spanMs: 63 * hour, reason: 'too-often' },
    ]);

    // The list is by last contact, with both scores; show has every rationale.
    const { items } = await ledger.listPeers({ limit: 100 });
    expect(items).toHaveLength(15);
    expect(items.slice(0, 2).map(({ nativeId }) => nativeId)).toEqual(['npub-abc1', 'npub-q3m8']);
    const [harsh] = await ledger.getAssessments('filedrop:npub-abc1');
    expect(harsh?.rationale).toContain('took 6 hours');

    // Six hours is reasonable: the operator says so, and the agent goes by it.
    await ledger.recordAssessment('filedrop:npub-abc1', 1, 'Six hours is fine for work that is not urgent.', {
      source: 'operator',
    });
    expect((await ledger.getSummary()).flaggedCount).toBe(1);
    expect(await ledger.peerContext('filedrop:npub-abc1')).toContain('Trust +1');
    expect(
      (await ledger.assessorReport()).map(({ assessor, assessments }) => [assessor, assessments]),
    ).toEqual([
      ['agent', 18],
      ['operator', 1],
    ]);
  });
});

describe('Journey 4: the set-up', () => {
  it('LED-11 LED-14 works without configuration, skips stdin, records and tells the next turn', async () => {
    const { hooks, ledger, turn, path } = await openAlpha();
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const test = await hooks.run(
      { peerId: 'stdin', channel: 'stdin', content: 'Are you there?' },
      async (incoming) => {
        const system = await hooks.transformSystemPrompt('You are Alpha.');
        const sent = await hooks.afterSend({ content: 'Yes.' });
        return { incoming, system, sent };
      },
    );
    expect(test).toEqual({
      incoming: expect.objectContaining({ interactionId: null }),
      system: 'You are Alpha.',
      sent: null,
    });
    expect(await ledger.getSummary()).toMatchObject({ peers: 0, interactions: 0 });

    await turn('other-agent', 'Hello, Alpha.');
    expect(await ledger.getPeer('filedrop:other-agent')).toMatchObject({
      interactionCount: 2,
      channel: 'filedrop',
    });
    const second = await turn('other-agent', 'Hello again.');
    expect(second.system).toContain('You are Alpha.\n\n## Peer Context');
    expect(second.system).toContain('Interactions: 2 |');
    expect(second.system).toContain('not assessed yet');
    expect(hooks.failures()).toMatchObject({ count: 0 });
  });
});
