import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';

/** Exit of a box's program: its exit code, or 128 plus the number of the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Reason why it could not be started, or ''. */
  readonly problem: string;
}

/** For a person. Pure. */
export function describeExit({ code, signal }: Exit): string {
  if (code === null) return `was ended by ${signal ?? 'a signal'}`;
  return code > 128 ? `was ended by signal ${code - 128}` : `exited with code ${code}`;
}

/** Walls that a backend has begun to put up around one program. What is the same for all backends is done with this. */
export interface Enclosure {
  /** Name of the backend, for messages. */
  readonly maker: string;
  readonly requests: Duplex;
  readonly answers: Readable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The program ended, or could not be started. */
  readonly exited: Promise<Exit>;
  /** Nothing more will come from it. */
  readonly closed: Promise<void>;
  /** The box's first process as it is seen from outside, or null when there will be none. */
  firstProcess(): Promise<number | null>;
  /** Releases the first process, which is now under its limits. */
  release(): void;
  /** Kills everything in it. May be called at any time, and once only. */
  kill(pid: number | null): void;
  /** Closes the judge's channels after the end, so that a surviving helper process ends too. */
  abandon(): void;
  /** Last: takes away what is left of it. */
  dispose(): Promise<void>;
}

/** Exit of a child process, and the closing of the last of its streams. */
export function endOf(child: ChildProcess): Pick<Enclosure, 'exited' | 'closed'> {
  return {
    exited: new Promise((resolve) => {
      child.on('exit', (code, signal) => resolve({ code, signal, problem: '' }));
      child.on('error', (error) => resolve({ code: 127, signal: null, problem: error.message }));
    }),
    closed: new Promise((resolve) => {
      child.on('close', () => resolve());
      child.on('error', () => resolve());
    }),
  };
}
