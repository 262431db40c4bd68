import type { Migration } from '@bonafide/storage';

/** The tables of the cortex. */
export const cortexMigrations: readonly Migration[] = [
  {
    id: '001-state',
    statements: () => [
      `CREATE TABLE cortex_texts (
        agent_id TEXT NOT NULL,
        name TEXT NOT NULL CHECK (name <> ''),
        revision BIGINT NOT NULL CHECK (revision >= 1),
        text TEXT NOT NULL,
        PRIMARY KEY (agent_id, name)
      )`,
      `CREATE TABLE cortex_leases (
        agent_id TEXT NOT NULL,
        name TEXT NOT NULL CHECK (name <> ''),
        holder TEXT NOT NULL,
        expires_at BIGINT NOT NULL,
        PRIMARY KEY (agent_id, name)
      )`,
    ],
  },
];
