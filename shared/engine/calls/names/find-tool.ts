import type { ToolSpecification } from '../../core/tool-specification.ts'
import { foldName, isTypo, splitWords, stemWord } from './compare-names.ts'
import { isSlip } from './match-members.ts'

type FoundTool =
  | { how: 'exact'; tool: ToolSpecification }
  | { how: 'spelling'; tool: ToolSpecification }
  | UnfoundTool

/** `close`: exactly one name is close; it is proposed, not called. `ranked`: every tool, closest first. */
export type UnfoundTool =
  | { how: 'close'; tool: ToolSpecification; ranked: ToolSpecification[] }
  | { how: 'none'; suggestion?: ToolSpecification; ranked: ToolSpecification[] }

/** Prefixes that frameworks add to names: `functions.search`, `mcp__server__search`, `tool/search`. */
const namespaceEnd = /[./:]+|__+/u
/** Words that a model adds to a name without meaning anything. */
const addedWords = new Set(
  'tool tools function functions func fn call api action method command run execute use'.split(' '),
)
/** Words in a namespace that do not say which tool is meant: `default_api.search`, `namespace.search`. */
const namespaceWords = new Set([...addedWords, 'default', 'namespace', 'mcp'])
const maxNameLength = 256

/**
 * Finds the tool that a call names; case, separators and namespaces may differ if exactly one tool fits. A foreign tool is
 * found by exactly its name, and proposed for no other: else a server could choose names that catch calls of other tools.
 */
export function findTool(name: string, tools: readonly ToolSpecification[]): FoundTool {
  for (const tool of tools) if (tool.name === name) return { how: 'exact', tool }
  const said = name.slice(0, maxNameLength)
  if (isOfServer(said)) return { how: 'none', ranked: rankTools(said, tools) }
  const spelled = onlyOwn(findSpelling(said, tools) ?? findMarked(said, tools))
  if (spelled) return { how: 'spelling', tool: spelled }
  const ranked = rankTools(said, tools)
  const close = onlyOwn(
    onlyOne(tools.filter((tool) => isSlip(said, tool.name))) ??
      onlyOne(tools.filter((tool) => isPart(said, tool.name))),
  )
  if (close) return { how: 'close', tool: close, ranked: [close, ...ranked.filter((tool) => tool !== close)] }
  const [first, second] = ranked
  const clear =
    onlyOwn(first) &&
    first &&
    likeness(said, first.name) > 0.5 &&
    (!second || likeness(said, second.name) < likeness(said, first.name))
  return clear ? { how: 'none', suggestion: first, ranked } : { how: 'none', ranked }
}

/**
 * Whether a name is written like that of a tool of a server, `linear__create_issue`. If there is none of this name, its server
 * is gone or it is off: it never means a tool of ours that is called like what follows.
 */
function isOfServer(name: string): boolean {
  const [server = '', tool, ...others] = name.split('__')
  if (!tool || others.length > 0 || !/^[a-z][a-z0-9_]{0,23}$/.test(server)) return false
  return !splitWords(server).every((word) => namespaceWords.has(word))
}

/** Undefined for a tool of a server that others run. */
function onlyOwn(tool: ToolSpecification | undefined): ToolSpecification | undefined {
  return tool?.foreign ? undefined : tool
}

/** Control tokens and tags that a server left in a name, and the number that Kimi gives a call. */
const marks = /<[|｜][^<>|｜\n]{1,60}[|｜]>|<\/?[\w:]{1,40}>|\[\/?[A-Z][A-Z_]{3,}\]/gu

/** The only tool that is named between marks; a name in which two stand is none. */
function findMarked(name: string, tools: readonly ToolSpecification[]): ToolSpecification | undefined {
  const parts = name.split(marks).map((part) =>
    part
      .trim()
      .replace(/^.*\bto=/, '')
      .replace(/:\d+$/, ''),
  )
  if (parts.length === 1 && parts[0] === name) return undefined
  const named = parts.map((part) => findSpelling(part, tools)).filter((tool) => tool !== undefined)
  return onlyOne([...new Set(named)])
}

function findSpelling(name: string, tools: readonly ToolSpecification[]): ToolSpecification | undefined {
  const folded = foldName(name)
  if (folded === '') return undefined
  const whole = tools.filter((tool) => foldName(tool.name) === folded)
  if (whole.length > 0) return onlyOne(whole)
  const parts = name.split(namespaceEnd)
  for (let from = 1; from < parts.length; from++) {
    const rest = foldName(parts.slice(from).join(' '))
    const matches = rest === '' ? [] : tools.filter((tool) => foldName(tool.name) === rest)
    if (matches.length > 0) {
      const prefix = parts.slice(0, from).flatMap(splitWords)
      return namesOtherTool(prefix, matches, tools) ? undefined : onlyOne(matches)
    }
  }
  return undefined
}

/** `calendar.delete` does not mean the only `delete` if another tool, and not this one, is about the calendar. */
function namesOtherTool(
  prefix: string[],
  matches: ToolSpecification[],
  tools: readonly ToolSpecification[],
): boolean {
  const own = matches.flatMap(({ name }) => splitWords(name)).map(stemWord)
  const words = prefix
    .filter((word, index) => !namespaceWords.has(word) && !(word === 'server' && prefix[index - 1] === 'mcp'))
    .map(stemWord)
    .filter((word) => !own.includes(word))
  const others = tools.filter((tool) => !matches.includes(tool))
  return others.some((tool) => splitWords(tool.name).some((word) => words.includes(stemWord(word))))
}

/** One name has all words of the other, in order, and the rest is a namespace or an added word. */
function isPart(name: string, toolName: string): boolean {
  const said = splitWords(name)
  const meant = splitWords(toolName)
  if (said.length === 0 || said.length === meant.length) return false
  if (said.length < meant.length) return isTelling(said) && endsWith(meant, said)
  const extra = startsWith(said, meant)
    ? said.slice(meant.length)
    : endsWith(said, meant)
      ? said.slice(0, -meant.length)
      : []
  return (
    extra.length > 0 && extra.every((word) => addedWords.has(word) || word === 'v' || /^\p{N}+$/u.test(word))
  )
}

/** True for more than a verb: `gcd` says which tool is meant, `get` does not. */
function isTelling(words: readonly string[]): boolean {
  const [only = ''] = words
  return words.length > 1 || only.length >= 3
}

function startsWith(words: string[], start: string[]): boolean {
  return start.every((word, index) => words[index] === word)
}

function endsWith(words: string[], end: string[]): boolean {
  return end.every((word, index) => words[words.length - end.length + index] === word)
}

/** Every tool, most similar name first. */
function rankTools(name: string, tools: readonly ToolSpecification[]): ToolSpecification[] {
  return tools
    .map((tool) => ({ tool, likeness: likeness(name, tool.name) }))
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ tool }) => tool)
}

/** 0 to 1: the share of words that two names have in common. */
function likeness(name: string, toolName: string): number {
  const said = [...new Set(splitWords(name).map(stemWord))]
  const meant = [...new Set(splitWords(toolName).map(stemWord))]
  let common = 0
  for (const word of said) {
    if (meant.includes(word)) common += 1
    else if (meant.some((other) => isTypo(word, other))) common += 0.8
  }
  return common / Math.max(said.length, meant.length, 1)
}

function onlyOne<T>(matches: readonly T[]): T | undefined {
  return matches.length === 1 ? matches[0] : undefined
}
