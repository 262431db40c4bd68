import { join } from 'node:path';
import { makeFolder } from '@bonafide/internal';
import * as z from 'zod';
import { createFileAuditLog } from './audit/audit-log.ts';
import { parseConfig } from './errors.ts';
import { createLocalGitForge } from './forges/local-git.ts';
import { createLocalRepository } from './forges/local-repository.ts';
import { folderSchema } from './host-options.ts';
import { createSelfCorrection, type SelfCorrection, type SelfCorrectionOptions } from './self-correction.ts';
import { createFileProposalStore } from './stores/proposal-files.ts';

/** Options of {@link createLocalSelfCorrection}. */
export interface LocalSelfCorrectionOptions
  extends Pick<SelfCorrectionOptions, 'clock' | 'logger' | 'notify' | 'config'> {
  /** Folder of the repository, the proposals and the audit log; created with mode 0700 when it is missing. */
  readonly folder: string;
  /** Thresholds by task, for a new repository. An existing one keeps its own. */
  readonly thresholds: Readonly<Record<string, number>>;
}

const file = 'thresholds.ts';

const optionsSchema = z.strictObject({
  folder: folderSchema,
  thresholds: z.record(z.string(), z.number().min(0).max(1)),
  // `createSelfCorrection` checks them.
  clock: z.unknown().optional(),
  logger: z.unknown().optional(),
  notify: z.unknown().optional(),
  config: z.unknown().optional(),
});

/**
 * Creates a self-correction that needs no host: thresholds are in a bare git repository below `folder`, `thresholds.git`, in which every
 * proposal is a branch. It needs git 2.38 or later, and no network.
 *
 * @throws SelfCorrectionError `FORGE_FAILED` when git cannot create the repository
 */
export async function createLocalSelfCorrection(
  options: LocalSelfCorrectionOptions,
): Promise<SelfCorrection> {
  const { folder, thresholds, ...given } = parseConfig(optionsSchema, 'options', options);
  const rest = given as Pick<SelfCorrectionOptions, 'clock' | 'logger' | 'notify' | 'config'>;
  makeFolder(folder, 0o700);
  const repository = join(folder, 'thresholds.git');
  const lines = Object.entries(thresholds).map(([task, value]) => `  ${JSON.stringify(task)}: ${value},\n`);
  await createLocalRepository(repository, {
    [file]: `export const TRUST_THRESHOLDS = {\n${lines.join('')}};\n`,
  });
  return createSelfCorrection({
    ...rest,
    forge: createLocalGitForge({ repository, ...(rest.clock && { clock: rest.clock }) }),
    file: { path: file, language: 'typescript' },
    store: createFileProposalStore(join(folder, 'proposals')),
    audit: createFileAuditLog(join(folder, 'audit')),
  });
}
