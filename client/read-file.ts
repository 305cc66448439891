import type { FileUIPart } from 'ai'
import type { firstEnglish } from './labels/en-first.ts'

/** Reads a file into a message part. Rejects with a sentence. */
export function readFile(
  file: File,
  { fileUnreadable }: Pick<typeof firstEnglish, 'fileUnreadable'>,
): Promise<FileUIPart> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () =>
      resolve({
        type: 'file',
        mediaType: file.type || 'application/octet-stream',
        filename: file.name,
        url: String(reader.result),
      })
    reader.onerror = () => reject(new Error(fileUnreadable(file.name)))
    reader.readAsDataURL(file)
  })
}
