import type { Generated } from 'kysely';
import type { HookName } from '../../hook-failures.ts';
import type { AssessmentSource, Direction, Outcome, OutcomeResult } from '../../records.ts';

/** The ledger's tables as the queries see them. Postgres gives whole numbers back as text. */
export interface LedgerTables {
  readonly ledger_peers: PeersTable;
  readonly ledger_interactions: InteractionsTable;
  readonly ledger_outcomes: OutcomesTable;
  readonly ledger_assessments: AssessmentsTable;
  readonly ledger_hook_failures: HookFailuresTable;
  readonly ledger_settings: SettingsTable;
}

interface PeersTable {
  agent_id: string;
  peer_id: string;
  native_id: string;
  /** Null only until the migration that added it has filled it. */
  handle: string | null;
  channel: string;
  alias: string | null;
  first_seen_at: number;
  last_seen_at: number;
  interaction_count: number;
  assessment_count: Generated<number>;
  success_count: Generated<number>;
  failure_count: Generated<number>;
  open_count: Generated<number>;
  violation_count: Generated<number>;
  last_violation_at: number | null;
  /** Position of the latest event of the peer in the order of receipt: outcomes and assessments share it. */
  sequence: Generated<number>;
  last_violation_sequence: number | null;
  /** Position and trust of the operator's last assessment. */
  operator_sequence: number | null;
  operator_trust: number | null;
  latest_assessment_id: string | null;
  latest_assessed_at: number | null;
  latest_trust: number | null;
}

interface InteractionsTable {
  agent_id: string;
  interaction_id: string;
  peer_id: string;
  direction: Direction;
  channel: string;
  content: string;
  content_length: number;
  redacted: number;
  correlation_id: string | null;
  external_id: string | null;
  evidence: string | null;
  metrics: string | null;
  created_at: number;
  /** Null in rows from before this column. */
  received_at: number | null;
  pruned: Generated<number>;
  voided_at: number | null;
  void_reason: string | null;
  /** In Postgres, the words of the text for searches. */
  search_words?: string[] | null;
}

interface OutcomesTable {
  agent_id: string;
  outcome_id: string;
  peer_id: string;
  correlation_id: string;
  outcome: Outcome;
  result: OutcomeResult;
  metrics: string | null;
  external_id: string | null;
  evidence: string | null;
  redacted: Generated<number>;
  created_at: number;
  /** Null in rows from before this column. */
  received_at: number | null;
  sequence: Generated<number>;
}

interface AssessmentsTable {
  agent_id: string;
  assessment_id: string;
  peer_id: string;
  info_score: number;
  trust: number;
  rationale: string;
  source: AssessmentSource;
  assessor: string | null;
  created_at: number;
  /** Position in the order of receipt of the peer; 0 in rows from before this column. */
  sequence: Generated<number>;
}

interface SettingsTable {
  agent_id: string;
  name: string;
  value: string;
}

interface HookFailuresTable {
  agent_id: string;
  hook: HookName;
  count: number;
  last_at: number;
  last_code: string;
}
