import type { ToolSpecification } from '../../core/tool-specification.ts'

/** OpenAI's pattern, with Gemini's rule that a name begins with a letter or an underscore. */
const legalName = /^[a-zA-Z_][\w-]{0,63}$/

/** True for a tool name that every server takes. */
function isWireName(name: string): boolean {
  return legalName.test(name)
}

/**
 * The name as every server takes it.
 *
 * @example
 * wireName('docs.search') // => 'docs_search'
 * wireName('2fa_send') // => '_2fa_send'
 */
export function wireName(name: string): string {
  if (isWireName(name)) return name
  const plain = name.replace(/[^\w-]/g, '_')
  return (/^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`).slice(0, 64)
}

/**
 * What the tools are called on the wire where that is not their own name; undefined where all go as they are.
 * No two tools share a name there: servers refuse the whole request otherwise.
 *
 * @example
 * wireNames([{ name: 'docs.search' }, { name: 'docs_search' }])?.get('docs.search') // => 'docs_search_2'
 */
export function wireNames(
  tools: readonly Pick<ToolSpecification, 'name'>[],
): ReadonlyMap<string, string> | undefined {
  const odd = tools.filter(({ name }) => !isWireName(name))
  if (odd.length === 0) return undefined
  const taken = new Set(tools.map(({ name }) => name))
  const names = new Map<string, string>()
  for (const { name } of odd) {
    const plain = wireName(name)
    let free = plain
    for (let count = 2; taken.has(free); count++) free = `${plain.slice(0, 60)}_${count}`
    taken.add(free)
    names.set(name, free)
  }
  return names
}

/** The tools' own names by what they are called on the wire, to read answers with. */
export function ownNames(
  names: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> | undefined {
  return names && new Map([...names].map(([own, sent]) => [sent, own]))
}
