import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const work = z.object({
  /** The agent's own name for the piece of work; also its idempotency key. */
  key: z.string(),
  /** The request's event id. */
  id: z.string(),
  kind: z.enum(['trial', 'job']),
  task: z.string(),
  platform: z.string(),
  pubkey: z.string(),
  bidMsat: z.number(),
  outcome: z.string(),
  cause: z.string(),
  passed: z.number(),
  tests: z.number(),
  latencyMs: z.number().nullable(),
  endedAt: z.number(),
});

/** One finished piece of work. */
export type Work = z.infer<typeof work>;

const runState = z.object({
  /** 1 for the first run in a workspace; part of the keys of its work. */
  run: z.number().int().positive(),
  seed: z.number().int(),
  jobs: z.number().int().positive(),
  /** The embedded relay's port, kept so that everybody finds each other again after a restart. */
  port: z.number().int().nonnegative(),
  finishedAt: z.number().nullable(),
  work: z.array(work),
});

/** What a run remembers of itself; everything else is in the packages' own stores. */
export type RunState = z.infer<typeof runState>;

/** Where a run keeps its files. */
export type Workspace = ReturnType<typeof openWorkspace>;

/** Opens a folder, private to its owner, making it when it isn't there. `load` gives null when nothing has run in it. */
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

/** Puts a finished run aside, one generation back, so that a new one can begin. */
export function setAside(folder: string): void {
  rmSync(`${folder}.previous`, { recursive: true, force: true });
  renameSync(folder, `${folder}.previous`);
}
