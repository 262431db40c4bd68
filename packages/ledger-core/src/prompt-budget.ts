/**
 * Words that are one token in cl100k and in o200k in lower case and with a capital, with a space before them and
 * without. A test holds the three lists against both. They are here because otherwise every word would have to be
 * counted as if a stranger had made it up to be expensive, and a third of the rationale would fit.
 */
export const oneToken: ReadonlySet<string> = words(`ID
  a about accepted after again against agent agents all already although always amount an analysis and answer
  any are as at attack attempt average back bad balance be because been before behavior being benchmark best
  better both broken but by called can case cause channel cheap check claim claims clear client code
  communication complete completed complex confirm contact context correct cost could customer data dataset
  day days deadline deal delay delivery description did different direct do document documents does done down
  due during each early easy eight empty end error even event events ever every exception exceptions expected
  failed failure fake false far fast few first five fixed follow for format found four friendly from full
  function functions generated generation get give given going good got great had half hard has have he help
  her here hidden high his history hour hours how however if image images in incorrect increase info
  information instead interaction into invalid invoice is it its job just known large last late later left
  less like limit limits little long loss lost low made make makes making many may me memory message messages
  met minutes missing money month months more most much must my named near needed needs negative network never
  new next nine no none normal not nothing now number of off often old on once one only open operator or order
  other otherwise our out output outputs over overall own paid part partial partner pass passed past pattern
  patterns pay payment peer percent perfect performance platform policy positive possible present price
  problem professional promise prompt proof provider public python quality quarter question quick quote rate
  reason received record reply request requests required research response result results review reviews same
  score scores second security seen sent service services set seven she short should shows sign signed similar
  simple since six slow small so sold solution some sometimes soon started still strong submission submit
  submitted success successful such summary support taking task tasks ten terms test tests text than that the
  their them then there these they third this those though three time timeout times to today too total
  translation transparent true trust two under unexpected unsafe until up us use used usually valid value
  verification verified verify very wallet was we week well were what when which while who why will with
  within without work working works would wrong year years yet you your zero`);

/** Words that are one token in lower case after a space, and at most two otherwise. */
export const oneTokenInside: ReadonlySet<string> = words(`
  acceptable accurate ago agreed agreement analyzed answered april asked asking asks assessed attacked
  attempted attempts august become began behaved breaks bugs buying came canceled cancelled capability careful
  careless caution cheat cheated claimed clearly communicated communicator confirmed consistent continued
  continues cooperative copied correctly crash crashes deadlines december decline declined declining delayed
  deliver delivered descriptions despite difficult dispute dozen eleven evening evidence exactly exceeded
  excellent expensive explained explanation exploit extraction failures farming finds followed forged fraud
  friday gave gives giving helpful him honest hundred ignored improve improved inconsistent incorrectly
  increased interactions keeps kept lied lightning looked loses majority malicious march matched missed monday
  moreover morning mostly november offered outcome outcomes paying peers perfectly polite poor precise pricing
  promised promptly provided quickly quoted rationale reached reaching recorded redo refund refunded refuse
  refused rejected relay reliable repeated replied replies reputation requested reviewed rude said sandbox
  scored seemed seems several showed shown signs silence silent solutions spam stable stopped stranger succeed
  succeeded summaries sunday suspected takes tested therefore thirty thousand throughout together tomorrow
  took trajectory translated tried trivial turned twelve twenty twice uncertain unclear vague violation
  violations wanted wants weeks weigh went whereas worked worse wrongly yesterday`);

/** Words that are at most two tokens in lower case after a space, and at most three otherwise. */
export const twoTokensInside: ReadonlySet<string> = words(`
  acknowledge acknowledged apologised apologized became benchmarks collaborate collaborated collaboration
  consistently crashed decreased deliberate deliverable deliverables demanded dishonest february flawless
  fraudulent harmful improving january mediocre october overcharged priced punctual rarely repeatedly saturday
  september steady summarised summarized suspicious threatened thursday trivially tuesday unresponsive
  unverified wednesday`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

const pieces =
  /(?<space> ?)(?:(?<word>(?<![\p{L}\p{M}])[A-Za-z]+(?![\p{L}\p{M}]))|(?<digits>[0-9]+)|(?<other>[^ ]))| /gsu;
const encoder = new TextEncoder();

/**
 * No tokenizer in use needs more tokens for the text than this. Counted and not tokenized: real tokenizers throw on
 * `<|endoftext|>` or take a minute for 20 kB of one letter, and which one the host's model has is not known.
 */
export function tokenCeiling(text: string): number {
  let total = 0;
  let afterOther = false;
  for (const { groups } of text.matchAll(pieces)) {
    const { space, word, digits, other } = groups ?? {};
    // A sign right before a word becomes part of its first token, and the word is not the one of the list any more.
    if (word !== undefined) total += wordCost(word, space === ' ') + (afterOther && !space ? 1 : 0);
    else if (digits !== undefined) total += Math.ceil(digits.length / 3) + (space ? 1 : 0);
    else if (other !== undefined) total += characterCost(other, space === ' ');
    else total += 1;
    afterOther = other !== undefined && other !== '\n';
  }
  return Math.ceil(total);
}

function wordCost(word: string, afterSpace: boolean): number {
  const plain = word.charAt(0).toLowerCase() + word.slice(1);
  if (oneToken.has(word) || oneToken.has(plain)) return 1;
  if (oneTokenInside.has(plain)) return afterSpace && plain === word ? 1 : 2;
  if (twoTokensInside.has(plain)) return afterSpace && plain === word ? 2 : 3;
  // Lower-case letters in unusual combinations take up to 0.8 tokens each; few of them, or with capitals
  // among them, up to one.
  const [, first = '', rest = ''] = /^([A-Z]?)([a-z]{4,})$/.exec(word) ?? [];
  return rest ? first.length + rest.length * 0.8 : word.length;
}

function characterCost(character: string, afterSpace: boolean): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80 || /[…—–]/u.test(character)) return 1;
  const cost = /[à-öø-ÿа-я]/u.test(character) ? 1 : encoder.encode(character).length;
  return afterSpace ? cost + 1 : cost;
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
