import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { JudgeError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { type Line, textOf } from '../line.ts';
import type { Box, BoxReport } from '../sandbox.ts';
import { type Architecture, syscallNumbers } from '../seccomp/syscalls.ts';
import type { LimitKind, ProtectionLayer, Violation } from '../verdict.ts';
import { describeExit, type Enclosure, type Exit } from './enclosure.ts';
import { excerpt, readLines } from './lines.ts';
import { type Meter, type MeterSource, noUsage, type Usage } from './meter.ts';
import {
  containerName,
  fatalAttempts,
  insideFacts,
  kernelProcesses,
  lockedFolders,
  measureOwnKernel,
  type WatchedKernel,
} from './own-kernel.ts';
import { isOver } from './processes.ts';
import { isFull, measureProtection, missingProtection } from './protection.ts';
import { describeCall, type SupervisedCall, type Supervisor } from './supervisor.ts';

/** Longest start-up of a backend and the launcher, in ms, before the artifact is loaded. */
const startTimeoutMs = 60_000;
/** Longest wait in ms for a box to end after its input was closed. */
const endGraceMs = 1000;
/** Calls that are named; one is enough to end the box, the others were on their way. */
const maxCalls = 20;
/** 128 + SIGSYS: what seccomp's kill looks like from outside. */
const killedBySeccomp = 159;

/** A launcher's message after its calls are narrowed; the artifact has not run at that time. */
const narrowed = z.object({
  listener: z.int().nullable(),
  landlock: z.int(),
  inside: insideFacts.nullable(),
});

/** Waits without keeping the process alive for it. */
const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });

/** The parts of a running box. */
export interface RunningBoxOptions {
  readonly enclosure: Enclosure;
  readonly architecture: Architecture;
  readonly limits: Limits;
  readonly meters: MeterSource;
  /** The one of `meters` that is this box's. */
  readonly meter: Meter;
  readonly supervisor: Supervisor | null;
  /** The box's own kernel, whose walls are partly measured from inside; null where it is this machine's. */
  readonly ownKernel?: WatchedKernel | null;
  /** Names of the variables that the box is given; all others are refused where they are measured. */
  readonly environment?: readonly string[];
  /** True when the judge is root, which the box must not be. */
  readonly rootOutside: boolean;
  readonly signal: AbortSignal | undefined;
  /** Takes over what need not be waited for. */
  readonly later: (work: Promise<void>) => void;
}

/** A box from the first process to the report. */
export interface RunningBox {
  /**
   * Waits until the launcher has narrowed its system calls, and measures from outside that everything is as it
   * should be.
   * @param filter - The second filter, as base64.
   * @param becomes - Whether the launcher is to become another program then.
   */
  start(filter: string, becomes: boolean): Promise<Box>;
  /** As a box's own, and to be called when it could not be started. */
  close(): Promise<BoxReport>;
}

/** Everything between the first process and the report: limits, lines, the end. */
export function createRunningBox(options: RunningBoxOptions): RunningBox {
  const { enclosure, limits, meter, meters, supervisor, architecture, rootOutside, signal, later } = options;
  const { ownKernel = null, environment = [] } = options;
  const { exited, closed, requests } = enclosure;
  const calls: SupervisedCall[] = [];
  let judgeFailure: string | null = null;
  let unwatch = () => {};
  const exceeded = new Set<LimitKind>();
  let protocolError: string | null = null;
  let killed = false;
  let pid: number | null = null;
  /** The process whose root shows the box's files. */
  let files: number | null = null;
  let outputBytes = 0;
  let waiting: ((line: Line | null) => void) | null = null;
  let over = false;
  let loadedAt: number | null = null;
  let endedAt: number | null = null;
  let wallMs = 0;
  let usage: Usage = noUsage;
  let wallTimer: NodeJS.Timeout | undefined;
  let sampleTimer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> = Promise.resolve();

  let hasExited = false;
  let startError = '';
  /** Number of threads that the box's own kernel has killed for forbidden calls since the artifact was loaded. */
  let forbiddenThreads = 0;
  let triedThreads = 0;
  let onTried = () => {};
  let reports: Promise<void> = Promise.resolve();

  const settle = (line: Line | null) => {
    const resolve = waiting;
    waiting = null;
    resolve?.(line);
  };
  const kill = () => {
    if (killed || hasExited) return;
    killed = true;
    enclosure.kill(pid);
    void meter.kill().catch(() => {});
  };
  const exceed = (kind: LimitKind) => {
    exceeded.add(kind);
    kill();
  };
  const breakProtocol = (problem: string) => {
    protocolError ??= problem;
    kill();
  };
  const onCall = (call: SupervisedCall) => {
    if (calls.length < maxCalls) calls.push(call);
    kill();
  };
  const onGone = () => {
    judgeFailure ??= 'the supervisor of system calls ended';
    kill();
  };
  const onForbidden = () => {
    if (loadedAt !== null) {
      forbiddenThreads += 1;
      return kill();
    }
    triedThreads += 1;
    onTried();
  };
  const onThreads = (count: number) => {
    if (count > limits.pids) exceed('pids');
  };
  const onAbort = () => kill();
  signal?.addEventListener('abort', onAbort, { once: true });
  // It may have been aborted while the box was being prepared.
  if (signal?.aborted) kill();

  void exited.then(({ problem }) => {
    startError = problem;
    hasExited = true;
    over = true;
    endedAt ??= performance.now();
    if (loadedAt !== null) wallMs = endedAt - loadedAt;
    // What was written before the end may still be on its way; `close` comes after it.
    setTimeout(() => settle(null), 500).unref();
  });
  void closed.then(() => settle(null));

  const onBytes = (count: number) => {
    outputBytes += count;
    if (outputBytes > limits.outputBytes) exceed('output');
  };
  const readStdout = excerpt(enclosure.stdout, onBytes);
  const readStderr = excerpt(enclosure.stderr, onBytes);

  readLines(enclosure.answers, limits.answerBytes, (line, problem) => {
    if (problem !== null) breakProtocol(problem);
    if (line === null) {
      over = true;
      endedAt ??= performance.now();
      // A program that closes its output but keeps running would be waited for until the time limit.
      setTimeout(() => {
        // Who made the box may not have told yet how it ended.
        if (pid !== null && isOver(pid)) return;
        if (!hasExited && waiting) breakProtocol('an end of the answers before the end of the program');
        settle(null);
      }, 250).unref();
      return false;
    }
    if (waiting) {
      settle(line);
      return true;
    }
    breakProtocol('an unexpected line');
    return false;
  });

  // The channel would carry bytes in both directions; only ours has any business there.
  requests.on('data', () => breakProtocol('something sent where questions come from'));
  const request = (line: Line): Promise<Line | null> => {
    if (over || killed) return Promise.resolve(null);
    if (waiting) throw new Error('One request at a time');
    return new Promise((resolve) => {
      waiting = resolve;
      if (typeof line === 'string') requests.write(`${line}\n`);
      else {
        for (const piece of line) requests.write(piece);
        requests.write('\n');
      }
    });
  };
  /** Exchanges short lines with the launcher, which is trusted until the artifact is loaded. */
  const exchange = async (line: string): Promise<string | null> => {
    const answer = await request(line);
    return answer === null ? null : textOf(answer);
  };

  const sample = async () => {
    if (pid === null) return;
    usage = await meter.sample();
    if (usage.oomKills > 0) exceed('oom');
    if (usage.pidsRefused > 0) exceed('pids');
    if (usage.cpuUserMs + usage.cpuSystemMs > limits.cpuHardMs) exceed('cpu');
    const full = await Promise.all(
      files === null ? [] : ['/box', '/dev/shm'].map((path) => isFull(files as number, path)),
    );
    if (!hasExited && full.includes(true)) exceed('disk');
  };
  const keepSampling = () => {
    sampleTimer = setTimeout(() => {
      sampling = sample()
        .catch(() => {})
        .finally(() => {
          if (!hasExited) keepSampling();
        });
    }, meters.intervalMs);
    sampleTimer.unref();
  };

  const failure = async (what: string): Promise<JudgeError> => {
    await Promise.race([closed, pause(200)]);
    const said = startError || readStderr().trim().split('\n').slice(-3).join(' | ');
    return new JudgeError('INFRA', `The box could not be made: ${what}${said === '' ? '' : `: ${said}`}`);
  };

  let closing: Promise<BoxReport> | undefined;
  const close = (): Promise<BoxReport> => {
    closing ??= finish();
    return closing;
  };

  /** The processes of this machine that the box consists of. */
  const processesOf = async (first: number): Promise<readonly number[]> =>
    ownKernel ? kernelProcesses(first, ownKernel) : [first];
  const enter = async (first: number) => {
    for (const each of await processesOf(first))
      await meter.enter(each).catch((error) => {
        // A kernel ends processes that it no longer needs.
        if (each === first || !isOver(each)) throw error;
      });
  };
  const serverOfFiles = async (first: number): Promise<number | null> => {
    for (const each of await processesOf(first)) if ((await isFull(each, '/box')) !== null) return each;
    return null;
  };

  async function start(filter: string, becomes: boolean): Promise<Box> {
    const timeout = AbortSignal.timeout(startTimeoutMs);
    timeout.addEventListener('abort', kill, { once: true });
    try {
      const childPid = await enclosure.firstProcess();
      if (childPid === null) throw await failure(`${enclosure.maker} refused`);
      pid = childPid;
      if (ownKernel)
        reports = ownKernel.threads.follow(await containerName(childPid), {
          onForbidden,
          onThreads,
          onGone,
        });
      await enter(childPid).catch(async (error) => {
        // Mostly because it is gone, and then its maker says why.
        throw await failure(`it could not be put under limits (${String(error)})`);
      });
      enclosure.release();
      const seccomp = syscallNumbers[architecture].get('seccomp');
      const notify = supervisor ? seccomp : null;
      const look = ownKernel ? { forbidden: seccomp, folders: lockedFolders } : null;
      const ready = await exchange(JSON.stringify({ narrow: filter, notify, look }));
      if (ready === null || !ready.includes('"narrowed"')) throw await failure('the launcher did not start');
      const { listener, landlock, inside } = narrowed.parse(JSON.parse(ready));
      if (ownKernel) {
        // It may have started more processes for the launcher, which now does nothing but wait.
        await enter(childPid);
        const expected = Math.max(1, inside ? fatalAttempts(inside) : 0);
        const reported = new Promise<true>((resolve) => {
          onTried = () => {
            if (triedThreads >= expected) resolve(true);
          };
          onTried();
        });
        if (!(await Promise.race([reported, closed, pause(startTimeoutMs)])))
          throw await failure('its kernel did not report a forbidden call that was tried');
      }
      if (supervisor && listener !== null) {
        unwatch = await supervisor.watch(childPid, listener, onCall, onGone);
        const watched = await exchange('{}');
        if (watched === null || !watched.includes('"watched"'))
          throw await failure('the launcher did not continue');
      }
      files = await serverOfFiles(childPid);
      const common = { meters, watchesDisk: files !== null, rootOutside, landlock };
      const protection =
        ownKernel && inside
          ? await measureOwnKernel(childPid, { ...common, kernel: ownKernel, inside, environment })
          : await measureProtection(childPid, {
              ...common,
              supervised: supervisor !== null && listener !== null,
            });
      const missing = missingProtection(protection);
      if (missing.length > 0) throw await failure(`protection is missing (${missing.join('; ')})`);
      if (becomes) {
        const started = await exchange('{}');
        if (started === null || !started.includes('"started"'))
          throw await failure('the program did not start');
      }
      loadedAt = performance.now();
      wallTimer = setTimeout(() => exceed('timeout'), limits.wallMs);
      keepSampling();
      return { protection: protection satisfies readonly ProtectionLayer[], request, close };
    } finally {
      timeout.removeEventListener('abort', kill);
    }
  }

  async function finish(): Promise<BoxReport> {
    // A disk that was filled since the last look, while it can still be seen.
    if (!hasExited && !killed && loadedAt !== null) await sample().catch(() => {});
    clearTimeout(wallTimer);
    requests.end();
    await Promise.race([exited, pause(loadedAt === null ? 0 : endGraceMs)]);
    // What has ended must not look as if we had ended it, however long it takes to be told how.
    if (pid !== null && isOver(pid)) await Promise.race([exited, pause(startTimeoutMs)]);
    kill();
    const exit = await exited;
    unwatch();
    enclosure.abandon();
    clearTimeout(sampleTimer);
    signal?.removeEventListener('abort', onAbort);
    await sampling.catch(() => {});
    if (loadedAt !== null) {
      const all = reports.then(() => true);
      // Of a box whose end was not reported, nothing is known.
      if (!(await Promise.race([all, pause(startTimeoutMs)]))) onGone();
    }
    await meter.kill().catch(() => {});
    await Promise.race([closed, pause(2000)]);
    if (pid !== null) {
      usage = await meter.sample();
      if (usage.oomKills > 0) exceeded.add('oom');
      if (usage.pidsRefused > 0) exceeded.add('pids');
    }
    await enclosure.dispose();
    // A dying process may hold its group for a while; the verdict does not wait for that.
    later(meter.remove());
    return report(exit);
  }

  function report(exit: Exit): BoxReport {
    const violations: Violation[] = calls.map((call) => ({
      kind: call.path === null ? 'syscall' : 'path',
      evidence: describeCall(call, architecture),
    }));
    const bySignal = !ownKernel && !killed && exit.code === killedBySeccomp;
    if (bySignal || forbiddenThreads > 0) {
      violations.push({
        kind: 'syscall',
        evidence: 'The kernel ended the program with SIGSYS: it made a system call that its profile forbids.',
      });
    }
    const cpuMs = usage.cpuUserMs + usage.cpuSystemMs;
    const measured = pid !== null;
    return {
      violations,
      exceeded: [...exceeded],
      protocolError,
      judgeFailure,
      ending: killed ? null : describeExit(exit),
      metrics: {
        wallMs,
        cpuMs: measured ? cpuMs : null,
        cpuUserMs: measured ? usage.cpuUserMs : null,
        cpuSystemMs: measured ? usage.cpuSystemMs : null,
        memoryPeakBytes: usage.memoryPeakBytes,
        outputBytes,
        softLimits: {
          cpu: cpuMs > limits.cpuSoftMs,
          memory: (usage.memoryPeakBytes ?? 0) > limits.memorySoftBytes,
        },
        approximate: meters.kind === 'none',
      },
      stdout: readStdout(),
      stderr: readStderr(),
    };
  }

  return { start, close };
}
