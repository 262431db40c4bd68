import { readAsset } from '../assets.ts';
import type { Artifact } from '../suite.ts';

/** A file that is shown, read-only, in a box. */
export interface BoxFile {
  readonly path: string;
  readonly content: string;
}

/** How programs of one language are run in a box. Each language's launcher speaks the same lines on fds 3 and 4. */
export interface Runtime {
  /** Everything the box needs beside the language itself. */
  files(artifact: Artifact): Promise<readonly BoxFile[]>;
  /** What is executed, given the interpreter's path. */
  command(interpreter: string): readonly string[];
  /** The environment, and all of it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Where the artifact's files are in its box. */
export const artifactFolder = '/artifact';
const judgeFolder = '/judge';
const workerFiles = ['worker.py', 'launch.py', 'codec.py', 'analysis.py'];

/** Programs of ours as they are shown in a box. */
export const judgeFiles = (names: readonly string[]): Promise<BoxFile[]> =>
  Promise.all(
    names.map(async (name) => ({ path: `${judgeFolder}/${name}`, content: await readAsset(name) })),
  );

/** An artifact's files as they are shown in a box. */
export function artifactFiles(artifact: Artifact, main: string): BoxFile[] {
  const own = 'source' in artifact ? { [main]: artifact.source } : artifact.files;
  return Object.entries(own).map(([name, content]) => ({ path: `${artifactFolder}/${name}`, content }));
}

/** Python 3.9 or newer, with the standard library only. */
export const pythonRuntime: Runtime = {
  files: async (artifact) => [...(await judgeFiles(workerFiles)), ...artifactFiles(artifact, 'solution.py')],
  command: (interpreter) => [interpreter, '-s', '-S', '-B', `${judgeFolder}/worker.py`],
  environment: {
    PATH: '/usr/bin',
    HOME: '/box',
    TMPDIR: '/box',
    LC_ALL: 'C.UTF-8',
    // Sets have the same order in every run. (`-I` would ignore this; the environment is ours anyway.)
    PYTHONHASHSEED: '0',
  },
};
