import { Buffer } from 'node:buffer'
import { headerOf, type MimePart, readMimeTree } from './mime-tree.ts'

/** A mail in a mailbox of the simulator. */
export interface StoredMail {
  id: string
  threadId: string
  labelIds: Set<string>
  raw: Buffer
  tree: MimePart
  /** Milliseconds since 1970. */
  internalDate: number
  historyId: number
}

export interface Payload {
  partId: string
  mimeType: string
  filename: string
  headers: { name: string; value: string }[]
  body: { size: number; data?: string; attachmentId?: string }
  parts?: Payload[]
}

/** The value of a header, given its name in lower case; empty if it is missing. */
export function headerText(mail: StoredMail, name: string): string {
  return headerOf(mail.tree.headers, name) ?? ''
}

/** A part and all parts below it, in order. */
export function partsOf(part: MimePart): MimePart[] {
  return [part, ...part.parts.flatMap(partsOf)]
}

/** The snippet as Gmail shows it in lists: with HTML entities, at most 200 characters. */
export function snippetOf(tree: MimePart): string {
  const parts = partsOf(tree)
  const plain = parts.find(({ mimeType, filename }) => mimeType === 'text/plain' && filename === '')
  const html = parts.find(({ mimeType }) => mimeType === 'text/html')
  const text = plain ? textOf(plain) : html ? textOf(html).replace(/<[^<>]*>/g, ' ') : ''
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
    .replace(/[&<>"']/g, (character) => `&${entities[character]};`)
}

const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }

/** A text part in the charset that it declares. */
export function textOf({ content, charset }: MimePart): string {
  try {
    return new TextDecoder(charset).decode(content)
  } catch {
    return content.toString('utf8')
  }
}

/** `format=full`: text inline, in UTF-8 whatever charset it declares, everything else by an attachment id. */
function payloadOf(part: MimePart, withBodies: boolean, partId = ''): Payload {
  const isText = part.mimeType.startsWith('text/') && part.filename === ''
  const data = isText ? Buffer.from(textOf(part)) : part.content
  // A mail inside the mail is both: a file, and its parts.
  const attachment = !isText && (part.parts.length === 0 || part.mimeType === 'message/rfc822')
  const below = (index: number) => (partId === '' ? `${index}` : `${partId}.${index}`)
  return {
    partId,
    mimeType: part.mimeType,
    filename: part.filename,
    headers: part.headers,
    body: {
      size: data.length,
      attachmentId: attachment ? attachmentIdOf(partId) : undefined,
      ...(isText && withBodies ? { data: data.toString('base64url') } : {}),
    },
    parts:
      part.parts.length > 0
        ? part.parts.map((child, index) => payloadOf(child, withBodies, below(index)))
        : undefined,
  }
}

/** Gmail's ids are long and opaque, and differ from response to response. */
function attachmentIdOf(partId: string): string {
  return `ANGjdJ${Buffer.from(`part ${partId} ${Math.random()}`).toString('base64url')}`
}

/** The part that an attachment id of any response refers to. */
export function findAttachment(mail: StoredMail, attachmentId: string): MimePart | undefined {
  if (!attachmentId.startsWith('ANGjdJ')) return undefined
  const partId = /^part ([\d.]*) /.exec(Buffer.from(attachmentId.slice(6), 'base64url').toString())?.[1]
  if (partId === undefined) return undefined
  let part: MimePart | undefined = mail.tree
  for (const index of partId === '' ? [] : partId.split('.')) part = part?.parts[Number(index)]
  return part
}

/** A message resource (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages). */
export function messageResource(mail: StoredMail, format: string, metadataHeaders: string[] = []) {
  const facts = {
    id: mail.id,
    threadId: mail.threadId,
    labelIds: [...mail.labelIds],
    snippet: snippetOf(mail.tree),
    sizeEstimate: mail.raw.length,
    historyId: String(mail.historyId),
    internalDate: String(mail.internalDate),
  }
  if (format === 'minimal') return facts
  if (format === 'raw') return { ...facts, raw: mail.raw.toString('base64url') }
  const payload = payloadOf(mail.tree, format === 'full')
  if (format === 'full') return { ...facts, payload }
  const wanted = metadataHeaders.map((name) => name.toLowerCase())
  const headers = payload.headers.filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name.toLowerCase()),
  )
  return { ...facts, payload: { mimeType: payload.mimeType, headers } }
}

/** A mail as it arrives in a mailbox. */
export function readMail(raw: Buffer, facts: Omit<StoredMail, 'raw' | 'tree'>): StoredMail {
  return { ...facts, raw, tree: readMimeTree(raw) }
}
