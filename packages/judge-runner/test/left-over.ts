import { readdirSync, readFileSync } from 'node:fs';
import type { DetectedSandbox } from '../src/index.ts';

/** A file size that nothing else on this machine is limited to: every process of our boxes inherits it, however orphaned. */
export const telltaleBytes = 4096 * (5000 + process.pid);

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const processesLeft = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/limits`).includes(` ${telltaleBytes + 4096} `))
    // What is dead and only waits for its parent to notice runs nothing any more.
    .filter((pid) => !/^State:\s+Z/m.test(read(`/proc/${pid}/status`)))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);

function groupsLeft(sandbox: DetectedSandbox): string[] {
  const found = sandbox.report.checks.find((check) => check.name === 'cgroup' && check.status === 'ok');
  const folders = (found?.detail ?? '').replace(/^version \d: /, '').split(', ');
  return folders
    .filter(Boolean)
    .flatMap((folder) =>
      readdirSync(folder).filter((name) => name.startsWith(`bonafide-judge-${process.pid}-`)),
    );
}

/**
 * Processes and cgroups of boxes with `diskBytes: telltaleBytes` that are still there after a minute; mostly nothing is
 * left after some milliseconds.
 */
export async function leftOver(sandbox: DetectedSandbox): Promise<readonly string[]> {
  const begun = performance.now();
  for (;;) {
    const left = [...processesLeft(), ...groupsLeft(sandbox)];
    if (left.length === 0 || performance.now() - begun > 60_000) return left;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
