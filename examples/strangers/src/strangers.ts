import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import { behaviours } from './behaviours.ts';
import { startProcesses } from './processes.ts';
import type { ProviderArguments } from './provider-arguments.ts';

const program = new URL('./provider-process.ts', import.meta.url);

/** A relay on loopback and four provider processes. */
export interface Strangers extends AsyncDisposable {
  readonly relay: string;
  readonly count: number;
}

/** Options of {@link startStrangers}. */
export interface StrangersOptions {
  /** A folder for the relay's port and events and the providers' keys and jobs, so that the same ones come back. */
  readonly folder: string;
  /** Decides on which tasks a provider makes mistakes. */
  readonly seed: number;
  /** Port of the relay. @default the former one in this folder, else any that is free */
  readonly port?: number;
}

/** Starts the relay and the providers. After a restart, the relay has its former port, so that cards and clients stay valid. */
export async function startStrangers({ folder, seed, port }: StrangersOptions): Promise<Strangers> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const portFile = join(folder, 'port');
  const former = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0;
  const relay = await startTestRelay({
    port: port ?? former,
    path: join(folder, 'relay.db'),
    name: 'Bonafide demo relay',
  });
  writeFileSync(portFile, String(relay.port));
  const settings = Object.keys(behaviours).map(
    (name): ProviderArguments => ({
      ...{ name, relay: relay.url, seed },
      keyFile: join(folder, `${name}.key`),
      database: join(folder, `${name}.db`),
    }),
  );
  try {
    const providers = await startProcesses(program, settings);
    return {
      relay: relay.url,
      count: settings.length,
      async [Symbol.asyncDispose]() {
        await providers[Symbol.asyncDispose]();
        await relay.close();
      },
    };
  } catch (error) {
    await relay.close();
    throw error;
  }
}
