import { storableJson } from '../shared/engine/core/storable-json.ts'
import { type CallRpc, DatabaseError, type StreamToRpc } from '../shared/server/database/call-rpc.ts'
import type { DatabaseCalls } from './database-calls.ts'

/** What functions call, without the data API between: by name, with the service role, on the test's own database. */
export function createDatabaseRpc(db: DatabaseCalls): CallRpc {
  return async (name, args) => {
    const given = Object.entries(JSON.parse(storableJson(JSON.stringify(args))) as Record<string, unknown>)
    const isJson = (value: unknown) =>
      typeof value === 'object' && value !== null && !(Array.isArray(value) && typeof value[0] === 'string')
    const places = given.map(
      ([key, value], index) => `${key} => $${index + 1}${isJson(value) ? '::text::json' : ''}`,
    )
    const values = given.map(([, value]) => (isJson(value) ? JSON.stringify(value) : value)) as string[]
    const sql = `select askback.${name}(${places.join(', ')}) as answer`
    const [row] = await db.service.unsafe(sql, values).catch((cause) => {
      throw new DatabaseError(cause.message, { code: cause.code, transient: false, cause })
    })
    return row?.answer
  }
}

/** The same for an RPC with a streamed argument. */
export function createDatabaseRpcStream(db: DatabaseCalls): StreamToRpc {
  const rpc = createDatabaseRpc(db)
  return async (name, argument, pieces, others) => {
    let text = ''
    for await (const piece of pieces) text += piece
    return await rpc(name, { ...(await others()), [argument]: text } as never)
  }
}
