import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { behaviours } from './behaviours.ts';
import type { ProviderArguments } from './provider-arguments.ts';

const program = fileURLToPath(new URL('./provider-process.ts', import.meta.url));

/** Providers resolve packages under the same export conditions as this process. */
const conditions = process.execArgv.filter((argument) => argument.startsWith('--conditions='));

/** A relay on loopback and four provider processes. */
export interface Strangers extends AsyncDisposable {
  readonly relay: string;
  readonly port: number;
}

/** Options of {@link startStrangers}. */
export interface StrangersOptions {
  /** A folder for the relay's events and the providers' keys and jobs, so that the same ones come back. */
  readonly folder: string;
  /** Decides on which tasks a provider makes mistakes. */
  readonly seed: number;
  /** The relay's port; 0 takes a free one. */
  readonly port: number;
}

async function untilReady(child: ChildProcess, name: string): Promise<void> {
  const outcome = await Promise.race([
    once(child, 'message').then(() => 'ready' as const),
    once(child, 'exit').then(([code]) => `ended with code ${code} before it was ready` as const),
  ]);
  if (outcome !== 'ready') throw new Error(`Provider '${name}' ${outcome}.`);
}

/**
 * Starts the relay and the providers. After a restart, pass the former port, so that cards and clients stay
 * valid.
 */
export async function startStrangers({ folder, seed, port }: StrangersOptions): Promise<Strangers> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const relay = await startTestRelay({ port, path: join(folder, 'relay.db'), name: 'Bonafide demo relay' });
  const providers = Object.keys(behaviours).map((name) => {
    const [keyFile, database] = [join(folder, `${name}.key`), join(folder, `${name}.db`)];
    const settings: ProviderArguments = { name, relay: relay.url, keyFile, database, seed };
    const child = spawn(
      process.execPath,
      [...conditions, '--disable-warning=ExperimentalWarning', program, JSON.stringify(settings)],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    return { child, name, ended: once(child, 'exit') };
  });
  const world: Strangers = {
    relay: relay.url,
    port: relay.port,
    async [Symbol.asyncDispose]() {
      for (const { child } of providers) child.kill();
      await Promise.all(providers.map(({ ended }) => ended));
      await relay.close();
    },
  };
  try {
    await Promise.all(providers.map(({ child, name }) => untilReady(child, name)));
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}
