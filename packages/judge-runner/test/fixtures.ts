import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { type Artifact, parseSuite, type Suite, type VectorSuite } from '../src/index.ts';
import { syscallNumbers } from '../src/seccomp/syscalls.ts';

const root = resolve(import.meta.dirname, '../../../fixtures');
const text = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

export interface CorpusEntry {
  readonly id: string;
  readonly category: 'control' | 'resource' | 'security' | 'fake';
  readonly expect: readonly string[];
  readonly artifact: Artifact;
}

const manifest = z.array(
  z.object({
    id: z.string(),
    category: z.enum(['control', 'resource', 'security', 'fake']),
    expect: z.array(z.string()),
    file: z.string().optional(),
    dir: z.string().optional(),
  }),
);

/** The attacks make calls by their number on x86-64; on arm64 the same call has another one. */
export function onThisMachine(source: string, architecture: string = process.arch): string {
  if (architecture !== 'arm64') return source;
  const names = new Map([...syscallNumbers.x64].map(([name, number]) => [number, name]));
  return source.replace(/(?<=\bsyscall\()\d+(?=[,)])/g, (digits) => {
    const name = names.get(Number(digits)) ?? '';
    const number = syscallNumbers.arm64.get(name) ?? syscallNumbers.arm64.get(`${name}at`);
    return number === undefined ? digits : String(number);
  });
}

/** Every attack of the manifest, with what may come of it. */
export function attacks(): CorpusEntry[] {
  return manifest
    .parse(JSON.parse(text('judge/attacks/manifest.json')))
    .map(({ id, category, expect, file, dir }) => {
      if (file !== undefined)
        return {
          id,
          category,
          expect,
          artifact: { language: 'python', source: onThisMachine(text('judge/attacks', file)) },
        };
      const folder = dir ?? '';
      const names = readdirSync(join(root, 'judge/attacks', folder));
      const files = Object.fromEntries(names.map((name) => [name, text('judge/attacks', folder, name)]));
      return { id, category, expect, artifact: { language: 'python', files } };
    });
}

/** The same cases as a file of pytest. */
export const attackTests = (): string => text('judge/attacks/_suite/test_target.py');

export const attackSuite = (): VectorSuite =>
  asVectors(parseSuite(JSON.parse(text('judge/attacks-suite.json'))));

/** The honest programs by name. */
export function honest(): { readonly id: string; readonly artifact: Artifact }[] {
  return readdirSync(join(root, 'judge/honest'))
    .filter((name) => name.endsWith('.py') && !name.startsWith('_'))
    .map((name) => ({ id: name, artifact: { language: 'python', source: text('judge/honest', name) } }));
}

export const honestSuite: VectorSuite = {
  id: 'honest',
  language: 'python',
  mode: 'vectors',
  entryPoint: 'solve',
  cases: [{ id: 'solve', layer: 'correctness', args: [], expect: true, match: 'truth' }],
};

const task = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string(),
  canonical_solution: z.string(),
  test: z.string(),
});

/** The HumanEval tasks that ship with the project. */
export function humanEval(): z.infer<typeof task>[] {
  const lines = text('humaneval/humaneval-odd.jsonl').split('\n').filter(Boolean);
  return lines.map((line) => task.parse(JSON.parse(line)));
}

function asVectors(suite: Suite): VectorSuite {
  if (suite.mode !== 'vectors') throw new Error('A suite of vectors was expected');
  return suite;
}
