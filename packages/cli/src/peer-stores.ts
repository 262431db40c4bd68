import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBonafideError, type PeerEraser, type PeerErasure, sanitizeRemoteText } from '@bonafide/internal';
import { type MigrateOptions, type Migration, migrate, migrationStatus } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import { emptyLog, openAny } from './databases.ts';
import { listedBackups, readErasures } from './erasure-lists.ts';
import { isPostgres } from './workspace.ts';

/** Name of a package whose stores keep rows of peers. */
export type PackageName = 'cortex' | 'jobs' | 'discovery' | 'routing' | 'reputation' | 'delegation';

/** A package whose stores keep rows of peers. */
interface PeerPackage {
  readonly name: PackageName;
  readonly migrations: readonly Migration[];
  open(db: Kysely<unknown>, agentId: string): readonly PeerEraser[];
  /** True when its stores know peers by the ledger's id, on every channel; otherwise by the key of Nostr. */
  readonly byPeerId?: boolean;
}

/** Loads the packages: other commands do not need them. */
async function loadPackages(): Promise<readonly PeerPackage[]> {
  const [cortex, jobs, discovery, routing, reputation, delegation] = await Promise.all([
    import('@bonafide/cortex/kysely'),
    import('@bonafide/nip90-jobs/kysely'),
    import('@bonafide/nip89-discovery/kysely'),
    import('@bonafide/routing-matrix/kysely'),
    import('@bonafide/reputation/kysely'),
    import('@bonafide/delegation/kysely'),
  ]);
  return [
    {
      name: 'cortex',
      migrations: cortex.cortexMigrations,
      open: (db, agentId) => [cortex.createKyselyCortexState(db, { agentId })],
      byPeerId: true,
    },
    {
      name: 'jobs',
      migrations: jobs.jobMigrations,
      open: (db, agentId) => [
        jobs.createKyselyJobStore(db, { agentId }),
        jobs.createKyselyProviderStore(db, { agentId }),
      ],
    },
    {
      name: 'discovery',
      migrations: discovery.discoveryMigrations,
      open: (db, agentId) => [discovery.createKyselyDiscoveryStore(db, { agentId })],
    },
    {
      name: 'routing',
      migrations: routing.routingMigrations,
      open: (db, agentId) => [routing.createKyselyRoutingStore(db, { agentId })],
    },
    {
      name: 'reputation',
      migrations: reputation.reputationMigrations,
      open: (db, agentId) => [reputation.createKyselyReviewStore(db, { agentId })],
    },
    {
      name: 'delegation',
      migrations: delegation.delegationMigrations,
      open: (db, agentId) => [delegation.createKyselyDelegationStore(db, { agentId })],
    },
  ];
}

/** The names of a peer. */
export interface PeerNames {
  readonly peerId: string;
  readonly key: string | null;
}

/** What the stores of one package in one database keep of a peer. */
export interface StoredPeer extends PeerErasure {
  /** Path of the file, or `the database`. */
  readonly file: string;
  readonly package: string;
  /** True when the tables are of another version of the package, so that nothing can be erased. */
  readonly otherVersion: boolean;
}

/**
 * Counts what the stores of other packages keep of a peer in the databases of the workspace, the ledger's included. Packages that
 * keep nothing of it are left out, and backups, which are not changed.
 *
 * @param peer Its id in the ledger, and its key on Nostr: 64 lower-case hex digits, null on other channels.
 */
export async function findInStores(
  ledgerPath: string,
  peer: PeerNames,
  agentId: string,
): Promise<readonly StoredPeer[]> {
  return eraseFromFiles(await databasesOf(ledgerPath), peer, { agentId, preview: true });
}

/** Tells whether the stores of other packages in one database, such as a backup, keep anything of a peer, or may. */
export async function mayBeInStores(path: string, peer: PeerNames, agentId: string): Promise<boolean> {
  return (await eraseFromFiles([path], peer, { agentId, preview: true })).length > 0;
}

/** Returns the migrations of every package whose tables are in a database. */
export async function packagesIn(db: Kysely<unknown>): Promise<readonly MigrateOptions[]> {
  const found: MigrateOptions[] = [];
  for (const one of await loadPackages())
    if ((await migrationStatus(db, one)).applied.length > 0) found.push(one);
  return found;
}

/** Returns the databases of an agent: that of its ledger, and the files beside it. */
export async function databasesOf(ledgerPath: string): Promise<readonly string[]> {
  if (isPostgres(ledgerPath)) return [ledgerPath];
  const folder = dirname(ledgerPath);
  const copies = new Set(listedBackups(await readErasures(ledgerPath)).map(({ path }) => path));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(folder, name))
    .filter((file) => !copies.has(resolve(file)));
}

/** Erases a peer from the stores that {@link findInStores} has found. Other files are not opened for writing. */
export async function eraseFromStores(
  ledgerPath: string,
  found: readonly StoredPeer[],
  peer: PeerNames,
  agentId: string,
): Promise<readonly StoredPeer[]> {
  const named = new Set(found.map(({ file }) => file));
  const files = (await databasesOf(ledgerPath)).filter((path) => named.has(nameOf(path)));
  return eraseFromFiles(files, peer, { agentId, preview: false });
}

/**
 * Erases peers from the stores in one database, such as a restored copy. Migrates tables of an earlier version, which could not be erased.
 * Returns the sum for each package.
 *
 * @param only The stores of one package; of all by default.
 */
export async function eraseAllFrom(
  path: string,
  peers: readonly PeerNames[],
  { agentId, only }: { readonly agentId: string; readonly only?: PackageName | undefined },
): Promise<readonly StoredPeer[]> {
  const packages = (await loadPackages()).filter(({ name }) => only === undefined || name === only);
  const options = { agentId, preview: false, migrate: true };
  const found: StoredPeer[] = [];
  for (const peer of peers) found.push(...(await eraseFromFile(path, peer, packages, options)));
  return [...Map.groupBy(found, (each) => each.package).values()].flatMap(summed);
}

function summed(of: readonly StoredPeer[]): readonly StoredPeer[] {
  const sum = (part: keyof PeerErasure) => {
    const counts: Record<string, number> = {};
    for (const each of of)
      for (const [rows, count] of Object.entries(each[part])) counts[rows] = (counts[rows] ?? 0) + count;
    return counts;
  };
  const otherVersion = of.some((each) => each.otherVersion);
  return of
    .slice(0, 1)
    .map((first) => ({ ...first, erased: sum('erased'), kept: sum('kept'), otherVersion }));
}

/** Returns how a database is shown: the URL of one may contain a password. */
const nameOf = (path: string): string => (isPostgres(path) ? 'the database' : path);

async function eraseFromFiles(
  files: readonly string[],
  peer: PeerNames,
  options: { readonly agentId: string; readonly preview: boolean },
): Promise<readonly StoredPeer[]> {
  const packages = await loadPackages();
  const found: StoredPeer[] = [];
  for (const file of files) found.push(...(await eraseFromFile(file, peer, packages, options)));
  return found;
}

async function eraseFromFile(
  file: string,
  { peerId, key }: PeerNames,
  packages: readonly PeerPackage[],
  options: { readonly agentId: string; readonly preview: boolean; readonly migrate?: boolean },
): Promise<readonly StoredPeer[]> {
  const { agentId, preview } = options;
  const db = openAny(file, { readonly: preview });
  try {
    const found: StoredPeer[] = [];
    for (const one of packages) {
      const named = one.byPeerId ? peerId : key;
      if (named === null) continue;
      const { applied, pending, problem } = await migrationStatus(db, one);
      if (applied.length === 0) continue;
      const isEarlier = pending.length > 0 && problem === null;
      if (isEarlier && options.migrate) await migrate(db, one);
      const entry = { file: nameOf(file), package: one.name };
      if (problem !== null || (isEarlier && !options.migrate)) {
        found.push({ ...entry, erased: {}, kept: {}, otherVersion: true });
        continue;
      }
      if (!preview && !isPostgres(file)) await sql`pragma secure_delete = on`.execute(db);
      const counts: PeerErasure[] = [];
      for (const store of one.open(db, agentId)) counts.push(await store.erasePeer(named, { preview }));
      const sum = (part: keyof PeerErasure) => Object.assign({}, ...counts.map((count) => count[part]));
      const erasure = { erased: withoutZeros(sum('erased')), kept: withoutZeros(sum('kept')) };
      if (Object.keys({ ...erasure.erased, ...erasure.kept }).length > 0)
        found.push({ ...entry, ...erasure, otherVersion: false });
    }
    if (!preview && found.length > 0) await emptyLog(db, file);
    return found;
  } catch (error) {
    // A file of another program: its rows are named, see `findMentions`.
    if (isBonafideError(error, 'STORAGE_FOREIGN') || isBonafideError(error, 'STORAGE_NOT_A_DATABASE'))
      return [];
    throw error;
  } finally {
    await db.destroy();
  }
}

const withoutZeros = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** Formats what the stores of other packages erase, keep, or cannot erase. Each database is named once. */
export function storedIn(stores: readonly StoredPeer[], erases: string): string {
  const rowsOf = (counts: StoredPeer['erased']) =>
    Object.entries(counts).map(([rows, count]) => `${count} ${count === 1 ? rows.replace(/s$/u, '') : rows}`);
  const listed = (part: 'erased' | 'kept') =>
    [...Map.groupBy(stores, ({ file }) => file)].flatMap(([file, within]) => {
      const rows = within
        .filter((store) => Object.keys(store[part]).length > 0)
        .map((store) => `${rowsOf(store[part]).join(', ')} of ${store.package}`);
      return rows.length === 0 ? [] : [`${rows.join('; ')} (${sanitizeRemoteText(file, 300)})`];
    });
  const sentences = [
    { rows: listed('erased'), text: (rows: string) => ` ${erases} ${rows}.` },
    {
      rows: listed('kept'),
      text: (rows: string) =>
        ` These stay, because work, money or public reviews depend on them: ${rows}. Erase again when that has ended.`,
    },
    {
      rows: stores
        .filter(({ otherVersion }) => otherVersion)
        .map((store) => `${store.package} (${sanitizeRemoteText(store.file, 300)})`),
      text: (rows: string) =>
        ` These tables are of another version, and are not changed: ${rows}. Start the agent once, which migrates them.`,
    },
  ];
  return sentences.map(({ rows, text }) => (rows.length === 0 ? '' : text(rows.join(', ')))).join('');
}
