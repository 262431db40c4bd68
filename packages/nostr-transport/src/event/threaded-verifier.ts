import { isOptions, isPort, isPositive, isRecord, optional, unrefTimer } from '@bonafide/internal';
import { LRUCache } from 'lru-cache';
import { TransportError } from '../errors.ts';
import { isVerifier, requireConfig, requireInput } from '../valid.ts';
import { checkEventShape, eventId } from './event-check.ts';
import { passesSelfTest, shareSignatureCheck, signatureIsValid, type Verifier } from './verifier.ts';

/** One end of the connection to a thread: a `Worker`, a `MessagePort` or `parentPort` of `node:worker_threads`. */
export interface ThreadPort {
  postMessage(message: unknown): void;
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): unknown;
  /** Lets the process end although the thread runs. */
  unref?(): void;
}

interface Request {
  readonly number: number;
  readonly messages: readonly string[];
}

interface Answer {
  readonly number: number;
  readonly verdicts: ReadonlyMap<string, boolean>;
}

const isThread = isPort('on', 'postMessage');
const isServed = isRecord({ port: isThread, verifier: isVerifier });
const isThreaded = isOptions({
  verifier: isVerifier,
  thread: isThread,
  answerWithinMs: optional(isPositive),
});

/** Verdicts that a thread remembers, so that an event of several relays is verified once. */
const remembered = 20_000;
/** Time limit of one answer, ms. A thread that is late is not asked again. */
const defaultAnswerMs = 30_000;

/**
 * Serves {@link createThreadedVerifier} in a thread.
 *
 * @throws TransportError `INVALID_INPUT` if the verifier rejects a genuine event or accepts a forged one, or without a port, which
 * `parentPort` is in the main thread
 * @example
 * // verify-thread.js
 * import { parentPort } from 'node:worker_threads';
 *
 * serveVerifier(parentPort, createTinySecpVerifier(await import('tiny-secp256k1')));
 */
export function serveVerifier(port: ThreadPort | null, verifier: Verifier): void {
  if (port === null)
    throw new TransportError(
      'INVALID_INPUT',
      'There is no port: this is not a thread. Start it as a Worker.',
    );
  requireInput({ port, verifier }, isServed, 'serveVerifier');
  if (!passesSelfTest(verifier))
    throw new TransportError('INVALID_INPUT', 'This verifier judges a known event wrongly.');
  const known = new LRUCache<string, boolean>({ max: remembered });
  port.on('message', (request) => {
    const { number, messages } = request as Request;
    const verdicts = new Map<string, boolean>();
    for (const message of messages) {
      const checked = checkEventShape(eventIn(message));
      if (!checked.ok || eventId(checked.event) !== checked.event.id) continue;
      const key = checked.event.id + checked.event.sig;
      const verdict = known.get(key) ?? signatureIsValid(verifier, checked.event);
      known.set(key, verdict);
      verdicts.set(key, verdict);
    }
    port.postMessage({ number, verdicts } satisfies Answer);
  });
}

function eventIn(message: string): unknown {
  try {
    const parsed: unknown = JSON.parse(message);
    return Array.isArray(parsed) && parsed[0] === 'EVENT' ? parsed[2] : null;
  } catch {
    return null;
  }
}

/**
 * Creates a verifier that verifies floods in a thread, so that the event loop of a process which reads many events is free for them. A few
 * events, and all events after the thread has failed, are verified by `verifier`. The caller ends the thread.
 *
 * @param options.verifier - Verifies in this thread.
 * @param options.thread - A thread that runs {@link serveVerifier}.
 * @param options.answerWithinMs - Time limit of each answer of the thread, in ms. Default 30,000.
 * @example
 * const thread = new Worker(new URL('./verify-thread.js', import.meta.url));
 * const transport = createTransport({ verifier: createThreadedVerifier({ verifier, thread }) });
 */
export function createThreadedVerifier(options: {
  readonly verifier: Verifier;
  readonly thread: ThreadPort;
  readonly answerWithinMs?: number;
}): Verifier {
  requireConfig(options, isThreaded);
  const { verifier, thread, answerWithinMs = defaultAnswerMs } = options;
  const waiting = new Map<number, (verdicts: ReadonlyMap<string, boolean>) => void>();
  let count = 0;
  let hasFailed = false;

  function fail(): void {
    hasFailed = true;
    for (const answer of waiting.values()) answer(new Map());
    waiting.clear();
  }

  thread.on('message', (answer) => {
    const { number, verdicts } = answer as Answer;
    waiting.get(number)?.(verdicts);
    waiting.delete(number);
  });
  thread.on('error', fail);
  thread.on('exit', fail);
  // After the listeners, which would keep the process alive.
  thread.unref?.();

  const threaded: Verifier = {
    name: `${verifier.name} in a thread`,
    verify: (event) => verifier.verify(event),
    verifyAhead(messages) {
      if (hasFailed) return Promise.resolve(new Map());
      return new Promise((resolve) => {
        count += 1;
        const timer = setTimeout(fail, answerWithinMs);
        unrefTimer(timer);
        waiting.set(count, (verdicts) => {
          clearTimeout(timer);
          resolve(verdicts);
        });
        thread.postMessage({ number: count, messages } satisfies Request);
      });
    },
  };
  shareSignatureCheck(verifier, threaded);
  return threaded;
}
