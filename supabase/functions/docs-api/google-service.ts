import type { Said } from '../../../shared/engine/core/asked.ts'
import { saidError, type ToolError } from '../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import type { GoogleFailure, GoogleService } from '../../../shared/integrations/google/google-failure.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { googleDocs } from './integration.ts'

/** What only Docs and Drive say (https://developers.google.com/workspace/drive/api/guides/handle-errors). */
export const docsService: GoogleService = {
  provider: googleDocs,
  switchedOff: apiSwitchedOff,
  reasons: {
    // Google's text names our project and its metrics.
    RATE_LIMIT_EXCEEDED: ({ status: httpStatus, headers }) =>
      classifyError('Too many requests in one minute.', { toolName: googleDocs.id, httpStatus, headers }),
  },
  tooLarge: { code: 'document_too_large' },
}

/** The operator's Google project lacks the API: users cannot do anything about it. */
function apiSwitchedOff({ body }: GoogleFailure): ToolError {
  const service = /\b(docs|drive)\.googleapis\.com\b/.exec(JSON.stringify(body))?.[1] ?? 'docs'
  writeLog('google-api-switched-off', { service: `${service}.googleapis.com` })
  const name = `Google ${service === 'drive' ? 'Drive' : 'Docs'}`
  const said: Said = { code: 'service_not_switched_on', values: { service: name } }
  return saidError('not_configured', said, { resolver: 'nobody' })
}
