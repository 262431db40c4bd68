import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { readAsset } from '../assets.ts';
import type { ThreadWatch, Watched } from '../isolation/own-kernel.ts';
import { type Architecture, syscallNumbers } from '../seccomp/syscalls.ts';

const message = z.union([
  z.object({ listening: z.literal(true) }),
  z.object({ forbidden: z.string() }),
  z.object({ threads: z.number(), of: z.string() }),
  z.object({ gone: z.string(), lost: z.number() }),
]);

/** Calls that ask for the end of threads. */
const endingCalls = ['exit', 'exit_group', 'execve', 'execveat'] as const;

/** File name prefix of a sink's files; the process id of the judge follows. */
export const sinkPrefix = 'threads-';

/** Returns the settings of gVisor's option `pod-init-config`: the events to report, and the socket to report them to. Pure. */
export function traceSession(calls: Readonly<Record<string, number>>, endpoint: string) {
  const context = ['container_id', 'thread_id', 'group_id'];
  const points = [
    'sentry/clone',
    'sentry/task_exit',
    ...Object.entries(calls).flatMap(([name, number]) => [
      `syscall/sysno/${number}/enter`,
      // What replaces a program counts when it has succeeded. Alone, it would be reported without its context.
      ...(name.startsWith('execve') ? [`syscall/sysno/${number}/exit`] : []),
    ]),
  ];
  return {
    trace_session: {
      name: 'Default',
      points: points.map((name) => ({ name, context_fields: context })),
      sinks: [{ name: 'remote', config: { endpoint, retries: 3 } }],
    },
  };
}

interface Entry {
  readonly watched: Watched;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * Starts a process of ours that receives gVisor's reports about the threads of all boxes of a sandbox.
 * @throws Error when it does not listen.
 */
export async function startTraceSink(host: {
  readonly python: string;
  readonly architecture: Architecture;
  readonly configFile: string;
}): Promise<ThreadWatch> {
  const { configFile } = host;
  const endpoint = `${configFile}.sock`;
  const numbers = syscallNumbers[host.architecture];
  const calls = Object.fromEntries(endingCalls.map((name) => [name, numbers.get(name) ?? 0]));
  await writeFile(configFile, JSON.stringify(traceSession(calls, endpoint)));
  const child: ChildProcess = spawn(host.python, ['-I', '-S', '-B', '-c', await readAsset('trace_sink.py')], {
    env: { PATH: '/usr/bin', LC_ALL: 'C.UTF-8' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const entries = new Map<string, Entry>();
  const listening = Promise.withResolvers<void>();
  const over = () => {
    listening.reject(new Error('The receiver of reports about threads ended'));
    for (const { watched, ended } of entries.values()) {
      watched.onGone();
      ended.resolve();
    }
    entries.clear();
  };
  child.on('exit', over);
  child.on('error', over);
  child.stdin?.on('error', () => {});
  /** Number of trial calls that were reported before their box was followed. */
  const early = new Map<string, number>();
  const take = (line: string) => {
    const { data } = message.safeParse(JSON.parse(line));
    if (data === undefined) return;
    if ('listening' in data) listening.resolve();
    else if ('threads' in data) entries.get(data.of)?.watched.onThreads(data.threads);
    else if ('forbidden' in data) {
      const entry = entries.get(data.forbidden);
      if (entry) entry.watched.onForbidden();
      else early.set(data.forbidden, (early.get(data.forbidden) ?? 0) + 1);
    } else {
      const entry = entries.get(data.gone);
      early.delete(data.gone);
      entries.delete(data.gone);
      if (data.lost > 0) entry?.watched.onGone();
      entry?.ended.resolve();
    }
  };
  if (child.stdout) createInterface({ input: child.stdout }).on('line', take);
  child.stdin?.write(`${JSON.stringify({ endpoint, calls, config: configFile })}\n`);
  await listening.promise;
  // It ends with us in any case.
  child.unref();
  for (const stream of [child.stdin, child.stdout] as (Writable & Readable & { unref?: () => void })[])
    stream?.unref?.();
  return {
    follow(container, watched) {
      const ended = Promise.withResolvers<void>();
      if (child.exitCode !== null || child.signalCode !== null) {
        watched.onGone();
        ended.resolve();
      }
      entries.set(container, { watched, ended });
      for (let count = early.get(container) ?? 0; count > 0; count -= 1) watched.onForbidden();
      early.delete(container);
      return ended.promise;
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) resolve();
        else child.once('exit', () => resolve());
      });
      child.ref();
      child.stdin?.end();
      await closed;
    },
  };
}

/** Returns the path of a sink's settings, which is part of the engine's options. Pure. */
export const sinkConfig = (folder: string, owner: number, token: string): string =>
  join(folder, `${sinkPrefix}${owner}-${token}`);
