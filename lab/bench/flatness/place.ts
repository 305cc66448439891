import { join } from 'node:path'
import type { TransactionSql } from 'postgres'
import { root } from '../../../scripts/platform.ts'
import { type ChatUser, giveAgent, signUp, withDatabase } from '../../../support/chat-user.ts'
import { startStack } from '../../../support/stack.ts'
import { type MeasuredProcess, startMeasured } from '../measured-process.ts'

/** A stack with some users, and its chat function in a process that is measured. */
export interface Place {
  chat: MeasuredProcess
  users: ChatUser[]
  /** Fills its database, and leaves its statistics as they are after a while. */
  fill(statements: (sql: TransactionSql) => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

export async function openPlace(model: Readonly<Record<string, string>>, userCount: number): Promise<Place> {
  const stack = await startStack({ env: model })
  try {
    const users = await Promise.all(Array.from({ length: userCount }, () => signUp(stack)))
    for (const { id } of users) await giveAgent(stack, id, 'never')
    const chat = await startMeasured(stack, join(root, 'supabase/functions/chat/index.ts'), model)
    return {
      chat,
      users,
      fill: (statements) =>
        withDatabase(stack, async (sql) => {
          await sql.begin(async (own) => {
            // Without triggers and the checks of foreign keys, which take most of the time.
            await own`set local session_replication_role = replica`
            await statements(own)
          })
          await sql`vacuum analyze`
        }),
      async close() {
        chat.stop()
        await stack.stop()
      },
    }
  } catch (error) {
    await stack.stop()
    throw error
  }
}
