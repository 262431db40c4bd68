import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireWriter } from '@bonafide/storage';
import { describe, expect, it } from 'vitest';
import { createWorld, run } from './world.ts';

/** A world with one peer, backed up, and a second peer since then. */
async function backedUp() {
  const world = await createWorld();
  await world.ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi' });
  await world.ledger.recordAssessment('irc:bob', 2, 'Said hello.', { source: 'operator' });
  const file = join(world.workspace, 'ledger.backup');
  expect((await run(['backup', file, '--db', world.path])).code).toBe(0);
  world.now += 60_000;
  await world.ledger.recordIncoming({ peerId: 'eve', channel: 'irc', content: 'ho' });
  return { world, file };
}

const peersOf = async (path: string) => {
  const { out } = await run(['ledger', 'list', '--db', path, '--json']);
  const list: { readonly peers: readonly { readonly peerId: string }[] } = JSON.parse(out);
  return list.peers.map(({ peerId }) => peerId);
};

describe('bonafide backup', () => {
  it('CLI-1 LED-27 copies the ledger beside a running agent and says what is in the copy', async () => {
    const { world, file } = await backedUp();
    await using _ = world;
    using _agent = acquireWriter({ path: world.path });
    const { code, out, err } = await run(['backup', '--workspace', world.workspace]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [name = ''] = readdirSync(join(world.workspace, 'backups'));
    const made = join(world.workspace, 'backups', name);
    expect(out).toBe(`${made}: 2 peers, 2 interactions, 1 assessment, the last message 2026-11-20 12:01Z.\n`);
    expect(statSync(made).mode & 0o777).toBe(0o600);
    expect(await peersOf(made)).toEqual(['irc:eve', 'irc:bob']);
    expect(await peersOf(file)).toEqual(['irc:bob']);
    const again = await run(['backup', file, '--db', world.path, '--json']);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(again.err)).toMatchObject({ error: { code: 'STORAGE_CANNOT_OPEN' } });
    const machine = await run(['backup', `${file}-2`, '--db', world.path, '--json']);
    expect(JSON.parse(machine.out)).toEqual({
      path: `${file}-2`,
      bytes: statSync(`${file}-2`).size,
      contents: { peers: 2, interactions: 2, assessments: 1, lastSeenAt: world.now },
    });
  });

  it('CLI-1 says where no ledger is', async () => {
    expect(await run(['backup'], { env: { HOME: '/nowhere' } })).toMatchObject({
      code: 1,
      err: expect.stringContaining('(DATABASE_NOT_FOUND)'),
    });
  });
});

describe('bonafide restore', () => {
  it('CLI-1 LED-27 asks first, shows both in a dry run, and puts the backup in place', async () => {
    const { world, file } = await backedUp();
    const { path } = world;
    await world.close();
    const usage = await run(['restore', file, '--db', path]);
    expect(usage).toMatchObject({ code: 2, err: expect.stringContaining('Say --dry-run to see both first') });
    expect(await peersOf(path)).toEqual(['irc:eve', 'irc:bob']);

    const dry = await run(['restore', file, '--db', path, '--dry-run']);
    expect(dry).toEqual({
      code: 0,
      err: '',
      out: [
        `Backup  ${file}: 1 peer, 1 interaction, 1 assessment, the last message 2026-11-20 12:00Z.`,
        `Before  ${path}: 2 peers, 2 interactions, 1 assessment, the last message 2026-11-20 12:01Z.`,
        'The backup is sound and can be restored. Nothing was changed.',
        '',
      ].join('\n'),
    });
    expect(await peersOf(path)).toEqual(['irc:eve', 'irc:bob']);

    const done = await run(['restore', file, '--db', path, '--yes']);
    expect(done).toMatchObject({ code: 0, err: '' });
    const [, replaced = ''] = /^Restored\. What was there is now (.*)$/mu.exec(done.out) ?? [];
    expect(await peersOf(path)).toEqual(['irc:bob']);
    expect(await peersOf(replaced)).toEqual(['irc:eve', 'irc:bob']);
    expect(existsSync(file)).toBe(true);

    const back = await run(['restore', replaced, '--db', path, '--yes', '--json']);
    expect(JSON.parse(back.out)).toMatchObject({
      restored: true,
      path,
      from: replaced,
      backup: { peers: 2 },
      before: { peers: 1 },
    });
    expect(await peersOf(path)).toEqual(['irc:eve', 'irc:bob']);
    await world[Symbol.asyncDispose]();
  });

  it('CLI-1 LED-27 is refused while the agent runs, and for what is no backup', async () => {
    const { world, file } = await backedUp();
    const { path } = world;
    const refused = async (from: string) => {
      const { code, out, err } = await run(['restore', from, '--db', path, '--yes', '--json']);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      return JSON.parse(err).error.code;
    };
    const lock = acquireWriter({ path });
    expect(await refused(file)).toBe('WRITER_ACTIVE');
    lock.release();
    expect(await refused(file)).toBe('STORAGE_LOCKED');
    await world.close();
    const text = join(world.workspace, 'notes.txt');
    writeFileSync(text, 'dear diary');
    const before = readFileSync(path);
    expect(await refused(text)).toBe('STORAGE_NOT_A_DATABASE');
    expect(await refused(join(world.workspace, 'nothing'))).toBe('STORAGE_NOT_FOUND');
    expect(await refused(path)).toBe('BACKUP_INVALID');
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(world.workspace).filter((name) => name.includes('replaced'))).toEqual([]);
    await world[Symbol.asyncDispose]();
  });
});
