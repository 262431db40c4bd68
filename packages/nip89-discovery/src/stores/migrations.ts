import type { Migration } from '@bonafide/storage';

/** The tables of the registry. */
export const discoveryMigrations: readonly Migration[] = [
  {
    id: '001-registry',
    // Identifiers are strangers' text: they sort by code point, or pages would depend on the server's language.
    statements: (dialect) => {
      const text = dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT';
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
        `CREATE TABLE discovery_terms (
          agent_id ${text} NOT NULL,
          term ${text} NOT NULL,
          pubkey ${text} NOT NULL,
          canonical_d ${text} NOT NULL,
          PRIMARY KEY (agent_id, term, pubkey, canonical_d),
          FOREIGN KEY (agent_id, pubkey, canonical_d)
            REFERENCES discovery_platforms (agent_id, pubkey, canonical_d)
        )`,
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
      ];
    },
  },
];
