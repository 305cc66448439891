import { gzipSync } from 'node:zlib'
import type { Resolver, ToolErrorType } from '../shared/engine/core/tool-error.ts'
import type { ProviderReply } from './scripted-provider.ts'

/** How a call must end. */
export interface Ending {
  errorType: ToolErrorType
  resolver: Resolver
}

const waits: Ending = { errorType: 'unavailable', resolver: 'time' }
const timedOut: Ending = { errorType: 'timeout', resolver: 'time' }
const unknown: Ending = { errorType: 'outcome_unknown', resolver: 'user' }

const page =
  '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1> nginx/1.25 at 10.0.0.7</body></html>'

/** What a provider can do wrong, and what a read and a write make of it. `secret` is planted where a provider repeats it. */
export const faults = {
  outage: { reply: () => 'refused', read: waits, write: waits },
  timeout: { reply: () => 'silent', read: timedOut, write: unknown },
  'bad key': same(
    (secret) => ({ status: 401, body: { error: { message: `Invalid API key ${secret}` } } }),
    'authentication_error',
    'user',
  ),
  forbidden: same(
    () => ({ status: 403, body: { error: { message: 'Forbidden' } } }),
    'permission_denied',
    'user',
  ),
  'not found': same(() => ({ status: 404, body: { error: { message: 'Not found' } } }), 'not_found', 'model'),
  'too many calls': same(
    () => ({ status: 429, headers: { 'retry-after': '7' }, body: { error: { message: 'Slow down' } } }),
    'rate_limit_exceeded',
    'time',
  ),
  'server error': {
    reply: (secret) => ({ status: 500, body: { error: { message: `at /srv/app.js:1:2 key ${secret}` } } }),
    read: waits,
    write: unknown,
  },
  'a reason beside a server error': {
    reply: () => ({ status: 503, body: { error: { code: 503, errors: [{ reason: 'SERVICE_DISABLED' }] } } }),
    read: waits,
    write: unknown,
  },
  overloaded: { reply: () => ({ status: 503, body: '' }), read: waits, write: unknown },
  'page of a gateway': { reply: () => ({ status: 502, body: page }), read: waits, write: unknown },
  'page instead of JSON': { reply: () => ({ status: 200, body: page }), read: waits, write: unknown },
  'broken JSON': { reply: () => ({ status: 200, body: '{"results": [' }), read: waits, write: unknown },
  'cut answer': { reply: () => 'cut', read: waits, write: unknown },
  'lost answer': { reply: () => 'lost', read: waits, write: unknown },
  'an answer that decompresses to 64 MiB': { reply: bomb, read: waits, write: unknown },
} satisfies Record<string, FaultyProvider>

export type FaultName = keyof typeof faults

export const allFaults = Object.keys(faults) as FaultName[]
/** Of others than Google, the engine believes a reason, wherever it stands. */
export const usualFaults = allFaults.filter((name) => name !== 'a reason beside a server error')

export interface FaultyProvider {
  reply: (secret: string) => ProviderReply
  read: Ending
  write: Ending
}

/** Nothing has happened, so a read and a write end alike. */
function same(reply: FaultyProvider['reply'], errorType: ToolErrorType, resolver: Resolver): FaultyProvider {
  const ending = { errorType, resolver }
  return { reply, read: ending, write: ending }
}

let packed: Uint8Array | undefined

/** Valid JSON, of spaces; made once. */
function bomb(): ProviderReply {
  packed ??= gzipSync(`${' '.repeat(64 * 1024 * 1024)}{}`)
  return { status: 200, headers: { 'content-encoding': 'gzip' }, body: packed }
}
