import { isObject } from '../../../../shared/engine/core/json-value.ts'
import { plainText } from './plain-text.ts'
import type { FoundPage, SearchProvider } from './search-provider.ts'

/** Characters of one excerpt. */
const longestSnippet = 600

/** Reads one result of a provider; undefined if it has no web address. */
export function readFoundPage(result: unknown, { members }: SearchProvider): FoundPage | undefined {
  if (!isObject(result)) return undefined
  const url = result[members.url]
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return undefined
  const source = members.source === undefined ? hostOf(url) : nameSource(result[members.source])
  const published = members.published.map((name) => result[name]).find((text) => typeof text === 'string')
  return {
    title: readText(result.title) || url,
    url,
    snippet: readText(result[members.snippet]).slice(0, longestSnippet),
    source: source || undefined,
    published: typeof published === 'string' ? readText(published) : undefined,
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : ''
}

/** A name, or an object that has one. */
function nameSource(source: unknown): string {
  if (isObject(source)) return readText(source.name ?? source.hostname)
  return readText(source)
}

function readText(value: unknown): string {
  return typeof value === 'string' ? plainText(value) : ''
}
