import { z } from 'zod'
import type { Seen } from '../../../shared/engine/core/seen.ts'
import { saidError, ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import type { CallRpc } from '../../../shared/server/database/call-rpc.ts'
import {
  beingEdited,
  documentFull,
  documentNotFound,
  tabNotThere,
  textNotThere,
  versionNotThere,
} from './document-questions.ts'
import type { ChangedDocument, EffectContext, VersionedStore } from './document-store.ts'
import { placesIn } from './seen.ts'

const createdSchema = z.object({ documentId: z.string(), title: z.string() })
const readSchema = z
  .object({ documentId: z.string(), title: z.string(), content: z.string(), revision: z.number() })
  .nullable()
const changedSchema = z.union([
  z.object({ documentId: z.string(), revision: z.number(), replaced: z.number().nullable() }),
  z.object({
    found: z.boolean(),
    fits: z.boolean().optional(),
    replaced: z.number().optional(),
    moved: z.literal(true).optional(),
  }),
])
const versionsSchema = z.array(
  z.object({
    revision: z.number(),
    until: z.string().transform((time) => new Date(time).toISOString()),
    characters: z.number(),
  }),
)
const restoredSchema = z.union([
  z.object({ revision: z.number(), restored: z.number(), versions: versionsSchema }),
  z.object({ found: z.boolean(), versions: versionsSchema.optional(), moved: z.literal(true).optional() }),
])
const restorableSchema = z.object({ revision: z.number(), versions: versionsSchema }).nullable()
const foundSchema = z.array(z.object({ documentId: z.string(), title: z.string(), modified: z.string() }))

const mostTries = 5

/**
 * Documents in our own database (`askback.documents`). Each write is one statement under its effect's key: a delivery
 * that arrives twice, late, or after its process was killed changes nothing more and gets the same answer. If its approval
 * relied on something, that statement changes the document only as it was when it was compared.
 */
export function builtInStore(rpc: CallRpc, userId: string): VersionedStore {
  const read = async (documentId: string) => {
    const found = readSchema.parse(
      await rpc('read_document', { p_user_id: userId, p_document_id: documentId }),
    )
    if (!found) throw documentNotFound(documentId)
    return found
  }

  const earlier = (idempotencyKey: string) =>
    rpc('earlier_change', { p_user_id: userId, p_idempotency_key: idempotencyKey })

  /**
   * Changes a document (`make`, which gets the condition) if what its approval relied on is still so. An effect that was
   * already made is not compared: `make` answers what it did.
   */
  const unchanged = async <Answer extends object>(
    documentId: string,
    { requireUnchanged, idempotencyKey }: EffectContext,
    see: (document: { title: string; content: string; revision: number }) => Seen | undefined,
    make: (as: { title: string; revision: number } | null) => Promise<Answer>,
  ): Promise<Answer> => {
    if (!requireUnchanged) return await make(null)
    for (let tries = 1; tries <= mostTries; tries++) {
      if ((await earlier(idempotencyKey)) !== null) return await make(null)
      const document = await read(documentId)
      const now = see(document)
      if (now) requireUnchanged(now)
      const answer = await make({ title: document.title, revision: document.revision })
      if (!('moved' in answer)) return answer
    }
    throw beingEdited()
  }

  const change = async (
    documentId: string,
    change: { append: string } | { find: string; replace: string },
    effect: EffectContext,
  ): Promise<ChangedDocument> => {
    const see = ({ title, content }: { title: string; content: string }) => {
      if (!('find' in change)) return { title }
      // Gone: the question about that says more.
      return content.includes(change.find) ? placesIn(content, change.find) : undefined
    }
    const answer = await unchanged(documentId, effect, see, async (as) =>
      changedSchema.parse(
        await rpc('change_document', {
          p_user_id: userId,
          p_idempotency_key: effect.idempotencyKey,
          p_document_id: documentId,
          p_change: change,
          p_as: as,
        }),
      ),
    )
    if ('documentId' in answer) {
      const { revision, replaced } = answer
      return {
        document_id: documentId,
        revision: String(revision),
        replaced: replaced ?? undefined,
      }
    }
    // The database reports that nothing was changed, so a question is allowed.
    if (!answer.found) throw documentNotFound(documentId)
    if (!('find' in change)) throw documentFull('text')
    throw answer.fits === false
      ? documentFull('replace')
      : textNotThere(change.find, (await read(documentId)).content)
  }

  return {
    id: 'askback-docs',

    async create({ title, content }, { idempotencyKey }) {
      const created = createdSchema.parse(
        await rpc('create_document', {
          p_user_id: userId,
          p_idempotency_key: idempotencyKey,
          p_title: title,
          p_content: content,
        }),
      )
      return { document_id: created.documentId, title: created.title }
    },

    async read(documentId, tab) {
      refuseTab(tab)
      const { title, content, revision } = await read(documentId)
      return { document_id: documentId, title, content, revision: String(revision) }
    },

    async see(documentId) {
      const { title, content } = await read(documentId)
      return { title, text: content }
    },

    async seePlaces(documentId, { find }) {
      return { seen: placesIn((await read(documentId)).content, find) }
    },

    async seeEnd(documentId) {
      return { seen: { title: (await read(documentId)).title } }
    },

    async seeVersions(documentId) {
      const found = restorableSchema.parse(
        await rpc('document_versions_of', { p_user_id: userId, p_document_id: documentId }),
      )
      if (!found) throw documentNotFound(documentId)
      return { revision: found.revision, last: found.versions[0]?.revision }
    },

    async append(documentId, text, effect, tab) {
      refuseTab(tab)
      return await change(documentId, { append: text }, effect)
    },

    async replace(documentId, { find, replace, tab }, effect) {
      refuseTab(tab)
      return await change(documentId, { find, replace }, effect)
    },

    async restore(documentId, revision, effect) {
      const see = ({ revision: now }: { revision: number }) => ({ revision: now })
      const answer = await unchanged(documentId, effect, see, async (as) =>
        restoredSchema.parse(
          await rpc('restore_document', {
            p_user_id: userId,
            p_idempotency_key: effect.idempotencyKey,
            p_document_id: documentId,
            p_revision: revision ?? null,
            p_as: as,
          }),
        ),
      )
      if (!('restored' in answer)) {
        throw answer.found ? versionNotThere(answer.versions ?? []) : documentNotFound(documentId)
      }
      return {
        document_id: documentId,
        revision: String(answer.revision),
        restored: String(answer.restored),
        versions: answer.versions.map((version) => ({ ...version, revision: String(version.revision) })),
      }
    },

    async search(query, { size, token = '0' }) {
      const offset = /^\d{1,9}$/.test(token) ? Number(token) : 0
      const found = foundSchema.parse(
        await rpc('search_documents', {
          p_user_id: userId,
          p_query: query,
          p_limit: size + 1,
          p_offset: offset,
        }),
      )
      const documents = found.slice(0, size).map(({ documentId, title, modified }) => ({
        document_id: documentId,
        title,
        modified: new Date(modified).toISOString(),
      }))
      return { documents, next_page_token: found.length > size ? String(offset + size) : undefined }
    },

    async share() {
      throw new ToolCallError(
        saidError('permission_denied', { code: 'sharing_needs_google' }, { resolver: 'nobody' }),
      )
    },

    verifyCreate: ({ idempotencyKey }) => verify(idempotencyKey),
    verifyChange: (_, { idempotencyKey }) => verify(idempotencyKey),
    verifyShare: async () => 'not_sent',
  }

  /** "not_sent" is safe although the effect may still happen: of all deliveries with one key only one is carried out. */
  async function verify(idempotencyKey: string) {
    return (await earlier(idempotencyKey)) === null ? 'not_sent' : 'sent'
  }
}

/** Documents here have no tabs. */
function refuseTab(tab: string | undefined): void {
  if (tab !== undefined) throw tabNotThere(tab, [])
}
