import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { JudgeError } from '../errors.ts';
import { give, take } from '../isolation/descriptors.ts';
import { type Enclosure, endOf } from '../isolation/enclosure.ts';
import { topLinks } from '../isolation/machine.ts';
import { ownTurn } from '../isolation/own-turn.ts';
import { planBox, tester } from '../isolation/plan.ts';
import { createRunningBox } from '../isolation/running-box.ts';
import type { Box, BoxSpec } from '../sandbox.ts';
import { assembleFilter } from '../seccomp/assemble.ts';
import { policies } from '../seccomp/policy.ts';
import { watchedCalls } from '../seccomp/watched.ts';
import { boxCommand, bubblewrapOptions, descriptors } from './command.ts';
import { withCompiledFiles } from './compiled-files.ts';
import { showFiles } from './file-tree.ts';
import type { Host } from './host.ts';

/**
 * Returns the host for a tester's box: a separate user id and no supervisor, since nothing in it is judged.
 */
function testerHost(host: Host): Host {
  return { ...host, uid: host.uid === null ? null : tester, supervisor: null };
}

/**
 * Makes a box, waits until its launcher has narrowed its system calls, and measures from outside that everything is
 * as it should be. Leaves nothing behind when it fails.
 */
export async function openBox(
  given: Host,
  spec: BoxSpec,
  later: (work: Promise<void>) => void,
): Promise<Box> {
  const { limits, signal } = spec;
  signal?.throwIfAborted();
  const [{ runtime: planned, trusted, user, launch, profile }, links] = await Promise.all([
    planBox(given.python, spec, given.supervisor !== null),
    topLinks(),
  ]);
  const { runtime, folders } = await given.own.apart(withCompiledFiles(planned, given.python.path));
  const host = trusted ? testerHost(given) : given;
  // Killing would outrank notifying, so both filters of a box must do the same.
  const forbidden = host.supervisor ? 'notify' : 'kill';
  const [command, args] = boxCommand(host, limits, runtime);
  const shown = await showFiles(runtime.files).catch((error) => {
    throw new JudgeError('INFRA', `The files of a box could not be written: ${String(error)}`, {
      cause: error,
    });
  });
  const files = shown.single;
  const meter = await host.meters.create(limits).catch(async (error) => {
    await shown.remove();
    throw new JudgeError('INFRA', `No cgroup could be made for a box: ${String(error)}`, { cause: error });
  });
  await ownTurn();
  if (signal?.aborted) {
    later(meter.remove());
    later(shown.remove());
    throw signal.reason;
  }
  const child = spawn(command, args, {
    // bubblewrap's own process is visible from inside until the program replaces it: it must hold no secret.
    env: {},
    cwd: '/',
    // A group of its own, so that one signal reaches bubblewrap and what it starts, however young.
    detached: true,
    ...(host.uid === null ? {} : { uid: host.uid, gid: host.uid }),
    stdio: ['ignore', ...Array.from({ length: descriptors.files - 1 + files.length }, () => 'pipe' as const)],
  });
  const end = endOf(child);
  const enclosure: Enclosure = {
    maker: 'bubblewrap',
    requests: give(child, descriptors.requests),
    answers: take(child, descriptors.answers),
    stdout: take(child, 1),
    stderr: take(child, 2),
    ...end,
    firstProcess: () => firstPid(take(child, descriptors.status), end.exited),
    release: () => give(child, descriptors.gate).end('go'),
    kill(pid) {
      // The box's first process takes everything in it along. It leaves bubblewrap's group behind the gate, when its
      // number is known; before, it may wait for its parent without knowing yet that it is to die with it.
      for (const target of [child.pid && -child.pid, pid]) {
        try {
          if (target) process.kill(target, 'SIGKILL');
        } catch {
          // Dead already.
        }
      }
    },
    abandon() {
      for (const [descriptor, stream] of child.stdio.entries())
        if (descriptor !== descriptors.answers && descriptor > 2) stream?.destroy();
    },
    async dispose() {
      for (const stream of child.stdio) stream?.destroy();
      later(shown.remove());
    },
  };
  const box = createRunningBox({
    enclosure,
    architecture: host.architecture,
    limits,
    meters: host.meters,
    meter,
    supervisor: host.supervisor,
    rootOutside: host.uid !== null,
    signal,
    later,
  });
  try {
    const options = bubblewrapOptions({
      host,
      links,
      runtime,
      limits,
      user,
      files,
      folders: { ...folders, ...shown.folders },
    });
    give(child, descriptors.arguments).end(options.map((option) => `${option}\0`).join(''));
    give(child, descriptors.seccomp).end(assembleFilter(policies[launch], host.architecture, { forbidden }));
    for (const [index, file] of files.entries()) give(child, descriptors.files + index).end(file.content);
    const filter = assembleFilter(policies[profile], host.architecture, {
      forbidden,
      watched: host.supervisor ? watchedCalls.map((call) => call.name) : [],
    });
    return await box.start(Buffer.from(filter).toString('base64'), runtime.becomes === true);
  } catch (error) {
    await box.close();
    signal?.throwIfAborted();
    if (error instanceof JudgeError) throw error;
    throw new JudgeError('INFRA', `The box could not be made: ${String(error)}`, { cause: error });
  }
}

/** The box's first process, from bubblewrap's status, or null when bubblewrap ended before it told. */
function firstPid(status: Readable, exited: Promise<unknown>): Promise<number | null> {
  return new Promise((resolve) => {
    let text = '';
    status.on('data', (data: Buffer) => {
      text += data.toString('utf8');
      const match = /"child-pid":\s*(\d+)/.exec(text);
      if (match) resolve(Number(match[1]));
    });
    void exited.then(() => resolve(null));
  });
}
