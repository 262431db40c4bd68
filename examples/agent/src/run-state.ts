import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const schema = z.object({
  seed: z.number().int(),
  jobs: z.number().int().positive(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
});

/** State of a run; everything else is in the stores of the packages. */
export type RunState = z.infer<typeof schema>;

const file = (folder: string) => join(folder, 'run.json');

/** Returns the run in a folder, or null. */
export const loadRun = (folder: string): RunState | null =>
  existsSync(file(folder)) ? schema.parse(JSON.parse(readFileSync(file(folder), 'utf8'))) : null;

/** Writes the state of a run, and creates its folder with mode 0700. */
export function saveRun(folder: string, state: RunState): void {
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o700 });
  writeFileSync(`${file(folder)}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file(folder)}.new`, file(folder));
}

/** Renames the folder of a run to `<folder>.previous`, replacing the one before. */
export function setAside(folder: string): void {
  rmSync(`${folder}.previous`, { recursive: true, force: true });
  renameSync(folder, `${folder}.previous`);
}
