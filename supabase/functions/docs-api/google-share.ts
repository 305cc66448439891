import { z } from 'zod'
import { withoutMark } from '../../../shared/engine/core/question-mark.ts'
import type { Seen } from '../../../shared/engine/core/seen.ts'
import { ToolCallError, type ToolError } from '../../../shared/engine/core/tool-error.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import type { EffectContext, KnownEffect, SharedDocument } from './document-store.ts'
import { type GoogleClient, lateMs } from './google-client.ts'
import { asNotFound } from './google-document.ts'
import type { ShareRole } from './parameters.ts'

interface People {
  emails: readonly string[]
  role: ShareRole
}

const permissionsSchema = z.object({
  nextPageToken: z.string().optional(),
  permissions: z.array(z.object({ role: z.string(), emailAddress: z.string().optional() })).default([]),
})

/** From least to most access. */
const roles = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner']

/**
 * Gives each person access, with one request each, and reports for each whether it worked. Anybody who has access is
 * skipped: they would get a second mail. Google has no condition for it: what the approval relied on (`look`) is compared
 * right before the first request. A failure for all of them (no right to share, Google busy) is an error as
 * long as nobody got access.
 */
export async function shareGoogleDocument(
  client: GoogleClient,
  documentId: string,
  { emails, role }: People,
  effect: EffectContext,
  look: () => Promise<Seen>,
): Promise<SharedDocument> {
  const before = await readRoles(client, documentId)
  await effect.note({ begun: true })
  const results: SharedDocument['results'] = []
  let isAnybodyIn = false
  let isCompared = effect.requireUnchanged === undefined
  for (const email of unique(emails)) {
    if (reaches(before.get(email.toLowerCase()), role)) {
      results.push({ email, ok: true })
      continue
    }
    if (!isCompared) effect.requireUnchanged?.(await look())
    isCompared = true
    effect.effectBegins()
    const refusal = await shareWith(client, documentId, email, role)
    if (refusal && !isAnybodyIn && isOfTheDocument(refusal)) throw new ToolCallError(refusal)
    isAnybodyIn ||= refusal === undefined
    results.push(refusal ? { email, ok: false, error: withoutMark(refusal.error) } : { email, ok: true })
  }
  return { results }
}

export async function verifyShared(
  client: GoogleClient,
  documentId: string,
  { emails, role }: People,
  effect: KnownEffect,
): Promise<Verification> {
  const now = await readRoles(client, documentId)
  if (emails.every((email) => reaches(now.get(email.toLowerCase()), role))) return 'sent'
  if (effect.note === undefined) return 'not_sent'
  // A new try skips the people it finds, so it does only the rest.
  return Date.now() - effect.effectStartedAt.getTime() > lateMs ? 'not_sent' : 'unknown'
}

/** Undefined if it worked. Rejects if the outcome is unknown. */
async function shareWith(
  client: GoogleClient,
  documentId: string,
  email: string,
  role: ShareRole,
): Promise<ToolError | undefined> {
  try {
    await client.change('drive', {
      method: 'POST',
      path: `/drive/v3/files/${encodeURIComponent(documentId)}/permissions?fields=id`,
      body: JSON.stringify({ type: 'user', role, emailAddress: email }),
    })
    return undefined
  } catch (cause) {
    const error = asNotFound(cause, documentId)
    if (!(error instanceof ToolCallError)) throw error
    if (error.toolError.errorType !== 'outcome_unknown') return error.toolError
    const now = await readRoles(client, documentId).catch(() => new Map<string, string>())
    if (reaches(now.get(email.toLowerCase()), role)) return undefined
    throw error
  }
}

/** Not about one address: it would fail for every other one too. */
function isOfTheDocument({ errorType }: ToolError): boolean {
  return errorType !== 'invalid_value'
}

async function readRoles(client: GoogleClient, documentId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let pageToken: string | undefined
  do {
    const search = new URLSearchParams({
      fields: 'nextPageToken,permissions(role,emailAddress)',
      pageSize: '100',
      ...(pageToken ? { pageToken } : {}),
    })
    const path = `/drive/v3/files/${encodeURIComponent(documentId)}/permissions?${search}`
    const list = await client.get('drive', path).catch((error) => {
      throw asNotFound(error, documentId)
    })
    const { permissions, nextPageToken } = permissionsSchema.parse(list)
    for (const { role, emailAddress } of permissions) {
      if (emailAddress) found.set(emailAddress.toLowerCase(), role)
    }
    pageToken = nextPageToken
  } while (pageToken)
  return found
}

function reaches(has: string | undefined, wanted: ShareRole): boolean {
  return has !== undefined && roles.indexOf(has) >= roles.indexOf(wanted)
}

function unique(emails: readonly string[]): string[] {
  return [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()]
}
