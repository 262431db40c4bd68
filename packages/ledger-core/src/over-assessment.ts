/** A peer that was assessed more often than new facts justify. */
export interface OverAssessed {
  readonly peerId: string;
  /** Assessments by agent and cortex in the time that was looked at. */
  readonly assessments: number;
  /** From the first to the last of them, ms. */
  readonly spanMs: number;
  /**
   * - `too-often`: more than two within some 24 hours.
   * - `nothing-new`: at least two, and not one message between the first and the last.
   */
  readonly reason: 'too-often' | 'nothing-new';
}

/** The period in which more assessments than `mostPerDay` are too many, in ms. */
export const dayMs = 86_400_000;
export const mostPerDay = 2;

/** Returns true when more than two of these times, in ascending order, lie within 24 hours. */
export function isTooOften(times: readonly number[]): boolean {
  return times.some((at, index) => {
    const earlier = times[index - mostPerDay];
    return earlier !== undefined && at - earlier < dayMs;
  });
}
