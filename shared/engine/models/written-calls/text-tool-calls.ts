import { foldName } from '../../calls/names/compare-names.ts'
import { isSlip } from '../../calls/names/match-members.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import { flattenSchema } from '../../schema/resolve-schema.ts'
import type { ModelToolCall } from '../protocol/model-client.ts'
import type { FoundCalls } from './call-object.ts'
import { isLeftover } from './marks.ts'
import type { IsQuoted } from './quoted-sources.ts'
import { announceCall, speakAboutCall, speakAboutIt } from './words-before-call.ts'
import { styles } from './written-calls.ts'

/** The calls of a text. */
interface TextCalls {
  /** The words for the reader. */
  text: string
  toolCalls: ModelToolCall[]
  /** The words stand behind the calls, not before them. */
  isBehind?: boolean
}

/**
 * Finds tool calls that a model without native calls wrote into its text; `text` is the rest, for the reader.
 *
 * It reads the tags of `openers` (Hermes and Qwen, Llama, Mistral, DeepSeek), and a fenced or bare JSON object that
 * names an offered tool and has arguments. Calls end the reply: if prose continues after them, or announces them as an
 * example or a quotation, they stay text; only a tag that the model announced as its next step may be followed by words.
 * A tagged call of an unknown tool counts if the reply is nothing else, so that the model can be told which tools exist.
 * Arguments are passed on as written: the preparation of the call repairs them, or refuses them if they were cut.
 *
 * @example
 * const search = { name: 'search', description: 'Search.', parameters: { type: 'object' }, effect: 'read' as const }
 * const reply = readTextToolCalls('Let me look.\n<tool_call>{"name": "search", "arguments": {"q": "deno",}}</tool_call>', [search])
 * reply.text // => 'Let me look.'
 * reply.toolCalls // => [{ name: 'search', rawArguments: '{"q": "deno",}', writtenAsText: true }]
 * readTextToolCalls('{"name": "Ada", "arguments": {}}', [search]).toolCalls // => []
 */
export function readTextToolCalls(
  text: string,
  tools: readonly ToolSpecification[],
  isQuoted: IsQuoted = () => false,
): TextCalls {
  const none = { text, toolCalls: [] }
  if (tools.length === 0) return none
  const isTool = (name: string) => isOffered(name, tools)
  const offered = { isTool, typesOf: (tool: string, parameter: string) => listTypes(tools, tool, parameter) }
  for (const { find, tagged } of styles) {
    const found = find(text, offered)
    if (found === undefined || found.calls.length === 0) continue
    const before = text.slice(0, found.start).trimEnd()
    const after = text.slice(found.end)
    const ends = isLeftover(after)
    if (!ends && !(tagged && mayGoOn(text, found, before))) continue
    if (speakAboutCall(before, tagged)) return none
    const alone = tagged && before === '' && ends
    if (!found.calls.every(({ name }) => isTool(name) || (alone && isName(name)))) continue
    const spans = [found, ...found.calls].map(({ start, end }) => text.slice(start, end))
    if (spans.some(isQuoted)) return none
    const isBehind = before === '' && !ends
    return {
      text: isBehind ? wordsAfter(after) : before,
      toolCalls: found.calls.map(written),
      isBehind: isBehind || undefined,
    }
  }
  return none
}

/** The types of a parameter that may have several. */
function listTypes(tools: readonly ToolSpecification[], name: string, parameter: string): string[] {
  const tool = tools.find((one) => one.name === name) ?? tools.find((one) => isOffered(name, [one]))
  const schema = tool && flattenSchema(tool.parameters, tool.parameters.properties?.[parameter])
  const any = [schema, ...(schema?.anyOf ?? []), ...(schema?.oneOf ?? [])]
  return any.flatMap((one) => (typeof one === 'object' ? (one.type ?? []) : []))
}

function written({ name, rawArguments }: FoundCalls['calls'][number]): ModelToolCall {
  // Kimi's name is also the id of the call.
  const numbered = /^(?:functions\.)?([\w.-]+):\d+$/.exec(name)
  const id = numbered === null ? {} : { id: name }
  return { ...id, name: numbered?.[1] ?? name, rawArguments, writtenAsText: true }
}

/** Words may follow a control token, which nobody writes by hand, and a tag that stands alone. */
function mayGoOn(text: string, found: FoundCalls, before: string): boolean {
  const after = text.slice(found.end)
  if (speakAboutIt(after)) return false
  if (/^\s*(?:<[|｜]|\[TOOL_CALLS\])/.test(text.slice(found.start, found.start + 40))) return true
  return standsAlone(text, found) && (before === '' || announceCall(before))
}

function wordsAfter(after: string): string {
  return after.replace(/^(?:\s|<[^<>\n]{1,60}>)+/, '')
}

/** On lines of their own, closed by a tag or a bracket. */
function standsAlone(text: string, { start, end }: FoundCalls): boolean {
  return (
    /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 20), start)) &&
    /^[\s\]}]*(?:<[^<>\n]{1,40}>)*\s*\n/.test(text.slice(end, end + 200))
  )
}

function isName(name: string): boolean {
  return /^[A-Za-z_][\w.-]{0,63}$/.test(name)
}

/** Whether a name means an offered tool, apart from case, separators, namespace or a typo. */
export function isOffered(written: string, tools: readonly ToolSpecification[]): boolean {
  const name = written.replace(/:\d+$/, '')
  const said = [name, name.split(/[./:]/).at(-1) ?? ''].map(foldName)
  // The name is passed on as written: the preparation of the call resolves it and says so.
  const means = (tool: ToolSpecification) =>
    tool.foreign ? tool.name === name : said.includes(foldName(tool.name)) || isSlip(name, tool.name)
  return tools.some(means)
}
