import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A script of this folder in a separate process. It is killed when the test ends. */
export interface Child {
  readonly process: ChildProcess;
  /** Everything it wrote to stdout so far. */
  output(): string;
  /** Waits until stdout contains `text`; throws with both outputs when the process ends first. */
  sees(text: string): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

export function runChild(script: string, ...args: readonly string[]): Child {
  const path = join(import.meta.dirname, script);
  const child = spawn(process.execPath, ['--conditions=@bonafide/source', path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr, over] = ['', '', false];
  let wake = () => {};
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    wake();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
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
        if (over) throw new Error(`${script} ended without '${text}'.\nstdout: ${stdout}\nstderr: ${stderr}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
