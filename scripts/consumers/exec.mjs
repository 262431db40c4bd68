import { spawn } from 'node:child_process';
import { cleanEnvironment } from '../setup/process.mjs';

/**
 * Runs a command and resolves with its stdout. Rejects with its whole output when it fails, and when it has not ended
 * after `limitMs`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, limitMs?: number }} [options]
 * @returns {Promise<string>}
 */
export function exec(command, args, { cwd, env = {}, limitMs = 300_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...cleanEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: limitMs,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(stdout);
      const ended = signal === null ? `exit code ${code}` : `signal ${signal}`;
      reject(new Error(`${command} ${args.join(' ')}: ${ended}\n${stdout}${stderr}`.trimEnd()));
    });
  });
}

/**
 * Runs tasks, `width` at a time, and resolves with their results in order.
 * @template Result
 * @param {readonly (() => Promise<Result>)[]} tasks
 * @param {number} width
 * @returns {Promise<Result[]>}
 */
export async function inParallel(tasks, width) {
  /** @type {Result[]} */
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < tasks.length) {
      const index = next;
      next += 1;
      results[index] = await /** @type {() => Promise<Result>} */ (tasks[index])();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
