import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../setup/process.mjs';

/**
 * A page of recipes: the files that it shows, and the commands with what they print.
 * @typedef {{ name: string, files: { path: string, code: string }[], runs: { command: string, output: string }[] }} Recipe
 */

const block = /```(?<language>\w+)\n(?<text>[\s\S]*?)```/g;

/**
 * Reads a page. A block of code whose first line is a comment with a path is that file; a block of shell commands
 * directly followed by a text block is run and prints that text.
 *
 * @param {string} name
 * @param {string} markdown
 * @returns {Recipe}
 */
export function parseRecipe(name, markdown) {
  const blocks = [...markdown.matchAll(block)].map(({ groups }) => ({
    language: groups?.language ?? '',
    text: groups?.text ?? '',
  }));
  const files = blocks.flatMap(({ text }) => {
    const path = /^(?:\/\/|#) (?<path>[\w./-]+\.\w+)\n/.exec(text)?.groups?.path;
    return path === undefined ? [] : [{ path, code: text }];
  });
  const runs = blocks.flatMap(({ language, text }, index) => {
    const next = blocks[index + 1];
    if (language !== 'sh' || next?.language !== 'text') return [];
    return [{ command: text.trim(), output: next.text }];
  });
  return { name, files, runs };
}

/** Every page of `docs/recipes` but its index. */
export const recipes = () =>
  globSync('docs/recipes/*.md', { cwd: root })
    .toSorted()
    .filter((file) => basename(file) !== 'README.md')
    .map((file) => parseRecipe(basename(file, '.md'), readFileSync(join(root, file), 'utf8')));

/** Writes the files of a recipe into an empty folder. */
export function writeRecipe({ files }, folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const { path, code } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
}
