import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startTestRelay } from '@bonafide/nostr-transport/testing';
import type { Workspace } from '../workspace.ts';
import { behaviours } from './behaviours.ts';
import type { ProviderArguments } from './provider-arguments.ts';

const program = fileURLToPath(new URL('./provider-process.ts', import.meta.url));

/** A relay on loopback and four providers in processes of their own. */
export interface World extends AsyncDisposable {
  readonly relay: string;
  readonly port: number;
}

async function startProvider(settings: ProviderArguments): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, JSON.stringify(settings)],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const outcome = await Promise.race([
    once(child, 'message').then(() => 'ready' as const),
    once(child, 'exit').then(([code]) => `ended with code ${code} before it was ready` as const),
  ]);
  if (outcome !== 'ready') throw new Error(`Provider '${settings.name}' ${outcome}.`);
  return child;
}

/** Starts the demo's world on the relay's former port when there was one, so that everybody finds each other again. */
export async function startWorld(workspace: Workspace, seed: number, port: number): Promise<World> {
  const relay = await startTestRelay({ port, path: workspace.path('relay.db'), name: 'Bonafide demo relay' });
  const children = await Promise.all(
    Object.keys(behaviours).map((name) =>
      startProvider({
        name,
        relay: relay.url,
        keyFile: workspace.path(`keys/${name}`),
        database: workspace.path(`provider-${name}.db`),
        seed,
      }),
    ),
  );
  return {
    relay: relay.url,
    port: relay.port,
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return;
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          await ended;
        }),
      );
      await relay.close();
    },
  };
}
