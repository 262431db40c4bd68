/** Returns `length` random hex digits. `random` returns numbers in [0, 1). Not for secrets. */
export function randomHex(random: () => number, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}
