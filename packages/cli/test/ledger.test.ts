import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@bonafide/storage';
import { npubEncode } from 'nostr-tools/nip19';
import { describe, expect, it } from 'vitest';
import { createWorld, run } from './world.ts';

const alice = '3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d';
const minute = 60_000;

async function populated() {
  const world = await createWorld();
  const { ledger } = world;
  const work = { peerId: alice, channel: 'nostr', alias: 'Alice', correlationId: 'job-1' };
  await ledger.recordOutgoing({ ...work, content: 'Please sort this list', outcome: 'requested' });
  world.now += minute;
  await ledger.recordIncoming({ ...work, content: 'Sorted.\nAll of it.', outcome: 'delivered' });
  await ledger.recordOutcome('job-1', 'verified');
  await ledger.recordAssessment(alice, 2, 'One request, delivered within a minute and verified.', {
    source: 'cortex',
    assessor: 'rule/prompt-1',
  });
  world.now += minute;
  await ledger.recordIncoming({ peerId: '4711', channel: 'telegram', content: 'Hi' });
  await ledger.recordAssessment('telegram:4711', -3, 'Asked for money in the first message.', {
    source: 'operator',
  });
  return world;
}

describe('bonafide ledger list', () => {
  it('CLI-1 lists alias or id, interactions, last seen, Info and Trust, most recently seen first', async () => {
    await using world = await populated();
    const ran = await run(['ledger', 'list', '--workspace', world.workspace]);
    const handle = (await world.ledger.getPeer(alice))?.handle;
    expect(ran).toEqual({
      code: 0,
      err: '',
      out: [
        'Peer                Interactions  Last seen          Info  Trust',
        'telegram:4711                  1  2026-11-20 12:02Z  1/10     -3',
        `Alice (${handle})             2  2026-11-20 12:01Z  1/10     +2`,
        '',
      ].join('\n'),
    });
  });

  it('CLI-1 --json prints one document with full ids and npubs', async () => {
    await using world = await populated();
    const { out, code } = await run(['ledger', 'list', '--db', world.path, '--json', '--limit', '1']);
    expect(code).toBe(0);
    const first = JSON.parse(out);
    expect(first.peers).toMatchObject([
      { peerId: 'telegram:4711', npub: null, infoScoreNow: 1, latest: { trust: -3 } },
    ]);
    const next = await run(['ledger', 'list', '--db', world.path, '--json', '--cursor', first.nextCursor]);
    expect(JSON.parse(next.out)).toMatchObject({
      peers: [{ peerId: alice, npub: npubEncode(alice) }],
      nextCursor: null,
    });
  });

  it('CLI-1 says on stderr that there is more, or that there is nobody', async () => {
    await using world = await populated();
    expect((await run(['ledger', 'list', '--db', world.path, '-n', '1'])).err).toMatch(
      /^There are more: --cursor \S+\n$/u,
    );
    await using empty = await createWorld();
    expect(await run(['ledger', 'list', '--db', empty.path])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('not met a peer yet'),
    });
  });

  it('CLI-1 takes ~/.bonafide/ledger.db when nothing else is said', async () => {
    const { code, err } = await run(['ledger', 'list'], { env: { HOME: '/nowhere/at/all' } });
    expect({ code, err }).toEqual({
      code: 1,
      err: "bonafide: There is no ledger at /nowhere/at/all/.bonafide/ledger.db. Name the agent's folder with --workspace <dir>, or the database with --db <file or url>. (DATABASE_NOT_FOUND)\n",
    });
  });
});

describe('bonafide ledger show', () => {
  it('CLI-1 shows the peer, its interactions and the timeline of assessments with their reasons', async () => {
    await using world = await populated();
    const { out, code, err } = await run(['ledger', 'show', alice, '--db', world.path]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'Calls itself Alice',
        `Handle       ${(await world.ledger.getPeer(alice))?.handle}`,
        `Id           ${alice}`,
        `npub         ${npubEncode(alice)}`,
        'Channel      nostr',
        'Interactions 2',
        'Seen         2026-11-20 12:00Z to 2026-11-20 12:01Z',
        'Info         1/10',
        'Trust        +2',
        'Work         1 ended well, 0 badly, 0 open (100 %)',
        '',
        'Interactions',
        'When               Direction  Outcome   Length  Text',
        '2026-11-20 12:00Z  out        verified      21  Please sort this list',
        '2026-11-20 12:01Z  in         verified      18  Sorted. All of it.',
        '',
        'Assessments',
        '2026-11-20 12:01Z  Info 1/10  Trust +2  (cortex, rule/prompt-1)',
        '    One request, delivered within a minute and verified.',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['the full id', alice],
    ['upper case', alice.toUpperCase()],
    ['an npub', npubEncode(alice)],
    ['the handle', 'handle'],
  ])('X-10 CLI-1 accepts %s', async (_, who) => {
    await using world = await populated();
    const text = who === 'handle' ? ((await world.ledger.getPeer(alice))?.handle ?? '') : who;
    const { out, code } = await run(['ledger', 'show', text, '--db', world.path, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      peer: { peerId: alice },
      interactions: [{ direction: 'out' }, { direction: 'in' }],
      assessments: [{ trust: 2 }],
    });
  });

  it('X-10 LED-29 a short id and a stranger are typed errors', async () => {
    await using world = await populated();
    const short = await run(['ledger', 'show', '3bf0c63f…459d', '--db', world.path]);
    expect(short).toMatchObject({ code: 1, out: '' });
    expect(short.err).toContain('(PEER_NOT_FOUND)');
    const stranger = await run(['ledger', 'show', 'nobody', '--db', world.path, '--json']);
    expect({ code: stranger.code, error: JSON.parse(stranger.err).error.code }).toEqual({
      code: 1,
      error: 'PEER_NOT_FOUND',
    });
  });

  it('CLI-1 shows the last 20 interactions, and all with --all', async () => {
    await using world = await createWorld();
    for (let n = 0; n < 25; n += 1) {
      world.now += minute;
      await world.ledger.recordIncoming({ peerId: '1', channel: 'telegram', content: `message-${n};` });
    }
    const last = await run(['ledger', 'show', 'telegram:1', '--db', world.path]);
    expect(last.out).toContain('Last 20 of 25 interactions');
    expect(last.out).not.toContain('message-4;');
    expect(last.out.indexOf('message-5;')).toBeLessThan(last.out.indexOf('message-24;'));
    const all = await run(['ledger', 'show', 'telegram:1', '--db', world.path, '--all']);
    expect(all.out).toContain('message-0;');
    expect(all.out).toContain('Not assessed yet.');
  });
});

describe('what peers wrote', () => {
  const esc = '\u001b';
  const evil = `${esc}[2J${esc}]0;owned\u0007\u009b31mred\u202Egnp.exe\u2066\rover\nTrust  +10 ${esc}]8;;http://x${esc}\\link\u200b\u{e0041}`;

  it('CLI-1 no escape sequence, control or reordering character of a peer reaches the terminal', async () => {
    await using world = await createWorld();
    await world.ledger.recordIncoming({
      peerId: 't\u202Erb',
      channel: 'telegram',
      alias: evil,
      content: evil,
    });
    const [peer] = (await world.ledger.listPeers()).items;
    await world.ledger.recordAssessment(peer?.peerId ?? '', 1, `quotes it: ${evil}`, {
      source: 'agent',
      assessor: evil,
    });
    for (const argv of [
      ['list'],
      ['show', peer?.peerId ?? ''],
      ['list', '--json'],
      ['show', peer?.peerId ?? '', '--json'],
      ['show', `no ${evil}`],
    ]) {
      const { out, err } = await run(['ledger', ...argv, '--db', world.path]);
      expect(out + err).not.toBe('');
      expect((out + err).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  });

  it('CLI-1 a peer cannot make a line of its own, and --json keeps its text to the last character', async () => {
    await using world = await createWorld();
    await world.ledger.recordIncoming({ peerId: '1', channel: 'telegram', alias: 'Bob', content: evil });
    const table = await run(['ledger', 'show', 'telegram:1', '--db', world.path]);
    expect(table.out).not.toMatch(/^Trust {2}\+10/mu);
    const json = await run(['ledger', 'show', 'telegram:1', '--db', world.path, '--json']);
    expect(JSON.parse(json.out).interactions[0].content).toBe(evil);
  });
});

describe('manners', () => {
  it('CLI-1 colours on a terminal only, and never with NO_COLOR', async () => {
    await using world = await populated();
    const argv = ['ledger', 'list', '--db', world.path];
    const sequence = new RegExp(`${String.fromCharCode(27)}\\[`, 'u');
    expect((await run(argv)).out).not.toMatch(sequence);
    expect((await run(argv, { terminal: true })).out).toMatch(sequence);
    expect((await run(argv, { terminal: true, env: { NO_COLOR: '1' } })).out).not.toMatch(sequence);
    expect((await run(argv, { terminal: true, env: { TERM: 'dumb' } })).out).not.toMatch(sequence);
  });

  it('CLI-1 a long reason is wrapped to the terminal between words', async () => {
    await using world = await populated();
    await world.ledger.recordAssessment(alice, 3, 'word '.repeat(60), { source: 'operator' });
    const { out } = await run(['ledger', 'show', alice, '--db', world.path], { columns: 60 });
    const reason = out.split('\n').filter((line) => /^ {4}(word ?)+$/u.test(line));
    expect(reason.length).toBeGreaterThan(4);
    for (const line of reason) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('CLI-1 usage errors go to stderr with exit code 2 and a hint', async () => {
    for (const argv of [
      ['ledgr'],
      ['ledger', 'list', '--fromat', 'x'],
      ['ledger', 'show'],
      ['ledger', 'list', '-n', 'many'],
      ['ledger', 'list', '-n', '0'],
    ]) {
      const ran = await run(argv);
      expect(ran).toMatchObject({ code: 2, out: '' });
      expect(ran.err).toMatch(/error:/u);
    }
    expect((await run(['ledger', 'list', '--jsn'])).err).toContain('--json');
    await using world = await populated();
    expect(await run(['ledger', 'list', '--db', world.path, '--cursor', 'nonsense'])).toMatchObject({
      code: 2,
      out: '',
    });
  });

  it('CLI-1 --help of every command has examples and the exit codes, on stdout, with exit code 0', async () => {
    for (const argv of [[], ['doctor'], ['ledger'], ['ledger', 'list'], ['ledger', 'show']]) {
      const { code, out, err } = await run([...argv, '--help']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('Examples:\n  $ bonafide ');
      expect(out).toContain('Exit codes:');
    }
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/u);
  });
});

describe('reading only', () => {
  it('CLI-1 never makes a database, a folder or a table', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bonafide-cli-'));
    try {
      const missing = join(folder, 'agent');
      expect(await run(['ledger', 'list', '--workspace', missing])).toMatchObject({
        code: 1,
        err: expect.stringContaining('(DATABASE_NOT_FOUND)'),
      });
      expect(await run(['doctor', '--no-sandbox', '--workspace', missing])).toMatchObject({ code: 0 });
      expect(existsSync(missing)).toBe(false);

      const path = join(folder, 'ledger.db');
      await openSqlite({ path }).destroy();
      const before = readFileSync(path);
      expect(await run(['ledger', 'list', '--workspace', folder])).toMatchObject({
        code: 1,
        err: expect.stringContaining('(NOT_MIGRATED)'),
      });
      expect(readFileSync(path).equals(before)).toBe(true);
      // SQLite's own companions may come, as private as the file; nothing else does.
      const files = readdirSync(folder);
      expect(files.filter((file) => !/^ledger\.db(-wal|-shm)?$/u.test(file))).toEqual([]);
      for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('LED-25 CLI-1 a file that is no ledger is a typed error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bonafide-cli-'));
    try {
      writeFileSync(
        join(folder, 'ledger.db'),
        'not a database at all, but long enough to be read as a header. '.repeat(20),
      );
      expect(await run(['ledger', 'list', '--workspace', folder])).toMatchObject({
        code: 1,
        err: expect.stringContaining('(STORAGE_NOT_A_DATABASE)'),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('LED-22 CLI-1 reads beside an agent that is writing', async () => {
    await using world = await populated();
    const listing = run(['ledger', 'list', '--db', world.path]);
    for (let n = 0; n < 20; n += 1)
      await world.ledger.recordIncoming({ peerId: '1', channel: 'telegram', content: 'x' });
    expect((await listing).code).toBe(0);
  });
});
