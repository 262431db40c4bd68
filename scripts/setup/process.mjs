import { spawnSync } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';

/** The repository's root. */
export const root = resolve(import.meta.dirname, '../..');

/** Node's flag under which workspace packages resolve to their sources. */
export const fromSources = '--conditions=@bonafide/source';

/**
 * Folder where Node keeps what it compiled, stripped of types. A program of this workspace loads up to a thousand modules,
 * which takes half the time when another process has compiled them before.
 */
export const compiledCode = join(root, 'node_modules/.cache/compiled');

/**
 * Returns the environment for the tools. Drops npm's `npm_*` variables, which pnpm would read as its own settings, and
 * puts the workspace's tools, its Node among them, first on PATH. Sets NO_COLOR when stderr is not a terminal, unless
 * the environment says what to do about colors, since some tools color what goes to a file. Node keeps what it compiles.
 */
export function cleanEnvironment(environment = process.env, terminal = process.stderr.isTTY === true) {
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^npm_/i.test(name)));
  const chosen = terminal || 'FORCE_COLOR' in kept || 'NO_COLOR' in kept;
  return {
    ...kept,
    ...(chosen ? {} : { NO_COLOR: '1' }),
    PATH: [join(root, 'node_modules/.bin'), kept.PATH].join(delimiter),
    NODE_COMPILE_CACHE: kept.NODE_COMPILE_CACHE ?? compiledCode,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  };
}

/** Returns what a command printed, trimmed, or null when it could not run or failed. */
export function outputOf(command, args) {
  const result = spawnSync(command, args, { cwd: root, env: cleanEnvironment(), encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : null;
}

/**
 * Runs a command, by default in the root, and returns its exit code. Its output goes to stderr, so that stdout stays free for the
 * task's own result; with `show: false` it is printed only when the command fails.
 */
export function run(command, args, { show = true, stdout = 'stderr', env = {}, cwd = root } = {}) {
  const out = stdout === 'inherit' ? 'inherit' : process.stderr;
  const result = spawnSync(command, args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: show ? ['inherit', out, 'inherit'] : ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (result.error) throw result.error;
  const status = result.status ?? 1;
  if (!show && status !== 0) process.stderr.write(`${result.stdout}${result.stderr}`);
  return status;
}
