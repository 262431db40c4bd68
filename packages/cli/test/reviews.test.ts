import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger } from '@bonafide/ledger-core';
import { createKyselyLedgerStore, migrateLedger } from '@bonafide/ledger-core/kysely';
import { createKeySigner, createTransport } from '@bonafide/nostr-transport';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { buildReview, createReputation, parseReview } from '@bonafide/reputation';
import { createKyselyReviewStore, migrateReputation } from '@bonafide/reputation/kysely';
import { openSqlite } from '@bonafide/storage';
import { npubEncode } from 'nostr-tools/nip19';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './world.ts';

const secretOf = (n: number) => n.toString(16).padStart(64, '0');
const signerOf = (n: number) => createKeySigner(secretOf(n));
const envOf = (n: number) => ({ BONAFIDE_SECRET_KEY: secretOf(n) });
const keyOf = (n: number) => signerOf(n).getPublicKey();

/** A workspace with offered reviews, and a relay. */
async function world() {
  const workspace = mkdtempSync(join(tmpdir(), 'bonafide-cli-reviews-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const relay = await startTestRelay();
  onTestFinished(() => relay.close());
  const db = openSqlite<unknown>({ path: join(workspace, 'reviews.db') });
  await migrateReputation(db);
  const transport = createTransport();
  const reputation = createReputation({
    transport,
    signer: signerOf(1),
    store: createKyselyReviewStore(db),
    relays: [relay.url],
  });
  const subject = await keyOf(2);
  const review = { subject, trustScore: 0.875, task: 'code', summary: 'Reliable.\u001b[31m' };
  await reputation.offer({
    key: 'attack',
    event: 'security',
    completedAt: Date.now() - 1_000,
    review: { ...review, trustScore: 0 },
  });
  await reputation.offer({
    key: 'verdict-17',
    event: 'benchmark',
    completedAt: Date.now() - 1_000,
    review: { ...review, task: 'prose' },
  });
  await reputation.close();
  await transport.close();
  await db.destroy();
  const where = ['--workspace', workspace];
  return { workspace, relay, subject, where, to: [...where, '--relay', relay.url] };
}

describe('bonafide reviews', () => {
  it('CLI-1 REP-4 lists, shows and previews what would be published, and sends nothing', async () => {
    const { relay, where, subject } = await world();
    const list = await run(['reviews', 'list', ...where]);
    expect(list).toMatchObject({ code: 0, err: '' });
    expect(list.out).toContain('verdict-17');
    expect(list.out).toContain('queued');
    const shown = await run(['reviews', 'show', 'verdict-17', ...where]);
    expect(shown.out).toContain(npubEncode(subject));
    expect(shown.out).toContain('4.5 of 5');
    expect(shown.out).not.toContain('\u001b');
    const preview = await run(['reviews', 'preview', 'verdict-17', '--json', ...where], { env: envOf(1) });
    expect(JSON.parse(preview.out)).toMatchObject({
      approved: false,
      decision: { action: 'wait' },
      events: [{ kind: 32_020, pubkey: await keyOf(1) }],
    });
    expect(relay.received).toEqual([]);
  });

  it('CLI-1 REP-4 publishes exactly what it previewed, and deletes it again', async () => {
    const { relay, where, to } = await world();
    const preview = JSON.parse(
      (await run(['reviews', 'preview', 'attack', '--json', ...where], { env: envOf(1) })).out,
    );
    const published = await run(['reviews', 'publish', 'attack', ...to], { env: envOf(1) });
    expect(published).toMatchObject({ code: 0 });
    expect(published.out).toContain('published');
    const [event] = relay.events({ kinds: [32_020] });
    expect(event).toMatchObject(preview.events[0]);
    const waiting = await run(['reviews', 'publish', 'verdict-17', ...to], { env: envOf(1) });
    expect(waiting.out).toContain('cooling-off');
    expect(relay.events({ kinds: [32_020] })).toHaveLength(1);
    const withdrawn = await run(['reviews', 'withdraw', 'attack', '--because', 'A mistake.', ...to], {
      env: envOf(1),
    });
    expect(withdrawn).toMatchObject({ code: 0 });
    expect(relay.events({ kinds: [32_020] })).toEqual([]);
    expect(withdrawn.out + published.out).not.toContain(secretOf(1));
  });

  it('CLI-1 REP-8 objects as the subject', async () => {
    const { relay, to } = await world();
    await run(['reviews', 'publish', 'attack', ...to], { env: envOf(1) });
    const id = relay.events({ kinds: [32_020] })[0]?.id ?? '';
    const because = ['--because', 'It was a test of ours.'];
    const objected = await run(['reviews', 'object', id, ...because, '--relay', relay.url], {
      env: envOf(2),
    });
    expect(objected).toMatchObject({ code: 0 });
    expect(relay.events({ kinds: [1111] })).toMatchObject([
      { pubkey: await keyOf(2), content: 'It was a test of ours.' },
    ]);
    const stranger = await run(['reviews', 'object', id, ...because, '--relay', relay.url], {
      env: envOf(3),
    });
    expect(stranger).toMatchObject({ code: 1 });
    expect(stranger.err).toContain('another agent');
  });

  it('CLI-1 REP-6 shows what others say beside the own ledger, with reasons', async () => {
    const { relay, workspace, to, subject } = await world();
    const friend = await keyOf(3);
    const db = openSqlite<unknown>({ path: join(workspace, 'ledger.db') });
    await migrateLedger(db);
    const ledger = createLedger({ store: createKyselyLedgerStore(db) });
    await ledger.recordIncoming({ peerId: friend, channel: 'nostr', content: 'Hello.' });
    await ledger.recordAssessment(friend, 3, 'Kept its word.');
    await ledger.close();
    await db.destroy();
    const review = { subject, trustScore: 0.9, summary: 'Nine of nine jobs were right.' };
    relay.publish(await signerOf(3).signEvent(buildReview(review)));
    relay.publish(await signerOf(4).signEvent(buildReview({ ...review, trustScore: 0, summary: 'Scam!' })));
    const about = await run(['reviews', 'about', npubEncode(subject), ...to]);
    expect(about).toMatchObject({ code: 0 });
    expect(about.out).toContain('1 known and 1 unknown raters');
    expect(about.out).toContain('Nine of nine jobs were right.');
    const document = JSON.parse((await run(['reviews', 'about', subject, '--json', ...to])).out);
    expect(document).toMatchObject({ basis: 'hearsay', hearsay: { knownRaters: 1 } });
    expect(document.trustScore).toBeGreaterThan(0.5);
    const nothing = await run(['reviews', 'about', await keyOf(9), ...to]);
    expect(nothing).toMatchObject({ code: 1 });
  });

  it('CLI-1 names what is missing', async () => {
    const { where, to } = await world();
    expect(await run(['reviews', 'publish', 'attack', ...where], { env: envOf(1) })).toMatchObject({
      code: 2,
    });
    expect((await run(['reviews', 'publish', 'attack', ...to])).err).toContain('BONAFIDE_SECRET_KEY');
    expect((await run(['reviews', 'list', '--workspace', join(tmpdir(), 'nowhere')])).err).toContain(
      'There are no reviews',
    );
    expect((await run(['reviews', 'show', 'none', ...where])).err).toContain('There is no review');
    expect((await run(['reviews', 'publish', 'none', ...to], { env: envOf(1) })).code).toBe(1);
  });
});

describe('bonafide trust report --publish', () => {
  it('CLI-1 TRU-13 publishes a valid report as the event that was signed, and no other', async () => {
    const { relay, workspace } = await world();
    const evidence = join(workspace, 'evidence.json');
    const input = {
      agentId: 'steward',
      evidence: {
        testCoverage: { passing: 9, total: 10 },
        uptime: { periodHours: 720, downtimeHours: 1 },
        successRate: { successful: 9, failed: 1 },
        endorsements: { total: 0, unique: 0, endorserTrustAvg: 0 },
        attestationFreshness: { hours: 2 },
      },
      tierEvidence: {},
    };
    writeFileSync(evidence, JSON.stringify(input));
    const made = await run(['trust', 'report', evidence, '--json'], { env: envOf(1) });
    const report = join(workspace, 'report.json');
    writeFileSync(report, made.out);
    const publish = ['--publish', '--relay', relay.url];
    expect(await run(['trust', 'report', report, '--publish'])).toMatchObject({ code: 2 });
    expect(relay.received).toEqual([]);
    // No key is needed: the report is signed already.
    const published = await run(['trust', 'report', report, ...publish]);
    expect(published).toMatchObject({ code: 0 });
    const [event] = relay.events({ kinds: [30_078] });
    expect(event).toMatchObject({ id: JSON.parse(made.out).verification.event_id, pubkey: await keyOf(1) });
    expect(JSON.parse(event?.content ?? '{}')).toMatchObject({ agent_id: 'steward' });
    writeFileSync(report, made.out.replace('"steward"', '"someone"'));
    const forged = await run(['trust', 'report', report, ...publish]);
    expect(forged).toMatchObject({ code: 1 });
    expect(forged.err).toContain('Not published');
    expect(relay.events({ kinds: [30_078] })).toHaveLength(1);
    expect(parseReview(event)).toMatchObject({ ok: false, reason: 'unknown-kind' });
  });
});
