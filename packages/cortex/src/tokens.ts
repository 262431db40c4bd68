/**
 * What one character can cost at most, measured on hostile text with the o200k and cl100k vocabularies: random
 * letters, digits and punctuation stay below these, and every other byte is at most one token.
 */
function weight(code: number): number {
  if (code === 32) return 0.25;
  if (code >= 97 && code <= 122) return 0.55;
  if (code >= 65 && code <= 90) return 0.75;
  if (code >= 48 && code <= 57) return 0.55;
  if (code < 128) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/**
 * An upper bound on the tokens of `text`, without a tokenizer: real ones throw on some text that peers can
 * write and take a minute on other. On ordinary English it is about twice the true number.
 */
export function boundTokens(text: string): number {
  let sum = 0;
  for (const character of text) sum += weight(character.codePointAt(0) ?? 0);
  return Math.ceil(sum);
}

/** A plain guess at the tokens of ordinary text, for cost records where the provider reports none. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.5);
}
