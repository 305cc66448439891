import { z } from 'zod'
import { Question, ToolCallError, toolError } from '../../../shared/engine/core/tool-error.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import type { DocsRequest } from '../../../shared/integrations/markdown/docs-requests.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { beingEdited, documentNotFound } from './document-questions.ts'
import type { ChangedDocument, EffectContext, KnownEffect } from './document-store.ts'
import { clearableRanges, effectMark, rangeName } from './effect-mark.ts'
import type { GoogleClient } from './google-client.ts'
import { googleFailure } from './google-failure.ts'

const documentSchema = z.looseObject({
  revisionId: z.string().optional(),
  namedRanges: z.record(z.string(), z.unknown()).default({}),
  body: z.looseObject({ content: z.array(z.looseObject({})).default([]) }).optional(),
})
/** A document as it was read, at one revision. */
export type GoogleDocument = z.output<typeof documentSchema>

const writtenSchema = z.looseObject({
  replies: z.array(z.looseObject({})).default([]),
  writeControl: z.looseObject({ requiredRevisionId: z.string() }),
})

const noteSchema = z.object({ revision: z.string() })

/** What is to be written into the document as it was read. Throws a Question where it does not fit it. */
export interface PlannedChange {
  requests: DocsRequest[]
  /** A range that is there when `requests` begin: it carries the mark. With `marked` it is there after so many. */
  mark: { startIndex: number; endIndex: number; after: number }
}

const mostTries = 5

/**
 * Writes a change that is relative to what stands there. It is planned on the document as it was read, and Google takes
 * it only at that revision (`requiredRevisionId`), so that nobody's change in between is lost: then it is read again.
 * With it goes a named range, in the same batch, all or nothing: where that is found, the change was made.
 */
export async function changeDocument(
  client: GoogleClient,
  documentId: string,
  plan: (document: GoogleDocument) => PlannedChange,
  effect: EffectContext,
): Promise<ChangedDocument & { replies: Record<string, unknown>[] }> {
  const mark = await effectMark(effect)
  for (let tries = 1; ; tries++) {
    const document = await readWhole(client, documentId)
    const { revisionId } = document
    if (revisionId === undefined) throw readOnly()
    if (isMarked(document, mark)) return { document_id: documentId, revision: revisionId, replies: [] }
    if (tries > mostTries) throw beingEdited()
    const requests = marked(plan(document), document, mark)
    await effect.note({ revision: revisionId })
    // No effectBegins(): Google's refusal proves that nothing was written, and a question may follow it.
    const reply = await client.change('docs', {
      method: 'POST',
      path: `/v1/documents/${encodeURIComponent(documentId)}:batchUpdate`,
      body: JSON.stringify({ requests, writeControl: { requiredRevisionId: revisionId } }),
    })
    if (reply.status < 300) {
      const { replies, writeControl } = writtenSchema.parse(reply.body)
      return { document_id: documentId, revision: writeControl.requiredRevisionId, replies }
    }
    // Google documents this 400, not its words: that the revision is another one shows that it was the reason.
    if (reply.status !== 400) throw failure(reply, documentId)
    const now = await readWhole(client, documentId)
    if (now.revisionId === revisionId) throw misplanned(reply)
  }
}

/** Whether the change was made, as the mark and the revision tell. */
export async function verifyDocumentChange(
  client: GoogleClient,
  documentId: string,
  effect: KnownEffect,
): Promise<Verification> {
  const document = await readWhole(client, documentId)
  if (isMarked(document, await effectMark(effect))) return 'sent'
  const note = noteSchema.safeParse(effect.note)
  // Not noted: it had not begun. At the noted revision Google takes one change alone: this one if it still comes, or
  // that of a new try. At another one it is refused from now on, or somebody has removed it with its mark.
  if (!note.success || note.data.revision === document.revisionId) return 'not_sent'
  return 'unknown'
}

export async function readWhole(client: GoogleClient, documentId: string): Promise<GoogleDocument> {
  try {
    return documentSchema.parse(await client.get('docs', `/v1/documents/${encodeURIComponent(documentId)}`))
  } catch (error) {
    throw asNotFound(error, documentId)
  }
}

/** The document is not there, or not for this app; any other failure as it is. */
export function asNotFound(error: unknown, documentId: string): unknown {
  const isAbsent = error instanceof ToolCallError && error.toolError.errorType === 'not_found'
  return isAbsent ? documentNotFound(documentId) : error
}

export function failure(reply: Parameters<typeof googleFailure>[0], documentId: string): unknown {
  return asNotFound(googleFailure(reply, 'write'), documentId)
}

function isMarked({ namedRanges }: GoogleDocument, mark: string): boolean {
  return Object.keys(namedRanges).some((name) => name.startsWith(mark))
}

function marked(
  { requests, mark: place }: PlannedChange,
  document: GoogleDocument,
  mark: string,
): DocsRequest[] {
  const now = new Date()
  const { after, ...range } = place
  return [
    ...clearableRanges(Object.keys(document.namedRanges), now).map((name) => ({
      deleteNamedRange: { name },
    })),
    ...requests.slice(0, after),
    { createNamedRange: { name: rangeName(mark, now), range } },
    ...requests.slice(after),
  ]
}

/** Google tells the revision only to those who may write. */
function readOnly(): ToolCallError {
  return new Question(
    'Should it go into a document of your own instead? You may read this document, but not write in it.',
    { parameter: 'document_id', resolver: 'user' },
  )
}

/** What we sent was wrong, at the very revision that it was made for. */
function misplanned({ body }: { body: unknown }): ToolCallError {
  writeLog('google-refused-change', {}, new Error(JSON.stringify(body)))
  return new ToolCallError(
    toolError('execution_error', 'Google Docs did not take this change, so nothing was written.'),
  )
}
