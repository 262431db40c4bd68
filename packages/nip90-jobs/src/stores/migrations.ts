import { type Migration, migrate } from '@bonafide/storage';
import type { Kysely } from 'kysely';
import { JOB_STATES } from '../job.ts';

const states = JOB_STATES.map((state) => `'${state}'`).join(', ');
const finalStates = `'completed', 'failed', 'timed_out', 'cancelled'`;
const providedColumns = `request_id, customer, kind, request, received_at, revision, holder, attempts, charge, paid_at,
  unpaid_at, answer, answer_kind, answered_at, published_at, dropped_at, refunded_at, receipt, partial_at`;

/** The schema of this package, in order. Ids sort by bytes in both dialects, since pages depend on it. */
export const jobMigrations: readonly Migration[] = [
  {
    id: '001-jobs',
    statements(dialect) {
      const id = dialect === 'postgres' ? 'text collate "C"' : 'text';
      return [
        `create table jobs_requests (
          job_id ${id} primary key,
          idempotency_key text unique,
          fingerprint text not null,
          kind integer not null check (kind between 5000 and 5999),
          provider text,
          request text not null,
          relays text not null,
          provider_relays text not null,
          state text not null check (state in (${states})),
          revision integer not null check (revision >= 1),
          attempts integer not null check (attempts >= 0),
          delivered_to text not null,
          built_at bigint not null,
          delivered_at bigint,
          heard_at bigint,
          feedback_count integer not null check (feedback_count >= 0),
          extensions integer not null check (extensions between 0 and feedback_count),
          success_at bigint,
          ended_at bigint,
          result_event text,
          recovered integer not null check (recovered in (0, 1)),
          failure_reason text check (failure_reason in ('provider-error', 'payment-declined')),
          timeout_class text check (timeout_class in ('delivery', 'silence', 'processing', 'result')),
          message text not null,
          check ((ended_at is not null) = (state in (${finalStates}))),
          check ((result_event is not null) = (state = 'completed')),
          check ((failure_reason is not null) = (state = 'failed')),
          check ((timeout_class is not null) = (state = 'timed_out'))
        )`,
        'create index jobs_requests_by_age on jobs_requests (built_at, job_id)',
        'create index jobs_requests_open on jobs_requests (built_at, job_id) where ended_at is null',
        'create index jobs_requests_by_provider on jobs_requests (provider, built_at, job_id)',
        `create table jobs_transitions (
          job_id ${id} not null references jobs_requests (job_id),
          sequence integer not null check (sequence >= 1),
          from_state text not null check (from_state in (${states})),
          to_state text not null check (to_state in (${states})),
          at bigint not null,
          event_id text,
          primary key (job_id, sequence)
        )`,
        `create table jobs_feedback (
          job_id ${id} not null references jobs_requests (job_id),
          event_id text not null,
          sequence integer not null check (sequence >= 1),
          received_at bigint not null,
          event text not null,
          primary key (job_id, event_id),
          unique (job_id, sequence)
        )`,
        `create table jobs_provided (
          request_id ${id} primary key,
          customer text not null,
          kind integer not null check (kind between 5000 and 5999),
          request text not null,
          received_at bigint not null,
          answer text,
          answered_at bigint,
          published_at bigint,
          dropped_at bigint,
          check ((answer is null) = (answered_at is null)),
          check (published_at is null or answer is not null),
          check (dropped_at is null or answer is null)
        )`,
        `create index jobs_provided_unfinished on jobs_provided (received_at, request_id)
          where published_at is null and dropped_at is null`,
        `create table jobs_watermarks (
          source text primary key,
          seconds bigint not null check (seconds >= 0)
        )`,
      ];
    },
  },
  {
    id: '002-payments',
    statements(dialect) {
      const id = dialect === 'postgres' ? 'text collate "C"' : 'text';
      return [
        'alter table jobs_requests add column paid_at bigint',
        'alter table jobs_requests add column result_content text',
        `alter table jobs_requests add column matched_by text check (matched_by in ('request-id', 'content', 'window'))`,
        'alter table jobs_provided add column attempts integer not null default 0 check (attempts >= 0)',
        'alter table jobs_provided add column charge text',
        'alter table jobs_provided add column paid_at bigint',
        `create table jobs_payments (
          payment_hash ${id} primary key,
          job_id ${id} not null unique references jobs_requests (job_id),
          provider text not null,
          bolt11 text not null,
          amount_msat bigint not null check (amount_msat > 0),
          fees_msat bigint not null check (fees_msat >= 0),
          status text not null check (status in ('in-flight', 'settled', 'failed')),
          held_at bigint not null,
          expires_at bigint not null,
          ended_at bigint,
          preimage text,
          message text not null,
          check ((ended_at is null) = (status = 'in-flight')),
          check (preimage is null or status = 'settled')
        )`,
        `create index jobs_payments_in_flight on jobs_payments (held_at, payment_hash) where status = 'in-flight'`,
        `create index jobs_payments_settled on jobs_payments (ended_at) where status = 'settled'`,
      ];
    },
  },
  {
    id: '003-leases',
    statements(dialect) {
      const id = dialect === 'postgres' ? 'text collate "C"' : 'text';
      return [
        `create table jobs_leases (
          holder text primary key,
          expires_at bigint not null
        )`,
        'alter table jobs_requests add column holder text',
        `alter table jobs_requests add column failure_detail text check (failure_detail in ('result-too-large'))`,
        `create index jobs_requests_claimable on jobs_requests (built_at, job_id)
          where paid_at is not null and ended_at is not null and result_event is null`,
        `create table jobs_payments_new (
          payment_hash ${id} primary key,
          job_id ${id} not null,
          provider text not null,
          method text not null,
          bolt11 text not null,
          amount_msat bigint not null check (amount_msat > 0),
          fee_reserve_msat bigint not null check (fee_reserve_msat >= 0),
          fees_msat bigint not null check (fees_msat >= 0),
          status text not null check (status in ('held', 'in-flight', 'settled', 'failed-after-lookup')),
          revision integer not null check (revision >= 1),
          holder text not null,
          held_at bigint not null,
          expires_at bigint not null,
          ended_at bigint,
          preimage text,
          message text not null,
          check ((ended_at is null) = (status in ('held', 'in-flight'))),
          check (preimage is null or status = 'settled')
        )`,
        `insert into jobs_payments_new
          select payment_hash, job_id, provider, 'bolt11', bolt11, amount_msat, 0, fees_msat,
            case status when 'failed' then 'failed-after-lookup' else status end,
            1, '', held_at, expires_at, ended_at, preimage, message
          from jobs_payments`,
        'drop table jobs_payments',
        'alter table jobs_payments_new rename to jobs_payments',
        'create index jobs_payments_by_job on jobs_payments (job_id, held_at)',
        `create index jobs_payments_open on jobs_payments (held_at, payment_hash)
          where status in ('held', 'in-flight')`,
        `create index jobs_payments_settled on jobs_payments (ended_at) where status = 'settled'`,
        'alter table jobs_provided add column revision integer not null default 1 check (revision >= 1)',
        'alter table jobs_provided add column holder text',
        'alter table jobs_provided add column unpaid_at bigint',
        'alter table jobs_provided add column refunded_at bigint',
        'alter table jobs_provided add column receipt text',
        'alter table jobs_provided add column answer_kind integer',
        // What ended unpaid in the previous schema needs no further question to the wallet.
        `update jobs_provided set unpaid_at = coalesce(answered_at, dropped_at)
          where charge is not null and paid_at is null and (answer is not null or dropped_at is not null)`,
        `update jobs_provided set answer_kind = case when answer like '%"kind":7000%' then 7000 else kind + 1000 end
          where answer is not null`,
        'drop index jobs_provided_unfinished',
        `create index jobs_provided_unfinished on jobs_provided (received_at, request_id)
          where (published_at is null and dropped_at is null)
            or (charge is not null and paid_at is null and unpaid_at is null)`,
        `create index jobs_provided_owed on jobs_provided (received_at, request_id)
          where paid_at is not null and refunded_at is null and (dropped_at is not null or answer_kind = 7000)`,
        `create index jobs_provided_receipts on jobs_provided (received_at, request_id) where receipt is not null`,
      ];
    },
  },
  {
    id: '004-partial-delivery',
    statements: () => ['alter table jobs_provided add column partial_at bigint'],
  },
  {
    id: '005-agents',
    // Everything that is there belongs to the agent `default`. Leases stay common: no two holders have the same id.
    statements(dialect) {
      const id = dialect === 'postgres' ? 'text collate "C"' : 'text';
      const agent = `agent_id ${id} not null default 'default'`;
      return [
        `alter table jobs_requests add column ${agent}`,
        // In place of `idempotency_key`, which is unique among all agents, and which SQLite cannot drop.
        `alter table jobs_requests add column request_key ${id}`,
        `update jobs_requests set request_key = idempotency_key, idempotency_key = null
          where idempotency_key is not null`,
        'create unique index jobs_requests_by_key on jobs_requests (agent_id, request_key)',
        ...['by_age', 'open', 'by_provider', 'claimable'].map((name) => `drop index jobs_requests_${name}`),
        'create index jobs_requests_by_age on jobs_requests (agent_id, built_at, job_id)',
        'create index jobs_requests_open on jobs_requests (agent_id, built_at, job_id) where ended_at is null',
        'create index jobs_requests_by_provider on jobs_requests (agent_id, provider, built_at, job_id)',
        `create index jobs_requests_claimable on jobs_requests (agent_id, built_at, job_id)
          where paid_at is not null and ended_at is not null and result_event is null`,
        // The payment hash stays the key: an invoice is paid once, by any agent.
        `alter table jobs_payments add column ${agent}`,
        'drop index jobs_payments_open',
        'drop index jobs_payments_settled',
        `create index jobs_payments_open on jobs_payments (agent_id, held_at, payment_hash)
          where status in ('held', 'in-flight')`,
        `create index jobs_payments_settled on jobs_payments (agent_id, ended_at) where status = 'settled'`,
        // Several providers answer the same open request, so that the key has the agent.
        `create table jobs_provided_new (
          ${agent},
          request_id ${id} not null,
          customer text not null,
          kind integer not null check (kind between 5000 and 5999),
          request text not null,
          received_at bigint not null,
          revision integer not null check (revision >= 1),
          holder text,
          attempts integer not null check (attempts >= 0),
          charge text,
          paid_at bigint,
          unpaid_at bigint,
          answer text,
          answer_kind integer,
          answered_at bigint,
          published_at bigint,
          dropped_at bigint,
          refunded_at bigint,
          receipt text,
          partial_at bigint,
          primary key (agent_id, request_id),
          check ((answer is null) = (answered_at is null)),
          check (published_at is null or answer is not null),
          check (dropped_at is null or answer is null)
        )`,
        `insert into jobs_provided_new (${providedColumns}) select ${providedColumns} from jobs_provided`,
        'drop table jobs_provided',
        'alter table jobs_provided_new rename to jobs_provided',
        `create index jobs_provided_unfinished on jobs_provided (agent_id, received_at, request_id)
          where (published_at is null and dropped_at is null)
            or (charge is not null and paid_at is null and unpaid_at is null)`,
        `create index jobs_provided_owed on jobs_provided (agent_id, received_at, request_id)
          where paid_at is not null and refunded_at is null and (dropped_at is not null or answer_kind = 7000)`,
        `create index jobs_provided_receipts on jobs_provided (agent_id, received_at, request_id)
          where receipt is not null`,
        `create table jobs_watermarks_new (
          ${agent},
          source text not null,
          seconds bigint not null check (seconds >= 0),
          primary key (agent_id, source)
        )`,
        'insert into jobs_watermarks_new (source, seconds) select source, seconds from jobs_watermarks',
        'drop table jobs_watermarks',
        'alter table jobs_watermarks_new rename to jobs_watermarks',
      ];
    },
  },
];

/** Creates or updates the tables of this package; safe to call at every start. */
// biome-ignore lint/suspicious/noExplicitAny: the caller's database may hold tables of other packages.
export function migrateJobs(db: Kysely<any>): Promise<{ applied: string[] }> {
  return migrate(db, { name: 'jobs', migrations: jobMigrations });
}
