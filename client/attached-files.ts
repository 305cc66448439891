import type { FileUIPart } from 'ai'
import { showBytes, showList } from '../shared/words/locale.ts'
import { englishFiles } from './labels/en-files.ts'
import type { firstEnglish } from './labels/en-first.ts'
import { describeFailure } from './labels/failure.ts'

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
  /** Says what is going on. */
  onSay: (sentence: string) => void
  onProblem: (sentence: string) => void
}

/** Uploads the files that fit into a message beside those before, one after another. Throws as `chooseFiles` does. */
export async function uploadFiles(
  chosen: readonly File[],
  before: readonly { size?: number }[],
  given: GivenLabels,
  { upload, setUploading, setFiles, onSay, onProblem }: Progress,
): Promise<void> {
  const labels = { ...englishFiles, ...given }
  const { files, refused } = chooseFiles(chosen, before, labels)
  refused.forEach(onProblem)
  setUploading((others) => [...others, ...files])
  const attached: string[] = []
  for (const file of files) {
    onSay(labels.uploading(file.name))
    await upload(file)
      .then((part) => {
        attached.push(file.name)
        setFiles((others) => [...others, part])
      })
      .catch((error) => onProblem(describeFailure(error, given)))
      .finally(() => setUploading((others) => others.filter((one) => one !== file)))
  }
  onSay(attached.length > 0 ? labels.attached(showList(attached, labels.locale)) : '')
}

/**
 * Chooses the files that fit into a message beside those before; `refused` says why each of the others was left out. Throws
 * if there are too many or they are too large together.
 */
function chooseFiles(
  chosen: readonly File[],
  before: readonly { size?: number }[],
  labels: FileLabels,
): { files: File[]; refused: string[] } {
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
