import { canonicalJson, isBonafideError } from '@bonafide/internal';
import { isSameAgent, keyOf } from '../identity.ts';
import { anything, optional, optionsOf, text, time } from '../input.ts';
import { resolvePolicy, type TrustPolicy } from '../policy/trust-policy.ts';
import { eventId } from '../signing/nostr-event.ts';
import { sha256, verifySchnorr } from '../signing/schnorr.ts';
import { parseTrustReport, type TrustReport } from './schema.ts';
import { digestsOf, reportEvent, unsignedPart } from './sign-report.ts';
import { termDisagreements } from './terms.ts';

/** The result of {@link verifyTrustReport}. */
export interface ReportVerification {
  /**
   * - `valid`: unchanged since it was signed, by an acceptable key, at an acceptable time, on the policy's terms.
   * - `tampered`: the document is not what was signed.
   * - `wrong_key`: the signature is not that of `signed_by`, or `signed_by` is not the expected signer.
   * - `wrong_subject`: the report is about another agent than expected.
   * - `expired`: older than the policy accepts.
   * - `future`: dated later than `now`.
   * - `policy_violation`: the report sets its own terms (weights, validity, agreement) beyond the policy.
   * - `unknown_version`: computed by an algorithm that this package cannot recompute.
   * - `malformed`: not a trust report.
   */
  readonly status:
    | 'valid'
    | 'tampered'
    | 'wrong_key'
    | 'wrong_subject'
    | 'expired'
    | 'future'
    | 'policy_violation'
    | 'unknown_version'
    | 'malformed';
  /** Paths of changed, added or removed values, or of terms beyond the policy, e.g. `factors.uptime.weight`. */
  readonly fields: readonly string[];
  /** Public key that is stated as the signer; null when malformed. */
  readonly signedBy: string | null;
  /**
   * True when the signer is bound to the subject: the subject is the signer's public key, or the caller named the signer.
   * When false, the report proves only that the holder of `signedBy` made statements about a name.
   */
  readonly bound: boolean;
  /** Human-readable explanation. */
  readonly message: string;
}

/** Options of {@link verifyTrustReport}. */
export interface VerifyOptions {
  /** Rules of the verifier. Members that are left out are those of `strictTrustPolicy`. @default strictTrustPolicy */
  readonly policy?: Partial<TrustPolicy>;
  /** Agent that the report must be about: its id, or its public key in hex or npub form. */
  readonly subject?: string;
  /** Public key that must have signed, in hex or npub form. It may differ from the subject's. */
  readonly signer?: string;
  /** ms since epoch. @default Date.now() */
  readonly now?: number;
}

const verifyOptions = optionsOf({
  policy: anything,
  subject: optional(text),
  signer: optional(text),
  now: optional(time),
});

/** Lists paths at which two sets of digests differ. */
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
  const { verification } = report;
  const signedBy = verification.signed_by;
  const subjectKey = keyOf(report.agent_id);
  const bound =
    options.signer !== undefined ? isSameAgent(options.signer, signedBy) : subjectKey === signedBy;
  const result = (status: ReportVerification['status'], message: string, fields: readonly string[] = []) => ({
    status,
    fields,
    signedBy,
    bound,
    message,
  });
  const body = unsignedPart(report);
  const fields = changed(verification.digests, digestsOf(body));
  if (!verifySchnorr(verification.signature, verification.event_id, signedBy))
    return result('wrong_key', `The signature is not that of ${signedBy}.`, fields);
  const isSigned = eventId(reportEvent(report, verification), signedBy) === verification.event_id;
  const isWhole = fields.length === 0 && sha256(canonicalJson(body)) === verification.sha256;
  if (!isSigned || !isWhole) {
    // The digests themselves, the date or the address were changed: then no path of the document differs.
    const named = fields.length === 0 ? ['verification'] : fields;
    return result('tampered', `Changed after signing: ${named.join(', ')}.`, named);
  }
  return checkPolicy(report, options, { result, bound, subjectKey });
}

/** Checks an unchanged report against the verifier's rules. */
function checkPolicy(
  report: TrustReport,
  options: VerifyOptions,
  known: {
    readonly result: (
      status: ReportVerification['status'],
      message: string,
      fields?: readonly string[],
    ) => ReportVerification;
    readonly bound: boolean;
    readonly subjectKey: string | null;
  },
): ReportVerification {
  const { result, bound, subjectKey } = known;
  const { subject, signer, now = Date.now() } = options;
  const policy = resolvePolicy(options.policy);
  const signedBy = report.verification.signed_by;
  if (signer !== undefined && !bound)
    return result('wrong_key', `Signed by ${signedBy}, not by ${keyOf(signer) ?? signer}.`);
  if (subject !== undefined && !isSameAgent(subject, report.agent_id))
    return result('wrong_subject', `About ${report.agent_id}, not about ${subject}.`, ['agent_id']);
  if (policy.requireOwnSignature && signer === undefined && subjectKey !== null && !bound)
    return result('wrong_key', `About ${subjectKey}, but signed by ${signedBy}.`, ['agent_id']);

  const dates = [Date.parse(report.report_date), report.verification.signed_at * 1_000];
  if (Math.max(...dates) > now + policy.clockSkewMs)
    return result('future', `Dated ${report.report_date}, in the future.`, ['report_date']);
  if (Math.min(...dates) < now - policy.maxReportAgeMs)
    return result('expired', `Dated ${report.report_date}, older than the policy accepts.`, ['report_date']);
  if (!policy.algorithmVersions.includes(report.algorithm_version))
    return result('unknown_version', `Algorithm version ${report.algorithm_version} is unknown.`);
  const terms = termDisagreements(report, policy);
  if (terms.length > 0) {
    return result(
      'policy_violation',
      `Signed by ${signedBy}, on terms that the policy ${policy.name} refuses: ${terms.map(({ message }) => message).join(' ')}`,
      terms.map(({ path }) => path),
    );
  }
  const note = bound ? '' : ` Nothing binds the name ${JSON.stringify(report.agent_id)} to this key.`;
  return result('valid', `Signed by ${signedBy}, and unchanged.${note}`);
}

/**
 * Verifies that a report is unchanged since it was signed, and names changed values; then that key, subject, dates and terms
 * are acceptable under the verifier's policy. It does not recompute the numbers: that is `auditTrustScore`. Never throws for a
 * report of any form.
 *
 * @throws `INVALID_CONFIG` or `WEIGHTS_INVALID` when the policy is wrong, `INVALID_INPUT` or `OUT_OF_RANGE` when another option is.
 */
export function verifyTrustReport(report: unknown, options: VerifyOptions = {}): ReportVerification {
  verifyOptions('options', options);
  resolvePolicy(options.policy);
  try {
    return check(report, options);
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return { status: 'malformed', fields: [], signedBy: null, bound: false, message: error.message };
  }
}
