import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const runState = z.object({
  /** 1 for the first run in a workspace; part of the ids of its orders. */
  run: z.number().int().positive(),
  seed: z.number().int(),
  jobs: z.number().int().positive(),
  /** Port of the embedded relay, the same after a restart. */
  port: z.number().int().nonnegative(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
});

/** State of a run; everything else is in the stores of the packages. */
export type RunState = z.infer<typeof runState>;

/** Files of a run. */
export type Workspace = ReturnType<typeof openWorkspace>;

/** Opens a folder, creating it with mode 0700. `load` returns null when it holds no run. */
export function openWorkspace(folder: string) {
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 });
  const file = join(folder, 'run.json');
  return {
    folder,
    path: (name: string) => join(folder, name),
    load: (): RunState | null =>
      existsSync(file) ? runState.parse(JSON.parse(readFileSync(file, 'utf8'))) : null,
    save(state: RunState) {
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

/** Renames a finished run to `<folder>.previous`, replacing the one before. */
export function setAside(folder: string): void {
  rmSync(`${folder}.previous`, { recursive: true, force: true });
  renameSync(folder, `${folder}.previous`);
}
