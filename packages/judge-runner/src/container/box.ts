import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { JudgeError } from '../errors.ts';
import { give, take } from '../isolation/descriptors.ts';
import { type Enclosure, type Exit, endOf } from '../isolation/enclosure.ts';
import type { PythonHost } from '../isolation/machine.ts';
import type { MeterSource } from '../isolation/meter.ts';
import type { WatchedKernel } from '../isolation/own-kernel.ts';
import { ownTurn } from '../isolation/own-turn.ts';
import { planBox } from '../isolation/plan.ts';
import { createRunningBox } from '../isolation/running-box.ts';
import type { Supervisor } from '../isolation/supervisor.ts';
import { type BoxFile, judgeFiles, type Runtime } from '../languages/python.ts';
import type { Limits } from '../limits.ts';
import type { Box, BoxSpec } from '../sandbox.ts';
import { assembleFilter } from '../seccomp/assemble.ts';
import { ociProfile } from '../seccomp/oci.ts';
import { policies } from '../seccomp/policy.ts';
import type { Architecture } from '../seccomp/syscalls.ts';
import { watchedCalls } from '../seccomp/watched.ts';
import { containerArguments, runs, usesStandardStreams } from './command.ts';
import { type DiskTools, mountDisks, removeBoxFolder } from './disks.ts';
import type { Engine } from './engine.ts';
import { type Keeper, removeCommand } from './keeper.ts';

/** The parts of this machine that a container is built from. */
export interface ContainerHost {
  readonly architecture: Architecture;
  readonly engine: Engine;
  /** The OCI runtime, for engines that take it per container; else null. */
  readonly runtime: string | null;
  /** The kernel of a runtime that brings one; null where boxes have this machine's. */
  readonly ownKernel: WatchedKernel | null;
  /** For the disks of boxes with their own kernel; null where they cannot be mounted. */
  readonly diskTools: DiskTools | null;
  /** Ours alone: images, the engine's state, and the files of boxes. */
  readonly folder: string;
  readonly image: string;
  /** True when the image was made of this machine's files, so that this machine's programs run in it. */
  readonly ofThisMachine: boolean;
  /** As it is in the image. */
  readonly python: PythonHost;
  readonly meters: MeterSource;
  /** The user outside that a box's user 0 is, or null where the engine decides it. */
  readonly firstUser: number | null;
  /** The cgroup below which the engine puts containers; null where that is the engine's business. */
  readonly parentGroup: string | null;
  readonly supervisor: Supervisor | null;
  readonly keeper: Keeper;
}

/** Folder for the files of boxes, below the sandbox's folder. */
export const boxesFolder = 'boxes';
/** Longest wait in ms for a container to be removed before it is removed by force. */
const goneMs = 5000;
/** Memory that a kernel needs for itself, beside that of the programs that it runs. */
const kernelBytes = 32 * 1024 * 1024;
/** Threads of this machine that it may have for itself. It counts those of programs; this is only a backstop. */
const kernelTasks = 64 + 4 * availableParallelism();

/** Returns the limits of a box together with its kernel. Pure. */
const withKernel = (limits: Limits): Limits => ({
  ...limits,
  memoryHardBytes: limits.memoryHardBytes + kernelBytes,
  pids: 2 * limits.pids + kernelTasks,
});

/** Waits without keeping the process alive for it: something else does. */
const atMost = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });

const numberIn = (path: string): number | null => {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10) || null;
  } catch {
    return null;
  }
};

/**
 * Writes a box's files, readable by the box's user and inaccessible to other users.
 * @returns What is to be mounted where.
 */
async function writeFiles(folder: string, files: readonly BoxFile[]): Promise<Record<string, string>> {
  const folders = new Set<string>();
  for (const file of files)
    for (let path = dirname(file.path); path !== '/'; path = dirname(path)) folders.add(path);
  for (const path of [...folders].sort()) {
    await mkdir(join(folder, path));
    // The umask of the caller must not apply.
    await chmod(join(folder, path), 0o755);
  }
  await Promise.all(
    files.map(async ({ path, content }) => {
      await writeFile(join(folder, path), content);
      await chmod(join(folder, path), 0o644);
    }),
  );
  const tops = [...folders].filter((path) => dirname(path) === '/');
  return Object.fromEntries(tops.map((path) => [join(folder, path), path]));
}

/** Finds a container's first process as it is seen from outside. */
async function firstProcess(engine: Engine, pidFile: string, over: () => boolean): Promise<number | null> {
  for (let waitMs = 4; !over(); waitMs = Math.min(waitMs + 2, 20)) {
    if (engine.name === 'podman') {
      const pid = numberIn(pidFile);
      if (pid !== null) return pid;
    } else if (existsSync(pidFile)) {
      const id = readFileSync(pidFile, 'utf8').trim();
      const said = id && (await engine.run(['inspect', '--format', '{{.State.Pid}}', id]).catch(() => ''));
      if (Number(said) > 0) return Number(said);
    }
    await sleep(waitMs);
  }
  return null;
}

const exists = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Waits until a process that this process did not start has ended. */
async function untilGone(pid: number): Promise<void> {
  const deadline = performance.now() + goneMs;
  while (exists(pid) && performance.now() < deadline) await sleep(10);
}

const streamsOf = ({ engine, ownKernel }: ContainerHost) => ({
  engine: engine.name,
  ownKernel: ownKernel !== null,
});

/** Puts a container around a program: started, not yet looked at. */
function enclose(
  host: ContainerHost,
  child: ChildProcess,
  files: {
    readonly name: string;
    readonly folder: string;
    readonly pidFile: string;
    readonly conmonFile: string;
  },
  later: (work: Promise<void>) => void,
): Enclosure {
  const { engine, keeper, diskTools } = host;
  const ended = endOf(child);
  const standard = usesStandardStreams(streamsOf(host));
  let hasEnded = false;
  let found: number | null = null;
  let killed = false;
  const aborted = Promise.withResolvers<Exit>();
  void ended.exited.then(() => {
    hasEnded = true;
  });

  const strike = (pid: number) => {
    try {
      // The first process of a pid namespace takes all others along.
      process.kill(pid, 'SIGKILL');
    } catch {
      // Dead already.
    }
  };
  const started = firstProcess(engine, files.pidFile, () => hasEnded).then((pid) => {
    found = pid;
    if (pid !== null && killed) strike(pid);
    return pid;
  });

  /** Waits for the engine's own clean-up, then removes what it left. */
  const tidy = async () => {
    await Promise.race([ended.exited, atMost(2 * goneMs)]);
    const { code } = await Promise.race([ended.exited, { code: null }]);
    // The engine's keeper of one container takes the container's traces away, and then goes.
    const pid = numberIn(files.conmonFile);
    if (pid !== null) await untilGone(pid);
    // 125 and more than 255: it was the engine that failed, and it may have stopped halfway.
    const finished = code !== null && code !== 125 && found !== null && (pid === null || !exists(pid));
    if (!finished) await engine.run([...removeCommand(engine), files.name]).catch(() => {});
    if (code === null) child.kill('SIGKILL');
    await removeBoxFolder(files.folder, diskTools);
    keeper.closed(files.name);
  };

  return {
    maker: engine.name,
    requests: give(child, standard ? 0 : 3),
    answers: take(child, standard ? 1 : 4),
    stdout: standard ? Readable.from([]) : take(child, 1),
    stderr: take(child, 2),
    // Who is aborted while the engine is at work need not wait for it: nothing that is judged has begun.
    exited: Promise.race([ended.exited, aborted.promise]),
    closed: ended.closed,
    firstProcess: () => Promise.race([started, aborted.promise.then(() => null)]),
    // The launcher waits for its first line.
    release() {},
    kill(pid) {
      killed = true;
      const target = pid ?? found;
      const giveUp = () => aborted.resolve({ code: null, signal: 'SIGKILL', problem: '' });
      // An engine that is struck down leaves half a container behind: it is let finish, and that then dies.
      if (target === null) return giveUp();
      strike(target);
      // An engine that never reports the result is not waited for either.
      setTimeout(giveUp, 2 * goneMs).unref();
    },
    abandon() {
      for (const [descriptor, stream] of child.stdio.entries())
        if (descriptor !== (standard ? 1 : 4) && (descriptor > 2 || descriptor === 0)) stream?.destroy();
    },
    async dispose() {
      for (const stream of child.stdio) stream?.destroy();
      later(tidy());
    },
  };
}

/** Programs of this machine that a box is shown. An image of the user's own has its own toolchains. Host path → path in the box. */
function shownPrograms(
  { programs = {}, optional = {} }: Runtime,
  ofThisMachine: boolean,
): Record<string, string> {
  const own = Object.entries(programs);
  return Object.fromEntries(
    ofThisMachine
      ? [...own, ...Object.entries(optional).filter(([from]) => existsSync(from))]
      : own.filter(([, to]) => to !== '/usr'),
  );
}

/** As bubblewrap's: makes a box, waits for its launcher, measures it from outside, leaves nothing behind on failure. */
export async function openContainerBox(
  host: ContainerHost,
  spec: BoxSpec,
  later: (work: Promise<void>) => void,
): Promise<Box> {
  const { limits, signal } = spec;
  const { engine } = host;
  signal?.throwIfAborted();
  const { runtime, trusted, user, launch, profile } = await planBox(
    host.python,
    spec,
    host.supervisor !== null || host.ownKernel !== null,
  );
  const supervisor = trusted ? null : host.supervisor;
  const forbidden = supervisor ? 'notify' : 'kill';
  const own = `${process.pid}-${randomBytes(6).toString('hex')}`;
  const name = `bonafide-judge-${own}`;
  const folder = join(host.folder, boxesFolder, own);
  const kept = { name, folder, pidFile: join(folder, 'pid'), conmonFile: join(folder, 'conmon') };
  const discard = async () => {
    await removeBoxFolder(folder, host.diskTools);
    host.keeper.closed(name);
  };
  const standard = usesStandardStreams(streamsOf(host));
  const { ownKernel, diskTools } = host;
  const added = await judgeFiles([...(standard ? ['enter.py'] : []), ...(ownKernel ? ['inside.py'] : [])]);
  const seccomp = join(folder, 'seccomp.json');
  const outer = ociProfile(policies[launch], host.architecture, {
    // A runtime with its own kernel leaves out what it has no name for, and that must not be fatal to the launcher.
    forbidden: ownKernel ? 'notify' : forbidden,
  });
  // Said before there is anything, so that nothing is forgotten.
  host.keeper.opened(kept);
  const made = await Promise.all([
    host.meters.create(ownKernel ? withKernel(limits) : limits),
    mkdir(folder, { mode: 0o700 }).then(async () => {
      // Files are served by a process of the box's user 0, which must get at them.
      if (ownKernel && host.firstUser !== null) await chown(folder, host.firstUser, host.firstUser);
      await writeFile(seccomp, JSON.stringify(outer));
      const owner = (host.firstUser ?? 0) + user;
      const disks =
        ownKernel && diskTools
          ? await mountDisks(diskTools, folder, { limits, owner, execution: runs(runtime) })
          : undefined;
      return { shown: await writeFiles(folder, [...runtime.files, ...added]), disks };
    }),
  ]).catch(async (error) => {
    await discard();
    throw new JudgeError('INFRA', `A box could not be prepared: ${String(error)}`, { cause: error });
  });
  const [meter, { shown, disks }] = made;
  await ownTurn();
  if (signal?.aborted) {
    later(meter.remove());
    later(discard());
    throw signal.reason;
  }
  const args = containerArguments({
    engine: engine.name,
    runtime: host.runtime,
    name,
    owner: process.pid,
    image: host.image,
    interpreter: host.python.path,
    program: runtime,
    limits,
    user,
    firstUser: host.firstUser,
    parentGroup: host.parentGroup,
    // Its kernel is not put into the engine's cgroups.
    limited: process.getuid?.() === 0 && host.meters.kind !== 'none' && ownKernel === null,
    withDataLimit: host.meters.kind === 'none',
    seccomp,
    pidFile: kept.pidFile,
    conmonFile: kept.conmonFile,
    mounts: { ...shown, ...shownPrograms(runtime, host.ofThisMachine) },
    ownKernel: ownKernel !== null,
    ...(disks === undefined ? {} : { disks }),
  });
  const child = engine.spawn(
    args,
    standard ? ['pipe', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  );
  const enclosure = enclose(host, child, kept, later);
  const box = createRunningBox({
    enclosure,
    architecture: host.architecture,
    limits,
    meters: host.meters,
    meter,
    supervisor,
    ownKernel,
    environment: Object.keys(runtime.environment),
    rootOutside: process.getuid?.() === 0,
    signal,
    later,
  });
  try {
    const filter = assembleFilter(policies[profile], host.architecture, {
      forbidden,
      watched: supervisor ? watchedCalls.map((call) => call.name) : [],
    });
    return await box.start(Buffer.from(filter).toString('base64'), runtime.becomes === true);
  } catch (error) {
    await box.close();
    signal?.throwIfAborted();
    if (error instanceof JudgeError) throw error;
    throw new JudgeError('INFRA', `The box could not be made: ${String(error)}`, { cause: error });
  }
}
