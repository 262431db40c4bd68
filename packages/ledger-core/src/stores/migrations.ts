import type { Migration } from '@bonafide/storage';

type Dialect = Parameters<Migration['statements']>[0];

/** Words for the same thing in both dialects. Text sorts by its bytes in both, so that lists and cursors agree. */
function typesOf(dialect: Dialect) {
  return dialect === 'sqlite'
    ? { text: 'TEXT', integer: 'INTEGER', small: 'INTEGER', end: ') STRICT' }
    : { text: 'TEXT COLLATE "C"', integer: 'BIGINT', small: 'SMALLINT', end: ')' };
}

/** Text that has something to read in it: not empty, and not only blanks, tabs and line ends. */
function notBlank(dialect: Dialect, column: string): string {
  return dialect === 'sqlite'
    ? `length(trim(${column}, char(9, 10, 11, 12, 13, 32, 160))) > 0`
    : `length(btrim(${column}, E' \\t\\n\\r\\f\\u000b\\u00a0')) > 0`;
}

const outcomes = `'requested', 'accepted', 'declined', 'delivered', 'paid', 'verified', 'rejected', 'disputed', 'timeout'`;

/** Creates triggers that reject changes of a time series. */
function appendOnly(dialect: Dialect, table: string): readonly string[] {
  const message = `${table} is append-only: its rows are never changed or removed`;
  if (dialect === 'sqlite') {
    return ['UPDATE', 'DELETE'].map(
      (verb) => `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
        BEGIN SELECT RAISE(ABORT, '${message}'); END`,
    );
  }
  return [
    `CREATE FUNCTION ${table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = 'check_violation'; END $$`,
    `CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION ${table}_refuse()`,
  ];
}

/** The schema of the ledger's tables, step by step. A published step never changes. */
export const ledgerMigrations: readonly Migration[] = [
  {
    id: '0001-journal',
    statements(dialect) {
      const { text, integer, small, end } = typesOf(dialect);
      return [
        `CREATE TABLE ledger_peers (
          agent_id ${text} NOT NULL,
          peer_id ${text} NOT NULL CHECK (peer_id <> ''),
          native_id ${text} NOT NULL,
          channel ${text} NOT NULL CHECK (channel <> ''),
          alias ${text},
          first_seen_at ${integer} NOT NULL CHECK (first_seen_at >= 0),
          last_seen_at ${integer} NOT NULL,
          interaction_count ${integer} NOT NULL CHECK (interaction_count >= 0),
          assessment_count ${integer} NOT NULL DEFAULT 0 CHECK (assessment_count >= 0),
          success_count ${integer} NOT NULL DEFAULT 0 CHECK (success_count >= 0),
          failure_count ${integer} NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
          open_count ${integer} NOT NULL DEFAULT 0 CHECK (open_count >= 0),
          latest_assessment_id ${text},
          latest_assessed_at ${integer},
          latest_trust ${small} CHECK (latest_trust BETWEEN -10 AND 10),
          PRIMARY KEY (agent_id, peer_id),
          CHECK (last_seen_at >= first_seen_at)
        ${end}`,
        `CREATE INDEX ledger_peers_last_seen ON ledger_peers (agent_id, last_seen_at, peer_id)`,
        `CREATE INDEX ledger_peers_first_seen ON ledger_peers (agent_id, first_seen_at, peer_id)`,
        `CREATE INDEX ledger_peers_native_id ON ledger_peers (agent_id, native_id)`,
        `CREATE INDEX ledger_peers_trust ON ledger_peers (agent_id, latest_trust)`,

        `CREATE TABLE ledger_interactions (
          agent_id ${text} NOT NULL,
          interaction_id ${text} NOT NULL,
          peer_id ${text} NOT NULL,
          direction ${text} NOT NULL CHECK (direction IN ('in', 'out')),
          channel ${text} NOT NULL CHECK (channel <> ''),
          content ${text} NOT NULL,
          content_length ${integer} NOT NULL CHECK (content_length >= 0),
          redacted ${small} NOT NULL CHECK (redacted IN (0, 1)),
          correlation_id ${text},
          external_id ${text},
          evidence ${text},
          metrics ${text},
          created_at ${integer} NOT NULL CHECK (created_at >= 0),
          PRIMARY KEY (agent_id, interaction_id),
          FOREIGN KEY (agent_id, peer_id) REFERENCES ledger_peers (agent_id, peer_id)
        ${end}`,
        `CREATE INDEX ledger_interactions_peer
          ON ledger_interactions (agent_id, peer_id, created_at, interaction_id)`,
        `CREATE UNIQUE INDEX ledger_interactions_external
          ON ledger_interactions (agent_id, peer_id, external_id) WHERE external_id IS NOT NULL`,
        `CREATE INDEX ledger_interactions_correlation
          ON ledger_interactions (agent_id, correlation_id, peer_id) WHERE correlation_id IS NOT NULL`,

        `CREATE TABLE ledger_outcomes (
          agent_id ${text} NOT NULL,
          outcome_id ${text} NOT NULL,
          peer_id ${text} NOT NULL,
          correlation_id ${text} NOT NULL,
          outcome ${text} NOT NULL CHECK (outcome IN (${outcomes})),
          result ${text} NOT NULL CHECK (result IN ('success', 'failure', 'open')),
          metrics ${text},
          external_id ${text},
          created_at ${integer} NOT NULL CHECK (created_at >= 0),
          PRIMARY KEY (agent_id, outcome_id),
          FOREIGN KEY (agent_id, peer_id) REFERENCES ledger_peers (agent_id, peer_id)
        ${end}`,
        `CREATE INDEX ledger_outcomes_peer ON ledger_outcomes (agent_id, peer_id, created_at, outcome_id)`,
        `CREATE INDEX ledger_outcomes_work
          ON ledger_outcomes (agent_id, peer_id, correlation_id, created_at, outcome_id)`,
        `CREATE UNIQUE INDEX ledger_outcomes_external
          ON ledger_outcomes (agent_id, peer_id, external_id) WHERE external_id IS NOT NULL`,

        `CREATE TABLE ledger_assessments (
          agent_id ${text} NOT NULL,
          assessment_id ${text} NOT NULL,
          peer_id ${text} NOT NULL,
          info_score ${small} NOT NULL CHECK (info_score BETWEEN 0 AND 10),
          trust ${small} NOT NULL CHECK (trust BETWEEN -10 AND 10),
          rationale ${text} NOT NULL CHECK (${notBlank(dialect, 'rationale')}),
          source ${text} NOT NULL CHECK (source IN ('agent', 'cortex', 'operator')),
          assessor ${text},
          created_at ${integer} NOT NULL CHECK (created_at >= 0),
          PRIMARY KEY (agent_id, assessment_id),
          FOREIGN KEY (agent_id, peer_id) REFERENCES ledger_peers (agent_id, peer_id)
        ${end}`,
        `CREATE INDEX ledger_assessments_peer
          ON ledger_assessments (agent_id, peer_id, created_at, assessment_id)`,
        ...appendOnly(dialect, 'ledger_assessments'),
      ];
    },
  },
  {
    id: '0002-retention-and-audit',
    statements(dialect) {
      const { small } = typesOf(dialect);
      return [
        `ALTER TABLE ledger_interactions
          ADD COLUMN pruned ${small} NOT NULL DEFAULT 0 CHECK (pruned IN (0, 1))`,
        `CREATE INDEX ledger_assessments_time ON ledger_assessments (agent_id, created_at, assessment_id)`,
      ];
    },
  },
  {
    id: '0003-hook-failures',
    statements(dialect) {
      const { text, integer, end } = typesOf(dialect);
      return [
        `CREATE TABLE ledger_hook_failures (
          agent_id ${text} NOT NULL,
          hook ${text} NOT NULL CHECK (hook <> ''),
          count ${integer} NOT NULL CHECK (count > 0),
          last_at ${integer} NOT NULL CHECK (last_at >= 0),
          last_code ${text} NOT NULL,
          PRIMARY KEY (agent_id, hook)
        ${end}`,
      ];
    },
  },
  {
    id: '0004-assessments-by-trust',
    statements: () => [`CREATE INDEX ledger_assessments_trust ON ledger_assessments (agent_id, trust)`],
  },
  {
    id: '0005-handles',
    statements(dialect) {
      const { text, end } = typesOf(dialect);
      return [
        `ALTER TABLE ledger_peers ADD COLUMN handle ${text} CHECK (handle <> '')`,
        `CREATE UNIQUE INDEX ledger_peers_handle ON ledger_peers (agent_id, handle)`,
        // Finds the peers that the first start after this migration gives a handle. Empty from then on.
        `CREATE INDEX ledger_peers_without_handle ON ledger_peers (agent_id) WHERE handle IS NULL`,
        `DROP INDEX ledger_peers_native_id`,
        `CREATE TABLE ledger_settings (
          agent_id ${text} NOT NULL,
          name ${text} NOT NULL,
          value ${text} NOT NULL,
          PRIMARY KEY (agent_id, name)
        ${end}`,
      ];
    },
  },
  {
    id: '0006-violations',
    statements(dialect) {
      const { text, integer, end } = typesOf(dialect);
      const withViolation = `${outcomes}, 'violation'`;
      const peers = [
        `ALTER TABLE ledger_peers ADD COLUMN violation_count ${integer} NOT NULL DEFAULT 0 CHECK (violation_count >= 0)`,
        `ALTER TABLE ledger_peers ADD COLUMN last_violation_at ${integer}`,
      ];
      if (dialect === 'postgres') {
        return [
          ...peers,
          `ALTER TABLE ledger_outcomes ADD COLUMN evidence ${text}`,
          `ALTER TABLE ledger_outcomes DROP CONSTRAINT ledger_outcomes_outcome_check`,
          `ALTER TABLE ledger_outcomes
            ADD CONSTRAINT ledger_outcomes_outcome_check CHECK (outcome IN (${withViolation}))`,
        ];
      }
      // SQLite cannot change a CHECK: the rows move to a new table.
      const columns =
        'agent_id, outcome_id, peer_id, correlation_id, outcome, result, metrics, external_id, created_at';
      return [
        ...peers,
        `CREATE TABLE ledger_outcomes_new (
          agent_id ${text} NOT NULL,
          outcome_id ${text} NOT NULL,
          peer_id ${text} NOT NULL,
          correlation_id ${text} NOT NULL,
          outcome ${text} NOT NULL CHECK (outcome IN (${withViolation})),
          result ${text} NOT NULL CHECK (result IN ('success', 'failure', 'open')),
          metrics ${text},
          external_id ${text},
          created_at ${integer} NOT NULL CHECK (created_at >= 0),
          evidence ${text},
          PRIMARY KEY (agent_id, outcome_id),
          FOREIGN KEY (agent_id, peer_id) REFERENCES ledger_peers (agent_id, peer_id)
        ${end}`,
        `INSERT INTO ledger_outcomes_new (${columns}) SELECT ${columns} FROM ledger_outcomes`,
        `DROP TABLE ledger_outcomes`,
        `ALTER TABLE ledger_outcomes_new RENAME TO ledger_outcomes`,
        `CREATE INDEX ledger_outcomes_peer ON ledger_outcomes (agent_id, peer_id, created_at, outcome_id)`,
        `CREATE INDEX ledger_outcomes_work
          ON ledger_outcomes (agent_id, peer_id, correlation_id, created_at, outcome_id)`,
        `CREATE UNIQUE INDEX ledger_outcomes_external
          ON ledger_outcomes (agent_id, peer_id, external_id) WHERE external_id IS NOT NULL`,
      ];
    },
  },
  {
    id: '0007-time-of-receipt',
    statements(dialect) {
      const { integer } = typesOf(dialect);
      return [`ALTER TABLE ledger_interactions ADD COLUMN received_at ${integer} CHECK (received_at >= 0)`];
    },
  },
  {
    id: '0008-indexes-for-size',
    statements: () => [
      // Lists peers by number of messages, and sums the counts without reading the table.
      `CREATE INDEX ledger_peers_interactions
        ON ledger_peers (agent_id, interaction_count, peer_id, assessment_count)`,
      // Finds distrusted peers by the time they were last seen, without reading the table.
      `DROP INDEX ledger_peers_last_seen`,
      `CREATE INDEX ledger_peers_last_seen ON ledger_peers (agent_id, last_seen_at, peer_id, latest_trust)`,
      `DROP INDEX ledger_assessments_time`,
      `CREATE INDEX ledger_assessments_time
        ON ledger_assessments (agent_id, created_at, assessment_id, peer_id, source)`,
    ],
  },
  {
    id: '0009-correction-and-erasure',
    statements(dialect) {
      const { text, integer } = typesOf(dialect);
      const voiding = [
        `ALTER TABLE ledger_interactions ADD COLUMN voided_at ${integer}`,
        `ALTER TABLE ledger_interactions ADD COLUMN void_reason ${text}`,
      ];
      // Erasure is the one change of an assessment that is allowed: the judgment stays, its words go.
      const unchanged = ['info_score', 'trust', 'source', 'created_at', 'assessment_id', 'agent_id']
        .map((column) => `NEW.${column} = OLD.${column}`)
        .join(' AND ');
      const isErasure = `NEW.rationale = '[erased]' AND NEW.assessor IS NULL AND ${unchanged}`;
      const message = 'ledger_assessments is append-only: its rows are never changed or removed';
      if (dialect === 'sqlite') {
        return [
          ...voiding,
          `DROP TRIGGER ledger_assessments_no_update`,
          `CREATE TRIGGER ledger_assessments_no_update BEFORE UPDATE ON ledger_assessments
            WHEN NOT (${isErasure}) BEGIN SELECT RAISE(ABORT, '${message}'); END`,
        ];
      }
      return [
        ...voiding,
        `CREATE OR REPLACE FUNCTION ledger_assessments_refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN
            IF TG_OP = 'UPDATE' AND ${isErasure} THEN RETURN NEW; END IF;
            RAISE EXCEPTION '${message}' USING ERRCODE = 'check_violation';
          END $$`,
      ];
    },
  },
  {
    id: '0010-search',
    statements: (dialect) =>
      // SQLite's index is no migration, because not every build of SQLite has the module; see `search-index.ts`.
      dialect === 'sqlite'
        ? []
        : [
            `CREATE INDEX ledger_interactions_search
              ON ledger_interactions USING gin (to_tsvector('simple', left(content, 100000)))`,
          ],
  },
  {
    id: '0011-order-of-receipt',
    statements(dialect) {
      const { integer, small } = typesOf(dialect);
      const ofPeer = (table: string) =>
        `${table}.agent_id = ledger_peers.agent_id AND ${table}.peer_id = ledger_peers.peer_id`;
      return [
        `ALTER TABLE ledger_outcomes ADD COLUMN redacted ${small} NOT NULL DEFAULT 0 CHECK (redacted IN (0, 1))`,
        `ALTER TABLE ledger_outcomes ADD COLUMN received_at ${integer} CHECK (received_at >= 0)`,
        `ALTER TABLE ledger_outcomes ADD COLUMN sequence ${integer} NOT NULL DEFAULT 0`,
        // What is known of older rows is their time.
        `UPDATE ledger_outcomes SET sequence = ordered.place FROM (
          SELECT agent_id, outcome_id,
            row_number() OVER (PARTITION BY agent_id, peer_id ORDER BY created_at, outcome_id) AS place
          FROM ledger_outcomes) AS ordered
          WHERE ordered.agent_id = ledger_outcomes.agent_id AND ordered.outcome_id = ledger_outcomes.outcome_id`,
        `ALTER TABLE ledger_peers ADD COLUMN sequence ${integer} NOT NULL DEFAULT 0`,
        `ALTER TABLE ledger_peers ADD COLUMN last_violation_sequence ${integer}`,
        `ALTER TABLE ledger_peers ADD COLUMN operator_sequence ${integer}`,
        `ALTER TABLE ledger_peers ADD COLUMN operator_trust ${small}`,
        `UPDATE ledger_peers SET
          sequence = 1 + (SELECT count(*) FROM ledger_outcomes WHERE ${ofPeer('ledger_outcomes')}),
          last_violation_sequence = (SELECT max(sequence) FROM ledger_outcomes
            WHERE ${ofPeer('ledger_outcomes')} AND outcome = 'violation' AND ledger_peers.violation_count > 0),
          operator_trust = (SELECT trust FROM ledger_assessments
            WHERE ${ofPeer('ledger_assessments')} AND source = 'operator'
            ORDER BY created_at DESC, assessment_id DESC LIMIT 1)`,
        `UPDATE ledger_peers SET operator_sequence = CASE
          WHEN (SELECT max(created_at) FROM ledger_assessments
            WHERE ${ofPeer('ledger_assessments')} AND source = 'operator') > coalesce(last_violation_at, -1)
          THEN sequence ELSE 0 END
          WHERE operator_trust IS NOT NULL`,
        `DROP INDEX ledger_outcomes_work`,
        `CREATE INDEX ledger_outcomes_work ON ledger_outcomes (agent_id, peer_id, correlation_id, sequence)`,
        `DROP INDEX ledger_outcomes_external`,
        `CREATE UNIQUE INDEX ledger_outcomes_external
          ON ledger_outcomes (agent_id, peer_id, external_id, correlation_id, outcome)
          WHERE external_id IS NOT NULL`,
        `DROP INDEX ledger_interactions_external`,
        `CREATE UNIQUE INDEX ledger_interactions_external
          ON ledger_interactions (agent_id, peer_id, external_id, direction) WHERE external_id IS NOT NULL`,
      ];
    },
  },
  {
    id: '0012-search-words',
    statements: (dialect) =>
      dialect === 'sqlite'
        ? []
        : [
            `DROP INDEX ledger_interactions_search`,
            `ALTER TABLE ledger_interactions ADD COLUMN search_words TEXT[]`,
            `CREATE INDEX ledger_interactions_words ON ledger_interactions USING gin (search_words)`,
            // Finds the messages that the first start after this migration splits into words. Empty from then on.
            `CREATE INDEX ledger_interactions_without_words ON ledger_interactions (agent_id)
              WHERE search_words IS NULL AND content <> ''`,
          ],
  },
  {
    id: '0013-order-of-assessments',
    statements(dialect) {
      const { integer } = typesOf(dialect);
      return [`ALTER TABLE ledger_assessments ADD COLUMN sequence ${integer} NOT NULL DEFAULT 0`];
    },
  },
  {
    id: '0014-finished-work-and-sources',
    // A model writes many assessments, and a peer causes many open outcomes: neither may hide the rows that decide.
    statements: () => [
      `CREATE INDEX ledger_outcomes_finished ON ledger_outcomes (agent_id, peer_id, created_at, outcome_id)
        WHERE result <> 'open'`,
      `CREATE INDEX ledger_assessments_source
        ON ledger_assessments (agent_id, peer_id, source, created_at, assessment_id)`,
    ],
  },
];
