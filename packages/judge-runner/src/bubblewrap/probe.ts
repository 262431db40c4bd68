import * as z from 'zod';
import { JudgeError } from '../errors.ts';
import { cgroupsSchema, parseGiven, pathSchema } from '../host-options.ts';
import { checkCgroups, checkPlatform, checkPython, createChecks } from '../isolation/checks.ts';
import { findExecutable, isAtLeast, output, systemPaths } from '../isolation/machine.ts';
import { nobody } from '../isolation/plan.ts';
import type { SandboxReport } from '../isolation/report.ts';
import { createSupervisor } from '../isolation/supervisor.ts';
import { mergeLimits } from '../limits.ts';
import type { ProtectionLayer } from '../verdict.ts';
import { openBox } from './box.ts';
import { diagnoseRefusal } from './diagnose.ts';
import { closeHost, type Host } from './host.ts';
import { createOwnFiles } from './own-files.ts';

/** Overrides for detection. Every field is optional and detected by default. */
export interface SandboxOptions {
  /** `auto` (default) takes cgroup v2, else v1, else none; `none` never uses them. */
  readonly cgroups?: 'auto' | 'v1' | 'v2' | 'none';
  /** Path of the Python that programs are judged with, below /usr. Default: the system's own. */
  readonly python?: string;
  /** False leaves the supervisor of system calls out: forbidden calls are then seen, but not named. Default true. */
  readonly supervisor?: boolean;
}

const optionsSchema = z.strictObject({
  cgroups: cgroupsSchema,
  python: pathSchema.optional(),
  supervisor: z.boolean().optional(),
});

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Looks for everything that a box needs, and makes one. Never throws. */
export async function probe(
  options: SandboxOptions = {},
): Promise<{ readonly report: SandboxReport; readonly host: Host | null }> {
  parseGiven(optionsSchema, options, 'options', 'INVALID_CONFIG');
  const checks = createChecks();
  const unusable = () => ({
    report: { backend: 'bubblewrap', usable: false, checks: checks.list, layers: [] } as const,
    host: null,
  });

  const machine = await checkPlatform(checks);
  if (machine === null) return unusable();
  const { architecture, facts, install } = machine;

  const bwrap = await findExecutable(systemPaths('bwrap'));
  const version = bwrap
    ? (await output(bwrap, ['--version']).catch(() => '')).replace(/^bubblewrap\s*/, '')
    : '';
  if (!bwrap)
    checks.fail('bubblewrap', { cause: 'bubblewrap is not installed.', remedy: install('bubblewrap') });
  else if (!isAtLeast(version, [0, 8]))
    checks.fail('bubblewrap', {
      cause: `bubblewrap ${version} is too old; 0.8 is needed.`,
      remedy: install('bubblewrap'),
    });
  else checks.pass('bubblewrap', `${bwrap}, version ${version}`);

  const prlimit = await findExecutable(systemPaths('prlimit'));
  if (prlimit) checks.pass('prlimit', prlimit);
  else checks.fail('prlimit', { cause: 'prlimit is not installed.', remedy: install('util-linux') });

  const python = await checkPython(checks, machine, options.python);
  const meters = await checkCgroups(checks, options.cgroups);

  if (!bwrap || !prlimit || !python || checks.hasFailed()) return unusable();

  const bare: Host = {
    architecture,
    bwrap,
    prlimit,
    python,
    meters,
    uid: process.getuid?.() === 0 ? nobody : null,
    supervisor: null,
    own: createOwnFiles(),
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
    if (layers && host.supervisor) checks.pass('supervisor', 'forbidden system calls are named');
    else if (host.supervisor)
      checks.warn(
        'supervisor',
        'Forbidden system calls are seen but not named, and suites of several processes are refused.',
        'Use Linux 5.6 or newer',
      );
    checks.pass('box', 'a box was made, looked at from outside and destroyed');
    return {
      report: { backend: 'bubblewrap', usable: true, checks: checks.list, layers: measured },
      host: layers ? host : bare,
    };
  } catch (error) {
    const said = error instanceof JudgeError ? error.message : reasonOf(error);
    checks.fail('box', diagnoseRefusal(said, facts));
    await closeHost(bare);
    return unusable();
  } finally {
    await Promise.allSettled(leftovers);
  }
}
