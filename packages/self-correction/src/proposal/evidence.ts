import { canonicalJson, sha256Hex } from '@bonafide/internal';
import { constantName, isSameTask } from '../edit/definition.ts';
import type { ForgeProposal } from '../forges/forge.ts';
import type { Condition } from './limits.ts';
import type { Marker, ProposedChange } from './wording.ts';

/** A pull request of this package with the marker of its body. */
export interface MarkedPull {
  readonly pull: ForgeProposal;
  readonly marker: Marker;
}

/** Digest of change and evidence: the same change with the same evidence is the same proposal. */
export function evidenceDigest({
  task,
  proposal,
  trigger,
}: Pick<ProposedChange, 'task' | 'proposal' | 'trigger'>): string {
  return sha256Hex(canonicalJson({ constant: constantName(task), proposal, trigger }));
}

/** Digest of the event that triggered a change, independent of the case of its id. */
export function eventDigest({ trigger }: Pick<ProposedChange, 'trigger'>): string {
  return sha256Hex(trigger.eventId.trim().toLowerCase());
}

/**
 * Checks that evidence counts once: the triggering event is behind no pull request of another task and behind no merged one, and
 * the outcomes are later than those of the last merged change. Pure.
 */
export function checkEvidence(
  change: Pick<ProposedChange, 'task' | 'proposal' | 'trigger'>,
  pulls: readonly MarkedPull[],
): Condition {
  const event = eventDigest(change);
  const isOwn = ({ marker }: MarkedPull) => isSameTask(marker.task, change.task);
  const used = pulls.find(
    (each) => each.marker.event === event && !(isOwn(each) && each.pull.state === 'open'),
  );
  const { firstAt } = change.proposal;
  const counted = pulls
    .filter((each) => each.pull.state === 'merged' && isOwn(each))
    .flatMap(({ marker }) => marker.lastAt ?? []);
  const overlaps = firstAt !== null && counted.some((lastAt) => firstAt <= lastAt);
  const detail =
    used === undefined
      ? overlaps
        ? 'Outcomes behind the last merged change are counted again'
        : 'Event and outcomes count for the first time'
      : `The event is behind proposal ${used.pull.id} already`;
  return { name: 'evidence', holds: used === undefined && !overlaps, detail };
}
