import type { Asked } from '../../../shared/engine/core/asked.ts'
import { type ToolError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import type { GoogleFailure, GoogleService } from '../../../shared/integrations/google/google-failure.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { googleDocs } from './integration.ts'

const tooLarge: Asked = {
  code: 'document_too_large',
  asked: 'The document is too large to be read: with its formats it has more than 24 MB.',
}

/** What only Docs and Drive say (https://developers.google.com/workspace/drive/api/guides/handle-errors). */
export const docsService: GoogleService = {
  provider: googleDocs,
  switchedOff: apiSwitchedOff,
  reasons: {
    // Google's text names our project and its metrics.
    RATE_LIMIT_EXCEEDED: ({ status: httpStatus, headers }) =>
      classifyError('Too many requests in one minute.', { toolName: googleDocs.id, httpStatus, headers }),
  },
  tooLarge,
}

/** The operator's Google project lacks the API: users cannot do anything about it. */
function apiSwitchedOff({ body }: GoogleFailure): ToolError {
  const service = /\b(docs|drive)\.googleapis\.com\b/.exec(JSON.stringify(body))?.[1] ?? 'docs'
  writeLog('google-api-switched-off', { service: `${service}.googleapis.com` })
  const name = `Google ${service === 'drive' ? 'Drive' : 'Docs'}`
  const asked = `${name} is not switched on for this server. Its operator has to enable that API in the Google Cloud project.`
  return toolError('not_configured', asked, {
    resolver: 'nobody',
    details: { asked: { code: 'service_not_switched_on', values: { service: name }, asked } },
  })
}
