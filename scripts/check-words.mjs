// Keeps the language of published files plain. Counts docstrings and messages that use an idiom, docstrings that open
// with a noun clause, and finds requirement ids where users would read them. `--list [package …]` prints every place,
// of all packages or of those named.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { requirementPrefixes } from './check-requirements.mjs';

/** Highest share of all docstrings (and of all messages) that may contain an idiom, or open with a noun clause. */
export const limits = { idioms: 0.01, openings: 0.05, messages: 0.01 };

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
 * @typedef {object} Docstring
 * @property {string} file from the root, with slashes
 * @property {number} line from 1
 * @property {string} text on one line, without the stars
 */

/**
 * The `/** … *\/` blocks of a source file.
 * @param {string} file
 * @param {string} source
 * @returns {Docstring[]}
 */
export function docstringsOf(file, source) {
  const { comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value, start }) => ({
      file,
      line: source.slice(0, start).split('\n').length,
      text: value
        .slice(1)
        .replace(/^\s*\* ?/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    }));
}

/**
 * Sentences among the strings and templates of a source file: at least four words, three of them in a row. They become
 * errors, log lines, texts of commands and prompts. `…` stands for a value inside a template.
 * @param {string} file
 * @param {string} source
 * @returns {Docstring[]}
 */
export function messagesOf(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  /** @type {Docstring[]} */
  const messages = [];
  const add = (content, start) => {
    const text = content.replace(/\s+/g, ' ').trim();
    if (!/[a-z]+ [a-z]+ [a-z]+/i.test(text) || text.split(' ').length < 4) return;
    messages.push({ file, line: source.slice(0, start).split('\n').length, text });
  };
  new Visitor({
    Literal: ({ value, start }) => typeof value === 'string' && add(value, start),
    TemplateLiteral: ({ quasis, start }) =>
      add(quasis.map(({ value }) => value.cooked ?? '').join('…'), start),
  }).visit(program);
  return messages;
}

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

/**
 * Requirement ids in a text, each with its line.
 * @param {string} text
 * @param {readonly string[]} prefixes such as `LED` and `X`
 * @returns {{ line: number, id: string }[]}
 */
export function idsIn(text, prefixes) {
  const pattern = new RegExp(`\\b(?:${prefixes.join('|')})-\\d+[a-z]?\\b`, 'g');
  return text
    .split('\n')
    .flatMap((content, index) => [...content.matchAll(pattern)].map(([id]) => ({ line: index + 1, id })));
}

/**
 * @typedef {object} Place
 * @property {string} package the folder's name, `internal` or `scripts`
 * @property {string} file
 * @property {number} line
 * @property {'idiom' | 'opening' | 'message' | 'id'} kind
 * @property {string} found
 * @property {string} text
 */

/**
 * Reads the docstrings, the messages and the published files under `root`.
 * @param {string} root
 * @returns {{ docstrings: Map<string, number>, messages: Map<string, number>, places: Place[] }} how many docstrings and
 * messages each package has, and what is wrong
 */
export function checkWords(root) {
  const docstrings = new Map();
  const messages = new Map();
  /** @type {Place[]} */
  const places = [];
  for (const file of filesOf(root, [
    '{packages,examples}/*/src/**/*.ts',
    'internal/src/**/*.ts',
    'scripts/**/*.mjs',
  ])) {
    const owner = ownerOf(file);
    const source = readFileSync(join(root, file), 'utf8');
    for (const { line, text } of docstringsOf(file, source)) {
      docstrings.set(owner, (docstrings.get(owner) ?? 0) + 1);
      const idiom = idiomIn(text);
      const opening = openingIn(text);
      if (idiom !== null) places.push({ package: owner, file, line, kind: 'idiom', found: idiom, text });
      if (opening !== null)
        places.push({ package: owner, file, line, kind: 'opening', found: opening, text });
    }
    for (const { line, text } of messagesOf(file, source)) {
      messages.set(owner, (messages.get(owner) ?? 0) + 1);
      const idiom = idiomIn(text);
      if (idiom !== null) places.push({ package: owner, file, line, kind: 'message', found: idiom, text });
    }
  }
  const prefixes = requirementPrefixes(root);
  for (const file of publishedFiles(root)) {
    const content = readFileSync(join(root, file), 'utf8');
    for (const { line, id } of idsIn(content, prefixes)) {
      const text = content.split('\n')[line - 1]?.trim() ?? '';
      places.push({ package: ownerOf(file), file, line, kind: 'id', found: id, text });
    }
  }
  return { docstrings, messages, places };
}

const filesOf = (root, patterns) =>
  globSync(patterns, { cwd: root, exclude: (path) => /node_modules|(?:^|\/)dist$/.test(path) })
    .map((file) => file.split(sep).join('/'))
    .sort();

/** `packages/cli/src/io.ts` → `cli`; `scripts/run.mjs` → `scripts`. */
function ownerOf(file) {
  const [first = '', second = ''] = file.split('/');
  if (first === '.changeset') return posixBase(second);
  return first === 'packages' || first === 'examples' ? second : first;
}

const posixBase = (file) => file.replace(/\.md$/, '');

/**
 * Files of the tarballs: each manifest's `files` (without `dist`, which is built from them), READMEs, the
 * sources that are bundled from `internal`, and the changesets that become changelogs.
 */
function publishedFiles(root) {
  const manifests = filesOf(root, ['packages/*/package.json']);
  const shipped = manifests.flatMap((manifest) => {
    const folder = dirname(manifest);
    const { files = [] } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
    const entries = [...files.filter((entry) => entry !== 'dist'), 'README.md'];
    return entries.flatMap((entry) => filesOf(root, [`${folder}/${entry}`, `${folder}/${entry}/**/*.*`]));
  });
  const files = [
    ...shipped,
    ...filesOf(root, ['internal/src/**/*.ts', 'examples/*/{src/**/*.ts,README.md}', '.changeset/*.md']),
  ];
  return [...new Set(files)].filter((file) => existsSync(join(root, file)) && /\.\w+$/.test(file));
}

const sum = (counts) => [...counts.values()].reduce((total, some) => total + some, 0);
const percent = (part, whole) => (whole === 0 ? 0 : (part / whole) * 100);
const count = (places, kind) => places.filter((place) => place.kind === kind).length;

/** A table of the counts: a row per package, then the whole. */
function table(docstrings, messages, places) {
  const row = (name, blocks, sentences, own) =>
    [
      name.padEnd(20),
      String(blocks).padStart(10),
      `${percent(count(own, 'idiom'), blocks).toFixed(1)} %`.padStart(9),
      `${percent(count(own, 'opening'), blocks).toFixed(1)} %`.padStart(14),
      String(sentences).padStart(10),
      `${percent(count(own, 'message'), sentences).toFixed(1)} %`.padStart(9),
      String(count(own, 'id')).padStart(6),
    ].join('');
  const names = [...new Set([...docstrings.keys(), ...places.map((place) => place.package)])].sort();
  return [
    `${'package'.padEnd(20)}${'docstrings'.padStart(10)}${'idioms'.padStart(9)}${'noun clauses'.padStart(14)}${'messages'.padStart(10)}${'idioms'.padStart(9)}${'ids'.padStart(6)}`,
    ...names.map((name) =>
      row(
        name,
        docstrings.get(name) ?? 0,
        messages.get(name) ?? 0,
        places.filter((place) => place.package === name),
      ),
    ),
    row('all', sum(docstrings), sum(messages), places),
  ].join('\n');
}

const describe = ({ file, line, kind, found, text }) =>
  `${file}:${line}  ${{ idiom: 'idiom', opening: 'noun clause', message: 'idiom in a message', id: 'requirement id' }[kind]} "${found}"\n    ${text.length > 240 ? `${text.slice(0, 240)} …` : text}`;

function main(root, listed) {
  const { docstrings, messages, places } = checkWords(root);
  if (listed !== null) {
    const wanted = places.filter((place) => listed.length === 0 || listed.includes(place.package));
    for (const place of wanted) console.log(describe(place));
  }
  console.log(table(docstrings, messages, places));
  const total = sum(docstrings);
  const problems = [
    ...(count(places, 'idiom') > total * limits.idioms
      ? [`more than ${limits.idioms * 100} % of the docstrings use an idiom`]
      : []),
    ...(count(places, 'opening') > total * limits.openings
      ? [`more than ${limits.openings * 100} % of the docstrings open with a noun clause`]
      : []),
    ...(count(places, 'message') > sum(messages) * limits.messages
      ? [`more than ${limits.messages * 100} % of the messages use an idiom`]
      : []),
    ...(count(places, 'id') > 0 ? ['published files mention requirement ids'] : []),
  ];
  if (problems.length === 0) return 0;
  console.error(`\nThe language check failed: ${problems.join('; ')}.`);
  console.error(
    '`npm run words -- --list <package>` prints the places. Open a docstring with a verb or a noun, and say what the reader needs.',
  );
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = process.argv.slice(2);
  const listed = args.includes('--list') ? args.filter((arg) => arg !== '--list') : null;
  process.exitCode = main(resolve(import.meta.dirname, '..'), listed);
}
