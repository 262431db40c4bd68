import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** The repository's root. */
export const root = resolve(import.meta.dirname, '../..');

/**
 * The environment for the tools. npm hands its own configuration to scripts as `npm_*`; pnpm would take it for
 * its own. Colours are for a terminal, unless somebody chose otherwise: some tools colour what goes to a file.
 */
export function cleanEnvironment(environment = process.env, terminal = process.stderr.isTTY === true) {
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !/^npm_/i.test(name)));
  const chosen = terminal || 'FORCE_COLOR' in kept || 'NO_COLOR' in kept;
  return { ...kept, ...(chosen ? {} : { NO_COLOR: '1' }), TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
}

/** What a command printed, or null when it could not run or failed. */
export function outputOf(command, args) {
  const result = spawnSync(command, args, { cwd: root, env: cleanEnvironment(), encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : null;
}

/**
 * Runs a command and returns its exit code. What it prints goes to stderr, so that stdout stays free for
 * the task's own result, or nowhere unless it fails.
 */
export function run(command, args, { show = true, stdout = 'stderr', env = {} } = {}) {
  const out = stdout === 'inherit' ? 'inherit' : process.stderr;
  const result = spawnSync(command, args, {
    cwd: root,
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
