import type { NostrEvent } from '@bonafide/nostr-transport';
import { describe, expect, it } from 'vitest';
import { buildFeedback, buildJobResult } from '../src/codec/index.ts';
import { correlate } from '../src/correlate.ts';
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
    const { tags, ...rest } = resultOf(addressed, provider);
    const without = { ...rest, tags: tags.filter(([name]) => name !== 'e') };
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

  it('JOB-4 is not taken when it is encrypted, since nothing encrypted was asked for', () => {
    const result = resultOf(addressed, provider);
    const secret = { ...result, tags: [...result.tags, ['encrypted']] };
    expect(correlate(secret, jobs)).toMatchObject({ match: 'none', reason: 'encrypted', job: addressed });
  });
});
