import type { FileUIPart } from 'ai'
import { englishFiles } from './labels/en-files.ts'
import { showBytes } from './locale.ts'

const mib = 1024 * 1024
/** Limits in bytes for one file and for all files of a message, and the number of files; the server has the same. */
const limits = { file: 5 * mib, message: 10 * mib, files: 10 }

/** A file of a message. `size` in bytes: if it was uploaded here. */
export type FilePart = FileUIPart & { size?: number }

export type Upload = (file: File) => Promise<FilePart>

/**
 * Chooses the files that fit into a message beside those before; `refused` says why each of the others was left out. Throws
 * if there are too many or they are too large together.
 */
export function chooseFiles(
  chosen: readonly File[],
  before: readonly { size?: number }[],
  given: { locale: string } & Partial<typeof englishFiles>,
): { files: File[]; refused: string[] } {
  const labels = { ...englishFiles, ...given }
  const refused = chosen.flatMap((file) => problemOf(file, labels) ?? [])
  const files = chosen.filter((file) => !problemOf(file, labels))
  if (before.length + files.length > limits.files) throw new Error(labels.tooManyFiles(limits.files))
  const held = before.reduce((sum, { size = 0 }) => sum + size, 0)
  const added = files.reduce((sum, { size }) => sum + size, 0)
  if (held + added > limits.message) throw new Error(labels.filesTooLarge(shown(limits.message, labels)))
  return { files, refused }
}

type FileLabels = typeof englishFiles & { locale: string }

function problemOf({ name, size }: File, labels: FileLabels): string | undefined {
  if (size > limits.file) return labels.fileTooLarge(name, shown(limits.file, labels))
  return size === 0 ? labels.fileEmpty(name) : undefined
}

/** A limit as people write it: `5 MB`. */
function shown(bytes: number, { locale }: FileLabels): string {
  return showBytes((bytes / mib) * 1_000_000, locale)
}
