import type { Asked } from '../../../shared/engine/core/asked.ts'
import { isObject } from '../../../shared/engine/core/json-value.ts'
import { ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Effect } from '../../../shared/engine/core/tool-specification.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import { missingScope, signInAgain } from '../../../shared/integrations/definition/connection-error.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { googleDocs } from './integration.ts'

const tooLarge: Asked = {
  code: 'document_too_large',
  asked: 'The document is too large to be read: Google returns 10 MB at most.',
}

/** What came back, or was thrown, instead of a success. */
export interface GoogleReply {
  status: number
  headers: Headers
  body: unknown
}

/** `reason` of google.rpc.ErrorInfo, or of the older list of errors: Google's detail besides the status. */
const meanings: Readonly<Record<string, (reply: GoogleReply) => ToolCallError>> = {
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: () => new ToolCallError(missingScope(googleDocs)),
  insufficientPermissions: () => new ToolCallError(missingScope(googleDocs)),
  SERVICE_DISABLED: apiSwitchedOff,
  accessNotConfigured: apiSwitchedOff,
  authError: () => new ToolCallError(signInAgain(googleDocs)),
  // Google's text names our project and its metrics.
  RATE_LIMIT_EXCEEDED: ({ status, headers }) =>
    classified({ status, headers, body: { error: { message: 'Too many requests in one minute.' } } }, 'read'),
  exportSizeLimitExceeded: () =>
    new ToolCallError(toolError('execution_error', tooLarge.asked, { details: { asked: tooLarge } })),
}

/**
 * Classifies a failure of Google, including reasons that are specific to Google
 * (developers.google.com/workspace/drive/api/guides/handle-errors). `effect` is that of the request, not of the tool: a
 * document that could not be read before the write has certainly not been written.
 */
export function googleFailure(reply: GoogleReply, effect: Effect): ToolCallError {
  const known = reasonsOf(reply.body).find((reason) => Object.hasOwn(meanings, reason))
  const meaning = known === undefined ? undefined : meanings[known]
  if (meaning) return meaning(reply)
  if (reply.status === 401) return new ToolCallError(signInAgain(googleDocs))
  return classified(reply, effect)
}

function classified({ status: httpStatus, headers, body }: GoogleReply, effect: Effect): ToolCallError {
  return new ToolCallError(classifyError(body, { toolName: 'google_docs', httpStatus, headers, effect }))
}

/** The connection failed, or timed out. */
export function connectionFailure(cause: unknown, effect: Effect): ToolCallError {
  return new ToolCallError(classifyError(cause, { toolName: 'google_docs', effect }))
}

function reasonsOf(body: unknown): string[] {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const lists = [error.details, error.errors].flatMap((list) => (Array.isArray(list) ? list : []))
  return lists.flatMap((item) => (isObject(item) && typeof item.reason === 'string' ? [item.reason] : []))
}

/** The operator's Google project lacks the API: users cannot do anything about it. */
function apiSwitchedOff({ body }: GoogleReply): ToolCallError {
  const service = /\b(docs|drive)\.googleapis\.com\b/.exec(JSON.stringify(body))?.[1] ?? 'docs'
  writeLog('google-api-switched-off', { service: `${service}.googleapis.com` })
  const name = `Google ${service === 'drive' ? 'Drive' : 'Docs'}`
  const asked = `${name} is not switched on for this server. Its operator has to enable that API in the Google Cloud project.`
  return new ToolCallError(
    toolError('not_configured', asked, {
      resolver: 'nobody',
      details: { asked: { code: 'service_not_switched_on', values: { service: name }, asked } },
    }),
  )
}
