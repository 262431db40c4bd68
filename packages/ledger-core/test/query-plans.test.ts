import { testDatabases } from '@bonafide/storage/testing';
import { type CompiledQuery, type Kysely, type QueryExecutor, type QueryResult, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InteractionWrite, LedgerStore } from '../src/index.ts';
import { createKyselyLedgerStore, migrateLedger } from '../src/stores/kysely.ts';
import type { LedgerTables } from '../src/stores/sql/tables.ts';
import { fillJournal } from './support/large-journal.ts';

// The full size takes a minute per database: `BONAFIDE_PROOF=full`.
const size =
  process.env.BONAFIDE_PROOF === 'full'
    ? { peers: 50_000, interactions: 1_000_000 }
    : { peers: 3_000, interactions: 60_000 };
const fillLimitMs = 900_000;

const hot = 'irc:peer-0';
const at = 1_700_000_000_000;

/** Every read of the store, and the indexes that it may use. */
const reads: readonly (readonly [string, (store: LedgerStore) => Promise<unknown>, readonly string[]])[] = [
  ['getPeer', (store) => store.getPeer('irc:peer-7'), ['ledger_peers_pkey']],
  ['getPeer of a stranger', (store) => store.getPeer('irc:nobody'), ['ledger_peers_pkey']],
  [
    'listPeers by handle',
    (store) => store.listPeers({ orderBy: 'lastSeenAt', limit: 1, handle: 'p-7' }),
    ['ledger_peers_handle'],
  ],
  [
    'listPeers by last seen',
    (store) => store.listPeers({ orderBy: 'lastSeenAt', limit: 50 }),
    ['ledger_peers_last_seen'],
  ],
  [
    'listPeers by last seen, next page',
    (store) => store.listPeers({ orderBy: 'lastSeenAt', limit: 50, after: { value: at * 1.5, id: hot } }),
    ['ledger_peers_last_seen'],
  ],
  [
    'listPeers by first seen',
    (store) => store.listPeers({ orderBy: 'firstSeenAt', limit: 50 }),
    ['ledger_peers_first_seen'],
  ],
  [
    'listPeers by number of messages',
    (store) => store.listPeers({ orderBy: 'interactionCount', limit: 50 }),
    ['ledger_peers_interactions'],
  ],
  [
    'listPeers that are distrusted',
    (store) => store.listPeers({ orderBy: 'lastSeenAt', limit: 100, trustBelow: 0 }),
    ['ledger_peers_last_seen', 'ledger_peers_trust'],
  ],
  [
    'listPeers of a channel',
    (store) => store.listPeers({ orderBy: 'firstSeenAt', limit: 50, peerIdPrefix: 'irc:peer-299' }),
    ['ledger_peers_pkey', 'ledger_peers_first_seen'],
  ],
  [
    'listInteractions, with the outcomes of their work',
    (store) => store.listInteractions({ peerId: hot, order: 'newest', limit: 5 }),
    ['ledger_interactions_peer', 'ledger_outcomes_work'],
  ],
  [
    'listInteractions, next page',
    (store) =>
      store.listInteractions({ peerId: hot, order: 'oldest', limit: 50, after: { value: at, id: 'i-0' } }),
    ['ledger_interactions_peer', 'ledger_outcomes_work'],
  ],
  [
    'listOutcomes',
    (store) => store.listOutcomes({ peerId: hot, order: 'newest', limit: 40 }),
    ['ledger_outcomes_peer'],
  ],
  [
    'listOutcomes that are finished and count',
    (store) => store.listOutcomes({ peerId: hot, order: 'newest', limit: 40, only: 'finished' }),
    ['ledger_outcomes_finished', 'ledger_interactions_correlation'],
  ],
  [
    'listAssessments of one source',
    (store) => store.listAssessments({ peerId: 'irc:peer-7', order: 'newest', limit: 1, source: 'operator' }),
    ['ledger_assessments_source'],
  ],
  [
    'listAssessments of a peer',
    (store) => store.listAssessments({ peerId: 'irc:peer-7', order: 'newest', limit: 10 }),
    ['ledger_assessments_peer'],
  ],
  [
    'listAssessments of all since a time',
    (store) =>
      store.listAssessments({
        peerId: null,
        order: 'oldest',
        limit: 100,
        after: { value: at * 1.01, id: '' },
      }),
    ['ledger_assessments_time'],
  ],
];

/** Every write of the store, and the indexes of the look-ups in it. */
const writes: readonly (readonly [string, (store: LedgerStore) => Promise<unknown>, readonly string[]])[] = [
  [
    'recordOutcome',
    (store) =>
      store.recordOutcome({
        outcomeId: 'new-outcome',
        peerId: null,
        correlationId: 'work-10',
        outcome: 'verified',
        result: 'success',
        metrics: null,
        externalId: 'new-verdict',
        evidence: null,
        redacted: false,
        createdAt: at,
        receivedAt: at,
      }),
    [
      'ledger_interactions_correlation',
      'ledger_outcomes_work',
      'ledger_outcomes_external',
      'ledger_peers_pkey',
    ],
  ],
  [
    'recordAssessment',
    (store) =>
      store.recordAssessment(hot, () => ({
        assessmentId: 'new-assessment',
        peerId: hot,
        infoScore: 5,
        trust: 1,
        rationale: 'Paid.',
        source: 'agent',
        assessor: null,
        createdAt: at,
      })),
    ['ledger_peers_pkey'],
  ],
];

/** Writes whose look-ups read all rows of one peer, and the indexes, as patterns, that each has to use. */
const corrections: readonly (readonly [
  string,
  (store: LedgerStore) => Promise<unknown>,
  readonly string[],
])[] = [
  [
    'recordInteraction of a work with messages',
    (store) => store.recordInteraction(message({ externalId: null })),
    ['ledger_interactions_correlation'],
  ],
  [
    'recordInteraction of a known externalId',
    (store) => store.recordInteraction(message({ externalId: 'e-20' })),
    ['ledger_interactions_external'],
  ],
  [
    'voidInteraction',
    (store) => store.voidInteraction({ interactionId: 'i-13', reason: 'A mistake.', at }),
    [
      'ledger_interactions_pkey',
      'ledger_interactions_peer',
      'ledger_outcomes_(?:peer|finished|work)',
      'ledger_peers_pkey',
    ],
  ],
  ['keepValue', (store) => store.keepValue('verdict:7'), ['ledger_settings_pkey']],
  [
    'forgetPeer until a time',
    (store) =>
      store.forgetPeer({
        peerId: 'irc:peer-11',
        tombstone: { peerId: 'erased:1', handle: 'p-erased1' },
        until: at * 1.5,
      }),
    [
      'ledger_interactions_peer',
      'ledger_outcomes_(?:peer|work)',
      'ledger_assessments_(?:peer|source)',
      'ledger_peers_pkey',
    ],
  ],
  [
    'prune',
    (store) => store.prune(at + 1),
    ['ledger_peers_pkey', 'ledger_interactions_peer', 'ledger_interactions_pkey'],
  ],
];

const message = (more: { readonly externalId: string | null }): InteractionWrite => ({
  peer: { peerId: hot, nativeId: 'peer-0', handle: 'p-0', channel: 'irc', alias: null },
  interaction: {
    ...{ interactionId: 'new-message', direction: 'in', content: 'Hello', contentLength: 5, redacted: false },
    ...{ correlationId: 'work-10', evidence: null, metrics: null, createdAt: at, receivedAt: at, ...more },
  },
  outcome: null,
});

const databases = testDatabases().filter(({ name }) => name === 'node:sqlite' || name === 'Postgres');

describe.each(databases)('query plans on $name', ({ open, dialect }) => {
  const opened = { close: async () => {} };
  let store: LedgerStore;
  let db: Kysely<unknown>;
  const queries: CompiledQuery[] = [];

  beforeAll(async () => {
    const database = await open();
    opened.close = () => database.close();
    db = database.db;
    await migrateLedger(db);
    await fillJournal(db, dialect, size);
    const values = Array.from({ length: 3_000 }, (_, n) => ({
      agent_id: 'default',
      name: `verdict:${n}`,
      value: 'refuse',
    }));
    await (db as Kysely<LedgerTables>).insertInto('ledger_settings').values(values).execute();
    await sql`analyze`.execute(db);
    watch(db.getExecutor(), queries);
    store = createKyselyLedgerStore(db);
  }, fillLimitMs);

  afterAll(() => opened.close());

  /** The plans of the queries that a verb runs, as the database explains them. */
  async function plansOf(run: (store: LedgerStore) => Promise<unknown>): Promise<readonly string[]> {
    queries.length = 0;
    await run(store);
    const plans: string[] = [];
    // A verb may run one query for each peer.
    for (const query of new Map(queries.splice(0).map((each) => [each.sql, each])).values()) {
      // Statements of a transaction, and inserts without a look-up.
      if (!/^\s*(?:select|with|update|delete)/iu.test(query.sql)) continue;
      const explain = dialect === 'sqlite' ? 'explain query plan ' : 'explain (costs off) ';
      const { rows } = (await db.executeQuery({ ...query, sql: explain + query.sql })) as QueryResult<object>;
      queries.length = 0;
      const lines = rows.map((row) => ('detail' in row ? String(row.detail) : String(Object.values(row)[0])));
      plans.push(lines.join('\n').replaceAll(/sqlite_autoindex_(\w+)_1/gu, '$1_pkey'));
    }
    return plans;
  }

  it.each([...reads, ...writes])('LED-31 %s uses its index', async (_, run, indexes) => {
    const plans = await plansOf(run);
    const all = plans.join('\n---\n');
    expect(plans.length).toBeGreaterThan(0);
    expect(
      indexes.some((index) => all.includes(index)),
      all,
    ).toBe(true);
    // Scans of an index in its order are what a list is; scans of a table are not.
    expect(all).not.toMatch(/SCAN (?:peer|ledger_\w+)(?! USING)|Seq Scan/u);
    for (const plan of plans) expect(plan).not.toMatch(/ledger_outcomes_peer.*correlation/u);
  });

  it.each(corrections)('LED-31 LED-33 %s finds its rows by their indexes', async (_, run, indexes) => {
    const plans = await plansOf(run);
    const all = plans.join('\n---\n');
    for (const index of indexes) expect(all).toMatch(new RegExp(index, 'u'));
    expect(all).not.toMatch(/SCAN (?:peer|ledger_\w+)(?! USING)|Seq Scan/u);
  });

  it('LED-31 the outcomes of shown messages are found by their work, not among all of the peer', async () => {
    const plans = await plansOf((each) => each.listInteractions({ peerId: hot, order: 'newest', limit: 5 }));
    expect(plans[1]).toContain('ledger_outcomes_work');
  });

  it('LED-33 LED-31 a search uses the index of words', async () => {
    const plans = await plansOf(
      (each) => each.searchInteractions?.({ words: ['4711'], peerId: null, limit: 10 }) ?? Promise.resolve(),
    );
    expect(plans.join()).toMatch(/ledger_interactions_words|ledger_search VIRTUAL TABLE INDEX/u);
    expect(plans.join()).not.toMatch(/Seq Scan/u);
  });

  it('LED-31 listOverAssessed reads the assessments of its time', async () => {
    const plans = await plansOf((each) => each.listOverAssessed?.(at * 1.02) ?? Promise.resolve());
    expect(plans.join()).toContain('ledger_assessments_time');
    if (dialect === 'sqlite')
      expect(plans.join()).toContain('message USING COVERING INDEX ledger_interactions_peer');
  });

  it('LED-31 the totals read indexes only', async () => {
    const plans = await plansOf((each) => each.getTotals());
    expect(plans).toHaveLength(3);
    if (dialect === 'sqlite') for (const plan of plans) expect(plan).toContain('COVERING INDEX');
  });
});

/** Collects the queries of an executor and of those that it makes for transactions. */
function watch(executor: QueryExecutor, queries: CompiledQuery[]): QueryExecutor {
  const executeQuery = executor.executeQuery.bind(executor);
  const withConnectionProvider = executor.withConnectionProvider.bind(executor);
  executor.executeQuery = ((query: CompiledQuery, ...rest: []) => {
    queries.push(query);
    return executeQuery(query, ...rest);
  }) as QueryExecutor['executeQuery'];
  executor.withConnectionProvider = (provider) => watch(withConnectionProvider(provider), queries);
  return executor;
}

it('LED-31 SQLite keeps statistics for its planner', async () => {
  const [database] = testDatabases();
  const { db, close, connect } = (await database?.open()) ?? {};
  try {
    await migrateLedger(db as Kysely<unknown>);
    await fillJournal(db as Kysely<unknown>, 'sqlite', { peers: 300, interactions: 3_000 });
    await sql`delete from sqlite_stat1`.execute(db as Kysely<unknown>);
    const other = connect?.() as Kysely<unknown>;
    await migrateLedger(other);
    const { rows } = await sql`select * from sqlite_stat1 where tbl like 'ledger_%'`.execute(other);
    expect(rows.length).toBeGreaterThan(0);
  } finally {
    await close?.();
  }
});
