import { type ChildProcess, spawn } from 'node:child_process';
import { readAsset } from '../assets.ts';
import type { Engine } from './engine.ts';

/** A container that has been asked for. */
export interface KeptBox {
  readonly name: string;
  /** Folder of its files. */
  readonly folder: string;
  readonly pidFile: string;
}

/** Outlives the judge by a moment, and removes what a killed judge left behind. */
export interface Keeper {
  opened(box: KeptBox): void;
  closed(name: string): void;
  /** Ends it; what is still open then is removed. */
  close(): Promise<void>;
}

/** The engine's command that kills and removes containers, whose names follow. Pure. */
export const removeCommand = (engine: Pick<Engine, 'name'>): string[] =>
  engine.name === 'podman' ? ['rm', '--force', '--ignore', '--time=0'] : ['rm', '--force'];

/** A process of ours that looks after the containers of one sandbox. */
export async function startKeeper(engine: Engine, python: string): Promise<Keeper> {
  const program = await readAsset('keeper.py');
  const child: ChildProcess = spawn(python, ['-I', '-S', '-B', '-c', program], {
    env: { PATH: '/usr/bin', LC_ALL: 'C.UTF-8' },
    cwd: '/',
    // What ends the judge's process group must not end this one.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { stdin } = child;
  stdin?.on('error', () => {});
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
    child.on('error', () => resolve());
  });
  // It ends with us in any case.
  child.unref();
  if (stdin && 'unref' in stdin) (stdin as { unref(): void }).unref();
  const tell = (event: object) => stdin?.write(`${JSON.stringify(event)}\n`);
  const remove = [engine.path, ...engine.options, ...removeCommand(engine)];
  tell({ remove, environment: engine.environment });
  return {
    opened: (opened) => tell({ opened }),
    closed: (closed) => tell({ closed }),
    async close() {
      child.ref();
      stdin?.end();
      await gone;
    },
  };
}
