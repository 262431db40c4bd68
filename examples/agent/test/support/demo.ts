import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A folder that is gone after the test. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'bonafide-demo-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The demo as a process of its own, as a person starts it. */
function startDemo(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MODEL: '', ...env },
  });
}

/**
 * Runs the demo to its end.
 *
 * @param onLine - called with every line on stderr
 */
export async function runDemo(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  onLine: (line: string) => void = () => {},
) {
  const child = startDemo(args, env);
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

/** Kills or stops the demo once it has printed `lines` lines on stderr that match. */
export async function killAfter(
  args: readonly string[],
  wanted: RegExp,
  lines: number,
  signal: 'SIGKILL' | 'SIGINT' = 'SIGKILL',
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const child = startDemo(args, env);
  const ended = once(child, 'close');
  child.stdout?.resume();
  let seen = 0;
  for await (const line of createInterface({ input: child.stderr ?? process.stdin })) {
    if (wanted.test(line)) seen += 1;
    if (seen === lines) child.kill(signal);
  }
  await ended;
  if (seen < lines) throw new Error(`The demo ended by itself after ${seen} of ${lines} lines.`);
}
