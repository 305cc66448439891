import { defaultResolver, type ToolErrorType } from '../../core/tool-error.ts'
import { meaningOfCodeWords } from './code-words.ts'
import { findSqlState } from './sql-states.ts'
import { type Meaning, normaliseCode } from './verdict.ts'

/**
 * The meaning of codes that neither their own words (see `code-words.ts`) nor the status beside them give away: mostly
 * names from runtimes, which come with neither. Codes are separated by spaces; case, underscores and dashes do not
 * matter, and numeric ones are written `#-32602`. If a code is listed twice, the first meaning counts.
 *
 * `{ type: 'rate_limit_exceeded' }` waits if the answer says until when (`wait-time.ts`), `quota_exceeded` asks the user,
 * and `{ as: 429 }` leaves the choice between them to the words of the answer. Who resolves the others: `defaultResolver`.
 */
const codesByMeaning: readonly (readonly [Meaning, string])[] = [
  // Errno of Node, causes of undici, names of Deno’s and the web’s errors, axios.
  [
    { type: 'unavailable' },
    `ECONNREFUSED ECONNRESET EPIPE EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EAI_AGAIN ESERVFAIL EREFUSED ENOTCONN
     ENETRESET ERR_NETWORK ERR_STREAM_PREMATURE_CLOSE EBUSY EMFILE ENFILE ENOMEM EAGAIN ConnectionRefused
     ConnectionReset ConnectionAborted NotConnected BrokenPipe UnexpectedEof NetworkError ERR_ANSWER_TOO_LARGE`,
  ],
  [
    { type: 'timeout' },
    'ETIMEDOUT ETIMEOUT ESOCKETTIMEDOUT ERR_ANSWER_TOO_SLOW UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT',
  ],
  [{ type: 'not_found' }, 'ENOTFOUND EAI_NONAME EAI_NODATA ENODATA ENOENT'],
  [{ type: 'permission_denied' }, 'EACCES EPERM EROFS NotCapable'],
  [{ type: 'conflict' }, 'EEXIST ENOTEMPTY'],
  [{ type: 'quota_exceeded' }, 'ENOSPC EDQUOT'],
  [
    { type: 'invalid_value', parameter: 'url' },
    'ERR_INVALID_URL ERR_INVALID_PROTOCOL ERR_INVALID_URL_SCHEME',
  ],
  [{ type: 'invalid_value' }, 'EISDIR ENOTDIR EINVAL ENAMETOOLONG'],
  [{ type: 'cancelled' }, 'AbortError ABORT_ERR ERR_CANCELED ERR_ABORTED UND_ERR_ABORTED'],
  [{ type: 'execution_error' }, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE EPROTO'],
  [{ as: 503 }, 'ECONNABORTED'],
  // JSON-RPC and MCP. -32603 and -32000 only say that a server threw: the words say more.
  [{ as: 408 }, '#-32001'],
  [{ type: 'not_found' }, '#-32002 #-32601'],
  [{ type: 'execution_error' }, '#-32700 #-32600'],
  [{ as: 400 }, '#-32602'],
  // PostgREST; SQLSTATEs are in `sql-states.ts`.
  [{ type: 'not_found' }, 'PGRST116 PGRST202 PGRST204 PGRST205'],
  // APIs that answer failures with 200, or say more than with their status.
  [{ as: 429 }, 'ratelimited RESOURCE_EXHAUSTED'],
  [{ type: 'quota_exceeded' }, 'insufficient_quota'],
  [{ type: 'permission_denied' }, 'not_in_channel'],
  [{ as: 400 }, 'invalid_request_error FAILED_PRECONDITION'],
]

/** Codes by family, if the table does not list them: TLS and HTTP. */
const families: readonly (readonly [RegExp, Meaning])[] = [
  [/^ERR_(?:SSL|TLS)_\S*(?:BAD_RECORD|DECRYPT|UNEXPECTED_EOF)/, { type: 'unavailable' }],
  [/^(?:ERR_(?:SSL|TLS|OSSL)|HPE|Z)_|^CERT_|_CERT(?:_|$)/, { type: 'execution_error' }],
  [/^(?:UND_ERR|ERR_HTTP2)_/, { type: 'unavailable' }],
]

/** The request was never sent: a write that failed like this has not happened. */
export const neverConnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_NONAME|EAI_NODATA|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|ERR_INVALID_URL|CERT_\w+|\w+_CERT\w*|ERR_TLS_CERT_ALTNAME_INVALID|ERR_SOCKET_CONNECTION_TIMEOUT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/

const meanings = new Map<string, Meaning>()
for (const [meaning, codes] of codesByMeaning) {
  for (const code of codes.split(/\s+/)) {
    const key = normaliseCode(code)
    if (!meanings.has(key)) meanings.set(key, meaning)
  }
}
// Our own error types, as older tools return them, unless others use the same words.
for (const type of Object.keys(defaultResolver) as ToolErrorType[]) {
  const key = normaliseCode(type)
  if (!meanings.has(key) && !meaningOfCodeWords(type)) meanings.set(key, { type })
}

/** The meaning of a code, if a provider documents it. */
export function meaningOfCode(code: string): Meaning | undefined {
  return (
    meanings.get(normaliseCode(code)) ??
    findSqlState(code)?.meaning ??
    families.find(([family]) => family.test(code))?.[1]
  )
}
