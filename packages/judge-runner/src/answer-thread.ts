import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ProtocolError } from './answers.ts';
import { lengthOf, shortLineBytes } from './line.ts';
import { type LineRead, type LineTask, lineIn, memoryOf, readNow } from './read-line.ts';
import { cpuOfThread } from './thread-time.ts';

/** Longest work on one answer: CPU time of the thread, in ms. Real time where the system does not tell it. */
const limitMs = 20_000;
/** Shortest time between two looks at a thread, in ms. */
const lookMs = 1_000;

interface Job {
  readonly task: LineTask;
  resolve(result: LineRead<LineTask>): void;
  reject(error: Error): void;
}

type Told =
  | { readonly read: LineRead<LineTask> }
  | { readonly protocolError: string }
  | { readonly thread: string | null };

/** A thread, which reads one line at a time. */
interface Thread {
  readonly isIdle: () => boolean;
  take(job: Job): void;
}

const cpuOf = (thread: string | null | undefined): number | null =>
  typeof thread === 'string' ? cpuOfThread(thread) : null;

const threads: Thread[] = [];
/** Slow lines of one artifact leave a thread to the others. */
const maxThreads = Math.max(2, Math.min(4, availableParallelism()));
const waiting: Job[] = [];

/** Beside the bundle, or beside this source. */
const program = new URL(
  import.meta.url.endsWith('.ts') ? './answer-worker.ts' : './answer-worker.js',
  import.meta.url,
);

function createThread(): Thread {
  let worker: Worker | null = null;
  let running: Job | null = null;
  let timer: NodeJS.Timeout | undefined;
  /** Id of the worker's thread; null where the system has none, undefined until the worker has started. */
  let own: string | null | undefined;
  /** CPU time of the worker when it took its line, in ms. */
  let usedBefore = 0;

  /** Ends the worker when it has worked on its line for too long. A busy machine leaves it more time. */
  const look = () => {
    const leftMs =
      own === undefined ? limitMs : usedBefore + limitMs - (cpuOf(own) ?? Number.POSITIVE_INFINITY);
    if (leftMs <= 0) return void worker?.terminate();
    timer = setTimeout(look, Math.max(lookMs, leftMs)).unref();
  };
  const finish = (use: (job: Job) => void) => {
    clearTimeout(timer);
    const job = running;
    running = null;
    if (job !== null) use(job);
    assign();
  };
  const start = (): Worker => {
    const made = new Worker(program, {
      env: {},
      execArgv: import.meta.url.endsWith('.ts') ? ['--conditions=@bonafide/source', '--no-warnings'] : [],
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    made.on('message', (told: Told) => {
      if ('thread' in told) own = told.thread;
      else
        finish((job) =>
          'read' in told ? job.resolve(told.read) : job.reject(new ProtocolError(told.protocolError)),
        );
    });
    const lost = () => {
      if (worker !== made) return;
      [worker, own] = [null, undefined];
      finish((job) => job.reject(new ProtocolError('an answer that could not be read within the limits')));
    };
    made.on('error', lost);
    made.on('exit', lost);
    // After the listeners, which would keep the process alive.
    made.unref();
    return made;
  };
  return {
    isIdle: () => running === null,
    take(job) {
      running = job;
      worker ??= start();
      worker.postMessage(job.task, memoryOf(lineIn(job.task)));
      usedBefore = cpuOf(own) ?? 0;
      timer = setTimeout(look, limitMs).unref();
    },
  };
}

/** Gives the lines that wait to threads. */
function assign(): void {
  while (waiting.length > 0) {
    let thread = threads.find((each) => each.isIdle());
    if (thread === undefined && threads.length < maxThreads) {
      thread = createThread();
      threads.push(thread);
    }
    const job = thread && waiting.shift();
    if (thread === undefined || job === undefined) return;
    thread.take(job);
  }
}

/** Most parts of an expected value with which an answer is compared in this thread, and characters that count as one. */
const maxParts = 2_000;
const charactersOfPart = shortLineBytes / maxParts;

/** Returns true for JSON of at most `maxParts` parts. Looks at no more of them. Pure. */
function isSmall(json: unknown): boolean {
  const pending = [json];
  for (let seen = 0; pending.length > 0; seen += 1) {
    const part = pending.pop();
    if (typeof part === 'string') seen += part.length / charactersOfPart;
    else if (typeof part === 'object' && part !== null) {
      const inner: readonly unknown[] = Array.isArray(part) ? part : Object.values(part);
      if (inner.length > maxParts) return false;
      pending.push(...inner);
    }
    if (seen + pending.length > maxParts) return false;
  }
  return true;
}

/** Returns true for a line that is read faster than it is handed over to a thread. Pure. */
function isQuick(task: LineTask): boolean {
  if (lengthOf(lineIn(task)) > shortLineBytes) return false;
  if ('vector' in task) return isSmall(task.test.expect);
  return !('program' in task) || (task.test.match !== 'pattern' && isSmall(task.test.expect));
}

/**
 * Reads a line of a box, in a separate thread where it is large, held against a pattern or compared with a large value, so that
 * it does not stall the event loop of the host.
 * @throws ProtocolError when it is malformed, or needs more memory or time than the thread has.
 */
export async function readLine<Task extends LineTask>(task: Task): Promise<LineRead<Task>> {
  if (isQuick(task)) return readNow(task) as LineRead<Task>;
  return new Promise((resolve, reject) => {
    waiting.push({ task, resolve: (result) => resolve(result as LineRead<Task>), reject });
    assign();
  });
}
