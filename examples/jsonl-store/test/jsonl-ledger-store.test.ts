import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLedger } from '@bonafide/ledger-core';
import { testLedgerStore } from '@bonafide/ledger-core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openJsonlLedgerStore } from '../src/jsonl-ledger-store.ts';

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-jsonl-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'ledger.jsonl');
}

testLedgerStore(
  'JSONL',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bonafide-jsonl-'));
    const store = await openJsonlLedgerStore({ path: join(folder, 'ledger.jsonl') });
    return {
      store,
      close: async () => {
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  { skip: { erasure: 'an append-only file of lines would have to be rewritten' } },
);

/** Everything that two stores with the same history would say alike. */
async function tell(path: string) {
  await using store = await openJsonlLedgerStore({ path });
  const peers = await store.listPeers({ orderBy: 'firstSeenAt', limit: 100 });
  const histories = [];
  for (const { peer } of peers) {
    const query = { peerId: peer.peerId, order: 'oldest', limit: 100 } as const;
    histories.push(
      await store.listInteractions(query),
      await store.listOutcomes(query),
      await store.listAssessments(query),
    );
  }
  return { peers, histories };
}

/** A journal with one write of each kind; resolves to what it says after each. */
async function written(path: string) {
  const told = [];
  let at = 1_750_000_000_000;
  const steps = [
    (ledger: Ledger) =>
      ledger.recordIncoming({
        peerId: 'bob',
        channel: 'telegram',
        content: 'May I? 🦊',
        alias: 'Bob',
        correlationId: 'job-1',
      }),
    (ledger: Ledger) =>
      ledger.recordOutgoing({
        peerId: 'bob',
        channel: 'telegram',
        content: 'You may.',
        correlationId: 'job-1',
        externalId: 'e-1',
      }),
    (ledger: Ledger) => ledger.recordOutcome('job-1', 'paid', { metrics: { latencyMs: 12 } }),
    (ledger: Ledger) => ledger.recordAssessment('telegram:bob', 4, 'Paid what he promised.'),
  ];
  for (const step of steps) {
    await using store = await openJsonlLedgerStore({ path });
    await step(createLedger({ store, clock: () => (at += 1000) }));
    await store.close();
    told.push(await tell(path));
  }
  return told;
}
type Ledger = ReturnType<typeof createLedger>;

it('STO-2 says the same after every restart', async () => {
  const path = temporaryFile();
  const told = await written(path);
  expect(told.at(-1)?.peers[0]).toMatchObject({
    peer: { peerId: 'telegram:bob', interactionCount: 2, successCount: 1, assessmentCount: 1 },
    latest: { trust: 4, rationale: 'Paid what he promised.' },
  });
  expect(await tell(path)).toEqual(told.at(-1));
});

it('STO-2 survives a file that was torn at any byte of its last line, and goes on', async () => {
  const path = temporaryFile();
  const [before, after] = (await written(path)).slice(-2);
  const whole = readFileSync(path);
  const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1;
  for (let size = lastLine; size < whole.length; size += 1) {
    writeFileSync(path, whole.subarray(0, size));
    expect(await tell(path)).toEqual(before);
    expect(statSync(path).size).toBe(lastLine);
  }
  await using store = await openJsonlLedgerStore({ path });
  await createLedger({ store, clock: () => 1 }).recordAssessment('telegram:bob', 1, 'Again.');
  await store.close();
  expect((await tell(path)).peers[0]?.peer.assessmentCount).toBe(1);
  writeFileSync(path, whole);
  expect(await tell(path)).toEqual(after);
});

it('STO-2 begins anew a file whose first line was torn, and refuses any other file untouched', async () => {
  const path = temporaryFile();
  await written(path);
  const whole = readFileSync(path);
  const headerLength = whole.indexOf('\n');
  for (const size of [0, 1, headerLength - 1, headerLength]) {
    writeFileSync(path, whole.subarray(0, size));
    expect((await tell(path)).peers).toEqual([]);
  }
  for (const content of [
    'Dear diary',
    'Dear diary\n',
    '{}\n',
    '{"format":"bonafide-ledger-journal","version":2}\n',
  ]) {
    writeFileSync(path, content);
    await expect(openJsonlLedgerStore({ path })).rejects.toThrow('is not a ledger journal');
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
});

it('STO-2 refuses a journal with a damaged line in its middle, names the line and changes nothing', async () => {
  const path = temporaryFile();
  await written(path);
  const lines = readFileSync(path, 'utf8').split('\n');
  const damaged = [...lines.slice(0, 2), lines[2]?.slice(5), ...lines.slice(3)].join('\n');
  writeFileSync(path, damaged);
  await expect(openJsonlLedgerStore({ path })).rejects.toThrow('Line 3 of');
  expect(readFileSync(path, 'utf8')).toBe(damaged);
});

it('STO-2 belongs to one at a time and to this user only', async () => {
  const path = temporaryFile();
  const store = await openJsonlLedgerStore({ path });
  await expect(openJsonlLedgerStore({ path })).rejects.toMatchObject({ code: 'WRITER_ACTIVE' });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await store.close();
  await store.close();
  await expect(store.getTotals()).rejects.toThrow('closed');
  await (await openJsonlLedgerStore({ path })).close();
});

it('STO-2 answers nothing more after a write that failed, and opens again as it was before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bonafide-jsonl-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'ledger.jsonl');
  const [first] = await written(path);
  expect(first).toBeDefined();
  const before = await tell(path);
  // A limit on the size of files is a full disk for one process, and needs no rights.
  const script = fileURLToPath(new URL('./support/overflow.ts', import.meta.url));
  const child = spawnSync(
    'sh',
    [
      '-c',
      `trap '' XFSZ; ulimit -f ${Math.ceil(statSync(path).size / 512) + 200}; exec "$0" "$@"`,
      process.execPath,
      script,
      path,
    ],
    { encoding: 'utf8' },
  );
  expect(child.stdout).toContain('write: could not be written');
  expect(child.stdout).toContain('read: could not be written');
  expect(await tell(path)).toEqual(before);
});

it('STO-2 keeps every acknowledged write of a process that was killed', async () => {
  const path = temporaryFile();
  const script = fileURLToPath(new URL('./support/write.ts', import.meta.url));
  let known = 0;
  for (let round = 0; round < 3; round += 1) {
    const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.split('\n').length > 30) child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.on('close', resolve));
    const told = output.trimEnd().split('\n').length;
    await using store = await openJsonlLedgerStore({ path });
    const { interactions } = await store.getTotals();
    // The last one may be stored without having been told.
    expect([known + told, known + told + 1]).toContain(interactions);
    known = interactions;
  }
});

it('LED-27 rewrites the file when text is let go of, and goes on as before', async () => {
  const path = temporaryFile();
  {
    await using store = await openJsonlLedgerStore({ path });
    const ledger = createLedger({ store });
    const message = { peerId: 'bob', channel: 'telegram' };
    await ledger.recordIncoming({
      ...message,
      content: 'an old secret',
      at: 1000,
      backfill: true,
      evidence: { sig: 'old secret' },
    });
    await ledger.recordIncoming({ ...message, content: 'something new', at: 2000, backfill: true });
    await ledger.recordAssessment('telegram:bob', 1, 'Wrote twice.');
    expect(await ledger.prune({ before: 2000 })).toEqual({ pruned: 1 });
    await ledger.recordIncoming({ ...message, content: 'something newer', at: 3000 });
  }
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain('secret');
  expect(text).toContain('something newer');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await using store = await openJsonlLedgerStore({ path });
  const ledger = createLedger({ store });
  const { items } = await ledger.getConversation('telegram:bob');
  expect(items.map(({ content, pruned }) => [content, pruned])).toEqual([
    ['', true],
    ['something new', false],
    ['something newer', false],
  ]);
  expect(await ledger.getAssessments('telegram:bob')).toHaveLength(1);
});
