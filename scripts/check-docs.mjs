// Keeps the documents true: every relative link leads to a file, those of a published document stay in its package, every path that docs/architecture.md and CONTRIBUTING.md
// name exists, no example teaches `instanceof` for errors, which fails across copies of a package, and every example runs
// on the oldest supported Node.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Documents whose backticked paths are checked; elsewhere backticks also hold paths of the reader's project. */
const withPaths = ['docs/architecture.md', 'CONTRIBUTING.md'];

/**
 * Returns the targets of a document's links that are files: no URLs, no anchors, no code.
 * @param {string} text
 */
export function linksOf(text) {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

/**
 * Returns the paths of the repository that a document names in backticks: what begins with a folder of the root and
 * has no placeholder.
 * @param {string} text
 * @param {(path: string) => boolean} isFolder of the root
 */
export function pathsOf(text, isFolder) {
  return [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => path.includes('/') && !/[<>*{}…()@$]/.test(path) && isFolder(path.split('/')[0] ?? ''));
}

/**
 * Returns the paths in this repository that a document links to by their address.
 * @param {string} text
 */
export function repositoryLinksOf(text) {
  return [
    ...text.matchAll(
      /\]\(https:\/\/github\.com\/bonafide-agents\/bonafide\/(?:blob|tree)\/main\/([^)\s#]+)/g,
    ),
  ].map(([, path = '']) => path);
}

/**
 * Returns the paths of files that a document names in backticks, also as a part of a command.
 * @param {string} text
 */
export function filesNamed(text) {
  const prose = text.replace(/^(`{3,})[\s\S]*?^\1/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
    code.split(/\s+/).filter((word) => /^(?:[\w.-]+\/)+[\w.-]+\.\w+$/.test(word)),
  );
}

/**
 * Finds what a published document names and a reader of the package does not have: npm shows it without the repository.
 * @param {string} root
 * @param {string} folder of the package
 * @param {readonly string[]} documents of the repository
 */
function unpublished(root, folder, documents) {
  const { files = [] } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const isPublished = (path) =>
    ['README.md', 'LICENSE', 'package.json', ...files].some(
      (each) => path === each || path.startsWith(`${each}/`),
    );
  const own = documents
    .filter((file) => file.startsWith(`${folder}/`))
    .map((file) => ({ file, path: file.slice(folder.length + 1) }))
    // A template's documents belong to the project that is made from it.
    .filter(({ path }) => isPublished(path) && !path.startsWith('template/'));
  return own.flatMap(({ file, path }) => {
    const text = readFileSync(join(root, file), 'utf8');
    const links = linksOf(text)
      .filter((target) => !isPublished(normalize(join(dirname(path), decodeURI(target)))))
      .map(
        (target) => `${file} links to ${target}, which the package does not contain: link to the repository`,
      );
    const named = filesNamed(text)
      .filter((target) => existsSync(join(root, folder, target)) && !isPublished(target))
      .map((target) => `${file} names ${target}, which the package does not contain: link to the repository`);
    return [...links, ...named];
  });
}

/**
 * Finds `instanceof` with an error class.
 * @param {string} text
 */
export function instanceofErrors(text) {
  return [...text.matchAll(/\binstanceof\s+\w*Error\b/g)].map(([found]) => found);
}

/**
 * Finds declarations with `using`, which Node 22 does not know: people paste examples.
 * @param {string} text
 */
export function usingDeclarations(text) {
  return [...text.matchAll(/^\s*((?:await )?using \w+) =/gm)].map(([, found]) => found);
}

const filesOf = (root, patterns) =>
  globSync(patterns, { cwd: root, exclude: (path) => /node_modules|(?:^|\/)dist$|docs\/api$/.test(path) })
    .map((file) => file.split(sep).join('/'))
    .sort();

/** Returns a line per problem in the documents and examples below `root`. */
export function checkDocs(root) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const documents = filesOf(root, ['*.md', 'docs/**/*.md', '{packages,examples,fixtures}/**/*.md']);
  const broken = documents.flatMap((file) =>
    linksOf(read(file))
      .filter((target) => !existsSync(join(root, normalize(join(dirname(file), decodeURI(target))))))
      .map((target) => `${file} links to ${target}, which does not exist`),
  );
  const moved = documents.flatMap((file) =>
    repositoryLinksOf(read(file))
      .filter((path) => !existsSync(join(root, decodeURI(path))))
      .map((path) => `${file} links to ${path} in the repository, which does not exist`),
  );
  const outside = filesOf(root, ['packages/*/package.json']).flatMap((manifest) =>
    unpublished(root, dirname(manifest), documents),
  );
  const isFolder = (name) => existsSync(join(root, name)) && !name.startsWith('.');
  const missing = withPaths.flatMap((file) =>
    pathsOf(read(file), isFolder)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${file} names ${path}, which does not exist`),
  );
  const taught = [...documents, ...filesOf(root, ['examples/*/src/**/*.ts'])].flatMap((file) =>
    instanceofErrors(read(file)).map((found) => `${file} uses '${found}': use isBonafideError(error, code)`),
  );
  const modern = documents.flatMap((file) =>
    usingDeclarations(read(file)).map(
      (found) => `${file} has '${found} = …', which needs Node 24: call close()`,
    ),
  );
  return [...broken, ...moved, ...outside, ...missing, ...taught, ...modern];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = checkDocs(resolve(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length === 0 ? 'Links and paths of the documents exist.' : `${problems.length} problems.`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
