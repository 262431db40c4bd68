import { JudgeError } from '../errors.ts';
import { detectCgroups } from '../isolation/cgroup.ts';
import { type Diagnosis, diagnosePlatform, installCommand } from '../isolation/diagnosis.ts';
import {
  findExecutable,
  inspectPython,
  isAtLeast,
  machineFacts,
  output,
  systemPaths,
} from '../isolation/machine.ts';
import { nobody } from '../isolation/plan.ts';
import { pollingSource } from '../isolation/polling.ts';
import type { SandboxCheck, SandboxReport } from '../isolation/report.ts';
import { createSupervisor } from '../isolation/supervisor.ts';
import { mergeLimits } from '../limits.ts';
import type { ProtectionLayer } from '../verdict.ts';
import { openBox } from './box.ts';
import { diagnoseRefusal } from './diagnose.ts';
import type { Host } from './host.ts';

/** What to look for; everything is found by itself. */
export interface SandboxOptions {
  /** `auto` (default) takes cgroup v2, else v1, else none; `none` never uses them. */
  readonly cgroups?: 'auto' | 'v1' | 'v2' | 'none';
  /** Path of the Python that programs are judged with, below /usr. Default: the system's own. */
  readonly python?: string;
  /** False leaves the supervisor of system calls out: forbidden calls are then seen, but not named. Default true. */
  readonly supervisor?: boolean;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Looks for everything that a box needs, and makes one. Never throws. */
export async function probe(
  options: SandboxOptions = {},
): Promise<{ readonly report: SandboxReport; readonly host: Host | null }> {
  const checks: SandboxCheck[] = [];
  const pass = (name: SandboxCheck['name'], detail: string) =>
    checks.push({ name, status: 'ok', detail, remedy: null });
  const fail = (name: SandboxCheck['name'], { cause, remedy }: Diagnosis) =>
    checks.push({ name, status: 'failed', detail: cause, remedy });
  const unusable = () => ({
    report: { backend: 'bubblewrap', usable: false, checks, layers: [] } as const,
    host: null,
  });

  const facts = await machineFacts();
  const platform = diagnosePlatform(facts);
  if (platform) {
    fail('platform', platform);
    return unusable();
  }
  pass('platform', `Linux on ${facts.architecture}`);
  const install = (packages: string) => installCommand(facts.osRelease, packages);

  const bwrap = await findExecutable(systemPaths('bwrap'));
  const version = bwrap
    ? (await output(bwrap, ['--version']).catch(() => '')).replace(/^bubblewrap\s*/, '')
    : '';
  if (!bwrap) fail('bubblewrap', { cause: 'bubblewrap is not installed.', remedy: install('bubblewrap') });
  else if (!isAtLeast(version, [0, 8]))
    fail('bubblewrap', {
      cause: `bubblewrap ${version} is too old; 0.8 is needed.`,
      remedy: install('bubblewrap'),
    });
  else pass('bubblewrap', `${bwrap}, version ${version}`);

  const prlimit = await findExecutable(systemPaths('prlimit'));
  if (prlimit) pass('prlimit', prlimit);
  else fail('prlimit', { cause: 'prlimit is not installed.', remedy: install('util-linux') });

  const pythonPath = await findExecutable(options.python ? [options.python] : systemPaths('python3'));
  const python = pythonPath ? await inspectPython(pythonPath).catch(() => null) : null;
  if (!python?.path.startsWith('/usr/'))
    fail('python', {
      cause: python
        ? `${python.path} is outside /usr, which is all that a box is shown.`
        : 'There is no Python.',
      remedy: install('python3'),
    });
  else if (!isAtLeast(python.version, [3, 9]))
    fail('python', {
      cause: `Python ${python.version} is too old; 3.9 is needed.`,
      remedy: install('python3'),
    });
  else pass('python', `${python.path}, version ${python.version}`);

  const wanted = options.cgroups ?? 'auto';
  const found = wanted === 'none' ? null : await detectCgroups(wanted);
  const meters = found ?? pollingSource;
  if (found) pass('cgroup', found.detail);
  else if (wanted === 'v1' || wanted === 'v2')
    fail('cgroup', {
      cause: `No cgroup ${wanted} can be made here.`,
      remedy: "Leave the option 'cgroups' on auto",
    });
  else
    checks.push({
      name: 'cgroup',
      status: 'warning',
      detail: meters.detail,
      remedy: 'systemd-run --user --scope -p Delegate=yes <command>',
    });

  if (!bwrap || !prlimit || !python || checks.some((check) => check.status === 'failed')) return unusable();

  const bare: Host = {
    architecture: process.arch === 'arm64' ? 'arm64' : 'x64',
    bwrap,
    prlimit,
    python,
    meters,
    uid: process.getuid?.() === 0 ? nobody : null,
    supervisor: null,
  };
  const leftovers: Promise<void>[] = [];
  const tryBox = async (host: Host): Promise<readonly ProtectionLayer[]> => {
    const box = await openBox(
      host,
      { artifact: { language: 'python', source: '' }, profile: 'STRICT', limits: mergeLimits() },
      (work) => leftovers.push(work),
    );
    await box.close();
    return box.protection;
  };
  const host: Host = { ...bare, supervisor: options.supervisor === false ? null : createSupervisor(bare) };
  try {
    const layers = await tryBox(host).catch(async (error) => {
      if (host.supervisor === null) throw error;
      // Kernels before 5.6, or a container that keeps descriptors from being taken over.
      await host.supervisor.close();
      return null;
    });
    // Without it a box must be possible, else it is not the supervisor that is missing.
    const measured = layers ?? (await tryBox(bare));
    if (layers && host.supervisor) pass('supervisor', 'forbidden system calls are named');
    else if (host.supervisor)
      checks.push({
        name: 'supervisor',
        status: 'warning',
        detail: 'Forbidden system calls are seen but not named, and suites of several processes are refused.',
        remedy: 'Use Linux 5.6 or newer',
      });
    pass('box', 'a box was made, looked at from outside and destroyed');
    return {
      report: { backend: 'bubblewrap', usable: true, checks, layers: measured },
      host: layers ? host : bare,
    };
  } catch (error) {
    const said = error instanceof JudgeError ? error.message : reasonOf(error);
    fail('box', diagnoseRefusal(said, facts));
    return unusable();
  } finally {
    await Promise.allSettled(leftovers);
  }
}
