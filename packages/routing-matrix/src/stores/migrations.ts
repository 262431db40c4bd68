import type { Migration } from '@bonafide/storage';

/** The tables of the routing log. */
export const routingMigrations: readonly Migration[] = [
  {
    id: '001-log',
    statements: () => [
      // Writers lock the head row, so that sequence numbers have no gaps and keep their order.
      `CREATE TABLE routing_heads (
        agent_id TEXT NOT NULL PRIMARY KEY,
        seq BIGINT NOT NULL CHECK (seq >= 0)
      )`,
      `CREATE TABLE routing_log (
        agent_id TEXT NOT NULL REFERENCES routing_heads (agent_id),
        seq BIGINT NOT NULL CHECK (seq >= 1),
        id TEXT NOT NULL CHECK (id <> ''),
        kind TEXT NOT NULL CHECK (kind <> ''),
        at BIGINT NOT NULL CHECK (at >= 0),
        task_type TEXT,
        data TEXT NOT NULL,
        PRIMARY KEY (agent_id, seq),
        UNIQUE (agent_id, id)
      )`,
      'CREATE INDEX routing_log_kind ON routing_log (agent_id, kind, task_type, seq)',
    ],
  },
];
