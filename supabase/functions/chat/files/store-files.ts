import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ChatMessage } from '../../../../shared/engine/models/protocol/model-client.ts'
import type { FilePart } from '../../../../shared/engine/transcript/entry.ts'
import type { StoredFilePart } from '../../../../shared/engine/transcript/file-content.ts'
import type { AddFile } from '../../../../shared/server/files/add-file.ts'
import type { FileFacts, FileStore, NewFile } from '../../../../shared/server/files/file-store.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import type { TurnRequest } from '../request/turn-request.ts'
import { isDataUrl } from './data-url.ts'
import type { FileLinks } from './file-links.ts'
import { readPostedFile, requireFewFiles } from './posted-file.ts'

/** A file in a request: one to store, one that is already stored, or a URL elsewhere. */
type IncomingFile = { file: NewFile } | { storedId: string } | { part: unknown }

/**
 * Stores the files of a request, and replaces them with what entries keep of them: never bytes. Everything is checked
 * before anything is stored. Nothing is fetched from other URLs. Throws ApiError 400 or 413.
 */
export async function storeFiles<Request extends Pick<TurnRequest, 'messages'>>(
  request: Request,
  userId: string,
  { files, addFile, fileLinks }: { files: FileStore; addFile: AddFile; fileLinks: FileLinks },
): Promise<Request> {
  const incoming = new Map<FilePart, IncomingFile>()
  for (const { entry } of request.messages) {
    const parts = entry.content.filter(isFilePart)
    requireFewFiles(parts.map(() => 0))
    for (const part of parts) incoming.set(part, await readFilePart(part, userId, fileLinks))
    // A file that was refused once stays in the client's history: it must not end the conversation.
    for (const part of earlierParts(entry.earlier)) {
      incoming.set(part, await readFilePart(part, userId, fileLinks).catch(() => ({ part: unreadable })))
    }
  }
  if (incoming.size === 0) return request
  const all = [...incoming.values()]
  const idOf = (one: IncomingFile) => ('file' in one ? one.file.id : 'storedId' in one ? one.storedId : [])
  const stored = await files.find(userId, all.flatMap(idOf))
  const missing = all.find((one) => 'storedId' in one && !stored.has(one.storedId))
  if (missing) throw new ApiError('file_not_found', { why: 'attached' })
  const sizeOf = (one: IncomingFile | undefined): number => {
    if (!one || 'part' in one) return 0
    return 'file' in one ? one.file.size : (stored.get(one.storedId)?.size ?? 0)
  }
  for (const { entry } of request.messages) {
    requireFewFiles(entry.content.filter(isFilePart).map((part) => sizeOf(incoming.get(part))))
  }
  const fresh = new Map(all.flatMap((one) => ('file' in one ? [[one.file.id, one.file] as const] : [])))
  for (const [id, file] of fresh) if (!stored.has(id)) await addFile(userId, file, inChunks(file.bytes))

  const keep = (part: unknown): unknown => {
    const one = incoming.get(part as FilePart)
    if (!one) return part
    if ('part' in one) return one.part
    const facts = 'file' in one ? one.file : stored.get(one.storedId)
    return facts ? storedPart(facts) : part
  }
  const messages = request.messages.map((message) => {
    const { content, earlier } = message.entry
    const entry = {
      ...message.entry,
      content: content.map(keep) as typeof content,
      ...(earlier ? { earlier: earlier.map((one) => keepEarlier(one, keep)) } : {}),
    }
    return { ...message, entry }
  })
  return { ...request, messages }
}

/** Pieces of which each is sent before the next one is encoded. */
async function* inChunks(bytes: Uint8Array, size = 96 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}

async function readFilePart(part: FilePart, userId: string, links: FileLinks): Promise<IncomingFile> {
  const { url = '' } = part
  if (isDataUrl(url)) return { file: await readPostedFile(part, userId) }
  const storedId = links.fileIdOf(url)
  if (storedId !== undefined) return { storedId }
  if (/^\s*https?:\/\//i.test(url)) return { part }
  throw new ApiError('unreadable_file', { why: 'no_content' })
}

const unreadable = { type: 'text', text: '[A file that cannot be read.]' }

function storedPart({ id, filename, mediaType, size }: FileFacts): StoredFilePart {
  return { type: 'file', file_id: id, mediaType, filename, size }
}

function isFilePart(part: unknown): part is FilePart {
  return isObject(part) && part.type === 'file' && typeof part.mediaType === 'string'
}

function earlierParts(earlier: readonly ChatMessage[] = []): FilePart[] {
  return earlier
    .flatMap(({ role, content }): unknown[] => (role === 'user' && Array.isArray(content) ? content : []))
    .filter(isFilePart)
}

function keepEarlier(message: ChatMessage, keep: (part: unknown) => unknown): ChatMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  return { ...message, content: message.content.map(keep) as typeof message.content }
}
