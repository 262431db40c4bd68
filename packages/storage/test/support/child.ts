import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A script of this folder running in a process of its own; killed when the test ends. */
export interface Child {
  readonly process: ChildProcess;
  /** Everything it wrote to stdout so far. */
  output(): string;
  /** Waits until stdout contains `text`; throws with both outputs when the process ends first. */
  sees(text: string): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

export interface ChildOptions {
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function runChild(script: string, args: readonly string[], options: ChildOptions = {}): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), path, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...options.env },
  });
  let stdout = '';
  let stderr = '';
  let wake = () => {};
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    wake();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  let over = false;
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => {
      over = true;
      wake();
      resolve(code ?? signal ?? 'unknown');
    });
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    process: child,
    output: () => stdout,
    ended,
    async sees(text) {
      while (!stdout.includes(text)) {
        if (over)
          throw new Error(`${script} ended without saying '${text}'.\nstdout: ${stdout}\nstderr: ${stderr}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
