// Keeps the packages apart (docs/adr/0001-declare-ports-instead-of-imports.md): compares every package's manifest and every
// import in its `src` with the table below. `node scripts/check-boundaries.mjs`, or `npm run boundaries`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';

/**
 * @typedef {object} Rule
 * @property {readonly string[]} [dependencies] what it may need at run time
 * @property {readonly string[]} [bundled] what is built into its output, so that it needs it at build time only
 * @property {Readonly<Record<string, readonly string[]>>} [optional] by file or `folder/**` under `src`: what may be an optional peer
 * @property {boolean} [unrestricted] composes everything, so anything goes
 */

/**
 * Dependencies of the store adapters and conformance suites, in every package that has them. No file outside these
 * folders may import them, so that the package works without them installed.
 */
const store = {
  'stores/**': ['kysely', '@bonafide/storage'],
  'testing/**': ['kysely', '@bonafide/storage', 'vitest'],
};

/** Dependencies of a stateful package: schemas, and metrics that do nothing unless the host enables them. */
const stateful = ['zod', '@opentelemetry/api'];
const nostr = [...stateful, 'nostr-tools', '@bonafide/nostr-transport'];

/**
 * The table: a package that is not in it is a breach. No domain package needs another one; reputation, which
 * weighs what it reads by trust-score's fairness, is the one exception.
 * @type {Readonly<Record<string, Rule>>}
 */
export const rules = {
  // Private: what its tests' helpers need is nobody's dependency.
  '@bonafide/internal': {
    dependencies: ['@noble/hashes', '@scure/base'],
    bundled: ['@opentelemetry/api', '@opentelemetry/sdk-metrics'],
  },
  '@bonafide/ledger-core': {
    dependencies: stateful,
    optional: {
      ...store,
      'adapters/**': ['ai', '@langchain/core', '@modelcontextprotocol/server', 'openai'],
    },
  },
  // Built into its output, see docs/adr/0030-bundle-the-signature-library.md.
  '@bonafide/trust-score': { dependencies: ['zod'], bundled: ['@noble/curves'] },
  '@bonafide/cortex': { dependencies: stateful, optional: { ...store, 'adapters/**': ['ai'] } },
  '@bonafide/nip89-discovery': { dependencies: nostr, optional: store },
  '@bonafide/nip90-jobs': {
    dependencies: nostr,
    bundled: ['light-bolt11-decoder', '@noble/curves', '@scure/base'],
    optional: { ...store, 'nwc/**': ['@getalby/sdk'] },
  },
  '@bonafide/routing-matrix': { dependencies: stateful, optional: store },
  '@bonafide/delegation': {
    dependencies: ['zod'],
    optional: { ...store, 'engines/pg-boss.ts': ['pg-boss'] },
  },
  '@bonafide/judge-runner': { dependencies: stateful, bundled: ['acorn'] },
  '@bonafide/reputation': { dependencies: [...nostr, '@bonafide/trust-score'], optional: store },
  '@bonafide/self-correction': {
    dependencies: ['zod', 'oxc-parser', 'web-tree-sitter'],
    optional: store,
  },
  '@bonafide/nostr-transport': {
    dependencies: ['@opentelemetry/api', 'nostr-tools', 'ws', 'ipaddr.js', 'lru-cache'],
    optional: { 'testing/**': ['nostr-wasm', 'tiny-secp256k1'] },
  },
  '@bonafide/storage': {
    dependencies: ['kysely'],
    optional: {
      'postgres.ts': ['pg'],
      'testing/**': ['pg', 'better-sqlite3', 'libsql', '@electric-sql/pglite', 'vitest'],
    },
  },
  '@bonafide/cli': { unrestricted: true },
  // It runs before anything is installed: all that it needs is built into its output.
  'create-bonafide': { bundled: ['@noble/curves'] },
};

/** Private, and built into each package's own output: an import of it is one of the package's own code. */
const bundled = '@bonafide/internal';

/**
 * @typedef {object} Import
 * @property {string | null} specifier null when it is computed
 * @property {number} line
 * @property {'static' | 'dynamic' | 'type'} kind `static` must be there for the file to load at all
 */

/**
 * Every module that a source file names: static and dynamic imports, re-exports, and types.
 * @param {string} file for its extension
 * @param {string} text
 * @returns {Import[]}
 */
export function importsOf(file, text) {
  const { module, program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  /** @type {Import[]} */
  const found = [];
  const add = (specifier, start, kind) =>
    found.push({ specifier, line: text.slice(0, start).split('\n').length, kind });
  // `import { type A } from 'x'` still loads x; only `import type` does not (verbatimModuleSyntax).
  const kindAt = (start) =>
    /^(import|export)\s+type\b/.test(text.slice(start, start + 40)) ? 'type' : 'static';
  for (const { moduleRequest, start } of module.staticImports) add(moduleRequest.value, start, kindAt(start));
  for (const { entries, start } of module.staticExports) {
    const specifier = entries.find(({ moduleRequest }) => moduleRequest)?.moduleRequest?.value;
    if (specifier !== undefined) add(specifier, start, kindAt(start));
  }
  for (const { moduleRequest, start } of module.dynamicImports) {
    const literal = /^(['"`])([^'"`$\\]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    add(literal?.[2] ?? null, start, 'dynamic');
  }
  for (const { specifier, start } of typeImports(program)) add(specifier, start, 'type');
  return found;
}

/** `import('x').T` in a type and `import x = require('x')`, which the parser does not list. */
function typeImports(node) {
  if (Array.isArray(node)) return node.flatMap(typeImports);
  if (node === null || typeof node !== 'object') return [];
  const source =
    node.type === 'TSImportType'
      ? node.source
      : node.type === 'TSExternalModuleReference'
        ? node.expression
        : null;
  const here = typeof source?.value === 'string' ? [{ specifier: source.value, start: node.start }] : [];
  return [...here, ...Object.values(node).flatMap(typeImports)];
}

/** The package that a bare specifier belongs to: `@scope/name/sub` → `@scope/name`. */
const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const covers = (pattern, path) =>
  pattern.endsWith('/**') ? path.startsWith(pattern.slice(0, -2)) : path === pattern;

/** In which files of the package `name` may be used as an optional peer. */
const placesFor = (rule, name) =>
  Object.entries(rule.optional ?? {}).flatMap(([pattern, names]) => (names.includes(name) ? [pattern] : []));

/**
 * Returns the problems of a manifest.
 * @param {any} manifest
 * @param {Readonly<Record<string, Rule>>} table
 * @returns {string[]}
 */
export function checkManifest(manifest, table = rules) {
  const rule = table[manifest.name];
  if (rule === undefined) return ['is not in the table of scripts/check-boundaries.mjs'];
  const breaches = [];
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    if (bundled in (manifest[kind] ?? {}))
      breaches.push(`has ${bundled} in ${kind}: it is bundled, so devDependencies`);
  }
  if (rule.unrestricted) return breaches;
  const allowed = rule.dependencies ?? [];
  const outside = (kind) => Object.keys(manifest[kind] ?? {}).filter((name) => name !== bundled);
  for (const name of [...outside('dependencies'), ...outside('optionalDependencies')]) {
    if (!allowed.includes(name)) breaches.push(`depends on ${name}: it may depend on ${list(allowed)}`);
  }
  for (const name of outside('peerDependencies')) {
    if (placesFor(rule, name).length === 0)
      breaches.push(`has the peer ${name}: the table does not allow it`);
    else if (manifest.peerDependenciesMeta?.[name]?.optional !== true) {
      breaches.push(`has the peer ${name}, which is not marked optional in peerDependenciesMeta`);
    }
  }
  return breaches;
}

/**
 * Returns the problems of one file's imports.
 * @param {any} manifest of the package that it belongs to
 * @param {string} path under `src`, with slashes
 * @param {readonly Import[]} imports
 * @param {Readonly<Record<string, Rule>>} table
 * @returns {string[]}
 */
export function checkImports(manifest, path, imports, table = rules) {
  const rule = table[manifest.name] ?? {};
  return imports.flatMap(({ specifier, line }) => {
    const breach = importBreach(rule, manifest, path, specifier);
    return breach === null ? [] : [`src/${path}:${line} ${breach}`];
  });
}

function importBreach(rule, manifest, path, specifier) {
  if (specifier === null) {
    // What composes everything may also load the operator's own module.
    return rule.unrestricted ? null : 'imports a computed module: name it, so that it can be checked';
  }
  if (specifier.startsWith('.')) {
    const leaves = posix.join('src', posix.dirname(path), specifier).startsWith('..');
    return leaves ? `reaches out of its package (${specifier}): use the other package by its name` : null;
  }
  if (isBuiltin(specifier)) return null;
  const name = packageOf(specifier);
  if (name === manifest.name) return `imports its own package by name (${specifier}): use a relative path`;
  if (name === bundled || rule.bundled?.includes(name)) {
    return name in (manifest.devDependencies ?? {}) ? null : `imports ${name}, which devDependencies lack`;
  }
  if (rule.unrestricted) {
    return name in (manifest.dependencies ?? {}) ? null : `imports ${name}, which dependencies lack`;
  }
  const isTesting = covers('testing/**', path);
  if (name.startsWith('@bonafide/') && specifier.startsWith(`${name}/testing`) && !isTesting) {
    return `imports ${specifier}: only testing/** may use what is for tests`;
  }
  if (rule.dependencies?.includes(name)) {
    return name in (manifest.dependencies ?? {}) ? null : `imports ${name}, which dependencies lack`;
  }
  const places = placesFor(rule, name);
  if (places.length === 0) return `imports ${name}: it may use ${list(rule.dependencies ?? [])}`;
  if (!places.some((pattern) => covers(pattern, path))) return `imports ${name}: only ${list(places)} may`;
  return name in (manifest.peerDependencies ?? {}) ? null : `imports ${name}, which peerDependencies lack`;
}

/**
 * Files outside the places for optional peers that cannot be loaded without one, since what they import needs it.
 * @param {any} manifest
 * @param {ReadonlyMap<string, readonly Import[]>} files the imports of every file under `src`
 * @param {Readonly<Record<string, Rule>>} table
 * @returns {string[]}
 */
export function checkReach(manifest, files, table = rules) {
  const rule = table[manifest.name] ?? {};
  const isOptional = (specifier) =>
    !specifier.startsWith('.') && placesFor(rule, packageOf(specifier)).length > 0;
  const needsOf = (file) =>
    (files.get(file) ?? []).flatMap(({ specifier, kind }) =>
      kind === 'static' && specifier !== null ? [specifier] : [],
    );
  /** The path from a file to the optional peer that it needs, or null. */
  const pathFrom = (file, seen) => {
    if (seen.has(file)) return null;
    seen.add(file);
    for (const specifier of needsOf(file)) {
      if (isOptional(specifier)) return [packageOf(specifier)];
      if (!specifier.startsWith('.')) continue;
      const next = posix.join(posix.dirname(file), specifier);
      const rest = pathFrom(next, seen);
      if (rest !== null) return [next, ...rest];
    }
    return null;
  };
  return [...files.keys()].flatMap((file) => {
    const path = pathFrom(file, new Set());
    // A file that names the peer itself is judged by its imports.
    if (path === null || path.length === 1) return [];
    const peer = path.at(-1) ?? '';
    const mayNeedIt = placesFor(rule, peer).some((pattern) => covers(pattern, file));
    return mayNeedIt ? [] : [`src/${file} needs ${peer} by way of ${path.slice(0, -1).join(' → ')}`];
  });
}

const list = (names) => (names.length === 0 ? 'nothing' : names.join(', '));

/**
 * Every breach in the workspace at `root`, each with the package that it is in.
 * @param {string} root
 * @param {Readonly<Record<string, Rule>>} table
 * @returns {{ breaches: string[], packages: number, files: number }}
 */
export function checkWorkspace(root, table = rules) {
  const breaches = [];
  let files = 0;
  const folders = packageFolders(root);
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const report = (lines) => breaches.push(...lines.map((line) => `${folder}: ${line}`));
    report(checkManifest(manifest, table));
    const source = join(root, folder, 'src');
    const imports = new Map(
      sourceFiles(source).map((file) => [
        relative(source, file).split(sep).join('/'),
        importsOf(file, readFileSync(file, 'utf8')),
      ]),
    );
    files += imports.size;
    for (const [path, found] of imports) report(checkImports(manifest, path, found, table));
    report(checkReach(manifest, imports, table));
  }
  return { breaches, packages: folders.length, files };
}

function packageFolders(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  return ['internal', ...packages].filter((folder) => existsSync(join(root, folder, 'package.json')));
}

function sourceFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function main(root) {
  const { breaches, packages, files } = checkWorkspace(root);
  if (breaches.length === 0) {
    console.log(`No package reaches over its boundary (${packages} packages, ${files} files).`);
    return 0;
  }
  console.error('Packages reach over their boundaries (docs/adr/0001-declare-ports-instead-of-imports.md):');
  for (const breach of breaches) console.error(`  ${breach}`);
  console.error('Declare a port of your own instead, or change the table in scripts/check-boundaries.mjs.');
  return 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = main(resolve(process.argv[2] ?? join(dirname(import.meta.filename), '..')));
}
