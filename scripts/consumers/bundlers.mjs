import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import budgets from './budgets.json' with { type: 'json' };
import { exec } from './exec.mjs';
import { entriesOf } from './project.mjs';

/** Packages that need Node's files and processes. The main entries of all others bundle for browsers. */
const onlyNode = /^(?:create-bonafide|@bonafide\/(?:cli|judge-runner|self-correction|storage))\b/;
/** Entries for Node: stores in a database or in files, the judge's file loader, and test suites. */
const nodeEntry = /\/(?:kysely|duckdb|humaneval|terminal|file-snapshots)$/;
/** Entries that import an optional peer at run time, which this project does not have. */
export const needsPeer = /\/(?:testing|langchain|nwc|pg-boss|cortex\/ai-sdk)$/;

/** Imports a tool from a project. */
export const load = (folder, name) =>
  import(pathToFileURL(createRequire(join(folder, 'x.js')).resolve(name)).href);

/** A module that imports everything of every entry, so that nothing is shaken out. */
export const importAll = (entries) =>
  `${entries.map((entry, index) => `import * as entry${index} from '${entry}';`).join('\n')}
export const entries = [${entries.map((_, index) => `entry${index}`)}];\n`;

const browserEntries = (packages) =>
  packages
    .flatMap(entriesOf)
    .filter((entry) => !needsPeer.test(entry) && !onlyNode.test(entry) && !nodeEntry.test(entry));

const sameAs = (expected, actual) => {
  if (actual.trim() !== expected.trim()) throw new Error(`printed ${actual}instead of ${expected}`);
};

/** What `require` of CommonJS dependencies needs in an ES module for Node. */
const requireBanner = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

/** Bundles every entry that the platform has, and runs the portable program from its bundle. */
async function checkEsbuild({ projects: { bare }, packages, expected, node }, platform) {
  const { build } = await load(bare, 'esbuild');
  const bundled =
    platform === 'node'
      ? packages.flatMap(entriesOf).filter((entry) => !needsPeer.test(entry))
      : browserEntries(packages);
  const banner = platform === 'node' ? { banner: { js: requireBanner } } : {};
  const options = {
    bundle: true,
    format: 'esm',
    platform,
    absWorkingDir: bare,
    logLevel: 'silent',
    ...banner,
  };
  const everything = { contents: importAll(bundled), resolveDir: bare };
  const { warnings } = await build({ ...options, stdin: everything, write: false });
  // `pg` is imported inside of a `try`, for those who open Postgres.
  const other = warnings.filter(({ text }) => !text.includes('"pg"'));
  if (other.length > 0) throw new Error(other.map(({ text }) => text).join('\n'));
  const outfile = join(bare, `out/esbuild-${platform}.mjs`);
  await build({ ...options, entryPoints: ['portable-main.mjs'], outfile });
  sameAs(expected, await exec(node('newest'), [outfile]));
  return `${bundled.length} entries`;
}

/** Bundles everything for browsers in one build, and runs the portable program from its bundle. */
async function checkWebpack({ projects: { bare }, packages, expected, node }) {
  const { default: webpack } = await load(bare, 'webpack');
  const entries = browserEntries(packages);
  const path = join(bare, 'out');
  const stats = await new Promise((resolve, reject) => {
    webpack(
      {
        mode: 'production',
        context: bare,
        target: 'web',
        devtool: false,
        optimization: { minimize: false },
        performance: { hints: false },
        entry: { 'webpack-portable': './portable-main.mjs', 'webpack-all': entries },
        output: { path, filename: '[name].mjs', module: true, chunkFormat: 'module' },
        experiments: { outputModule: true },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    );
  });
  const problems = stats.toJson({ all: false, errors: true, warnings: true });
  const messages = [...problems.errors, ...problems.warnings].map(({ message }) => message);
  if (messages.length > 0) throw new Error(messages.join('\n'));
  sameAs(expected, await exec(node('newest'), [join(path, 'webpack-portable.mjs')]));
  return `${entries.length} entries`;
}

/** Builds the same for browsers with Vite. */
async function checkVite({ projects: { bare }, packages, expected, node }) {
  const { build } = await load(bare, 'vite');
  const entries = browserEntries(packages);
  const warnings = [];
  writeFileSync(join(bare, 'all-browser.mjs'), importAll(entries));
  await build({
    root: bare,
    configFile: false,
    logLevel: 'silent',
    build: {
      outDir: 'out/vite',
      minify: false,
      rollupOptions: {
        input: { portable: join(bare, 'portable-main.mjs'), all: join(bare, 'all-browser.mjs') },
        output: { entryFileNames: '[name].mjs' },
        onwarn: ({ message }) => warnings.push(message),
      },
    },
  });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  sameAs(expected, await exec(node('newest'), [join(bare, 'out/vite/portable.mjs')]));
  return `${entries.length} entries`;
}

/** Bundles one function of a package, minified, and compares its gzipped size with the budget. */
async function checkSize({ projects: { bare } }, { from, name, kB }) {
  const { build } = await load(bare, 'esbuild');
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from '${from}';`, resolveDir: bare },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const size = gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
  const measured = `${size.toFixed(1)} kB gzip of ${kB}`;
  if (size > kB)
    throw new Error(`${measured}: shorten what it imports, or raise scripts/consumers/budgets.json`);
  return measured;
}

/** @type {readonly import('./checks.mjs').Check[]} */
export const bundlerChecks = [
  { name: 'esbuild, for Node', run: (context) => checkEsbuild(context, 'node') },
  { name: 'esbuild, for browsers', run: (context) => checkEsbuild(context, 'browser') },
  { name: 'webpack, for browsers', run: checkWebpack },
  { name: 'vite, for browsers', run: checkVite },
  ...budgets.map((budget) => ({
    name: `size of ${budget.name}`,
    run: (context) => checkSize(context, budget),
  })),
];
