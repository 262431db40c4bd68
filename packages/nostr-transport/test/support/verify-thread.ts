// A thread that verifies. `workerData` names what it does wrong, if anything.
import { parentPort, workerData } from 'node:worker_threads';
import { serveVerifier, type ThreadPort } from '../../src/event/threaded-verifier.ts';
import { createTinySecpVerifier } from '../../src/event/verifier.ts';

if (parentPort === null) throw new Error('This is no thread.');
const port: ThreadPort = parentPort;
if (workerData === 'dies') port.on('message', () => process.exit(1));
else if (workerData === 'is silent') port.on('message', () => {});
else serveVerifier(port, createTinySecpVerifier(await import('tiny-secp256k1')));
