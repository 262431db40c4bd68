import { isBlank, shortId } from '@bonafide/internal';
import { counted } from '../../format.ts';
import type { Printer } from '../../print.ts';
import type { Conduct, LearntPlatform, ReportSummary, Tally } from '../../report-summary.ts';

/** Number of platforms that the table names. */
const most = 12;

const sat = (msat: number) => `${(msat / 1_000).toLocaleString('en-US', { maximumFractionDigits: 3 })} sat`;
/** Formats an estimate with two digits. */
const aboutSat = (msat: number) =>
  `${(msat / 1_000).toLocaleString('en-US', { maximumSignificantDigits: 2 })} sat`;
const of = ({ good, judged }: Tally) => `${good} of ${judged}`;

function describeConduct({ conduct, attacks, small, large }: LearntPlatform): string {
  const all = { good: small.good + large.good, judged: small.judged + large.judged };
  const good = `${of(all)} ${all.judged === 1 ? 'answer was' : 'answers were'} good`;
  switch (conduct) {
    case 'attacker':
      return `Cheats: ${attacks} of ${counted(all.judged, 'answer')} attacked the judge.`;
    case 'small-only':
      return `Good at small work (${of(small)}), bad at large (${of(large)}): reputation is farmed this way.`;
    case 'large-failed':
      return `Good at small work (${of(small)}), bad at ${large.judged === 1 ? 'the only large one' : `large (${of(large)})`}: too little to tell, but reputation is farmed this way.`;
    case 'few':
      return `Too little is known yet: ${good}.`;
    case 'reliable':
      return `Reliable: ${good}${large.judged > 0 ? ', large work included' : ''}.`;
    case 'uneven':
      return `Makes mistakes: ${good}.`;
    case 'poor':
      return `Fails more often than not: ${good}.`;
    case 'unknown':
      return 'None of its answers was judged yet.';
  }
}

/** Decisions of the routing matrix, by status. Statuses that are not here are named as they are. */
const decisions: Readonly<Record<string, string>> = {
  ACTIVE: 'Qualified',
  CONDITIONAL: 'On probation',
  EVALUATING: 'Still in its trials',
  REJECTED: 'Rejected after its trials',
  BLACKLISTED: 'Blacklisted',
  SUSPECTED_DEGRADED: 'Watched, since it became worse',
  REDUCED: 'Gets half of its share, since it became worse',
  SUSPENDED: 'Suspended, since it became worse',
  HALF_OPEN: 'Returns from a suspension',
  REMOVED: 'Removed after its suspensions',
};

function describeDecision({ status, hired }: LearntPlatform): string {
  const use = hired === 0 ? 'not hired' : `hired ${hired === 1 ? 'once' : `${hired} times`}`;
  if (status === null) return `${use.charAt(0).toUpperCase()}${use.slice(1)}.`;
  return `${decisions[status] ?? status}, ${use}.`;
}

const nameOf = ({ name, npub }: LearntPlatform) =>
  isBlank(name) ? shortId(npub) : `${name} (${shortId(npub)})`;

/** Returns the share of the bids for bad work that memory and judgment saved, %; null without an estimate. */
const savedPercent = ({ bad, byChance }: ReportSummary): number | null =>
  byChance === null || byChance.msat === 0 ? null : Math.round((1 - bad.msat / byChance.msat) * 100);

function printBadWork(summary: ReportSummary, print: Printer): void {
  const { bad, byChance, judged } = summary;
  if (judged === 0) return;
  if (bad.answers === 0) {
    print.paragraph(`None of ${counted(judged, 'judged answer')} was bad.`, 0);
    return;
  }
  const inTrials = bad.inTrials === bad.answers ? 'all of them' : `${bad.inTrials} of them`;
  const trials = bad.inTrials === 0 ? '' : `, ${inTrials} in trials`;
  const paid = bad.paidMsat === 0 ? 'nothing was paid for it' : `${sat(bad.paidMsat)} was paid`;
  print.paragraph(
    `Bad work: ${bad.answers} of ${counted(judged, 'judged answer')}${trials}. The bids for it were ${sat(bad.msat)} (1 sat is 1000 msat); ${paid}.`,
    0,
  );
  const saved = savedPercent(summary);
  if (byChance === null || saved === null) return;
  const estimate = `bids of about ${aboutSat(byChance.msat)} for bad work (an estimate from how each platform worked here)`;
  print.paragraph(
    saved > 0
      ? `Without memory and judgment, the same requests given by chance would have had about ${counted(byChance.answers, 'bad answer')} in place of ${bad.answers - bad.inTrials}, and ${estimate}. Memory and judgment saved about ${saved} %.`
      : `The trials have not paid for themselves yet: the same requests given by chance would have had ${estimate}.`,
    0,
  );
}

/** Prints in sentences what the agent has learnt and decided, and what bad work has cost. */
export function printSummary(summary: ReportSummary, print: Printer): void {
  const { platforms, trials, requests, jobs } = summary;
  if (platforms.length === 0) return;
  print.line(`\n${print.paint('bold', 'What the agent learnt')}\n`);
  print.paragraph(
    `It knows ${counted(platforms.length, 'platform')}, gave them ${counted(trials, 'trial')}, and requested ${counted(requests, 'answer')} for ${counted(jobs, 'job')}. It judged the answers itself.`,
    0,
  );
  print.line();
  print.table(
    [{ title: 'Platform' }, { title: 'What it learnt and decided', atLeast: 50 }],
    platforms
      .slice(0, most)
      .map((each) => [nameOf(each), `${describeConduct(each)} ${describeDecision(each)}`]),
  );
  if (platforms.length > most)
    print.line(print.paint('dim', `And ${platforms.length - most} more: bonafide routes`));
  print.line();
  printBadWork(summary, print);
}

const conducts: Readonly<Record<Conduct, string>> = {
  attacker: 'cheats',
  'small-only': 'is good at small work only',
  'large-failed': 'is good at small work and failed at large',
  few: 'is hardly known yet',
  reliable: 'is reliable',
  uneven: 'makes mistakes',
  poor: 'fails more often than not',
  unknown: 'was not judged yet',
};

/** Number of platforms that the last sentence names. */
const mostInShort = 6;

/** Prints the result in one sentence, for a reader who sees only the last lines. */
export function printInShort(summary: ReportSummary, print: Printer): void {
  const judged = summary.platforms.filter(({ conduct }) => conduct !== 'unknown');
  if (judged.length === 0) return;
  const named = judged.slice(0, mostInShort).map((each) => `${nameOf(each)} ${conducts[each.conduct]}`);
  const others = judged.length > named.length ? [`${judged.length - named.length} more`] : [];
  const saved = savedPercent(summary);
  const end =
    saved === null || saved <= 0 ? '' : ` Memory and judgment saved about ${saved} % of bids for bad work.`;
  print.line();
  print.paragraph(`${print.paint('bold', 'In short:')} ${[...named, ...others].join(', ')}.${end}`, 0);
}
