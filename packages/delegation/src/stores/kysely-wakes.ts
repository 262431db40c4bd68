import { dialectOf, prepare, type QueryArgument, withTypedErrors } from '@bonafide/storage';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { WakeResult, WakeStore } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import type { DelegationTables, WakeRow } from './kysely-tables.ts';

const longestError = 1_000;

type Put = Parameters<WakeStore['put']>[0];
type Claim = Parameters<WakeStore['claim']>[0];

/** Creates the store of wakes of one agent. */
export function createKyselyWakes(
  db: Kysely<DelegationTables>,
  agentId: string,
  commit: GroupCommit<DelegationTables>,
): WakeStore {
  // Claims of several processes never wait for each other.
  const skipLocked = dialectOf(db) === 'postgres' ? sql`for update skip locked` : sql``;
  const compiled = <Row>(query: RawBuilder<Row>): Compilable<Row> => ({ compile: () => query.compile(db) });

  const insert = prepare<Put, unknown>((argument) =>
    compiled(sql`
      insert into delegation_wakes
        (agent_id, queue, id, due_at, ready_at, priority, failures, last_error, held_until, token)
      values (${agentId}, ${argument('queue')}, ${argument('id')}, ${argument('dueAt')}, ${argument('dueAt')},
        ${argument('priority')}, 0, '', null, '')
      on conflict (agent_id, queue, id) do update set
        due_at = case when delegation_wakes.due_at is null or delegation_wakes.due_at > excluded.due_at
          then excluded.due_at else delegation_wakes.due_at end,
        ready_at = case when delegation_wakes.held_until is null and delegation_wakes.ready_at > excluded.due_at
          then excluded.due_at else delegation_wakes.ready_at end,
        priority = case when delegation_wakes.priority < excluded.priority
          then excluded.priority else delegation_wakes.priority end`),
  );
  const take = prepare<Claim, { id: string; failures: number }>((argument) =>
    // Materialized: Postgres may run a subquery with a limit once per row, and then claims more than the limit.
    compiled(sql`
      with due as materialized (
        select id from delegation_wakes
        where agent_id = ${agentId} and queue = ${argument('queue')} and ready_at <= ${argument('now')}
        order by priority desc, ready_at, id limit ${argument('limit')} ${skipLocked})
      update delegation_wakes
      set due_at = null, held_until = ${argument('heldUntil')}, ready_at = ${argument('heldUntil')},
        token = ${argument('token')}
      where agent_id = ${agentId} and queue = ${argument('queue')} and id in (select id from due)
      returning id, failures`),
  );
  const firstReady = prepare<Pick<Claim, 'queue'>, { ready_at: number | string | null }>((argument) =>
    compiled(sql`
      select min(ready_at) as ready_at from delegation_wakes
      where agent_id = ${agentId} and queue = ${argument('queue')}`),
  );
  const remove = prepare<{ queue: string; id: string; token: string }, { id: string }>((argument) =>
    compiled(sql`
      delete from delegation_wakes
      where agent_id = ${agentId} and queue = ${argument('queue')} and id = ${argument('id')}
        and token = ${argument('token')} and due_at is null
      returning id`),
  );
  type Rest = Pick<WakeResult, 'queue' | 'id' | 'token' | 'failures' | 'lastError'>;
  const finishWith = <Args extends Rest>(due: (argument: QueryArgument<Args>) => RawBuilder<unknown>) =>
    prepare<Args, unknown>((argument) =>
      compiled(sql`
        update delegation_wakes set due_at = ${due(argument)}, ready_at = ${due(argument)}, held_until = null, token = '',
          failures = ${argument('failures')}, last_error = ${argument('lastError')}
        where agent_id = ${agentId} and queue = ${argument('queue')} and id = ${argument('id')}
          and token = ${argument('token')}`),
    );
  /** Keeps the time of the wake that came meanwhile. */
  const keepDue = finishWith<Rest>(() => sql`due_at`);
  const makeDue = finishWith<Rest & { readonly dueAt: number }>(
    (argument) =>
      sql`case when due_at is null or due_at > ${argument('dueAt')} then ${argument('dueAt')} else due_at end`,
  );

  return withTypedErrors<WakeStore>({
    async put(wake) {
      await commit((executor) => insert(executor, wake));
    },

    async claim(options) {
      const { token } = options;
      return commit(async (executor) => {
        const { rows } = await take(executor, options);
        const { rows: next } = await firstReady(executor, options);
        const nextDueAt = next[0]?.ready_at ?? null;
        return {
          claimed: rows.map(({ id, failures }) => ({ id, token, failures: Number(failures) })),
          nextDueAt: nextDueAt === null ? null : Number(nextDueAt),
        };
      });
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
      const rest = { queue, id, token, failures, lastError: lastError.slice(0, longestError) };
      await commit(async (executor) => {
        if (dueAt !== null) {
          await makeDue(executor, { ...rest, dueAt });
          return;
        }
        const { rows } = await remove(executor, { queue, id, token });
        if (rows.length === 0) await keepDue(executor, rest);
      });
    },

    async list({ queue, limit = 100 } = {}) {
      const { rows } = await sql<WakeRow>`
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
  });
}
