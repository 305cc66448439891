import { serverPart } from '../../../shared/integrations/mcp/tool-names.ts'

/** Characters of a name. */
const longest = 24

/**
 * A name for a server, of what it calls itself or else of its host, that no other one has.
 *
 * @example
 * suggestName({ title: 'Linear MCP', url: 'https://mcp.linear.app/mcp' }, []) // => 'linear'
 * suggestName({ title: '', url: 'https://mcp.notion.com/mcp' }, ['notion']) // => 'notion_2'
 */
export function suggestName(
  { title, url }: { title: string; url: string },
  taken: readonly string[],
): string {
  const own = title.replace(/\b(?:mcp|server)\b/gi, ' ')
  const name = nameOf(/[a-z]/i.test(own) ? own : hostWord(url))
  let free = name
  for (let number = 2; taken.includes(free); number++) {
    const end = `_${number}`
    free = name.slice(0, longest - end.length).replace(/_$/, '') + end
  }
  return free
}

function nameOf(text: string): string {
  return serverPart(text.replaceAll('-', '_'))
}

/** The part of a host that says whose it is: `linear` of `mcp.linear.app`. */
function hostWord(url: string): string {
  const { hostname } = new URL(url)
  const parts = hostname.split('.')
  if (parts.length < 2 || /^[\d.]+$|:/.test(hostname)) return hostname
  return parts.at(-2) ?? hostname
}
