import { JudgeError } from '../errors.ts';
import type { SandboxReport } from '../isolation/report.ts';
import type { Sandbox } from '../sandbox.ts';
import { openBox } from './box.ts';
import { probe, type SandboxOptions } from './probe.ts';

/** A sandbox that was found to work, with what was found. */
export interface DetectedSandbox extends Sandbox {
  readonly report: SandboxReport;
}

/**
 * Says what this machine can do to isolate a program and, where something is missing, the line that mends it.
 * Makes one real box. Never throws.
 */
export async function probeSandbox(options?: SandboxOptions): Promise<SandboxReport> {
  const { report, host } = await probe(options);
  await host?.supervisor?.close();
  return report;
}

/**
 * Finds a sandbox that works on this machine (JDG-8). There is none that runs without isolation.
 * @throws JudgeError `SANDBOX_UNAVAILABLE` with the cause and, in `remedy`, one line that mends it.
 */
export async function detectSandbox(options?: SandboxOptions): Promise<DetectedSandbox> {
  const { report, host } = await probe(options);
  if (host === null) {
    const missing = report.checks.filter((check) => check.status === 'failed');
    const remedy = missing.map((check) => check.remedy).find((line) => line !== null) ?? null;
    const cause = missing.map((check) => check.detail).join(' ');
    throw new JudgeError(
      'SANDBOX_UNAVAILABLE',
      `Nothing can be judged on this machine. ${cause}${remedy === null ? '' : ` Remedy: ${remedy}`}`,
      { remedy },
    );
  }
  const pending = new Set<Promise<void>>();
  return {
    name: 'bubblewrap',
    report,
    open: (spec) =>
      openBox(host, spec, (work) => {
        const settled = work.catch(() => {}).finally(() => pending.delete(settled));
        pending.add(settled);
      }),
    async close() {
      await Promise.all(pending);
      await host.supervisor?.close();
    },
  };
}
