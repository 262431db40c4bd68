/* Runs in a worker thread: reads and compares large lines. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { ProtocolError } from './answers.ts';
import { type LineTask, memoryOf, passedOn, readNow } from './read-line.ts';
import { ownThread } from './thread-time.ts';

// Of this thread alone, on Linux: the event loop of the host comes first when cores are busy.
setPriority(6);

parentPort?.postMessage({ thread: ownThread() });
parentPort?.on('message', (task: LineTask) => {
  try {
    const read = readNow(task);
    parentPort?.postMessage({ read }, memoryOf(passedOn(read)));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    parentPort?.postMessage({ protocolError: error.message });
  }
});
