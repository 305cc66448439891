import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres, { type Sql } from 'postgres'

/**
 * Supabase's Management API as far as it reads a database (https://supabase.com/docs/reference/api/v1-run-a-query):
 * as `supabase_read_only_user`, and with the error of PostgreSQL in its message.
 *
 * @param sql of a superuser
 */
export async function startManagementDatabase(
  sql: Sql,
  url: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const password = 'of-the-reader'
  await sql.unsafe(`alter role supabase_read_only_user password '${password}'`)
  const address = new URL(url)
  address.username = 'supabase_read_only_user'
  address.password = password
  const reader = postgres(address.href, { max: 4, onnotice: () => {} })
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const send = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    if (!request.url?.endsWith('/database/query')) return send(200, [])
    const { query } = JSON.parse(body)
    try {
      send(201, await reader.begin('read only', (transaction) => transaction.unsafe(query)))
    } catch (error) {
      const { code, message } = error as { code: string; message: string }
      send(400, { message: `Failed to run sql query: ERROR:  ${code}: ${message}\n` })
    }
  }).listen(0, '127.0.0.1')
  await new Promise<void>((resolve) => server.once('listening', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      await reader.end()
    },
  }
}
