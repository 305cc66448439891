import { Buffer } from 'node:buffer'
import { Question } from '../../engine/core/tool-error.ts'
import { type EmailAttachment, maxAttachmentBytes } from './email-parameters.ts'

/** A file to attach. */
export interface EmailFile {
  filename: string
  content: Buffer
  contentType: string | undefined
}

/** Finds a file of the user; undefined if they have no such file, even if somebody else has. */
export type FindUserFile = (
  fileId: string,
) => Promise<{ filename: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> } | undefined>

/** Reads the files of a mail. Throws a Question that names the one that cannot be used. */
export async function readFiles(
  attachments: readonly EmailAttachment[],
  findUserFile: FindUserFile,
): Promise<EmailFile[]> {
  const files: EmailFile[] = []
  for (const [index, attachment] of attachments.entries()) {
    files.push(await readFile(attachment, `attachments[${index}]`, findUserFile))
    requireSmallFiles(files)
  }
  return files
}

/** Reads one file; `place` is the path that a question points to. */
export async function readFile(
  attachment: EmailAttachment,
  place: string,
  findUserFile: FindUserFile,
): Promise<EmailFile> {
  const { file_id: fileId, filename, content, content_type: contentType } = attachment
  if (fileId !== undefined) return await readUserFile(attachment, fileId, place, findUserFile)
  if (filename === undefined) throw new Question(questions.filename, { parameter: `${place}.filename` })
  if (content === undefined) throw new Question(questions.content, { parameter: `${place}.content` })
  return { filename, content: readContent({ ...attachment, content }, `${place}.content`), contentType }
}

/** Sends the file as stored: it may be renamed or given another type, but its content cannot change. */
async function readUserFile(
  { filename, content, content_type: contentType }: EmailAttachment,
  fileId: string,
  place: string,
  findUserFile: FindUserFile,
): Promise<EmailFile> {
  if (content !== undefined) throw new Question(questions.both, { parameter: `${place}.content` })
  const file = await findUserFile(fileId)
  if (!file) {
    throw new Question({ code: 'file_not_found' }, { parameter: `${place}.file_id` })
  }
  const { buffer, byteOffset, byteLength } = file.bytes
  return {
    filename: filename ?? file.filename,
    content: Buffer.from(buffer, byteOffset, byteLength),
    contentType: contentType ?? file.mediaType,
  }
}

const questions = {
  filename: 'What should the attached file be called? Please provide a file name.',
  content:
    'What does the attached file contain? Please provide its content, or the file_id of a file of yours.',
  both: 'A file of yours is attached as it is. Should I attach that file, or a new one with this content? Please leave out file_id or content.',
}

export function requireSmallFiles(files: readonly EmailFile[]): void {
  const total = files.reduce((sum, { content }) => sum + content.length, 0)
  if (total <= maxAttachmentBytes) return
  const mebibytes = maxAttachmentBytes / 1_048_576
  throw new Question({ code: 'files_too_large', values: { mebibytes } }, { parameter: 'attachments' })
}

function readContent(
  { content, content_type: contentType, encoding }: EmailAttachment & { content: string },
  parameter: string,
): Buffer {
  const expected = encoding ?? (isTextType(contentType) ? 'text' : 'base64')
  if (expected === 'text') return Buffer.from(content, 'utf-8')
  const compact = content.replace(/\s+/g, '')
  if (isBase64(compact)) return Buffer.from(compact, 'base64')
  throw new Question(
    'The content of the attached file is not base64. Please encode it in base64, or set encoding to "text" if it is plain text.',
    { parameter },
  )
}

/** Without a regular expression that repeats groups: over some megabytes it fails with "Maximum call stack size exceeded". */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(digits)
}

/** Without a type, the content is text. */
function isTextType(contentType: string | undefined): boolean {
  return contentType === undefined || /^text\/|[/+](?:json|xml|yaml|csv|javascript)$/i.test(contentType)
}
