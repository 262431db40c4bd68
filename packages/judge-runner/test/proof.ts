/** True with `BONAFIDE_PROOF=full`: every case is judged, in every way. */
export const isFull = process.env.BONAFIDE_PROOF === 'full';

/** The cases of a corpus that are judged: one of each `every`. The release gate (`bench/gate.bench.ts`) judges all. */
export const partOf = <Case>(cases: readonly Case[], every: number): readonly Case[] =>
  isFull ? cases : cases.filter((_, index) => index % every === 0);
