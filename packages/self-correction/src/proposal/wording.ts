import { sanitizePromptText, sanitizeRemoteText } from '@bonafide/internal';
import * as z from 'zod';
import { parseInput } from '../errors.ts';
import type { AdjustmentProposal } from '../statistics/adjustment.ts';
import { eventDigest, evidenceDigest } from './evidence.ts';
import { type Condition, checkLimits, signed } from './limits.ts';

/** The piece of work that triggered a proposal. */
export interface Trigger {
  /** Outcome of the judge, for example `SUCCESS`. */
  readonly outcome: string;
  /** npub or public key of the platform. */
  readonly platform: string;
  /** Id of the job request or of the verdict. */
  readonly eventId: string;
  /** Score of the work, 0…1. */
  readonly score?: number;
}

/** A change as a pull request proposes it. */
export interface ProposedChange {
  readonly task: string;
  readonly proposal: AdjustmentProposal;
  readonly trigger: Trigger;
  /** Time of the proposal, fixed before the first request to the forge, ms since epoch. */
  readonly createdAt: number;
  /** Id of the proposal that this one takes back. */
  readonly rollbackOf?: string;
}

/** Start of the names of all branches. */
export const branchPrefix = 'auto-threshold-';

/** Text of a peer in one line of Markdown. */
const plain = (text: string, maxBytes: number) =>
  sanitizePromptText(text, maxBytes).replaceAll('\u2236', ':').replaceAll('!', '');
/** An id in back quotes. */
const id = (text: string, characters: number) =>
  sanitizeRemoteText(text, 200)
    .replaceAll(/[^A-Za-z0-9:_.-]/gu, '')
    .slice(0, characters);
/** A change in percent of the value before. */
const relative = (delta: number, from: number) =>
  from === 0 ? 'from zero' : `${delta < 0 ? '-' : '+'}${Math.round(Math.abs(delta / from) * 100)} %`;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** `auto-threshold-{task}-{timestamp}` */
export function branchName({ task, createdAt }: Pick<ProposedChange, 'task' | 'createdAt'>): string {
  const slug = task
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
  const stamp = new Date(createdAt).toISOString().replaceAll(/[-:]|\.\d{3}/gu, '');
  return `${branchPrefix}${slug.slice(0, 60)}-${stamp}`;
}

/** Subject line of commit and pull request. */
export function titleOf({ task, proposal }: Pick<ProposedChange, 'task' | 'proposal'>): string {
  const { from, to } = proposal;
  return `Auto: Update ${plain(task, 100)} trust threshold ${from.toFixed(2)} -> ${to.toFixed(2)}`;
}

/** Message of the commit. */
export function commitMessage(change: ProposedChange): string {
  const { proposal, trigger } = change;
  return [
    titleOf(change),
    '',
    `Trigger: ${plain(trigger.outcome, 40)} on ${id(trigger.platform, 16)}...`,
    `Justification: ${sanitizeRemoteText(proposal.justification, 600)}`,
    `Validation: ${id(trigger.eventId, 64)}`,
    `Confidence: ${proposal.confidence.toFixed(2)}`,
    '',
  ].join('\n');
}

/** Comment behind the constant. */
export function commentOf({ proposal, trigger }: Pick<ProposedChange, 'proposal' | 'trigger'>): string {
  return `Auto-adjusted: ${plain(trigger.outcome, 40).toLowerCase()}, ${signed(proposal.delta)}`;
}

/** Body of the pull request, with its hidden marker. */
export function bodyOf(change: ProposedChange, conditions?: readonly Condition[]): string {
  const { task, proposal, trigger } = change;
  const {
    from,
    to,
    delta,
    sampleSize,
    recent,
    successRate,
    expectedRate,
    confidence,
    justification,
    alert,
    conditional,
  } = proposal;
  const box = ({ holds, detail }: Condition) => `- [${holds ? 'x' : ' '}] ${detail}`;
  return [
    '## Automated threshold adjustment',
    '',
    '| Attribute | Value |',
    '|-----------|-------|',
    `| Task type | \`${plain(task, 100)}\` |`,
    `| Previous threshold | \`${from.toFixed(2)}\` |`,
    `| Proposed threshold | \`${to.toFixed(2)}\` |`,
    `| Change | \`${signed(delta)}\` (${relative(delta, from)}) |`,
    '',
    '### Statistical justification',
    '',
    `- ${plain(justification, 600)}`,
    `- Sample size: ${sampleSize}, of which ${recent} since the change`,
    `- Recent success rate: ${percent(successRate)}`,
    `- Expected rate at the old threshold: ${percent(expectedRate)}`,
    `- Confidence: ${confidence.toFixed(2)}`,
    ...(alert ? ['- **Alert**: the threshold oscillates, so that the move is halved'] : []),
    ...(conditional ? ['- **Conditional**: investigate before merging'] : []),
    '',
    '### Validation evidence',
    '',
    `- Triggering event: \`${id(trigger.eventId, 64)}\``,
    `- Platform: \`${id(trigger.platform, 24)}...\``,
    `- Outcome: \`${plain(trigger.outcome, 40)}\`${trigger.score === undefined ? '' : ` with score ${trigger.score.toFixed(2)}`}`,
    '',
    '### Automated checks',
    '',
    ...checkLimits(proposal).map(box),
    ...(conditions ?? []).filter(({ name }) => name !== 'sample' && name !== 'magnitude').map(box),
    '',
    '---',
    '',
    'Approve to merge, or add the label `manual-review` if the context suggests an anomaly.',
    '',
    markerOf(change),
    '',
  ].join('\n');
}

const digest = z.string().regex(/^[0-9a-f]{64}$/u);
const markerSchema = z.object({
  v: z.literal(1),
  task: z.string(),
  from: z.number(),
  to: z.number(),
  evidence: digest,
  /** Digest of the id of the triggering event. */
  event: digest,
  /** Time of the last outcome that counted, ms since epoch. */
  lastAt: z.number().optional(),
  rollbackOf: z.string().optional(),
});

/** The hidden marker of a proposal. */
export type Marker = z.output<typeof markerSchema>;

const markerName = 'bonafide-self-correction';

function markerOf(change: ProposedChange): string {
  const { task, proposal, rollbackOf } = change;
  const marker: Marker = {
    v: 1,
    task,
    from: proposal.from,
    to: proposal.to,
    evidence: evidenceDigest(change),
    event: eventDigest(change),
    ...(proposal.lastAt === null ? {} : { lastAt: proposal.lastAt }),
    ...(rollbackOf === undefined ? {} : { rollbackOf }),
  };
  // An angle bracket would end the comment.
  return `<!-- ${markerName} ${JSON.stringify(marker).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')} -->`;
}

/** Reads the marker of a body; null without one, or for one that does not parse. */
export function readMarker(body: string): Marker | null {
  const text = new RegExp(`<!-- ${markerName} (\\{.*?\\}) -->`, 'u').exec(
    parseInput(z.string(), 'body', body),
  )?.[1];
  if (text === undefined) return null;
  try {
    const parsed = markerSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
