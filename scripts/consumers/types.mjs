import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importAll } from './bundlers.mjs';
import { exec } from './exec.mjs';
import { entriesOf, scope } from './project.mjs';

const strict = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'esnext.disposable', 'dom'],
  types: ['node'],
};
const resolutions = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

async function compile({ projects, node }, age, file, options) {
  const folder = projects[age];
  const config = join(folder, `tsconfig.${file}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...options }, files: [file] }));
  const compiler = join(folder, 'node_modules/typescript/bin/tsc');
  await exec(node('newest'), [compiler, '-p', config], { cwd: folder });
}

/** Compiles a program that imports every entry, with the declarations of all dependencies checked too. */
async function checkDeclarations(context, age, resolution) {
  // LangChain's own declarations take the oldest TypeScript twenty seconds, and those of the AI SDK need types that it does
  // not install. Our adapters' declarations are checked below.
  const entries = context.packages
    .flatMap(entriesOf)
    .filter((entry) => age === 'newest' || !entry.endsWith('/langchain'))
    .filter((entry) => entry !== `${scope}cortex/ai-sdk`);
  writeFileSync(join(context.projects[age], 'all.ts'), importAll(entries));
  await compile(context, age, 'all.ts', { ...resolutions[resolution], skipLibCheck: false });
  return `${entries.length} entries, ${resolution}`;
}

/** Compiles a program that passes the adapters' results to the SDKs' own types. */
async function checkAdapters(context, age) {
  await compile(context, age, 'adapters-types.ts', { ...resolutions.nodenext, skipLibCheck: true });
  return "the adapters' results fit the SDKs' types";
}

/** @type {readonly import('./checks.mjs').Check[]} */
export const typeChecks = [
  { name: 'TypeScript, oldest', run: (context) => checkDeclarations(context, 'oldest', 'nodenext') },
  { name: 'TypeScript, oldest', run: (context) => checkAdapters(context, 'oldest') },
  { name: 'TypeScript, newest', run: (context) => checkDeclarations(context, 'newest', 'nodenext') },
  { name: 'TypeScript, newest', run: (context) => checkDeclarations(context, 'newest', 'bundler') },
  { name: 'TypeScript, newest', run: (context) => checkAdapters(context, 'newest') },
];
