import type { NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import { correlate } from '../src/client/correlate.ts';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import type { Job } from '../src/job.ts';
import { sampleEvent, sampleId, sampleJob } from '../src/testing/samples.ts';

const provider = sampleId(2);
const stranger = sampleId(666);
const addressed = sampleJob(10, { kind: 5000, provider });
const open = sampleJob(11, { kind: 5100, provider: null, request: sampleEvent(11, { kind: 5100 }) });
const jobs = new Map<string, Job>([addressed, open].map((job) => [job.jobId, job]));

const by = (
  pubkey: string,
  template: { kind: number; tags: readonly (readonly string[])[]; content: string },
): NostrEvent => ({
  ...sampleEvent(50),
  ...template,
  pubkey,
});
const resultOf = (job: Job, pubkey: string, kind?: number) => {
  const template = buildJobResult({ request: job.request, content: 'done', createdAt: 0 });
  return by(pubkey, { ...template, kind: kind ?? template.kind });
};
const feedbackOf = (job: Job, pubkey: string) =>
  by(pubkey, buildFeedback({ request: job.request, status: 'processing', createdAt: 0 }));

describe('an event that arrives', () => {
  it('JOB-9 belongs to the job that its e names, if the addressed provider signed it', () => {
    expect(correlate(resultOf(addressed, provider), jobs)).toMatchObject({
      match: 'result',
      job: addressed,
      result: { content: 'done' },
    });
    expect(correlate(feedbackOf(addressed, provider), jobs)).toMatchObject({
      match: 'feedback',
      job: addressed,
    });
  });

  it('JOB-9 JOB-16 counts for nothing when somebody else signed it', () => {
    for (const event of [resultOf(addressed, stranger), feedbackOf(addressed, stranger)]) {
      expect(correlate(event, jobs)).toEqual({ match: 'none', reason: 'third-party', job: addressed });
    }
  });

  it('JOB-9 may be signed by anybody when the job addresses nobody', () => {
    expect(correlate(resultOf(open, stranger), jobs)).toMatchObject({ match: 'result', job: open });
  });

  it('JOB-1 is no result when its kind is not the request’s + 1000', () => {
    expect(correlate(resultOf(addressed, provider, 6001), jobs)).toEqual({
      match: 'none',
      reason: 'wrong-kind',
      job: addressed,
    });
    expect(correlate(resultOf(open, stranger, 6000), jobs)).toMatchObject({
      match: 'none',
      reason: 'wrong-kind',
    });
  });

  it('JOB-9 belongs to nothing when it names no job of ours, or nothing at all', () => {
    const without = { ...resultOf(addressed, provider), tags: [] };
    expect(correlate(without, jobs)).toMatchObject({ match: 'none', reason: 'uncorrelated' });
    expect(correlate(resultOf(sampleJob(99), provider), jobs)).toMatchObject({
      match: 'none',
      reason: 'uncorrelated',
    });
    expect(correlate(sampleEvent(50, { kind: 1 }), jobs)).toMatchObject({
      match: 'none',
      reason: 'malformed',
    });
  });

  describe('and names no request', () => {
    const text = (data: string) => ({ tags: [['i', data, 'text']] });
    const one = sampleJob(20, {
      builtAt: 10_000,
      request: sampleEvent(20, { pubkey: sampleId(1), ...text('a') }),
    });
    const two = sampleJob(21, {
      builtAt: 10_000,
      request: sampleEvent(21, { pubkey: sampleId(1), ...text('b') }),
    });
    const other = sampleJob(22, { kind: 5100, builtAt: 10_000 });
    const open = (...list: readonly Job[]) => ({
      get: (jobId: string) => list.find((job) => job.jobId === jobId),
      of: (key: string) => list.filter((job) => job.provider === key),
    });
    const nameless = (tags: readonly (readonly string[])[], createdAt = 12, kind = 6000) =>
      by(provider, { kind, content: '', tags, created_at: createdAt } as never);

    it('JOB-9 is told by the request that it repeats', () => {
      const event = nameless(resultOf(one, provider).tags.filter(([name]) => name === 'request'));
      expect(correlate(event, open(one, two))).toMatchObject({
        match: 'result',
        job: one,
        matchedBy: 'content',
      });
      // It repeats another request than ours: no guess is made.
      expect(correlate(event, open(two))).toMatchObject({ match: 'none', reason: 'uncorrelated' });
      expect(correlate({ ...event, pubkey: stranger }, open(one))).toMatchObject({ reason: 'third-party' });
    });

    it('JOB-9 is told by the inputs that it repeats', () => {
      const event = nameless([['i', 'b', 'text']]);
      expect(correlate(event, open(one, two))).toMatchObject({ job: two, matchedBy: 'content' });
      expect(correlate(nameless([['i', 'c', 'text']]), open(one, two))).toMatchObject({ match: 'none' });
      expect(correlate({ ...event, pubkey: stranger }, open(one, two))).toMatchObject({
        reason: 'uncorrelated',
      });
    });

    it('JOB-9 is told by its customer and its time, when only one job can be meant', () => {
      const event = nameless([['p', sampleId(1)]]);
      expect(correlate(event, open(one, other))).toMatchObject({ job: one, matchedBy: 'window' });
      expect(correlate(event, open(one, two))).toMatchObject({ match: 'none', reason: 'uncorrelated' });
      expect(correlate(nameless([['p', sampleId(1)]], 4), open(one))).toMatchObject({ match: 'none' });
      expect(correlate(nameless([['p', sampleId(9)]]), open(one))).toMatchObject({ match: 'none' });
      expect(correlate({ ...event, pubkey: stranger }, open(one))).toMatchObject({ reason: 'uncorrelated' });
    });
  });

  it('JOB-4 is not taken in the clear when the job is secret, unless that is allowed', () => {
    const secret = sampleJob(30, { request: sampleEvent(30, { tags: [['encrypted']] }) });
    const jobs = new Map([[secret.jobId, secret]]);
    const result = resultOf(secret, provider);
    expect(correlate(result, jobs)).toEqual({ match: 'none', reason: 'plaintext', job: secret });
    expect(correlate(result, jobs, { allowPlaintext: true })).toMatchObject({ match: 'result' });
    expect(correlate({ ...result, tags: [...result.tags, ['encrypted']] }, jobs)).toMatchObject({
      match: 'result',
    });
    expect(correlate(feedbackOf(secret, provider), jobs)).toMatchObject({ match: 'feedback' });
    const told = { ...feedbackOf(secret, provider), content: 'your secret' };
    expect(correlate(told, jobs)).toMatchObject({ reason: 'plaintext' });
  });

  it('JOB-4 is not taken when it is encrypted, since nothing encrypted was asked for', () => {
    const result = resultOf(addressed, provider);
    const secret = { ...result, tags: [...result.tags, ['encrypted']] };
    expect(correlate(secret, jobs)).toMatchObject({ match: 'none', reason: 'encrypted', job: addressed });
  });
});
