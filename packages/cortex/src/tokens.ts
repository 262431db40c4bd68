/**
 * Frequent words that are one token together with the preceding space in the o200k and cl100k vocabularies. The tests
 * prove it for each word.
 */
export const cheapWords: ReadonlySet<string> = new Set(
  (
    'a able about accept accepted after again agent all also always amount an and answer answered any are as asked at be ' +
    'because been before behind better between both but by can care check checks claim close code cost could data day ' +
    'days deal delivered delivery did do does done down during each early else end ended enough error even every ' +
    'expected failed failure failures far fast few fewer finished first for free from full gave get give given good ' +
    'great had half has have help high hold hour hours how if in into is issue it its job jobs just keep keeps kept ' +
    'known large last late later least less like limit limited little long lost low made make many may message messages ' +
    'met minutes month more most much must near need needs never new next no none not nothing now of off often old on ' +
    'once one only open or other our out over own paid part pay pays peer piece pieces poor price promise promised ' +
    'quality quick quickly ready reason record reliable reply request requested requests response result results right ' +
    'risk same say says score seen send sent serious set seven several short should show side since slow small so some ' +
    'soon still stop such take task tasks test tests than that the their them then there these they this those though ' +
    'three time times to too trust twice two under until up us use used value verified verify very wait was way we week ' +
    'weeks well were what when where which while who why will with within without work worked works would yet you'
  ).split(' '),
);

const pieces = / ?[A-Za-z]+|\d{1,3}|[\s\S]/gu;
const frequentLetter = /[aeiourstnlcdmph]/u;

function wordCost(piece: string): number {
  const word = piece.trimStart();
  if (word !== piece && cheapWords.has(word)) return 1;
  let sum = 0.35;
  for (const letter of word) sum += frequentLetter.test(letter) ? 0.65 : 1;
  return sum;
}

function cost(piece: string): number {
  const code = piece.codePointAt(piece.length - 1) ?? 0;
  if ((code | 32) >= 97 && (code | 32) <= 122) return wordCost(piece);
  // Up to three digits are one token, any other ASCII character at most one, any other byte too.
  return code < 128 ? 1 : new TextEncoder().encode(piece).length;
}

/**
 * Returns an upper bound on the tokens of `text` without a tokenizer, because real tokenizers throw or take minutes
 * on some hostile text. At most twice the true number on ordinary English; never too low, as measured on random
 * letters, digits, punctuation and scripts.
 */
export function boundTokens(text: string): number {
  let sum = 0;
  for (const [piece] of text.matchAll(pieces)) sum += cost(piece);
  return Math.ceil(sum);
}

/** Estimates the tokens of ordinary text, for cost records when the provider reports none. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.5);
}
