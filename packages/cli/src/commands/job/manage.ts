import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBonafideError, sanitizeRemoteText, shortId } from '@bonafide/internal';
import type { Judgment } from '@bonafide/nip90-jobs';
import { npubEncode } from 'nostr-tools/nip19';
import { hasKey, keyVariable } from '../../agent-signer.ts';
import { openDatabase } from '../../databases.ts';
import { CliError } from '../../errors.ts';
import { moment } from '../../format.ts';
import type { CliIo } from '../../io.ts';
import type { Printer } from '../../print.ts';
import { workspaceFiles } from '../../workspace.ts';
import type { NostrOptions } from './options.ts';
import { printResult } from './request.ts';
import { withJobClient } from './session.ts';
import type { WalletOptions } from './wallet.ts';

/** Options of `bonafide job pay`. */
export interface JobPayOptions extends NostrOptions, WalletOptions {
  readonly max?: number;
  readonly budget?: number;
}

/** Options of `bonafide job receipt`. */
export interface JobReceiptOptions extends NostrOptions {
  readonly outcome: Judgment['outcome'];
  readonly evidence?: string;
}

/** Options of `bonafide job list`. */
export interface JobListOptions extends NostrOptions {
  readonly open: boolean;
  readonly claimable: boolean;
  readonly limit: number;
}

const requireWorkspace = ({ workspace }: NostrOptions) => {
  if (workspace === undefined) throw new CliError('USAGE', 'Name the --workspace that has the jobs.');
};

/** `bonafide job pay`: pays for a result that asks for a payment. */
export async function jobPay(
  jobId: string,
  options: JobPayOptions,
  io: CliIo,
  print: Printer,
): Promise<void> {
  requireWorkspace(options);
  const payment = await withJobClient(options, io, {}, (client) =>
    client.pay(jobId, options.max === undefined ? {} : { maxMsat: options.max }),
  );
  const { amountMsat, feesMsat, status, preimage } = payment;
  if (options.json) print.json({ jobId, status, amountMsat, feesMsat, preimage });
  else print.line(`Paid ${amountMsat} msat and ${feesMsat} msat in fees for job ${shortId(jobId)}.`);
}

/** `bonafide job claim`: prints the late result of a paid job. Returns false when no relay returned it. */
export async function jobClaim(
  jobId: string,
  options: NostrOptions & WalletOptions,
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  requireWorkspace(options);
  const result = await withJobClient(options, io, {}, (client) => client.claim(jobId));
  if (result === null) {
    if (options.json) print.json({ jobId, status: null });
    else print.message(`No relay has a result of a paid job ${shortId(jobId)}.`);
    return false;
  }
  printResult(result, options, io, print);
  return true;
}

/** `bonafide job receipt`: signs the outcome of a job and sends it to its provider. Returns false when no relay took it. */
export async function jobReceipt(
  jobId: string,
  options: JobReceiptOptions,
  io: CliIo,
  print: Printer,
): Promise<boolean> {
  requireWorkspace(options);
  if (!hasKey(options, io))
    throw new CliError(
      'USAGE',
      `A receipt is signed with the key of the job: give --key-file or ${keyVariable}.`,
    );
  const { outcome, evidence } = options;
  const { receipt, deliveredTo } = await withJobClient(options, io, {}, (client) =>
    client.sendReceipt(jobId, { outcome, ...(evidence === undefined ? {} : { evidence }) }),
  );
  if (options.json) print.json({ jobId, outcome, deliveredTo, receipt });
  else if (deliveredTo.length === 0) print.message('No relay accepted the receipt. Send it again later.');
  else print.line(`Sent a receipt for job ${shortId(jobId)}: ${outcome}.`);
  return deliveredTo.length > 0;
}

/** Files of a workspace with jobs: those of this command line, and those of the agent. */
const jobFiles = ['jobs.db', workspaceFiles.agent];

/** Reads jobs with their payments from one file; none when the file has no tables of jobs. */
async function readJobs(path: string, { agent: agentId, open, claimable, limit }: JobListOptions) {
  const { createKyselyJobStore, createKyselyPaymentStore, jobMigrations } = await import(
    '@bonafide/nip90-jobs/kysely'
  );
  const schema = { name: 'jobs', migrations: jobMigrations, missing: 'There are no jobs' };
  await using db = await openDatabase(path, schema).catch((error) => {
    if (isBonafideError(error, 'NOT_MIGRATED')) return null;
    throw error;
  });
  if (db === null) return [];
  const payments = createKyselyPaymentStore(db, { agentId });
  const { items } = await createKyselyJobStore(db, { agentId }).list({
    limit,
    ...(open ? { open: true } : {}),
    ...(claimable ? { claimable: true } : {}),
  });
  return Promise.all(items.map(async (job) => ({ job, payment: await payments.get(job.jobId) })));
}

/** `bonafide job list`: prints the jobs of a workspace, newest first. */
export async function jobList(options: JobListOptions, print: Printer): Promise<void> {
  requireWorkspace(options);
  const { workspace = '', limit } = options;
  const files = jobFiles.map((name) => join(workspace, name)).filter((path) => existsSync(path));
  if (files.length === 0)
    throw new CliError(
      'DATABASE_NOT_FOUND',
      `There are no jobs in ${workspace}. Name the agent's folder with --workspace <dir>.`,
    );
  const found = await Promise.all(files.map((path) => readJobs(path, options)));
  const rows = found
    .flat()
    .toSorted((one, other) => other.job.builtAt - one.job.builtAt)
    .slice(0, limit);
  if (options.json) {
    print.json(
      rows.map(({ job, payment }) => ({
        jobId: job.jobId,
        kind: job.kind,
        provider: job.provider,
        state: job.state,
        builtAt: job.builtAt,
        endedAt: job.endedAt,
        message: job.message,
        paidMsat: payment?.status === 'settled' ? payment.amountMsat + payment.feesMsat : 0,
        payment: payment?.status ?? null,
      })),
    );
    return;
  }
  print.table(
    [
      { title: 'Job' },
      { title: 'Requested' },
      { title: 'Kind', align: 'right', yields: 1 },
      { title: 'Provider' },
      { title: 'State' },
      { title: 'Payment' },
      { title: 'Message', atLeast: 30 },
    ],
    rows.map(({ job, payment }) => [
      job.jobId,
      moment(job.builtAt),
      String(job.kind),
      job.provider === null ? 'any' : shortId(npubEncode(job.provider)),
      job.state,
      payment === null ? '' : `${payment.status} ${payment.amountMsat} msat`,
      sanitizeRemoteText(job.message, 200),
    ]),
  );
}
