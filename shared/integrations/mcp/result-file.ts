import { Buffer } from 'node:buffer'
import { cleanFileName } from '../text/file-name.ts'
import { plainTitle } from '../text/plain-words.ts'

/** A file in a result, not stored yet. */
export interface ResultFile {
  filename: string
  /** As its server says; what it is shows when it is stored. */
  mediaType: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Bytes in base64, of any of its two alphabets; undefined if it is none, or more than so many bytes. */
export function readBase64(data: unknown, mostBytes: number): Uint8Array<ArrayBuffer> | undefined {
  if (typeof data !== 'string' || data.length > (mostBytes * 4) / 3 + 4) return undefined
  const digits = data.replace(/[\s=]+/g, '')
  if (digits === '' || /[^\w+/-]/.test(digits) || digits.length % 4 === 1) return undefined
  const { buffer, byteOffset, byteLength } = Buffer.from(digits, 'base64')
  return new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
}

/** `type/subtype` in lower case; plain bytes for anything else. */
export function mediaTypeOf(given: unknown, otherwise = 'application/octet-stream'): string {
  const [type = ''] = typeof given === 'string' ? given.trim().toLowerCase().split(';', 1) : []
  return /^[a-z0-9][\w.+-]{0,60}\/[a-z0-9][\w.+-]{0,60}$/.test(type.trim()) ? type.trim() : otherwise
}

/** The last part of its address, else by its type. */
export function fileNameOf(uri: unknown, mediaType: string): string {
  const [path = ''] = typeof uri === 'string' ? uri.split(/[?#]/, 1) : []
  return cleanFileName(plainTitle(decode(path.split('/').at(-1) ?? ''), 200), mediaType)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
