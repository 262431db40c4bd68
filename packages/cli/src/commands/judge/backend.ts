import type { Backend, ContainerOptions, EngineName, Sandbox } from '@bonafide/judge-runner';
import { type Command, Option } from 'commander';
import { CliError } from '../../errors.ts';
import { wholeNumber } from '../../options.ts';

/** Options of every command that makes boxes. */
export interface BackendOptions {
  readonly backend: Backend;
  readonly engine?: EngineName;
  readonly runtime?: string;
  readonly image?: string;
}

/** Adds the options that say what isolates the programs that are judged. */
export function withBackend(command: Command): Command {
  return command
    .addOption(
      new Option('--backend <backend>', 'what isolates programs')
        .choices(['bubblewrap', 'container'])
        .default('bubblewrap'),
    )
    .addOption(
      new Option(
        '--engine <engine>',
        'what makes containers (default: podman where it is installed)',
      ).choices(['podman', 'docker']),
    )
    .option(
      '--runtime <runtime>',
      "the containers' OCI runtime, a name or a path: runsc for gVisor (default: runc with podman)",
    )
    .option('--image <image>', "your image (default: one made of this machine's Python)");
}

/** Adds the option that limits the time of a run. */
export function withTimeout(command: Command): Command {
  return command.option(
    '--timeout-ms <ms>',
    "limit of all that a program does, in ms (default: the suite's limits.wallMs, or 120000)",
    wholeNumber(1, 86_400_000),
  );
}

/** Adds the option that says where the packages of suites are stored. */
export function withEnvironments(command: Command): Command {
  return command.option(
    '--environments <folder>',
    "folder of the packages that suites declare (default: the judge's cache)",
  );
}

/**
 * Returns the options for containers.
 * @throws CliError `USAGE` when they are given for another backend.
 */
export function containerOptions({ backend, engine, runtime, image }: BackendOptions): ContainerOptions {
  const wanted = {
    ...(engine === undefined ? {} : { engine }),
    ...(runtime === undefined ? {} : { runtime }),
    ...(image === undefined ? {} : { image }),
  };
  const [first] = Object.keys(wanted);
  if (backend !== 'container' && first !== undefined)
    throw new CliError('USAGE', `--${first} needs --backend container.`);
  return wanted;
}

/** A sandbox of the kind that was asked for. */
export async function openSandbox(options: BackendOptions): Promise<Sandbox> {
  const containers = containerOptions(options);
  const { createContainerSandbox, detectSandbox } = await import('@bonafide/judge-runner');
  return options.backend === 'container' ? createContainerSandbox(containers) : detectSandbox();
}
