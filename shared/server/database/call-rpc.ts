import { waitBeforeTry } from '../../engine/core/backoff.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { BodyLimitReached, bodyLimits, readText } from '../../engine/core/outside-body.ts'
import { storableJson } from '../../engine/core/storable-json.ts'
import { bodyTimeouts } from '../../engine/core/timeouts.ts'
import { streamOf } from '../http/stream-of.ts'
import type { Rpcs } from './rpcs.ts'
import { shareFairly } from './share-fairly.ts'

/** The database did not answer, or refused. `code`: SQLSTATE or PostgREST code, if any. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  readonly code: string | undefined
  /** True if another try may succeed: no connection, a restart, too many connections, a lock or statement that took too long. */
  readonly transient: boolean
  /** It can be reached, but is too busy: nothing of what was asked has happened. */
  readonly isBusy: boolean
  constructor(message: string, facts: { code?: string | undefined; transient: boolean; cause?: unknown }) {
    super(message, { cause: facts.cause })
    this.code = facts.code
    this.transient = facts.transient
    this.isBusy = facts.transient && busyCode.test(facts.code ?? '')
  }
}

/**
 * Calls a function of the schema `askback` with the rights of the service role; rejects with DatabaseError.
 * Its name and its arguments are checked against the migrations.
 */
export type CallRpc = <Name extends keyof Rpcs>(name: Name, args: Rpcs[Name]) => Promise<unknown>

export interface RpcSettings {
  /** The project's URL. */
  url: string
  /** Secret or service-role key. */
  serviceKey: string
  fetch?: typeof fetch
}

/** Milliseconds for one try; a turn is loaded in a few. */
const timeoutMs = 10_000
/** Tries of one call. Every RPC of ours may be repeated: its caller chooses its ids. */
const mostTries = 5
/** Milliseconds after which nothing is tried again: a hanging database is not asked four times. */
const patienceMs = 5000
/** Milliseconds that no try takes: if one did, this process has stood still, and the database was not slow. */
const stoodStillMs = timeoutMs + 1000

/**
 * The same for an RPC with one large argument, which is never in memory as a whole: `pieces` of a text that JSON need not
 * escape, like base64. `others` is called when all of them have been sent. It is tried only once.
 */
export type StreamToRpc = <Name extends keyof Rpcs>(
  name: Name,
  argument: keyof Rpcs[Name] & string,
  pieces: AsyncIterable<string>,
  others: () => Promise<Partial<Rpcs[Name]>>,
) => Promise<unknown>

/**
 * A client for the writing RPCs over the data API. Failed connections, restarts (502, 503, 504) and timeouts are
 * retried within 5 s: nothing has happened, or the reply was lost, and then the same ids find what has happened. The calls of one user take a share of the database's connections.
 */
export function createRpc(settings: RpcSettings): CallRpc {
  return shareFairly(async (name, args) => {
    const body = storableJson(JSON.stringify(args))
    const begun = Date.now()
    for (let tries = 1; ; tries++) {
      const tried = Date.now()
      try {
        return await post(settings, name, { body, signal: AbortSignal.timeout(timeoutMs) })
      } catch (error) {
        const now = Date.now()
        const isPatient = now - begun < patienceMs || now - tried > stoodStillMs
        const again = error instanceof DatabaseError && error.transient && isPatient
        if (tries === mostTries || !again) throw error
        await systemClock.sleep(waitBeforeTry(tries, { baseMs: 100, longestMs: 2000, chance: Math.random() }))
      }
    }
  })
}

export function createRpcStream(settings: RpcSettings): StreamToRpc {
  return async (name, argument, pieces, others) => {
    async function* json() {
      yield `{"${argument}":"`
      yield* pieces
      yield `",${storableJson(JSON.stringify(await others())).slice(1)}`
    }
    const body = streamOf(json()).pipeThrough(new TextEncoderStream())
    const signal = AbortSignal.timeout(bodyTimeouts.wholeMs + timeoutMs)
    // Streams are sent only with `duplex`.
    return await post(settings, name, { body, duplex: 'half', signal })
  }
}

async function post(
  { url, serviceKey, fetch: send = fetch }: RpcSettings,
  name: string,
  request: RequestInit & { duplex?: 'half' },
): Promise<unknown> {
  const headers = {
    apikey: serviceKey,
    authorization: `Bearer ${serviceKey}`,
    'content-type': 'application/json',
    'content-profile': 'askback',
  }
  const response = await send(`${url}/rest/v1/rpc/${name}`, { method: 'POST', headers, ...request }).catch(
    (cause) => {
      throw new DatabaseError('The database cannot be reached.', { transient: true, cause })
    },
  )
  const text = await readText(response, bodyLimits.database).catch((cause) => {
    // Another try would get the same answer.
    const transient = !(cause instanceof BodyLimitReached)
    throw new DatabaseError('The answer of the database could not be read to its end.', { transient, cause })
  })
  if (!response.ok) throw describeRefusal(name, response.status, text)
  // Our own tables hold no number that a double would change: what others wrote came in as text of its digits.
  return text === '' ? null : JSON.parse(text)
}

/**
 * Temporary, and nothing has happened: the transaction was rolled back, or never begun. Time limits of a statement (57014) and
 * of a lock (55P03), of which hosted projects give 8 s; serialization and deadlock (40); resources (53); no connection of
 * PostgREST was free (PGRST003).
 */
const busyCode = /^(?:57014|55P03|40|53|PGRST003)/
/** Temporary, and it may have happened: connection (08), operator intervention (57P). Those of PostgREST's own come before. */
const awayCode = /^(?:08|57P|PGRST00[0-2]$)/
const sqlState = /^[0-9A-Z]{5}$/

function describeRefusal(name: string, status: number, text: string): DatabaseError {
  const { code, message } = readRefusal(text)
  // A server error without a SQLSTATE comes from something in front of the database.
  const isKnown = busyCode.test(code ?? '') || awayCode.test(code ?? '')
  const transient = isKnown || (status >= 500 && !sqlState.test(code ?? ''))
  return new DatabaseError(`${name} was refused (HTTP ${status}${code ? `, ${code}` : ''}): ${message}`, {
    code,
    transient,
  })
}

function readRefusal(text: string): { code: string | undefined; message: string } {
  try {
    const { code, message } = JSON.parse(text)
    return { code: typeof code === 'string' ? code : undefined, message: String(message) }
  } catch {
    return { code: undefined, message: text.slice(0, 200) }
  }
}
