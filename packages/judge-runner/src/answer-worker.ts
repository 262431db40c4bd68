/* Runs in a worker thread: reads and compares large answers. */
import { parentPort } from 'node:worker_threads';
import { ProtocolError } from './answers.ts';
import type { VectorCase } from './suite.ts';
import { judgeReply, parseReply } from './vector-reply.ts';

parentPort?.on('message', (task: { line: string; expected: number; test: VectorCase }) => {
  try {
    const compared = judgeReply(task.test, parseReply(task.line, task.expected));
    parentPort?.postMessage({ compared });
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    parentPort?.postMessage({ protocolError: error.message });
  }
});
