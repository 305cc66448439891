import { describeTools, type PermittedTool } from '../supabase/functions/chat/turn/catalogue.ts'
import type { Answer, DatabaseCalls } from './database-calls.ts'

/** The tools of a turn that `begin_turn` has loaded, as its model is offered them. */
export async function offeredTools(db: DatabaseCalls, turn: Answer): Promise<PermittedTool[]> {
  return await describeTools((name) => db.call(name), turn as Parameters<typeof describeTools>[1])
}

export async function offeredNames(db: DatabaseCalls, turn: Answer): Promise<string[]> {
  return (await offeredTools(db, turn)).map(({ specification }) => specification.name)
}
