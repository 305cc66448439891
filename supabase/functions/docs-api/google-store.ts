import { z } from 'zod'
import { Question, ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { docsRequests } from '../../../shared/integrations/markdown/docs-requests.ts'
import { plainText } from '../../../shared/integrations/markdown/plain-text.ts'
import { plainLine } from '../../../shared/words/quoted-value.ts'
import { tabUnclear, textInChip, textNotThere } from './document-questions.ts'
import type { DocumentStore } from './document-store.ts'
import { findTab, namesOf, tabName } from './document-tabs.ts'
import { paragraphsOf, type TextParagraph } from './document-text.ts'
import { changeDocument, type PlannedChange, verifyDocumentChange } from './google-change.ts'
import type { GoogleClient } from './google-client.ts'
import { createGoogleDocument, verifyCreatedDocument } from './google-create.ts'
import { type GoogleDocument, type GoogleTab, readWhole } from './google-document.ts'
import { shareGoogleDocument, verifyShared } from './google-share.ts'
import { placesIn, seenWhole } from './seen.ts'
import { tabMarkdown, withoutSuggestionMarks } from './tab-markdown.ts'

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
 * Documents in the user's Google Drive. Drive itself converts Markdown to documents (upload as `text/markdown`, since
 * 2024): Google keeps its converter up to date with every feature of Docs, a document is created with its content and its
 * app property in one request, and `drive.file` is enough. Only text that is added to a document is converted here,
 * because an upload would replace all of it. Its export back to Markdown is not used: it does not say where a tab begins,
 * nor what is only suggested.
 */
export function googleStore(client: GoogleClient): DocumentStore {
  const see: DocumentStore['see'] = async (documentId) => {
    const { title, tabs } = await readWhole(client, documentId)
    const nameOf = (tab: GoogleTab) => (tabs.length > 1 ? [tab.title] : [])
    return { title, text: tabs.flatMap((tab) => [...nameOf(tab), textOf(tab)]).join('\n') }
  }
  return {
    see,
    id: 'google-docs',
    create: (document, effect) => createGoogleDocument(client, document, effect),

    async read(documentId, tab) {
      const document = await readWhole(client, documentId)
      return { document_id: documentId, ...readTabs(document, tab) }
    },

    async seePlaces(documentId, { find, tab: wanted }) {
      const { tabs } = await readWhole(client, documentId)
      const { tab, text } = placeOf(tabs, find, wanted)
      return { seen: seenPlaces(tab, text), ...fixedTab(tab, tabs) }
    },

    async seeEnd(documentId, wanted) {
      const { title, tabs } = await readWhole(client, documentId)
      const tab = endOf(tabs, wanted)
      return { seen: { title, tab: factsOf(tab) }, ...fixedTab(tab, tabs) }
    },

    async append(documentId, text, effect, wanted) {
      let at = {}
      const { replies: _, ...changed } = await changeDocument(
        client,
        documentId,
        ({ title, tabs }) => {
          const tab = endOf(tabs, wanted)
          effect.requireUnchanged?.({ title, tab: factsOf(tab) })
          at = namedTab(tab, tabs)
          return planAppend(tab, text)
        },
        effect,
      )
      return { ...changed, ...at }
    },

    async replace(documentId, { find, replace, tab: wanted }, effect) {
      let at = {}
      const { replies, ...changed } = await changeDocument(
        client,
        documentId,
        ({ tabs }) => {
          const { tab, text } = placeOf(tabs, find, wanted)
          effect.requireUnchanged?.(seenPlaces(tab, text))
          at = namedTab(tab, tabs)
          return planReplace(tab, text, text === find ? replace : plainText(replace))
        },
        effect,
      )
      const reply = replies.find((one) => 'replaceAllText' in one)
      // None if it was done before, by an earlier delivery.
      if (reply === undefined) return { ...changed, ...at }
      const { occurrencesChanged: replaced } = replacedSchema.parse(reply).replaceAllText
      if (replaced === 0) throw textNotThere(find, '')
      return { ...changed, ...at, replaced }
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
        url: webViewLink || undefined,
      }))
      return { documents, next_page_token: nextPageToken || undefined }
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

const suggestions =
  'Somebody suggests changes in this document: text between {++ and ++} would be added, text between {-- and --} removed.'

/** The text of all tabs, each below its name, or of one. */
function readTabs({ title, revisionId, tabs }: GoogleDocument, wanted: string | undefined) {
  const read = wanted === undefined ? tabs : [findTab(tabs, wanted)]
  const parts = read.map((tab) => ({ tab, ...tabMarkdown(tab) }))
  const content =
    parts.length === 1
      ? parts.map(({ text }) => text)
      : parts.map(({ tab, text }) => `<!-- Tab: ${plainLine(tabName(tab, tabs))} -->\n\n${text}`)
  return {
    title,
    tabs: tabs.length > 1 ? namesOf(tabs, tabs) : undefined,
    ...(tabs.length > 1 && read.length === 1 ? { tab: namesOf(read, tabs)[0] } : {}),
    content: content.join('\n\n').trimEnd(),
    revision: revisionId ?? '',
    note: parts.some(({ hasSuggestions }) => hasSuggestions) ? suggestions : undefined,
  }
}

/** The tab at whose end text is added: the last one that is read, unless another one is wanted. */
function endOf(tabs: readonly GoogleTab[], wanted: string | undefined): GoogleTab {
  return wanted === undefined ? (tabs.at(-1) as GoogleTab) : findTab(tabs, wanted)
}

/** What approvals compare of a tab. */
function factsOf({ id, title }: GoogleTab) {
  return { id, title }
}

function seenPlaces(tab: GoogleTab, text: string) {
  return { ...placesIn(textOf(tab), text), tab: factsOf(tab) }
}

/** What a call that names no tab means from now on. */
function fixedTab(tab: GoogleTab, tabs: readonly GoogleTab[]) {
  return tabs.length > 1 ? { fixed: { tab: tabName(tab, tabs) } } : {}
}

function namedTab(tab: GoogleTab, tabs: readonly GoogleTab[]) {
  return tabs.length > 1 ? { tab: tabName(tab, tabs) } : {}
}

/** At the end of the body, before its final newline. */
function planAppend({ id, content }: GoogleTab, text: string): PlannedChange {
  const last = elementSchema.parse(content.body.content.at(-1))
  const index = last.endIndex - 1
  const afterText = last.endIndex - last.startIndex > 1
  const requests = docsRequests(text, { index, afterText })
  const startIndex = index + (afterText ? 1 : 0)
  const after = requests[0] && 'insertText' in requests[0] ? 1 : 0
  return { tabId: id, requests, mark: { startIndex, endIndex: startIndex + 1, after } }
}

const elementSchema = z.looseObject({ startIndex: z.number().default(0), endIndex: z.number() })

/** The mark goes to the first paragraph of the tab, whose newline no replacement removes. */
function planReplace({ id, content }: GoogleTab, text: string, replaceText: string): PlannedChange {
  const [first] = paragraphsOf(content.body)
  const { startIndex = 1, endIndex = startIndex + 1 } = first ?? {}
  const containsText = { text, matchCase: true }
  return {
    tabId: id,
    requests: [{ replaceAllText: { containsText, replaceText } }],
    mark: { startIndex, endIndex, after: 0 },
  }
}

/**
 * The tab in which a text is replaced, and the text as it stands there: without markup that was copied from our Markdown,
 * unless it stands there with it. Throws a question if no tab has it, or more than one.
 */
function placeOf(
  tabs: readonly GoogleTab[],
  find: string,
  wanted: string | undefined,
): { tab: GoogleTab; text: string } {
  const where = wanted === undefined ? tabs : [findTab(tabs, wanted)]
  const pages = where.map((tab) => ({ tab, paragraphs: paragraphsOf(tab.content) }))
  const forms = [...new Set([find, plainText(find), withoutSuggestionMarks(plainText(find))])]
  for (const text of forms) {
    const [first, ...others] = pages.filter(({ paragraphs }) => isIn(paragraphs, 'text', text))
    if (!first) continue
    if (others.length === 0) return { tab: first.tab, text }
    const found = [first, ...others].map(({ tab }) => tab)
    throw tabUnclear({ find }, namesOf(found, tabs))
  }
  const isChip = forms.some((text) => pages.some(({ paragraphs }) => isIn(paragraphs, 'shown', text)))
  if (isChip) throw textInChip(find)
  const text = where.map(textOf).join('\n')
  throw textNotThere(find, text, wanted !== undefined)
}

function isIn(paragraphs: readonly TextParagraph[], form: 'text' | 'shown', text: string): boolean {
  return text !== '' && paragraphs.some((paragraph) => paragraph[form].includes(text))
}

function textOf({ content }: GoogleTab): string {
  return paragraphsOf(content)
    .map(({ text }) => text)
    .join('\n')
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
