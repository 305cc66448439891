import { withDatabase } from '../../support/chat-user.ts'
import type { TestStack } from '../../support/stack.ts'

const answers = 100
const words = 3000
const vocabulary = 5000

/**
 * Storing an answer of 3,000 words in the newest run, in ms: the median of 100 with the words and index that the search
 * reads, and without them. Nothing of it is kept.
 */
export async function measureSearchCost(stack: TestStack): Promise<{ with: number; without: number }> {
  return await withDatabase(stack, async (sql) => {
    const measure = async (isSearched: boolean) => {
      const times: number[] = []
      const transaction = sql.begin(async (sql) => {
        if (!isSearched) await sql`alter table askback.entries drop column words cascade`
        for (let at = 0; at < answers; at++) {
          const entry = JSON.stringify({ type: 'model-text', text: writeAnswer() })
          const began = performance.now()
          await sql`
            insert into askback.entries (user_id, conversation_id, message_id, run_id, sequence, entry)
            select user_id, conversation_id, message_id, id, ${10_000 + at}, ${entry}::text::json
            from askback.runs order by started_at desc limit 1`
          times.push(performance.now() - began)
        }
        throw rolledBack
      })
      await transaction.catch((error) => {
        if (error !== rolledBack) throw error
      })
      return times.toSorted((a, b) => a - b)[answers / 2] ?? Number.NaN
    }
    return { with: await measure(true), without: await measure(false) }
  })
}

const rolledBack = new Error('Nothing of this is kept.')

function writeAnswer(): string {
  return Array.from(
    { length: words },
    () => `word${Math.floor(Math.random() * vocabulary).toString(36)}`,
  ).join(' ')
}
