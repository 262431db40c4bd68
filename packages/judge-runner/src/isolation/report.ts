import type { ProtectionLayer } from '../verdict.ts';

/** Name of the isolation mechanism. */
export type Backend = 'bubblewrap' | 'container';

/** One thing that a usable sandbox needs or profits from. */
export interface SandboxCheck {
  readonly name:
    | 'platform'
    | 'bubblewrap'
    | 'prlimit'
    | 'engine'
    | 'runtime'
    | 'python'
    | 'cgroup'
    | 'image'
    | 'supervisor'
    | 'box';
  /** `warning`: it works without, less exactly. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** One line that a person can type or do; null when nothing need be done. */
  readonly remedy: string | null;
}

/** Isolation capabilities of this machine. Shown by `bonafide doctor`. */
export interface SandboxReport {
  readonly backend: Backend;
  /** True when programs can be judged here. */
  readonly usable: boolean;
  readonly checks: readonly SandboxCheck[];
  /** Layers of protection as measured around a real box; empty when none could be made. */
  readonly layers: readonly ProtectionLayer[];
}
