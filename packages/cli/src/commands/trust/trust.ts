import { sanitizeRemoteText } from '@bonafide/internal';
import {
  auditTrustScore,
  createTrustReport,
  isBonafideError,
  parseTrustReport,
  renderTrustReport,
  type TrustReport,
  type TrustReportInput,
  verifyTrustReport,
} from '@bonafide/trust-score';
import type { Command } from 'commander';
import { decode } from 'nostr-tools/nip19';
import * as z from 'zod';
import type { CommandContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { examples } from '../../help.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import { readJson, safeLines } from './read.ts';

const keyVariable = 'BONAFIDE_SECRET_KEY';

/** The evidence file. createTrustReport validates the numbers. */
const inputSchema = z.looseObject({
  agentId: z.string().min(1),
  evidence: z.record(z.string(), z.unknown()),
  tierEvidence: z.record(z.string(), z.unknown()),
});

const factors = ['test_coverage', 'uptime', 'success_rate', 'endorsements', 'attestation_freshness'] as const;
type Factor = (typeof factors)[number];
const isFactor = (name: string): name is Factor => factors.some((factor) => factor === name);

/** Parses a public key in hex or npub form. Returns hex. */
function publicKey(text: string): string {
  if (/^[0-9a-f]{64}$/iu.test(text)) return text.toLowerCase();
  try {
    const decoded = decode(text);
    if (decoded.type === 'npub') return decoded.data;
  } catch {
    // Reported below without quoting the text, which may be an nsec.
  }
  throw new CliError('USAGE', 'A key is given as an npub or as 64 hex digits.');
}

/** Returns the report in a file, or a new one from the evidence in it, signed with the agent's key. */
async function reportOf(document: unknown, keyFile: string | undefined, io: CliIo): Promise<TrustReport> {
  const input = inputSchema.safeParse(document);
  if (!input.success) return parseTrustReport(document);
  // Loaded on demand: it is large, and reading a report does not need it.
  const { createKeySigner, loadSecretKey } = await import('@bonafide/nostr-transport');
  const key = await loadSecretKey({
    env: keyVariable,
    environment: { ...io.env },
    ...(keyFile === undefined ? {} : { file: keyFile }),
  });
  // Every number in it is parsed again by createTrustReport.
  return createTrustReport(input.data as unknown as TrustReportInput, createKeySigner(key.reveal()));
}

/** `bonafide trust report <file>`: prints a report; creates and signs it first when the file is evidence. */
async function report(
  path: string,
  options: { readonly keyFile?: string; readonly json: boolean },
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  const made = await reportOf(await readJson(path), options.keyFile, io);
  const verification = verifyTrustReport(made);
  if (options.json) print.json(made);
  else for (const line of safeLines(renderTrustReport(made, { verification }))) print.line(line);
  return verification.status === 'valid';
}

/** `bonafide trust verify <file>`: verifies the signature and dates of a report. */
async function verify(
  path: string,
  options: { readonly signer?: string; readonly json: boolean },
  print: Printer,
): Promise<boolean> {
  const expectedSigner = options.signer === undefined ? undefined : publicKey(options.signer);
  const document = await readJson(path);
  const result = verifyTrustReport(document, expectedSigner === undefined ? {} : { expectedSigner });
  const valid = result.status === 'valid';
  if (options.json) {
    print.json(result);
    return valid;
  }
  const word = result.status.replaceAll('_', ' ');
  print.line(`${print.paint(valid ? 'green' : 'red', word)}: ${sanitizeRemoteText(result.message, 600)}`);
  for (const field of result.fields) print.line(`  changed: ${sanitizeRemoteText(field, 200)}`);
  if (valid && expectedSigner === undefined)
    print.line(print.paint('dim', 'Pass --signer <npub> to require a certain key.'));
  return valid;
}

/** `bonafide trust audit <file>`: recomputes the numbers of a report from its evidence. */
async function audit(path: string, options: { readonly json: boolean }, print: Printer): Promise<boolean> {
  const document = await readJson(path);
  const result = auditTrustScore(document);
  const verification = verifyTrustReport(document);
  if (options.json) {
    print.json({ ...result, verification });
    return result.agrees;
  }
  const { trustScore, tier } = result.computed;
  const computed = `the evidence gives ${trustScore.toFixed(6)}, ${tier.replaceAll('_', ' ')}`;
  if (result.agrees) print.line(`${print.paint('green', 'agrees')}: ${computed}, as the report says`);
  else {
    const count = result.disagreements.length;
    print.line(`${print.paint('red', 'disagrees')}: ${computed}; ${count} to look at`);
    for (const { path: field, message } of result.disagreements)
      print.line(`  ${sanitizeRemoteText(field, 200)}: ${sanitizeRemoteText(message, 400)}`);
  }
  if (!result.sameAlgorithm)
    print.line(
      print.paint(
        'yellow',
        'Created by another version of the algorithm, which may explain the differences.',
      ),
    );
  if (verification.status !== 'valid')
    print.line(print.paint('yellow', `The signature: ${sanitizeRemoteText(verification.message, 400)}`));
  return result.agrees;
}

/** `bonafide trust verify-factor <file> <factor>`: recomputes one factor from its evidence. */
async function verifyFactor(
  path: string,
  name: string,
  options: { readonly json: boolean },
  print: Printer,
): Promise<boolean> {
  if (!isFactor(name)) throw new CliError('USAGE', `A factor is one of ${factors.join(', ')}.`);
  const made = parseTrustReport(await readJson(path));
  const { score, weight, contribution, evidence } = made.factors[name];
  const found = auditTrustScore(made).disagreements.filter((one) => one.path.startsWith(`factors.${name}.`));
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

/** Adds `bonafide trust …` to a program. `onFailed` is called when a check fails. */
export function addTrust(program: Command, { io, print, onFailed }: CommandContext): void {
  const check = async (done: Promise<boolean>) => {
    if (!(await done)) onFailed();
  };
  const json = (command: Command) => command.option('--json', 'print one JSON document', false);
  const trust = program
    .command('trust')
    .description('Create, read and verify trust reports. A file may be - for standard input.')
    .addHelpText('after', examples('trust report report.json', 'trust audit report.json'));

  json(trust.command('report'))
    .description('Print a trust report as text; create and sign it first when the file is evidence.')
    .argument('<file>', 'a report, or evidence: { agentId, version, evidence, tierEvidence }')
    .option('--key-file <file>', `the agent's key, in a file of mode 0600 (default: $${keyVariable})`)
    .addHelpText(
      'after',
      examples('trust report report.json', 'trust report evidence.json --json > report.json'),
    )
    .action((file, given) => check(report(file, given, io, print)));

  json(trust.command('verify'))
    .description('Verify that a report is unchanged since it was signed, and name changed values.')
    .argument('<file>', 'a report')
    .option('--signer <key>', 'public key that must have signed it, as npub or hex')
    .addHelpText(
      'after',
      examples('trust verify report.json --signer npub1…', 'trust verify report.json --json'),
    )
    .action((file, given) => check(verify(file, given, print)));

  json(trust.command('audit'))
    .description('Recompute every number of a report from its evidence, and list disagreements.')
    .argument('<file>', 'a report')
    .addHelpText('after', examples('trust audit report.json', 'trust audit report.json --json'))
    .action((file, given) =>
      check(
        audit(file, given, print).catch((error: unknown) => {
          throw isBonafideError(error, 'INVALID_INPUT')
            ? new CliError('USAGE', error.message, { cause: error })
            : error;
        }),
      ),
    );

  json(trust.command('verify-factor'))
    .description('Show one factor with its evidence, and recompute it.')
    .argument('<file>', 'a report')
    .argument('<factor>', factors.join(', '))
    .addHelpText('after', examples('trust verify-factor report.json test_coverage'))
    .action((file, factor, given) => check(verifyFactor(file, factor, given, print)));
}
