import { Worker } from 'node:worker_threads';
import { ProtocolError } from './answers.ts';
import type { VectorCase } from './suite.ts';

/** Answers beyond this number of characters are read and compared in a separate thread. */
export const largeAnswer = 32 * 1024;
/** Longest work on one answer, in ms. */
const deadlineMs = 20_000;

/** The result of comparing an answer with its case. */
export interface ComparedAnswer {
  /** Reason why it is wrong; null when it is right. */
  readonly reason: string | null;
  /** The answer in Python notation, cut. */
  readonly answer: string;
}

interface Job {
  readonly task: { readonly line: string; readonly expected: number; readonly test: VectorCase };
  resolve(result: ComparedAnswer): void;
  reject(error: Error): void;
}

type Told = { readonly compared: ComparedAnswer } | { readonly protocolError: string };

let worker: Worker | null = null;
let running: Job | null = null;
let timer: NodeJS.Timeout | undefined;
const waiting: Job[] = [];

/** Beside the bundle, or beside this source. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? './answer-worker.ts' : './answer-worker.js',
  import.meta.url,
);

function finish(use: (job: Job) => void): void {
  clearTimeout(timer);
  const job = running;
  running = null;
  if (job !== null) use(job);
  next();
}

function give(): Worker {
  if (worker !== null) return worker;
  const made = new Worker(program, {
    env: {},
    execArgv: import.meta.url.endsWith('.ts') ? ['--conditions=@bonafide/source', '--no-warnings'] : [],
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  made.on('message', (told: Told) =>
    finish((job) =>
      'compared' in told ? job.resolve(told.compared) : job.reject(new ProtocolError(told.protocolError)),
    ),
  );
  const lost = () => {
    if (worker !== made) return;
    worker = null;
    finish((job) => job.reject(new ProtocolError('an answer that could not be read within the limits')));
  };
  made.on('error', lost);
  made.on('exit', lost);
  // After the listeners, which would keep the process alive.
  made.unref();
  worker = made;
  return made;
}

function next(): void {
  const job = waiting.shift();
  if (job === undefined || running !== null) {
    if (job !== undefined) waiting.unshift(job);
    return;
  }
  running = job;
  give().postMessage(job.task);
  timer = setTimeout(() => void worker?.terminate(), deadlineMs);
  timer.unref();
}

/**
 * Reads and compares a large answer in a separate thread, so that it does not stall the event loop of the host.
 * @throws ProtocolError when it is malformed, or needs more memory or time than the thread has.
 */
export function compareInThread(task: Job['task']): Promise<ComparedAnswer> {
  return new Promise((resolve, reject) => {
    waiting.push({ task, resolve, reject });
    if (running === null) next();
  });
}
