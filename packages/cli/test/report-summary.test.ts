import { stripVTControlCharacters } from 'node:util';
import { npubEncode } from 'nostr-tools/nip19';
import { describe, expect, it } from 'vitest';
import { printInShort, printSummary } from '../src/commands/report/summary.ts';
import { createPrinter } from '../src/print.ts';
import type { ReportedWork } from '../src/report.ts';
import { summarizeReport } from '../src/report-summary.ts';

const keyOf = (n: number) => n.toString(16).padStart(64, '0');
type Outcome = ReportedWork['outcome'];

let count = 0;
/** Finished work of a platform. */
const work = (n: number, outcome: Outcome, more: Partial<ReportedWork> = {}): ReportedWork => {
  count += 1;
  return {
    ...{
      key: `${count}`,
      id: `${count}`,
      order: `order ${count}`,
      kind: 'job',
      taskType: 'code',
      task: null,
    },
    ...{ platform: `number ${n}`, pubkey: keyOf(n), bidMsat: 1_000, paidMsat: 0, outcome, cause: '' },
    ...{ passed: 1, tests: 1, endedAt: count, latencyMs: 1 },
    ...more,
  };
};
const several = (times: number, n: number, outcome: Outcome, more: Partial<ReportedWork> = {}) =>
  Array.from({ length: times }, () => work(n, outcome, more));

const platform = (n: number, status: 'ACTIVE' | 'BLACKLISTED', name = `number ${n}`) => ({
  ...{ name, npub: npubEncode(keyOf(n)), taskType: 'code', status, reason: '', tier: 'primary' as const },
  ...{ trust: 0.9, score: 0.5 },
});

const large = { bidMsat: 10_000 };
const trial = { kind: 'trial' } as const;
const jobs = [
  ...several(3, 1, 'SUCCESS', trial),
  ...several(17, 1, 'SUCCESS'),
  ...several(4, 1, 'SUCCESS', large),
  ...several(5, 2, 'SUCCESS', trial),
  ...several(2, 2, 'FAILURE', large),
  ...several(3, 3, 'SUCCESS'),
  work(3, 'FAILURE'),
  work(4, 'SECURITY_VIOLATION', trial),
  ...several(3, 5, 'ERROR'),
  work(6, 'INFRA'),
];
const platforms = [1, 2, 3, 5, 6].map((n) => platform(n, 'ACTIVE')).concat(platform(4, 'BLACKLISTED'));

/** Prints a summary as a terminal or a pipe shows it. */
function printed(report: Parameters<typeof summarizeReport>[0], columns?: number): string {
  let out = '';
  const stdout = { isTTY: columns !== undefined, columns, write: (text: string) => (out += text) };
  const print = createPrinter({ stdout, stderr: { write() {} }, env: {} });
  const summary = summarizeReport(report);
  printSummary(summary, print);
  printInShort(summary, print);
  return out;
}

describe('the summary of a report (AGT-3)', () => {
  it('tells the conduct of each platform from its judged answers', () => {
    const { platforms: learnt } = summarizeReport({ platforms, jobs });
    const conducts = Object.fromEntries(learnt.map(({ name, conduct }) => [name, conduct]));
    expect(conducts).toEqual({
      'number 1': 'reliable',
      'number 2': 'small-only',
      'number 3': 'uneven',
      'number 4': 'attacker',
      'number 5': 'poor',
      'number 6': 'unknown',
    });
    expect(learnt[0]).toMatchObject({ name: 'number 1', hired: 21, small: { good: 20, judged: 20 } });
  });

  it('names no conduct that so few answers do not show, whatever they were', () => {
    const conductOf = (...of: readonly ReportedWork[]) => {
      const [learnt] = summarizeReport({
        platforms: [],
        jobs: [...of, ...several(20, 9, 'SUCCESS')],
      }).platforms.filter(({ npub }) => npub === npubEncode(keyOf(1)));
      return learnt?.conduct;
    };
    for (const answers of [1, 2, 3, 6]) expect(conductOf(...several(answers, 1, 'SUCCESS'))).toBe('few');
    expect(conductOf(...several(7, 1, 'SUCCESS'))).toBe('reliable');
    for (const answers of [1, 2]) expect(conductOf(...several(answers, 1, 'FAILURE'))).toBe('few');
    expect(conductOf(...several(3, 1, 'FAILURE'))).toBe('poor');
    expect(conductOf(work(1, 'SUCCESS'), ...several(2, 1, 'FAILURE'))).toBe('uneven');
    // One attack is enough.
    expect(conductOf(work(1, 'SECURITY_VIOLATION'))).toBe('attacker');
    // A single large answer warns, and decides nothing.
    expect(conductOf(...several(5, 1, 'SUCCESS'), work(1, 'FAILURE', large))).toBe('large-failed');
    expect(conductOf(...several(5, 1, 'SUCCESS'), ...several(2, 1, 'FAILURE', large))).toBe('small-only');

    const out = printed({
      platforms: [],
      jobs: [work(1, 'SUCCESS'), ...several(5, 2, 'SUCCESS'), work(2, 'FAILURE', large)],
    });
    expect(out).toMatch(/number 1 .*Too little is known yet: 1 of 1 answer was good\. Hired once\./);
    expect(out).toMatch(
      /number 2 .*Good at small work \(5 of 5\), bad at the only large one: too little to tell/,
    );
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /In short: .* is good at small work and failed at large, .* is hardly known yet\./,
    );
  });

  it('says in sentences who is good, who cheats, and who is good at small work only', () => {
    const out = printed({ platforms, jobs });
    expect(out).toMatch(/number 1 \(npub1.*\) +Reliable: 24 of 24 answers .*large work.* hired 21 times\./);
    expect(out).toMatch(/number 2 .*Good at small work \(5 of 5\), bad at large \(0 of 2\)/);
    expect(out).toMatch(/number 4 .*Cheats: 1 of 1 answer attacked the judge\. Blacklisted, not hired\./);
    expect(out).toMatch(/number 6 .*None of its answers was judged yet\. Qualified, hired once\./);
    expect(out).toMatch(/^In short: number 1 \(npub1.*\) is reliable,/m);
  });

  it('counts the cost of bad work, and what chance would have cost (AGT-7)', () => {
    const { bad, byChance } = summarizeReport({ platforms, jobs });
    expect(bad).toEqual({ answers: 7, inTrials: 1, msat: 25_000, paidMsat: 0 });
    // Small work fails at (0 + 0 + 1/4 + 1 + 1) of 5 platforms, large work at (0 + 1 + 1/4 + 1 + 1) of 5.
    expect(byChance?.msat).toBe(Math.round(24 * 0.45 * 1_000 + 6 * 0.65 * 10_000));
    const out = printed({ platforms, jobs }).replace(/\s+/g, ' ');
    expect(out).toContain('Bad work: 7 of 39 judged answers, 1 of them in trials.');
    expect(out).toContain('25 sat (1 sat is 1000 msat); nothing was paid for it.');
    expect(out).toMatch(
      /given by chance .* about 50 sat for bad work .*Memory and judgment saved about 50 %\./,
    );
  });

  it('claims no saving where trials cost more than chance would, and none without a second platform', () => {
    const dear = [...several(4, 1, 'FAILURE', trial), ...several(3, 2, 'SUCCESS'), work(2, 'FAILURE')];
    const out = printed({ platforms, jobs: dear }).replace(/\s+/g, ' ');
    expect(out).toContain('Bad work: 5 of 8 judged answers, 4 of them in trials.');
    expect(out).toContain('The trials have not paid for themselves yet: ');
    expect(out).not.toContain('saved');
    expect(summarizeReport({ platforms, jobs: several(3, 1, 'FAILURE') }).byChance).toBeNull();
    expect(printed({ platforms, jobs: several(3, 1, 'SUCCESS') })).toContain(
      'None of 3 judged answers was bad.',
    );
    expect(printed({ platforms: [], jobs: [] })).toBe('');
  });

  it('fits a terminal of 60 characters', () => {
    const lines = stripVTControlCharacters(printed({ platforms, jobs }, 60)).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});
