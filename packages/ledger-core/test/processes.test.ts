import { runChild } from '@bonafide/internal/testing';
import { testDatabases } from '@bonafide/storage/testing';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLedger, type Ledger } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';

interface Changes {
  readonly recorded: number;
  readonly voided: boolean;
  readonly value: string;
  readonly erased: number;
}

/** Starts a process that does the same as the other one. */
function start(url: string, name: string) {
  const child = runChild(new URL('support/write-beside.ts', import.meta.url), [url, name]);
  onTestFinished(child.stop);
  return child;
}

/** Waits for the end of a process, and returns what it has changed. */
async function changesOf(child: ReturnType<typeof start>): Promise<Changes> {
  expect(await child.ended).toBe(0);
  return JSON.parse(child.output()) as Changes;
}

/** Expects each message, outcome and peer once, and an erased peer that has left its count. */
async function expectWhole(ledger: Ledger, assessments: number): Promise<void> {
  const { items: all } = await ledger.listPeers();
  const items = all.filter(({ channel }) => channel === 'nostr');
  const tombstones = all.filter(({ channel }) => channel === 'erased');
  const erased = tombstones.reduce((sum, { interactionCount }) => sum + interactionCount, 0);
  expect(await ledger.getSummary()).toMatchObject({ interactions: 40 + erased, assessments });
  expect(items.map(({ violationCount }) => violationCount)).toEqual([0, 0, 0, 0]);
  expect(items.map((peer) => [peer.interactionCount, peer.successCount])).toEqual(Array(4).fill([10, 10]));
  expect(new Set(items.map(({ handle }) => handle)).size).toBe(4);
  for (const { handle, peerId } of items) expect((await ledger.resolvePeer(handle))?.peerId).toBe(peerId);
}

const shared = testDatabases().filter(({ name }) => name === 'Postgres' || name === 'node:sqlite');

describe.each(shared)('two processes of one agent on $name', ({ open }) => {
  it('X-20 record each message once, count right, and show the same handles', async () => {
    const { db, url, close } = await open();
    onTestFinished(close);
    await migrateLedger(db);
    const news = await Promise.all(['one', 'two'].map((name) => changesOf(start(url ?? '', name))));
    const [one, other] = news;
    expect((one?.recorded ?? 0) + (other?.recorded ?? 0)).toBe(40);
    expect(news.filter(({ voided }) => voided)).toHaveLength(1);
    expect(one?.value).toBe(other?.value);
    // Erased by one process, or recorded and erased by each, one after the other.
    expect([1, 2]).toContain((one?.erased ?? 0) + (other?.erased ?? 0));
    await expectWhole(createLedger({ store: createKyselyLedgerStore(db) }), 8);
  });

  it('X-20 LED-23 leave whole records when one is killed half-way, which the other one completes', async () => {
    const { db, url, close } = await open();
    onTestFinished(close);
    await migrateLedger(db);
    const killed = start(url ?? '', 'killed');
    const other = start(url ?? '', 'other');
    const written = async () =>
      Number((await sql<{ n: number }>`select count(*) as n from ledger_outcomes`.execute(db)).rows[0]?.n);
    await expect.poll(written, { timeout: 500_000, interval: 1 }).toBeGreaterThan(4);
    killed.process.kill('SIGKILL');
    // On a fast machine it may have ended.
    expect(['SIGKILL', 0]).toContain(await killed.ended);
    const { voided } = await changesOf(other);
    const heir = await changesOf(start(url ?? '', 'heir'));
    expect(heir).toMatchObject({ recorded: 0 });
    expect(voided && heir.voided).toBe(false);
    const ledger = createLedger({ store: createKyselyLedgerStore(db) });
    const { assessments } = await ledger.getSummary();
    expect(assessments).toBeGreaterThanOrEqual(8);
    await expectWhole(ledger, assessments);
  });
});
