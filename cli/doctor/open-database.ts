import { Refusal } from '../command/refusal.ts'
import { patienceMs } from './finding.ts'
import { lateCode, RefusedQuery } from './refused-query.ts'
import type { Query } from './target.ts'

/**
 * Connects to a database for reading.
 * @throws {Refusal} when it does not answer; the address, which holds a password, is not repeated
 */
export async function openDatabase(url: string): Promise<{ query: Query; close(): Promise<void> }> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Refusal(
      '--db-url is no PostgreSQL address. Write it like postgresql://postgres:PASSWORD@HOST:5432/postgres.',
    )
  }
  const { default: postgres } = await import('postgres')
  // Poolers prepare no statements.
  const sql = postgres(url, {
    max: 1,
    connect_timeout: patienceMs / 1000,
    prepare: false,
    onnotice: () => {},
  })
  const query: Query = (statement) =>
    inTime(sql.begin('read only', (transaction) => transaction.unsafe(statement)))
  const close = () => sql.end({ timeout: 0 })
  try {
    await query('select 1')
  } catch (error) {
    await close()
    throw new Refusal(`The database at ${new URL(url).host} does not answer: ${(error as Error).message}`)
  }
  return { query, close }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RefusedQuery(lateCode)), patienceMs)
  })
  answer.catch(() => {})
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
