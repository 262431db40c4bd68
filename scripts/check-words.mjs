// Keeps the language of the project plain. Counts docstrings, messages and sentences of documents that use an idiom,
// docstrings that open with a noun clause, and finds requirement ids in published files. `--list [package …]` prints
// every place, of all packages or of those named; `docs` and `root` are names too.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requirementPrefixes } from './check-requirements.mjs';
import { docstringsOf, messagesOf, sentencesOf } from './words/extract.mjs';
import { idiomIn, openingIn } from './words/idioms.mjs';

/** Highest share of all docstrings, messages and sentences that may contain an idiom, or open with a noun clause. */
export const limits = { idioms: 0.01, openings: 0.05, messages: 0.01, sentences: 0.01 };

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
 * @property {string} package the folder's name, `internal`, `scripts`, `docs`, `fixtures`, or `root`
 * @property {string} file
 * @property {number} line
 * @property {'idiom' | 'opening' | 'message' | 'sentence' | 'id'} kind
 * @property {string} found
 * @property {string} text
 */

/**
 * Reads the docstrings, the messages, the documents and the published files under `root`.
 * @param {string} root
 * @returns {{ docstrings: Map<string, number>, messages: Map<string, number>, sentences: Map<string, number>, places: Place[] }}
 * how many docstrings, messages and sentences each package has, and the violations
 */
export function checkWords(root) {
  const docstrings = new Map();
  const messages = new Map();
  const sentences = new Map();
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
  for (const file of documents(root)) {
    const owner = ownerOf(file);
    for (const { line, text } of sentencesOf(file, readFileSync(join(root, file), 'utf8'))) {
      sentences.set(owner, (sentences.get(owner) ?? 0) + 1);
      const idiom = idiomIn(text);
      if (idiom !== null) places.push({ package: owner, file, line, kind: 'sentence', found: idiom, text });
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
  return { docstrings, messages, sentences, places };
}

const filesOf = (root, patterns) =>
  globSync(patterns, { cwd: root, exclude: (path) => /node_modules|(?:^|\/)dist$/.test(path) })
    .map((file) => file.split(sep).join('/'))
    .sort();

/** `packages/cli/src/io.ts` → `cli`; `scripts/run.mjs` → `scripts`. */
function ownerOf(file) {
  const [first = '', second = ''] = file.split('/');
  if (second === '') return 'root';
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

/** Documents that people write. The table of requirements mixes prose with the titles of tests. */
const documents = (root) =>
  filesOf(root, ['*.md', '.changeset/*.md', '{docs,packages,examples,fixtures}/**/*.md']).filter(
    (file) => file !== 'docs/requirements.md' && !file.startsWith('docs/api/'),
  );

const sum = (counts) => [...counts.values()].reduce((total, some) => total + some, 0);
const percent = (part, whole) => (whole === 0 ? 0 : (part / whole) * 100);
const count = (places, kind) => places.filter((place) => place.kind === kind).length;

/** A table of the counts: a row per package, then the whole. */
function table({ docstrings, messages, sentences, places }) {
  const row = (name, blocks, texts, prose, own) =>
    [
      name.padEnd(20),
      String(blocks).padStart(10),
      `${percent(count(own, 'idiom'), blocks).toFixed(1)} %`.padStart(9),
      `${percent(count(own, 'opening'), blocks).toFixed(1)} %`.padStart(14),
      String(texts).padStart(10),
      `${percent(count(own, 'message'), texts).toFixed(1)} %`.padStart(9),
      String(prose).padStart(11),
      `${percent(count(own, 'sentence'), prose).toFixed(1)} %`.padStart(9),
      String(count(own, 'id')).padStart(6),
    ].join('');
  const names = [...docstrings.keys(), 'docs', 'fixtures', 'root'].sort();
  return [
    `${'package'.padEnd(20)}${'docstrings'.padStart(10)}${'idioms'.padStart(9)}${'noun clauses'.padStart(14)}${'messages'.padStart(10)}${'idioms'.padStart(9)}${'sentences'.padStart(11)}${'idioms'.padStart(9)}${'ids'.padStart(6)}`,
    ...names.map((name) =>
      row(
        name,
        docstrings.get(name) ?? 0,
        messages.get(name) ?? 0,
        sentences.get(name) ?? 0,
        places.filter((place) => place.package === name),
      ),
    ),
    row('all', sum(docstrings), sum(messages), sum(sentences), places),
  ].join('\n');
}

const describe = ({ file, line, kind, found, text }) =>
  `${file}:${line}  ${{ idiom: 'idiom', opening: 'noun clause', message: 'idiom in a message', sentence: 'idiom', id: 'requirement id' }[kind]} "${found}"\n    ${text.length > 240 ? `${text.slice(0, 240)} …` : text}`;

function main(root, listed) {
  const found = checkWords(root);
  const { docstrings, messages, sentences, places } = found;
  if (listed !== null) {
    const wanted = places.filter((place) => listed.length === 0 || listed.includes(place.package));
    for (const place of wanted) console.log(describe(place));
  }
  console.log(table(found));
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
    ...(count(places, 'sentence') > sum(sentences) * limits.sentences
      ? [`more than ${limits.sentences * 100} % of the sentences in documents use an idiom`]
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
