import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore } from '@bonafide/ledger-core/kysely';
import { openSqlite } from '@bonafide/storage';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createWorld, run } from './world.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** Noon ten days ago: the commands go by the machine's clock. */
const start = Math.floor(Date.now() / day) * day - 10 * day + 12 * hour;
const dayAfter = (days: number) => new Date(start + days * day).toISOString().slice(0, 10);

async function populated() {
  const world = await createWorld();
  const { ledger } = world;
  world.now = start;
  for (const [n, trust] of [1, 2, 2, 3, 3].entries()) {
    const work = { peerId: 'farm1', channel: 'telegram', correlationId: `job-${n}` };
    await ledger.recordIncoming({ ...work, content: 'What is the time in Oslo?', outcome: 'requested' });
    world.now += hour;
    await ledger.recordOutgoing({ ...work, content: 'Noon.' });
    await ledger.recordOutcome(`job-${n}`, 'paid');
    await ledger.recordAssessment('telegram:farm1', trust, `Small request ${n}, paid within the hour.`);
    world.now += day;
  }
  await ledger.recordIncoming({ peerId: 'farm1', channel: 'telegram', content: 'Aggregate. '.repeat(40) });
  await ledger.recordAssessment('telegram:farm1', -6, 'Disputed a correct delivery and demanded a redo.');
  await ledger.recordIncoming({ peerId: 'bob', channel: 'telegram', content: 'Hi', alias: 'Bob' });
  for (let n = 0; n < 3; n += 1) {
    world.now += hour;
    await ledger.recordAssessment('telegram:bob', 1, `Polite, ${n} requests so far.`);
  }
  return world;
}

describe('bonafide ledger summary', () => {
  it('CLI-1 prints totals, share of positive assessments, distribution, flagged and over-assessed', async () => {
    await using world = await populated();
    const { out, code, err } = await run(['ledger', 'summary', '--db', world.path]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'Peers        2, 2 of them assessed',
        'Interactions 12',
        'Assessments  9, 89 % positive',
        'Flagged      1',
        '',
        'Peers by latest trust',
        ` -6  ${'█'.repeat(30)} 1`,
        ` +1  ${'█'.repeat(30)} 1`,
        '',
        'Flagged',
        'telegram:farm1  Info 4/10  Trust -6',
        '    Disputed a correct delivery and demanded a redo.',
        '',
        'Assessed too often',
        'Bob (telegram:bob)  3 assessments in 1 day: more than two a day',
        '',
      ].join('\n'),
    );
  });

  it('CLI-1 --json has the same, and a report per assessor', async () => {
    await using world = await populated();
    const { out } = await run(['ledger', 'summary', '--db', world.path, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      peers: 2,
      interactions: 12,
      assessments: 9,
      positiveAssessments: 8,
      flaggedCount: 1,
      overAssessed: [{ peerId: 'telegram:bob', assessments: 3, reason: 'too-often' }],
      assessors: [{ assessor: 'agent', assessments: 9 }],
    });
  });

  it('CLI-1 of one peer says how its work went and what looks odd', async () => {
    await using world = await populated();
    const { out, code } = await run(['ledger', 'summary', 'telegram:farm1', '--db', world.path]);
    expect(code).toBe(0);
    expect(out).toContain('Success      100 %');
    expect(out).toContain('Build-then-exploit suspected');
    expect(out).toContain('Trust fell from 3 to -6 after 5 positive scores');
    expect(out).toContain('17.6 times the median');
    const json = await run(['ledger', 'summary', 'telegram:farm1', '--db', world.path, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      peer: { peerId: 'telegram:farm1' },
      trajectory: { verdict: 'suspected', alarms: [{ kind: 'size-jump' }, { kind: 'sharp-fall' }] },
      verdict: { verdict: 'refuse' },
    });
  });

  it('CLI-1 LED-33 of a peer that the policy does not refuse only reads the ledger, with and without a key of handles', async () => {
    await using world = await populated();
    const summary = (who: string) => run(['ledger', 'summary', who, '--db', world.path]);
    expect(await summary('telegram:bob')).toMatchObject({ code: 0, err: '' });
    const peerId = 'ab'.repeat(32);
    await world.ledger.recordIncoming({ peerId, channel: 'nostr', content: 'Hello' });
    expect(await summary(peerId)).toMatchObject({ code: 0, err: '' });
  });
});

describe('bonafide ledger assess', () => {
  it("CLI-1 records the operator's judgment beside a running agent, which follows it", async () => {
    await using world = await populated();
    const argv = [
      'ledger',
      'assess',
      'telegram:bob',
      '--db',
      world.path,
      '--trust',
      '-4',
      '--because',
      'He is a bot.',
    ];
    expect(await run(argv)).toEqual({
      code: 0,
      err: '',
      out: 'Recorded for Bob (telegram:bob): Info 1/10, Trust -4.\n',
    });
    expect(await world.ledger.getLatestAssessment('telegram:bob')).toMatchObject({
      trust: -4,
      rationale: 'He is a bot.',
      source: 'operator',
    });
    expect((await world.ledger.getBriefing('telegram:bob')).verdict).toMatchObject({
      verdict: 'refuse',
      rule: 'operator',
    });
  });

  it.each([
    ['a trust out of range', ['telegram:bob', '--trust', '11', '--because', 'x'], 2, '-10 to 10'],
    ['no number', ['telegram:bob', '--trust', '', '--because', 'x'], 2, '-10 to 10'],
    ['no reason', ['telegram:bob', '--trust', '1'], 2, '--because'],
    ['a blank reason', ['telegram:bob', '--trust', '1', '--because', ' '], 1, 'RATIONALE_REQUIRED'],
    ['a stranger', ['eve', '--trust', '1', '--because', 'x'], 1, 'PEER_NOT_FOUND'],
  ])('CLI-1 refuses %s and records nothing', async (_, argv, code, message) => {
    await using world = await populated();
    const ran = await run(['ledger', 'assess', ...argv, '--db', world.path]);
    expect(ran).toMatchObject({ code, out: '' });
    expect(ran.err).toContain(message);
    expect(await world.ledger.getAssessments('telegram:bob')).toHaveLength(3);
  });
});

describe('bonafide ledger export', () => {
  it('CLI-1 LED-26 prints complete records, one a line', async () => {
    await using world = await populated();
    const { out, code, err } = await run(['ledger', 'export', '--db', world.path, '--source', 'alpha']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const records = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(9);
    expect(records[0]).toEqual({
      source: 'alpha',
      target: 'telegram:farm1',
      trust: 1,
      infoScore: 1,
      rationale: 'Small request 0, paid within the hour.',
      at: start + hour,
    });
  });

  it('CLI-1 of one peer, since a day, as one document', async () => {
    await using world = await populated();
    const argv = [
      'ledger',
      'export',
      '--db',
      world.path,
      '--json',
      '--peer',
      'telegram:farm1',
      '--since',
      dayAfter(4),
    ];
    const { assessments } = JSON.parse((await run(argv)).out);
    expect(assessments.map(({ trust }: { trust: number }) => trust)).toEqual([3, -6]);
    expect((await run([...argv.slice(0, -1), 'soon'])).code).toBe(2);
  });

  it('CLI-1 LED-2 --evidence prints what an infoScore rests on, and needs a peer', async () => {
    await using world = await populated();
    const argv = ['ledger', 'export', '--db', world.path, '--evidence'];
    expect(JSON.parse((await run([...argv, '--peer', 'telegram:bob'])).out)).toMatchObject({
      target: 'telegram:bob',
      claimed: { interactionCount: 1, infoScore: 1 },
      unsigned: 1,
    });
    expect(await run(argv)).toMatchObject({ code: 2, out: '' });
  });
});

describe('bonafide ledger prune', () => {
  it('CLI-1 LED-27 removes old text from the file for good, and moves nothing else', async () => {
    await using world = await populated();
    const before = await world.ledger.listPeers();
    const argv = ['ledger', 'prune', '--db', world.path, '--before', dayAfter(3)];
    const asked = await run(argv);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toContain('--yes');
    expect(await run([...argv, '--yes'])).toMatchObject({
      code: 0,
      out: 'Removed the text of 6 messages.\n',
      err: '',
    });
    expect(await world.ledger.listPeers()).toEqual(before);
    const { items } = await world.ledger.getConversation('telegram:farm1');
    expect(items.map(({ pruned, content }) => pruned && content === '')).toEqual([
      ...Array(6).fill(true),
      ...Array(5).fill(false),
    ]);
    const shown = await run(['ledger', 'show', 'telegram:farm1', '--db', world.path, '--all']);
    expect(shown.out).toContain('(text removed)');
  });

  it('LED-27 leaves no copy of the text in the file', async () => {
    await using world = await createWorld();
    await world.ledger.recordIncoming({
      peerId: 'a',
      channel: 'irc',
      content: 'the-old-secret '.repeat(2000),
    });
    world.now += day;
    const message = { peerId: 'a', channel: 'irc', content: 'something new' };
    await world.ledger.recordIncoming(message);
    const bytes = () => ['', '-wal'].map((end) => readFileSync(world.path + end, 'latin1')).join('');
    expect(bytes()).toContain('the-old-secret');
    const argv = ['ledger', 'prune', '--db', world.path, '--before', '2026-11-21', '--yes', '--json'];
    expect(JSON.parse((await run(argv)).out)).toMatchObject({ pruned: 1, logKept: false });
    expect(bytes()).not.toContain('the-old-secret');
    expect(bytes()).toContain('something new');
  });
});

describe('bonafide ledger void and forget', () => {
  it('CLI-1 LED-33 void asks for --yes, and takes the interaction out of the counts', async () => {
    await using world = await populated();
    const [row] = (await world.ledger.getInteractions('telegram:bob')).items;
    const argv = [
      'ledger',
      'void',
      row?.interactionId ?? '',
      '--because',
      'Sent by Eve.',
      '--db',
      world.path,
    ];
    expect((await run(argv)).code).toBe(2);
    expect(await run([...argv, '--yes'])).toMatchObject({ code: 0, out: 'Voided.\n' });
    expect((await world.ledger.getPeer('telegram:bob'))?.interactionCount).toBe(0);
    expect((await run([...argv, '--yes'])).out).toContain('voided before');
    expect((await run(['ledger', 'show', 'telegram:bob', '--db', world.path])).out).toContain('(voided)');
    const unknown = await run(['ledger', 'void', 'x', '--because', 'y', '--yes', '--db', world.path]);
    expect(unknown.err).toContain('(INTERACTION_NOT_FOUND)');
  });

  it('CLI-1 LED-33 forget shows what it would erase, erases it from the file, and names the backups with the peer', async () => {
    await using world = await populated();
    await world.ledger.recordIncoming({
      peerId: 'bob',
      channel: 'telegram',
      content: 'unmistakable-words',
      alias: 'Bob',
    });
    await run(['backup', '--db', world.path]);
    const argv = ['ledger', 'forget', 'telegram:bob', '--because', 'Asked for it.', '--db', world.path];
    const preview = await run(argv);
    expect(preview.code).toBe(2);
    expect(preview.err).toContain('Bob (telegram:bob) with 2 interactions');
    expect(preview.err).toContain('backups');
    expect(await world.ledger.getPeer('telegram:bob')).not.toBeNull();
    const done = await run([...argv, '--yes']);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('Erased 2 interactions.') });
    expect(done.err).toContain('still contain the peer');
    expect(await world.ledger.getPeer('telegram:bob')).toBeNull();
    for (const file of [world.path, `${world.path}-wal`]) {
      if (existsSync(file)) expect(readFileSync(file).includes('unmistakable-words')).toBe(false);
    }

    const [backup = ''] = /\S+\/backups\/\S+\.db/u.exec(done.err) ?? [];
    expect(readFileSync(`${world.path}.erasures`, 'utf8')).not.toContain('bob');
    await world.close();
    const restored = await run(['restore', backup, '--db', world.path, '--yes']);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Erased 1 peer again') });
    const shown = await run(['ledger', 'show', 'telegram:bob', '--db', world.path]);
    expect(shown.err).toContain('(PEER_NOT_FOUND)');
    expect((await run(['ledger', 'search', 'unmistakable', '--db', world.path])).err).toContain('No message');
  });
});

describe('bonafide ledger forget beside other packages', () => {
  it('CLI-1 LED-33 names the rows of other databases that contain the peer', async () => {
    await using world = await createWorld();
    const key = 'ab'.repeat(32);
    world.now = Date.now();
    await world.ledger.recordIncoming({ peerId: key, channel: 'nostr', content: 'Hi' });
    const jobs = openSqlite<unknown>({ path: join(world.workspace, 'jobs.db') });
    await sql`create table jobs (id text, event text, size integer) strict`.execute(jobs);
    await sql`create table other (id text) strict`.execute(jobs);
    for (const author of [key, key.toUpperCase(), 'cd'.repeat(32)]) {
      await sql`insert into jobs values ('x', ${JSON.stringify({ pubkey: author })}, 1)`.execute(jobs);
    }
    await jobs.destroy();
    const argv = ['ledger', 'forget', key, '--because', 'Asked for it.', '--db', world.path];
    const preview = await run(argv);
    expect(preview.err).toContain('jobs.db (jobs: 2 rows)');
    const done = await run([...argv, '--yes', '--json']);
    expect(JSON.parse(done.out)).toMatchObject({
      interactions: 1,
      mentions: [{ file: join(world.workspace, 'jobs.db'), table: 'jobs', rows: 2 }],
    });
  });
});

describe('bonafide restore after an erasure', () => {
  const forget = (path: string, ...more: readonly string[]) =>
    run(['ledger', 'forget', 'irc:eve', '--because', 'Asked for it.', '--yes', '--db', path, ...more]);
  const message = { peerId: 'eve', channel: 'irc' };

  it('CLI-1 LED-33 keeps what came after the erasure', async () => {
    await using world = await createWorld();
    world.now = Date.now() - 1_000;
    await world.ledger.recordIncoming({ ...message, content: 'old words', alias: 'Eve' });
    expect((await forget(world.path)).code).toBe(0);
    world.now = Date.now() + day;
    await world.ledger.recordIncoming({ ...message, content: 'new words' });
    const later = join(world.workspace, 'elsewhere.db');
    await run(['backup', later, '--db', world.path]);
    await world.close();
    const restored = await run(['restore', later, '--db', world.path, '--yes', '--json']);
    expect(JSON.parse(restored.out)).toMatchObject({ restored: true, erased: 0 });
    const shown = await run(['ledger', 'show', 'irc:eve', '--db', world.path]);
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('new words') });
  });

  it('CLI-1 LED-33 keeps a refusal, also in a backup from before the attack, and names backups made elsewhere', async () => {
    await using world = await createWorld();
    world.now = Date.now() - 1_000;
    await world.ledger.recordIncoming({ ...message, content: 'old words', correlationId: 'job' });
    const early = join(world.workspace, 'elsewhere.db');
    await run(['backup', early, '--db', world.path]);
    await world.ledger.recordOutcome('job', 'violation');
    const done = await forget(world.path, '--keep-verdict');
    expect(done.out).toContain('stays refused');
    expect(done.err).toContain(early);
    await world.close();
    expect((await run(['restore', early, '--db', world.path, '--yes'])).out).toContain('Erased 1 peer again');
    const db = openSqlite<unknown>({ path: world.path });
    const ledger = createLedger({ store: createKyselyLedgerStore(db) });
    expect(await ledger.getPeer('irc:eve')).toBeNull();
    expect((await ledger.getBriefing('irc:eve')).verdict).toMatchObject({
      verdict: 'refuse',
      rule: 'erased',
    });
    await db.destroy();
  });

  it('CLI-1 LED-33 works with a torn line in the list, and replaces nothing when the list is damaged', async () => {
    await using world = await createWorld();
    world.now = Date.now() - 1_000;
    await world.ledger.recordIncoming({ ...message, content: 'old words' });
    await world.ledger.recordIncoming({ peerId: 'bob', channel: 'irc', content: 'hi' });
    const early = join(world.workspace, 'elsewhere.db');
    await run(['backup', early, '--db', world.path]);
    const list = `${world.path}.erasures`;
    appendFileSync(list, '{"erased":{"agentId":"def');
    expect(await forget(world.path)).toMatchObject({ code: 0 });
    await world.close();
    const whole = readFileSync(list, 'utf8');
    writeFileSync(list, `${whole}{"erased":damaged}\t\n`);
    const refused = await run(['restore', early, '--db', world.path, '--yes']);
    expect(refused.err).toContain('(ERASURES_DAMAGED)');
    expect((await run(['ledger', 'show', 'irc:eve', '--db', world.path])).err).toContain('(PEER_NOT_FOUND)');
    writeFileSync(list, whole);
    expect((await run(['restore', early, '--db', world.path, '--yes'])).out).toContain('Erased 1 peer again');
    expect((await run(['ledger', 'show', 'irc:eve', '--db', world.path])).err).toContain('(PEER_NOT_FOUND)');
    expect((await run(['ledger', 'show', 'irc:bob', '--db', world.path])).code).toBe(0);
  });
});

describe('bonafide ledger search', () => {
  it('CLI-1 LED-33 lists messages with all of the words, of one peer or of all', async () => {
    await using world = await populated();
    const found = await run(['ledger', 'search', 'aggregate', '--db', world.path]);
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toContain('telegram:farm1');
    const json = await run([
      'ledger',
      'search',
      'hi',
      '--peer',
      'telegram:bob',
      '--db',
      world.path,
      '--json',
    ]);
    expect(JSON.parse(json.out).interactions).toMatchObject([{ peerId: 'telegram:bob', content: 'Hi' }]);
    expect((await run(['ledger', 'search', 'nothing', 'here', '--db', world.path])).err).toContain(
      'No message',
    );
  });
});
