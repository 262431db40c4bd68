/* Runs in a worker thread: reads and compares large lines. */
import { parentPort } from 'node:worker_threads';
import { ProtocolError } from './answers.ts';
import { type LineTask, readNow } from './read-line.ts';

parentPort?.on('message', (task: LineTask) => {
  try {
    parentPort?.postMessage({ read: readNow(task) });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    parentPort?.postMessage({ protocolError: error.message });
  }
});
