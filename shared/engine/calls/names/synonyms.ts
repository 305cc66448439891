import { commonWords } from './common-words.ts'
import { synonymGroups } from './synonym-groups.ts'
import { valueGroups } from './value-groups.ts'

interface Thesaurus {
  /** The groups in which each phrase stands. */
  groups: Map<string, number[]>
  /** The first phrase of each group. */
  heads: string[]
  /** How many phrases each group has. */
  sizes: number[]
}

/** Read on first use: most calls need no synonym. */
let names: Thesaurus | undefined
let values: Thesaurus | undefined
let words: Set<string> | undefined

function forNames(): Thesaurus {
  names ??= readGroups(synonymGroups)
  return names
}

function forValues(): Thesaurus {
  values ??= readGroups(valueGroups)
  return values
}

function readGroups(text: string): Thesaurus {
  const groups = new Map<string, number[]>()
  const heads: string[] = []
  const sizes: number[] = []
  for (const [index, group] of text.replaceAll('\n', ' ').split(';').entries()) {
    const parts = group.split(',')
    sizes[index] = parts.length
    for (const part of parts) {
      const phrase = part.trim()
      heads[index] ??= phrase
      const known = groups.get(phrase)
      if (known) known.push(index)
      else groups.set(phrase, [index])
    }
  }
  return { groups, heads, sizes }
}

function shareGroup({ groups }: Thesaurus, a: string, b: string): boolean {
  const groupsOfB = groups.get(b)
  return groupsOfB !== undefined && (groups.get(a)?.some((group) => groupsOfB.includes(group)) ?? false)
}

/** True for a word of general language that names are made of, as far as the lists know it. */
export function isKnownWord(word: string): boolean {
  words ??= new Set(`${synonymGroups} ${commonWords}`.split(/[\s,;]+/))
  return words.has(word)
}

/** True when two lower-case phrases of names, words separated by single blanks, stand in one group. */
export function areSynonyms(a: string, b: string): boolean {
  return shareGroup(forNames(), a, b)
}

/** The same for values of enumerations, which more groups are about. */
export function areSynonymousValues(a: string, b: string): boolean {
  return shareGroup(forValues(), a, b) || shareGroup(forNames(), a, b)
}

/** How many phrases stand with `said` in the smallest group that the value `word` heads; a small one says more. */
export function headedGroupSize(word: string, said: string): number | undefined {
  const found = [forValues(), forNames()].flatMap(({ groups, heads, sizes }) =>
    (groups.get(said) ?? []).filter((group) => heads[group] === word).map((group) => sizes[group] ?? 0),
  )
  return found.length === 0 ? undefined : Math.min(...found)
}

/** Names that differ by one of these pairs mean the opposite. */
const opposites = new Set(
  (
    'create delete,add remove,add delete,insert delete,enable disable,activate deactivate,open close,start stop,begin end,' +
    'lock unlock,show hide,import export,upload download,send receive,send read,buy sell,login logout,join leave,' +
    'follow unfollow,subscribe unsubscribe,like unlike,mute unmute,block unblock,archive unarchive,increase decrease,' +
    'min max,minimum maximum,start end,from to,first last,before after,accept reject,accept decline,approve reject,' +
    'approve deny,get set,get delete,get create,get add,read write,push pull,deposit withdraw,encode decode,encrypt decrypt,' +
    'compress decompress,connect disconnect,attach detach,mount unmount,pause resume,up down,left right,find delete,' +
    'search delete,list delete,view delete,update delete,cancel create,cancel book,in out,sent received'
  )
    .split(',')
    .flatMap((pair) => [pair, pair.split(' ').reverse().join(' ')]),
)

/** True when two words are opposites, as `enable` and `disable`. */
export function areOpposites(a: string, b: string): boolean {
  return opposites.has(`${a} ${b}`)
}
