import type { Limits } from './limits.ts';
import type { Line } from './line.ts';
import type { CodeArtifact, Language, Profile } from './suite.ts';
import type { SuiteFiles } from './suite-files.ts';
import type { LimitKind, Metrics, ProtectionLayer, Violation } from './verdict.ts';

/** A judge's request for one fresh box. */
export interface BoxSpec {
  /** The artifact, alone in its box unless there are `tests`; null in a tester's box. */
  readonly artifact: CodeArtifact | null;
  /** Test files (path → content) that run in the box. With an artifact: in one process with it. */
  readonly tests?: SuiteFiles;
  /** Files of the suite that the artifact's box has as well: path → content. */
  readonly shared?: SuiteFiles;
  /** The language of the tests; default Python. */
  readonly language?: Language;
  /** Set for a box in which a program is built or run, whose files its launcher is sent; no `artifact` then. */
  readonly program?: 'build' | 'run';
  /** Language of the program, where it is known. */
  readonly programLanguage?: string;
  /** Set for a box in which an archive of a package is unpacked: its content; no `artifact` then. */
  readonly archive?: Uint8Array;
  /** Folders of packages that are shown, read-only: path on this machine → path in the box. */
  readonly layers?: Readonly<Record<string, string>>;
  /** True for a box in which tools read the artifact's text and the artifact does not run. */
  readonly tools?: boolean;
  /** True when the artifact is the suite author's reference, and no judged code runs in the box. */
  readonly oracle?: boolean;
  readonly profile: Profile;
  readonly limits: Limits;
  /** Kills everything in the box as soon as it is aborted. */
  readonly signal?: AbortSignal;
}

/** The result of a box, observed from outside it. */
export interface BoxReport {
  readonly violations: readonly Violation[];
  readonly exceeded: readonly LimitKind[];
  /** Reason why bytes from the box were not valid frames, or null. */
  readonly protocolError: string | null;
  /**
   * Reason why the box itself failed while the artifact was in it, or null. Such a failure is never held
   * against the artifact.
   */
  readonly judgeFailure: string | null;
  /** The program's exit, for a person; null when the box was ended from outside. */
  readonly ending: string | null;
  readonly metrics: Metrics;
  /** First 4 KiB of each. */
  readonly stdout: string;
  readonly stderr: string;
}

/** A running box. The artifact has not been loaded yet: its protection was measured first. */
export interface Box {
  /** Protection of this box, measured from outside. */
  readonly protection: readonly ProtectionLayer[];
  /**
   * Sends one line and waits for one line. A line is a text or, where it is long, bytes in pieces, so that only who reads it
   * need decode it. Null when the box ended, was ended, or broke the framing (an unrequested line, or one beyond the limit):
   * then no further line follows, and `close()` reports the reason.
   */
  request(line: Line): Promise<Line | null>;
  /** Ends the box, waits until everything in it is dead and its traces are gone, and reports. */
  close(): Promise<BoxReport>;
}

/**
 * Something that runs a program in isolation. An implementation refuses, by throwing a `JudgeError`,
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
