import type { ToolSpecification } from '../../core/tool-specification.ts'

/** OpenAI's pattern, with Gemini's rule that a name starts with a letter or an underscore. */
const legalName = /^[a-zA-Z_][\w-]{0,63}$/

/** True for a tool name that every server accepts. */
function isWireName(name: string): boolean {
  return legalName.test(name)
}

/**
 * The name in a form that every server accepts.
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
 * The tools' names on the wire, if they differ; undefined if all are sent unchanged.
 * No two tools may share a name there: servers would refuse the whole request.
 *
 * @example
 * wireNames([{ name: 'docs.search' }, { name: 'docs_search' }])?.get('docs.search') // => 'docs_search_2'
 */
export function wireNames(
  tools: readonly Pick<ToolSpecification, 'name'>[],
): ReadonlyMap<string, string> | undefined {
  const odd = tools.filter(({ name }) => !isWireName(name))
  if (odd.length === 0) return undefined
  const used = new Set(tools.map(({ name }) => name))
  const names = new Map<string, string>()
  for (const { name } of odd) {
    const plain = wireName(name)
    let free = plain
    for (let count = 2; used.has(free); count++) free = `${plain.slice(0, 60)}_${count}`
    used.add(free)
    names.set(name, free)
  }
  return names
}

/** The tools' original names by their names on the wire, for reading answers. */
export function ownNames(
  names: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> | undefined {
  return names && new Map([...names].map(([own, sent]) => [sent, own]))
}
