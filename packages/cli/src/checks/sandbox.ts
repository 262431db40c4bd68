import { probeSandbox, type SandboxReport } from '@bonafide/judge-runner';
import type { Check } from './check.ts';

const names: Readonly<Record<SandboxReport['checks'][number]['name'], string>> = {
  platform: 'Sandbox platform',
  bubblewrap: 'bubblewrap',
  prlimit: 'prlimit',
  python: 'Python',
  cgroup: 'cgroups',
  supervisor: 'System calls',
  box: 'Sandbox',
};

const statuses = { ok: 'ok', warning: 'warn', failed: 'fail' } as const;

/** What the judge needs to run a stranger's code; the judge's own probe says it. */
export async function checkSandbox(
  probe: () => Promise<SandboxReport> = probeSandbox,
): Promise<readonly Check[]> {
  const { checks } = await probe();
  return checks.map(({ name, status, detail, remedy }) => ({
    name: names[name],
    status: statuses[status],
    detail,
    remedy,
  }));
}
