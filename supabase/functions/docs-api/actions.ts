import { countCharacters, sliceCharacters } from '../../../shared/engine/core/characters.ts'
import { ToolCallError } from '../../../shared/engine/core/tool-error.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import { isUuid } from '../../../shared/engine/core/uuid.ts'
import { withCorrection } from '../../../shared/engine/tools/open-places.ts'
import { missingScope, notConnected } from '../../../shared/integrations/definition/connection-error.ts'
import type { CatalogueTool } from '../../../shared/integrations/definition/integration.ts'
import { scopesFor } from '../../../shared/integrations/definition/missing-access.ts'
import {
  type Environment,
  readProjectAccess,
} from '../../../shared/server/authentication/project-settings.ts'
import { type CallRpc, createRpc } from '../../../shared/server/database/call-rpc.ts'
import type {
  ActionContext,
  Implementation,
  IntegrationAction,
} from '../../../shared/server/integration-function/integration-action.ts'
import { builtInStore } from './built-in-store.ts'
import { restoredByGoogle } from './document-questions.ts'
import type { DocumentStore, KnownEffect, ReadDocument } from './document-store.ts'
import { findDocuments } from './find-documents.ts'
import { type GoogleHosts, openGoogle, readGoogleHosts } from './google-client.ts'
import { googleStore } from './google-store.ts'
import {
  appendText,
  createDocument,
  googleDocs,
  readDocument,
  replaceText,
  restoreVersion,
  searchDocuments,
  shareDocument,
} from './integration.ts'
import type {
  AppendParameters,
  CreateParameters,
  ReadParameters,
  ReplaceParameters,
  RestoreParameters,
  SearchParameters,
  ShareParameters,
} from './parameters.ts'
import { compareEnd, comparePlaces, compareWhole, seenWhole } from './seen.ts'

interface DocumentSettings {
  rpc: CallRpc
  hosts: GoogleHosts
}

/** The actions of this function. */
export function createActions(env: Environment): Implementation {
  const { url, serviceKey } = readProjectAccess(env)
  return implement({ rpc: createRpc({ url, serviceKey }), hosts: readGoogleHosts(env) })
}

export function implement(settings: DocumentSettings): Implementation {
  const choose = storesOf(settings)
  return {
    actions: [
      action<CreateParameters>(createDocument, {
        run: ({ title, content = '' }, context) =>
          choose(createDocument, context).preferred.create({ title, content }, context),
        verify: (_, context) => verifyCreated(choose(createDocument, context).all, context),
      }),
      action<ReadParameters>(readDocument, {
        run: async (args, context) => {
          const { store, documentId } = choose(readDocument, context).of(args)
          return readFrom(await store.read(documentId, args.tab), args.from ?? 0)
        },
      }),
      action<AppendParameters>(appendText, {
        look: async (args, context) => {
          const { store, documentId } = choose(appendText, context).of(args)
          return await store.seeEnd(documentId, args.tab)
        },
        compare: compareEnd,
        run: (args, context) => {
          const { store, documentId } = choose(appendText, context).of(args)
          return store.append(documentId, args.text, context, args.tab)
        },
        verify: (args, context) => {
          const { store, documentId } = choose(appendText, context).of(args)
          return store.verifyChange(documentId, context)
        },
      }),
      action<ReplaceParameters>(replaceText, {
        look: async (args, context) => {
          const { store, documentId } = choose(replaceText, context).of(args)
          return await store.seePlaces(documentId, args)
        },
        compare: comparePlaces,
        run: (args, context) => {
          const { store, documentId } = choose(replaceText, context).of(args)
          return store.replace(documentId, args, context)
        },
        verify: (args, context) => {
          const { store, documentId } = choose(replaceText, context).of(args)
          return store.verifyChange(documentId, context)
        },
      }),
      action<RestoreParameters>(restoreVersion, {
        look: async (args, context) => {
          const { store, documentId } = choose(restoreVersion, context).own(args)
          const { revision: now, last } = await store.seeVersions(documentId)
          const revision = args.revision ?? last
          return revision === undefined ? undefined : { seen: { revision: now }, fixed: { revision } }
        },
        run: (args, context) => {
          const { store, documentId } = choose(restoreVersion, context).own(args)
          return store.restore(documentId, args.revision, context)
        },
        verify: (args, context) => {
          const { store, documentId } = choose(restoreVersion, context).own(args)
          return store.verifyChange(documentId, context)
        },
      }),
      action<SearchParameters>(searchDocuments, {
        run: ({ query, max_results = 10, page_token }, context) =>
          findDocuments(choose(searchDocuments, context).all, query, {
            size: max_results,
            token: page_token,
          }),
      }),
      action<ShareParameters>(shareDocument, {
        look: async (args, context) => {
          const { store, documentId } = choose(shareDocument, context).of(args)
          return { seen: await seenWhole(await store.see(documentId)) }
        },
        compare: compareWhole,
        run: (args, context) => {
          const { store, documentId } = choose(shareDocument, context).of(args)
          return store.share(documentId, args, context)
        },
        verify: (args, context) => {
          const { store, documentId } = choose(shareDocument, context).of(args)
          return store.verifyShare(documentId, args, context)
        },
      }),
    ],
  }
}

/** The document from a character on; where nothing follows, it says so. */
function readFrom(document: ReadDocument, from: number): ReadDocument {
  const content = sliceCharacters(document.content, from)
  if (from === 0 || content !== '') return { ...document, content }
  const total = countCharacters(document.content)
  return {
    ...document,
    content,
    note: `This document has ${total} characters: nothing follows from ${from} on.`,
  }
}

/** Google may have been connected or disconnected since. Google's effects are recorded; our own store's need not be. */
async function verifyCreated(stores: readonly DocumentStore[], effect: KnownEffect): Promise<Verification> {
  if (effect.note !== undefined && stores.length === 1) return 'unknown'
  const said = await Promise.all(stores.map((store) => store.verifyCreate(effect)))
  return said.includes('sent') ? 'sent' : (said[0] ?? 'unknown')
}

/** An action whose errors point at the parts of the call that they are about. */
function action<Args>(
  tool: CatalogueTool,
  { run, verify, ...looking }: Pick<IntegrationAction<Args>, 'run' | 'verify' | 'look' | 'compare'>,
): IntegrationAction<Args> {
  return {
    tool,
    ...looking,
    async run(args, context) {
      try {
        return await run(args, context)
      } catch (error) {
        if (!(error instanceof ToolCallError) || error.name !== 'ToolCallError') throw error
        throw new ToolCallError(
          withCorrection(error.toolError, tool.specification, args as Record<string, unknown>),
        )
      }
    },
    verify: verify ? async (args, context) => await verify(args, context) : undefined,
  }
}

/** Also extracts it from the URL of a document. */
function readDocumentId({ document_id }: { document_id: string }): string {
  return /\/d\/([A-Za-z0-9_-]+)/.exec(document_id)?.[1] ?? document_id
}

/** An id of ours; Google's are longer and not UUIDs. */
const isOurs = isUuid

function storesOf({ rpc, hosts }: DocumentSettings) {
  /** The user's document stores; throws ToolCallError if Google is needed and cannot be used. */
  return (
    tool: CatalogueTool,
    context: Pick<ActionContext, 'userId' | 'connection' | 'connections' | 'signal'>,
  ) => {
    const { userId, connection, connections, signal } = context
    const builtIn = builtInStore(rpc, userId)
    const googleDocuments = (): DocumentStore => {
      if (!connection) throw new ToolCallError(notConnected(googleDocs))
      const needed = scopesFor(googleDocs, tool.specification.name, {})
      const granted = connections[0]?.scopes ?? []
      if (!needed.some((scope) => granted.includes(scope))) throw new ToolCallError(missingScope(googleDocs))
      return googleStore(openGoogle(hosts, connection, signal))
    }
    return {
      /** The store for new documents. */
      get preferred() {
        return connection ? googleDocuments() : builtIn
      },
      get all() {
        return connection ? [googleDocuments(), builtIn] : [builtIn]
      },
      /** The store of a document, by its id. */
      of(args: { document_id: string }) {
        const documentId = readDocumentId(args)
        return { documentId, store: isOurs(documentId) ? builtIn : googleDocuments() }
      },
      /** The store of one of our own documents; throws ToolCallError for one of Google's. */
      own(args: { document_id: string }) {
        const documentId = readDocumentId(args)
        if (!isOurs(documentId)) throw restoredByGoogle()
        return { documentId, store: builtIn }
      },
    }
  }
}
