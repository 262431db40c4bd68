import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A process of `test/children`. */
export interface Child {
  /** What it printed so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line, past or future, that begins with `start`; rejects when the process ends before. */
  line(start: string): Promise<string>;
  /** SIGKILL, as a power cut: resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP, as a machine that sleeps, until {@link Child.wake}. */
  freeze(): void;
  wake(): void;
}

export function child(script: 'client' | 'paying-client' | 'provider', ...args: readonly string[]): Child {
  const path = join(import.meta.dirname, 'children', `${script}.ts`);
  const started: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let errors = '';
  let over = false;
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  const gone = new Promise<void>((resolve) => {
    started.once('close', () => {
      over = true;
      wake();
      resolve();
    });
  });
  if (started.stdout) {
    createInterface(started.stdout).on('line', (text) => {
      lines.push(text);
      wake();
    });
  }
  started.stderr?.on('data', (text) => {
    errors += text;
  });
  const kill = async () => {
    started.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  return {
    lines,
    kill,
    freeze: () => void started.kill('SIGSTOP'),
    wake: () => void started.kill('SIGCONT'),
    line: (start) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = lines.find((text) => text.startsWith(start));
          if (found === undefined && !over) return;
          waiting.delete(check);
          if (found === undefined)
            reject(new Error(`The ${script} ended without '${start}': ${errors || lines.join(' | ')}`));
          else resolve(found);
        };
        waiting.add(check);
        check();
      }),
  };
}

/** A directory that is removed after the test. */
export function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'bonafide-jobs-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
