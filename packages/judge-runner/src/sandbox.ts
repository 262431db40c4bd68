import type { Limits } from './limits.ts';
import type { Artifact, Language, Profile } from './suite.ts';
import type { LimitKind, Metrics, ProtectionLayer, Violation } from './verdict.ts';

/** What a judge asks a sandbox for: one fresh box. */
export interface BoxSpec {
  /** What is judged, alone in its box unless there are `tests`; null in a tester's box. */
  readonly artifact: Artifact | null;
  /** When given, these test files (path → content) run in the box. With an artifact: in one process with it. */
  readonly tests?: Readonly<Record<string, string>>;
  /** The language of the tests; default Python. */
  readonly language?: Language;
  /** When true, tools that read the artifact's text run in the box, and the artifact does not. */
  readonly tools?: boolean;
  /** When true, the artifact is the reference of the suite's author, and nothing that is judged runs in the box. */
  readonly oracle?: boolean;
  readonly profile: Profile;
  readonly limits: Limits;
  /** Kills everything in the box as soon as it is aborted. */
  readonly signal?: AbortSignal;
}

/** What came of a box, observed from outside it. */
export interface BoxReport {
  readonly violations: readonly Violation[];
  readonly exceeded: readonly LimitKind[];
  /** Why the bytes from the box are no frames, or null. */
  readonly protocolError: string | null;
  /** Why the box itself failed while the artifact was in it, or null: nothing may be held against the artifact then. */
  readonly judgeFailure: string | null;
  /** How the program in it ended, for a person; null when the box was ended from outside. */
  readonly ending: string | null;
  readonly metrics: Metrics;
  /** First 4 KiB of each. */
  readonly stdout: string;
  readonly stderr: string;
}

/** A running box. The artifact has not been loaded yet: its protection was measured first. */
export interface Box {
  /** What is in force in this box, measured from outside. */
  readonly protection: readonly ProtectionLayer[];
  /**
   * Sends one line and waits for one line. Null when the box ended, was ended, or broke the framing (a line
   * that nobody asked for, one beyond the limit): then nothing more will come, and `close()` says why.
   */
  request(line: string): Promise<string | null>;
  /** Ends the box, waits until everything in it is dead and its traces are gone, and reports. */
  close(): Promise<BoxReport>;
}

/**
 * Something that runs a program in isolation (JDG-8). An implementation refuses, by throwing a `JudgeError`,
 * rather than run anything with less protection than it reports.
 */
export interface Sandbox {
  readonly name: string;
  /**
   * Makes a fresh box.
   * @throws JudgeError `INFRA` when the box cannot be made; the signal's reason when it is aborted.
   */
  open(spec: BoxSpec): Promise<Box>;
  /** Waits until nothing that this sandbox made is left on the machine. */
  close(): Promise<void>;
}
