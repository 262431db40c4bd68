import type { Migration } from '@bonafide/storage';

/** The tables of orders, notes and wakes. Ids sort by bytes in both dialects, since pages depend on it. */
export const delegationMigrations: readonly Migration[] = [
  {
    id: '001-orders',
    statements: (dialect) => {
      const id = dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT';
      return [
        `CREATE TABLE delegation_orders (
          agent_id TEXT NOT NULL,
          id ${id} NOT NULL CHECK (id <> ''),
          fingerprint TEXT NOT NULL,
          revision INTEGER NOT NULL CHECK (revision >= 1),
          status TEXT NOT NULL CHECK (status IN ('open', 'delivered', 'failed', 'cancelled')),
          settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
          task_type TEXT NOT NULL,
          trial_of TEXT,
          state TEXT NOT NULL,
          created_at BIGINT NOT NULL,
          updated_at BIGINT NOT NULL,
          PRIMARY KEY (agent_id, id)
        )`,
        'CREATE INDEX delegation_orders_newest ON delegation_orders (agent_id, created_at, id)',
        `CREATE INDEX delegation_orders_unsettled ON delegation_orders (agent_id, created_at, id)
          WHERE settled = 0`,
        `CREATE INDEX delegation_orders_trials ON delegation_orders (agent_id, trial_of, created_at, id)
          WHERE trial_of IS NOT NULL`,
        `CREATE TABLE delegation_notes (
          agent_id TEXT NOT NULL,
          name TEXT NOT NULL,
          revision INTEGER NOT NULL CHECK (revision >= 1),
          value TEXT NOT NULL,
          PRIMARY KEY (agent_id, name)
        )`,
        // ready_at: when it may be claimed, which is due_at of a free wake and held_until of a held one.
        `CREATE TABLE delegation_wakes (
          agent_id TEXT NOT NULL,
          queue TEXT NOT NULL,
          id ${id} NOT NULL,
          due_at BIGINT,
          ready_at BIGINT NOT NULL,
          priority INTEGER NOT NULL,
          failures INTEGER NOT NULL CHECK (failures >= 0),
          last_error TEXT NOT NULL,
          held_until BIGINT,
          token TEXT NOT NULL,
          PRIMARY KEY (agent_id, queue, id)
        )`,
        'CREATE INDEX delegation_wakes_ready ON delegation_wakes (agent_id, queue, ready_at)',
        `CREATE INDEX delegation_wakes_held ON delegation_wakes (token) WHERE token <> ''`,
      ];
    },
  },
  {
    id: '002-operators-of-trials',
    statements: (dialect) => [
      'ALTER TABLE delegation_orders ADD COLUMN trial_operator TEXT',
      `UPDATE delegation_orders SET trial_operator = ${
        dialect === 'postgres'
          ? `split_part(trial_of, ':', 1)`
          : `substr(trial_of, 1, instr(trial_of, ':') - 1)`
      } WHERE trial_of IS NOT NULL`,
      `CREATE INDEX delegation_orders_operators ON delegation_orders (agent_id, trial_operator, created_at, id)
        WHERE trial_operator IS NOT NULL`,
      `CREATE INDEX delegation_orders_ended ON delegation_orders (agent_id, updated_at, id)
        WHERE settled = 1 AND trial_of IS NULL`,
    ],
  },
];
