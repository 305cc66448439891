import type { Look } from '../../../shared/engine/core/seen.ts'
import type { Verification } from '../../../shared/engine/core/tool-specification.ts'
import type {
  ActionContext,
  VerifyContext,
} from '../../../shared/server/integration-function/integration-action.ts'
import type { ShareRole } from './parameters.ts'

/** A place that keeps documents: Google, or our own database. Its methods throw like actions. */
export interface DocumentStore {
  /** The prefix of its page tokens. */
  id: string
  create(document: { title: string; content: string }, effect: EffectContext): Promise<CreatedDocument>
  /** `tab`: the title or the id of one; all of them if undefined. Throws a question about it, as do `append` and `replace`. */
  read(documentId: string, tab?: string): Promise<ReadDocument>
  /** Its title and its text as it is now, for comparing. */
  see(documentId: string): Promise<{ title: string; text: string }>
  /** Where `replace` would find this text now, as of `placesIn`; the tab is fixed if there are several. */
  seePlaces(documentId: string, text: { find: string; tab?: string | undefined }): Promise<Look>
  /** The document to whose end `append` would add text now; the tab is fixed if there are several. */
  seeEnd(documentId: string, tab?: string): Promise<Look>
  /** Adds Markdown at the end of a tab, of the last one by default. */
  append(documentId: string, text: string, effect: EffectContext, tab?: string): Promise<ChangedDocument>
  /** Replaces a text in the one tab that contains it. Throws a question if there is none, or more than one. */
  replace(
    documentId: string,
    change: { find: string; replace: string; tab?: string | undefined },
    effect: EffectContext,
  ): Promise<ChangedDocument>
  search(query: string, page: { size: number; token: string | undefined }): Promise<FoundDocuments>
  share(
    documentId: string,
    people: { emails: readonly string[]; role: ShareRole },
    effect: EffectContext,
  ): Promise<SharedDocument>
  verifyCreate(effect: KnownEffect): Promise<Verification>
  /** For append, replace and restore. */
  verifyChange(documentId: string, effect: KnownEffect): Promise<Verification>
  verifyShare(
    documentId: string,
    people: { emails: readonly string[]; role: ShareRole },
    effect: KnownEffect,
  ): Promise<Verification>
}

/** A store that can restore earlier versions. */
export interface VersionedStore extends DocumentStore {
  /** The revision now, and the one that `restore` would put back by default; undefined if there is none. */
  seeVersions(documentId: string): Promise<{ revision: number; last: number | undefined }>
  /** Restores a version, by default the one before the last change; lists the versions that are kept. */
  restore(documentId: string, revision: number | undefined, effect: EffectContext): Promise<RestoredDocument>
}

export type EffectContext = Pick<
  ActionContext,
  'userId' | 'idempotencyKey' | 'effectBegins' | 'note' | 'earlierNote' | 'requireUnchanged'
>
export type KnownEffect = Pick<VerifyContext, 'userId' | 'idempotencyKey' | 'note' | 'effectStartedAt'>

export interface CreatedDocument {
  document_id: string
  title: string
  url?: string
}

export interface ReadDocument {
  document_id: string
  title: string
  /** The names of its tabs, if it has several. */
  tabs?: string[]
  /** The one that was read, if not all of them were. */
  tab?: string | undefined
  /** Markdown. */
  content: string
  /** Changes with every change of the document; empty if the reader may not write. */
  revision: string
  /** What else there is to know about the content. */
  note?: string
}

export interface ChangedDocument {
  document_id: string
  revision: string
  /** In which tab, if there are several. */
  tab?: string
  /** How many occurrences were replaced. */
  replaced?: number
}

export interface RestoredDocument {
  document_id: string
  revision: string
  /** The revision that was restored. */
  restored: string
  /** Newest first; `until`: ISO 8601. */
  versions: { revision: string; until: string; characters: number }[]
}

export interface FoundDocument {
  document_id: string
  title: string
  /** ISO 8601. */
  modified: string
  url?: string
}

export interface FoundDocuments {
  documents: FoundDocument[]
  next_page_token?: string
}

export interface SharedDocument {
  results: { email: string; ok: boolean; error?: string }[]
}
