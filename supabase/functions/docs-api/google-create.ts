import { z } from 'zod'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import type { CreatedDocument, EffectContext, KnownEffect } from './document-store.ts'
import { effectMark } from './effect-mark.ts'
import { type GoogleClient, type GoogleRequest, lateMs } from './google-client.ts'
import { withoutEmbeds } from './without-embeds.ts'

const fileSchema = z.object({ id: z.string(), name: z.string(), webViewLink: z.string().optional() })
const filesSchema = z.object({ files: z.array(fileSchema).default([]) })
const fileFields = 'id,name,webViewLink'
const propertyName = 'askbackEffect'

/**
 * Creates a document with its content in one request, so that it never exists without it. Ids cannot be chosen for
 * documents (files.generateIds: not "for native Google Docs creation or uploads where conversion is requested"), so an
 * app property tells later whether this effect has happened.
 */
export async function createGoogleDocument(
  client: GoogleClient,
  { title, content }: { title: string; content: string },
  effect: EffectContext,
): Promise<CreatedDocument> {
  const mark = await effectMark(effect)
  // An earlier delivery may have arrived late.
  const earlier = effect.earlierNote === undefined ? undefined : await findMarked(client, mark)
  if (earlier) return earlier
  const metadata = {
    name: title,
    mimeType: 'application/vnd.google-apps.document',
    appProperties: { [propertyName]: mark },
  }
  const request = creation(metadata, content)
  await effect.note({ begun: true })
  effect.effectBegins()
  try {
    return describe(fileSchema.parse(await client.change('drive', request)))
  } catch (error) {
    const isRefused = error instanceof ToolCallError && error.toolError.errorType !== 'outcome_unknown'
    if (isRefused) throw error
    // Worth looking up its id: without it nobody can continue with the document.
    const made = await findMarked(client, mark).catch(() => undefined)
    if (made) return made
    throw error
  }
}

export async function verifyCreatedDocument(
  client: GoogleClient,
  effect: KnownEffect,
): Promise<Verification> {
  if (await findMarked(client, await effectMark(effect))) return 'sent'
  if (effect.note === undefined) return 'not_sent'
  return Date.now() - effect.effectStartedAt.getTime() > lateMs ? 'not_sent' : 'unknown'
}

async function findMarked(client: GoogleClient, mark: string): Promise<CreatedDocument | undefined> {
  const q = `appProperties has { key='${propertyName}' and value='${mark}' } and trashed = false`
  const search = new URLSearchParams({ q, fields: `files(${fileFields})`, pageSize: '1' })
  const { files } = filesSchema.parse(await client.get('drive', `/drive/v3/files?${search}`))
  return files[0] && describe(files[0])
}

function describe({ id, name, webViewLink }: z.output<typeof fileSchema>): CreatedDocument {
  return { document_id: id, title: name, url: webViewLink || undefined }
}

/** An empty document only needs its metadata: there is nothing to convert. */
function creation(metadata: object, content: string): GoogleRequest {
  const query = `fields=${fileFields}`
  if (content.trim() === '') {
    return { method: 'POST', path: `/drive/v3/files?${query}`, body: JSON.stringify(metadata) }
  }
  const boundary = `askback-${crypto.randomUUID()}`
  return {
    method: 'POST',
    path: `/upload/drive/v3/files?uploadType=multipart&${query}`,
    contentType: `multipart/related; boundary=${boundary}`,
    body: multipart(boundary, metadata, withoutEmbeds(content)),
  }
}

/** RFC 2387, as files.create expects it: the metadata, then the content. */
function multipart(boundary: string, metadata: object, markdown: string): string {
  return [
    `--${boundary}`,
    'Content-Type: application/json; charset=UTF-8',
    '',
    JSON.stringify(metadata),
    `--${boundary}`,
    'Content-Type: text/markdown; charset=UTF-8',
    '',
    markdown,
    `--${boundary}--`,
    '',
  ].join('\r\n')
}
