import { parameterAt } from '../core/json-path.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'
import { asciiDomain, readEmailAddress } from '../schema/email-format.ts'
import { readAddress } from './email-address.ts'
import { isPublicMailDomain } from './public-mail-domains.ts'
import { sourcedValues } from './sourced-values.ts'

/** Whom a call goes to: every value that must come from the user. */
export interface Recipients {
  /** The parameter; `to` stands for to, cc and bcc. */
  path: string
  /** Plain addresses, folded for comparison, each once. */
  addresses: string[]
}

const copies = new Set(['to', 'cc', 'bcc'])

/**
 * The recipients of a call, if all that it needs from the user are plain mail addresses in one parameter. Undefined for
 * any other call: no standing permission covers it.
 */
export function recipientsOf(
  tool: Pick<ToolSpecification, 'parameters' | 'foreign'>,
  args: Record<string, unknown>,
): Recipients | undefined {
  const values = sourcedValues(tool, args).filter(({ source }) => source === 'conversation')
  const paths = new Set(values.map(({ path }) => groupOf(parameterAt(path))))
  const [path, ...others] = paths
  const addresses = new Set<string>()
  for (const { value } of values) {
    const address = typeof value === 'string' ? foldPlain(value) : undefined
    if (address === undefined) return undefined
    addresses.add(address)
  }
  if (path === undefined || others.length > 0) return undefined
  return { path, addresses: [...addresses] }
}

function groupOf(name: string): string {
  return copies.has(name) ? 'to' : name
}

/** An address without a name or anything else around it. A literal asterisk would read like a pattern. */
function foldPlain(text: string): string | undefined {
  const reading = readEmailAddress(text)
  return reading.ok && !text.includes('*') ? readAddress(reading.address) : undefined
}

/** A pattern as it is stored: an address, or `*@` and a domain for whoever is directly at it. Undefined for anything else. */
export function readPattern(text: string): string | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('*@')) return foldPlain(trimmed)
  const domain = asciiDomain(trimmed.slice(2))
  return domain === undefined ? undefined : `*@${domain}`
}

/** Whether a pattern covers an address; both as they are stored. */
export function coversAddress(pattern: string, address: string): boolean {
  return pattern === address || pattern === wholeDomain(address)
}

/** The domain of a pattern that covers whoever is at it, where everybody can be. */
export function publicDomainOf(pattern: string): string | undefined {
  const domain = pattern.startsWith('*@') ? pattern.slice(2).toLowerCase() : ''
  return isPublicMailDomain(domain) ? domain : undefined
}

/** The narrowest pattern that covers all of these addresses and nobody knows whom; undefined if none does. */
export function patternFor(addresses: readonly string[]): string | undefined {
  const [first, ...others] = addresses
  if (first === undefined || others.length === 0) return first
  const domain = wholeDomain(first)
  if (publicDomainOf(domain) !== undefined) return undefined
  return others.every((address) => wholeDomain(address) === domain) ? domain : undefined
}

function wholeDomain(address: string): string {
  return `*${address.slice(address.lastIndexOf('@'))}`
}

/** The parameter that names a tool's recipients; undefined if it has none, or more than one. */
export function recipientParameter({
  parameters,
}: Pick<ToolSpecification, 'parameters'>): string | undefined {
  const marked = Object.entries(parameters.properties ?? {})
    .filter(([, place]) => typeof place === 'object' && place.source === 'conversation')
    .map(([name]) => groupOf(name))
  const [name, ...others] = new Set(marked)
  return marked.includes('to') ? 'to' : others.length === 0 ? name : undefined
}
