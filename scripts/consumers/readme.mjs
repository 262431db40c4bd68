import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../setup/process.mjs';

/**
 * Returns the first TypeScript block of a README and the text block that follows it at once, if any.
 * @param {string} markdown
 */
export function firstExample(markdown) {
  const match = /```ts\n(?<code>[\s\S]*?)```\n+(?:```text\n(?<output>[\s\S]*?)```)?/.exec(markdown);
  return { code: match?.groups?.code, output: match?.groups?.output };
}

/**
 * Returns the TypeScript blocks of a document, in their order.
 * @param {string} markdown
 */
export const codeBlocks = (markdown) =>
  [...markdown.matchAll(/```ts\n(?<code>[\s\S]*?)```/g)].map(({ groups }) => groups?.code ?? '');

/** Every package's first example, which is a whole program, with what it prints. */
export const readmeExamples = () =>
  globSync('packages/*/README.md', { cwd: root })
    .toSorted()
    .map((file) => ({
      name: basename(dirname(file)),
      ...firstExample(readFileSync(join(root, file), 'utf8')),
    }));
