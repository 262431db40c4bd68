import { flag, list, optional, optionsOf, record, text } from '../input.ts';
import { type TierName, tiers } from '../tier.ts';
import { auditTrustScore, type TrustAudit } from './audit.ts';
import { parseTrustReport, type TrustReport } from './schema.ts';
import { type ReportVerification, verifyTrustReport } from './verify.ts';

const renderOptions = optionsOf({
  verification: optional(record({ status: text, message: text })),
  audit: optional(record({ agrees: flag, disagreements: list, evidence: list, limits: list })),
});

const percent = (value: number): string => `${Number((value * 100).toFixed(1))} %`;
const decimals = (value: number, digits = 3): string => value.toFixed(digits);
const hours = (value: number): string => `${Number(value.toFixed(1))} h`;
const minute = (iso: string): string => `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')}Z`;

interface Part {
  readonly title: string;
  readonly factor: { readonly score: number; readonly weight: number; readonly contribution: number };
  readonly insufficient: boolean;
  readonly lines: readonly string[];
}

/** Describes the factors of a report with their evidence. */
function parts({ factors }: TrustReport): readonly Part[] {
  const tests = factors.test_coverage.evidence;
  const uptime = factors.uptime.evidence;
  const success = factors.success_rate.evidence;
  const endorsements = factors.endorsements.evidence;
  const freshness = factors.attestation_freshness.evidence;
  const part = (
    title: string,
    factor: Part['factor'] & { readonly insufficient_data?: boolean | undefined },
    lines: readonly (string | null)[],
  ): Part => ({
    title,
    factor,
    insufficient: factor.insufficient_data === true,
    lines: lines.filter((line) => line !== null),
  });
  const incidents = (uptime.downtime_incidents ?? []).map(
    ({ start, duration_hours: lasted, reason }) =>
      `Down ${hours(lasted)} from ${minute(start)}${reason === undefined || reason === '' ? '' : `: ${reason}`}`,
  );
  return [
    part('Test coverage', factors.test_coverage, [
      `${tests.passing_tests} of ${tests.total_tests} tests pass`,
      tests.last_run === undefined ? null : `Last run ${minute(tests.last_run)}`,
      tests.ci_url === undefined ? null : `CI: ${tests.ci_url}`,
    ]),
    part('Uptime', factors.uptime, [
      `Down ${hours(uptime.downtime_hours)} of ${hours(uptime.total_hours)}`,
      ...incidents,
    ]),
    part('Success rate', factors.success_rate, [
      `${success.successful} of ${success.successful + success.failed} delegations succeeded`,
      (success.rejected ?? 0) > 0 ? `${success.rejected} were turned down` : null,
    ]),
    part('Endorsements', factors.endorsements, [
      `${endorsements.total_endorsements} endorsements by ${endorsements.unique_endorsers} endorsers`,
      `Their average trust is ${decimals(endorsements.endorser_trust_avg, 2)}`,
      (endorsements.gaming_multiplier ?? 1) < 1
        ? `Counted at ${percent(endorsements.gaming_multiplier ?? 1)}, since they look gamed`
        : null,
    ]),
    part('Attestation freshness', factors.attestation_freshness, [
      `Attested ${hours(freshness.hours_since)} before this report, valid for ${hours(freshness.validity_period_hours)}`,
    ]),
  ];
}

const marks: Readonly<Record<ReportVerification['status'], string>> = {
  valid: '✅ signed and unchanged',
  tampered: '❌ CHANGED AFTER SIGNING',
  wrong_key: '❌ NOT SIGNED BY THE RIGHT KEY',
  wrong_subject: '❌ ABOUT ANOTHER AGENT',
  expired: '⚠️ signed and unchanged, but expired',
  future: '❌ DATED IN THE FUTURE',
  policy_violation: '❌ SETS ITS OWN TERMS',
  unknown_version: '⚠️ signed, by an unknown version of the algorithm',
  malformed: '❌ NOT A TRUST REPORT',
};

const labelOf = (name: TierName): string => tiers.find(({ tier }) => tier === name)?.label ?? name;

/** Describes the score: the computed one, and the stated one when it says something else. */
function scoreLines({ stated, computed }: TrustAudit): readonly string[] {
  const { badge = '' } = tiers.find(({ tier }) => tier === computed.tier) ?? {};
  const line = `Trust score: ${decimals(computed.trustScore)} ${badge} (${labelOf(computed.tier)})`;
  const isStated = stated.tier === computed.tier && Math.abs(stated.trustScore - computed.trustScore) < 5e-4;
  if (isStated) return [line];
  const claim = `${decimals(stated.trustScore)} (${labelOf(stated.tier)})`;
  return [`${line}, computed from the evidence on your terms`, `  The report itself states ${claim}.`];
}

/**
 * Renders a report as text: the score that its evidence gives under the verifier's policy, what the report states when that is
 * something else, the contribution and evidence of each factor, and the state of the signature. A report that is not valid or whose
 * evidence disagrees is marked in its first lines. Times are UTC. Texts in it are the agent's own: sanitize them before they reach a
 * terminal.
 *
 * @param options.verification @default verifyTrustReport(report), with the strict policy
 * @param options.audit @default auditTrustScore(report), with the strict policy
 * @throws `INVALID_INPUT` when the document is not a trust report.
 */
export function renderTrustReport(
  input: unknown,
  options: { readonly verification?: ReportVerification; readonly audit?: TrustAudit } = {},
): string {
  renderOptions('options', options);
  const report = parseTrustReport(input);
  const { verification = verifyTrustReport(report), audit = auditTrustScore(report) } = options;
  const version = report.version === '' ? '' : ` v${report.version}`;
  const doubts = [
    ...(verification.status === 'valid' ? [] : [verification.message]),
    ...(audit.agrees
      ? []
      : [`Its evidence contradicts ${audit.disagreements.length} of its statements, listed at the end.`]),
  ];
  const lines = [
    `Trust report: ${report.agent_id}${version}`,
    `Made: ${minute(report.report_date)}`,
    ...doubts.map((doubt) => `❌ Do not rely on this report: ${doubt}`),
    '',
    ...scoreLines(audit),
    '',
    'What it is made of:',
  ];
  for (const { title, factor, insufficient, lines: details } of parts(report)) {
    const { score, weight, contribution } = factor;
    const note = insufficient ? ' (nothing to measure yet)' : '';
    lines.push(
      `  ${title}: ${decimals(score)} × ${percent(weight)} = ${decimals(contribution)}${note}`,
      ...details.map((detail) => `    - ${detail}`),
    );
  }
  lines.push(
    '',
    `Sum: ${decimals(report.trust_score, 6)}  (algorithm ${report.algorithm_version})`,
    '',
    `Verification: ${marks[verification.status]}`,
    `  Key: ${report.verification.signed_by}`,
    `  SHA-256: ${report.verification.sha256}`,
  );
  if (verification.fields.length > 0) lines.push(`  Changed: ${verification.fields.join(', ')}`);
  const { verification_url: url } = report.verification;
  if (url !== undefined) lines.push(`  Check it at: ${url}`);
  if (!audit.agrees)
    lines.push(
      '',
      'Contradictions:',
      ...audit.disagreements.map(({ path, message }) => `  ${path}: ${message}`),
    );
  // What the agent wrote must not be able to add a line of its own.
  return `${lines.map((line) => line.replaceAll(/\p{Cc}+/gu, ' ')).join('\n')}\n`;
}
