import type { FileUIPart } from 'ai'

const mib = 1024 * 1024
/** Bytes of one file and of all files of a message, and their number; the server has the same. */
const limits = { file: 5 * mib, message: 10 * mib, files: 10 }

/** Files as parts of a message. Throws a sentence when they are too large. */
export async function readFiles(
  files: readonly File[],
  before: readonly FileUIPart[],
): Promise<FileUIPart[]> {
  const tooLarge = files.find(({ size }) => size > limits.file)
  if (tooLarge) throw new Error(`“${tooLarge.name}” is larger than 5 MB. Attach a smaller one.`)
  const empty = files.find(({ size }) => size === 0)
  if (empty) throw new Error(`“${empty.name}” is empty. Attach a file that holds something.`)
  if (before.length + files.length > limits.files)
    throw new Error(`A message can have ${limits.files} files. Send the others with another one.`)
  // Base64 has four characters for three bytes.
  const held = before.reduce((sum, { url }) => sum + (url.length * 3) / 4, 0)
  const added = files.reduce((sum, { size }) => sum + size, 0)
  if (held + added > limits.message) throw new Error('The files of one message may have 10 MB together.')
  return Promise.all(files.map(readFile))
}

function readFile(file: File): Promise<FileUIPart> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () =>
      resolve({
        type: 'file',
        mediaType: file.type || 'application/octet-stream',
        filename: file.name,
        url: String(reader.result),
      })
    reader.onerror = () => reject(new Error(`“${file.name}” cannot be read.`))
    reader.readAsDataURL(file)
  })
}
