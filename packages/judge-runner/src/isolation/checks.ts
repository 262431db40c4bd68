import { detectCgroups } from './cgroup.ts';
import { type Diagnosis, diagnosePlatform, installCommand, type MachineFacts } from './diagnosis.ts';
import {
  findExecutable,
  inspectPython,
  isAtLeast,
  machineFacts,
  type PythonHost,
  systemPaths,
} from './machine.ts';
import type { MeterSource } from './meter.ts';
import { pollingSource } from './polling.ts';
import type { SandboxCheck } from './report.ts';

type CheckName = SandboxCheck['name'];

/** Results of the checks, in order. */
export interface Checks {
  readonly list: readonly SandboxCheck[];
  pass(name: CheckName, detail: string): void;
  /** It works without, less exactly. */
  warn(name: CheckName, detail: string, remedy: string): void;
  fail(name: CheckName, diagnosis: Diagnosis): void;
  hasFailed(): boolean;
}

export function createChecks(): Checks {
  const list: SandboxCheck[] = [];
  return {
    list,
    pass: (name, detail) => void list.push({ name, status: 'ok', detail, remedy: null }),
    warn: (name, detail, remedy) => void list.push({ name, status: 'warning', detail, remedy }),
    fail: (name, { cause, remedy }) => void list.push({ name, status: 'failed', detail: cause, remedy }),
    hasFailed: () => list.some(({ status }) => status === 'failed'),
  };
}

/** A machine that boxes can be made on at all, and how packages are installed there. */
export interface Machine {
  readonly facts: MachineFacts;
  readonly architecture: 'x64' | 'arm64';
  /** The line that installs packages, named as Debian does. */
  readonly install: (packages: string) => string;
}

/** Null where nothing can be judged, regardless of installed packages. */
export async function checkPlatform(checks: Checks): Promise<Machine | null> {
  const facts = await machineFacts();
  const diagnosis = diagnosePlatform(facts);
  if (diagnosis) {
    checks.fail('platform', diagnosis);
    return null;
  }
  checks.pass('platform', `Linux on ${facts.architecture}`);
  return {
    facts,
    architecture: process.arch === 'arm64' ? 'arm64' : 'x64',
    install: (packages) => installCommand(facts.osRelease, packages),
  };
}

/** The Python that programs are judged with; null when it will not do. */
export async function checkPython(
  checks: Checks,
  { install }: Machine,
  wanted: string | undefined,
): Promise<PythonHost | null> {
  const path = await findExecutable(wanted ? [wanted] : systemPaths('python3'));
  const python = path ? await inspectPython(path).catch(() => null) : null;
  const cause = !python
    ? 'There is no Python.'
    : !python.path.startsWith('/usr/')
      ? `${python.path} is outside /usr, which is all that a box is shown.`
      : !isAtLeast(python.version, [3, 9])
        ? `Python ${python.version} is too old; 3.9 is needed.`
        : null;
  if (!python || cause !== null) {
    checks.fail('python', { cause: cause ?? '', remedy: install('python3') });
    return null;
  }
  checks.pass('python', `${python.path}, version ${python.version}`);
  return python;
}

/** Returns the meter of boxes: cgroups where they can be created, else polling, which is less exact. */
export async function checkCgroups(
  checks: Checks,
  wanted: 'auto' | 'v1' | 'v2' | 'none' = 'auto',
): Promise<MeterSource> {
  const found = wanted === 'none' ? null : await detectCgroups(wanted);
  if (found) {
    checks.pass('cgroup', found.detail);
    return found;
  }
  if (wanted === 'v1' || wanted === 'v2')
    checks.fail('cgroup', {
      cause: `No cgroup ${wanted} can be made here.`,
      remedy: "Leave the option 'cgroups' on auto",
    });
  else checks.warn('cgroup', pollingSource.detail, 'systemd-run --user --scope -p Delegate=yes <command>');
  return pollingSource;
}
