/** Quoted texts of a line that may be a secret: longer than seven characters, and no name of a threshold. */
const quoted = /(["'`])((?:(?!\1)[^\\]|\\.){8,})\1/gu;

const withoutSecrets = (line: string) =>
  line.replace(quoted, (whole, quote: string, text: string) =>
    /^TRUST_THRESHOLD/u.test(text) ? whole : `${quote}…${quote}`,
  );

/**
 * Formats the change of one line as a unified diff without context, because the lines around it may hold secrets. Longer quoted
 * texts on the line are masked. Returns '' when the sources are equal.
 */
export function thresholdDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const [old, edited] = [before.split('\n'), after.split('\n')];
  const changed = old.flatMap((line, index) => (line === edited[index] ? [] : [index]));
  return [
    `--- a/${path}`,
    `+++ b/${path}`,
    ...changed.flatMap((index) => [
      `@@ -${index + 1} +${index + 1} @@`,
      `-${withoutSecrets(old[index] ?? '')}`,
      `+${withoutSecrets(edited[index] ?? '')}`,
    ]),
    '',
  ].join('\n');
}
