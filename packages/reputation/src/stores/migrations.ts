import type { Migration } from '@bonafide/storage';

/** The tables of the review queue. */
export const reputationMigrations: readonly Migration[] = [
  {
    id: '001-queue',
    statements: (dialect) => {
      // Lists and cursors compare text by bytes.
      const text = dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT';
      return [
        `CREATE TABLE reputation_reviews (
          agent_id ${text} NOT NULL,
          key ${text} NOT NULL CHECK (key <> ''),
          revision BIGINT NOT NULL CHECK (revision >= 1),
          state TEXT NOT NULL,
          subject TEXT NOT NULL,
          opinion TEXT NOT NULL,
          completed_at BIGINT NOT NULL,
          due_at BIGINT,
          created_at BIGINT NOT NULL,
          data TEXT NOT NULL,
          PRIMARY KEY (agent_id, key)
        )`,
        'CREATE INDEX reputation_reviews_due ON reputation_reviews (agent_id, due_at, key)',
        'CREATE INDEX reputation_reviews_opinion ON reputation_reviews (agent_id, opinion, state, completed_at)',
        'CREATE INDEX reputation_reviews_created ON reputation_reviews (agent_id, created_at, key)',
        'CREATE INDEX reputation_reviews_subject ON reputation_reviews (agent_id, subject, created_at, key)',
        `CREATE TABLE reputation_events (
          agent_id ${text} NOT NULL,
          event_id TEXT NOT NULL,
          key ${text} NOT NULL,
          PRIMARY KEY (agent_id, event_id),
          FOREIGN KEY (agent_id, key) REFERENCES reputation_reviews (agent_id, key)
        )`,
      ];
    },
  },
];
