import type { SandboxReport } from '../isolation/report.ts';
import { type ReportedSandbox, unavailable, usableSandbox } from '../isolation/usable-sandbox.ts';
import { openBox } from './box.ts';
import { closeHost } from './host.ts';
import { probe, type SandboxOptions } from './probe.ts';

/** A sandbox that was found to work, with what was found. */
export type DetectedSandbox = ReportedSandbox;

/**
 * Says what this machine can do to isolate a program and, where something is missing, the line that mends it.
 * Makes one real box. Never throws.
 */
export async function probeSandbox(options?: SandboxOptions): Promise<SandboxReport> {
  const { report, host } = await probe(options);
  if (host !== null) await closeHost(host);
  return report;
}

/**
 * Finds a sandbox that works on this machine. There is none that runs without isolation.
 * @throws JudgeError `SANDBOX_UNAVAILABLE` with the cause and, in `remedy`, one line that mends it.
 */
export async function detectSandbox(options?: SandboxOptions): Promise<DetectedSandbox> {
  const { report, host } = await probe(options);
  if (host === null) throw unavailable('on this machine', report);
  return usableSandbox(report, {
    name: 'bubblewrap',
    open: (spec, later) => openBox(host, spec, later),
    close: () => closeHost(host),
  });
}
