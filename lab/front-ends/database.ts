import type postgres from 'postgres'

/** Whether a run or a write of a user is under way. */
export async function isAtWork(sql: postgres.Sql, userId: string): Promise<boolean> {
  const [row] = await sql`
    select exists (
      select 1 from askback.runs
      where user_id = ${userId} and status in ('running', 'stopping') and lease_expires_at > clock_timestamp()
    ) or exists (
      select 1 from askback.tool_executions
      where user_id = ${userId} and status = 'running' and lease_expires_at > clock_timestamp()
    ) as busy`
  return row?.busy === true
}

/** How many questions a user was asked. */
export async function countQuestions(sql: postgres.Sql, userId: string): Promise<number> {
  const [row] = await sql`
    select count(*)::int as number from askback.open_items
    where user_id = ${userId} and kind in ('input', 'approval')`
  return Number(row?.number)
}

/** How many runs of a user ended in failure. */
export async function countFailedRuns(sql: postgres.Sql, userId: string): Promise<number> {
  const [row] = await sql`
    select count(*)::int as number from askback.runs where user_id = ${userId} and status = 'failed'`
  return Number(row?.number)
}

/** Moves everything of a user this many hours into the past. */
export async function letHoursPass(sql: postgres.Sql, userId: string, hours: number): Promise<void> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select t.table_name as name, array_agg(c.column_name::text) as columns
    from information_schema.tables t
    join information_schema.columns c using (table_schema, table_name)
    join information_schema.columns u using (table_schema, table_name)
    where t.table_schema = 'askback' and t.table_type = 'BASE TABLE' and u.column_name = 'user_id'
      and c.data_type = 'timestamp with time zone' and c.is_generated = 'NEVER'
    group by t.table_name`
  await sql.begin(async (transaction) => {
    // Triggers refuse such changes.
    await transaction`set local session_replication_role = replica`
    for (const { name, columns } of tables) {
      const earlier = columns.map((column) => `${column} = ${column} - make_interval(hours => $2)`)
      await transaction.unsafe(`update askback.${name} set ${earlier} where user_id = $1`, [userId, hours])
    }
  })
}
