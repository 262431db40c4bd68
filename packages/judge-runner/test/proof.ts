/** True with `BONAFIDE_PROOF=full`: every case is judged, in every way. */
export const isFull = process.env.BONAFIDE_PROOF === 'full';

/** Of the ways in which a case can be judged: the one whose turn it is. All of them with `BONAFIDE_PROOF=full`. */
export const inTurn = <Way>(ways: readonly Way[], index: number): readonly Way[] =>
  isFull ? ways : ways.slice(index % ways.length, (index % ways.length) + 1);

/** The cases of a corpus that are judged: one of each `every`. The release gate (`bench/gate.bench.ts`) judges all. */
export const partOf = <Case>(cases: readonly Case[], every: number): readonly Case[] =>
  isFull ? cases : cases.filter((_, index) => index % every === 0);
