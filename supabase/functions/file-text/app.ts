import { Hono } from 'hono'
import { argumentHash } from '../../../shared/engine/core/canonical-json.ts'
import { requireAccount } from '../../../shared/server/authentication/account.ts'
import { authenticateCaller } from '../../../shared/server/authentication/authenticate.ts'
import { requireTicketFor } from '../../../shared/server/authentication/internal-ticket.ts'
import type { ProjectSettings } from '../../../shared/server/authentication/project-settings.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import { fileLimits } from '../../../shared/server/files/file-limits.ts'
import { ApiError } from '../../../shared/server/http/api-error.ts'
import { errorResponse } from '../../../shared/server/http/error-response.ts'
import { readBody } from '../../../shared/server/http/read-body.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { logRefusal } from '../../../shared/server/log/log-refusal.ts'
import { refusalLanguage } from '../../../shared/server/reader/readers-language.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { ParsedPdf } from './parse-pdf.ts'

/**
 * `POST /file-text?file=<id>` with a PDF as its body answers `{ text, pages, readPages, isWhole }`, or 422 if it cannot be read.
 * A separate function, so that a malicious document that takes all memory or time ends only this process, and no
 * conversation. Reads one document at a time.
 */
export function createApp(
  settings: Pick<ProjectSettings, 'verify' | 'functionSecret'>,
  rpc: CallRpc,
  parsePdf: (bytes: Uint8Array<ArrayBuffer>) => Promise<ParsedPdf>,
): Hono {
  const app = new Hono({ strict: false }).basePath('/file-text')
  const parse = oneAtATime(parsePdf)

  app.onError(async (error, c) => {
    logRefusal(error, c.req)
    return errorResponse(error, 'json', await refusalLanguage(rpc, undefined, c.req.raw, error))
  })
  app.notFound(({ req: { method, path } }) =>
    errorResponse(new ApiError('not_found', { method, path }), 'json'),
  )

  app.post('/', async (c) => {
    const caller = await authenticateCaller(c.req.raw, settings)
    const file = c.req.query('file') ?? ''
    if (caller.kind === 'ticket') {
      const hash = await argumentHash({ file })
      const call = { tool: 'read_file_text', argumentHash: hash, idempotencyKey: file }
      requireTicketFor(caller.ticket, { agentId: undefined, ...call })
    } else await requireAccount(rpc, caller.userId)
    return await readBody(c.req.raw, fileLimits.file, async (bytes) => {
      const size = bytes.byteLength
      try {
        return c.json(await parse(bytes))
      } catch (cause) {
        if (cause instanceof ApiError) throw cause
        writeLog('pdf-not-read', { size }, cause)
        throw new ApiError('unreadable_file', { why: 'pdf' }, { status: 422 })
      }
    })
  })

  return app
}
