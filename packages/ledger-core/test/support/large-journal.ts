import { type Kysely, sql } from 'kysely';

/** Size of a journal to fill. */
export interface JournalSize {
  readonly peers: number;
  readonly interactions: number;
}

const start = 1_700_000_000_000;
const spanMs = 400 * 86_400_000;

/**
 * Fills migrated ledger tables with rows: every interaction belongs to a piece of work, every second work has an outcome, each
 * peer has three assessments, one peer in a hundred is distrusted, and the first peer has a tenth of all messages.
 */
export async function fillJournal(
  // biome-ignore lint/suspicious/noExplicitAny: written with plain SQL.
  db: Kysely<any>,
  dialect: 'sqlite' | 'postgres',
  { peers, interactions }: JournalSize,
): Promise<void> {
  const numbers = (count: number) =>
    dialect === 'sqlite'
      ? sql`(with recursive numbers(i) as (select 0 union all select i + 1 from numbers where i < ${sql.lit(count - 1)}) select i from numbers)`
      : sql`(select i from generate_series(0, ${sql.lit(count - 1)}) as i)`;
  const text = (prefix: string, number: ReturnType<typeof sql>) =>
    sql`${sql.lit(prefix)} || cast(${number} as text)`;
  const peerOf = sql`case when i % 10 = 0 then 0 else i % ${sql.lit(peers)} end`;
  const at = sql`${sql.lit(start)} + cast(i as bigint) * ${sql.lit(Math.floor(spanMs / interactions))}`;
  await sql`insert into ledger_peers (agent_id, peer_id, native_id, handle, channel, first_seen_at, last_seen_at,
      interaction_count, assessment_count, success_count, latest_assessment_id, latest_assessed_at, latest_trust)
    select 'default', ${text('irc:peer-', sql`i`)}, ${text('peer-', sql`i`)}, ${text('p-', sql`i`)}, 'irc',
      ${sql.lit(start)}, ${sql.lit(start + spanMs)} - i, ${sql.lit(Math.ceil(interactions / peers))}, 3, 5,
      ${text('a-', sql`i * 3 + 2`)}, ${sql.lit(start + spanMs)}, case when i % 100 = 0 then -5 else 3 end
    from ${numbers(peers)} as numbers`.execute(db);
  await sql`insert into ledger_interactions (agent_id, interaction_id, peer_id, direction, channel, content,
      content_length, redacted, correlation_id, external_id, created_at, received_at
      ${dialect === 'postgres' ? sql`, search_words` : sql``})
    select 'default', ${text('i-', sql`i`)}, ${text('irc:peer-', peerOf)}, 'in', 'irc', ${text('A message number ', sql`i`)},
      25, 0, ${text('work-', sql`i`)}, ${text('e-', sql`i`)}, ${at}, ${at}
      ${dialect === 'postgres' ? sql`, string_to_array(${text('a message number ', sql`i`)}, ' ')` : sql``}
    from ${numbers(interactions)} as numbers`.execute(db);
  await sql`insert into ledger_outcomes (agent_id, outcome_id, peer_id, correlation_id, outcome, result, created_at, sequence)
    select 'default', ${text('o-', sql`i`)}, ${text('irc:peer-', peerOf)}, ${text('work-', sql`i`)}, 'paid', 'success', ${at}, i
    from ${numbers(interactions)} as numbers where i % 2 = 0`.execute(db);
  await sql`insert into ledger_assessments (agent_id, assessment_id, peer_id, info_score, trust, rationale, source, created_at)
    select 'default', ${text('a-', sql`i`)}, ${text('irc:peer-', sql`i / 3`)}, 5,
      case when (i / 3) % 100 = 0 then -5 else 3 end, ${text('Delivered and paid, number ', sql`i`)}, 'agent',
      ${sql.lit(start)} + cast(i as bigint) * ${sql.lit(Math.floor(spanMs / (peers * 3)))}
    from ${numbers(peers * 3)} as numbers`.execute(db);
  await sql`analyze`.execute(db);
}
