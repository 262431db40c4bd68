import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
import { createRoutingMatrix, type RoutingAlert } from '../src/index.ts';
import { createKyselyRoutingStore, migrateRouting } from '../src/stores/kysely.ts';
import { runChild } from './support/child.ts';
import { good, platform } from './support.ts';

/** One time for all, so that views are comparable. */
const start = Date.now();

interface Report {
  readonly granted: number;
  readonly recorded: number;
  readonly picks: Readonly<Record<string, string>>;
  readonly alerts: readonly RoutingAlert[];
}

const shared = testDatabases().filter(({ name }) => name === 'Postgres' || name === 'node:sqlite');

describe.each(shared)('several processes on one log in $name', ({ open, name: database }) => {
  it.each(database === 'Postgres' ? [2, 8] : [2])(
    'X-20 RTM-10 RTM-17 RTM-19 RTM-21 %d processes decide, count, pay and alert as one',
    async (count) => {
      const { db, url, close } = await open();
      try {
        await migrateRouting(db);
        const matrix = createRoutingMatrix({ store: createKyselyRoutingStore(db), clock: () => start });
        for (const n of [0, 1, 2, 3, 4])
          for (let i = 0; i < 3; i += 1)
            await matrix.recordBenchmark({
              platform: platform(n),
              taskType: 'code',
              attemptId: `${n} ${i}`,
              verdict: good(),
            });
        await matrix.budgets.set({ taskType: 'code', dailyMsat: 1_000 });

        const children = Array.from({ length: count }, (_, n) =>
          runChild('work-beside.ts', url ?? '', String(n)),
        );
        const reports = await Promise.all(
          children.map(async (child): Promise<Report> => {
            expect(await child.ended).toBe(0);
            return JSON.parse(child.output());
          }),
        );
        // Each job counts once, whoever reports it, and has the same platform for all.
        expect(reports.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(12);
        for (const { picks } of reports) expect(picks).toEqual(reports[0]?.picks);
        // Never more than the budget, and the whole of it was given away.
        expect(reports.reduce((sum, { granted }) => sum + granted, 0)).toBe(1_000);
        expect((await matrix.budgets.held()).length).toBe(10);
        // One process among all raises an alert.
        const alerts = reports.flatMap((report) => report.alerts);
        const keys = alerts.map((alert) => JSON.stringify(alert));
        expect(alerts.filter(({ type }) => type === 'blacklisted')).toHaveLength(1);
        expect(new Set(keys).size).toBe(keys.length);
        // Proposals that do not know each other are merged: the lowest threshold stays.
        const { thresholds, clock } = await matrix.thresholds();
        expect(thresholds.prose).toBe(0.5);
        expect(clock).toEqual(Object.fromEntries(reports.map((_, n) => [String(n), 1])));
        const again = createRoutingMatrix({ store: createKyselyRoutingStore(db), clock: () => start });
        expect(await again.entries()).toEqual(await matrix.entries());
        expect(await again.thresholds()).toEqual(await matrix.thresholds());
      } finally {
        await close();
      }
    },
  );

  it('X-20 RTM-10 RTM-20 count each job once and keep the budget when one of them is killed half-way', async () => {
    const { db, url, close } = await open();
    try {
      await migrateRouting(db);
      const store = createKyselyRoutingStore(db);
      const matrix = createRoutingMatrix({ store, clock: () => start });
      for (const n of [0, 1, 2, 3, 4])
        await matrix.recordBenchmark({
          platform: platform(n),
          taskType: 'code',
          attemptId: `${n}`,
          verdict: good(),
        });
      await matrix.budgets.set({ taskType: 'code', dailyMsat: 1_000 });
      const begun = (await store.readAfter(0, 1_000)).length;
      const killed = runChild('work-beside.ts', url ?? '', '0');
      const other = runChild('work-beside.ts', url ?? '', '1');
      const written = async () => (await store.readAfter(begun, 1_000)).length;
      await expect.poll(written, { timeout: 500_000, interval: 1 }).toBeGreaterThan(4);
      killed.process.kill('SIGKILL');
      // On a fast machine it may have ended.
      expect(['SIGKILL', 0]).toContain(await killed.ended);
      expect(await other.ended).toBe(0);
      // Started again, it repeats what it has done, and does the rest.
      const heir = runChild('work-beside.ts', url ?? '', '0');
      expect(await heir.ended).toBe(0);
      expect(JSON.parse(heir.output()).picks).toEqual(JSON.parse(other.output()).picks);
      const entries = await matrix.entries();
      const { SUCCESS, FAILURE, SECURITY_VIOLATION } = Object.fromEntries(
        (['SUCCESS', 'FAILURE', 'SECURITY_VIOLATION'] as const).map((outcome) => [
          outcome,
          entries.reduce((sum, { outcomes }) => sum + outcomes[outcome], 0),
        ]),
      );
      expect({ SUCCESS, FAILURE, SECURITY_VIOLATION }).toEqual({
        SUCCESS: 7,
        FAILURE: 4,
        SECURITY_VIOLATION: 1,
      });
      expect(await matrix.budgets.held()).toHaveLength(10);
      const again = createRoutingMatrix({ store, clock: () => start });
      expect(await again.entries()).toEqual(entries);
    } finally {
      await close();
    }
  });
});
