import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SelfCorrectionError } from '../errors.ts';

/** Runs git and returns its output. Input goes through stdin, so that nothing is quoted for a shell. */
function git(args: readonly string[], input = ''): Promise<string> {
  const person = { NAME: 'Bonafide', EMAIL: 'bonafide@localhost' };
  const names = Object.entries(person).flatMap(([field, value]) => [
    [`GIT_AUTHOR_${field}`, value],
    [`GIT_COMMITTER_${field}`, value],
  ]);
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', ...Object.fromEntries(names) };
  return new Promise((resolve, reject) => {
    const child = execFile('git', [...args], { env }, (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(error);
    });
    // A command that reads no input may have ended before; its exit code says what happened.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/**
 * Creates a bare git repository for `createLocalGitForge` whose branch `main` has these files, unless it exists. It needs git 2.28 or
 * later, and no network.
 *
 * @param files - Contents by name; names without folders.
 * @throws SelfCorrectionError `FORGE_FAILED` when git fails; the folder may exist then
 */
export async function createLocalRepository(
  path: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  if (existsSync(join(path, 'refs/heads/main'))) return;
  try {
    await git(['init', '--quiet', '--bare', '--initial-branch=main', path]);
    const at = ['-C', path];
    const entries = await Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        const blob = await git([...at, 'hash-object', '-w', '--stdin'], content);
        return `100644 blob ${blob}\t${name}\n`;
      }),
    );
    const tree = await git([...at, 'mktree'], entries.join(''));
    const commit = await git([...at, 'commit-tree', tree, '-m', 'Initial thresholds']);
    await git([...at, 'update-ref', 'refs/heads/main', commit]);
  } catch (cause) {
    throw new SelfCorrectionError(
      'FORGE_FAILED',
      'git could not create the repository. Install git 2.28 or later.',
      {
        cause,
      },
    );
  }
}
