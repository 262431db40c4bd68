import { JudgeError } from '../errors.ts';
import type { SandboxReport } from '../isolation/report.ts';
import type { Sandbox } from '../sandbox.ts';
import { openContainerBox } from './box.ts';
import { type ContainerOptions, closeHost, probeContainers } from './probe.ts';

/** A sandbox of containers that was found to work, with what was found. */
export interface ContainerSandbox extends Sandbox {
  readonly report: SandboxReport;
}

/**
 * Says what this machine can do to isolate a program in a container and, where something is missing, the line that
 * mends it. Makes an image when there is none yet, and one real box. Never throws.
 */
export async function probeContainerSandbox(options?: ContainerOptions): Promise<SandboxReport> {
  const { report, host } = await probeContainers(options);
  if (host) await closeHost(host);
  return report;
}

/**
 * A sandbox that puts every box into a container of podman or docker (JDG-8). Its image is made from this machine's
 * own Python: nothing is fetched.
 * @throws JudgeError `SANDBOX_UNAVAILABLE` with the cause and, in `remedy`, one line that mends it.
 */
export async function createContainerSandbox(options?: ContainerOptions): Promise<ContainerSandbox> {
  const { report, host } = await probeContainers(options);
  if (host === null) {
    const missing = report.checks.filter((check) => check.status === 'failed');
    const remedy = missing.map((check) => check.remedy).find((line) => line !== null) ?? null;
    const cause = missing.map((check) => check.detail).join(' ');
    throw new JudgeError(
      'SANDBOX_UNAVAILABLE',
      `Nothing can be judged in containers on this machine. ${cause}${remedy === null ? '' : ` Remedy: ${remedy}`}`,
      { remedy },
    );
  }
  const pending = new Set<Promise<void>>();
  return {
    name: `container (${host.engine.name})`,
    report,
    open: (spec) =>
      openContainerBox(host, spec, (work) => {
        const settled = work.catch(() => {}).finally(() => pending.delete(settled));
        pending.add(settled);
      }),
    async close() {
      while (pending.size > 0) await Promise.all(pending);
      await closeHost(host);
    },
  };
}
