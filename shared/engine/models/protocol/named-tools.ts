import type { ToolSpecification } from '../../core/tool-specification.ts'

/**
 * The tools that a refusal names: by place (`tools[3]`, `tools.3.custom`, `function_declarations[3]`; AWS counts members
 * from 1), or by name in quotation marks or beside the word. `wire`: the tools as they were sent, in that order.
 *
 * @example
 * namedTools("tools.1.custom.input_schema: …", [{ name: 'a' }, { name: 'b' }], undefined) // => [{ name: 'b' }]
 */
export function namedTools<Tool extends Pick<ToolSpecification, 'name'>>(
  said: string,
  sent: readonly Tool[],
  names: ReadonlyMap<string, string> | undefined,
): Tool[] {
  const declared = placesOf(said, /function_?declarations(?:\[|\.)(\d+)/gi)
  const members = placesOf(said, /\btools?\.(\d+)\.member/gi).map((place) => place - 1)
  const listed = placesOf(said, /\btools?(?:\[|\.| -> )(\d+)/gi)
  const places = [declared, members, listed].find((list) => list.length > 0)
  if (places) return sent.filter((_, index) => places.includes(index))
  return sent.filter(({ name }) => {
    const word = (names?.get(name) ?? name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(
      `["'\`“«]${word}["'\`”»]|\\b(?:tool|function)(?: named?| called)?:? ${word}(?![\\w-])`,
      'i',
    ).test(said)
  })
}

function placesOf(said: string, pattern: RegExp): number[] {
  return [...said.matchAll(pattern)].map(([, place]) => Number(place))
}

/**
 * How many tools a request may define, if a refusal is about their number; 0 if it does not say how many.
 *
 * @example
 * readMostTools("'tools' : maximum number of items is 128") // => 128
 * readMostTools('219 tools have been provided but the maximum is 200.') // => 200
 * readMostTools("tools[3].function.description: maximum length is 1024") // => undefined
 */
export function readMostTools(said: string): number | undefined {
  if (/\btools?(?:\[|\.| -> )\d|function_declarations(?:\[|\.)\d/.test(said)) return undefined
  const isAboutNumber =
    /\btoo many (?:tools|functions)|tool_?count|(?:number|count|array|list|items|limit)[^.]{0,40}\b(?:tools|functions)|\b(?:tools|functions)\b[^.]{0,60}(?:maximum|at most|limit|too long|exceed|up to|no more)/i.test(
      said,
    )
  if (!isAboutNumber || /depth|nest|description|name\b/i.test(said)) return undefined
  const limit =
    /(?:maximum|at most|limit|up to|no more than|not exceed|exceeds?|allowed|>)[^\d.]{0,40}(\d+)/i.exec(
      said,
    )?.[1] ?? /(\d+) (?:tools|functions)? ?(?:is|are)? ?(?:the )?(?:maximum|allowed|limit)/i.exec(said)?.[1]
  return limit === undefined ? 0 : Number(limit)
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/propert\w* (?:keys?|names?)|keys? should match|parameter names?/i, 'the name of a parameter'],
  [/description/i, 'the description'],
  [/depth|nest/i, 'parameters that are nested so deep'],
  [/grammar/i, 'the parameters, because it cannot make a grammar of them'],
  [/schema|parameters|propert|keyword/i, 'the parameters'],
  [/name/i, 'the name of the tool'],
]

/** Longest word that is quoted from a refusal. */
const longestWord = 64

/**
 * Why a definition was refused, in our own words. Of the server's only what stands in the definition itself: the rest may
 * quote the conversation.
 *
 * @example
 * whyRefused("tools.0: unknown keyword 'patternProperties'", { name: 'a', description: '', parameters: { patternProperties: {} }, effect: 'read' })
 * // => 'the server does not accept the parameters (patternProperties)'
 */
export function whyRefused(said: string, { description, parameters }: ToolSpecification): string {
  const what = reasons.find(([words]) => words.test(said))?.[1] ?? 'the definition'
  const definition = JSON.stringify([description, parameters])
  const quoted = [...said.matchAll(/["'`]([^"'`\n]{2,64})["'`]/g)].map(([, word = '']) => word)
  const word = quoted.find((one) => one.length <= longestWord && definition.includes(`"${one}"`))
  return `the server does not accept ${what}${word === undefined ? '' : ` (${word})`}`
}
