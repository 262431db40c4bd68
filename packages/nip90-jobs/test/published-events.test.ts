import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import { parseFeedback, parseJobRequest, parseJobResult } from '../src/codec/index.ts';

interface Published {
  readonly event: NostrEvent;
  readonly idValid: boolean;
  readonly sigValid: boolean;
}

function published(file: string): Published[] {
  const path = join(import.meta.dirname, '../../../fixtures/nostr-events', file);
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Published);
}

/** Tests look events up by the beginning of their id. */
function byId(events: readonly Published[], start: string): NostrEvent {
  const found = events.filter(({ event }) => event.id.startsWith(start));
  if (found[0] === undefined || found.length > 1)
    throw new Error(`${found.length} events begin with ${start}`);
  return found[0].event;
}

const requests = published('dvm-requests-5xxx.jsonl');
const signedRequests = requests.filter(({ idValid, sigValid }) => idValid && sigValid);
const results = published('dvm-results-6xxx.jsonl');
const feedback = published('dvm-feedback-7000.jsonl');

const request = (start: string) => {
  const parsed = parseJobRequest(byId(requests, start));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.request;
};
const feedbackOf = (start: string) => {
  const parsed = parseFeedback(byId(feedback, start));
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.feedback;
};

describe('requests published by strangers', () => {
  it('JOB-18 JOB-2 are all read, but for two that were edited by hand and are no events', () => {
    const refusals = requests.flatMap(({ event }) => {
      const parsed = parseJobRequest(event);
      return parsed.ok ? [] : [[event.id, parsed.reason, parsed.message]];
    });
    expect(requests.length).toBeGreaterThanOrEqual(54);
    expect(refusals).toEqual([
      ['test', 'malformed-event', expect.stringMatching(/^id: /)],
      [expect.stringMatching(/^1cd2c73f/), 'malformed-event', expect.stringMatching(/^tags\.3\.2: /)],
    ]);
  });

  it('JOB-18 JOB-2 lose no input, parameter, provider or topic', () => {
    for (const { event } of signedRequests) {
      const parsed = parseJobRequest(event);
      if (!parsed.ok) throw new Error(parsed.message);
      const named = (name: string) => event.tags.filter((tag) => tag[0] === name);
      expect(parsed.request.inputs.map(({ data }) => data)).toEqual(named('i').map((tag) => tag[1]));
      expect(Object.values(parsed.request.params).flat().toSorted()).toEqual(
        named('param')
          .map((tag) => tag[2])
          .toSorted(),
      );
      expect(parsed.request.providers).toEqual([...new Set(named('p').map((tag) => tag[1]))]);
      expect(parsed.request.topics).toEqual(named('t').map((tag) => tag[1]));
      expect(parsed.request.encryption !== null).toBe(named('encrypted').length > 0);
    }
  });

  it('JOB-2 read every form of an input', () => {
    expect(request('7cadd987').inputs).toEqual([
      { data: 'https://www.youtube.com/watch?v=J8LONr-6VmM', type: 'url', relay: null, marker: null },
    ]);
    const background = requests.find(
      ({ event }) => event.kind === 5102 && event.tags.some((tag) => tag[3] === 'background'),
    );
    const chained = parseJobRequest(background?.event);
    expect(
      chained.ok && chained.request.inputs.map(({ type, relay, marker }) => [type, relay, marker]),
    ).toEqual([
      ['job', null, null],
      ['job', null, 'background'],
    ]);
    const fanfares = parseJobRequest(requests.find(({ event }) => event.kind === 5068)?.event);
    expect(fanfares.ok && fanfares.request.inputs[0]).toMatchObject({
      type: 'event',
      relay: 'relay.fanfares.io',
      marker: 'zap_target',
    });
    expect(fanfares.ok && fanfares.request.inputs[1]).toEqual({
      data: '206',
      type: 'text',
      relay: null,
      marker: 'payload_size',
    });
    const rpc = parseJobRequest(requests.find(({ event }) => event.kind === 5107)?.event);
    expect(rpc.ok && rpc.request.inputs[0]).toMatchObject({
      type: 'text',
      relay: 'wss://relay.nostriot.com',
      marker: null,
    });
    const bare = parseJobRequest(requests.find(({ event }) => event.kind === 5988)?.event);
    expect(bare.ok && bare.request.inputs[0]).toMatchObject({ type: 'text', relay: null, marker: null });
  });

  it('JOB-2 read relays, output and bid as they were meant', () => {
    const youtube = request('7cadd987');
    expect(youtube.relays).toHaveLength(13);
    expect(youtube.output).toEqual({ mime: 'text/plain', parameters: '', schema: null });
    const ostrich = parseJobRequest(
      requests.find(({ event }) => event.tags.some((tag) => tag[0] === 'bid'))?.event,
    );
    expect(ostrich.ok && ostrich.request.bidMsat).toBe(10_000_000);
  });

  it('JOB-2 keep all values of a parameter that is given twice', () => {
    const targets = parseJobRequest(requests.find(({ event }) => event.kind === 5314)?.event);
    expect(targets.ok && targets.request.params.target).toHaveLength(2);
  });

  it('JOB-4 tell NIP-04 from NIP-44', () => {
    const schemes = signedRequests.map(({ event }) => {
      const parsed = parseJobRequest(event);
      return parsed.ok ? parsed.request.encryption : null;
    });
    expect(schemes.filter((scheme) => scheme === 'nip44').length).toBeGreaterThan(0);
    expect(schemes.filter((scheme) => scheme === 'nip04').length).toBeGreaterThan(0);
    expect(schemes.filter((scheme) => scheme === 'unknown')).toEqual([]);
  });
});

describe('results published by strangers', () => {
  it('JOB-18 are all read', () => {
    const refusals = results.flatMap(({ event }) => {
      const parsed = parseJobResult(event);
      return parsed.ok ? [] : [`${event.id}: ${parsed.message}`];
    });
    expect(results.length).toBeGreaterThanOrEqual(41);
    expect(refusals).toEqual([]);
  });

  it('JOB-9 name their request wherever they say it', () => {
    for (const { event } of results) {
      const parsed = parseJobResult(event);
      if (!parsed.ok) throw new Error(parsed.message);
      expect(parsed.result.requestId).toBe(event.tags.find((tag) => tag[0] === 'e')?.[1] ?? null);
      expect(parsed.result.status).toBe(
        event.tags.find((tag) => tag[0] === 'status')?.[1]?.toLowerCase() ?? 'success',
      );
    }
  });

  it('JOB-9 repeat the request that they name', () => {
    const both = results.flatMap(({ event }) => {
      const parsed = parseJobResult(event);
      return parsed.ok && parsed.result.requestId && parsed.result.repeatedRequestId ? [parsed.result] : [];
    });
    expect(both.length).toBeGreaterThan(10);
    for (const { requestId, repeatedRequestId } of both) expect(repeatedRequestId).toBe(requestId);
  });
});

describe('feedback published by strangers', () => {
  it('JOB-18 JOB-10 is all read', () => {
    const statuses = feedback.map(({ event }) => {
      const parsed = parseFeedback(event);
      return parsed.ok ? parsed.feedback.status : parsed.reason;
    });
    const known = ['', 'error', 'partial', 'payment-required', 'processing', 'success'];
    expect(feedback.length).toBeGreaterThanOrEqual(22);
    expect(statuses.filter((status) => !known.includes(status))).toEqual([]);
  });

  it('JOB-10 JOB-11 has its amount read whatever way it is written', () => {
    const amounts = feedback.flatMap(({ event }) => {
      const parsed = parseFeedback(event);
      return parsed.ok && parsed.feedback.amountMsat !== null ? [parsed.feedback] : [];
    });
    expect(amounts.map(({ amountMsat }) => amountMsat)).toEqual(
      expect.arrayContaining([25_000, 1_000, 100_000, 28_125]),
    );
    // The invoice is over 25,000 msat: reading is not checking.
    expect(feedbackOf('f9fe21e8')).toMatchObject({
      amountMsat: 28_125,
      bolt11: expect.stringMatching(/^lnbc250n/),
    });
    const address = amounts.find(({ amountMsat }) => amountMsat === 100_000);
    expect(address).toMatchObject({ bolt11: null, lightningAddress: 'botlab@zeuspay.com' });
  });
});

it('JOB-18 each is refused by the parsers of the other two, for its kind', () => {
  for (const { event } of [...signedRequests, ...results, ...feedback]) {
    const parsed = [parseJobRequest(event), parseJobResult(event), parseFeedback(event)];
    const refusals = parsed.flatMap((one) => (one.ok ? [] : [one.reason]));
    expect(refusals).toEqual(['wrong-kind', 'wrong-kind']);
  }
});
