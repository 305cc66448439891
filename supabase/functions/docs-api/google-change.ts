import { z } from 'zod'
import { isObject } from '../../../shared/engine/core/json-value.ts'
import { timeouts } from '../../../shared/engine/core/timeouts.ts'
import { Question, saidError, ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import { GoogleFailure } from '../../../shared/integrations/google/google-failure.ts'
import type { DocsRequest } from '../../../shared/integrations/markdown/docs-requests.ts'
import { writeLog } from '../../../shared/server/log/log-line.ts'
import { beingEdited } from './document-questions.ts'
import type { ChangedDocument, EffectContext, KnownEffect } from './document-store.ts'
import { clearableRanges, effectMark, rangeName } from './effect-mark.ts'
import { type GoogleClient, lateMs } from './google-client.ts'
import { asNotFound, type GoogleDocument, readWhole } from './google-document.ts'

/** Nothing is required: whatever it says, it was written. */
const writtenSchema = z.looseObject({
  replies: z.array(z.looseObject({})).default([]),
  writeControl: z.looseObject({ requiredRevisionId: z.string().default('') }).prefault({}),
})

const noteSchema = z.object({ revision: z.string() })

/** What to write into the document as it was read. */
export interface PlannedChange {
  /** The id of the tab that all of it is about. */
  tabId: string
  requests: DocsRequest[]
  /** The range that carries the mark; it exists once `after` of the batch's requests have run. */
  mark: { startIndex: number; endIndex: number; after: number }
}

const mostTries = 5

/**
 * Writes a change that depends on the current content. It is planned for the document as it was read, and Google accepts
 * it only at that revision (`requiredRevisionId`), so that nobody's change in between is lost: if it fails, the document
 * is read again. `plan` throws if the change does not fit, or if what its approval relied on is no longer so, unless it was
 * already made. A named range is added in the same batch, all or nothing: if it exists, the change was made.
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
    const request = {
      method: 'POST',
      path: `/v1/documents/${encodeURIComponent(documentId)}:batchUpdate`,
      body: JSON.stringify({ requests, writeControl: { requiredRevisionId: revisionId } }),
    }
    const answer = await client.change('docs', request).catch(async (error) => {
      // Google documents this 400, but not its text: a different revision shows that it was the reason.
      const { cause } = error
      if (!(cause instanceof GoogleFailure && cause.status === 400)) throw asNotFound(error, documentId)
      const now = await readWhole(client, documentId)
      if (now.revisionId === revisionId) throw misplanned(cause)
    })
    if (answer === undefined) continue
    const { replies, writeControl } = writtenSchema.parse(answer)
    return { document_id: documentId, revision: writeControl.requiredRevisionId, replies }
  }
}

/** Whether the change was made, judging by the mark and the revision. */
export async function verifyDocumentChange(
  client: GoogleClient,
  documentId: string,
  effect: KnownEffect,
): Promise<Verification> {
  const document = await readWhole(client, documentId)
  if (isMarked(document, await effectMark(effect))) return 'sent'
  const note = noteSchema.safeParse(effect.note)
  // Nothing recorded: it had not started.
  if (!note.success) return 'not_sent'
  // At any other revision it will be refused, or somebody has removed it with its mark.
  if (note.data.revision !== document.revisionId) return 'unknown'
  // At the recorded revision Google accepts only one change: this one if it still arrives, or that of a new try. After the
  // lease nobody may try again, and nobody would be told of this one.
  const age = Date.now() - effect.effectStartedAt.getTime()
  return age < timeouts.effectLeaseMs || age > lateMs ? 'not_sent' : 'unknown'
}

function isMarked(document: GoogleDocument, mark: string): boolean {
  return rangeNames(document).some((name) => name.startsWith(mark))
}

function rangeNames({ tabs }: GoogleDocument): string[] {
  return tabs.flatMap(({ content }) => Object.keys(content.namedRanges))
}

function marked(
  { requests, mark: place, tabId }: PlannedChange,
  document: GoogleDocument,
  mark: string,
): DocsRequest[] {
  const now = new Date()
  const { after, ...range } = place
  const change = [
    ...requests.slice(0, after),
    { createNamedRange: { name: rangeName(mark, now), range } },
    ...requests.slice(after),
  ]
  return [
    ...clearableRanges(rangeNames(document), now).map((name) => ({ deleteNamedRange: { name } })),
    ...change.map((request) => inTab(request, tabId)),
  ]
}

/** A request for one tab: without its id, Google takes the first tab, or all of them for a replacement. */
function inTab(request: DocsRequest, tabId: string): DocsRequest {
  const there = Object.entries(request).map(([name, body]) => [
    name,
    {
      ...body,
      ...(isObject(body.location) ? { location: { ...body.location, tabId } } : {}),
      ...(isObject(body.range) ? { range: { ...body.range, tabId } } : {}),
      ...(name === 'replaceAllText' ? { tabsCriteria: { tabIds: [tabId] } } : {}),
    },
  ])
  return Object.fromEntries(there)
}

/** Google only reveals the revision to people who may write. */
function readOnly(): ToolCallError {
  return new Question({ code: 'document_read_only' }, { parameter: 'document_id', resolver: 'user' })
}

/** Our request was wrong, even at the revision that it was made for. */
function misplanned({ body }: { body: unknown }): ToolCallError {
  const said = isObject(body) && isObject(body.error) ? String(body.error.message) : ''
  // Only where the fault is: the sentence may quote what was to be written.
  writeLog('google-refused-change', { at: /requests\[\d+\](?:\.\w+)*/.exec(said)?.[0] })
  return new ToolCallError(saidError('execution_error', { code: 'document_not_changed' }))
}
