import { type Check, fail, ok } from './check.ts';

const needed = [22, 13] as const;
const update = 'Install Node 24 LTS from https://nodejs.org, e.g. `nvm install 24`';

/** Node's own version. */
export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > needed[0] || (major === needed[0] && minor >= needed[1]);
  if (enough) return ok('Node', `version ${version}`);
  return fail('Node', `version ${version} is too old; ${needed.join('.')} is needed`, update);
}

type NodeSqlite = typeof import('node:sqlite');

// Not imported: bundlers take the `node:` from names of built-in modules, and this one has no name without it.
const builtin = (): NodeSqlite | undefined => process.getBuiltinModule('node:sqlite');

/** Checks Node's SQLite, which stores the ledger. */
export function checkNodeSqlite(load: () => NodeSqlite | undefined = builtin): Check {
  const sqlite = load();
  if (sqlite === undefined) return fail('SQLite', 'this Node has no node:sqlite', update);
  try {
    const database = new sqlite.DatabaseSync(':memory:');
    const row = database.prepare('select sqlite_version() as version').get();
    database.close();
    return ok('SQLite', `node:sqlite with SQLite ${String(row?.version)}`);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return fail('SQLite', `node:sqlite cannot be used: ${said}`, update);
  }
}
