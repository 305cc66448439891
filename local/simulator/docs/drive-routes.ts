import { Buffer } from 'node:buffer'
import { type Context, Hono } from 'hono'
import { driveError, fileNotFound, type GoogleFailure } from './docs-error.ts'
import { write } from './docs-routes.ts'
import { findFile, type GoogleAccounts, mayEdit, roleOn, signIn } from './drive-account.ts'
import {
  type DriveFile,
  defaultFileFields,
  documentType,
  fileJson,
  newFile,
  onlyTab,
  permissionIdOf,
} from './drive-file.ts'
import { invalidValue, readQuery } from './drive-query.ts'
import { exportTabs } from './export-markdown.ts'
import { maskFields } from './field-mask.ts'
import { importText } from './import-markdown.ts'
import { readUpload } from './multipart-related.ts'
import { wordsOf } from './paper.ts'

export interface Sharing {
  /** Error responses for addresses that cannot be shared with. */
  refused: Map<string, GoogleFailure>
  /** Notification mails about shared files. */
  notified: { fileId: string; email: string }[]
}

const notShareable = () =>
  driveError(
    403,
    'insufficientFilePermissions',
    'The user does not have sufficient permissions for this file.',
  )

/**
 * The Drive API, v3, as far as documents need it: files.create, get, list, update, export; permissions.create, list.
 */
export function driveRoutes(accounts: GoogleAccounts, files: DriveFile[], sharing: Sharing): Hono {
  const app = new Hono()
  const account = (c: Context) =>
    signIn(accounts, c.req.header('authorization') ?? null, 'drive.googleapis.com')
  const file = (c: Context) => findFile(files, c.req.param('id') ?? '', account(c))
  const answer = (c: Context, one: DriveFile) =>
    c.json(maskFields(fileJson(one), c.req.query('fields') ?? defaultFileFields) as object)

  const create = (c: Context, metadata: Record<string, unknown>, media?: { type: string; text: string }) => {
    const { name, mimeType, appProperties } = metadata
    requireShortProperties(appProperties)
    const made = newFile({
      owner: account(c).email,
      name: typeof name === 'string' ? name : undefined,
      mimeType: typeof mimeType === 'string' ? mimeType : (media?.type ?? 'application/octet-stream'),
      appProperties: (appProperties ?? {}) as Record<string, string>,
      ...(media ? { tabs: onlyTab(importText(media.type, media.text)) } : {}),
    })
    files.push(made)
    return answer(c, made)
  }

  app.post('/drive/v3/files', async (c) => {
    account(c)
    return create(c, await c.req.json())
  })

  app.post('/upload/drive/v3/files', async (c) => {
    account(c)
    if (c.req.query('uploadType') !== 'multipart') throw invalidValue('uploadType')
    const upload = readUpload(c.req.header('content-type') ?? '', await c.req.text())
    return create(c, upload.metadata, { type: upload.mediaType, text: upload.media })
  })

  app.get('/drive/v3/files', (c) => {
    const me = account(c)
    const { q, orderBy, pageToken, pageSize = '100', fields } = c.req.query()
    if (orderBy && /fullText/.test(q ?? ''))
      throw driveError(
        400,
        'badRequest',
        'Sorting is not supported for queries with fullText terms. Results are always in descending relevance order.',
        { location: 'orderBy', locationType: 'parameter' },
      )
    const size = Number(pageSize)
    if (!(size >= 1 && size <= 1000)) throw invalidValue('pageSize')
    const first = readPageToken(pageToken, q)
    const isWanted = q ? readQuery(q) : () => true
    const found = files.filter((one) => roleOn(one, me) !== undefined && isWanted(one))
    const sorted = orderBy
      ? found.toSorted((a, b) => b.modifiedTime.localeCompare(a.modifiedTime))
      : found.reverse()
    const next = first + size
    const list = {
      kind: 'drive#fileList',
      incompleteSearch: false,
      files: sorted.slice(first, next).map(fileJson),
      nextPageToken: next < sorted.length ? pageTokenAt(next, q) : undefined,
    }
    const asked = fields ?? `kind,incompleteSearch,nextPageToken,files(${defaultFileFields})`
    return c.json(maskFields(list, asked) as object)
  })

  app.get('/drive/v3/files/:id', (c) => answer(c, file(c)))

  app.patch('/drive/v3/files/:id', async (c) => {
    const one = file(c)
    if (!mayEdit(one, account(c))) throw notShareable()
    const { name, appProperties, trashed } = await c.req.json()
    requireShortProperties(appProperties)
    if (typeof name === 'string') one.name = name
    if (typeof trashed === 'boolean') one.trashed = trashed
    Object.assign(one.appProperties, appProperties)
    write(one, one.tabs)
    return answer(c, one)
  })

  app.get('/drive/v3/files/:id/export', (c) => {
    const one = file(c)
    const type = c.req.query('mimeType')
    if (one.mimeType !== documentType)
      throw driveError(403, 'fileNotExportable', 'Export only supports Docs Editors files.')
    if (type === 'text/markdown') return c.body(exportTabs(one.tabs), 200, { 'content-type': type })
    if (type === 'text/plain')
      return c.body(one.tabs.map(({ paper }) => wordsOf(paper)).join(''), 200, { 'content-type': type })
    throw driveError(400, 'badRequest', 'The requested conversion is not supported.', {
      location: 'convertTo',
      locationType: 'parameter',
    })
  })

  app.get('/drive/v3/files/:id/permissions', (c) => {
    const one = file(c)
    if (!mayEdit(one, account(c))) throw notShareable()
    const { pageToken, pageSize = '100', fields } = c.req.query()
    const first = readPageToken(pageToken, one.id)
    const next = first + Number(pageSize)
    const list = {
      kind: 'drive#permissionList',
      permissions: one.permissions.slice(first, next).map((each) => ({ kind: 'drive#permission', ...each })),
      nextPageToken: next < one.permissions.length ? pageTokenAt(next, one.id) : undefined,
    }
    return c.json(maskFields(list, fields ?? 'kind,nextPageToken,permissions(id,type,kind,role)') as object)
  })

  app.post('/drive/v3/files/:id/permissions', async (c) => {
    const one = file(c)
    const { type, role, emailAddress } = await c.req.json()
    if (!mayEdit(one, account(c))) throw notShareable()
    const roles = ['owner', 'organizer', 'fileOrganizer', 'writer', 'commenter', 'reader']
    if (!roles.includes(role)) throw driveError(400, 'invalid', 'The specified role is invalid.')
    if (type !== 'user' || typeof emailAddress !== 'string')
      throw driveError(400, 'required', "The 'emailAddress' field is required.")
    const refusal = sharing.refused.get(emailAddress.toLowerCase())
    if (refusal) throw refusal
    const id = permissionIdOf(emailAddress)
    const known = one.permissions.find((each) => each.id === id)
    if (known) known.role = role
    else one.permissions.push({ id, type, role, emailAddress })
    if (c.req.query('sendNotificationEmail') !== 'false')
      sharing.notified.push({ fileId: one.id, email: emailAddress })
    return c.json(maskFields({ kind: 'drive#permission', id, type, role }, c.req.query('fields')) as object)
  })

  app.all('*', (c) => {
    throw fileNotFound(c.req.path)
  })
  return app
}

/** "A maximum of 124 bytes per property (including both key and value) string in UTF-8 encoding." */
function requireShortProperties(properties: unknown): void {
  for (const [key, value] of Object.entries((properties ?? {}) as Record<string, string>)) {
    if (new TextEncoder().encode(`${key}${value}`).length > 124)
      throw driveError(403, 'propertyTooLong', 'The property is too long.')
  }
}

function pageTokenAt(index: number, query = ''): string {
  return Buffer.from(JSON.stringify([index, query])).toString('base64url')
}

/** A page token is only valid with the query that returned it. */
function readPageToken(token: string | undefined, query = ''): number {
  if (token === undefined) return 0
  try {
    const [index, asked] = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (Number.isInteger(index) && asked === query) return index
  } catch {}
  throw invalidValue('pageToken')
}
