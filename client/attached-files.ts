import type { FileUIPart } from 'ai'
import { englishFiles } from './labels/en-files.ts'
import type { firstEnglish } from './labels/en-first.ts'
import { describeFailure } from './labels/failure.ts'
import { showBytes } from './locale.ts'

const mib = 1024 * 1024
/** Limits in bytes for one file and for all files of a message, and the number of files; the server has the same. */
const limits = { file: 5 * mib, message: 10 * mib, files: 10 }

/** A file of a message. `size` in bytes: if it was uploaded here. */
export type FilePart = FileUIPart & { size?: number }

export type Upload = (file: File) => Promise<FilePart>

/** What a composer shows while files are uploaded. */
interface Progress {
  upload: Upload
  setUploading: (change: (before: readonly File[]) => readonly File[]) => void
  setFiles: (change: (before: readonly FilePart[]) => readonly FilePart[]) => void
  onProblem: (sentence: string) => void
}

/** Uploads the files that fit into a message beside those before, one after another. Throws as `chooseFiles` does. */
export async function uploadFiles(
  chosen: readonly File[],
  before: readonly { size?: number }[],
  labels: GivenLabels,
  { upload, setUploading, setFiles, onProblem }: Progress,
): Promise<void> {
  const { files, refused } = chooseFiles(chosen, before, labels)
  refused.forEach(onProblem)
  setUploading((others) => [...others, ...files])
  for (const file of files) {
    await upload(file)
      .then((part) => setFiles((others) => [...others, part]))
      .catch((error) => onProblem(describeFailure(error, labels)))
      .finally(() => setUploading((others) => others.filter((one) => one !== file)))
  }
}

/**
 * Chooses the files that fit into a message beside those before; `refused` says why each of the others was left out. Throws
 * if there are too many or they are too large together.
 */
function chooseFiles(
  chosen: readonly File[],
  before: readonly { size?: number }[],
  given: GivenLabels,
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
type GivenLabels = typeof firstEnglish & Partial<typeof englishFiles>

function problemOf({ name, size }: File, labels: FileLabels): string | undefined {
  if (size > limits.file) return labels.fileTooLarge(name, shown(limits.file, labels))
  return size === 0 ? labels.fileEmpty(name) : undefined
}

/** A limit as people write it: `5 MB`. */
function shown(bytes: number, { locale }: FileLabels): string {
  return showBytes((bytes / mib) * 1_000_000, locale)
}
