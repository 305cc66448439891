import { Hono } from 'hono'
import { applyToTabs } from './apply-requests.ts'
import { docsError } from './docs-error.ts'
import { documentJson } from './document-json.ts'
import { findFile, type GoogleAccounts, mayEdit, type SignedIn, signIn } from './drive-account.ts'
import { type DriveFile, documentType, newFile, newRevisionId } from './drive-file.ts'
import { maskFields } from './field-mask.ts'

/** The Docs API, v1: documents.create, documents.get, documents.batchUpdate. */
export function docsRoutes(accounts: GoogleAccounts, files: DriveFile[]): Hono {
  const app = new Hono()
  const signedIn = (authorization: string | undefined) =>
    signIn(accounts, authorization ?? null, 'docs.googleapis.com')
  const document = (id: string, account: SignedIn) => {
    const file = files.find((one) => one.id === id) && findOrUndefined(files, id, account)
    if (file?.mimeType !== documentType) throw docsError(404, 'Requested entity was not found.')
    return file
  }

  app.post('/v1/documents', async (c) => {
    const account = signedIn(c.req.header('authorization'))
    const { title } = await c.req.json()
    const file = newFile({ owner: account.email, name: title ? String(title) : undefined })
    files.push(file)
    return c.json(describe(file, { mayEdit: true }))
  })

  app.get('/v1/documents/:id', (c) => {
    const account = signedIn(c.req.header('authorization'))
    const file = document(c.req.param('id'), account)
    const view = {
      mayEdit: mayEdit(file, account),
      withTabs: c.req.query('includeTabsContent') === 'true',
    }
    return c.json(maskFields(describe(file, view), c.req.query('fields')) as object)
  })

  app.post('/v1/documents/:call{[^/:]+:batchUpdate}', async (c) => {
    const account = signedIn(c.req.header('authorization'))
    const file = document(c.req.param('call').replace(/:batchUpdate$/, ''), account)
    const { requests = [], writeControl = {} } = await c.req.json()
    if (!mayEdit(file, account)) throw docsError(403, 'The caller does not have permission')
    requireRevision(file, writeControl)
    const { tabs, replies } = applyToTabs(file.tabs, requests)
    if (requests.length > 0) write(file, tabs)
    return c.json({
      replies,
      writeControl: { requiredRevisionId: file.revisionId },
      documentId: file.id,
    })
  })
  return app
}

function findOrUndefined(files: readonly DriveFile[], id: string, account: SignedIn): DriveFile | undefined {
  try {
    return findFile(files, id, account)
  } catch {
    return undefined
  }
}

function describe(file: DriveFile, view: { mayEdit: boolean; withTabs?: boolean }) {
  const { id, name, revisionId, tabs } = file
  return documentJson(tabs, { id, title: name, revisionId, withTabs: false, ...view })
}

/** Google documents the 400, not its message. It would merge a target that is not the newest revision; this refuses. */
function requireRevision(
  file: DriveFile,
  control: { requiredRevisionId?: string; targetRevisionId?: string },
) {
  const { requiredRevisionId, targetRevisionId } = control
  if (requiredRevisionId !== undefined && targetRevisionId !== undefined)
    throw docsError(400, 'Invalid value at write_control: oneof field is already set.')
  if (requiredRevisionId !== undefined && requiredRevisionId !== file.revisionId)
    throw docsError(
      400,
      `The required revision ID '${requiredRevisionId}' does not match the latest revision.`,
    )
  if (targetRevisionId !== undefined && targetRevisionId !== file.revisionId)
    throw docsError(
      400,
      `The target revision ID '${targetRevisionId}' is too far behind the latest revision.`,
    )
}

/** Gives a changed document a new revision. */
export function write(file: DriveFile, tabs: DriveFile['tabs']): void {
  file.tabs = tabs
  file.revisionId = newRevisionId()
  file.version += 1
  file.modifiedTime = new Date().toISOString()
}
