import { connect, type Socket } from 'node:net'
import { App } from '@supabase/lite'
import { PostgresConnection } from '@supabase/lite/postgres'
import postgres from 'postgres'
import { LiteConnection } from '../../local/data-api/lite-connection.ts'
import { startTestDatabase } from '../../support/database.ts'
import { median } from '../bench/median.ts'

/** What a call of a function costs over the data API. */
export interface CallCost {
  connection: string
  /** Milliseconds: the median of the rounds' medians. */
  ms: number
  /** Between the API and the database. */
  roundTrips: number
}

const secretKey = 'sb_secret_of_the_measurement'
const rounds = 5
const callsPerRound = 200

/** The connection of `@supabase/lite` and ours in turns, on one database, by calls that do next to nothing. */
export async function measureDataApi(): Promise<CallCost[]> {
  const database = await startTestDatabase()
  const sql = postgres(database.adminUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(
    'create function public.add_one(n int) returns int language sql stable as $$ select n + 1 $$',
  )
  await sql.end()
  const open = (name: string, make: (options: object) => PostgresConnection) => {
    const trips = { count: 0 }
    const connection = make({ max: 10, onnotice: () => {}, ...countedSocket(trips) })
    const app = new App({
      connection,
      auth: {
        enabled: true,
        jwt_secret: 'x'.repeat(40),
        publishable_key: 'sb_publishable_any',
        secret_key: secretKey,
      },
      api: { schemas: ['public'] },
      options: { server: { disableStudio: true, disableFallback: true } },
    })
    return { name, trips, connection, app, rounds: [] as { ms: number; trips: number }[] }
  }
  const { adminUrl: url } = database
  const all = [
    open(
      '`PostgresConnection` of `@supabase/lite`',
      (postgresOptions) => new PostgresConnection({ url, postgresOptions }),
    ),
    open('`LiteConnection`', (postgresOptions) => new LiteConnection(url, postgresOptions)),
  ]
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const one of all) {
        const before = one.trips.count
        const times: number[] = []
        for (let call = 0; call < callsPerRound; call++) times.push(await timeCall(one.app, call))
        // The first round reads the schema, and prepares statements.
        if (round > 0)
          one.rounds.push({ ms: median(times), trips: (one.trips.count - before) / callsPerRound })
      }
    }
    return all.map(({ name, rounds }) => ({
      connection: name,
      ms: median(rounds.map(({ ms }) => ms)),
      roundTrips: median(rounds.map(({ trips }) => trips)),
    }))
  } finally {
    for (const { connection } of all) await connection.driver.end({ timeout: 0 })
    await database.close()
  }
}

async function timeCall(app: App, n: number): Promise<number> {
  const request = new Request('http://127.0.0.1/rest/v1/rpc/add_one', {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ n }),
  })
  const start = performance.now()
  const response = await app.fetch(request, { peerAddress: null })
  const answer = await response.text()
  if (answer !== String(n + 1)) throw new Error(`The call was answered with ${response.status}: ${answer}`)
  return performance.now() - start
}

/** Each time that something is sent after an answer has come is a round trip. */
function countedSocket(trips: { count: number }): object {
  return {
    socket: ({ host, port }: { host: string[]; port: number[] }) =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(port[0] ?? 5432, host[0])
        socket.setNoDelay(true)
        const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean
        let isWaiting = false
        socket.write = (...parts: unknown[]) => {
          if (!isWaiting) trips.count++
          isWaiting = true
          return write(...parts)
        }
        socket.on('data', () => {
          isWaiting = false
        })
        socket.once('connect', () => resolve(socket))
        socket.once('error', reject)
      }),
  }
}
