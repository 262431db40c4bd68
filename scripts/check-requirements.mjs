// Keeps docs/requirements.md true: which requirement is proved by which test files, by the ids with which
// test titles begin or end. The conformance suites are published, so their titles carry no ids: the document's last part
// maps them. `node scripts/check-requirements.mjs` fails when the document claims what is not so; with `--write` it
// fills in the column first.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';

const documentPath = 'docs/requirements.md';

/** Test files, beside the conformance suites. */
const testFiles = [
  'packages/*/test/**/*.test.ts',
  'internal/test/**/*.test.ts',
  'examples/*/test/**/*.test.ts',
  'scripts/test/**/*.test.ts',
  'packages/*/bench/**/*.bench.ts',
];

/** The conformance suites that packages export. */
const suiteFiles = ['packages/*/src/testing/**/*.ts'];

/** `done`: proved whole; `slice`: proved in the part that exists; `open`: not built, so that it needs no test. */
const states = ['done', 'slice', 'open'];

// What looks like an id and names a standard is none.
const idPattern = /^(?!(?:NIP|UTF|SHA|RFC|ISO)-)[A-Z]{1,4}-\d+[a-z]?$/;

/**
 * The ids with which a test's title begins or, in parentheses, ends: `NET-3 refuses …`, `refuses … (NET-3, X-5b)`.
 * @param {string} title
 * @returns {string[]}
 */
export function idsOfTitle(title) {
  const words = title.split(/[\s,/:]+/);
  const end = words.findIndex((word) => !idPattern.test(word));
  const leading = end === -1 ? words : words.slice(0, end);
  const [, list = ''] = /\(([^()]*)\)$/.exec(title.trim()) ?? [];
  const trailing = list.split(/[\s,/]+/);
  return trailing.every((word) => idPattern.test(word)) ? [...leading, ...trailing] : leading;
}

/**
 * Returns the titles of a test file's `it(…)` and `test(…)`, also by `it.each(…)(…)`, `it.skipIf(…)(…)` and so on, but
 * not of those that never run (`skip`, `todo`). An ellipsis stands for each value of a template.
 * @param {string} file for its extension
 * @param {string} text
 * @returns {string[]}
 */
export function titlesOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  return nodesIn(program, 'CallExpression').flatMap(({ callee, arguments: [title] }) => {
    if (!isTest(callee)) return [];
    if (title?.type === 'Literal' && typeof title.value === 'string') return [title.value];
    if (title?.type === 'TemplateLiteral') return [title.quasis.map(({ value }) => value.cooked).join('…')];
    return [];
  });
}

/**
 * The ids that a benchmark measures, since speed is never asserted in a test: those in the comment at its head.
 * @param {string} text
 * @returns {string[]}
 */
export function idsOfBench(text) {
  const [head = ''] = /^\/\*[\s\S]*?\*\//.exec(text) ?? [];
  return (head.match(/\b[A-Z]{1,4}-\d+[a-z]?\b/g) ?? []).filter((id) => idPattern.test(id));
}

/**
 * The titles of a conformance suite: of its `it(…)`, and the keys of the objects that hold tests by title.
 * @param {string} file for its extension
 * @param {string} text
 * @returns {string[]}
 */
export function suiteTitlesOf(file, text) {
  const byTitle = nodesIn(parseSync(file, text).program, 'Property').flatMap(({ key, value }) => {
    const isTitle = key.type === 'Literal' && typeof key.value === 'string' && key.value.includes(' ');
    return isTitle && /^(Arrow)?FunctionExpression$/.test(value.type) ? [key.value] : [];
  });
  return [...titlesOf(file, text), ...byTitle];
}

function nodesIn(node, type) {
  if (Array.isArray(node)) return node.flatMap((child) => nodesIn(child, type));
  if (node === null || typeof node !== 'object') return [];
  const here = node.type === type ? [node] : [];
  return [...here, ...Object.values(node).flatMap((child) => nodesIn(child, type))];
}

/** `it`, `test`, and what is made of them: `it.concurrent`, `it.each(…)`, `` it.each`…` ``. */
function isTest(callee) {
  if (callee.type === 'Identifier') return callee.name === 'it' || callee.name === 'test';
  if (callee.type === 'MemberExpression') {
    return !['skip', 'todo'].includes(callee.property.name) && isTest(callee.object);
  }
  if (callee.type === 'CallExpression')
    return callee.callee.type === 'MemberExpression' && isTest(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return isTest(callee.tag);
  return false;
}

/**
 * @typedef {object} Requirement
 * @property {number} line from 0
 * @property {string} id
 * @property {string} state
 * @property {string} tests the last column as it is
 */

const cellsOf = (line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim());

/**
 * The rows of the document's tables `| id | requirement | state | tests |`.
 * @param {string} markdown
 * @returns {Requirement[]}
 */
export function parseRequirements(markdown) {
  return markdown.split('\n').flatMap((text, line) => {
    const [before, id = '', , state = '', tests = '', after] = cellsOf(text);
    return before === '' && after === '' && idPattern.test(id) ? [{ line, id, state, tests }] : [];
  });
}

/** The heading of the document's last part: per package a table `| conformance test | proves |`. */
const suitesHeading = '## Conformance suites';

/**
 * The rows of the conformance suites: which requirements the test of a title proves.
 * @param {string} markdown
 * @returns {{ package: string, title: string, ids: string[] }[]}
 */
export function parseSuites(markdown) {
  const [, part = ''] = markdown.split(`${suitesHeading}\n`);
  return part.split(/^### /m).flatMap((section) => {
    const [name = '', ...lines] = section.split('\n');
    return lines.flatMap((line) => {
      const [before, title = '', ids = '', after] = cellsOf(line);
      const isRow = before === '' && after === '' && title !== 'conformance test' && !/^-+$/.test(title);
      return isRow
        ? [{ package: name.trim(), title: title.replaceAll('\\|', '|'), ids: ids.split(/[\s,]+/) }]
        : [];
    });
  });
}

/**
 * Returns the problems of the tables of the conformance suites, a line each.
 * @param {string} markdown
 * @param {ReadonlyMap<string, ReadonlySet<string>>} titles the titles of each package's suites
 * @returns {string[]}
 */
export function findSuiteProblems(markdown, titles) {
  const rows = parseSuites(markdown);
  const known = new Set(parseRequirements(markdown).map(({ id }) => id));
  const problems = [];
  for (const { package: name, title, ids } of rows) {
    if (!titles.get(name)?.has(title))
      problems.push(
        `the conformance suites of ${name} have no test '${title}': rename the row, or remove it`,
      );
    for (const id of ids)
      if (!known.has(id)) problems.push(`'${title}' of ${name} proves '${id}', which is not a requirement`);
  }
  for (const [name, own] of titles) {
    const listed = new Set(rows.filter((row) => row.package === name).map(({ title }) => title));
    for (const title of own) {
      if (!listed.has(title))
        problems.push(
          `'${title}' of ${name} is not listed under '${suitesHeading}': add a row with what it proves`,
        );
    }
  }
  return problems;
}

/**
 * The prefixes of all requirement ids: `LED`, `X` and so on.
 * @param {string} root
 * @returns {string[]}
 */
export function requirementPrefixes(root) {
  const ids = parseRequirements(readFileSync(join(root, documentPath), 'utf8')).map(({ id }) => id);
  return [...new Set(ids.map((id) => id.replace(/-.*/, '')))];
}

/** A link to a test file, seen from the document: `[ledger-core/policy](../packages/ledger-core/test/policy.test.ts)`. */
function linkTo(file) {
  const parts = file.split('/');
  const owner = parts[0] === 'packages' || parts[0] === 'examples' ? parts[1] : parts[0];
  const name = file.includes('/src/testing/')
    ? `testing/${posix.basename(file, '.ts')}`
    : posix.basename(file, '.ts').replace(/\.test$/, '');
  return `[${owner}/${name}](${posix.relative(posix.dirname(documentPath), file)})`;
}

/** The files that a column links to, from the root. */
const linkedFiles = (column) =>
  [...column.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) =>
    posix.join(posix.dirname(documentPath), target),
  );

const columnFor = (files) => [...files].sort().map(linkTo).join(', ');

/**
 * The document with the column as it should be.
 * @param {string} markdown
 * @param {ReadonlyMap<string, ReadonlySet<string>>} tests the files that name each id
 * @returns {string}
 */
export function fillColumn(markdown, tests) {
  const lines = markdown.split('\n');
  for (const { line, id } of parseRequirements(markdown)) {
    const [, , text, state] = cellsOf(lines[line] ?? '');
    const column = columnFor(tests.get(id) ?? []);
    lines[line] = `| ${id} | ${text} | ${state} | ${column} |`;
  }
  return lines.join('\n');
}

/**
 * Returns the document's false claims, a line each.
 * @param {string} markdown
 * @param {ReadonlyMap<string, ReadonlySet<string>>} tests the files that name each id
 * @param {(file: string) => boolean} exists
 * @returns {string[]}
 */
export function findProblems(markdown, tests, exists) {
  const requirements = parseRequirements(markdown);
  if (requirements.length === 0) return ['there is no table with requirements'];
  const problems = [];
  const known = new Set();
  for (const { id, state, tests: column } of requirements) {
    const files = tests.get(id) ?? new Set();
    if (known.has(id)) problems.push(`${id} is listed twice`);
    known.add(id);
    if (!states.includes(state))
      problems.push(`${id} has the state '${state}': it must be ${states.join(', ')}`);
    else if (state !== 'open' && files.size === 0)
      problems.push(`${id} is ${state}, but no test begins with it`);
    const wrong = linkedFiles(column).filter((file) => !files.has(file));
    for (const file of wrong) {
      problems.push(
        `${id} names ${file}, which ${exists(file) ? 'has no test that begins with it' : 'does not exist'}`,
      );
    }
    if (wrong.length === 0 && column !== columnFor(files))
      problems.push(`${id} has a column that is out of date`);
  }
  for (const [id, files] of tests) {
    if (!known.has(id))
      problems.push(`${id} is named by ${[...files].sort().join(', ')}, but is not a requirement`);
  }
  return problems;
}

const filesOf = (root, patterns) =>
  globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') })
    .map((found) => found.split(sep).join('/'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

const addTo = (map, key, value) => map.set(key, (map.get(key) ?? new Set()).add(value));

/**
 * The conformance suites under `root`: each title with its package and the file that it is in.
 * @param {string} root
 * @returns {{ package: string, title: string, file: string }[]}
 */
export function collectSuites(root) {
  return filesOf(root, suiteFiles).flatMap(({ file, text }) =>
    suiteTitlesOf(file, text).map((title) => ({ package: file.split('/')[1] ?? '', title, file })),
  );
}

/**
 * The files under `root` that prove each id: by their titles, or by a row of the conformance suites.
 * @param {string} root
 * @param {string} markdown the document
 * @returns {Map<string, Set<string>>}
 */
export function collectTests(root, markdown = '') {
  const tests = new Map();
  for (const { file, text } of filesOf(root, testFiles)) {
    const ids = file.endsWith('.bench.ts') ? idsOfBench(text) : titlesOf(file, text).flatMap(idsOfTitle);
    for (const id of ids) addTo(tests, id, file);
  }
  const suites = collectSuites(root);
  for (const row of parseSuites(markdown)) {
    const own = suites.filter(({ package: name, title }) => name === row.package && title === row.title);
    for (const { file } of own) for (const id of row.ids) addTo(tests, id, file);
  }
  return tests;
}

function main(root, write) {
  const path = join(root, documentPath);
  const before = readFileSync(path, 'utf8');
  const tests = collectTests(root, before);
  const markdown = write ? fillColumn(before, tests) : before;
  if (markdown !== before) writeFileSync(path, markdown);
  const titles = new Map();
  for (const { package: name, title } of collectSuites(root)) addTo(titles, name, title);
  const problems = [
    ...findProblems(markdown, tests, (file) => existsSync(join(root, file))),
    ...findSuiteProblems(markdown, titles),
  ];
  if (problems.length === 0) {
    const proved = parseRequirements(markdown).filter(({ state }) => state !== 'open').length;
    console.log(`${documentPath} is true: ${proved} requirements have their tests.`);
    return 0;
  }
  console.error(`${documentPath} claims what is not so:`);
  for (const problem of problems) console.error(`  ${problem}`);
  console.error(
    '`npm run requirements -- --write` brings the column up to date; the rest needs a test or another state.',
  );
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = process.argv.slice(2);
  const [folder = join(dirname(import.meta.filename), '..')] = args.filter((arg) => arg !== '--write');
  process.exitCode = main(resolve(folder), args.includes('--write'));
}
