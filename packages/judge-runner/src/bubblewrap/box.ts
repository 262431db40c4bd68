import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { JudgeError } from '../errors.ts';
import { javascriptRuntime } from '../languages/javascript.ts';
import { pytestRuntime, pythonRuntime, qualityRuntime, type Runtime } from '../languages/python.ts';
import type { Limits } from '../limits.ts';
import type { Box, BoxReport, BoxSpec } from '../sandbox.ts';
import { assembleFilter } from '../seccomp/assemble.ts';
import { policies } from '../seccomp/policy.ts';
import { syscallNumbers } from '../seccomp/syscalls.ts';
import { watchedCalls } from '../seccomp/watched.ts';
import type { LimitKind, ProtectionLayer, Violation } from '../verdict.ts';
import { boxCommand, bubblewrapOptions, descriptors, nobody, tester } from './command.ts';
import { installCommand } from './diagnose.ts';
import { type Host, readText, topLinks } from './host.ts';
import { type Meter, noUsage, type Usage } from './meter.ts';
import { isFull, measureProtection, missingProtection } from './protection.ts';
import { describeCall, type SupervisedCall } from './supervisor.ts';

/** How long bubblewrap and the launcher may take before the artifact is loaded. */
const startTimeoutMs = 15_000;
/** How long a box that was told to end may take. */
const endGraceMs = 1000;
const excerptBytes = 4096;
/** Calls that are named; one is enough to end the box, the others were on their way. */
const maxCalls = 20;
/** 128 + SIGSYS: what seccomp's kill looks like from outside. */
const killedBySeccomp = 159;

/** What a launcher says when its calls are narrowed; nothing of the artifact has run then. */
const narrowed = z.object({ listener: z.int().nullable(), landlock: z.int() });

/** Waits without keeping the process alive for it. */
const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });

/** Reads lines of at most `maxBytes`; calls back with each, and once with null at the end or a line too long. */
function readLines(
  stream: Readable,
  maxBytes: number,
  onLine: (line: string | null, problem: string | null) => void,
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let ended = false;
  const end = (problem: string | null) => {
    if (ended) return;
    ended = true;
    chunks = [];
    onLine(null, problem);
  };
  stream.on('data', (data: Buffer) => {
    let rest = data;
    while (!ended && rest.length > 0) {
      const newline = rest.indexOf(10);
      const part = newline < 0 ? rest : rest.subarray(0, newline);
      chunks.push(part);
      size += part.length;
      if (size > maxBytes) return end(`an answer of more than ${maxBytes} bytes`);
      if (newline < 0) return;
      const line = Buffer.concat(chunks).toString('utf8');
      chunks = [];
      size = 0;
      rest = rest.subarray(newline + 1);
      onLine(line, null);
    }
  });
  stream.on('end', () => end(null));
  stream.on('close', () => end(null));
}

/** Keeps the beginning of a stream and counts all of it. */
function excerpt(stream: Readable, onBytes: (count: number) => void): () => string {
  const kept: Buffer[] = [];
  let room = excerptBytes;
  stream.on('data', (data: Buffer) => {
    if (room > 0) kept.push(Buffer.from(data.subarray(0, room)));
    room -= Math.min(room, data.length);
    onBytes(data.length);
  });
  return () => Buffer.concat(kept).toString('utf8');
}

/** A stream of the child that is only written to. What the child does not read any more is no concern of ours. */
function give(child: ChildProcess, descriptor: number): Duplex {
  const stream = child.stdio[descriptor] as Duplex;
  stream.on('error', () => {});
  stream.resume();
  return stream;
}

function take(child: ChildProcess, descriptor: number): Readable {
  const stream = child.stdio[descriptor] as Duplex;
  stream.on('error', () => {});
  return stream;
}

/** How bubblewrap ended: with the program's own exit code, or 128 and the number of the signal that ended it. */
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function describeExit({ code, signal }: Exit): string {
  if (code === null) return `was ended by ${signal ?? 'a signal'}`;
  return code > 128 ? `was ended by signal ${code - 128}` : `exited with code ${code}`;
}

async function runtimeOf(host: Host, { artifact, tests, tools, limits }: BoxSpec): Promise<Runtime> {
  if (tests === undefined) {
    if (artifact === null) throw new JudgeError('INFRA', 'A box for nothing was asked for');
    if (tools) return qualityRuntime(artifact, host.python.tools);
    return artifact.language === 'javascript'
      ? javascriptRuntime(artifact, limits)
      : pythonRuntime(artifact, host.python.tools);
  }
  if (host.python.packages === null)
    throw new JudgeError('SANDBOX_UNAVAILABLE', 'Suites of pytest need pytest, and it is not installed.', {
      remedy: installCommand(await readText('/etc/os-release'), 'python3-pytest'),
    });
  return pytestRuntime(tests, artifact, host.python.packages);
}

/** A tester's box holds nothing that is judged. It has a user of its own, so that it shares none with the artifact. */
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
  // Nothing that is judged runs there.
  const trusted = spec.artifact === null || spec.tools === true;
  const host = trusted ? testerHost(given) : given;
  const user = trusted ? tester : nobody;
  const { limits, signal } = spec;
  // Killing would outrank notifying, so both filters of a box must do the same.
  const forbidden = host.supervisor ? 'notify' : 'kill';
  signal?.throwIfAborted();
  if (spec.profile === 'PROCESSES' && host.supervisor === null && !trusted)
    throw new JudgeError(
      'SUITE_UNSUPPORTED',
      'The profile PROCESSES needs the supervisor of system calls, which sees child processes',
      { remedy: 'Use Linux 5.6 or newer' },
    );
  const [runtime, links] = await Promise.all([runtimeOf(host, spec), topLinks()]);
  const { files } = runtime;
  // An engine with threads of its own needs more than a program that only computes.
  const launch = runtime.becomes ? 'LAUNCH_NODE' : 'LAUNCH';
  const profile = runtime.becomes && spec.profile !== 'PROCESSES' ? 'NODE' : spec.profile;
  const [command, args] = boxCommand(host, limits, runtime);
  const meter = await host.meters.create(limits).catch((error) => {
    throw new JudgeError('INFRA', `No cgroup could be made for a box: ${String(error)}`, { cause: error });
  });
  const child = spawn(command, args, {
    // bubblewrap's own process is visible from inside until the program replaces it: it must hold no secret.
    env: {},
    cwd: '/',
    ...(host.uid === null ? {} : { uid: host.uid, gid: host.uid }),
    stdio: ['ignore', ...Array.from({ length: descriptors.files - 1 + files.length }, () => 'pipe' as const)],
  });
  const supervised = supervise({
    child,
    limits,
    meter,
    host,
    signal,
    later,
  });
  try {
    const options = bubblewrapOptions({ host, links, runtime, limits, user });
    give(child, descriptors.arguments).end(options.map((option) => `${option}\0`).join(''));
    give(child, descriptors.seccomp).end(assembleFilter(policies[launch], host.architecture, { forbidden }));
    for (const [index, file] of files.entries()) give(child, descriptors.files + index).end(file.content);
    const filter = assembleFilter(policies[profile], host.architecture, {
      forbidden,
      watched: host.supervisor ? watchedCalls.map((call) => call.name) : [],
    });
    return await supervised.start(Buffer.from(filter).toString('base64'), runtime.becomes === true);
  } catch (error) {
    await supervised.close();
    signal?.throwIfAborted();
    if (error instanceof JudgeError) throw error;
    throw new JudgeError('INFRA', `The box could not be made: ${String(error)}`, { cause: error });
  }
}

interface Supervision {
  readonly child: ChildProcess;
  readonly limits: Limits;
  readonly meter: Meter;
  readonly host: Host;
  readonly signal: AbortSignal | undefined;
  /** Takes over what need not be waited for. */
  readonly later: (work: Promise<void>) => void;
}

/** Everything between the first process and the report: limits, lines, the end. */
function supervise({ child, limits, meter, host, signal, later }: Supervision) {
  const { meters, supervisor } = host;
  const rootOutside = host.uid !== null;
  const calls: SupervisedCall[] = [];
  let judgeFailure: string | null = null;
  let unwatch = () => {};
  const exceeded = new Set<LimitKind>();
  let protocolError: string | null = null;
  let killed = false;
  let pid: number | null = null;
  let outputBytes = 0;
  let waiting: ((line: string | null) => void) | null = null;
  let over = false;
  let loadedAt: number | null = null;
  let startError = '';
  let wallMs = 0;
  let usage: Usage = noUsage;
  let wallTimer: NodeJS.Timeout | undefined;
  let sampleTimer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> = Promise.resolve();

  const exited = new Promise<Exit>((resolve) => {
    child.on('exit', (code, exitSignal) => resolve({ code, signal: exitSignal }));
    // It could not even be started.
    child.on('error', (error) => {
      startError = error.message;
      resolve({ code: 127, signal: null });
    });
  });
  const closed = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.on('error', () => resolve());
  });
  let hasExited = false;

  const settle = (line: string | null) => {
    const resolve = waiting;
    waiting = null;
    resolve?.(line);
  };
  const kill = () => {
    if (killed || hasExited) return;
    killed = true;
    // bubblewrap's death takes the box's first process along, and that one everything else.
    child.kill('SIGKILL');
    if (pid !== null) {
      try {
        // In its first moments it does not know yet that it is to die with its parent.
        process.kill(pid, 'SIGKILL');
      } catch {
        // Dead already.
      }
    }
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
  const onAbort = () => kill();
  signal?.addEventListener('abort', onAbort, { once: true });
  // It may have been aborted while the box was being prepared.
  if (signal?.aborted) kill();

  void exited.then(() => {
    hasExited = true;
    over = true;
    if (loadedAt !== null) wallMs = performance.now() - loadedAt;
    // What was written before the end may still be on its way; `close` comes after it.
    setTimeout(() => settle(null), 500).unref();
  });
  void closed.then(() => settle(null));

  const onBytes = (count: number) => {
    outputBytes += count;
    if (outputBytes > limits.outputBytes) exceed('output');
  };
  const readStdout = excerpt(take(child, 1), onBytes);
  const readStderr = excerpt(take(child, 2), onBytes);

  readLines(take(child, descriptors.answers), limits.answerBytes, (line, problem) => {
    if (problem !== null) breakProtocol(problem);
    if (line === null) {
      over = true;
      // A program that closes its answers but goes on would be waited for until the time limit.
      setTimeout(() => {
        if (!hasExited && waiting) breakProtocol('an end of the answers before the end of the program');
        settle(null);
      }, 250).unref();
      return;
    }
    if (waiting) settle(line);
    else breakProtocol('a line that nobody asked for');
  });

  const requests = give(child, descriptors.requests);
  // The channel would carry bytes in both directions; only ours has any business there.
  requests.on('data', () => breakProtocol('something sent where questions come from'));
  const request = (line: string): Promise<string | null> => {
    if (over || killed) return Promise.resolve(null);
    if (waiting) throw new Error('One request at a time');
    return new Promise((resolve) => {
      waiting = resolve;
      requests.write(`${line}\n`);
    });
  };

  const sample = async () => {
    if (pid === null) return;
    usage = await meter.sample();
    if (usage.oomKills > 0) exceed('oom');
    if (usage.pidsRefused > 0) exceed('pids');
    if (usage.cpuUserMs + usage.cpuSystemMs > limits.cpuHardMs) exceed('cpu');
    const full = await Promise.all([isFull(pid, '/box'), isFull(pid, '/dev/shm')]);
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

  async function start(filter: string, becomes: boolean): Promise<Box> {
    const timeout = AbortSignal.timeout(startTimeoutMs);
    timeout.addEventListener('abort', kill, { once: true });
    try {
      const status = take(child, descriptors.status);
      const childPid = await firstPid(status, exited);
      if (childPid === null) throw await failure('bubblewrap refused');
      pid = childPid;
      await meter.enter(childPid);
      give(child, descriptors.gate).end('go');
      const seccomp = syscallNumbers[host.architecture].get('seccomp');
      const notify = supervisor ? seccomp : null;
      const ready = await request(JSON.stringify({ narrow: filter, notify }));
      if (ready === null || !ready.includes('"narrowed"')) throw await failure('the launcher did not start');
      const { listener, landlock } = narrowed.parse(JSON.parse(ready));
      if (supervisor && listener !== null) {
        unwatch = await supervisor.watch(childPid, listener, onCall, onGone);
        const watched = await request('{}');
        if (watched === null || !watched.includes('"watched"'))
          throw await failure('the launcher did not go on');
      }
      const watchesDisk = (await isFull(childPid, '/box')) !== null;
      const protection = await measureProtection(childPid, {
        meters,
        watchesDisk,
        rootOutside,
        landlock,
        supervised: supervisor !== null && listener !== null,
      });
      const missing = missingProtection(protection);
      if (missing.length > 0) throw await failure(`protection is missing (${missing.join('; ')})`);
      if (becomes) {
        const started = await request('{}');
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
    kill();
    const exit = await exited;
    unwatch();
    // Whoever outlived bubblewrap's start waits for one of these, and ends when it is gone.
    for (const [descriptor, stream] of child.stdio.entries())
      if (descriptor !== descriptors.answers && descriptor > 2) stream?.destroy();
    clearTimeout(sampleTimer);
    signal?.removeEventListener('abort', onAbort);
    await sampling.catch(() => {});
    await meter.kill().catch(() => {});
    await Promise.race([closed, pause(2000)]);
    if (pid !== null) {
      usage = await meter.sample();
      if (usage.oomKills > 0) exceeded.add('oom');
      if (usage.pidsRefused > 0) exceeded.add('pids');
    }
    for (const stream of child.stdio) stream?.destroy();
    // A dying process may hold its group for a while; the verdict does not wait for that.
    later(meter.remove());
    return report(exit);
  }

  function report(exit: Exit): BoxReport {
    const violations: Violation[] = calls.map((call) => ({
      kind: call.path === null ? 'syscall' : 'path',
      evidence: describeCall(call, host.architecture),
    }));
    if (!killed && exit.code === killedBySeccomp) {
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
