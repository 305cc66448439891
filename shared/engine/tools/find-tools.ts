import { splitWords, stemWord } from '../calls/names/compare-names.ts'
import { isObject } from '../core/json-value.ts'
import type { ToolSpecification } from '../core/tool-specification.ts'

/** Tools that one search finds. */
const mostFound = 8
/** So much of how well the best tool fits has to be reached by one whose server is not to be crowded out. */
const fitsAsWell = 0.7
/** How much of a tool's fit its server's as a whole adds. */
const ofServer = 0.5

/** The parts of a tool's text: how much a word says there, and how many words one usually has. BM25F, as for documents. */
const parts = {
  name: { weight: 3, usual: 6 },
  /** What it does, mostly. */
  firstSentence: { weight: 2, usual: 15 },
  rest: { weight: 0.5, usual: 80 },
  parameters: { weight: 0.7, usual: 5 },
  parameterWords: { weight: 0.3, usual: 80 },
}
/** Characters of a part that are read: long ones say less and less, and reading them takes time. */
const longestPart = 1_000
/** How soon a word that is repeated says nothing more, and how much longer texts say less. */
const saturation = 1.2
const byLength = 0.75

/** Of two words that begin alike (`geocode`, `geocoding`), how much at most one says of the other, and from where on. */
const likeness = { most: 0.6, least: 0.6, letters: 4 }

/**
 * The tools that a request is about, best first: by their words, of which those count most that few tools and few servers
 * have. At most half of them are of one server, if others fit nearly as well.
 */
export function findTools(query: string, tools: readonly ToolSpecification[]): ToolSpecification[] {
  const stemsOf = createStems()
  const known = tools.map((tool) => ({ tool, server: serverOf(tool), words: wordsIn(tool, stemsOf) }))
  const servers = new Map<string, Map<string, number>>()
  const having = new Map<string, number>()
  const sizes = new Map<string, number>()
  for (const { server, words } of known) {
    const all = servers.get(server) ?? new Map<string, number>()
    servers.set(server, all)
    sizes.set(server, (sizes.get(server) ?? 0) + 1)
    for (const [word, count] of words) {
      all.set(word, (all.get(word) ?? 0) + count)
      having.set(word, (having.get(word) ?? 0) + 1)
    }
  }
  const says = (word: string) => {
    const serversHaving = [...servers.values()].filter((all) => all.has(word)).length
    return rarity(having.get(word) ?? 0, tools.length) * Math.sqrt(rarity(serversHaving, servers.size))
  }
  const said = stemsOf(query)
  // `drop down` is what others write as `dropdown`.
  const joined = said
    .flatMap((word, index) => `${word}${said[index + 1] ?? ''}`)
    .filter((word) => having.has(word))
  const asked = [...new Set([...said, ...joined, ...shortFormsIn(query)])].map((word) =>
    likeWords(word, having).map(({ word: other, share }) => ({ word: other, says: share * says(other) })),
  )
  const fit = (words: ReadonlyMap<string, number>, size: number) =>
    asked.reduce((sum, meant) => {
      const fits = meant.map(({ word, says: most }) => {
        const count = (words.get(word) ?? 0) / size
        return (most * count * (saturation + 1)) / (count + saturation)
      })
      return sum + Math.max(0, ...fits)
    }, 0)
  const fits = new Map(
    [...servers].map(([server, words]) => [server, fit(words, sizes.get(server) ?? 1)] as const),
  )
  const found = known
    .map(({ tool, server, words }) => ({ tool, server, score: fit(words, 1) }))
    .filter(({ score }) => score > 0)
    .map((one) => ({ ...one, score: one.score + ofServer * (fits.get(one.server) ?? 0) }))
    .sort((a, b) => b.score - a.score)
  return spread(found).map(({ tool }) => tool)
}

/** The first ones; those of a server that has half of them already come after others that fit nearly as well. */
function spread<Found extends { server: string; score: number }>(found: readonly Found[]): Found[] {
  const least = (found[0]?.score ?? 0) * fitsAsWell
  const chosen: Found[] = []
  const put: Found[] = []
  for (const one of found) {
    const isCrowding = chosen.filter(({ server }) => server === one.server).length >= mostFound / 2
    if (one.score < least || isCrowding) put.push(one)
    else chosen.push(one)
  }
  return [...chosen, ...put].slice(0, mostFound)
}

/** By the name of its tool; all of ours are one. */
function serverOf({ name, foreign }: ToolSpecification): string {
  return foreign ? (name.split('__', 1)[0] ?? '') : ''
}

function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}

/** The word itself, and those that begin like it. */
function likeWords(word: string, known: ReadonlyMap<string, unknown>): { word: string; share: number }[] {
  const like = known.has(word) ? [{ word, share: 1 }] : []
  if (word.length < likeness.letters) return like
  for (const other of known.keys()) {
    if (other === word || !other.startsWith(word.slice(0, likeness.letters))) continue
    const share = commonStart(word, other) / Math.max(word.length, other.length)
    if (share >= likeness.least) like.push({ word: other, share: share * likeness.most })
  }
  return like
}

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** By specifications, which stay the same objects from turn to turn. */
const knownWords = new WeakMap<ToolSpecification, ReadonlyMap<string, number>>()

/** The words of a tool, each with how much it says of it. */
function wordsIn(tool: ToolSpecification, stemsOf: Stems): ReadonlyMap<string, number> {
  const known = knownWords.get(tool)
  if (known) return known
  const description = ownWordsOf(tool)
  const [first = ''] = /^[\s\S]{20,240}?[.!?\n](?=\s|$)/.exec(description) ?? [description.slice(0, 240)]
  const texts: Record<keyof typeof parts, string> = {
    name: `${tool.name} ${tool.title ?? ''}`,
    firstSentence: first,
    rest: description.slice(first.length),
    parameters: Object.keys(tool.parameters.properties ?? {}).join(' '),
    parameterWords: wordsOfSchema(tool.parameters),
  }
  const words = new Map<string, number>()
  for (const [part, text] of Object.entries(texts)) {
    const { weight, usual } = parts[part as keyof typeof parts]
    const stems = stemsOf(text.slice(0, longestPart))
    const each = weight / (1 - byLength + (byLength * stems.length) / usual)
    for (const stem of stems) words.set(stem, (words.get(stem) ?? 0) + each)
  }
  for (const short of shortFormsOf(splitWords(tool.name))) words.set(short, parts.name.weight)
  knownWords.set(tool, words)
  return words
}

/** What people write in capitals for several words of a name: `PR` for `get_pull_request`. */
function shortFormsOf(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    [2, 3].flatMap((count) => {
      const initials = words.slice(from, from + count).map((word) => word.charAt(0).toUpperCase())
      return initials.length === count ? [initials.join('')] : []
    }),
  )
}

function shortFormsIn(text: string): string[] {
  return text.match(/(?<!\p{L})\p{Lu}{2,3}(?!\p{L})/gu) ?? []
}

/** Without the mark that says whose words these are: it says nothing of the tool. */
function ownWordsOf({ description, foreign }: ToolSpecification): string {
  return foreign ? description.replace(/^\[[^\]]{0,200}\]/, '').trim() : description
}

const deepest = 5

/** What a schema says of its members, and what they can be. */
function wordsOfSchema(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth >= deepest) return ''
  const { title, description, enum: choices, properties, items } = schema
  const members = isObject(properties) ? Object.values(properties) : []
  const own = [title, description, ...(Array.isArray(choices) ? choices : [])]
  return [
    ...own.filter((text) => typeof text === 'string'),
    ...[...members, items].map((member) => wordsOfSchema(member, depth + 1)),
  ].join(' ')
}

type Stems = (text: string) => string[]

/** The words of texts without their endings. Most are in many texts, and looked at once. */
function createStems(): Stems {
  const known = new Map<string, string[]>()
  return (text) =>
    text.split(/\s+/).flatMap((part) => {
      const stems = known.get(part) ?? splitWords(part).map(stemWord)
      known.set(part, stems)
      return stems
    })
}
