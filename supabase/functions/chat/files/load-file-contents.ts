import { countCharacters } from '../../../../shared/engine/core/characters.ts'
import type { Entry } from '../../../../shared/engine/transcript/entry.ts'
import {
  type FileContent,
  type FileContents,
  listShownFiles,
} from '../../../../shared/engine/transcript/file-content.ts'
import { fileLimits } from '../../../../shared/server/files/file-limits.ts'
import type { FileStore, KnownFile } from '../../../../shared/server/files/file-store.ts'
import { extractPdfText, type FileTextClient } from './extract-pdf-text.ts'
import { extractedTextSchema, extractText } from './extract-text.ts'
import { acquireFileMemory, type FileMemory } from './file-memory.ts'
import { isPicture } from './media-type.ts'

const tooMuch: FileContent = {
  note: 'It is not shown: with the other files that would be too much at once. The user can attach it again by itself.',
}
const notReadable: FileContent = { note: 'Its text cannot be read at the moment.' }

/** Files as a model reads them. `memory`: what its pictures take in memory, until it is freed. */
export interface LoadedFiles {
  contents: FileContents
  memory?: FileMemory | undefined
}

/** Loads the file contents for the model, newest first. Extracted text is stored with its file. */
export async function loadFileContents(
  entries: readonly Entry[],
  userId: string,
  files: FileStore,
  client: FileTextClient,
): Promise<LoadedFiles> {
  const ids = [...new Set(listShownFiles(entries).map(({ file_id }) => file_id))]
  const found = await files.find(userId, ids)
  const known = ids.flatMap((id) => found.get(id) ?? [])
  const contents = new Map<string, FileContent>()
  let characters: number = fileLimits.requestText
  for (const file of known.filter(({ mediaType }) => !isPicture(mediaType))) {
    const content = await readText(file, userId, files, client)
    const size = content.text?.length ?? 0
    contents.set(file.id, size <= characters ? content : tooMuchText(content))
    if (size <= characters) characters -= size
  }
  const pictures = known.filter(({ mediaType }) => isPicture(mediaType))
  for (const { id } of pictures) contents.set(id, tooMuch)
  const shown = choosePictures(pictures)
  if (shown.length === 0) return { contents }
  // For all of them at once: two runs that each wait for a second picture would wait forever.
  const memory = await acquireFileMemory(shown.reduce((sum, { size }) => sum + size, 0))
  for (const { id, mediaType } of memory ? shown : []) {
    const base64 = await files.readBase64(userId, id)
    if (base64 !== undefined) contents.set(id, { image: `data:${mediaType};base64,${base64}` })
  }
  return { contents, memory }
}

function tooMuchText({ text = '' }: FileContent): FileContent {
  const left = `None of its ${countCharacters(text)} characters are shown: with the other files that would be too much at once.`
  return { note: `${left} The user can attach it again by itself.` }
}

/** As many of the newest pictures as fit into one request. */
function choosePictures(pictures: readonly KnownFile[]): KnownFile[] {
  let bytes: number = fileLimits.requestPictureBytes
  const fitting = pictures.filter(({ size }) => {
    if (size > bytes) return false
    bytes -= size
    return true
  })
  return fitting.slice(0, fileLimits.requestPictures)
}

async function readText(
  { id, mediaType, size, reading }: KnownFile,
  userId: string,
  files: FileStore,
  client: FileTextClient,
): Promise<FileContent> {
  const kept = extractedTextSchema.safeParse(reading)
  if (kept.success) return kept.data
  const memory = await acquireFileMemory(size)
  try {
    const file = memory && (await files.read(userId, id))
    if (!file) return notReadable
    const isPdf = mediaType === 'application/pdf'
    const fresh = isPdf ? await extractPdfText(file, client) : extractText(file.bytes, mediaType)
    if (!fresh) return notReadable
    await files.keepReading(userId, id, fresh)
    return fresh
  } finally {
    memory?.free()
  }
}
