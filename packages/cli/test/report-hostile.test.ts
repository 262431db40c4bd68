import type { OrderRecord } from '@bonafide/delegation';
import type { QueuedReview } from '@bonafide/reputation';
import type { MatrixEntry } from '@bonafide/routing-matrix';
import { expect, it } from 'vitest';
import { printReviews } from '../src/commands/report/reviews.ts';
import { printInShort, printSummary } from '../src/commands/report/summary.ts';
import { printWork } from '../src/commands/report/work.ts';
import { createPrinter } from '../src/print.ts';
import { readReport } from '../src/report.ts';
import { summarizeReport } from '../src/report-summary.ts';

/** Colors, a bidirectional override, a zero-width space, a title of the terminal, line breaks, markup and length. */
const hostile = `\u001b[31mred\u202e\u200b\u001b]0;title\u0007\u009b2J\n\n# **x** <b>${'A'.repeat(10_000)}`;
const pubkey = 'ab'.repeat(32);
const platform = { pubkey, d: hostile };

it('CLI-1 AGT-3 the report prints texts of strangers without what a terminal acts on, one line each and not long', async () => {
  let out = '';
  const io = { stdout: { write: (text: string) => (out += text) }, stderr: { write() {} }, env: {} };
  const print = createPrinter(io);
  const replica = { platform, name: hostile, stage: 'checked', paidMsat: 0, check: { outcome: 'FAILURE' } };
  const order = { trial: null, taskType: hostile };
  const state = { status: 'failed', order, replicas: [replica], winners: [], failure: null };
  const record = { id: hostile, state, settled: true, createdAt: 0 } as unknown as OrderRecord;
  printWork([record, { ...record, id: 'other' }], print);
  const review = { subject: pubkey, task: hostile, trustScore: 1 };
  const queued = { review, state: 'queued', reason: hostile, dueAt: null } as unknown as QueuedReview;
  printReviews([queued], () => 'somebody', print, 0);
  const entry = { platform, name: hostile, taskType: hostile, status: 'ACTIVE', statusReason: hostile };
  const matrix = { entries: async () => [{ ...entry, trustScore: 0.5, tier: 'primary' } as MatrixEntry] };
  const summary = summarizeReport(await readReport({ matrix }, { now: 0 }));
  printSummary(summary, print);
  printInShort(summary, print);

  expect(out).toMatch(/^2 jobs /m);
  expect(out).toContain('red');
  expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  expect(out).not.toMatch(/^# /m);
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(600);
});
