import { canonicalJson, isBonafideError } from '@bonafide/internal';
import { eventId } from '../signing/nostr-event.ts';
import { sha256, verifySchnorr } from '../signing/schnorr.ts';
import { algorithmVersion } from '../trust-score.ts';
import { parseTrustReport } from './report.ts';
import { digestsOf, reportEvent, unsealed } from './sign-report.ts';

/** The result of {@link verifyTrustReport}. */
export interface ReportVerification {
  /**
   * `valid`; `tampered`: what was signed is not what is there; `wrong_key`: the signature is not that of `signed_by`, or
   * that is not who was expected; `unknown_version`: valid, but by an algorithm that this package cannot recompute;
   * `malformed`: no trust report.
   */
  readonly status: 'valid' | 'tampered' | 'wrong_key' | 'unknown_version' | 'malformed';
  /** Paths of what was changed, added or taken away, e.g. `factors.uptime.score`. */
  readonly fields: readonly string[];
  /** Public key that is stated as the signer; null when malformed. */
  readonly signedBy: string | null;
  /** Human-readable explanation. */
  readonly message: string;
}

/** Options of {@link verifyTrustReport}. */
export interface VerifyOptions {
  /**
   * Public key that must have signed, 64 hex digits. Without it the report proves only that the holder of
   * `signedBy` stated it.
   */
  readonly expectedSigner?: string;
  /** Versions that are known. @default that of this package */
  readonly algorithmVersions?: readonly string[];
}

/** Paths at which two lists of digests differ. */
function changed(
  stated: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = new Set([...Object.keys(stated), ...Object.keys(actual)]);
  return [...paths].filter((path) => stated[path] !== actual[path]).toSorted();
}

function check(input: unknown, options: VerifyOptions): ReportVerification {
  // Parsed to know that it is a report, and verified as it was given: unknown members are signed too.
  const report = parseTrustReport(input);
  const { verification: seal } = report;
  const signedBy = seal.signed_by;
  const result = (status: ReportVerification['status'], message: string, fields: readonly string[] = []) => ({
    status,
    fields,
    signedBy,
    message,
  });
  const body = unsealed(report);
  const fields = changed(seal.digests, digestsOf(body));
  if (!verifySchnorr(seal.signature, seal.event_id, signedBy))
    return result('wrong_key', `The signature is not that of ${signedBy}`, fields);
  const isSigned = eventId(reportEvent(report, seal), signedBy) === seal.event_id;
  const isWhole = fields.length === 0 && sha256(canonicalJson(body)) === seal.sha256;
  if (!isSigned || !isWhole) {
    // The digests themselves, the date or the address were changed: then no path of the document differs.
    const named = fields.length === 0 ? ['verification'] : fields;
    return result('tampered', `Not what was signed: ${named.join(', ')}`, named);
  }
  const { expectedSigner = signedBy, algorithmVersions = [algorithmVersion] } = options;
  if (expectedSigner !== signedBy)
    return result('wrong_key', `Signed by ${signedBy}, not by ${expectedSigner}`);
  if (!algorithmVersions.includes(report.algorithm_version))
    return result('unknown_version', `Version ${report.algorithm_version} of the algorithm is not known`);
  return result('valid', `Signed by ${signedBy}, and unchanged`);
}

/**
 * Verifies that a report is unchanged since it was signed, and names changed values. It does not check the
 * numbers: that is `auditTrustScore`. Never throws.
 */
export function verifyTrustReport(report: unknown, options: VerifyOptions = {}): ReportVerification {
  try {
    return check(report, options);
  } catch (error) {
    if (!isBonafideError(error) && !(error instanceof TypeError)) throw error;
    return { status: 'malformed', fields: [], signedBy: null, message: error.message };
  }
}
