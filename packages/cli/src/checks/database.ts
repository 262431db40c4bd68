import { statSync } from 'node:fs';
import { isBonafideError } from '@bonafide/internal';
import { migrationStatus } from '@bonafide/storage';
import { openAny } from '../databases.ts';
import { ledgerSchema } from '../open-ledger.ts';
import { isPostgres } from '../workspace.ts';
import { type Check, fail, ok, quoted, warn } from './check.ts';
import { checkJournal } from './journal.ts';

function modeOf(path: string): number | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : stat.mode & 0o777;
}

/** Checks that only the owner can read the ledger's file and its companions. */
function checkFileModes(path: string): readonly Check[] {
  if (process.platform === 'win32') return [];
  const open = ['', '-wal', '-shm']
    .map((companion) => path + companion)
    .map((file) => ({ file, mode: modeOf(file) }))
    .filter(({ mode }) => mode !== null && (mode & 0o077) !== 0);
  if (open.length === 0) return [ok('File modes', 'only you can read the ledger')];
  const found = open.map(({ file, mode }) => `${file} has mode 0${mode?.toString(8)}`).join(', ');
  const command = `chmod 600 ${open.map(({ file }) => quoted(file)).join(' ')}`;
  return [fail('File modes', `${found}: others can read the ledger`, command)];
}

async function checkSchema(path: string): Promise<Check> {
  try {
    const db = openAny(path, { readonly: true });
    try {
      const { applied, pending, problem } = await migrationStatus(db, ledgerSchema);
      if (problem !== null) {
        const newer = problem.code === 'SCHEMA_NEWER';
        return fail('Schema', problem.message, newer ? 'npm install @bonafide/cli@latest' : null);
      }
      if (pending.length === 0) return ok('Schema', `up to date (${applied.at(-1)?.id ?? 'empty'})`);
      return warn(
        'Schema',
        `${pending.length} migrations to come: ${pending.join(', ')}`,
        'Start the agent once',
      );
    } finally {
      await db.destroy();
    }
  } catch (error) {
    if (!isBonafideError(error)) throw error;
    return fail('Schema', error.message, null);
  }
}

/**
 * The ledger's file: there, private, readable, of this version, and what the journal in it tells. Opens it for reading
 * only.
 */
export async function checkDatabase(path: string, agentId: string): Promise<readonly Check[]> {
  const isFile = !isPostgres(path);
  if (isFile && modeOf(path) === null) {
    const remedy = 'Start the agent, or name its folder: bonafide doctor --workspace <dir>';
    return [warn('Ledger', `there is none at ${path}`, remedy)];
  }
  const schema = await checkSchema(path);
  const journal = schema.status === 'ok' ? await checkJournal(path, agentId) : [];
  const place = isFile
    ? [ok('Ledger', path), ...checkFileModes(path)]
    : [ok('Ledger', 'the database of --db')];
  return [...place, schema, ...journal];
}
