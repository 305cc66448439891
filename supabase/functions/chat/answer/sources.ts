import { clipText } from '../../../../shared/engine/core/clip-text.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { MessagePart } from './part-list.ts'

/** Sources that one answer names: nobody reads more. */
export const mostSources = 12
const longestTitle = 200

/**
 * The sources in the output of a read: web pages that were found or read, and documents that were read, as
 * `source-url` and `source-document` parts. Ids stay the same whenever they are computed.
 *
 * @example
 * findSources('c1', { results: [{ title: 'Edge', url: 'https://example.com/' }] })
 * // => [{ type: 'source-url', sourceId: 'c1-1', url: 'https://example.com/', title: 'Edge' }]
 * findSources('c1', { document_id: 'd', title: 'Plan', content: '# Plan' })
 * // => [{ type: 'source-document', sourceId: 'c1-1', mediaType: 'text/markdown', title: 'Plan' }]
 */
export function findSources(toolCallId: string, output: unknown): MessagePart[] {
  if (!isObject(output)) return []
  const listed = Object.values(output).filter(Array.isArray).flat()
  return [output, ...listed]
    .flatMap((item) => readSource(item) ?? [])
    .slice(0, mostSources)
    .map(({ type, ...source }, index) => ({ type, sourceId: `${toolCallId}-${index + 1}`, ...source }))
}

/** A page that could not be read is not a source. */
function readSource(item: unknown): MessagePart | undefined {
  if (!isObject(item) || item.error !== undefined) return undefined
  const title = typeof item.title === 'string' ? clipText(item.title.trim(), longestTitle) : ''
  const url = readAddress(item.url)
  if (url !== undefined) return { type: 'source-url', url, title: title || new URL(url).hostname }
  if (title === '' || typeof item.content !== 'string') return undefined
  return { type: 'source-document', mediaType: 'text/markdown', title }
}

/** A web URL that can be shown as a link: without a password in it. */
function readAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' ? value : undefined
}
