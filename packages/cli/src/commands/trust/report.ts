import { sanitizeRemoteText, shortId } from '@bonafide/internal';
import {
  auditTrustScore,
  createTrustReport,
  type EvidenceSource,
  parseTrustReport,
  renderTrustReport,
  type TrustAudit,
  type TrustPolicy,
  type TrustReport,
  type TrustReportInput,
  trustReportEvent,
  verifyTrustReport,
} from '@bonafide/trust-score';
import { npubEncode } from 'nostr-tools/nip19';
import * as z from 'zod';
import { agentSigner } from '../../agent-signer.ts';
import { CliError } from '../../errors.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import { factors, isFactor } from './factors.ts';
import { type PolicyOptions, publicKey, readPolicy } from './policy.ts';
import { readJson, safeLines } from './read.ts';

/** The evidence file. createTrustReport validates the numbers. */
const inputSchema = z.looseObject({
  agentId: z.string().min(1),
  evidence: z.record(z.string(), z.unknown()),
  tierEvidence: z.record(z.string(), z.unknown()),
});

/** Returns the report in a file, or a new one from the evidence in it, signed with the agent's key. */
async function reportOf(
  document: unknown,
  options: { readonly keyFile?: string; readonly policy: Partial<TrustPolicy> },
  io: CliIo,
): Promise<TrustReport> {
  const { policy } = options;
  const input = inputSchema.safeParse(document);
  if (!input.success) return parseTrustReport(document);
  // Every number in it is parsed again by createTrustReport.
  const evidence = input.data as unknown as TrustReportInput;
  return createTrustReport({ ...evidence, policy }, await agentSigner(options, io));
}

const headings = {
  proved: ['green', 'Proved: signed by customers that you know.'],
  signed: ['yellow', 'Signed by customers that you do not know, which costs nothing to create: no proof.'],
  claimed: ['yellow', 'Only claimed, by the signer of the report alone.'],
  refuted: ['red', 'Refuted: contradicted by the report itself or by receipts.'],
} as const;

/** Prints a report's evidence by its source: proved, signed by unknown customers, claimed, refuted; and who states it. */
function printSources(sources: readonly EvidenceSource[], print: Printer): void {
  for (const status of ['proved', 'signed', 'claimed', 'refuted'] as const) {
    const own = sources.filter((one) => one.status === status);
    if (own.length === 0) continue;
    const [colour, heading] = headings[status];
    print.line(print.paint(colour, heading));
    for (const { what, text, by } of own) {
      const names = by.slice(0, 3).map((key) => shortId(npubEncode(key)));
      const more = by.length > 3 ? ` and ${by.length - 3} more` : '';
      print.line(
        `  ${what.replaceAll('_', ' ')}: ${sanitizeRemoteText(text, 400)}, by ${names.join(', ')}${more}`,
      );
    }
  }
}

const inWords = ({ trustScore, tier }: TrustAudit['computed']): string =>
  `${trustScore.toFixed(3)} (${tier.replaceAll('_', ' ')})`;

/** `bonafide trust report <file>`: prints a report; creates and signs it first when the file is evidence. */
export async function report(
  path: string,
  options: PolicyOptions & {
    readonly keyFile?: string;
    readonly publish: boolean;
    readonly relay: readonly string[];
    readonly json: boolean;
  },
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  if (options.publish && options.relay.length === 0)
    throw new CliError('USAGE', 'Name at least one relay to publish to: --relay wss://…');
  const policy = await readPolicy(options);
  const { keyFile } = options;
  const made = await reportOf(
    await readJson(path),
    keyFile === undefined ? { policy } : { policy, keyFile },
    io,
  );
  const verification = verifyTrustReport(made, { policy });
  const audited = auditTrustScore(made, policy, { now: Date.now() });
  if (options.json) print.json(made);
  else {
    for (const line of safeLines(renderTrustReport(made, { verification, audit: audited }))) print.line(line);
    print.line('');
    printSources(audited.evidence, print);
    printAge(audited, print);
  }
  if (verification.status !== 'valid' || !audited.agrees) {
    if (options.publish)
      print.message('Not published: the report is not valid, or its evidence does not support it.');
    return false;
  }
  return options.publish ? publishReport(made, options.relay, print) : true;
}

/** Publishes a report. Returns true when a relay accepted it. */
async function publishReport(made: TrustReport, relays: readonly string[], print: Printer): Promise<boolean> {
  const { createTransport, relayHosts } = await import('@bonafide/nostr-transport');
  await using transport = createTransport({ addresses: { allowHosts: relayHosts(relays) } });
  const event = trustReportEvent(made);
  const outcomes = await transport.publish(event, relays);
  for (const { relay, status, message } of outcomes)
    print.message(
      `${sanitizeRemoteText(relay, 200)}: ${status} ${sanitizeRemoteText(message, 200)}`.trimEnd(),
    );
  const published = outcomes.some(({ status }) => status === 'accepted');
  print.message(published ? `Published: ${event.id}` : 'No relay accepted the report.');
  return published;
}

/** Says what age took from the score. */
function printAge({ computed, current }: TrustAudit, print: Printer): void {
  if (computed.trustScore - current.trustScore < 5e-4 && computed.tier === current.tier) return;
  print.line(
    print.paint(
      'yellow',
      `Its attestation aged since: now it is ${inWords(current)}, then ${inWords(computed)}.`,
    ),
  );
}

/** `bonafide trust verify <file>`: verifies signature, subject, dates and terms of a report, and that its evidence supports it. */
export async function verify(
  path: string,
  options: PolicyOptions & { readonly signer?: string; readonly subject?: string; readonly json: boolean },
  print: Printer,
): Promise<boolean> {
  const { signer, subject } = options;
  const document = await readJson(path);
  const policy = await readPolicy(options);
  const result = verifyTrustReport(document, {
    policy,
    ...(signer === undefined ? {} : { signer: publicKey(signer) }),
    ...(subject === undefined ? {} : { subject }),
  });
  const audited = result.status === 'malformed' ? null : auditTrustScore(document, policy);
  const valid = result.status === 'valid';
  const trusted = valid && audited?.agrees === true;
  if (options.json) {
    print.json({
      ...result,
      ...(audited === null
        ? {}
        : { agrees: audited.agrees, stated: audited.stated, computed: audited.computed }),
    });
    return trusted;
  }
  const word = result.status.replaceAll('_', ' ');
  print.line(`${print.paint(valid ? 'green' : 'red', word)}: ${sanitizeRemoteText(result.message, 600)}`);
  const label = result.status === 'tampered' ? 'changed' : 'concerns';
  for (const field of result.fields) print.line(`  ${label}: ${sanitizeRemoteText(field, 200)}`);
  if (audited !== null) {
    const evidence = `the evidence gives ${inWords(audited.computed)} on your terms`;
    print.line(
      audited.agrees
        ? `${print.paint('green', 'supported')}: ${evidence}, mostly by what the report says itself: see trust audit.`
        : `${print.paint('red', 'not supported')}: it states ${inWords(audited.stated)}; ${evidence}. See trust audit.`,
    );
  }
  if (valid && !result.bound)
    print.line(print.paint('dim', 'Pass --signer <npub> to require the key that you expect for this name.'));
  return trusted;
}

/** `bonafide trust audit <file>`: recomputes the numbers of a report on the verifier's terms. Fails for a forged report, too. */
export async function audit(
  path: string,
  options: PolicyOptions & { readonly json: boolean },
  print: Printer,
): Promise<boolean> {
  const document = await readJson(path);
  const policy = await readPolicy(options);
  const result = auditTrustScore(document, policy, { now: Date.now() });
  const verification = verifyTrustReport(document, { policy });
  const passes = result.agrees && verification.status === 'valid';
  if (options.json) {
    print.json({ ...result, verification });
    return passes;
  }
  if (verification.status !== 'valid')
    print.line(
      `${print.paint('red', verification.status.replaceAll('_', ' '))}: ${sanitizeRemoteText(verification.message, 400)}`,
    );
  const { trustScore, tier } = result.computed;
  const computed = `the evidence gives ${trustScore.toFixed(6)}, ${tier.replaceAll('_', ' ')}`;
  if (result.agrees) {
    const isSame = result.stated.tier === tier;
    const says = isSame
      ? 'as the report says'
      : `more than the report states, which cannot know your customers`;
    print.line(`${print.paint('green', 'agrees')}: ${computed}, ${says}`);
  } else {
    const count = result.disagreements.length;
    const noun = count === 1 ? 'disagreement' : 'disagreements';
    print.line(`${print.paint('red', 'disagrees')}: ${computed}; ${count} ${noun}`);
    for (const { path: field, message } of result.disagreements)
      print.line(`  ${sanitizeRemoteText(field, 200)}: ${sanitizeRemoteText(message, 400)}`);
  }
  printAge(result, print);
  printSources(result.evidence, print);
  if (result.limits.length > 0) print.line('Not a higher tier, because:');
  for (const limit of result.limits) print.line(`  ${sanitizeRemoteText(limit, 400)}`);
  if (!result.sameAlgorithm)
    print.line(
      print.paint(
        'yellow',
        'Created by another version of the algorithm, which may explain the differences.',
      ),
    );
  return passes;
}

/** `bonafide trust verify-factor <file> <factor>`: recomputes one factor from its evidence. */
export async function verifyFactor(
  path: string,
  name: string,
  options: PolicyOptions & { readonly json: boolean },
  print: Printer,
): Promise<boolean> {
  if (!isFactor(name)) throw new CliError('USAGE', `A factor is one of ${factors.join(', ')}.`);
  const made = parseTrustReport(await readJson(path));
  const { score, weight, contribution, evidence } = made.factors[name];
  const found = auditTrustScore(made, await readPolicy(options)).disagreements.filter((one) =>
    one.path.startsWith(`factors.${name}.`),
  );
  if (options.json) {
    print.json({
      factor: name,
      score,
      weight,
      contribution,
      evidence,
      agrees: found.length === 0,
      disagreements: found,
    });
    return found.length === 0;
  }
  print.line(
    print.paint('bold', `${name.replaceAll('_', ' ')} of ${sanitizeRemoteText(made.agent_id, 100)}`),
  );
  for (const [key, value] of Object.entries(evidence)) {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    print.line(`  - ${sanitizeRemoteText(key.replaceAll('_', ' '), 60)}: ${sanitizeRemoteText(text, 300)}`);
  }
  print.line(`  - score: ${score.toFixed(6)} × ${weight} = ${contribution.toFixed(6)}`);
  if (found.length === 0) print.line(`  ${print.paint('green', '✓')} the evidence gives the same`);
  for (const { message } of found)
    print.line(`  ${print.paint('red', '✗')} ${sanitizeRemoteText(message, 300)}`);
  return found.length === 0;
}
