import type { FileUIPart } from 'ai'

/** A file as a part of a message. Rejects with a sentence. */
export function readFile(file: File): Promise<FileUIPart> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () =>
      resolve({
        type: 'file',
        mediaType: file.type || 'application/octet-stream',
        filename: file.name,
        url: String(reader.result),
      })
    reader.onerror = () => reject(new Error(`“${file.name}” couldn’t be read.`))
    reader.readAsDataURL(file)
  })
}
