/**
 * Makes ids that sort by the time they were made: version 7 UUIDs (RFC 9562) with a counter in the twelve bits after
 * the time. Ids of one maker always grow, also within a millisecond and when the clock goes back.
 */
export function createIds(options: {
  readonly clock: () => number;
  readonly random: () => number;
}): () => string {
  let lastMs = 0;
  let counter = 0;

  return () => {
    const nowMs = Math.min(Math.max(0, Math.floor(options.clock())), 0xffff_ffff_ffff);
    if (nowMs > lastMs) {
      lastMs = nowMs;
      // Half of the counter's room is left for the ids that follow within this millisecond.
      counter = Math.floor(options.random() * 0x800);
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    const time = hex(lastMs, 12);
    const variant = hex(0x8000 + Math.floor(options.random() * 0x4000), 4);
    const tail = hex(Math.floor(options.random() * 0x1_0000_0000_0000), 12);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${variant}-${tail}`;
  };
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
