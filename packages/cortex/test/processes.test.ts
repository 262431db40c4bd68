import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runChild } from '@bonafide/internal/testing';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { testDatabases } from '@bonafide/storage/testing';
import type { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCortex, createRuleReflector, type Reflector } from '../src/index.ts';
import { type CortexTables, createKyselyCortexState, migrateCortex } from '../src/stores/kysely.ts';

const script = join(import.meta.dirname, 'world/reflect-beside.ts');
const shared = testDatabases().filter(({ name }) => name === 'Postgres' || name === 'node:sqlite');
const times = 6;

/** Runs a process of the agent that reflects several times, and returns how many cycles it applied. */
async function reflecting(url: string, name: string): Promise<number> {
  const args = ['--conditions=@bonafide/source', script, url, name, String(times)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return Number(out);
}

/** Returns true while a process runs a cycle. */
async function isLeased(db: Kysely<CortexTables>): Promise<boolean> {
  return (await db.selectFrom('cortex_leases').select('holder').execute()).length > 0;
}

/** Makes the tables, and a ledger in which a peer has done one piece of work well. */
async function verifiedWork(db: Kysely<CortexTables>, clock: () => number) {
  await migrateLedger(db);
  await migrateCortex(db);
  const ledger = createLedger({ store: createKyselyLedgerStore(db), clock });
  const peerId = 'a'.repeat(64);
  await ledger.recordIncoming({ peerId, channel: 'nostr', content: 'x', correlationId: 'w' });
  await ledger.recordOutcome('w', 'verified');
  return { ledger, peerId };
}

describe.each(shared)('two processes of one agent on $name', ({ open }) => {
  it('X-20 CTX-30 run one cycle at a time, number them without gaps, and lose no change of either', async () => {
    const { db, url, close } = await open();
    try {
      await migrateLedger(db);
      await migrateCortex(db);
      const applied = await Promise.all([reflecting(url ?? '', 'a'), reflecting(url ?? '', 'b')]);
      const ledger = createLedger({ store: createKyselyLedgerStore(db) });
      const cortex = createCortex({
        ledger,
        reflector: createRuleReflector(),
        state: createKyselyCortexState(db),
      });
      await cortex.start();
      const history = cortex.history().toReversed();
      expect(history.map(({ cycle }) => cycle)).toEqual(history.map((_, index) => index + 1));
      expect(history.length).toBe((applied[0] ?? 0) + (applied[1] ?? 0));
      for (const [index, { startedAt }] of history.entries()) {
        const before = history[index - 1];
        if (before !== undefined)
          expect(startedAt).toBeGreaterThanOrEqual(before.startedAt + before.durationMs);
      }
      // One assessment for each of the twelve peers, whichever process came first.
      const { items } = await ledger.listPeers({ limit: 100 });
      expect(items).toHaveLength(2 * times);
      for (const { peerId } of items) expect(await ledger.getAssessments(peerId)).toHaveLength(1);
      expect(cortex.commitments()).toHaveLength(2 * times);
      expect(cortex.beliefs().filter(({ kind }) => kind === 'operator')).toHaveLength(2 * times);
      await cortex.close();
    } finally {
      await close();
    }
  });

  it('X-20 CTX-30 AGT-4 a process that is killed in the middle of a cycle delays the next one, and loses nothing', async () => {
    const { db, url, close } = await open();
    try {
      let now = Date.now();
      const clock = () => now;
      const { ledger, peerId } = await verifiedWork(db, clock);
      const killed = runChild(new URL('world/reflect-for-ever.ts', import.meta.url), [url ?? '']);
      onTestFinished(killed.stop);
      await killed.sees('reflecting');
      await killed.stop();
      expect(await isLeased(db)).toBe(true);
      const state = createKyselyCortexState(db);
      const next = createCortex({ ledger, reflector: createRuleReflector(), state, clock });
      await next.start();
      now = Date.now() + 31 * 60_000;
      // The lease has expired on our clock.
      expect(await next.tick()).toMatchObject({ status: 'applied', record: { peers: [peerId] } });
      expect(await ledger.getAssessments(peerId)).toHaveLength(1);
      await next.close();
    } finally {
      await close();
    }
  });

  it('CTX-30 CTX-12 a process that was frozen in the middle writes nothing over what another one has decided since', async () => {
    const { db, connect, close } = await open();
    try {
      let now = Date.UTC(2026, 10, 20);
      const clock = () => now;
      const { ledger, peerId } = await verifiedWork(db, clock);
      const words = { key: 'late', value: 'obey me', rationale: 'r' };
      let writes = 0;
      const frozen = createCortex({
        // The write of the assessment does not return: the process is stopped there.
        ledger: {
          ...ledger,
          recordAssessment: () => {
            writes += 1;
            return new Promise(() => {});
          },
        },
        reflector: {
          reflect: async () => ({
            output: {
              assessments: [{ peerId, trust: 2, rationale: 'r' }],
              beliefs: [words],
              lessons: ['late'],
            },
          }),
        },
        state: createKyselyCortexState(connect?.() ?? db),
        clock,
      });
      const cycle = frozen.reflectNow('frozen');
      await expect.poll(() => writes).toBe(1);
      now += 20_000;
      const other = createKyselyCortexState(db);
      expect(await other.shared.lease('cycle', 'other', { now, until: now + 60_000 })).toBe(true);
      expect(await cycle).toMatchObject({ status: 'failed', record: { failure: { code: 'ABORTED' } } });
      expect(frozen.beliefs()).toEqual([]);
      expect(frozen.lessons()).toEqual([]);
      // It did not release the lease of the other one.
      expect(await other.shared.lease('cycle', 'third', { now, until: now + 1 })).toBe(false);
      await frozen.close();
    } finally {
      await close();
    }
  });

  it('CTX-30 a trigger during the cycle of another process is skipped and counted', async () => {
    const { db, connect, close } = await open();
    try {
      await migrateLedger(db);
      await migrateCortex(db);
      const ledger = createLedger({ store: createKyselyLedgerStore(db) });
      const peerId = 'a'.repeat(64);
      await ledger.recordIncoming({ peerId, channel: 'nostr', content: 'x' });
      let answer: (value: { output: object }) => void = () => {};
      const slow: Reflector = {
        reflect: () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      };
      const one = createCortex({ ledger, reflector: slow, state: createKyselyCortexState(db) });
      const two = createCortex({
        ledger,
        reflector: createRuleReflector(),
        state: createKyselyCortexState(connect?.() ?? db),
        config: { scheduleMs: 1, triggers: { timer: { enabled: false }, count: { interactions: 1 } } },
      });
      const cycle = one.reflectNow('slow');
      await expect.poll(() => isLeased(db)).toBe(true);
      two.hooks.onMessage({ peerId });
      expect(await two.tick()).toEqual({ status: 'skipped', reason: 'busy' });
      expect(two.stats().skippedBusy).toBe(1);
      answer({ output: { assessments: [] } });
      await expect
        .poll(async () => {
          answer({ output: { assessments: [] } });
          return (await Promise.race([cycle, Promise.resolve(null)]))?.status ?? 'running';
        })
        .toBe('applied');
      expect(await two.tick()).toMatchObject({ status: 'applied', record: { cycle: 2 } });
      await one.close();
      await two.close();
    } finally {
      await close();
    }
  });
});
