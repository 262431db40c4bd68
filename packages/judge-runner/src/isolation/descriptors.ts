import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';

/** Returns a write-only stream of the child. Errors after the child has stopped reading are ignored. */
export function give(child: ChildProcess, descriptor: number): Duplex {
  const stream = child.stdio[descriptor] as Duplex;
  stream.on('error', () => {});
  stream.resume();
  return stream;
}

/** A stream of the child that is only read from. */
export function take(child: ChildProcess, descriptor: number): Readable {
  const stream = child.stdio[descriptor] as Duplex;
  stream.on('error', () => {});
  return stream;
}
