import type { JsonSchema } from '../core/json-schema.ts'

/**
 * What a description says first. `thing`: a noun phrase with its article, `the unique identifier of the product`;
 * `clause`: `how many times to roll`; `note`: an English sentence about it; `foreign`: another language, as it stands.
 */
interface Phrase {
  kind: 'thing' | 'clause' | 'note' | 'foreign'
  text: string
}

const phraseCharacters = 100
/** Descriptions of other people's tools may be of any length; what they say first stands there. */
const readCharacters = 1000

/** What does not name the thing: `Optional.`, `Specifies`, `Please enter`, `This parameter is`. */
const preface = new RegExp(
  [
    String.raw`(?:[-*•]\s+)`,
    String.raw`(?:(?:this|the) (?:parameter|field|property|argument|option|flag|setting|attribute) (?:is|specif\w+|contains|indicates|defines|represents|describes|determines|controls|should be|must be)\s+)`,
    String.raw`(?:(?:specif(?:y|ies)|indicates?|defines?|determines?|describes?|represents?|contains|controls?|sets?|selects?|identifies|denotes?|provides?|holds|accepts|enter|give|supply|choose|pick|pass|is|this is)\s+(?=(?:the|a|an|your|one|which|whether|how|if)\s))`,
    String.raw`(?:please (?:provide|enter|give|specify|choose|select)\s+)`,
  ].join('|'),
  'iu',
)

/** What stands in front of the description proper: `[Optional]`, `Required:`. */
const marker = /^\W*(?:optional|required|deprecated)(?:[.:,;)\]]\W*|\W*$)/i

/** Ends a sentence that is none: `e.g.`, `No. 5`, an initial. */
const abbreviation =
  /(?:^|[\s("'])(?:e\.?g|i\.?e|vs|cf|ca|approx|no|nos|st|dr|mr|mrs|ms|prof|inc|ltd|co|corp|fig|min|max|est|jr|sr|dept|incl|excl|resp|\p{L}|(?:\p{L}\.)+\p{L})$/iu
const sentenceEnd = /[.!?](?=\s+["'([]?[\p{Lu}\d"'([])|[。！？]/gu

/** Words that open a clause a person can be asked to say. */
const opensClause = /^(?:how|which|what|where|who|whom|whose|whether|when (?:to|the|it|this)|why)\b(?! set)/i
/** Words in front of which no article belongs. */
const needsNoArticle =
  /^(?:the|a|an|any|all|each|every|some|both|your|our|their|its|his|her|this|these|that|those|one|two|three|up to|at least|at most|no more than|zero|additional|other|further)\b|^[\d"'“‘(]/i
/** A verb or a condition comes first: a sentence about the parameter, no name for it. */
const startsNote = new RegExp(
  [
    String.raw`^(?:if|when|unless|while|for|to|in|on|by|as|at|from|with|only|must|should|can|cannot|could|will|would|may|might|do|does|not|never|always|note|see|example|default|defaults|deprecated|reserved|used|true|false|yes|no|none|it|you|we|they|i|there|here)\b`,
    String.raw`^(?:include|exclude|enable|disable|allow|specify|indicate|define|provide|choose|select|enforce|retrieve|restrict|replace|insert|create|initialize|convert|ignore|skip|simulate|prevent|require|determine|enter|ensure|perform|omit|append|prepend|override|force|apply|generate|execute|trigger|keep|make|let|give|add|remove|delete|pass|automatically)s?(?![\w-])`,
    String.raw`^[a-z]+ (?:by|the|an?|only|all|whether|if|this|these|your|it|what|which|how|when)\b`,
  ].join('|'),
)

/** What the description of a parameter calls it; `undefined` when nobody says. */
export function readPhrase(schema: JsonSchema): Phrase | undefined {
  const sentence = firstSentence(plainText(schema.description ?? ''))
  if (sentence === '') return undefined
  let text = sentence
  for (let previous = ''; previous !== text; ) {
    previous = text
    text = text.replace(preface, (match, offset: number) => (offset === 0 ? '' : match))
  }
  text = shorten(text, phraseCharacters)
  if (text === '') return undefined
  if (isForeign(sentence)) return { kind: 'foreign', text: shorten(sentence, phraseCharacters) }
  if (opensClause.test(text)) return { kind: 'clause', text: lowerFirst(text) }
  if (startsNote.test(lowerFirst(text)))
    return { kind: 'note', text: lowerFirst(shorten(sentence, phraseCharacters)) }
  return { kind: 'thing', text: needsNoArticle.test(text) ? lowerFirst(text) : `the ${lowerFirst(text)}` }
}

/** What a yes or no is about. `act`: `include DMARC records`; `state`: `the car is automatic`; `note`: a sentence. */
export function readYesNo(schema: JsonSchema): { kind: 'act' | 'state' | 'note'; text: string } | undefined {
  const text = firstSentence(plainText(schema.description ?? ''))
  if (text === '') return undefined
  const note = { kind: 'note' as const, text: upperFirst(shorten(text, phraseCharacters)) }
  if (isForeign(text) || bothAnswers.test(text)) return note
  const [, to, about] = whetherClause.exec(text) ?? []
  const act = to ? about : (flagTo.exec(text)?.[1] ?? (imperative.test(text) ? text : undefined))
  const what = shorten((act ?? about ?? '').replace(/ or not$/, ''), phraseCharacters)
  if (what === '') return note
  return { kind: act === undefined ? 'state' : 'act', text: lowerFirst(what) }
}

/** Says already what true and false mean. */
const bothAnswers = /\b(?:if|when) (?:set to )?(?:true|false)\b|\b(?:or|and|\/) ?(?:dis\w+)\b/i
/** `Whether to …`, `Flag indicating if …`. */
const whetherClause =
  /^(?:[^.,;]{0,60}?\b)?(?:whether(?: or not)?|if(?: or not)?(?= (?!(?:set|it|you|not|true|false|this|that)\b)))( to)? (.+)$/iu
/** `A flag to …`, `Set to true to …`. */
const flagTo =
  /^(?:(?:an? |the )?(?:boolean )?(?:flag|switch|option|indicator|setting|parameter|value) (?:used )?to|set (?:this )?(?:to )?true to|to) (?!determine|indicate|specify|set|control|represent)(.+)$/iu
const imperative =
  /^(?:include|exclude|enable|disable|allow|skip|ignore|filter|return|show|hide|remove|delete|force|create|keep|send|notify|convert|verify|overwrite|replace|append|sort|reverse|group|run|wait|open|close|download|compress|use|get|fetch|add|print|search|restrict|ensure|perform)(?![\w-])/i

/** What a description says first, as a sentence; empty when nobody says. */
function firstSentence(text: string): string {
  for (const end of text.matchAll(sentenceEnd)) {
    if (!abbreviation.test(text.slice(Math.max(0, end.index - 20), end.index)))
      return text.slice(0, end.index)
  }
  return text.replace(/[.!?]+$/, '')
}

/** Without Markdown, tags and what follows the first paragraph. */
function plainText(description: string): string {
  const [first = ''] = description
    .slice(0, readCharacters)
    .replace(marker, '')
    .trim()
    .split(/\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)]|\p{Lu}))/u)
  return first
    .replace(/<\/?(?:b|i|u|em|strong|p|br|code|pre|a|ul|ol|li|span|div)\b[^<>]*>/gi, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s*[,;(]\s*(?:(?:the|by) )?default\b[^().]*\)?\.?$|\s*\((?:optional|required)\)/gi, '')
    .trim()
}

const englishWords = wholeWords(
  'the of to for a an in or and is are with by from on at as be if whether that this which used name number',
)
const foreignWords = wholeWords(
  'el la los las del de un una que para por con ser su le les des du et au aux une dans sur avec der das und für von zu mit ist ein eine einen il lo gli di da della nel che os do dos das ao seu sua em um uma não het een van voor met och att på av og til en se si na nie jest ve için bir yang untuk dan',
)

function wholeWords(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words.replaceAll(' ', '|')})(?![\\p{L}\\p{M}])`, 'giu')
}

/** Another language: our own words around its words would make no sentence. */
function isForeign(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (latin < letters * 0.7) return true
  const english = text.match(englishWords)?.length ?? 0
  const foreign = text.match(foreignWords)?.length ?? 0
  return foreign > english || (english === 0 && /[À-ɏ]/u.test(text))
}

/** Cuts at the end of a clause or a word, not inside quotes or parentheses, not behind a word that leads on. */
export function shorten(text: string, length: number): string {
  let short = text.replace(/[\s.:;,]+$/, '')
  if (short.length > length) {
    short = short.slice(0, length + 1)
    const clause = short.search(/[,;:.] [^,;:.]*$/)
    const word = short.lastIndexOf(' ')
    short = short.slice(0, clause > length / 2 ? clause : word > length / 3 ? word : length)
  }
  short = withoutOpenPair(short)
  return text.startsWith(short) && short.length === text.length ? short : withoutTail(short)
}

/** Without the part that begins with a parenthesis or a quote that is not closed. */
function withoutOpenPair(text: string): string {
  let open: { mark: string; at: number } | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (open) {
      const closes = char === open.mark && (char === ')' || !/\p{L}/u.test(text.charAt(at + 1)))
      if (closes) open = undefined
    } else if (char === '(') open = { mark: ')', at }
    else if (/["'‘“]/.test(char) && /^$|[\s([]/.test(text.charAt(at - 1)))
      open = { mark: { '‘': '’', '“': '”' }[char] ?? char, at }
  }
  return open && open.at > 0 ? text.slice(0, open.at) : text
}

/** Without marks and words at the end that lead on to what was cut off. */
export function withoutTail(text: string): string {
  const tail =
    /(?:[\s,;:.(\-–—]+|[\s,](?:a|an|the|of|in|on|at|to|for|and|or|is|are|be|by|with|from|that|which|where|whose|when|such as|as|if|it|its|can|e\.g|i\.e|in the format(?: of)?|like|used|using|including|based|before|after|until|than|otherwise|else|per|into|over|under|about|between|within|without|who|whom|has|have|was|were|will|should|must|not|formatted|specified|expressed|represented|given|e|i))+$/i
  return text.replace(tail, '')
}

/** Lower-cases a first letter, unless its word is a name or an abbreviation: `GitHub`, `URL`, `I`. */
export function lowerFirst(text: string): string {
  const word = /^(?:\p{Lu}\p{Ll}+(?![\p{L}\d])|A(?=\s))/u.exec(text)?.[0]
  const isName = word === undefined || new RegExp(`[^.!?] ${word}\\b`, 'u').test(text)
  return isName ? text : text.charAt(0).toLowerCase() + text.slice(1)
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
