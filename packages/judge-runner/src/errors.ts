import { BonafideError } from '@bonafide/internal';

/**
 * - `SANDBOX_UNAVAILABLE`: this machine cannot isolate a program; `remedy` is one line that mends it.
 * - `INFRA`: the judge itself failed (its self-test, a mount, a missing file). Never the artifact's fault; try again.
 * - `SUITE_INVALID`, `ARTIFACT_INVALID`: the input does not have the documented shape.
 * - `INVALID_CONFIG`: an option of `createJudge` is out of range.
 * - `INVALID_INPUT`: limits or fresh cases that a run asks for are out of range.
 * - `SUITE_UNSUPPORTED`: the suite asks for something that this version cannot express or watch exactly.
 * - `ENVIRONMENT_MISSING`: the packages that the suite declares have not been built; `remedy` says how.
 * - `ENVIRONMENT_FAILED`: declared packages cannot be downloaded or unpacked.
 * - `COMMITMENT_MISMATCH`: the suite is not the one that the commitment was made over.
 * - `CLOSED`: the judge was closed.
 * - `RUNTIME_TOO_OLD`: `createJudge` needs Node 22.13 or newer.
 */
export type JudgeErrorCode =
  | 'SANDBOX_UNAVAILABLE'
  | 'INFRA'
  | 'INVALID_CONFIG'
  | 'INVALID_INPUT'
  | 'SUITE_INVALID'
  | 'SUITE_UNSUPPORTED'
  | 'ARTIFACT_INVALID'
  | 'ENVIRONMENT_MISSING'
  | 'ENVIRONMENT_FAILED'
  | 'COMMITMENT_MISMATCH'
  | 'CLOSED'
  | 'RUNTIME_TOO_OLD';

/** Error thrown by judge-runner. An artifact's behaviour never throws: it ends in a verdict. */
export class JudgeError extends BonafideError<JudgeErrorCode> {
  /** One line that a person can type or do to mend it, where one is known. */
  readonly remedy: string | null;

  constructor(
    code: JudgeErrorCode,
    message: string,
    options?: { readonly cause?: unknown; readonly remedy?: string | null },
  ) {
    super(code, message, options);
    this.remedy = options?.remedy ?? null;
  }
}
