import type { Asked } from '../../../shared/engine/core/asked.ts'
import { clipText } from '../../../shared/engine/core/clip-text.ts'
import { Question, ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'

/** For people, if a document does not exist, or no id was given. */
export const documentNotFoundWords = "I couldn't find that document. Paste its link or tell me its name."

/** There is no such document, or the app may not see it. */
export function documentNotFound(documentId: string): ToolCallError {
  return new ToolCallError(
    toolError(
      'not_found',
      `Question: Which document did you mean? No document with the id "${documentId}" can be opened here; only documents that were created here can. Please search for words in it to find its id.`,
      {
        details: {
          parameter: 'document_id',
          value: documentId,
          asked: {
            code: 'document_not_found',
            asked: documentNotFoundWords,
          },
        },
      },
    ),
  )
}

const mostSpellings = 5

/** The text to replace is not in the document, or the tab; variants that are in it are listed. */
export function textNotThere(find: string, text: string, where = 'the document'): Question {
  const spellings = spellingsOf(find, text)
  const fact =
    spellings.length === 0
      ? `is not in ${where}, at least not within one paragraph`
      : `is not in ${where} exactly like that, but like this: ${quoted(spellings)}`
  return new Question(
    `Which text should be replaced? "${clipText(find, 200)}" ${fact}. Please provide it exactly as it is in the document.`,
    {
      parameter: 'find',
      said: {
        code: 'text_not_in_document',
        values: { find: clipText(find, 200), ...(spellings.length > 0 ? { spellings } : {}) },
      },
    },
  )
}

/** The text to replace consists of more than text: Google's API changes no smart chip. */
export function textInChip(find: string): Question {
  return new Question(
    `Which text should be replaced? "${clipText(find, 200)}" is in the document, but part of it is a smart chip (a person, a file or a date), which can only be changed in Google Docs. Please provide the text beside it.`,
    { parameter: 'find', said: { code: 'text_in_chip', values: { find: clipText(find, 200) } } },
  )
}

/** The document has no such tab. `tabs`: the names of those it has. */
export function tabNotThere(tab: string, tabs: readonly string[]): Question {
  const fact =
    tabs.length === 0
      ? 'This document has no tabs, so please leave it out'
      : `There is no tab "${clipText(tab, 200)}", but ${quoted(tabs)}`
  return new Question(`Which tab is meant? ${fact}.`, {
    parameter: 'tab',
    ...(tabs.length > 0 ? { choices: tabs } : {}),
    said: { code: 'tab_not_found', values: { tab: clipText(tab, 200), tabs } },
  })
}

/** The text to replace (`find`) stands in several tabs, or several have this title (`tab`). */
export function tabUnclear(
  about: { find: string } | { tab: string },
  tabs: readonly string[],
): ToolCallError {
  const [named] = Object.values(about)
  const text = clipText(String(named), 200)
  const asked =
    'find' in about
      ? `In which tab should it be replaced? "${text}" is in several: ${quoted(tabs)}. Please name one in tab, or replace it in one after the other.`
      : `Which tab is meant? Several are called "${text}": ${quoted(tabs)}.`
  const values = { ...('find' in about ? { find: text } : { tab: text }), tabs }
  return new ToolCallError(
    toolError('conflict', `Question: ${asked}`, {
      details: { parameter: 'tab', allowed: [...tabs], asked: { code: 'tab_unclear', values, asked } },
    }),
  )
}

const mostNamed = 20

function quoted(texts: readonly string[]): string {
  const named = texts.slice(0, mostNamed).map((text) => `"${clipText(text, 200)}"`)
  const more = texts.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Variants of the text that do occur in the document: with other upper and lower case or whitespace. */
function spellingsOf(find: string, text: string): string[] {
  const words = find.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0 || words.length > 200) return []
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const found = text.matchAll(new RegExp(escaped.join('[^\\S\\n]{1,9}'), 'giu'))
  const spellings = new Set<string>()
  for (const [spelling] of found) {
    spellings.add(spelling)
    if (spellings.size === mostSpellings) break
  }
  return [...spellings]
}

/** The document was never changed, or the requested version is no longer kept. */
export function versionNotThere(
  versions: readonly { revision: number; until: string }[],
): Question | ToolCallError {
  if (versions.length === 0) {
    return new ToolCallError(
      toolError('execution_error', nothingToRestore.asked, { details: { asked: nothingToRestore } }),
    )
  }
  const kept = versions.map(({ revision, until }) => `${revision} (until ${until.slice(0, 16)}Z)`).join(', ')
  return new Question(`Which version should be restored? These revisions are kept: ${kept}.`, {
    parameter: 'revision',
    said: { code: 'version_not_found', values: { versions } },
  })
}

const nothingToRestore: Asked = {
  code: 'nothing_to_restore',
  asked: 'This document was not changed in the last 30 days, so nothing can be restored.',
}

const versionsAtGoogle: Asked = {
  code: 'versions_at_google',
  asked:
    'Google keeps the versions of this document and lets no other app restore them. You can do it in Google Docs, under "File", "Version history".',
}

/** For versions of documents in Google Drive. */
export function restoredByGoogle(): ToolCallError {
  return new ToolCallError(
    toolError('permission_denied', versionsAtGoogle.asked, {
      resolver: 'nobody',
      details: { asked: versionsAtGoogle },
    }),
  )
}

/** The document would exceed the maximum length. */
export function documentFull(parameter: string): Question {
  return new Question(
    'Should it go into a new document instead? This one would get too long: a document can have one million characters.',
    { parameter, resolver: 'user', said: { code: 'document_full' } },
  )
}

/** Somebody edits the document faster than we can read it. */
export function beingEdited(): ToolCallError {
  return new ToolCallError(
    toolError('unavailable', editedByOthers.asked, {
      retryAfterMs: 2000,
      details: { asked: editedByOthers },
    }),
  )
}

const editedByOthers: Asked = {
  code: 'document_being_edited',
  asked: 'The document is being changed by somebody else right now, so nothing was written.',
}
