import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Processes resolve packages under the same export conditions as this one. */
const conditions = process.execArgv.filter((argument) => argument.startsWith('--conditions='));

async function untilReady(child: ChildProcess, name: string): Promise<void> {
  const outcome = await Promise.race([
    once(child, 'message').then(() => 'ready' as const),
    once(child, 'exit').then(([code]) => `ended with code ${code} before it was ready` as const),
  ]);
  if (outcome !== 'ready') throw new Error(`The process '${name}' ${outcome}.`);
}

/**
 * Starts a process of a program for each of the settings, which it gets as JSON in its first argument, and waits until each has sent a
 * message. They end when this process ends, or when they are disposed.
 */
export async function startProcesses(
  program: URL,
  settings: readonly { readonly name: string }[],
): Promise<AsyncDisposable> {
  const started = settings.map((each) => {
    const argv = [...conditions, '--disable-warning=ExperimentalWarning', fileURLToPath(program)];
    const child = spawn(process.execPath, [...argv, JSON.stringify(each)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return { child, name: each.name, ended: once(child, 'exit') };
  });
  const processes: AsyncDisposable = {
    async [Symbol.asyncDispose]() {
      for (const { child } of started) child.kill();
      await Promise.all(started.map(({ ended }) => ended));
    },
  };
  try {
    await Promise.all(started.map(({ child, name }) => untilReady(child, name)));
    return processes;
  } catch (error) {
    await processes[Symbol.asyncDispose]();
    throw error;
  }
}
