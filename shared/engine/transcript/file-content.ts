import type { Entry, FilePart, UserMessage } from './entry.ts'

/**
 * What a model is given of a stored file besides its name: its text, or the picture itself as a `data:` URL. `note` is a
 * sentence on what is left out, or why there is nothing.
 */
export interface FileContent {
  text?: string
  image?: string
  note?: string
}

/** By `file_id`. */
export type FileContents = ReadonlyMap<string, FileContent>

export const noFiles: FileContents = new Map()

/** Files are included again in this many user messages; of older ones the model reads the names. */
const messagesWithContent = 3

/** A file that is stored. */
export type StoredFilePart = FilePart & { file_id: string }

/** The stored files of a message, starting with those of earlier messages that its client keeps itself. */
export function listFiles({ content, earlier = [] }: UserMessage): StoredFilePart[] {
  return [...earlier.filter(({ role }) => role === 'user').map((message) => message.content), content]
    .flatMap((said): unknown[] => (Array.isArray(said) ? said : []))
    .filter(isStoredFile)
}

/** The stored files whose content the model reads now, those of the newest message first. */
export function listShownFiles(entries: readonly Entry[]): StoredFilePart[] {
  const messages = entries.filter((entry) => entry.type === 'user-message')
  return messages.slice(-messagesWithContent).reverse().flatMap(listFiles)
}

export function isStoredFile(part: unknown): part is StoredFilePart {
  const { type, file_id } = (part ?? {}) as Partial<FilePart>
  return type === 'file' && typeof file_id === 'string'
}
