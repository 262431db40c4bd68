import { JudgeError } from '../errors.ts';
import type { Box, BoxSpec, Sandbox } from '../sandbox.ts';
import type { SandboxReport } from './report.ts';

/** A sandbox that was found to work, with what was found. */
export interface ReportedSandbox extends Sandbox {
  readonly report: SandboxReport;
}

/** A backend's parts for making boxes. */
export interface Backing {
  readonly name: string;
  /** Makes a box; `later` takes what is still cleared away when the box is closed already. */
  open(spec: BoxSpec, later: (work: Promise<void>) => void): Promise<Box>;
  close(): Promise<void>;
}

/** The sandbox of a backend: closing it waits until every box has left nothing behind. */
export function usableSandbox(report: SandboxReport, backing: Backing): ReportedSandbox {
  const pending = new Set<Promise<void>>();
  return {
    name: backing.name,
    report,
    open: (spec) =>
      backing.open(spec, (work) => {
        const settled = work.catch(() => {}).finally(() => pending.delete(settled));
        pending.add(settled);
      }),
    async close() {
      while (pending.size > 0) await Promise.all(pending);
      await backing.close();
    },
  };
}

/** The error that says why nothing can be judged, and the first line that mends it. */
export function unavailable(where: string, { checks }: SandboxReport): JudgeError {
  const missing = checks.filter((check) => check.status === 'failed');
  const remedy = missing.map((check) => check.remedy).find((line) => line !== null) ?? null;
  const cause = missing.map((check) => check.detail).join(' ');
  return new JudgeError(
    'SANDBOX_UNAVAILABLE',
    `Nothing can be judged ${where}. ${cause}${remedy === null ? '' : ` Remedy: ${remedy}`}`,
    { remedy },
  );
}
