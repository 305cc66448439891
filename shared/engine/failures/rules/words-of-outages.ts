import { phrases } from './phrases.ts'
import { rule } from './word-rule.ts'

/** A fault of a program, which no argument mends. */
export const bugs = rule(
  { type: 'execution_error' },
  'maximum call stack',
  'cannot read propert(?:y|ies)',
  'is not a function',
  'is not iterable',
  'NoneType',
  'segmentation fault',
  'nil pointer',
  'null ?pointer\\w*',
)

/** An MCP server whose answer is not what its own schema promises. */
export const brokenPromises = rule(
  { type: 'execution_error' },
  'has an output schema but',
  'output validation error',
  'structured content does not match',
)

const badCertificate = [
  'certificate (?:verify failed|has expired|is not (?:trusted|valid))',
  'certificate_verify_failed',
  'self[- ]signed certificate',
  '(?:verify|invalid) (?:the )?(?:first|leaf|peer) certificate',
]

export const certificates = rule({ type: 'execution_error' }, ...badCertificate)

export const cancelled = rule(
  { type: 'cancelled' },
  '(?:operation|request) was (?:aborted|cancell?ed)',
  '(?:aborted|cancell?ed) by (?:the )?user',
  'user (?:aborted|cancell?ed)',
  'abort signal',
  '(?:setup|login|sign-?in|upload|download|task|execution|action) (?:was )?(?:aborted|cancell?ed)',
)

export const timeouts = rule(
  { type: 'timeout' },
  'tim(?:ed|es?)[ -]?out',
  'timeout',
  'deadline exceeded',
  'took too long',
  'too long to respond',
)

const unknownHost = ['dns error', 'failed to lookup address', 'name or service not known', 'getaddrinfo']

export const hosts = rule({ type: 'not_found' }, ...unknownHost)

/** The request never left, where a runtime (Deno's fetch) gives no code: a write that failed like this has not happened. */
export const neverConnectedWords = phrases(
  ...unknownHost,
  ...badCertificate,
  'client error \\(connect\\)',
  'connection refused',
  'tcp connect error',
  'connect ECONNREFUSED',
  'connect timeout',
  'greeting never received',
)

export const serverFaults = rule(
  { type: 'unavailable' },
  '(?:internal|server|backend|upstream|unexpected)(?: server| connect)? (?:error|failure)',
  'server had an error',
  '(?:try|retry)(?: your request| the request)?(?: again)? ~(?:later|shortly|moment|minutes|few)',
  'unavailable',
  'overloaded',
  'at this (?:time|moment)',
  'transient ~(?:failure|error|problem)',
)

export const outages = rule(
  { type: 'unavailable' },
  '(?:temporar(?:y|ily)|currently|momentarily)~(?:not available|busy|down|error|failure|problem|rejected|deferred)',
  'maintenance',
  'bad gateway',
  'server (?:is )?(?:busy|down)',
  'socket hang up',
  'other side closed',
  'connection (?:was |has been |is )?(?:reset|refused|closed|lost|terminated|aborted|dropped)',
  '(?:network|connection) ?(?:error|failed|failure|is unreachable|request failed|connection)',
  'load failed',
  'fetch failed',
  'no healthy upstream',
  'error sending request',
  'failed to (?:send|fetch|connect)',
  '(?:could not|cannot|unable to) connect',
)

/** An answer that is no JSON: a proxy's page, or a body that was cut. */
export const garbledAnswer = rule(
  { type: 'unavailable' },
  'unexpected (?:token|end of json|non-whitespace)',
  'is not valid json',
  '(?:invalid|unexpected|malformed|empty) (?:json )?(?:response|reply|answer)',
)
