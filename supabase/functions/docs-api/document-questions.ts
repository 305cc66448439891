import { askedInEnglish, type Said } from '../../../shared/engine/core/asked.ts'
import { clipText } from '../../../shared/engine/core/clip-text.ts'
import { Question, saidError, ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { inEnglish } from '../../../shared/words/languages/in-english.ts'

const notFound: Said = { code: 'document_not_found' }
/** For people, if a document does not exist, or no id was given. */
export const documentNotFoundWords = inEnglish(notFound)

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
          asked: askedInEnglish(notFound),
        },
      },
    ),
  )
}

const mostSpellings = 5

/** The text to replace is not in the document, or not in the tab; variants that are in it are listed. */
export function textNotThere(find: string, text: string, isInTab = false): Question {
  const spellings = spellingsOf(find, text)
  const values = {
    find: clipText(find, longest),
    isInTab: isInTab || undefined,
    spellings: spellings.length > 0 ? clipped(spellings) : undefined,
  }
  return new Question({ code: 'text_not_in_document', values }, { parameter: 'find' })
}

/** The text to replace consists of more than text: Google's API changes no smart chip. */
export function textInChip(find: string): Question {
  const values = { find: clipText(find, longest) }
  return new Question({ code: 'text_in_chip', values }, { parameter: 'find' })
}

/** The document has no such tab. `tabs`: the names of those it has. */
export function tabNotThere(tab: string, tabs: readonly string[]): Question {
  return new Question(
    { code: 'tab_not_found', values: { tab: clipText(tab, longest), tabs: clipped(tabs) } },
    { parameter: 'tab', choices: tabs.length > 0 ? tabs : undefined },
  )
}

/** The text to replace (`find`) stands in several tabs, or several have this title (`tab`). */
export function tabUnclear(
  about: { find: string } | { tab: string },
  tabs: readonly string[],
): ToolCallError {
  const named = Object.entries(about).map(([name, text]) => [name, clipText(text, longest)])
  const values = { ...Object.fromEntries(named), tabs: clipped(tabs) }
  return new ToolCallError(
    saidError(
      'conflict',
      { code: 'tab_unclear', values },
      { details: { parameter: 'tab', allowed: [...tabs] } },
    ),
  )
}

/** Characters of a text that a sentence names. */
const longest = 200
const clipped = (texts: readonly string[]) => texts.map((text) => clipText(text, longest))

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
  if (versions.length === 0)
    return new ToolCallError(saidError('execution_error', { code: 'nothing_to_restore' }))
  return new Question({ code: 'version_not_found', values: { versions } }, { parameter: 'revision' })
}

/** For versions of documents in Google Drive. */
export function restoredByGoogle(): ToolCallError {
  return new ToolCallError(
    saidError('permission_denied', { code: 'versions_at_google' }, { resolver: 'nobody' }),
  )
}

/** The document would exceed the maximum length. */
export function documentFull(parameter: string): Question {
  return new Question({ code: 'document_full' }, { parameter, resolver: 'user' })
}

/** Somebody edits the document faster than we can read it. */
export function beingEdited(): ToolCallError {
  return new ToolCallError(
    saidError('unavailable', { code: 'document_being_edited' }, { retryAfterMs: 2000 }),
  )
}
