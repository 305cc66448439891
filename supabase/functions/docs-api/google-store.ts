import { z } from 'zod'
import { Question, ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { docsRequests } from '../../../shared/integrations/markdown/docs-requests.ts'
import { plainText } from '../../../shared/integrations/markdown/plain-text.ts'
import { textNotThere } from './document-questions.ts'
import type { DocumentStore } from './document-store.ts'
import { paragraphsOf } from './document-text.ts'
import {
  asNotFound,
  changeDocument,
  type GoogleDocument,
  type PlannedChange,
  readWhole,
  verifyDocumentChange,
} from './google-change.ts'
import type { GoogleClient } from './google-client.ts'
import { createGoogleDocument, verifyCreatedDocument } from './google-create.ts'
import { shareGoogleDocument, verifyShared } from './google-share.ts'
import { placesIn, seenWhole } from './seen.ts'

const headSchema = z.object({ title: z.string().default(''), revisionId: z.string().default('') })
const listSchema = z.object({
  nextPageToken: z.string().optional(),
  files: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        modifiedTime: z.string(),
        webViewLink: z.string().optional(),
      }),
    )
    .default([]),
})

/**
 * Documents in the user's Google Drive. Drive itself converts Markdown to documents and back (upload and export as
 * `text/markdown`, since 2024): Google keeps its converters up to date with every feature of Docs, a document is created
 * with its content and its app property in one request, and `drive.file` is enough. Only text that is added to a
 * document is converted here, because an upload would replace all of it.
 */
export function googleStore(client: GoogleClient): DocumentStore {
  const see: DocumentStore['see'] = async (documentId) => {
    const document = await readWhole(client, documentId)
    return { title: document.title, text: textOf(document) }
  }
  return {
    see,
    id: 'google-docs',
    create: (document, effect) => createGoogleDocument(client, document, effect),

    async read(documentId) {
      const id = encodeURIComponent(documentId)
      try {
        // The revision first: a change in between makes the revision stale, never the content.
        const head = await client.get('docs', `/v1/documents/${id}?fields=title,revisionId`)
        const { title, revisionId } = headSchema.parse(head)
        const markdown = await client.getText('drive', `/drive/v3/files/${id}/export?mimeType=text/markdown`)
        return { document_id: documentId, title, content: withoutPictures(markdown), revision: revisionId }
      } catch (error) {
        throw asNotFound(error, documentId)
      }
    },

    async seePlaces(documentId, find) {
      const document = await readWhole(client, documentId)
      return placesIn(textOf(document), textToFind(document, find))
    },

    async append(documentId, text, effect) {
      const { replies: _, ...changed } = await changeDocument(
        client,
        documentId,
        (document) => {
          effect.requireUnchanged?.({ title: document.title })
          return planAppend(document, text)
        },
        effect,
      )
      return changed
    },

    async replace(documentId, change, effect) {
      const { replies, ...changed } = await changeDocument(
        client,
        documentId,
        (document) => {
          const plan = planReplace(document, change)
          effect.requireUnchanged?.(placesIn(textOf(document), textToFind(document, change.find)))
          return plan
        },
        effect,
      )
      const reply = replies.find((one) => 'replaceAllText' in one)
      const count = replacedSchema.safeParse(reply)
      return {
        ...changed,
        ...(count.success ? { replaced: count.data.replaceAllText.occurrencesChanged } : {}),
      }
    },

    async search(query, { size, token }) {
      const text = query.replace(/[\\']/g, '\\$&')
      const q = `mimeType = 'application/vnd.google-apps.document' and trashed = false and (name contains '${text}' or fullText contains '${text}')`
      const fields = 'nextPageToken,files(id,name,modifiedTime,webViewLink)'
      const search = new URLSearchParams({
        q,
        fields,
        pageSize: String(size),
        ...(token ? { pageToken: token } : {}),
      })
      const list = await client.get('drive', `/drive/v3/files?${search}`).catch((error) => {
        throw token ? asWrongPage(error) : error
      })
      const { files, nextPageToken } = listSchema.parse(list)
      const documents = files.map(({ id, name, modifiedTime, webViewLink }) => ({
        document_id: id,
        title: name,
        modified: modifiedTime,
        ...(webViewLink ? { url: webViewLink } : {}),
      }))
      return { documents, ...(nextPageToken ? { next_page_token: nextPageToken } : {}) }
    },

    share: (documentId, people, effect) =>
      shareGoogleDocument(client, documentId, people, effect, async () => seenWhole(await see(documentId))),
    verifyCreate: (effect) => verifyCreatedDocument(client, effect),
    verifyChange: (documentId, effect) => verifyDocumentChange(client, documentId, effect),
    verifyShare: (documentId, people, effect) => verifyShared(client, documentId, people, effect),
  }
}

const replacedSchema = z.looseObject({
  replaceAllText: z.object({ occurrencesChanged: z.number().default(0) }),
})

/** At the end of the body, before its final newline. */
function planAppend({ body }: GoogleDocument, text: string): PlannedChange {
  const last = elementSchema.parse(body?.content.at(-1))
  const index = last.endIndex - 1
  const afterText = last.endIndex - last.startIndex > 1
  const requests = docsRequests(text, { index, afterText })
  const startIndex = index + (afterText ? 1 : 0)
  const after = requests[0] && 'insertText' in requests[0] ? 1 : 0
  return { requests, mark: { startIndex, endIndex: startIndex + 1, after } }
}

const elementSchema = z.looseObject({ startIndex: z.number().default(0), endIndex: z.number() })

/**
 * Replaces text in the document. Text that was copied from our Markdown is searched for without its markup, if it does
 * not occur with it. The mark goes to the first paragraph, whose newline no replacement removes.
 */
function planReplace(
  document: GoogleDocument,
  { find, replace }: { find: string; replace: string },
): PlannedChange {
  const wanted = textToFind(document, find)
  if (!isThere(document, wanted)) throw textNotThere(find, textOf(document))
  const containsText = { text: wanted, matchCase: true }
  const replaceText = wanted === find ? replace : plainText(replace)
  const [first] = paragraphsOf(document.body)
  const { startIndex = 1, endIndex = startIndex + 1 } = first ?? {}
  return {
    requests: [{ replaceAllText: { containsText, replaceText } }],
    mark: { startIndex, endIndex, after: 0 },
  }
}

/** The text itself, or, if only that is there, without its markup. */
function textToFind(document: GoogleDocument, find: string): string {
  const plain = plainText(find)
  return !isThere(document, find) && isThere(document, plain) ? plain : find
}

function isThere(document: GoogleDocument, text: string): boolean {
  return text !== '' && paragraphsOf(document).some((paragraph) => paragraph.text.includes(text))
}

function textOf(document: GoogleDocument): string {
  return paragraphsOf(document)
    .map(({ text }) => text)
    .join('\n')
}

/** The export contains every picture as base64, which no model can read. */
function withoutPictures(markdown: string): string {
  const lines = markdown.split('\n').filter((line) => !/^\[image\d+\]: <data:/.test(line))
  return lines.join('\n').trimEnd()
}

/** Google accepts a page token only with the search it came from. */
function asWrongPage(error: unknown): unknown {
  const isRefused = error instanceof ToolCallError && error.toolError.errorType === 'invalid_value'
  return isRefused
    ? new Question(
        'Which page of the search is meant? This one is not of this search. Please leave it out to begin with the first.',
        { parameter: 'page_token' },
      )
    : error
}
