import { foldName } from '../../engine/calls/names/compare-names.ts'
import { sha256 } from '../../engine/core/sha256.ts'

/** Characters that model providers take: `^[a-zA-Z_][\w-]{0,63}$`, see `wire-names.ts`. */
const longestName = 64
const longestServer = 24
/** Characters of the hash that tells two names apart; more where these do not suffice. */
const hashLengths = [6, 12, 24]

export interface NamedTool {
  name: string
  /** Its plain name is, but for case and separators, that of another tool. */
  isRenamed: boolean
}

/**
 * The names by which models call the tools of a server, `<server>__<tool>`, by the exact names there: the same ones each
 * time, whatever their order. `taken`: the names of all other tools, of this project or of other servers, offered or not.
 * A tool is left out if no name is free for it.
 *
 * @example
 * (await nameTools('linear', ['issues.create'], [])).get('issues.create') // => { name: 'linear__issues_create', isRenamed: false }
 */
export async function nameTools(
  server: string,
  foreignNames: readonly string[],
  taken: Iterable<string>,
): Promise<Map<string, NamedTool>> {
  const prefix = `${serverPart(server)}__`
  const used = new Set([...taken].map(foldName))
  const plain = new Map(foreignNames.map((name) => [name, prefix + toolPart(name)]))
  const counts = new Map<string, number>()
  for (const name of plain.values()) counts.set(foldName(name), (counts.get(foldName(name)) ?? 0) + 1)
  const named = new Map<string, NamedTool>()
  const others: string[] = []
  for (const [foreignName, name] of plain) {
    const folded = foldName(name)
    const isFree = !used.has(folded) && counts.get(folded) === 1
    if (isFree && name.length <= longestName) named.set(foreignName, { name, isRenamed: false })
    else others.push(foreignName)
  }
  for (const { name } of named.values()) used.add(foldName(name))
  for (const foreignName of others.sort()) {
    const name = plain.get(foreignName) ?? prefix
    const hash = await sha256(foreignName)
    const candidates = hashLengths.map((length) => {
      const end = `_${hash.slice(0, length)}`
      return name.slice(0, longestName - end.length) + end
    })
    const free = candidates.find((one) => !used.has(foldName(one)))
    if (free === undefined) continue
    used.add(foldName(free))
    const isTooLong = name.length > longestName && counts.get(foldName(name)) === 1
    named.set(foreignName, { name: free, isRenamed: !isTooLong })
  }
  return named
}

/** What stands before the names of a server's tools. */
export function serverPart(server: string): string {
  const part = plainPart(server).toLowerCase().slice(0, longestServer).replace(/_$/, '')
  return /^[a-z]/.test(part) ? part : `server_${part}`.replace(/_$/, '')
}

function toolPart(name: string): string {
  return plainPart(name) || 'tool'
}

/** Everything else becomes one underscore; where it starts or ends with one, nothing says that there was something. */
function plainPart(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^_|_$/g, '')
}
