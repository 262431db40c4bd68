import { explainInfoScore, type InfoScoreInput } from './info-score.ts';

/** A reason to discount messages. */
export interface InfoDiscount {
  /**
   * - `burst`: most messages came in a few short bursts.
   * - `regular`: they came like clockwork, as a machine sends them.
   * - `trivial`: most of them say next to nothing.
   */
  readonly kind: 'burst' | 'regular' | 'trivial';
  /** Factor on the number of interactions, ≥ 0 and < 1. */
  readonly factor: number;
  readonly reason: string;
}

/** An infoScore after discounts. */
export interface DiscountedInfoScore {
  /** The infoScore that is used, an integer 0…10, never above `base`. */
  readonly score: number;
  /** The infoScore without any discount. */
  readonly base: number;
  readonly discounts: readonly InfoDiscount[];
}

/** A message as far as the discounts look at it. */
export interface DiscountMessage {
  readonly at: number;
  /** UTF-16 units, before any cap. */
  readonly contentLength: number;
}

/** Options of `discountInfoScore`. */
export interface InfoDiscountOptions {
  /**
   * Messages of fewer UTF-16 units than this are trivial.
   * @default 12
   */
  readonly trivialLength?: number | undefined;
  /**
   * Messages with at most this distance in ms belong to one burst.
   * @default 60000
   */
  readonly burstMs?: number | undefined;
  /**
   * Fewer messages than this are never discounted.
   * @default 8
   */
  readonly leastMessages?: number | undefined;
}

/** The share above which something is the rule and not the exception. */
const most = 0.5;
/**
 * Coefficient of variation of the gaps below which a schedule is machine-made. Human schedules have 1 or
 * more.
 */
const clockwork = 0.05;

/**
 * The infoScore with what inflates it taken off: messages of a burst count as one, clockwork messages and
 * trivial ones as half. Deterministic; only the number of interactions is discounted, never the time or the
 * assessments. `messages` are those that are looked at, in order of time; their shares are taken for the whole.
 */
export function discountInfoScore(
  input: InfoScoreInput,
  messages: readonly DiscountMessage[],
  options: InfoDiscountOptions = {},
): DiscountedInfoScore {
  const { trivialLength = 12, burstMs = 60_000, leastMessages = 8 } = options;
  const base = explainInfoScore(input).score;
  if (messages.length < leastMessages) return { score: base, base, discounts: [] };

  const gaps = messages.slice(1).map(({ at }, index) => Math.max(0, at - (messages[index]?.at ?? at)));
  const discounts = [burst(gaps, burstMs), regular(gaps), trivial(messages, trivialLength)].filter(
    (discount) => discount !== null,
  );
  const factor = discounts.reduce((product, discount) => product * discount.factor, 1);
  // What was known after the first message stays known.
  const interactionCount = Math.min(input.interactionCount, Math.max(1, input.interactionCount * factor));
  return { score: explainInfoScore({ ...input, interactionCount }).score, base, discounts };
}

function burst(gaps: readonly number[], burstMs: number): InfoDiscount | null {
  const inside = gaps.filter((gap) => gap < burstMs).length;
  if (inside <= gaps.length * most) return null;
  const bursts = gaps.length + 1 - inside;
  return {
    kind: 'burst',
    factor: bursts / (gaps.length + 1),
    reason: `${gaps.length + 1} messages in ${bursts} bursts`,
  };
}

function regular(gaps: readonly number[]): InfoDiscount | null {
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  if (mean === 0) return null;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  const variation = Math.sqrt(variance) / mean;
  return variation >= clockwork
    ? null
    : {
        kind: 'regular',
        factor: 0.5,
        reason: `a message every ${Math.round(mean / 1000)} s, like clockwork`,
      };
}

function trivial(messages: readonly DiscountMessage[], trivialLength: number): InfoDiscount | null {
  const count = messages.filter(({ contentLength }) => contentLength < trivialLength).length;
  if (count <= messages.length * most) return null;
  return {
    kind: 'trivial',
    factor: 1 - count / messages.length / 2,
    reason: `${count} of ${messages.length} messages are shorter than ${trivialLength} characters`,
  };
}
