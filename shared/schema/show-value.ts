import { maskSecrets } from '../errors/mask-secrets.ts'
import type { JsonPath } from './json-path.ts'

const shownCharacters = 60
const secretName = /pass(?:word|phrase|wd|code)|secret|token|api_?key|authorization|credential|private_?key/i

/** A value as a sentence shows it: JSON, shortened. */
export function showValue(value: unknown, length = shownCharacters): string {
  const json = JSON.stringify(typeof value === 'string' ? value.slice(0, length + 1) : value) ?? 'nothing'
  return json.length > length ? `${json.slice(0, length - 1)}…` : json
}

/** What was sent at a place, shortened, without secrets: `***` where the name says that it is one. */
export function showSent(path: JsonPath, value: unknown, length = shownCharacters): string {
  return isSecret(path, value) ? '***' : maskSecrets(showValue(value, length))
}

/** The same as a value for `details`: texts stay texts, numbers numbers, larger things become a short text. */
export function sentValue(path: JsonPath, value: unknown, length: number): unknown {
  if (isSecret(path, value)) return '***'
  if (typeof value === 'string') {
    const masked = maskSecrets(value.slice(0, length * 2))
    return masked.length > length ? `${masked.slice(0, length - 1)}…` : masked
  }
  return typeof value === 'object' && value !== null ? showSent(path, value, length) : value
}

function isSecret(path: JsonPath, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false
  return path.some((key) => typeof key === 'string' && secretName.test(key))
}
