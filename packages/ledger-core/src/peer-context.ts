import { sanitizePromptText } from '@bonafide/internal';
import { formatTrust, type PolicyVerdict } from './policy.ts';
import { fitTokens, tokenCeiling } from './prompt-budget.ts';
import type { AssessmentSource, PeerAssessmentSummary, PeerOverview } from './records.ts';

/**
 * A piece of a system prompt. A host joins sections as its SDK wants them: what is less volatile first, so
 * that the beginning of the prompt stays the same and cached.
 */
export interface PromptSection {
  /** Names the section; one of a name per prompt. */
  readonly id: string;
  /** Markdown that begins with its own heading; empty when there is nothing to say. */
  readonly text: string;
  /** Sections with a higher priority are kept when space is short. */
  readonly priority: number;
  /** Frequency of change: never, per session, or every turn. */
  readonly volatility: 'static' | 'session' | 'turn';
  /** The source of the knowledge. */
  readonly provenance: string;
}

/** Input of `peerContextSection`. */
export interface PeerContextInput {
  /** Handle of the peer; for an unknown peer the one that it will get. */
  readonly handle: string;
  readonly peer: PeerOverview | null;
  readonly summary: PeerAssessmentSummary | null;
  readonly verdict: PolicyVerdict;
  /** Time now, ms since epoch, for "N days ago". */
  readonly now: number;
}

/** Maximum number of tokens of a peer's section, including guide and rationale. */
export const peerContextTokens = 149;

const guide = [
  '## Peer Context',
  'Info 0-10 = how well known; Trust ±10 = behavior.',
  'Low info: weigh the rationale.',
];
/** Tokens of the guide and its final line break in the least efficient tokenizer; verified by a test. */
export const guideTokens = 27;

const rationaleBytes = 600;
/** The least that a rationale gets. */
const rationaleTokens = 8;
/** Tokens of two quotation marks; the first may cost the word behind it one more. */
const quoteTokens = 3;
const trajectoryShown = 3;
/** Characters of a handle, which need no sanitizing and must not be changed. */
const safeHandle = /^[A-Za-z0-9.:-]{1,60}$/;

/**
 * Creates the section about one peer. Pure. Null gives an empty section, for
 * excluded senders. Peer-written text is sanitized: one line, no markup, limited length.
 */
export function peerContextSection(input: PeerContextInput | null): PromptSection {
  return {
    id: 'peer-context',
    text: input ? peerContextText(input) : '',
    priority: 80,
    volatility: 'turn',
    provenance: 'ledger',
  };
}

/** Creates the section for a flow in which messages of several peers are being handled, from their verdicts. Pure. */
export function unclearSenderSection(verdicts: readonly PolicyVerdict[]): PromptSection {
  const strictest = verdicts.find(({ verdict }) => verdict === 'refuse') ?? {
    verdict: 'caution',
    rule: 'unclear-sender',
    reason: 'the sender is unclear',
  };
  const lines = [
    '## Peer Context',
    'Sender unclear: messages of several peers are open.',
    ...policy(strictest),
  ];
  return { ...peerContextSection(null), text: lines.join('\n') };
}

function peerContextText({ handle, peer, summary, verdict, now }: PeerContextInput): string {
  const latest = summary?.latest ?? null;
  const head: string[] = [];
  if (!peer) {
    head.push(identity(handle, peer), 'Interactions: 0', 'First contact — no prior history.');
    return [...guide, ...head, ...policy(verdict)].join('\n');
  }
  head.push(identity(handle, peer), history(peer, now));
  if (!latest) {
    head.push(`Info ${peer.infoScoreNow}/10 | Trust: not assessed yet`);
    return [...guide, ...head, ...success(peer, summary), ...violations(peer, now), ...policy(verdict)].join(
      '\n',
    );
  }
  const age = daysAgo(latest.createdAt, now);
  head.push(`Info ${latest.infoScore}/10 | Trust ${formatTrust(latest.trust)} (${age}) — `);

  const bad = [...violations(peer, now), ...policy(verdict)];
  const roomBeside = (tail: readonly string[]) =>
    peerContextTokens - guideTokens - tokenCeiling([...head, ...tail].join('\n'));
  // The rationale is the primary signal: what is left out for its sake is what it explains.
  const tails = [
    [...trajectory(summary), ...success(peer, summary), ...bad],
    [...trajectory(summary), ...bad],
    bad,
    policy(verdict),
  ];
  const whole = quoted(latest, Number.POSITIVE_INFINITY);
  const tail =
    tails.slice(0, 2).find((lines) => roomBeside(lines) >= tokenCeiling(whole) + 1) ??
    tails.find((lines) => roomBeside(lines) >= rationaleTokens) ??
    [];
  const rationale = quoted(latest, roomBeside(tail));
  return [...guide, `${head.join('\n')}${rationale}`, ...tail].join('\n');
}

/** Returns the rationale. What a model wrote stands in quotation marks, because a peer may have talked it into the words. */
function quoted(
  { rationale, source }: { readonly rationale: string; readonly source?: AssessmentSource },
  tokens: number,
): string {
  const text = sanitizePromptText(rationale, rationaleBytes);
  if (source === 'operator') return fitTokens(text, tokens);
  return `"${fitTokens(text.replaceAll('"', ''), tokens - quoteTokens)}"`;
}

function history(peer: PeerOverview, now: number): string {
  // A known peer without a message is one whose messages were all voided.
  if (peer.interactionCount === 0) return 'Interactions: 0 (all voided)';
  const first = `First seen ${day(peer.firstSeenAt, now)}`;
  return `Interactions: ${peer.interactionCount} | ${first} | Last seen ${day(peer.lastSeenAt, now)}`;
}

function trajectory(summary: PeerAssessmentSummary | null): string[] {
  const newest = (summary?.trajectory ?? []).slice(-trajectoryShown);
  return newest.length > 1 ? [`Trajectory: ${newest.map(({ trust }) => formatTrust(trust)).join(' ')}`] : [];
}

function success({ successRate }: PeerOverview, summary: PeerAssessmentSummary | null): string[] {
  if (successRate === null) return [];
  const { trend = 'unknown' } = summary ?? {};
  return [`Success rate: ${Math.round(successRate * 100)}%${trend === 'unknown' ? '' : ` (${trend})`}`];
}

/** A violation stays visible after later successes. */
function violations({ violationCount, lastViolationAt }: PeerOverview, now: number): string[] {
  if (violationCount === 0 || lastViolationAt === null) return [];
  return [`Violations: ${violationCount}, last ${daysAgo(lastViolationAt, now)}`];
}

/** A refusal names its rule; why care is called for stands in the lines above. */
function policy({ verdict, rule }: PolicyVerdict): string[] {
  if (verdict === 'accept') return [];
  return [verdict === 'refuse' ? `Policy: refuse (${safe(rule, 6)})` : `Policy: ${verdict}`];
}

function identity(handle: string, peer: PeerOverview | null): string {
  const id = safeHandle.test(handle) ? handle : safe(handle, 14);
  const channel = peer ? ` | ${safe(peer.channel, 8)}` : '';
  const alias = peer?.alias ? safe(peer.alias.replaceAll('"', ''), 8) : '';
  return alias ? `Peer: "${alias}" | ID: ${id}${channel}` : `Peer: ${id}${channel}`;
}

/** Sanitizes peer-written text for one line of the prompt, limited to `tokens`. */
function safe(text: string, tokens: number): string {
  return fitTokens(sanitizePromptText(text, 128), tokens);
}

function day(at: number, now: number): string {
  return `${new Date(at).toISOString().slice(0, 10)} (${daysAgo(at, now)})`;
}

function daysAgo(at: number, now: number): string {
  const days = Math.floor(Math.max(0, now - at) / 86_400_000);
  return days === 0 ? 'today' : days === 1 ? '1 day ago' : `${days} days ago`;
}
