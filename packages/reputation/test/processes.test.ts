import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it } from 'vitest';
import { createKyselyReviewStore, migrateReputation } from '../src/stores/kysely.ts';
import { day, hour, start, statement } from './support.ts';
import { agent, manualClock, relay } from './world.ts';

const script = join(import.meta.dirname, 'publish-process.ts');

/** Runs a process of the agent; null when it was killed. */
async function run(
  url: string,
  relayUrl: string,
  now: number,
  killAt = 0,
): Promise<{ published: number; steps: number } | null> {
  const args = ['--conditions=@bonafide/source', script, url, relayUrl, String(now), String(killAt)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL') return null;
  expect(code).toBe(0);
  return JSON.parse(out);
}

const shared = testDatabases().filter(({ name }) => name === 'Postgres' || name === 'node:sqlite');

describe.each(shared)('processes of one agent on $name', ({ open }) => {
  async function world(reviews: number) {
    const database = await open();
    const clock = manualClock();
    const at = await relay(clock);
    await migrateReputation(database.db);
    const store = createKyselyReviewStore(database.db);
    const mine = agent(1, [at.url], { clock, store, config: { consent: 'all' } });
    for (let n = 0; n < reviews; n += 1)
      await mine.offer({
        key: `review-${n}`,
        event: 'benchmark',
        completedAt: start,
        review: await statement({ task: `task-${n}` }),
      });
    clock.advance(day + hour);
    return { ...database, url: database.url ?? '', clock, at, store };
  }

  it('REP-2 publish each review once, killed at any step and started again (AGT-4)', async () => {
    const { url, at, clock, store, close } = await world(1);
    try {
      // A run without a crash has 8 steps: around three writes and one publication.
      for (let killAt = 1; killAt <= 9; killAt += 1) {
        await run(url, at.url, clock(), killAt);
        clock.advance(2_000);
      }
      await run(url, at.url, clock());
      expect(await store.get('review-0')).toMatchObject({ state: 'published' });
      expect(at.events()).toHaveLength(1);
      const ids = at.received.flatMap(({ message }) =>
        Array.isArray(message) && message[0] === 'EVENT' ? [message[1].id] : [],
      );
      expect(ids.length).toBeGreaterThan(1);
      expect(new Set(ids).size).toBe(1);
    } finally {
      await close();
    }
  });

  it('REP-2 publish each review once side by side (X-20)', async () => {
    const { url, at, clock, store, close } = await world(12);
    try {
      const results = await Promise.all([run(url, at.url, clock()), run(url, at.url, clock())]);
      const published = results.reduce((sum, result) => sum + (result?.published ?? 0), 0);
      expect(published).toBe(12);
      expect(at.events()).toHaveLength(12);
      const ids = at.received.flatMap(({ message }) =>
        Array.isArray(message) && message[0] === 'EVENT' ? [message[1].id] : [],
      );
      expect(ids).toHaveLength(12);
      expect((await store.list({ state: 'published', limit: 50 })).items).toHaveLength(12);
    } finally {
      await close();
    }
  });
});
