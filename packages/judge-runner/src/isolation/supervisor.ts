import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { readAsset } from '../assets.ts';
import { type Architecture, syscallNumbers } from '../seccomp/syscalls.ts';
import { forbiddenWrites, secretPaths, watchedCalls } from '../seccomp/watched.ts';
import type { PythonHost } from './machine.ts';

const auditTokens: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const X32_BIT = 0x4000_0000;

/** A system call that the supervisor did not let pass, as the kernel told it. */
export interface SupervisedCall {
  readonly number: number;
  /** AUDIT_ARCH_… of the entry that was used. */
  readonly architecture: number;
  /** The six arguments, hexadecimal. */
  readonly args: readonly string[];
  /** The path that made it suspicious, where the call itself is an allowed one. */
  readonly path: string | null;
}

const message = z.union([
  z.object({ watching: z.number() }),
  z.object({ refused: z.number(), reason: z.string() }),
  z.object({
    call: z.number(),
    number: z.number(),
    architecture: z.number(),
    args: z.array(z.string()),
    path: z.string().nullable(),
  }),
]);

const argumentCounts: Readonly<Record<string, number>> = {
  socket: 3,
  connect: 3,
  ptrace: 4,
  clone: 5,
  fork: 0,
  vfork: 0,
  execve: 3,
  mount: 5,
  unshare: 1,
  setns: 2,
};

/** A supervised call in one sentence, its numbers as the kernel has them. Pure. */
export function describeCall(call: SupervisedCall, architecture: Architecture): string {
  if (call.architecture !== auditTokens[architecture])
    return `It made system call ${call.number} through the entry of another architecture (0x${call.architecture.toString(16)}).`;
  const names = [...syscallNumbers[architecture]];
  const name = names.find(([, number]) => number === call.number)?.[0];
  if (call.path !== null)
    return `It tried to open ${JSON.stringify(call.path.slice(0, 300))} (${name ?? call.number}).`;
  if (name === undefined) {
    const x32 = architecture === 'x64' && call.number >= X32_BIT ? ' through the x32 entry' : '';
    return `It made system call ${call.number}${x32}, which its profile forbids.`;
  }
  const args = call.args.slice(0, argumentCounts[name] ?? 6).join(', ');
  return `It called ${name}(${args}), which its profile forbids.`;
}

/** Watches boxes from outside and names the calls that their filters do not let pass. */
export interface Supervisor {
  /**
   * Takes over the listener of a box's filter.
   * @param onCall - Called for each forbidden call; its caller waits in the kernel until the box is killed.
   * @param onGone - Called when the supervisor died, after which nothing about the box can be relied on.
   * @returns A function that ends the watch.
   */
  watch(
    pid: number,
    listener: number,
    onCall: (call: SupervisedCall) => void,
    onGone: () => void,
  ): Promise<() => void>;
  /** Ends the supervisor. The next watch starts a new one. */
  close(): Promise<void>;
}

interface Watcher {
  readonly onReply: (problem: string | null) => void;
  readonly onCall: (call: SupervisedCall) => void;
  readonly onGone: () => void;
}

/** setpriv's options for a user whose only right is to look into other processes. Pure. */
const ptraceOnly = (uid: number): string[] => [
  ...[`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs'],
  ...['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all,+sys_ptrace`),
];

/** A process of ours, made when it is first needed, that serves all boxes of a sandbox. */
export function createSupervisor(host: {
  readonly architecture: Architecture;
  readonly python: Pick<PythonHost, 'path'>;
  /** The user that it runs as, which must be the boxes' own; null for the judge's. */
  readonly uid: number | null;
  /**
   * Path of setpriv, for boxes whose users have no account outside: the supervisor then runs as `uid` with
   * the single right to inspect other processes.
   */
  readonly setpriv?: string;
}): Supervisor {
  const watchers = new Map<number, Watcher>();
  let running: Promise<ChildProcess> | null = null;
  let count = 0;

  const forgetAll = () => {
    const left = [...watchers.values()];
    watchers.clear();
    for (const watcher of left) {
      watcher.onReply('the supervisor ended');
      watcher.onGone();
    }
  };

  async function start(): Promise<ChildProcess> {
    const program = await readAsset('supervisor.py');
    const command = [host.python.path, '-I', '-S', '-B', '-c', program];
    const drops = host.setpriv === undefined && host.uid !== null;
    const [path = '', ...args] =
      host.setpriv === undefined
        ? command
        : [host.setpriv, ...(host.uid === null ? [] : ptraceOnly(host.uid)), '--', ...command];
    const child = spawn(path, args, {
      env: { PATH: '/usr/bin', LC_ALL: 'C.UTF-8' },
      cwd: '/',
      ...(drops ? { uid: host.uid, gid: host.uid } : {}),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const gone = () => {
      if (running === started) running = null;
      forgetAll();
    };
    child.on('exit', gone);
    child.on('error', gone);
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => {
      const parsed = message.safeParse(JSON.parse(line));
      if (!parsed.success) return;
      const { data } = parsed;
      if ('watching' in data) watchers.get(data.watching)?.onReply(null);
      else if ('refused' in data) watchers.get(data.refused)?.onReply(data.reason);
      else watchers.get(data.call)?.onCall(data);
    });
    // It must not keep a program alive that forgot to close its sandbox; it ends with us in any case.
    child.unref();
    for (const stream of [child.stdin, child.stdout] as (Writable & Readable & { unref?: () => void })[])
      stream.unref?.();
    const numbers = syscallNumbers[host.architecture];
    const rules = {
      architecture: auditTokens[host.architecture],
      calls: watchedCalls.map(({ name, ...rest }) => ({ number: numbers.get(name), ...rest })),
      secret: secretPaths,
      writes: forbiddenWrites,
    };
    child.stdin.write(`${JSON.stringify({ rules })}\n`);
    return child;
  }
  let started: Promise<ChildProcess> | null = null;
  const process = (): Promise<ChildProcess> => {
    running ??= started = start();
    return running;
  };

  return {
    async watch(pid, listener, onCall, onGone) {
      const child = await process();
      count += 1;
      const key = count;
      const send = (command: object) => child.stdin?.write(`${JSON.stringify(command)}\n`);
      const problem = await new Promise<string | null>((onReply) => {
        watchers.set(key, { onReply, onCall, onGone });
        send({ watch: key, pid, listener });
      });
      if (problem !== null) {
        watchers.delete(key);
        throw new Error(`The supervisor could not watch a box: ${problem}`);
      }
      return () => {
        if (watchers.delete(key)) send({ forget: key });
      };
    },
    async close() {
      const child = await running;
      if (!child) return;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.ref();
      child.stdin?.end();
      await closed;
    },
  };
}
