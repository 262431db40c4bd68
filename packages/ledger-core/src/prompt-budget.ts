/**
 * Words that are a single token in cl100k and in o200k when a space stands before them, and at most two otherwise,
 * in lower case and with a capital. A test holds the list against both. It is here because without it every word would
 * have to be counted as if a stranger had made it up to be expensive, and a third of the rationale would fit.
 */
const vocabulary = new Set(
  `a about accepted accurate after again against agent agreed all already always amount an and answer any are as asked
  assessed at back bad be because been before behavior being best better both but by called came can case cause caution
  channel check claim clear clearly code complete completed complex confirmed contact correct cost could data day days
  deal delay delayed deliver delivered delivery did different difficult direct dispute do does done down due during each
  early easy empty end error even ever every exactly expected failed failure false far fast few first five for found
  four from full gave get give given good got great had hard has have he help her here high him his history honest hour
  hours how however if in info information interaction interactions into invalid is it its job just kept known large
  last late later less like little long looked low made make many matched may me message messages met minutes missed
  missing more most much must my named near needed negative never new next no none normal not nothing now number of off
  offered often old on once one only open or order other our out over own paid part partial pass passed past pay payment
  peer poor positive possible present price problem promise promised proof provided public quality question quick
  quickly quote rate reason received refuse refused rejected reliable request requested requests required response
  result results review said same score second seen sent set several she short should sign signed similar simple since
  six slow small so solution some soon still strong success successful such support task tasks ten test tested tests
  than that the their them then there these they third this those three time timeout times to today together too took
  total tried true trust twice two uncertain under until up us use used valid value verified very was we week weeks well
  were what when which while who why will with within without work worked working works worse would wrong yet you
  your`.split(/\s+/),
);

const pieces = /(?<space> ?)(?:(?<word>[A-Za-z]+)|(?<digits>[0-9]+)|(?<other>[^ ]))| /gsu;
const encoder = new TextEncoder();

/**
 * No tokenizer in use needs more tokens for the text than this. Counted and not tokenized: real tokenizers throw on
 * `<|endoftext|>` or take a minute for 20 kB of one letter (LED-15), and which one the host's model has is not known.
 */
export function tokenCeiling(text: string): number {
  let total = 0;
  for (const { groups } of text.matchAll(pieces)) {
    const { space, word, digits, other } = groups ?? {};
    if (word !== undefined) total += wordCost(word, space === ' ');
    else if (digits !== undefined) total += Math.ceil(digits.length / 3) + (space ? 1 : 0);
    else if (other !== undefined) total += characterCost(other);
    else total += 1;
  }
  return Math.ceil(total);
}

function wordCost(word: string, afterSpace: boolean): number {
  const uncapitalised = word.charAt(0).toLowerCase() + word.slice(1);
  if (vocabulary.has(uncapitalised)) return afterSpace ? 1 : Math.min(2, word.length);
  // Lower-case letters that nobody would put together take up to 0.8 tokens each; capitals among them more.
  const capitals = word.replace(/[a-z]+/g, '').length;
  return Math.max(1, capitals + (word.length - capitals) * 0.8);
}

function characterCost(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80 || /[…—–à-öø-ÿа-я]/u.test(character)) return 1;
  return encoder.encode(character).length;
}

/** The beginning of `text` that surely fits into `tokens`, cut at a word's end where there is one, with an ellipsis. */
export function fitTokens(text: string, tokens: number): string {
  if (tokenCeiling(text) <= tokens) return text;
  const fits = (kept: string) => tokenCeiling(`${kept}…`) <= tokens;
  const words = text.split(' ');
  for (let count = words.length - 1; count > 0; count--) {
    const kept = words.slice(0, count).join(' ');
    if (fits(kept)) return `${kept.replace(/[\s,;.–—-]+$/u, '')}…`;
  }
  const characters = [...(words[0] ?? '')];
  while (characters.length > 0 && !fits(characters.join(''))) characters.pop();
  return characters.length === 0 ? '' : `${characters.join('')}…`;
}
