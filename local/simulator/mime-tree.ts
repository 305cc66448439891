import { Buffer } from 'node:buffer'
import { decodeWords } from 'postal-mime'

/** One part of a mail. */
export interface MimePart {
  headers: { name: string; value: string }[]
  mimeType: string
  filename: string
  charset: string
  /** Decoded from its transfer encoding. */
  content: Buffer
  parts: MimePart[]
}

/** Parts nested deeper than this are not split further. */
const deepest = 100

/** Parses a mail into the tree of its parts; in latin1, so that each byte stays one character. */
export function readMimeTree(raw: Buffer, depth = 0): MimePart {
  const text = raw.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  const isHeadless = /^\r?\n/.test(text)
  const head = isHeadless ? '' : text.slice(0, end?.index ?? text.length)
  const body = isHeadless ? text.replace(/^\r?\n/, '') : end ? text.slice(end.index + end[0].length) : ''
  const headers = readHeaders(head)
  const type = headerOf(headers, 'content-type') ?? 'text/plain'
  const mimeType = (/^[\w.+-]+\/[\w.+-]+/.exec(type.trim())?.[0] ?? 'text/plain').toLowerCase()
  const boundary = parameterOf(type, 'boundary')
  const isMultipart = mimeType.startsWith('multipart/') && boundary !== undefined && depth < deepest
  const disposition = headerOf(headers, 'content-disposition') ?? ''
  const content = isMultipart
    ? Buffer.alloc(0)
    : decodeBody(body, headerOf(headers, 'content-transfer-encoding'))
  const isMail = mimeType === 'message/rfc822' && depth < deepest
  return {
    headers,
    mimeType,
    filename: parameterOf(disposition, 'filename') ?? parameterOf(type, 'name') ?? '',
    charset: parameterOf(type, 'charset') ?? 'utf-8',
    content,
    parts: isMultipart
      ? splitAt(body, boundary).map((part) => readMimeTree(Buffer.from(part, 'latin1'), depth + 1))
      : isMail
        ? [readMimeTree(content, depth + 1)]
        : [],
  }
}

/** The value of a header, given its name in lower case. */
export function headerOf(
  headers: readonly { name: string; value: string }[],
  name: string,
): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}

function readHeaders(head: string): { name: string; value: string }[] {
  return head
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) return []
      const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString('utf8')
      return [{ name: line.slice(0, colon), value: decodeWords(value) }]
    })
}

function parameterOf(header: string, name: string): string | undefined {
  const plain = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(header)
  if (plain) return (plain[1] ?? plain[2] ?? '').replace(/\\(.)/g, '$1')
  // RFC 2231, in pieces or not: filename*0*=utf-8''a%20; filename*1=b
  const pieces = [...header.matchAll(new RegExp(`;\\s*${name}\\*(?:\\d+\\*?)?=("?)([^;"]*)\\1`, 'gi'))]
  if (pieces.length === 0) return undefined
  const joined = pieces.map(([, , value]) => value).join('')
  return decodeURIComponent(joined.replace(/^[\w-]*'[\w-]*'/, '').replace(/%(?![\da-f]{2})/gi, '%25'))
}

function decodeBody(body: string, encoding = '7bit'): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return Buffer.from(
        body
          .replace(/=\r?\n/g, '')
          .replace(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )
    default:
      return Buffer.from(body, 'latin1')
  }
}

function splitAt(body: string, boundary: string): string[] {
  const parts: string[] = []
  let part: string[] | undefined
  for (const line of body.split('\n')) {
    const bare = line.trimEnd()
    if (bare !== `--${boundary}` && bare !== `--${boundary}--`) {
      part?.push(line)
      continue
    }
    if (part) parts.push(part.join('\n').replace(/\r?\n?$/, ''))
    part = bare.endsWith(`${boundary}--`) ? undefined : []
    if (!part) return parts
  }
  if (part) parts.push(part.join('\n'))
  return parts
}
