import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A script in a separate process. Call `stop` when the test ends. */
export interface Child {
  readonly process: ChildProcess;
  /** Everything it wrote to stdout so far. */
  output(): string;
  /** Waits until stdout contains `text`; throws with both outputs when the process ends first. */
  sees(text: string): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Kills it if it still runs, and waits for its end. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly nodeArgs?: readonly string[];
  /** Environment variables beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a script with Node, from sources of the workspace. */
export function runChild(script: URL, args: readonly string[], options: ChildOptions = {}): Child {
  const path = fileURLToPath(script);
  const child = spawn(
    process.execPath,
    ['--conditions=@bonafide/source', ...(options.nodeArgs ?? []), path, ...args],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...options.env },
    },
  );
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
  return {
    process: child,
    output: () => stdout,
    ended,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
    async sees(text) {
      while (!stdout.includes(text)) {
        if (over) throw new Error(`${path} ended without '${text}'.\nstdout: ${stdout}\nstderr: ${stderr}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
