import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';

/** A stream of the child that is only written to. What the child does not read any more is no concern of ours. */
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
