// Processes of one agent, each its own program with its own connections, on one database.
import type { NostrEvent } from '@bonafide/nostr-transport';
import type { TestRelay } from '@bonafide/nostr-transport/testing';
import { testDatabases } from '@bonafide/storage/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createKyselyProviderStore, migrateJobs } from '../src/stores/kysely.ts';
import { child } from './child.ts';
import { client, eventually, keys, person, provider, quick, relay } from './world.ts';

const several = testDatabases().filter(({ name }) => name === 'node:sqlite' || name === 'Postgres');

describe.each(several)('processes of one agent on $name', ({ open }) => {
  async function world() {
    const { db, url, close } = await open();
    onTestFinished(close);
    await migrateJobs(db);
    return { db, url: url ?? '', at: await relay(), ...(await person(keys.provider)) };
  }

  const answers = (at: TestRelay, { id }: NostrEvent) => at.events({ kinds: [6000], '#e': [id] }).length;

  it('ask once for one key when they ask at the same time, and each gets the result (JOB-27, X-20)', async () => {
    const { url, at, pubkey } = await world();
    await provider([at.url], () => 'done');
    const asking = ['one', 'two'].map(() => child('client', at.url, url, keys.customer, pubkey));
    const results = await Promise.all(asking.map((each) => each.line('result')));
    expect(results[0]).toContain('"done"');
    const ids = results.map((line) => JSON.parse(line.slice('result '.length)).jobId);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(at.events({ kinds: [5000] }).map(({ id }) => id))).toEqual(new Set(ids));
  });

  it('answer each request once, also those of one that is killed at work (JOB-15, JOB-27, X-20)', async () => {
    const { db, url, at, pubkey } = await world();
    const asking = await client([at.url], { config: quick });
    const ask = (data: string) =>
      asking.requestJob({ kind: 5000, provider: pubkey, inputs: [{ data }] }).then(({ job }) => job.request);
    // Long for a busy machine: one that has ended is recognized when the others renew theirs, a third of it later.
    const leaseMs = '20000';
    // Works for ever.
    const killed = child('provider', at.url, url, keys.provider, '600000', leaseMs);
    await killed.line('started');
    const begun = await Promise.all(['a', 'b'].map(ask));
    for (const { id } of begun) await killed.line(`begin ${id}`);
    const others = ['one', 'two'].map(() => child('provider', at.url, url, keys.provider, '0', leaseMs));
    await Promise.all(others.map((each) => each.line('started')));
    expect(begun.map((one) => answers(at, one))).toEqual([0, 0]);
    await killed.kill();
    const later = await Promise.all(Array.from({ length: 8 }, (_, number) => ask(`${number}`)));
    const all = [...begun, ...later];
    await eventually(() => expect(all.map((one) => answers(at, one))).toEqual(Array(10).fill(1)));
    const work = others.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')));
    expect(work.toSorted()).toEqual(all.map(({ id }) => `begin ${id}`).toSorted());
    await eventually(async () => {
      const { items } = await createKyselyProviderStore(db).list('unfinished');
      expect(items).toEqual([]);
    });
  });
});
