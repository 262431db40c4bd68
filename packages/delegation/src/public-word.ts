import { composeId, readPublicKey, sanitizeRemoteText, sha256Hex } from '@bonafide/internal';
import * as z from 'zod';
import { parseConfig, port } from './host-options.ts';
import type { FinishedWork, Matrix, PublicWord } from './ports.ts';
import { successShares } from './success-share.ts';

/** Queues reviews for publication. A reputation of `@bonafide/reputation` satisfies it. */
export interface ReviewQueue {
  /** Stores a review, once per key; its own rules decide whether and when it is published. */
  offer(offer: {
    readonly key: string;
    readonly event: 'benchmark' | 'score_change' | 'security';
    /** Ms since epoch. */
    readonly completedAt: number;
    readonly review: {
      readonly subject: string;
      readonly service: string | null;
      readonly task: string;
      /** 0..1. */
      readonly trustScore: number;
      readonly summary: string;
      readonly jobId: string | null;
      readonly alert: 'security' | null;
    };
  }): Promise<unknown>;
}

const queueSchema = port<ReviewQueue>('offer');
const optionsSchema = z.strictObject({ matrix: port<Matrix>('entry').optional() });

/** Longest key of a review, characters. */
const longestKey = 200;
/** Trust of the matrix that is full trust. */
const fullTrust = 0.9;

/**
 * Creates the public word of an agent over a queue of reviews: an attack is a warning, a trial a benchmark, and every other work an
 * opinion that replaces the one before. The score is the matrix's trust in the platform; without one, the outcome of the work.
 * Platforms without a Nostr key get no reviews.
 */
export function createPublicWord(queue: ReviewQueue, options: { readonly matrix?: Matrix } = {}): PublicWord {
  parseConfig(queueSchema, queue, 'queue');
  const { matrix } = parseConfig(optionsSchema, options, 'options');
  return {
    async offerReview({ key, platform, taskType, outcome, isTrial, summary, jobId, at }: FinishedWork) {
      const subject = readPublicKey(platform.pubkey);
      if (subject === null || outcome === 'INFRA') return;
      const isAttack = outcome === 'SECURITY_VIOLATION';
      const trust = isAttack ? null : ((await matrix?.entry(taskType, platform))?.trustScore ?? null);
      const readable = composeId('review', key);
      await queue.offer({
        key: readable.length <= longestKey ? readable : `review:#${sha256Hex(key)}`,
        event: isAttack ? 'security' : isTrial ? 'benchmark' : 'score_change',
        completedAt: at,
        review: {
          subject,
          service: sanitizeRemoteText(platform.d, 100) || null,
          task: taskType,
          trustScore: trust === null ? successShares[outcome] : Math.min(1, Math.max(0, trust / fullTrust)),
          summary: sanitizeRemoteText(summary, 500) || outcome,
          jobId: /^[0-9a-f]{64}$/u.test(jobId) ? jobId : null,
          alert: isAttack ? 'security' : null,
        },
      });
    },
  };
}
