/** What of Gmail's resources is read (https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages). */
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
  /** Milliseconds since 1970, as a text. */
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

/** Parts that are looked at; a mail that has more was made to be hard to read. */
const mostParts = 500

/** A part and all below it, from the first to the last, without recursion: a mail can be nested as deeply as it likes. */
export function partsOf(payload: Part | undefined): Part[] {
  const parts: Part[] = []
  const open = payload ? [payload] : []
  while (open.length > 0 && parts.length < mostParts) {
    const part = open.pop() as Part
    parts.push(part)
    // A forwarded mail is a file of its own: its texts are not what this one says.
    const inside = part.mimeType === 'message/rfc822' ? [] : (part.parts ?? [])
    open.push(...inside.slice(0, mostParts).reverse())
  }
  return parts
}

/** The value of a header, its name written in small letters; empty where there is none. */
export function headerOf(part: Part | undefined, name: string): string {
  return headersOf(part, name)[0] ?? ''
}

/** All headers of one name: nothing keeps a mail from having two. */
export function headersOf(part: Part | undefined, name: string): string[] {
  return (part?.headers ?? [])
    .filter((header) => header.name.toLowerCase() === name)
    .map(({ value }) => value)
}

/** The bytes of Gmail's base64url; none where it is no such text. */
export function bytesOf(data: string | undefined): Uint8Array {
  try {
    const binary = atob((data ?? '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
