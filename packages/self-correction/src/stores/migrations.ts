import type { Migration } from '@bonafide/storage';

/** The tables of proposals and of the audit log. */
export const selfCorrectionMigrations: readonly Migration[] = [
  {
    id: '001-proposals',
    statements: (dialect) => {
      // Names are compared by bytes.
      const text = dialect === 'postgres' ? 'TEXT COLLATE "C"' : 'TEXT';
      const sequence =
        dialect === 'postgres'
          ? 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
          : 'INTEGER PRIMARY KEY AUTOINCREMENT';
      return [
        `CREATE TABLE self_correction_proposals (
          agent_id ${text} NOT NULL,
          constant ${text} NOT NULL CHECK (constant <> ''),
          revision BIGINT NOT NULL CHECK (revision >= 1),
          data TEXT NOT NULL,
          PRIMARY KEY (agent_id, constant)
        )`,
        `CREATE TABLE self_correction_audit (
          seq ${sequence},
          agent_id ${text} NOT NULL,
          constant ${text} NOT NULL,
          at BIGINT NOT NULL,
          data TEXT NOT NULL
        )`,
        'CREATE INDEX self_correction_audit_all ON self_correction_audit (agent_id, seq)',
        'CREATE INDEX self_correction_audit_constant ON self_correction_audit (agent_id, constant, seq)',
        'CREATE INDEX self_correction_audit_at ON self_correction_audit (agent_id, at)',
      ];
    },
  },
];
