import { z } from 'zod'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import { documentNotFound } from './document-questions.ts'
import type { GoogleClient } from './google-client.ts'

const documentSchema = z.looseObject({
  title: z.string().default(''),
  revisionId: z.string().optional(),
  tabs: z.array(z.unknown()).min(1),
})

const tabSchema = z.looseObject({
  tabProperties: z.looseObject({ tabId: z.string(), title: z.string().default('') }),
  documentTab: z
    .looseObject({
      body: z.looseObject({ content: z.array(z.looseObject({})).default([]) }).prefault({}),
      namedRanges: z.record(z.string(), z.unknown()).default({}),
    })
    .prefault({}),
  childTabs: z.array(z.unknown()).default([]),
})

/** A tab of a document. */
export interface GoogleTab {
  id: string
  title: string
  /** Its content, as documents.get returns it: body, lists, footnotes and so on. */
  content: z.output<typeof tabSchema>['documentTab']
}

/** A document as it was read, at one revision. */
export interface GoogleDocument {
  title: string
  /** Google only reveals it to people who may write. */
  revisionId: string | undefined
  /** At least one, in the order in which people see them: a tab, then the tabs below it. */
  tabs: GoogleTab[]
}

/**
 * Reads a document with all its tabs, which documents.get only returns if it is asked for them. Suggestions are inline for
 * people who may write, whose indices count them, and absent for others: the default, as people see the document.
 */
export async function readWhole(client: GoogleClient, documentId: string): Promise<GoogleDocument> {
  const path = `/v1/documents/${encodeURIComponent(documentId)}?includeTabsContent=true&prettyPrint=false`
  try {
    const { title, revisionId, tabs } = documentSchema.parse(await client.get('docs', path))
    return { title, revisionId, tabs: tabsIn(tabs) }
  } catch (error) {
    throw asNotFound(error, documentId)
  }
}

function tabsIn(tabs: readonly unknown[]): GoogleTab[] {
  return tabs.flatMap((tab) => {
    const { tabProperties, documentTab, childTabs } = tabSchema.parse(tab)
    const { tabId, title } = tabProperties
    return [{ id: tabId, title, content: documentTab }, ...tabsIn(childTabs)]
  })
}

/** Asks for the document if it does not exist or this app may not open it; returns any other failure unchanged. */
export function asNotFound(error: unknown, documentId: string): unknown {
  const isAbsent = error instanceof ToolCallError && error.toolError.errorType === 'not_found'
  return isAbsent ? documentNotFound(documentId) : error
}
