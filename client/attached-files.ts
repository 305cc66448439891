import type { FileUIPart } from 'ai'
import { readFile } from './read-file.ts'

const mib = 1024 * 1024
/** Bytes of one file and of all files of a message, and their number; the server has the same. */
const limits = { file: 5 * mib, message: 10 * mib, files: 10 }

/** Files as parts of a message; `refused` says of each other one why not. Throws a sentence when they are too many or too large together. */
export async function readFiles(
  chosen: readonly File[],
  before: readonly FileUIPart[],
): Promise<{ parts: FileUIPart[]; refused: string[] }> {
  const refused = chosen.flatMap((file) => problemOf(file) ?? [])
  const files = chosen.filter((file) => !problemOf(file))
  if (before.length + files.length > limits.files)
    throw new Error(`A message can have up to ${limits.files} files. Send the rest in another message.`)
  // Base64 has four characters for three bytes.
  const held = before.reduce((sum, { url }) => sum + (url.length * 3) / 4, 0)
  const added = files.reduce((sum, { size }) => sum + size, 0)
  if (held + added > limits.message) throw new Error('The files in one message can total 10 MB.')
  return { parts: await Promise.all(files.map(readFile)), refused }
}

function problemOf({ name, size }: File): string | undefined {
  if (size > limits.file) return `“${name}” is larger than 5 MB. Attach a smaller one.`
  return size === 0 ? `“${name}” is empty.` : undefined
}
