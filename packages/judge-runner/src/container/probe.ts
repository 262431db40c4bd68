import { randomBytes } from 'node:crypto';
import { chmod, lstat, readdir, realpath, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '@bonafide/internal';
import * as z from 'zod';
import { cgroupsSchema, parseGiven, pathSchema } from '../host-options.ts';
import {
  type Checks,
  checkCgroups,
  checkPlatform,
  checkPython,
  createChecks,
  type Machine,
} from '../isolation/checks.ts';
import { findExecutable, output, systemPaths } from '../isolation/machine.ts';
import type { OwnKernel } from '../isolation/own-kernel.ts';
import { nobody } from '../isolation/plan.ts';
import { isAlive } from '../isolation/processes.ts';
import type { SandboxReport } from '../isolation/report.ts';
import { createSupervisor } from '../isolation/supervisor.ts';
import { isReachable, nodeProgram } from '../languages/node-program.ts';
import { mergeLimits } from '../limits.ts';
import type { ProtectionLayer } from '../verdict.ts';
import { type Beside, startBeside } from './beside.ts';
import { boxesFolder, type ContainerHost, openContainerBox } from './box.ts';
import { label } from './command.ts';
import { diagnoseEngine, diagnoseImage, needsCgroups, noGvisorInDocker } from './diagnose.ts';
import { type DiskTools, findDiskTools, removeBoxFolder } from './disks.ts';
import { type Engine, type EngineName, openDocker, openPodman } from './engine.ts';
import { ownerOf, parentGroup, removeParentGroups } from './groups.ts';
import { ensureImage, imageContent } from './image.ts';
import { removeCommand } from './keeper.ts';
import { sinkConfig, sinkPrefix } from './trace-sink.ts';

/** Options of the container sandbox. Every field is optional and detected by default. */
export interface ContainerOptions {
  /** Default: podman where it is installed, else docker. */
  readonly engine?: EngineName;
  /**
   * The OCI runtime: a name or an absolute path. Default with podman: runc, else crun. With gVisor (`runsc`), each box has
   * its own kernel; what that hides from this machine, the launcher measures inside. Other runtimes whose processes
   * cannot be seen from outside (Kata) are refused.
   */
  readonly runtime?: string;
  /**
   * An image that has been made before, by its name, with the toolchains that programs need. Default: one made of this
   * machine's Python when first needed, in which programs find this machine's toolchains.
   */
  readonly image?: string;
  /** Folder for images and the engine's state, apart from the user's. Default: a folder among the caches. */
  readonly folder?: string;
  /** Docker's daemon. Default: the environment's `DOCKER_HOST`, else `unix:///var/run/docker.sock`. */
  readonly socket?: string;
  /** `auto` (default) takes cgroup v2, else v1, else none; `none` never uses them. */
  readonly cgroups?: 'auto' | 'v1' | 'v2' | 'none';
  /** Path of the Python that programs are judged with, below /usr. Default: the system's own. */
  readonly python?: string;
  /** False leaves the supervisor of system calls out: forbidden calls are then seen, but not named. Default true. */
  readonly supervisor?: boolean;
}

const optionsSchema = z.strictObject({
  engine: z.enum(['podman', 'docker']).optional(),
  runtime: z.string().min(1).optional(),
  image: z.string().min(1).optional(),
  folder: pathSchema.optional(),
  socket: z.string().min(1).optional(),
  cgroups: cgroupsSchema,
  python: pathSchema.optional(),
  supervisor: z.boolean().optional(),
});

/**
 * First of the 65,536 user ids that boxes of a root judge use outside; a range that is unlikely to be taken.
 */
const firstUser = 2_000_000_000;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error ? String(error.stderr).trim().split('\n').slice(-2).join(' | ') : '';
  return said === '' ? error.message : said;
};

/** Default folder of an engine's images. A cache: it can be removed at any time. */
function defaultFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/bonafide-judge';
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bonafide-judge');
}

/**
 * Creates a folder that other users can neither list nor write to. Users of boxes must be able to pass
 * through it, and podman opens every folder on the way: only a location where that changes nothing is
 * accepted.
 */
async function ownFolder(path: string): Promise<string> {
  makeFolder(path, 0o711);
  const { uid, mode } = await lstat(path);
  const isRoot = process.getuid?.() === 0;
  if (uid !== process.getuid?.() || (mode & 0o066) !== 0) throw new Error(`${path} is not ours alone`);
  if (isRoot && !isReachable(path)) throw new Error(`${path} is below a private folder`);
  const boxes = join(path, boxesFolder);
  makeFolder(boxes, 0o711);
  // To be passed through by the users of boxes, not listed. What is in it is private.
  await chmod(boxes, 0o711);
  return path;
}

/** Takes away what judges that are gone have left: their keepers should have, unless they were killed as well. */
async function sweep(engine: Engine, folder: string, diskTools: DiskTools | null): Promise<void> {
  const format = `{{.Names}}\t{{.Label "${label}"}}`;
  const listed = await engine
    .run(['ps', '--all', '--filter', `label=${label}`, '--format', format])
    .catch(() => '');
  const dead = listed.split('\n').flatMap((line) => {
    const [name = '', owner = ''] = line.split('\t');
    return name !== '' && owner !== '' && !isAlive(Number(owner)) ? [name] : [];
  });
  if (dead.length > 0) await engine.run([...removeCommand(engine), ...dead]).catch(() => {});
  await removeParentGroups((name) => !isAlive(ownerOf(name) ?? process.pid));
  for (const name of await readdir(join(folder, boxesFolder)))
    if (!isAlive(Number.parseInt(name, 10)))
      await removeBoxFolder(join(folder, boxesFolder, name), diskTools);
  for (const name of await readdir(folder))
    if (name.startsWith(sinkPrefix) && !isAlive(Number.parseInt(name.slice(sinkPrefix.length), 10)))
      await rm(join(folder, name), { force: true });
}

/** Users that docker maps are part of the name of its folder. Pure. */
export function mappedUser(dockerFolder: string): number | null {
  const found = /\/(\d+)\.\d+$/.exec(dockerFolder)?.[1];
  return found === undefined ? null : Number(found);
}

/** The user id outside that a box's user 0 maps to; null where boxes have no separate user ids. */
async function firstUserOf(engine: Engine): Promise<number | null> {
  if (engine.name === 'podman') return firstUser;
  return mappedUser(await engine.run(['info', '--format', '{{.DockerRootDir}}']).catch(() => ''));
}

/** Ends what was started beside the engine, and takes the engine's own traces away. */
export async function closeHost(host: ContainerHost): Promise<void> {
  const { supervisor, keeper, ownKernel, parentGroup: own } = host;
  await ownKernel?.threads.close();
  await supervisor?.close();
  await keeper.close();
  if (own !== null) await removeParentGroups((name) => name === own);
}

interface FoundEngine {
  readonly engine: Engine;
  readonly runtime: string | null;
  /** With gVisor's runtime: the kernel of boxes, and the file that says what it is to report. */
  readonly gvisor: { readonly kernel: OwnKernel; readonly configFile: string } | null;
}

/** The kernel that a runtime brings, from the version that the runtime reports; null where boxes have this machine's. */
async function kernelOf(runtime: string): Promise<OwnKernel | null> {
  const version = await output(runtime, ['--version']).catch(() => '');
  const found = /^runsc version (\S+)/.exec(version)?.[1];
  return found === undefined ? null : { name: `gVisor ${found}`, program: await realpath(runtime) };
}

/** Looks for everything that a container needs, and makes one. Never throws. */
export async function probeContainers(
  options: ContainerOptions = {},
): Promise<{ readonly report: SandboxReport; readonly host: ContainerHost | null }> {
  parseGiven(optionsSchema, options, 'options', 'INVALID_CONFIG');
  const checks = createChecks();
  const unusable = () => ({
    report: { backend: 'container', usable: false, checks: checks.list, layers: [] } as const,
    host: null,
  });

  const machine = await checkPlatform(checks);
  if (machine === null) return unusable();
  const { architecture, facts, install } = machine;

  let folder: string;
  try {
    folder = await ownFolder(options.folder ?? defaultFolder());
  } catch (error) {
    checks.fail('engine', {
      cause: `There is no place for containers: ${reasonOf(error)}`,
      remedy: 'Choose a folder for containers that is yours and not below a private one',
    });
    return unusable();
  }
  const found = await findEngine(options, folder, checks, machine);

  const python = await checkPython(checks, machine, options.python);
  const meters = await checkCgroups(checks, options.cgroups);
  if (found?.gvisor && meters.kind === 'none') checks.fail('cgroup', needsCgroups);
  if (!found || !python || checks.hasFailed()) return unusable();
  const { engine, runtime, gvisor } = found;
  const diskTools = await findDiskTools();

  let image: string;
  try {
    await sweep(engine, folder, diskTools);
    if (options.image === undefined) {
      const content = await imageContent(python, [nodeProgram()], folder);
      const made = await ensureImage(engine, content, join(folder, boxesFolder));
      image = made.tag;
      checks.pass(
        'image',
        `${image}, ${made.made ? 'just made of' : 'made before of'} this machine's Python`,
      );
    } else {
      image = options.image;
      await engine.run(['image', 'inspect', '--format', '{{.Id}}', image]);
      checks.pass('image', image);
    }
  } catch (error) {
    checks.fail('image', diagnoseImage(reasonOf(error), engine.name, options.image ?? null, facts));
    return unusable();
  }

  const isRoot = process.getuid?.() === 0;
  const setpriv = isRoot ? await findExecutable(systemPaths('setpriv')) : null;
  const first = isRoot ? await firstUserOf(engine) : null;
  let beside: Beside;
  try {
    const reports = gvisor && { architecture, configFile: gvisor.configFile };
    beside = await startBeside(engine, python.path, reports);
  } catch (error) {
    checks.fail('supervisor', {
      cause: `The processes beside containers cannot be started: ${reasonOf(error)}`,
      remedy: 'Choose a folder for containers with a shorter path',
    });
    return unusable();
  }
  const { keeper, threads } = beside;
  const ownKernel = gvisor && threads ? { ...gvisor.kernel, threads } : null;
  const bare: ContainerHost = {
    architecture,
    engine,
    runtime,
    ownKernel,
    diskTools,
    folder,
    image,
    ofThisMachine: options.image === undefined,
    python,
    meters,
    firstUser: first,
    parentGroup:
      isRoot && engine.name === 'podman' ? parentGroup(process.pid, randomBytes(4).toString('hex')) : null,
    supervisor: null,
    keeper,
  };
  const leftovers: Promise<void>[] = [];
  const tryBox = async (host: ContainerHost): Promise<readonly ProtectionLayer[]> => {
    const box = await openContainerBox(
      host,
      { artifact: { language: 'python', source: '' }, profile: 'STRICT', limits: mergeLimits() },
      (work) => leftovers.push(work),
    );
    await box.close();
    return box.protection;
  };
  const supervisor =
    options.supervisor === false || ownKernel || (isRoot && (setpriv === null || first === null))
      ? null
      : createSupervisor({
          architecture,
          python,
          uid: first === null ? null : first + nobody,
          ...(setpriv === null ? {} : { setpriv }),
        });
  const host: ContainerHost = { ...bare, supervisor };
  try {
    const layers = await tryBox(host).catch(async (error) => {
      if (supervisor === null) throw error;
      await supervisor.close();
      return null;
    });
    if (ownKernel) checks.pass('supervisor', 'forbidden system calls are seen, but not named');
    else if (options.supervisor !== false) {
      if (layers && supervisor) checks.pass('supervisor', 'forbidden system calls are named');
      else
        checks.warn(
          'supervisor',
          'Forbidden system calls are seen but not named, and suites of several processes are refused.',
          setpriv === null && isRoot ? install('util-linux') : 'Use Linux 5.6 or newer',
        );
    }
    const used = layers ? host : bare;
    const measured = layers ?? (await tryBox(bare));
    checks.pass(
      'box',
      ownKernel
        ? `a container with its own kernel, ${ownKernel.name}, was made, looked at from outside and from inside, and destroyed`
        : 'a container was made, looked at from outside and destroyed',
    );
    return {
      report: { backend: 'container', usable: true, checks: checks.list, layers: measured },
      host: used,
    };
  } catch (error) {
    checks.fail('box', diagnoseEngine(reasonOf(error), engine.name, facts));
    await closeHost(host);
    return unusable();
  } finally {
    await Promise.allSettled(leftovers);
  }
}

/** Finds the engine's program and, for podman, the runtime to use. */
async function findEngine(
  options: ContainerOptions,
  folder: string,
  checks: Checks,
  { install }: Machine,
): Promise<FoundEngine | null> {
  const names = options.engine ? [options.engine] : (['podman', 'docker'] as const);
  for (const name of names) {
    const path = await findExecutable(systemPaths(name));
    if (path === null) continue;
    const version = (await output(path, ['--version']).catch(() => '')).replace(/^\D*/, '').split(/[\s,]/)[0];
    checks.pass('engine', `${path}, version ${version}`);
    if (name === 'docker' && options.runtime !== undefined && /runsc|gvisor/i.test(options.runtime)) {
      checks.fail('runtime', noGvisorInDocker(install));
      return null;
    }
    if (name === 'docker')
      return {
        engine: await openDocker(path, options.socket ?? process.env.DOCKER_HOST ?? null, folder),
        runtime: options.runtime ?? null,
        gvisor: null,
      };
    const wanted = options.runtime === undefined ? ['runc', 'crun'] : [options.runtime];
    const runtime = await findExecutable(
      wanted.flatMap((each) => (isAbsolute(each) ? [each] : [`/usr/sbin/${each}`, ...systemPaths(each)])),
    );
    if (runtime === null) {
      checks.fail('runtime', {
        cause: `The OCI runtime ${wanted.join(' or ')} is not installed.`,
        remedy: install(options.runtime ?? 'runc'),
      });
      return null;
    }
    const kernel = await kernelOf(runtime);
    if (kernel === null) {
      checks.pass('runtime', runtime);
      return { engine: await openPodman(path, runtime, folder), runtime: null, gvisor: null };
    }
    checks.pass('runtime', `${runtime}, ${kernel.name}: each box has its own kernel`);
    const configFile = sinkConfig(folder, process.pid, randomBytes(4).toString('hex'));
    return {
      engine: await openPodman(path, runtime, folder, configFile),
      runtime: null,
      gvisor: { kernel, configFile },
    };
  }
  checks.fail('engine', {
    cause: `${names.join(' or ')} is not installed.`,
    remedy: install(names[0] === 'docker' ? 'docker.io' : 'podman runc'),
  });
  return null;
}
