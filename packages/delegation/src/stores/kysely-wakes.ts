import { dialectOf } from '@bonafide/storage';
import { type Kysely, sql } from 'kysely';
import type { WakeStore } from '../store.ts';

/** The table of wakes. */
export interface WakeTable {
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

const longestError = 1_000;

/** Creates the store of wakes of one agent. */
export function createKyselyWakes(
  // biome-ignore lint/suspicious/noExplicitAny: the database has tables of other packages, too.
  db: Kysely<any>,
  agentId: string,
): WakeStore {
  // Claims of several processes never wait for each other.
  const skipLocked = dialectOf(db) === 'postgres' ? sql`for update skip locked` : sql``;

  return {
    async put({ queue, id, dueAt, priority }) {
      await sql`
        insert into delegation_wakes
          (agent_id, queue, id, due_at, ready_at, priority, failures, last_error, held_until, token)
        values (${agentId}, ${queue}, ${id}, ${dueAt}, ${dueAt}, ${priority}, 0, '', null, '')
        on conflict (agent_id, queue, id) do update set
          due_at = case when delegation_wakes.due_at is null or delegation_wakes.due_at > excluded.due_at
            then excluded.due_at else delegation_wakes.due_at end,
          ready_at = case when delegation_wakes.held_until is null and delegation_wakes.ready_at > excluded.due_at
            then excluded.due_at else delegation_wakes.ready_at end,
          priority = case when delegation_wakes.priority < excluded.priority
            then excluded.priority else delegation_wakes.priority end`.execute(db);
    },

    async claim({ queue, now, limit, token, heldUntil }) {
      const { rows } = await sql<{ id: string; failures: number }>`
        update delegation_wakes
        set due_at = null, held_until = ${heldUntil}, ready_at = ${heldUntil}, token = ${token}
        where agent_id = ${agentId} and queue = ${queue} and id in (
          select id from delegation_wakes
          where agent_id = ${agentId} and queue = ${queue} and ready_at <= ${now}
          order by priority desc, ready_at, id limit ${limit} ${skipLocked})
        returning id, failures`.execute(db);
      const { rows: next } = await sql<{ ready_at: number | string | null }>`
        select min(ready_at) as ready_at from delegation_wakes
        where agent_id = ${agentId} and queue = ${queue}`.execute(db);
      const nextDueAt = next[0]?.ready_at ?? null;
      return {
        claimed: rows.map(({ id, failures }) => ({ id, token, failures: Number(failures) })),
        nextDueAt: nextDueAt === null ? null : Number(nextDueAt),
      };
    },

    async release(queue) {
      await sql`
        update delegation_wakes set due_at = coalesce(due_at, 0), ready_at = coalesce(due_at, 0), held_until = null, token = ''
        where agent_id = ${agentId} and queue = ${queue} and held_until is not null`.execute(db);
    },

    async renew(token, heldUntil) {
      await sql`
        update delegation_wakes set held_until = ${heldUntil}, ready_at = ${heldUntil}
        where token = ${token} and agent_id = ${agentId}`.execute(db);
    },

    async finish({ queue, id, token, dueAt, failures, lastError }) {
      const claim = sql`agent_id = ${agentId} and queue = ${queue} and id = ${id} and token = ${token}`;
      if (dueAt === null) {
        const { rows } = await sql`
          delete from delegation_wakes where ${claim} and due_at is null returning id`.execute(db);
        if (rows.length > 0) return;
      }
      // Without a time of its own, only the wake that came meanwhile counts.
      const next =
        dueAt === null
          ? sql`due_at`
          : sql`case when due_at is null or due_at > ${dueAt} then ${dueAt} else due_at end`;
      await sql`
        update delegation_wakes set due_at = ${next}, ready_at = ${next}, held_until = null, token = '',
          failures = ${failures}, last_error = ${lastError.slice(0, longestError)}
        where ${claim}${dueAt === null ? sql` and due_at is not null` : sql``}`.execute(db);
    },

    async list({ queue, limit = 100 } = {}) {
      const { rows } = await sql<WakeTable>`
        select * from delegation_wakes
        where agent_id = ${agentId}${queue === undefined ? sql`` : sql` and queue = ${queue}`}
        order by priority desc, ready_at, id limit ${limit}`.execute(db);
      return rows.map(({ queue, id, due_at, priority, failures, last_error, held_until }) => ({
        queue,
        id,
        dueAt: due_at === null ? null : Number(due_at),
        priority: Number(priority),
        failures: Number(failures),
        lastError: last_error,
        heldUntil: held_until === null ? null : Number(held_until),
      }));
    },
  };
}
