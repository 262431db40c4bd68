import { boundedId } from '@bonafide/internal';
import type { Selectable } from 'kysely';
import type { OrderState } from '../order.ts';
import { platformId } from '../platform.ts';
import type { OrderRecord } from '../store.ts';

/** Table types for Kysely. */
export interface DelegationTables {
  delegation_orders: {
    agent_id: string;
    id: string;
    fingerprint: string;
    revision: number;
    status: string;
    settled: number;
    task_type: string;
    trial_of: string | null;
    trial_operator: string | null;
    state: string;
    created_at: number;
    updated_at: number;
  };
  delegation_notes: { agent_id: string; name: string; revision: number; value: string };
  delegation_wakes: WakeTable;
}

/** A stored order as a row. */
export type OrderRow = Selectable<DelegationTables['delegation_orders']>;

/** The table of wakes. `ready_at`: when it may be claimed. */
interface WakeTable {
  agent_id: string;
  queue: string;
  id: string;
  due_at: number | null;
  ready_at: number;
  priority: number;
  failures: number;
  last_error: string;
  held_until: number | null;
  token: string;
}

/** A stored wake as a row. */
export type WakeRow = Selectable<WakeTable>;

/** Returns an order as a row. */
export function rowOf(agentId: string, record: OrderRecord): OrderRow {
  const { order, status } = record.state;
  return {
    agent_id: agentId,
    id: record.id,
    fingerprint: record.fingerprint,
    revision: record.revision,
    status,
    settled: Number(record.settled),
    task_type: order.taskType,
    trial_of: order.trial === null ? null : boundedId(platformId(order.trial.platform)),
    trial_operator: order.trial?.platform.pubkey ?? null,
    state: JSON.stringify(record.state),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** Returns a row as an order. */
export function recordOf(row: OrderRow): OrderRecord {
  const { id, fingerprint, settled } = row;
  return {
    id,
    fingerprint,
    revision: Number(row.revision),
    state: JSON.parse(row.state) as OrderState,
    settled: Number(settled) === 1,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
