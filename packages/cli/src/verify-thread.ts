// A thread in which floods of events are verified; see `fastest-verifier.ts`.
import { parentPort } from 'node:worker_threads';
import { serveVerifier } from '@bonafide/nostr-transport';
import { fastestVerifier } from './fastest-verifier.ts';

if (parentPort !== null) serveVerifier(parentPort, await fastestVerifier());
