import { describe, expect, it } from 'vitest';
import type { Ledger } from '../src/index.ts';
import { codeOf, dayMs, hello, hex, npub, setUp, start } from './support/ledger.ts';

describe('reading', () => {
  it('LED-9 pages through peers and messages without losing or repeating one while more come in', async () => {
    const { ledger } = setUp();
    for (let n = 0; n < 23; n++) {
      await ledger.recordIncoming(hello({ peerId: `p${n}`, channel: 'irc', at: start + Math.floor(n / 3) }));
      await ledger.recordIncoming(hello({ content: `${n}`, at: start + Math.floor(n / 3) }));
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Ledger['listPeers']>> = await ledger.listPeers({ limit: 5, cursor });
      seen.push(...page.items.map(({ peerId }) => peerId));
      cursor = page.nextCursor;
      await ledger.recordIncoming(hello({ peerId: `new${seen.length}`, channel: 'irc', at: start + 1000 }));
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(24);

    const texts: string[] = [];
    do {
      const page: Awaited<ReturnType<Ledger['getInteractions']>> = await ledger.getInteractions(hex, {
        limit: 4,
        cursor,
      });
      texts.push(...page.items.map(({ content }) => content));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(texts).toEqual(Array.from({ length: 23 }, (_, n) => `${22 - n}`));
    expect((await ledger.getConversation(hex)).items.map(({ content }) => content)).toEqual(
      texts.toReversed(),
    );
  });

  it('LED-9 refuses unknown names, limits and events (X-8)', async () => {
    const { ledger } = setUp();
    // Calls as a program in JavaScript makes them.
    const calls: readonly (() => unknown)[] = [
      () => ledger.listPeers({ limt: 5 } as never),
      () => ledger.listPeers({ orderBy: 'trust' } as never),
      () => ledger.getInteractions('irc:bob', { limit: 1.5 }),
      () => ledger.getConversation('irc:bob', { curser: 'x' } as never),
      () => ledger.getOutcomes('irc:bob', { onyl: 'counted' } as never),
      () => ledger.getAssessments('irc:bob', { limit: 0 }),
      () => ledger.getAssessments('irc:bob', { sourc: 'agent' } as never),
      () => ledger.searchInteractions({ text: 'x', peer: 'irc:bob' } as never),
      () => ledger.getPeerAggregates('irc:bob', { halflife: 1 } as never),
      () => ledger.getLargestTrustStep({ since: Number.NaN }),
      () => ledger.getLargestTrustStep({ source: 'model' } as never),
      () => ledger.on('afterAsess' as never, () => {}),
      () => ledger.on('afterAssess', undefined as never),
    ];
    for (const call of calls)
      await expect(async () => call()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('LED-9 refuses a cursor of another list, and nonsense', async () => {
    const { ledger } = setUp();
    for (const at of [1, 2, 3]) await ledger.recordIncoming(hello({ at, backfill: true }));
    await ledger.recordIncoming(hello({ peerId: 'bob', channel: 'irc' }));
    const { nextCursor } = await ledger.getInteractions(hex, { limit: 1 });
    const foreign = [
      nextCursor,
      'nonsense',
      '',
      'W10',
      Buffer.from('["peers/lastSeenAt","x"]').toString('base64url'),
    ];
    for (const cursor of foreign.slice(0, 2).concat(foreign.slice(3))) {
      expect(await codeOf(() => ledger.listPeers({ cursor }))).toBe('INVALID_CURSOR');
      expect(await codeOf(() => ledger.getInteractions('irc:bob', { cursor }))).toBe('INVALID_CURSOR');
    }
    expect(await codeOf(() => ledger.listPeers({ limit: 0 }))).toBe('INVALID_INPUT');
    expect(await codeOf(() => ledger.listPeers({ limit: 1001 }))).toBe('INVALID_INPUT');
  });

  it('LED-9 answers about unknown peers with nothing', async () => {
    const { ledger } = setUp();
    const nothing = { items: [], nextCursor: null };
    expect(await ledger.getInteractions('nobody')).toEqual(nothing);
    expect(await ledger.getConversation('nobody')).toEqual(nothing);
    expect(await ledger.getOutcomes('nobody')).toEqual(nothing);
    expect(await ledger.getAssessments('nobody')).toEqual([]);
    expect(await ledger.getLatestAssessment('nobody')).toBeNull();
    expect(await ledger.getPeerAssessmentSummary('nobody')).toBeNull();
    expect(await ledger.resolvePeer('nobody')).toBeNull();
  });

  it('LED-29 never takes a name without its channel for a peer', async () => {
    const { ledger } = setUp();
    await ledger.recordIncoming(hello({ peerId: 'bob', channel: 'telegram' }));
    expect(await ledger.getPeer('telegram:bob')).toMatchObject({ handle: 'telegram:bob' });
    expect(await ledger.getPeer('bob')).toBeNull();
    expect(await codeOf(() => ledger.recordAssessment('bob', 1, 'fine'))).toBe('PEER_NOT_FOUND');
  });

  it('LED-1 never takes a peer of another channel for a Nostr key', async () => {
    const { ledger } = setUp();
    await ledger.recordIncoming(hello({ channel: 'telegram' }));
    await ledger.recordIncoming(hello({ channel: 'telegram', peerId: npub }));
    for (const written of [hex, npub]) {
      expect(await ledger.getPeer(written)).toBeNull();
      expect(await ledger.peerContext(written)).toContain('First contact');
    }
  });

  it('X-10 LED-29 resolves handle, full id and npub, and nothing else', async () => {
    const { ledger } = setUp();
    await ledger.recordIncoming(hello());
    const handle = (await ledger.getPeer(hex))?.handle ?? '';
    expect(handle).toMatch(/^p-[a-z2-7]{8}$/);
    for (const text of [handle, ` ${handle} `, `⟦${handle}⟧`, npub, hex, hex.toUpperCase()]) {
      expect(await ledger.resolvePeer(text)).toMatchObject({ peerId: hex });
    }
    for (const text of ['3bf0c63f…459d', handle.slice(0, -1), handle.toUpperCase(), hex.slice(0, 63), '']) {
      expect(await ledger.resolvePeer(text), text).toBeNull();
    }
  });

  it('LED-9 sums the journal up', async () => {
    const { ledger } = setUp();
    for (const [name, trust] of [
      ['ann', 4],
      ['bob', -2],
      ['cat', -7],
      ['dan', 4],
      ['eve', null],
    ] as const) {
      await ledger.recordIncoming(hello({ peerId: name, channel: 'irc' }));
      if (trust !== null) await ledger.recordAssessment(`irc:${name}`, trust, `about ${name}`);
    }
    const summary = await ledger.getSummary();
    expect(summary).toMatchObject({
      peers: 5,
      interactions: 5,
      assessments: 4,
      assessedPeers: 4,
      trustDistribution: [
        { trust: -7, peers: 1 },
        { trust: -2, peers: 1 },
        { trust: 4, peers: 2 },
      ],
      flaggedCount: 2,
    });
    expect(summary.flagged.map(({ peerId, latest }) => [peerId, latest?.rationale])).toEqual([
      ['irc:cat', 'about cat'],
      ['irc:bob', 'about bob'],
    ]);
  });

  it('LED-15 gives the section, its text, and the verdict of one moment', async () => {
    const { ledger, time } = setUp({ policy: 'strict' });
    await ledger.recordIncoming(hello());
    time.now += 2 * dayMs;
    const briefing = await ledger.getBriefing(npub);
    expect(briefing.verdict).toMatchObject({ verdict: 'refuse', rule: 'stranger' });
    expect(briefing.section.text).toContain('First seen 2026-01-03 (2 days ago)');
    expect(briefing.section.text).toContain('Policy: refuse (stranger)');
    expect(await ledger.peerContextSection(hex)).toEqual(briefing.section);
    expect(await ledger.peerContext(hex)).toBe(briefing.section.text);
  });

  it('X-8 refuses calls after it was closed', async () => {
    const { ledger } = setUp();
    await ledger.recordIncoming(hello());
    const heard: unknown[] = [];
    ledger.on('afterRecord', (event) => heard.push(event));
    await ledger[Symbol.asyncDispose]();
    await ledger.close();
    const calls: readonly (() => Promise<unknown>)[] = [
      () => ledger.recordIncoming(hello()),
      () => ledger.recordOutcome('a', 'paid'),
      () => ledger.recordAssessment(hex, 1, 'why'),
      () => ledger.getPeer(hex),
      () => ledger.listPeers(),
      () => ledger.getInteractions(hex),
      () => ledger.getSummary(),
      () => ledger.peerContext(hex),
    ];
    for (const call of calls) expect(await codeOf(call)).toBe('CLOSED');
    expect(heard).toEqual([]);
  });
});
