import { byteOrderedText, type Migration } from '@bonafide/storage';

/** The tables of the registry. */
export const discoveryMigrations: readonly Migration[] = [
  {
    id: '001-registry',
    statements: (dialect) => {
      const text = byteOrderedText(dialect);
      return [
        `CREATE TABLE discovery_platforms (
          agent_id ${text} NOT NULL,
          pubkey ${text} NOT NULL CHECK (length(pubkey) = 64),
          canonical_d ${text} NOT NULL,
          status ${text} NOT NULL CHECK (status IN
            ('discovered', 'candidate', 'evaluating', 'partner', 'rejected', 'quarantined', 'archived')),
          trust_score DOUBLE PRECISION CHECK (trust_score BETWEEN 0 AND 1),
          discovered_at BIGINT NOT NULL CHECK (discovered_at >= 0),
          last_seen_at BIGINT NOT NULL CHECK (last_seen_at >= discovered_at),
          revision BIGINT NOT NULL CHECK (revision >= 1),
          entry TEXT NOT NULL,
          PRIMARY KEY (agent_id, pubkey, canonical_d)
        )`,
        // The search term and the sort order are one key, so that one seek finds the first results.
        `CREATE TABLE discovery_terms (
          agent_id ${text} NOT NULL,
          term ${text} NOT NULL,
          status ${text} NOT NULL,
          distance DOUBLE PRECISION NOT NULL CHECK (distance BETWEEN 0 AND 1),
          pubkey ${text} NOT NULL,
          canonical_d ${text} NOT NULL,
          PRIMARY KEY (agent_id, term, status, distance, pubkey, canonical_d),
          FOREIGN KEY (agent_id, pubkey, canonical_d)
            REFERENCES discovery_platforms (agent_id, pubkey, canonical_d)
        )${dialect === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
        'CREATE INDEX discovery_terms_platform ON discovery_terms (agent_id, pubkey, canonical_d)',
        `CREATE TABLE discovery_audit (
          agent_id ${text} NOT NULL,
          pubkey ${text} NOT NULL,
          canonical_d ${text} NOT NULL,
          revision BIGINT NOT NULL,
          position INTEGER NOT NULL,
          at BIGINT NOT NULL,
          what ${text} NOT NULL,
          row_json TEXT NOT NULL,
          PRIMARY KEY (agent_id, pubkey, canonical_d, revision, position),
          FOREIGN KEY (agent_id, pubkey, canonical_d)
            REFERENCES discovery_platforms (agent_id, pubkey, canonical_d)
        )`,
        `CREATE TABLE discovery_watermarks (
          agent_id ${text} NOT NULL,
          relay ${text} NOT NULL,
          filter_key ${text} NOT NULL,
          seconds BIGINT NOT NULL CHECK (seconds >= 0),
          PRIMARY KEY (agent_id, relay, filter_key)
        )`,
        `CREATE TABLE discovery_withdrawals (
          agent_id ${text} NOT NULL,
          pubkey ${text} NOT NULL CHECK (length(pubkey) = 64),
          target ${text} NOT NULL,
          at BIGINT NOT NULL CHECK (at >= 0),
          PRIMARY KEY (agent_id, pubkey, target)
        )`,
        'CREATE INDEX discovery_withdrawals_age ON discovery_withdrawals (agent_id, at)',
        `CREATE TABLE discovery_recommendations (
          agent_id ${text} NOT NULL,
          recommender ${text} NOT NULL CHECK (length(recommender) = 64),
          kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 65535),
          event_id ${text} NOT NULL,
          created_at BIGINT NOT NULL CHECK (created_at >= 0),
          handlers TEXT NOT NULL,
          PRIMARY KEY (agent_id, recommender, kind)
        )`,
        'CREATE INDEX discovery_recommendations_age ON discovery_recommendations (agent_id, created_at)',
        // No foreign key: the platform may be unknown.
        `CREATE TABLE discovery_recommended (
          agent_id ${text} NOT NULL,
          pubkey ${text} NOT NULL CHECK (length(pubkey) = 64),
          canonical_d ${text} NOT NULL,
          recommender ${text} NOT NULL,
          kind INTEGER NOT NULL,
          PRIMARY KEY (agent_id, pubkey, canonical_d, recommender, kind),
          FOREIGN KEY (agent_id, recommender, kind)
            REFERENCES discovery_recommendations (agent_id, recommender, kind) ON DELETE CASCADE
        )`,
        'CREATE INDEX discovery_recommended_by ON discovery_recommended (agent_id, recommender, kind)',
      ];
    },
  },
  {
    id: '002-relays-and-room',
    statements: (dialect) => {
      const text = byteOrderedText(dialect);
      return [
        `CREATE TABLE discovery_relays (
          agent_id ${text} NOT NULL,
          relay ${text} NOT NULL,
          record TEXT NOT NULL,
          PRIMARY KEY (agent_id, relay)
        )`,
        // Eviction finds its candidates by this index.
        `CREATE INDEX discovery_platforms_worth
          ON discovery_platforms (agent_id, status, (coalesce(trust_score, 0)), last_seen_at)`,
      ];
    },
  },
  {
    id: '003-reader-state',
    statements: (dialect) => {
      const text = byteOrderedText(dialect);
      return [
        `CREATE TABLE discovery_state (
          agent_id ${text} NOT NULL,
          key ${text} NOT NULL,
          value TEXT NOT NULL,
          PRIMARY KEY (agent_id, key)
        )`,
        `INSERT INTO discovery_state (agent_id, key, value)
          SELECT agent_id, 'watermark ' || relay || ' ' || filter_key, CAST(seconds AS TEXT)
          FROM discovery_watermarks`,
        `INSERT INTO discovery_state (agent_id, key, value)
          SELECT agent_id, 'relay ' || relay, record FROM discovery_relays`,
        'DROP TABLE discovery_watermarks',
        'DROP TABLE discovery_relays',
        'ALTER TABLE discovery_withdrawals RENAME TO discovery_deletions',
      ];
    },
  },
  {
    id: '004-search-terms',
    // Cards are found by topics, names and descriptions too: the index is built again, see `reindex`.
    statements: (dialect) => {
      const text = byteOrderedText(dialect);
      return [
        'DROP TABLE discovery_terms',
        `CREATE TABLE discovery_terms (
          agent_id ${text} NOT NULL,
          term ${text} NOT NULL,
          status ${text} NOT NULL,
          distance DOUBLE PRECISION NOT NULL CHECK (distance BETWEEN 0 AND 2),
          pubkey ${text} NOT NULL,
          canonical_d ${text} NOT NULL,
          PRIMARY KEY (agent_id, term, status, distance, pubkey, canonical_d),
          FOREIGN KEY (agent_id, pubkey, canonical_d)
            REFERENCES discovery_platforms (agent_id, pubkey, canonical_d)
        )${dialect === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
        'CREATE INDEX discovery_terms_platform ON discovery_terms (agent_id, pubkey, canonical_d)',
      ];
    },
  },
  {
    id: '005-terms-by-primary-key',
    // Terms are written with every card. A platform's terms follow from its entry, so neither an index by platform nor a
    // foreign key, which needs one, is worth its writes. The index is built again, see `updateSearchIndex`.
    statements: (dialect) => {
      const text = byteOrderedText(dialect);
      return [
        'DROP TABLE discovery_terms',
        `CREATE TABLE discovery_terms (
          agent_id ${text} NOT NULL,
          term ${text} NOT NULL,
          status ${text} NOT NULL,
          distance DOUBLE PRECISION NOT NULL CHECK (distance BETWEEN 0 AND 2),
          pubkey ${text} NOT NULL,
          canonical_d ${text} NOT NULL,
          PRIMARY KEY (agent_id, term, status, distance, pubkey, canonical_d)
        )${dialect === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
      ];
    },
  },
  {
    id: '006-fair-limits',
    // What a flood displaces, see `evictionClassOf`. Entries get their index terms with the search index, see `updateSearchIndex`.
    statements: () => [
      'DROP INDEX discovery_platforms_worth',
      'ALTER TABLE discovery_platforms ADD COLUMN eviction_class INTEGER CHECK (eviction_class BETWEEN 0 AND 3)',
      'ALTER TABLE discovery_platforms ADD COLUMN ordinal INTEGER NOT NULL DEFAULT 1 CHECK (ordinal >= 1)',
      `UPDATE discovery_platforms SET eviction_class = CASE
        WHEN status IN ('evaluating', 'partner', 'rejected') THEN NULL
        WHEN coalesce(trust_score, 0) > 0 THEN 3
        WHEN status = 'archived' THEN 0 WHEN status = 'quarantined' THEN 1 ELSE 2 END`,
      `CREATE INDEX discovery_platforms_eviction
        ON discovery_platforms (agent_id, eviction_class, ordinal DESC, discovered_at DESC)`,
      `ALTER TABLE discovery_recommendations ADD COLUMN is_known INTEGER NOT NULL DEFAULT 0
        CHECK (is_known BETWEEN 0 AND 1)`,
    ],
  },
];
