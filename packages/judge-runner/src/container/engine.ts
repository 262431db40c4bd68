import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Programs that make containers. */
export type EngineName = 'podman' | 'docker';

/** A container engine, with everything that it is always told. */
export interface Engine {
  readonly name: EngineName;
  /** Absolute path of its program. */
  readonly path: string;
  /** The whole environment of its process: nothing of the judge's own gets there. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Runs a command to its end.
   * @returns What it printed on stdout.
   * @throws Error with what it printed on stderr.
   */
  run(args: readonly string[]): Promise<string>;
  /** Options that come before every command. */
  readonly options: readonly string[];
  /**
   * Starts a command in a separate process group, so that Ctrl-C reaches the judge alone, which then cleans
   * up.
   */
  spawn(args: readonly string[], stdio: readonly ('pipe' | 'ignore')[]): ChildProcess;
}

const execute = promisify(execFile);

function createEngine(own: Pick<Engine, 'name' | 'path' | 'environment' | 'options'>): Engine {
  return {
    ...own,
    async run(args) {
      const { stdout } = await execute(own.path, [...own.options, ...args], {
        env: own.environment,
        cwd: '/',
        timeout: 60_000,
        maxBuffer: 8 * 1024 * 1024,
      });
      return stdout.trim();
    },
    spawn: (args, stdio) =>
      spawn(own.path, [...own.options, ...args], {
        env: own.environment,
        cwd: '/',
        detached: true,
        stdio: [...stdio],
      }),
  };
}

/** Settings that replace the machine's own for logs, limits, hooks and mounts. */
const containersConf = `[containers]
default_ulimits = []
volumes = []
env = []
devices = []
log_driver = "none"

[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
hooks_dir = []
env = []
`;

/**
 * Options of gVisor's runtime. Its own cgroups are left out, since the judge moves its processes into those that it
 * measures. Pure.
 * @param reports - File that says what it is to report, and where to.
 */
const gvisorOptions = (reports: string): string[] => [
  'network=none',
  'ignore-cgroups',
  // Without it, the filter that a container is started with has no effect.
  'oci-seccomp',
  `pod-init-config=${reports}`,
];

/** Podman's options before every command. It keeps all it has in the given folder, apart from the user's own containers. Pure. */
export function podmanOptions(folder: string, runtime: string, reports: string | null = null): string[] {
  return [
    ...[
      '--root',
      join(folder, 'storage'),
      '--runroot',
      join(folder, 'state'),
      '--tmpdir',
      join(folder, 'libpod'),
    ],
    ...['--cgroup-manager', 'cgroupfs', '--runtime', runtime, '--log-level', 'error'],
    ...(reports === null ? [] : gvisorOptions(reports).flatMap((option) => ['--runtime-flag', option])),
  ];
}

const storageConf = (folder: string): string => `[storage]
driver = "overlay"
graphroot = "${join(folder, 'storage')}"
runroot = "${join(folder, 'state')}"
`;

/**
 * Creates a podman engine with its storage in `folder`.
 * @param reports - For gVisor's runtime: the file that says what it is to report.
 */
export async function openPodman(
  path: string,
  runtime: string,
  folder: string,
  reports: string | null = null,
): Promise<Engine> {
  await Promise.all([
    writeFile(join(folder, 'containers.conf'), containersConf),
    writeFile(join(folder, 'storage.conf'), storageConf(folder)),
    mkdir(join(folder, 'home'), { recursive: true, mode: 0o700 }),
  ]);
  return createEngine({
    name: 'podman',
    path,
    options: podmanOptions(folder, runtime, reports),
    environment: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: join(folder, 'home'),
      // Where an ordinary user's engine keeps its sockets.
      XDG_RUNTIME_DIR: join(folder, 'home'),
      CONTAINERS_CONF: join(folder, 'containers.conf'),
      CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
      LC_ALL: 'C.UTF-8',
    },
  });
}

/** Docker, which keeps everything with its daemon. */
export async function openDocker(path: string, socket: string | null, folder: string): Promise<Engine> {
  await mkdir(join(folder, 'home'), { recursive: true, mode: 0o700 });
  return createEngine({
    name: 'docker',
    path,
    options: socket === null ? [] : ['--host', socket],
    environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: join(folder, 'home'), LC_ALL: 'C.UTF-8' },
  });
}
