// The phrases that the language check counts.

/**
 * Phrases that a reader has to translate before the sentence means something. A phrase belongs here when a plain one
 * exists; words that are merely rare do not.
 */
const idiomPatterns = [
  // Persons where the code has callers, peers, relays, processes.
  /\b(?:no|some|any|every)body(?:'s|’s)?\b/i,
  /\b(?:who|whom|what)(?:so)?ever\b/i,
  /\bwhom\b/i,
  /\bthose (?:who|whose)\b/i,
  /\bheirs?\b/i,
  /\bpeople's\b/i,
  // Happenings.
  /\bwhat (?:becomes|became|comes|came) of\b/i,
  /\bbecomes? of\b/i,
  /\blet(?:s|ting)? go\b/i,
  /\b(?:go|goes|going|went|gone) (?:on|by|without|with|along)\b/i,
  /\bunder ?way\b/i,
  /\bin (?:its |their |his |her )?turn\b/i,
  /\b(?:its|their|his|whose) turns?\b/i,
  /\b(?:take|takes|taking|took) (?:its|their) (?:time|leave)\b/i,
  /\b(?:do|does|did|done) without\b/i,
  /\b(?:make|makes|made|making) do\b/i,
  /\b(?:get|gets|got|getting) (?:along|around|hold)\b/i,
  /\b(?:bring|brings|brought) along\b/i,
  /\b(?:put|puts|putting) (?:aside|right|back together|together|up with)\b/i,
  /\bset(?:s|ting)? (?:aside|about|in motion)\b/i,
  /\bhold(?:s|ing)? (?:still|good)\b/i,
  /\b(?:kept|keep|keeps|keeping) to (?:itself|themselves)\b/i,
  /\b(?:has|have|had) it\b(?! (?:already|both|in|on|too))/i,
  /\b(?:say|says|said|saying) (?:so|otherwise)\b/i,
  /\b(?:is|are|was|were|be) told\b/i,
  /\btold (?:to|apart|from|by|what|how|why|when)\b/i,
  /\bas it (?:came|comes|stands|stood)\b/i,
  /\bhow (?:things|matters) (?:stand|stood)\b/i,
  /\bwhere (?:a |an |the )?\w+ stands?\b/i,
  // Manner and degree.
  /\bby (?:itself|themselves|oneself)\b/i,
  /\bof (?:its|their|his|her|our|your|my|one's) own\b/i,
  /\bby (?:its|their) own (?:word|account)\b/i,
  /\b(?:own|takes? (?:its|their)|provider's|launcher's) word\b/i,
  /\bat hand\b/i,
  /\bno matter\b/i,
  /\bfor good\b/i,
  /\bfor ever\b/i,
  /\bonce more\b/i,
  /\banew\b/i,
  /\bin words\b/i,
  /\bby heart\b/i,
  /\bin vain\b/i,
  /\bin passing\b/i,
  /\bin force\b/i,
  /\bof (?:old|late)\b/i,
  /\bto begin with\b/i,
  /\bso many\b/i,
  /\bbut for\b/i,
  /\b(?:none|nothing) but\b/i,
  /\b(?:again and again|over and over|now and then|sooner or later|time and again|little by little|ever again)\b/i,
  /\bthe like\b/i,
  /\bfaithful(?:ly)?\b/i,
  /\blest\b/i,
  /\b(?:there|where)(?:upon|of|with|by)\b(?<!whereby)/i,
  /\bto be had\b/i,
  // Inversions.
  /(?<!\bthere )\b(?:is|are|was|were) none\b/i,
  /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|more|less|fewer|later|earlier|greater|larger|smaller|different|older|newer)\b)[a-z]+/i,
  /(?:^|[.:;,] )(?:nor|neither|not|never|only then|nowhere|so) (?:do|does|did|is|are|was|were|may|can|must|will|has|have) (?:it|they|he|the|a|an|any|one|there)\b/i,
];

/** Openings that name a thing by a clause: "What a relay says" for "A relay's message". */
const nounClause = /^(?:what|how|where|who|whom|whose|which|whether|why|when)(?:ever)?\b/i;

/**
 * The first idiom of a text, or null.
 * @param {string} text
 * @returns {string | null}
 */
export function idiomIn(text) {
  for (const pattern of idiomPatterns) {
    const found = pattern.exec(text);
    if (found !== null) return found[0].trim();
  }
  return null;
}

/**
 * The noun clause's first word when a text opens with one, or null.
 * @param {string} text
 * @returns {string | null}
 */
export function openingIn(text) {
  return nounClause.exec(text)?.[0] ?? null;
}
