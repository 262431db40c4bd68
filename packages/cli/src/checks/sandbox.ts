import { probeContainerSandbox, probeSandbox, type SandboxReport } from '@bonafide/judge-runner';
import { type BackendOptions, containerOptions } from '../commands/judge/backend.ts';
import type { Check } from './check.ts';

const names: Readonly<Record<SandboxReport['checks'][number]['name'], string>> = {
  platform: 'Sandbox platform',
  bubblewrap: 'bubblewrap',
  prlimit: 'prlimit',
  engine: 'Container engine',
  runtime: 'Container runtime',
  python: 'Python',
  cgroup: 'cgroups',
  image: 'Container image',
  supervisor: 'System calls',
  box: 'Sandbox',
};

const statuses = { ok: 'ok', warning: 'warn', failed: 'fail' } as const;

function probeOf(options: BackendOptions): Promise<SandboxReport> {
  const containers = containerOptions(options);
  return options.backend === 'container' ? probeContainerSandbox(containers) : probeSandbox();
}

/** Runs the judge's probe of the sandbox. */
export async function checkSandbox(
  options: BackendOptions,
  probe: (options: BackendOptions) => Promise<SandboxReport> = probeOf,
): Promise<readonly Check[]> {
  const { checks } = await probe(options);
  return checks.map(({ name, status, detail, remedy }) => ({
    name: names[name],
    status: statuses[status],
    detail,
    remedy,
  }));
}
