import { Buffer } from 'node:buffer'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import {
  type FileContent,
  type FileContents,
  listShownFiles,
} from '../../../../shared/engine/transcript/file-content.ts'
import { fileLimits } from '../../../../shared/server/files/file-limits.ts'
import type { FileStore, KnownFile } from '../../../../shared/server/files/file-store.ts'
import { extractPdfText, type FileTextClient } from './extract-pdf-text.ts'
import { type ExtractedText, extractedTextSchema, extractText } from './extract-text.ts'
import { isPicture } from './media-type.ts'

const tooMuch: FileContent = { note: 'It is not shown: that would be too much at once.' }
const notReadable: FileContent = { note: 'Its text cannot be read at the moment.' }

/** Loads the file contents for the model, newest first. Extracted text is stored with its file. */
export async function loadFileContents(
  entries: readonly Entry[],
  userId: string,
  files: FileStore,
  client: FileTextClient,
): Promise<FileContents> {
  const ids = [...new Set(listShownFiles(entries).map(({ file_id }) => file_id))]
  const known = await files.find(userId, ids)
  const contents = new Map<string, FileContent>()
  const left = {
    pictures: fileLimits.requestPictures,
    pictureBytes: fileLimits.requestPictureBytes,
    characters: fileLimits.requestText,
  }
  for (const id of ids) {
    const file = known.get(id)
    if (!file) continue
    if (isPicture(file.mediaType)) {
      const fits = left.pictures > 0 && file.size <= left.pictureBytes
      const image = fits ? await readPicture(file, userId, files) : undefined
      contents.set(id, image ?? tooMuch)
      if (!image) continue
      left.pictures -= 1
      left.pictureBytes -= file.size
    } else {
      const content = await readText(file, userId, files, client)
      const size = content.text?.length ?? 0
      contents.set(id, size <= left.characters ? content : tooMuch)
      if (size <= left.characters) left.characters -= size
    }
  }
  return contents
}

async function readPicture(
  { id, mediaType }: KnownFile,
  userId: string,
  files: FileStore,
): Promise<FileContent | undefined> {
  const file = await files.read(userId, id)
  if (!file) return undefined
  const { buffer, byteOffset, byteLength } = file.bytes
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  return { image: `data:${mediaType};base64,${base64}` }
}

async function readText(
  { id, mediaType, reading }: KnownFile,
  userId: string,
  files: FileStore,
  client: FileTextClient,
): Promise<FileContent> {
  const kept = extractedTextSchema.safeParse(reading)
  if (kept.success) return withoutAbsent(kept.data)
  const file = await files.read(userId, id)
  if (!file) return notReadable
  const fresh =
    mediaType === 'application/pdf' ? await extractPdfText(file, client) : extractText(file.bytes, mediaType)
  if (!fresh) return notReadable
  await files.keepReading(userId, id, fresh)
  return withoutAbsent(fresh)
}

function withoutAbsent({ text, note }: ExtractedText): FileContent {
  return { ...(text === undefined ? {} : { text }), ...(note === undefined ? {} : { note }) }
}
