import type { SandboxReport } from '../isolation/report.ts';
import { type ReportedSandbox, unavailable, usableSandbox } from '../isolation/usable-sandbox.ts';
import { openContainerBox } from './box.ts';
import { type ContainerOptions, closeHost, probeContainers } from './probe.ts';

/** A sandbox of containers that was found to work, with what was found. */
export type ContainerSandbox = ReportedSandbox;

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
 * A sandbox that puts every box into a container of podman or docker. Its image is made from this machine's
 * own Python: nothing is fetched.
 * @throws JudgeError `SANDBOX_UNAVAILABLE` with the cause and, in `remedy`, one line that mends it.
 */
export async function createContainerSandbox(options?: ContainerOptions): Promise<ContainerSandbox> {
  const { report, host } = await probeContainers(options);
  if (host === null) throw unavailable('in containers on this machine', report);
  return usableSandbox(report, {
    name: `container (${host.engine.name})`,
    open: (spec, later) => openContainerBox(host, spec, later),
    close: () => closeHost(host),
  });
}
