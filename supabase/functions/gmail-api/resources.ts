/** The parts of Gmail's resources that are used (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages). */
export interface Part {
  partId?: string
  mimeType?: string
  filename?: string
  headers?: { name: string; value: string }[]
  body?: { size?: number; data?: string; attachmentId?: string }
  parts?: Part[]
}

export interface Message {
  id: string
  threadId: string
  labelIds?: string[]
  snippet?: string
  /** Milliseconds since 1970, as a string. */
  internalDate?: string
  payload?: Part
}

export interface Draft {
  id: string
  message?: { id?: string; threadId?: string }
}

export interface Label {
  id: string
  name: string
  type?: string
}

/** Parts that are read; a mail with more was made to be hard to read. */
const mostParts = 500

/**
 * A part and all parts inside it, in order, without recursion: a mail can be nested arbitrarily deep. Those of a forwarded
 * mail only with `withForwarded`: it is a file, whose parts do not belong to this mail.
 */
export function partsOf(payload: Part | undefined, withForwarded = false): Part[] {
  const parts: Part[] = []
  const open = payload ? [payload] : []
  while (open.length > 0 && parts.length < mostParts) {
    const part = open.pop() as Part
    parts.push(part)
    const isOther = part.mimeType === 'message/rfc822' && !withForwarded
    const inside = isOther ? [] : (part.parts ?? [])
    open.push(...inside.slice(0, mostParts).reverse())
  }
  return parts
}

/** The value of a header, by its lowercase name; empty if there is none. */
export function headerOf(part: Part | undefined, name: string): string {
  return headersOf(part, name)[0] ?? ''
}

/** All headers of one name: a mail may have several. */
export function headersOf(part: Part | undefined, name: string): string[] {
  return (part?.headers ?? [])
    .filter((header) => header.name.toLowerCase() === name)
    .map(({ value }) => value)
}

/** Decodes Gmail's base64url; empty if it is invalid. */
export function bytesOf(data: string | undefined): Uint8Array {
  try {
    const binary = atob((data ?? '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
