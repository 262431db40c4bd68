import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';

/** How the program in a box ended: with its own exit code, or 128 and the number of the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not even be started, or ''. */
  readonly problem: string;
}

/** For a person. Pure. */
export function describeExit({ code, signal }: Exit): string {
  if (code === null) return `was ended by ${signal ?? 'a signal'}`;
  return code > 128 ? `was ended by signal ${code - 128}` : `exited with code ${code}`;
}

/** Walls that a backend has begun to put up around one program. What is the same for all backends is done with this. */
export interface Enclosure {
  /** Who makes it, for a person. */
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
  /** Lets the first process go on, now that it is under its limits. */
  release(): void;
  /** Kills everything in it. May be called at any time, and once only. */
  kill(pid: number | null): void;
  /** After the end: whoever outlived it waits for a channel of ours, and ends when that is gone. */
  abandon(): void;
  /** Last: takes away what is left of it. */
  dispose(): Promise<void>;
}

/** How a child process ends, and when the last of its streams is closed. */
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
