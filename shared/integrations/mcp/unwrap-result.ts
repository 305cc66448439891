import { isObject } from '../../engine/core/json-value.ts'
import { fileNameOf, mediaTypeOf, type ResultFile, readBase64 } from './result-file.ts'

export interface ResultLimits {
  /** Files of one result. */
  files: number
  /** Bytes of one file. */
  bytes: number
}

/** A result of `tools/call`, unwrapped once. */
export interface UnwrappedResult {
  /** What the tool says, for `outputOf`: its data, or its words, or that it failed. */
  said: unknown
  isError: boolean
  /** To be stored for the user. HTML and SVG are files, too: nothing shows them. */
  files: ResultFile[]
  /** Addresses of more, which nobody has opened. */
  links: ResultLink[]
  /** Files that are too large, too many or unreadable. */
  leftOut: number
}

interface ResultLink {
  uri: string
  name?: string
}

/** A file where it is stored. */
export interface StoredResultFile {
  file_id: string
  filename: string
  mediaType: string
  size: number
}

const mostLinks = 50
const longestLink = 2_000
/** Texts that a browser would run or lay out. */
const isPage = /^(?:text\/html|image\/svg|application\/(?:xhtml|xml|rss|atom)|text\/xml)/
const nothing: UnwrappedResult = { said: undefined, isError: false, files: [], links: [], leftOut: 0 }

/**
 * What a server returned for a call, whatever it is; never throws. `structuredContent` counts where there is any, since the
 * text beside it says the same; else the texts, in their order.
 */
export function unwrapResult(returned: unknown, limits: ResultLimits): UnwrappedResult {
  try {
    if (!isObject(returned)) return { ...nothing, said: returned }
    const reader = new ContentReader(limits)
    const content = Array.isArray(returned.content) ? returned.content : undefined
    for (const part of content ?? []) reader.add(part)
    const { texts, files, links, leftOut } = reader
    const { isError, structuredContent, content: _, _meta, resultType: __, ...others } = returned
    const isKnown = content !== undefined || structuredContent !== undefined || isError !== undefined
    const text = texts.length > 0 ? texts.join('\n\n') : undefined
    const data = hasSomething(structuredContent) ? structuredContent : (text ?? structuredContent)
    const found = { files, links, leftOut }
    if (isError === true) return { ...found, isError, said: asError(text, structuredContent) }
    return { ...found, isError: false, said: isKnown ? data : others }
  } catch {
    return nothing
  }
}

/**
 * The value that a tool returns to the engine, which judges it like that of any other tool: an error is classified, and what
 * is long is shortened. `stored`: the files of the result, now that they are stored.
 */
export function outputOf(
  { said, isError, links, files, leftOut }: UnwrappedResult,
  stored: readonly StoredResultFile[] = [],
): unknown {
  const lost = leftOut + files.length - stored.length
  if (isError || (stored.length === 0 && links.length === 0 && lost === 0)) return said ?? { done: true }
  return {
    ...(said === undefined ? {} : { result: said }),
    ...(stored.length > 0 ? { files: stored } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(lost > 0 ? { note: notKept(lost) } : {}),
  }
}

function notKept(count: number): string {
  return count === 1 ? '1 file could not be kept.' : `${count} files could not be kept.`
}

/** As `classifyError` reads it: what the tool says of its failure. */
function asError(text: string | undefined, structured: unknown): unknown {
  const content = text === undefined ? [] : [{ type: 'text', text }]
  return { isError: true, content, ...(hasSomething(structured) && { structuredContent: structured }) }
}

function hasSomething(value: unknown): boolean {
  if (value === undefined || value === null) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

class ContentReader {
  readonly texts: string[] = []
  readonly files: ResultFile[] = []
  readonly links: ResultLink[] = []
  leftOut = 0
  private readonly limits: ResultLimits

  constructor(limits: ResultLimits) {
    this.limits = limits
  }

  add(part: unknown): void {
    if (typeof part === 'string') this.texts.push(part)
    if (!isObject(part)) return
    const { type, text, data, mimeType, resource } = part
    if (type === 'text' && typeof text === 'string') this.texts.push(text)
    else if (type === 'image') this.addFile(data, undefined, mediaTypeOf(mimeType, 'image/png'))
    else if (type === 'audio') this.addFile(data, undefined, mediaTypeOf(mimeType))
    else if (type === 'resource_link') this.addLink(part)
    else if (type === 'resource' && isObject(resource)) this.addResource(resource)
    // Of a later revision: what it says is better than nothing.
    else if (typeof text === 'string') this.texts.push(text)
  }

  private addResource({ uri, mimeType, text, blob }: Record<string, unknown>): void {
    if (typeof text !== 'string') {
      this.addFile(blob, uri, mediaTypeOf(mimeType))
      return
    }
    const mediaType = mediaTypeOf(mimeType, 'text/plain')
    if (isPage.test(mediaType)) this.addBytes(new TextEncoder().encode(text), uri, mediaType)
    else this.texts.push(text)
  }

  private addFile(data: unknown, uri: unknown, mediaType: string): void {
    const bytes = readBase64(data, this.limits.bytes)
    if (bytes) this.addBytes(bytes, uri, mediaType)
    else this.leftOut++
  }

  private addBytes(bytes: Uint8Array<ArrayBuffer>, uri: unknown, mediaType: string): void {
    const fits = bytes.byteLength <= this.limits.bytes && this.files.length < this.limits.files
    if (fits) this.files.push({ filename: fileNameOf(uri, mediaType), mediaType, bytes })
    else this.leftOut++
  }

  private addLink({ uri, name, title }: Record<string, unknown>): void {
    if (typeof uri !== 'string' || uri.length > longestLink || this.links.length >= mostLinks) return
    const said = [title, name].find((one) => typeof one === 'string' && one !== '')
    this.links.push({ uri, ...(typeof said === 'string' && { name: said.slice(0, 200) }) })
  }
}
