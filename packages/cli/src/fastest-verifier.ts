import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Verifier } from '@bonafide/nostr-transport';

/** Returns the fastest verifier of signatures that runs on this machine. */
export async function fastestVerifier(): Promise<Verifier> {
  const { createTinySecpVerifier, selectVerifier } = await import('@bonafide/nostr-transport');
  return await selectVerifier([async () => createTinySecpVerifier(await import('tiny-secp256k1'))]);
}

const isSource = import.meta.url.endsWith('.ts');
/** Beside the bundle, or beside this source. */
const program = new URL(isSource ? './verify-thread.ts' : './verify-thread.js', import.meta.url);

/** A verifier, and the thread that it may have. */
export interface FloodVerifier extends AsyncDisposable {
  readonly verifier: Verifier;
}

/** Returns the fastest verifier, with a thread for floods of events where a second core can run it. Disposing ends the thread. */
export async function floodVerifier(cores = availableParallelism()): Promise<FloodVerifier> {
  const verifier = await fastestVerifier();
  if (cores < 2) return { verifier, async [Symbol.asyncDispose]() {} };
  const { createThreadedVerifier } = await import('@bonafide/nostr-transport');
  const thread = new Worker(program, isSource ? { execArgv: ['--conditions=@bonafide/source'] } : {});
  return {
    verifier: createThreadedVerifier({ verifier, thread }),
    [Symbol.asyncDispose]: async () => void (await thread.terminate()),
  };
}
