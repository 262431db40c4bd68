import type { ErrorKind, TestResult } from './verdict.ts';

/**
 * The code that did not come to an end. `artifact`: a call of the artifact, which has not answered. `later`: a coroutine, a promise or a
 * timer of the artifact that the tests let go on. `tests`: the tests' own.
 */
export type Waiting = 'artifact' | 'later' | 'tests';

/** The point at which a run of test files was ended. The artifact says nothing of it. */
export interface Interruption {
  /** Ids of the tests that were running; none before the first test and between two. */
  readonly tests: readonly string[];
  /** Time for which these ran, in ms. */
  readonly ms: number;
  /** Null where the artifact shares the process of the tests. */
  readonly waiting: Waiting | null;
  /** Time for which the run waited for that, in ms. */
  readonly waitingMs: number;
  /** True when a test had begun. */
  readonly hasBegun: boolean;
}

/** Notes which tests run, and what their run waits for. */
export interface RunProgress {
  /** Notes that tests begin. */
  begin(tests: readonly string[]): void;
  /** Notes that a test has ended. */
  end(test: string): void;
  /** Notes a question to the artifact: what it is to do, or null for an answer to a question of its own. */
  ask(what: string | null): void;
  /** Notes an answer of the artifact, and whether what was awaited goes on. */
  answer(isPending: boolean): void;
  /** Returns where the run is. */
  read(): Interruption;
}

/** Questions that only let the artifact go on. JavaScript asks the first all the time while it waits for the artifact, Python the second where it is due. */
const [poll, turn] = ['tick', 'turn'];
/** Looks for calls of the artifact's threads, in Python, while the tests' own code runs or waits. */
const look = 'listen';
/** Time within which such questions are answered and repeated, in ms. */
const turnMs = 1000;

/** @param clock - Time in ms. */
export function createRunProgress(clock: () => number): RunProgress {
  let tests: readonly string[] = [];
  let hasBegun = false;
  let beganAt = clock();
  /** The last question, while it has no answer. */
  let asked: { readonly what: string | null; readonly at: number } | null = null;
  /** The last question that only lets the artifact go on, after all others. */
  let turned: { readonly what: string; readonly at: number } | null = null;
  let waitingSince = beganAt;
  const wait = (waiting: Waiting, since: number) => ({ waiting, waitingMs: clock() - since });
  const waitNow = () => {
    const at = clock();
    if (asked !== null && (turned === null || at - asked.at > turnMs)) return wait('artifact', asked.at);
    if (turned !== null && (turned.what !== poll || at - turned.at <= turnMs))
      return wait('later', waitingSince);
    return wait('tests', turned?.at ?? waitingSince);
  };
  return {
    begin(ids) {
      [tests, hasBegun, turned] = [ids, true, null];
      beganAt = waitingSince = clock();
    },
    end(test) {
      tests = tests.filter((each) => each !== test);
    },
    ask(what) {
      if (what === look) return;
      const at = clock();
      asked = { what, at };
      if (what !== poll && what !== turn) turned = null;
      else {
        // All turns that follow one another are one wait.
        if (turned === null) waitingSince = at;
        turned = { what, at };
      }
    },
    answer(isPending) {
      if (asked === null) return;
      if (asked.what === 'await' && isPending)
        [turned, waitingSince] = [{ what: turn, at: asked.at }, asked.at];
      else if (turned === null) waitingSince = clock();
      asked = null;
    },
    read: () => ({ tests, hasBegun, ms: clock() - beganAt, ...waitNow() }),
  };
}

const causes: Readonly<Record<ErrorKind | 'security', string>> = {
  disk: 'the disk was full',
  oom: 'the memory was used up',
  output: 'too much was printed',
  pids: 'too many threads or processes were started',
  cpu: 'the processor time was used up',
  timeout: 'the time was up',
  protocol: 'what the program sent was no answer',
  build: 'the program could not be built',
  crash: 'the program ended',
  security: 'the program did what none may',
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const waits: Readonly<Record<Waiting, string>> = {
  artifact: 'a call of the program had not answered',
  later: 'a coroutine, a promise or a timer of the program was awaited',
  tests: "the test's own code ran or waited, and called nothing of the program",
};

/** Returns how long a test ran, and what that waited for, in words. Pure. */
export function describeRunning({ ms, waiting, waitingMs }: Interruption, test = 'this test'): string {
  const wait = waiting === null ? '' : `: for ${seconds(waitingMs)} ${waits[waiting]}`;
  return `after ${seconds(ms)} of ${test}${wait}`;
}

const placeOf = ({ tests: [first, ...others], hasBegun }: Interruption): string => {
  if (first === undefined) return hasBegun ? 'between two tests' : 'before the first test';
  return `in ${first}${others.length === 0 ? '' : ` and ${others.length} more at the same time`}`;
};

/** Gives the tests of a run that was ended their reasons: those that were running have failed. Pure. */
export function withInterruption(
  tests: readonly TestResult[],
  interruption: Interruption | null,
  cause: ErrorKind | 'security' | null,
): readonly TestResult[] {
  if (interruption === null || cause === null) return tests;
  // What is no answer ends a run at once.
  const known = cause === 'protocol' ? { ...interruption, waiting: null } : interruption;
  const ofRunning = `${causes[cause]} ${describeRunning(known)}`;
  const ofOthers = `it was not run: ${causes[cause]} ${placeOf(known)}`;
  return tests.map((test) => {
    if (test.status !== 'not-run') return test;
    return interruption.tests.includes(test.id)
      ? { ...test, status: 'failed', reason: ofRunning }
      : { ...test, reason: ofOthers };
  });
}
