import { clipText } from '../../../shared/engine/core/clip-text.ts'
import { Question, ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'

/** What people read of a document that is not there, or that was named by no id. */
export const documentNotFoundWords = "I couldn't find that document. Paste its link or tell me its name."

/** There is no such document, or none that the app may see. */
export function documentNotFound(documentId: string): ToolCallError {
  return new ToolCallError(
    toolError(
      'not_found',
      `Question: Which document did you mean? There is none with the id "${documentId}" that can be opened here; only documents that were made here can. Please search for words of it to find its id.`,
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

/** What is to be replaced does not stand there; where it does in other letters, those are told. */
export function textNotThere(find: string, text: string): Question {
  const spellings = spellingsOf(find, text)
  const there = spellings.map((spelling) => `"${clipText(spelling, 200)}"`).join(', ')
  const fact =
    spellings.length === 0
      ? 'does not stand in the document, at least not within one paragraph'
      : `does not stand in the document like that, but like this: ${there}`
  return new Question(
    `Which text should be replaced? "${clipText(find, 200)}" ${fact}. Please provide it exactly as it stands there.`,
    { parameter: 'find' },
  )
}

/** The other ways in which a text stands in another one: upper and lower case, and blanks. */
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

/** The document was never changed, or the version that is asked for is not kept. */
export function versionNotThere(
  versions: readonly { revision: number; until: string }[],
): Question | ToolCallError {
  if (versions.length === 0) {
    return new ToolCallError(
      toolError(
        'execution_error',
        'This document was not changed in the last 30 days, so nothing can be restored.',
      ),
    )
  }
  const kept = versions.map(({ revision, until }) => `${revision} (until ${until.slice(0, 16)}Z)`).join(', ')
  return new Question(`Which version should be restored? These revisions are kept: ${kept}.`, {
    parameter: 'revision',
  })
}

/** Versions of documents in Google Drive. */
export function restoredByGoogle(): ToolCallError {
  return new ToolCallError(
    toolError(
      'permission_denied',
      'Google keeps the versions of this document and lets no other app restore them. It can be done in Google Docs, under "File", "Version history".',
      { resolver: 'nobody' },
    ),
  )
}

/** The document would be longer than documents may be. */
export function documentFull(parameter: string): Question {
  return new Question(
    'Should it go into a new document instead? This one would get too long: a document holds one million characters.',
    { parameter, resolver: 'user' },
  )
}

/** Somebody writes faster than we read. */
export function beingEdited(): ToolCallError {
  return new ToolCallError(
    toolError(
      'unavailable',
      'The document is being changed by somebody else right now, so nothing was written.',
      {
        retryAfterMs: 2000,
      },
    ),
  )
}
