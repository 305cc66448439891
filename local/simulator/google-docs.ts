import { docsError, driveError, errorInfo, GoogleFailure } from './docs/docs-error.ts'
import { docsRoutes, write } from './docs/docs-routes.ts'
import type { GoogleAccounts } from './docs/drive-account.ts'
import { type DriveFile, type FileTab, type NewFile, newFile, onlyTab } from './docs/drive-file.ts'
import { driveRoutes, type Sharing } from './docs/drive-routes.ts'
import { exportTabs } from './docs/export-markdown.ts'
import { importText } from './docs/import-markdown.ts'
import { FailurePlan } from './faults.ts'

/** The connection that a request came over. */
export interface Connection {
  cut(): void
}

/**
 * Google Docs (v1) and Drive (v3) on this machine: same paths, same bodies, same errors, documents in memory. Put it
 * where `GOOGLE_DOCS_API_BASE_URL` and `GOOGLE_DRIVE_API_BASE_URL` point.
 */
export function createGoogleDocs(accounts: GoogleAccounts) {
  const files: DriveFile[] = []
  const sharing: Sharing = { refused: new Map(), notified: [] }
  /** Calls are named `POST /v1/documents/…:batchUpdate` and so on. */
  const faults = new FailurePlan()
  const docs = docsRoutes(accounts, files)
  const drive = driveRoutes(accounts, files, sharing)

  const perform = async (request: Request): Promise<Response> => {
    const service = new URL(request.url).pathname.startsWith('/v1/') ? docs : drive
    return await service.fetch(request)
  }
  for (const service of [docs, drive]) {
    service.onError((error, c) => {
      const failure = error instanceof GoogleFailure ? error : parseError(error)
      return c.json(failure.body as object, failure.status as 400, failure.headers)
    })
  }

  return {
    files,
    sharing,
    faults,

    fetch(request: Request, connection?: Connection): Promise<Response> {
      return faults.answer(`${request.method} ${new URL(request.url).pathname}`, {
        read: () => withBody(request),
        perform,
        cut: () => connection?.cut(),
      })
    },

    /** Adds a document. */
    addDocument({ markdown = '', ...facts }: NewFile & { markdown?: string }): DriveFile {
      const file = newFile({ tabs: onlyTab(importText('text/markdown', markdown)), ...facts })
      files.push(file)
      return file
    },

    /** Edits it as another user would. */
    rewrite(id: string, markdown: string): void {
      const file = fileOf(files, id)
      const [first, ...others] = file.tabs as [FileTab, ...FileTab[]]
      write(file, [{ ...first, paper: importText('text/markdown', markdown) }, ...others])
    },

    markdownOf(id: string): string {
      return exportTabs(fileOf(files, id).tabs)
    },
  }
}

export type GoogleDocs = ReturnType<typeof createGoogleDocs>

/** The same request, with a body that outlives its connection. */
async function withBody({ url, method, headers, body }: Request): Promise<Request> {
  return new Request(url, {
    method,
    headers,
    body: body ? await new Response(body).arrayBuffer() : undefined,
  })
}

function fileOf(files: readonly DriveFile[], id: string): DriveFile {
  const file = files.find((one) => one.id === id)
  if (!file) throw new Error(`There is no document ${id}.`)
  return file
}

function parseError(error: Error): GoogleFailure {
  if (error instanceof SyntaxError) return docsError(400, 'Invalid JSON payload received.')
  throw error
}

/** Failures that are not the request's fault, worded as Google documents them. */
export const googleOutages = {
  rateLimitExceeded: () =>
    driveError(403, 'rateLimitExceeded', 'Rate Limit Exceeded', { domain: 'usageLimits' }),
  userRateLimitExceeded: () =>
    driveError(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', { domain: 'usageLimits' }),
  sharingRateLimitExceeded: () =>
    driveError(
      403,
      'sharingRateLimitExceeded',
      'Rate limit exceeded. User message: "These item(s) could not be shared because a rate limit was exceeded."',
    ),
  dailyLimitExceeded: () =>
    driveError(403, 'dailyLimitExceeded', 'Daily Limit Exceeded', { domain: 'usageLimits' }),
  storageQuotaExceeded: () =>
    driveError(403, 'storageQuotaExceeded', "The user's Drive storage quota has been exceeded."),
  domainPolicy: () => driveError(403, 'domainPolicy', 'The domain administrators have disabled Drive apps.'),
  insufficientFilePermissions: () =>
    driveError(403, 'insufficientFilePermissions', 'The user does not have sufficient permissions for file.'),
  invalidSharingRequest: () =>
    driveError(
      400,
      'invalidSharingRequest',
      'Bad Request. User message: "You are trying to invite somebody who has no Google account."',
    ),
  tooManyRequests: () =>
    docsError(
      429,
      "Quota exceeded for quota metric 'Write requests' and limit 'Write requests per minute per user' of service 'docs.googleapis.com' for consumer 'project_number:407408718192'.",
      [
        errorInfo('RATE_LIMIT_EXCEEDED', {
          service: 'docs.googleapis.com',
          quota_limit: 'WriteRequestsPerMinutePerUser',
        }),
      ],
    ),
  serviceDisabled: (service = 'docs.googleapis.com') =>
    new GoogleFailure(403, {
      error: {
        code: 403,
        message: `Google ${service.startsWith('docs') ? 'Docs' : 'Drive'} API has not been used in project 407408718192 before or it is disabled. Enable it by visiting https://console.developers.google.com/apis/api/${service}/overview?project=407408718192 then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`,
        errors: [{ message: 'API disabled', domain: 'usageLimits', reason: 'accessNotConfigured' }],
        status: 'PERMISSION_DENIED',
        details: [errorInfo('SERVICE_DISABLED', { service, consumer: 'projects/407408718192' })],
      },
    }),
  internalError: () => docsError(500, 'Internal error encountered.'),
  backendError: () => driveError(500, 'backendError', 'Backend Error'),
  unavailable: () => docsError(503, 'The service is currently unavailable.'),
}
